"""International bank account numbers with valid check digits (ISO 13616, modulus 97).

>>> iban("GB", "WEST12345698765432")
'GB82WEST12345698765432'
>>> is_iban("GB82WEST12345698765432")
True
"""

import random

_FORMS = {
    "AT": "16",
    "BE": "12",
    "DE": "18",
    "ES": "20",
    "FI": "14",
    "FR": "23",
    "IE": "AIBK14",
    "IT": "X22",
    "LT": "16",
    "NL": "INGB10",
    "PL": "24",
    "PT": "21",
    "SE": "20",
}
"""For each country the fixed letters and the number of digits of its national part."""

COUNTRIES = tuple(_FORMS)


def iban(country: str, national: str) -> str:
    """Return the IBAN with this national part."""
    return f"{country}{98 - _remainder(f'{national}{country}00'):02d}{national}"


def is_iban(text: str) -> bool:
    """Whether the check digits of an IBAN are right."""
    return _remainder(text[4:] + text[:4]) == 1


def own_iban(rng: random.Random) -> str:
    """Return the IBAN of a new account at this bank."""
    return iban("IE", f"LEXG990017{rng.randrange(10**8):08d}")


def foreign_iban(rng: random.Random) -> str:
    """Return the IBAN of an account at some other bank in Europe."""
    country = rng.choice(COUNTRIES)
    form = _FORMS[country]
    letters = form.rstrip("0123456789")
    digits = int(form[len(letters) :])
    return iban(country, f"{letters}{rng.randrange(10**digits):0{digits}d}")


def _remainder(text: str) -> int:
    return int("".join(str(int(character, 36)) for character in text)) % 97
