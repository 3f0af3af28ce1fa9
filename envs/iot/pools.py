"""Values for the free parameters of the tools, as households would say them."""

import random
from collections.abc import Callable, Mapping

from lexgym.core import Json
from lexgym.envs.iot.names import FACTORY_PASSWORDS, HOST_DOMAINS, HOST_NAMES, PASS_WORDS, SURNAMES


def password(rng: random.Random) -> str:
    """Return a password that a household thinks of: one in five is a factory default."""
    if rng.random() < 0.2:
        return rng.choice(FACTORY_PASSWORDS)
    first, second = rng.sample(PASS_WORDS, 2)
    return f"{first.capitalize()}{rng.choice('-_.+')}{second}{rng.randint(10, 9999)}"


def host(rng: random.Random) -> str:
    """Return the name of a server."""
    return f"{rng.choice(HOST_NAMES)}{rng.randint(1, 40)}.{rng.choice(HOST_DOMAINS)}"


def hours(rng: random.Random) -> int:
    """Return how long a guest stays: an afternoon, a weekend, or weeks."""
    low, high = rng.choice(((2, 8), (9, 48), (49, 72), (73, 168), (169, 720)))
    return rng.randint(low, high)


def phone(rng: random.Random) -> str:
    """Return a phone number with country code."""
    return f"+{rng.choice((31, 32, 33, 34, 39, 43, 45, 46, 48, 49, 351, 353, 358))}{rng.randrange(10**8, 10**9)}"


POOLS: Mapping[str, Callable[[random.Random], Json]] = {
    "consent_days": lambda rng: rng.choice((30, 60, 90, 120, 180, 270, 365, 500, 730)),
    "host": host,
    "hours": hours,
    "minutes": lambda rng: rng.choice((15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 120, 150, 180, 240)),
    "oven_temperature": lambda rng: rng.randrange(60, 261, 5),
    "password": password,
    "room_temperature": lambda rng: rng.randint(12, 26),
    "subject": lambda rng: f"{rng.choice(('DEV', 'PRF', 'CNS'))}-{rng.randint(1, 20):06d}",
    "surname": lambda rng: rng.choice(SURNAMES),
    "vault_entry": lambda rng: f"KV-{rng.randrange(10**4):04d}",
}
"""What the fuzzer draws free arguments from, by the name in a parameter's `Pool`."""
