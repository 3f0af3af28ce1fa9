"""Lists of needs of which one is enough, as one norm.

A room is let only if one of the following holds:      Norm(PRECEDE, "A room is let", "the guest has paid",
- the guest has paid;                                        either=("the manager has agreed",))
- the manager has agreed.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from lexgym.generators.extraction.document import Sentence
from lexgym.generators.extraction.exemptions import Read
from lexgym.generators.extraction.norms import Kind, Norm

_ANY = re.compile(r"\b(?:one of|any of|either|at least one|any one)\b", re.IGNORECASE)
_OR = re.compile(r"[;,]?\s*\bor$", re.IGNORECASE)
_FOLLOWING = re.compile(
    r"^.*?\b(?:one of|any of|either of|at least one of) the (?:following|these)\b[^:]*:?|\bor$", re.IGNORECASE
)


def joined(read: Read) -> Read:
    """Return sentences with their norms, those of a list with `or` as one norm at its first item."""
    found: Read = []
    for _, group in groupby(enumerate(read), lambda pair: _key(pair[0], pair[1][0])):
        items = [item for _, item in group]
        found += _one(items) if len(items) > 1 and _alternatives([sentence for sentence, _ in items]) else items
    return found


def _key(place: int, sentence: Sentence) -> tuple[str, str, int]:
    return (sentence.lead, sentence.section, 0) if sentence.lead else ("", "", place + 1)


def _alternatives(items: list[Sentence]) -> bool:
    return _ANY.search(items[0].lead) is not None or _OR.search(items[-2].text) is not None


def _one(items: Read) -> Iterator[tuple[Sentence, list[Norm]]]:
    needs = [_FOLLOWING.sub(" ", norm.needs) for _, norms in items for norm in norms[:1] if norm.kind is Kind.PRECEDE]
    first, norms = items[0]
    if len(needs) < len(items):
        yield from items
        return
    yield first, [replace(norms[0], needs=needs[0], either=tuple(needs[1:]))]
    yield from ((sentence, []) for sentence, _ in items[1:])
