"""Values for the free parameters of the tools, as people in the departments would say them."""

import random
from collections.abc import Callable, Mapping

from lexgym.core import Json
from lexgym.envs.procurement import names


def amount(rng: random.Random) -> int:
    """Return a price in cents from one of the four value bands, the lower ones more often."""
    low, high = rng.choice(
        (
            (60, 240),
            (260, 990),
            (1010, 4000),
            (1010, 9900),
            (10_100, 30_000),
            (10_100, 48_000),
            (50_500, 140_000),
            (50_500, 90_000),
        )
    )
    euros = rng.randint(low, high)
    return euros * 100 if rng.random() < 0.6 else euros * 100 - rng.choice((1, 5, 10, 20, 50))


def addition(rng: random.Random) -> int:
    """Return what an order rises by, in cents."""
    return rng.choice((rng.randint(8, 90), rng.randint(40, 480), rng.randint(300, 2500))) * 100


def emergency_amount(rng: random.Random) -> int:
    """Return the price of an emergency purchase in cents; one in nine or so is above the ceiling."""
    return rng.choice((rng.randint(9, 90), rng.randint(20, 180), rng.randint(90, 280))) * 10_000 - rng.choice(
        (0, 0, 100)
    )


def purpose(rng: random.Random) -> str:
    """Return what a request is for."""
    return f"{rng.choice(names.NEEDS)} {rng.choice(names.OCCASIONS)}"


def iban(rng: random.Random) -> str:
    """Return a German IBAN with valid check digits."""
    account = "".join(str(rng.randrange(10)) for _ in range(18))
    return f"DE{98 - int(account + '131400') % 97:02d}{account}"


POOLS: Mapping[str, Callable[[random.Random], Json]] = {
    "addition": addition,
    "amount": amount,
    "days": lambda rng: rng.choice((14, 21, 30, 45, 60, 90)),
    "emergency_amount": emergency_amount,
    "purpose": purpose,
    "quantity": lambda rng: rng.choice((1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12, 20)),
    "subject": lambda rng: f"{rng.choice(('ORD', 'REF', 'PMT', 'RCP'))}-{rng.randint(1, 9):06d}",
}
"""What the fuzzer draws free arguments from, by the name in a parameter's `Pool`."""
