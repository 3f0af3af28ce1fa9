"""Values for the free parameters of the tools, as the clinic's staff would say them."""

import random
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from lexgym.core import Json
from lexgym.envs.health import clinical
from lexgym.envs.health.names import LAST_NAMES, address

_FIRST_DAY = date(2026, 3, 19)


def visit_date(rng: random.Random) -> str:
    """Return a day from some days to four months after the start of an episode."""
    return (_FIRST_DAY + timedelta(days=rng.randint(0, 120))).isoformat()


POOLS: Mapping[str, Callable[[random.Random], Json]] = {
    "address": address,
    "last_name": lambda rng: rng.choice(LAST_NAMES),
    "medication": lambda rng: rng.choice(clinical.MEDICATIONS),
    "note": clinical.note,
    "note_title": clinical.note_title,
    "situation": clinical.emergency,
    "subject": lambda rng: f"{rng.choice(('DIS', 'CPY', 'RXP', 'AMR', 'REC'))}-{rng.randint(1, 9):06d}",
    "supply_days": lambda rng: rng.choice((5, 7, 10, 14, 21, 28, 30, 60, 90)),
    "valid_days": lambda rng: rng.choice((30, 60, 90, 120, 180, 365)),
    "visit_date": visit_date,
    "years": lambda rng: rng.randint(2, 6),  # the phrases have the plural
}
"""What the fuzzer draws free arguments from, by the name in a parameter's `Pool`."""
