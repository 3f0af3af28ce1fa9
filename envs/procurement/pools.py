"""Values for the free parameters of the tools, as people in the departments would say them."""

import random
from collections.abc import Callable, Mapping

from lexgym.core import Json
from lexgym.envs.procurement import names


def amount(rng: random.Random) -> int:
    """Return an amount in cents that somebody may ask about."""
    return rng.randint(1, 90) * rng.choice((1_000, 10_000, 100_000))


def purpose(rng: random.Random, kind: str = "any") -> str:
    """Return what a thing of a kind is requested for; by default something that fits all of them."""
    return f"{rng.choice(names.NEEDS[kind])} {rng.choice(names.OCCASIONS)}"


def iban(rng: random.Random) -> str:
    """Return a German IBAN with valid check digits."""
    account = "".join(str(rng.randrange(10)) for _ in range(18))
    return f"DE{98 - int(account + '131400') % 97:02d}{account}"


POOLS: Mapping[str, Callable[[random.Random], Json]] = {
    "amount": amount,
    "percent": lambda rng: rng.choice((rng.randint(2, 10), rng.randint(4, 25))),
    "purpose": purpose,
    "quantity": lambda rng: rng.choice((1, 1, 1, 2, 2, 3)),
    "subject": lambda rng: f"{rng.choice(('ORD', 'REF', 'PMT', 'RCP'))}-{rng.randint(1, 9):06d}",
}
"""What the fuzzer draws free arguments from, by the name in a parameter's `Pool`."""
