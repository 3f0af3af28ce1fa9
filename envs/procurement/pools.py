"""Values for the free parameters of the tools, as people in the departments would say them."""

import random
from collections.abc import Callable, Mapping

from lexgym.core import Json
from lexgym.envs.procurement import names


def amount(rng: random.Random) -> int:
    """Return the price in cents of a quotation that comes in, for equipment of a few thousand euros."""
    return _rounded(rng, rng.choice((rng.randint(1010, 4000), rng.randint(1800, 9900))))


def price(rng: random.Random, item: str, quantity: int) -> int:
    """Return a price in cents near the one that so many pieces of an item usually cost."""
    return _rounded(rng, max(5, names.price(item) * quantity * rng.randint(88, 116) // 100))


def _rounded(rng: random.Random, euros: int) -> int:
    return euros * 100 if rng.random() < 0.6 else euros * 100 - rng.choice((1, 5, 10, 20, 50))


def addition(rng: random.Random) -> int:
    """Return what an order rises by, in cents."""
    return rng.choice((rng.randint(8, 90), rng.randint(40, 480), rng.randint(300, 2500))) * 100


def emergency_amount(rng: random.Random) -> int:
    """Return the price of an emergency purchase in cents; one in eighteen is above the ceiling."""
    hundreds = rng.choices((rng.randint(15, 60), rng.randint(30, 95), rng.randint(252, 290)), (10, 7, 1))[0]
    return hundreds * 10_000 - rng.choice((0, 0, 100))


def purpose(rng: random.Random, kind: str = "any") -> str:
    """Return what a thing of a kind is requested for; by default something that fits all of them."""
    return f"{rng.choice(names.NEEDS[kind])} {rng.choice(names.OCCASIONS)}"


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
    "quantity": lambda rng: rng.choice((1, 1, 1, 2, 2, 2, 3, 3, 4, 5)),
    "subject": lambda rng: f"{rng.choice(('ORD', 'REF', 'PMT', 'RCP'))}-{rng.randint(1, 9):06d}",
}
"""What the fuzzer draws free arguments from, by the name in a parameter's `Pool`."""
