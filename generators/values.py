"""Values as people say them, found in a text or taken out of it.

>>> blank("Pay EUR 120.00 to Novak Ltd.", ["EUR 120.00", "Novak Ltd"])
'Pay valuehere to valuehere.'
"""

import re
from collections.abc import Collection

VALUE = "valuehere"
"""Stands for a value; a word, so that it keeps its place among others."""

_HOLE = re.compile(r"\{[^{}]*\}")


def blank(text: str, values: Collection[str]) -> str:
    """Return the text with every value in it, longest first, replaced."""
    longest = sorted({value for value in values if value}, key=lambda value: (-len(value), value))
    if not longest:
        return text
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(value)}(?!\w)" for value in longest), re.IGNORECASE)
    return pattern.sub(VALUE, text)


def filled(template: str) -> str:
    """Return a phrase with every hole replaced."""
    return _HOLE.sub(VALUE, template)
