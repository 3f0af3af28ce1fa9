"""Values for the free parameters of the tools, as customers of the bank would say them."""

import random
from collections.abc import Callable, Mapping

from lexgym.core import Json
from lexgym.envs.finance.iban import foreign_iban
from lexgym.envs.finance.names import (
    COMPANIES,
    FIRST_NAMES,
    LAST_NAMES,
    LEGAL_FORMS,
    MAIL_DOMAINS,
    NICKNAMES,
    REFERENCES,
    ascii_name,
    company,
)


def amount(rng: random.Random) -> int:
    """Return a payment in cents: small, everyday and large amounts, often round ones."""
    low, high = rng.choice(((4, 30), (12, 30), (31, 120), (31, 250), (100, 600), (300, 1500), (900, 2500)))
    euros = rng.randint(low, high)
    if euros > 30 and rng.random() < 0.4:
        return -(-euros // 10) * 1000
    return euros * 100 if rng.random() < 0.5 else euros * 100 - rng.choice((1, 5, 10, 50, 65, 77))


def payee_name(rng: random.Random) -> str:
    """Return the name of a company or a person."""
    if rng.random() < 0.6:
        return company(rng.choice(COMPANIES), rng.choice(LEGAL_FORMS))
    return person(rng)


def person(rng: random.Random) -> str:
    """Return a first and a last name."""
    return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"


def email(rng: random.Random) -> str:
    """Return an e-mail address that could be anybody's."""
    return f"{rng.choice(NICKNAMES)}.{rng.choice(NICKNAMES)}{rng.randint(1, 99)}@{rng.choice(MAIL_DOMAINS)}"


def email_of(rng: random.Random, name: str) -> str:
    """Return an e-mail address made from a person's name."""
    return f"{ascii_name(name)}{rng.randint(1, 99)}@{rng.choice(MAIL_DOMAINS)}"


def phone(rng: random.Random) -> str:
    """Return a phone number with country code."""
    return f"+{rng.choice((31, 32, 33, 34, 39, 43, 45, 46, 48, 49, 351, 353, 358))}{rng.randrange(10**8, 10**9)}"


POOLS: Mapping[str, Callable[[random.Random], Json]] = {
    "amount": amount,
    "card_limit": lambda rng: rng.choice((300, 500, 750, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000)) * 100,
    "consent_days": lambda rng: rng.choice((30, 60, 90, 120, 180)),
    "day": lambda rng: rng.randint(1, 28),
    "email": email,
    "last_name": lambda rng: rng.choice(LAST_NAMES),
    "payee_iban": foreign_iban,
    "payee_name": payee_name,
    "phone": phone,
    "reference": lambda rng: rng.choice(REFERENCES),
    "subject": lambda rng: f"{rng.choice(('PAY', 'CRD', 'BEN', 'STO'))}-{rng.randint(1, 6):06d}",
}
"""What the fuzzer draws free arguments from, by the name in a parameter's `Pool`."""
