"""Regulation and tools → screened candidates, by either route.

extracted(text, cards, read_offline)    or    extracted(text, cards, ModelRoute(ask).read)
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lexgym.errors import ExtractionError
from lexgym.generators.extraction.candidates import Candidate
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.screening import Screening
from lexgym.generators.extraction.toolset import Cards
from lexgym.generators.extraction.words import listed

Progress: TypeAlias = Callable[[int, int], None]
Route: TypeAlias = Callable[[str, Cards, Progress | None], list[Candidate]]
"""Reads candidates out of a text."""

_ENGLISH = listed("the of to and a in is it for that be not or by with as on are this an has must may if which")
ENGLISH_SHARE = 0.12
"""Least share of the commonest English words at which a text counts as English."""

LIMIT = "the offline extractor reads English only; for other languages use --model"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read out of a text; `undecided` says in words which rules were not compared with which."""

    candidates: tuple[Candidate, ...]
    undecided: tuple[str, ...] = ()


def require_english(text: str) -> None:
    """Raise `ExtractionError` for a text that is not English, which the grammar cannot read."""
    words = re.findall(r"[^\W\d_]+", text[:200_000].lower())
    if not words:
        raise ExtractionError(f"no deontic sentence was found: there are no words in the text; {LIMIT}")
    share = sum(word in _ENGLISH for word in words) / len(words)
    if share < ENGLISH_SHARE and len(words) >= 12:
        raise ExtractionError(f"no deontic sentence was found: the text does not look English; {LIMIT}")


def extracted(
    text: str,
    cards: Cards,
    route: Route,
    reading: Progress | None = None,
    screening: Progress | None = None,
    memory: Memory | None = None,
) -> Extraction:
    """Return every candidate of a text, kept or dropped; raise `ExtractionError` where it demands nothing at all."""
    candidates = route(text, cards, reading)
    if not candidates:
        raise ExtractionError(
            "no deontic sentence was found (what must, may only or must not be done, or what comes before or after "
            f"what); {LIMIT}"
        )
    sieve = Screening(cards, memory)
    return Extraction(tuple(sieve.run(candidates, screening)), tuple(sieve.undecided))


def summary(candidates: Sequence[Candidate]) -> dict[str, int]:
    """Return how many candidates were kept, and how many dropped for each kind of reason."""
    counts = Counter("kept" if candidate.kept else _kind(candidate.why) for candidate in candidates)
    return dict(sorted(counts.items(), key=lambda item: (item[0] != "kept", -item[1], item[0])))


def _kind(why: str) -> str:
    for sign, kind in _KINDS:
        if sign in why:
            return kind
    return "names or forms that cannot be used"


_KINDS = (
    ("not read:", "not read"),
    ("no tool has the number", "a bound that no tool shows"),
    ("no tool does", "no tool does it"),
    ("shares no value", "shares no value with its check"),
    ("means is not said", "does not say which outcome is meant"),
    ("refers to is not said", "refers to other sentences"),
    ("would forbid every call", "would forbid a tool altogether"),
    ("same formula", "says the same as another"),
    ("demands the same", "says the same as another"),
    ("follows from", "follows from others"),
    ("kept together", "conflicts with others"),
    ("No trace that keeps", "conflicts with others"),
    ("never be called", "says nothing, or forbids everything"),
    ("Every trace", "says nothing, or forbids everything"),
    ("No trace", "says nothing, or forbids everything"),
    ("No call matches", "says nothing, or forbids everything"),
    ("no usable answer", "the model gave no usable answer"),
    ("rejected by", "rejected by a person"),
)
"""Signs of a reason for dropping, and what kind it is."""
