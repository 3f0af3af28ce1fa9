"""What a phrase says about one call of a tool, as guards of LTLf atoms.

a camera indoors                      result.placement = "indoors"
that it is not in stock               result.in_stock = false
"""

import re

from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import listed, stems

_NOT = listed(
    """no not nothing neither nor none never without nobody cannot can't isn't doesn't exceeded exceeds mismatch
    lacking declined declines refused failed withheld exhausted"""
)


def named_values(card: Card, phrase: str, skip: frozenset[str] = frozenset()) -> list[str]:
    """Return the guards on listed values that a phrase names in full."""
    said = set(stems(phrase))
    found = []
    for place in card.places:
        if place in skip or place.removeprefix("result.") in ("status", "outcome"):
            continue
        values = card.values(place)
        named = [
            value for value in values if (words := set(stems(value))) and words <= said and not _common(card, words)
        ]
        if named and len(named) < len(values):
            found.append(_among(place, named))
    return found


def _common(card: Card, words: set[str]) -> bool:
    """Whether a value says no more than the tool's name does."""
    return words <= set(stems(card.name))


def _among(place: str, values: list[str]) -> str:
    quoted = [f'"{value}"' for value in values]
    return f"{place} = {quoted[0]}" if len(quoted) == 1 else f"{place} in [{', '.join(quoted)}]"


def named_flags(card: Card, phrase: str, skip: frozenset[str] = frozenset()) -> list[str]:
    """Return the guards on booleans of the result whose names a phrase says, as said or as denied."""
    said = set(stems(phrase))
    found = []
    for flag in card.flags:
        words = set(stems(flag))
        if flag not in skip and words and words <= said and not _common(card, words):
            found.append(f"result.{flag}" if says(flag, phrase) is not False else f"result.{flag} = false")
    return found


def says(flag: str, phrase: str) -> bool | None:
    """Return whether a phrase says that a flag holds, or that it does not; None where it does not name it.

    >>> says("in_stock", "that it is not in stock"), says("listed", "the portal lists nothing"), says("cleared", "paid")
    (False, False, None)
    """
    words = re.findall(r"[\w'’-]+", phrase.lower())
    wanted = set(stems(flag))
    places = [place for place, word in enumerate(words) if wanted & set(stems(word))]
    if not places or not wanted <= set(stems(phrase)):
        return None
    near = [word for place in places for word in [*words[max(0, place - 4) : place], *words[place + 1 : place + 2]]]
    return not _NOT.intersection(near)


def asked(card: Card, name: str, text: str, least: float = 0.6) -> str | None:
    """Return the listed value of an argument that a text speaks of most, None where it speaks of none."""
    said = set(stems(text))
    scored = []
    for value in card.values(name):
        words = stems(value)
        share = sum(word in said for word in words) / len(words) if words else 0.0
        scored.append((share, len(words), value))
    best = max(scored, default=(0.0, 0, ""), key=lambda item: item[:2])
    tied = sum(item[:2] == best[:2] for item in scored) > 1
    return best[2] if best[0] >= least and not tied else None
