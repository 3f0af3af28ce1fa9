"""What is sent instead of a field that a server will not have.

    >>> conceded({"max_tokens": 9}, "Unsupported parameter: 'max_tokens'; use 'max_completion_tokens' instead")
    'max_tokens'
    >>> fitted({"max_tokens": 9, "temperature": 0.0}, {"max_tokens"})
    {'temperature': 0.0, 'max_completion_tokens': 9}

Servers name the field in their refusal. What none of these is stays a refusal.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

OPTIONAL = ("max_tokens", "max_completion_tokens", "temperature", "seed")
"""Fields that a request can do without."""

_LENGTH = OPTIONAL[:2]


def conceded(body: Mapping[str, Any], reason: str) -> str | None:
    """Return the field of a rejected request that the reason names and that can be left out."""
    return next((name for name in OPTIONAL if name in body and re.search(rf"\b{name}\b", reason)), None)


def fitted(body: Mapping[str, Any], omitted: Collection[str]) -> dict[str, Any]:
    """Return a request without these fields; the limit of length is first sent under its other name."""
    kept = {name: value for name, value in body.items() if name not in omitted}
    if "max_tokens" in body and "max_tokens" in omitted and "max_completion_tokens" not in omitted:
        kept["max_completion_tokens"] = body["max_tokens"]
    return kept


def unlimited(body: Mapping[str, Any], reason: str) -> dict[str, Any] | None:
    """Return a request that left no room for the answer that it allows, without that limit; None for any other."""
    if not any(name in body for name in _LENGTH) or not re.search(r"completion|max_tokens", reason):
        return None
    return {name: value for name, value in body.items() if name not in _LENGTH}
