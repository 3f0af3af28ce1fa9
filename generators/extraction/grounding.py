"""Phrases → tools: which tool does what a phrase says.

    ground("move money out of it", Role.ACTION)   →   [Match("transfer_between_own_accounts", 0.61), …]

A tool is a bag of stems, weighted by where they stand (name, description, arguments, listed values)
and by how few tools have them (TF-IDF). The score joins how much of the tool's name the phrase says
with how much of the phrase the tool says; both are between 0 and 1.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from lexgym.generators.extraction.toolset import Card, Cards, words_of
from lexgym.generators.extraction.words import stem, stems

REFUSING = stem("refuse")
"""The stem that all verbs of refusal share."""

THRESHOLD = 0.34
"""Least score at which a phrase is taken to mean a tool."""

CONTEXT = 0.25
"""Weight of a word that stands near the phrase and not in it."""


class Role(Enum):
    """What the phrase is in its sentence."""

    ACTION = auto()
    CHECK = auto()
    RESPONSE = auto()


@dataclass(frozen=True, slots=True)
class Match:
    """A tool and how well a phrase fits it."""

    tool: str
    score: float


class Grounding:
    """Knows the words of a set of tools."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self._bags = {name: _bag(card) for name, card in cards.items()}
        self._names = {name: set(stems(name)) for name in cards}
        seen = Counter(stem for bag in self._bags.values() for stem in bag)
        self._idf = {stem: math.log((len(cards) + 1) / (count + 0.5)) + 0.1 for stem, count in seen.items()}
        self._own_verbs = {name: _verbs(card) for name, card in cards.items()}
        self._verbs = frozenset(verb for verbs in self._own_verbs.values() for verb in verbs)

    @property
    def verbs(self) -> frozenset[str]:
        """The stems that the tools' names and descriptions begin with, which are verbs."""
        return self._verbs

    def known(self, stem: str) -> bool:
        """Whether a word occurs in any tool."""
        return stem in self._idf

    def ground(self, phrase: str, role: Role, context: Iterable[str] = ()) -> list[Match]:
        """Return the tools that a phrase may mean, best first."""
        weights: dict[str, float] = {}
        for near in context:
            weights.update((stem, CONTEXT) for stem in stems(near) if self.known(stem))
        own = [stem for stem in stems(phrase) if self.known(stem)]
        weights.update((stem, 1.0) for stem in own)
        if not own:
            return []
        verb = own[0] if own[0] in self._verbs else None
        found = [
            Match(name, self._score(name, weights) * _fit(card, role) * self._sense(name, verb, own))
            for name, card in self.cards.items()
        ]
        return sorted((m for m in found if m.score > 0), key=lambda m: (-m.score, m.tool))

    def best(self, phrase: str, role: Role, context: Iterable[str] = ()) -> Match | None:
        """Return the tool that a phrase means, None where none fits."""
        found = self.ground(phrase, role, context)
        return found[0] if found and found[0].score >= THRESHOLD else None

    def _score(self, name: str, weights: Mapping[str, float]) -> float:
        bag, own = self._bags[name], self._names[name]
        named = _share((self._idf.get(stem, 1.0), weights.get(stem, 0.0)) for stem in own)
        said = _share((weight * self._idf[stem], bag.get(stem, 0.0)) for stem, weight in weights.items())
        return 0.45 * named + 0.55 * said

    def _sense(self, name: str, verb: str | None, own: Sequence[str]) -> float:
        """Return how well the verbs agree; a tool that refuses something is meant only where that is said."""
        factor = 1.0 if (REFUSING in self._names[name]) == (REFUSING in own) else 0.6
        if verb is not None and verb != REFUSING:
            factor *= 1.15 if verb in self._own_verbs[name] else 0.8
        return factor

    def likeness(self, text: str, other: Sequence[str]) -> float:
        """Return how much of a short text's words are among some stems, weighted by rarity."""
        return _share((self._idf.get(stem, 1.0), float(stem in other)) for stem in set(stems(text)))


def _verbs(card: Card) -> frozenset[str]:
    """Return the stems that name and description begin with."""
    return frozenset(found[0] for text in (card.name, card.description) if (found := stems(text)))


def _bag(card: Card) -> dict[str, float]:
    """Return the stems of a tool with the weight of the best place where each stands, at most 1."""
    bag: dict[str, float] = {}
    for text, weight in words_of(card):
        for stem in stems(text):
            bag[stem] = max(bag.get(stem, 0.0), min(1.0, weight / 2))
    return bag


def _share(parts: Iterable[tuple[float, float]]) -> float:
    """Return the weighted mean of some values."""
    pairs = list(parts)
    total = sum(weight for weight, _ in pairs)
    return sum(weight * value for weight, value in pairs) / total if total else 0.0


def _fit(card: Card, role: Role) -> float:
    """Return how well a tool of this shape can play a part: checks answer yes or no."""
    match role:
        case Role.CHECK:
            return 1.0 if card.flag else 0.55
        case Role.ACTION:
            return 0.8 if card.flag else 1.0
        case Role.RESPONSE:
            return 1.0
