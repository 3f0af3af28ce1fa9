"""Phrases → tools: which tool does what a phrase says.

    ground("move money out of it", Role.ACTION)   →   [Match("transfer_between_own_accounts", 0.61), …]

A tool is a bag of stems, weighted by where they stand (name, description, arguments, listed values)
and by how few tools have them (TF-IDF). The score joins how much of the tool's name the phrase says
with how much of the phrase the tool says; both are between 0 and 1.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from lexgym.generators.extraction.toolset import Card, Cards, words_of
from lexgym.generators.extraction.words import listed, stem, stem_set, stems

REFUSING = stem("refuse")
"""The stem that all verbs of refusal share."""

CHECKING = stem("check")
"""The stem that all verbs of finding out share; every check has it, so that it tells little."""

THRESHOLD = 0.34
"""Least score at which a phrase is taken to mean a tool."""

COMMON = 0.2
"""Share of the tools at which a word that they have tells nothing by itself."""

NAME = 4.0
"""Weight that a name has at least, so that one common word does not say all of a short name."""

CONTEXT = 0.25
"""Weight of a word that stands near the phrase and not in it."""


READING = listed("list get read find show view search look fetch lookup browse")
"""Verbs of tools that only read something."""

_READS = stem_set("read view see list look search open display show looking reading learn")

LOOKING = stem_set("check verify measure examine inspect look test analyse assess compare say")
"""Verbs of tools that only look at something."""


_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|be|being)\s+(?:\w+ly\s+)?(\w+)", re.IGNORECASE)


_ANYBODY = stem_set("someone somebody anyone anybody anything everything something everyone everybody new more")
"""Words that name nothing."""


class Role(Enum):
    """What the phrase is in its sentence."""

    ACTION = auto()
    CHECK = auto()
    RESPONSE = auto()
    FINDING = auto()


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
        self._names = {name: stem_set(name) for name in cards}
        self._own_verbs = {name: _verbs(card) for name, card in cards.items()}
        seen = Counter(word for bag in self._bags.values() for word in bag)
        self._idf = {word: math.log((len(cards) + 1) / (count + 0.5)) + 0.1 for word, count in seen.items()}
        self._idf[CHECKING] = min(0.2, self._idf.get(CHECKING, 0.2))
        self.verbs = frozenset(verb for verbs in self._own_verbs.values() for verb in verbs)
        """The stems that the tools' names and descriptions begin with, which are verbs."""

    def verbs_of(self, tool: str) -> frozenset[str]:
        """Return the stems that a tool's name and description begin with."""
        return self._own_verbs[tool]

    def known(self, phrase: str) -> list[str]:
        """Return the stems of a phrase that tell one tool from another."""
        return [word for word in stems(phrase) if word in self._idf and word != CHECKING]

    def ground(self, phrase: str, role: Role, context: Iterable[str] = (), weight: float = CONTEXT) -> list[Match]:
        """Return the tools that a phrase may mean, best first; words of the context count less, by `weight`."""
        own = [word for word in stems(phrase) if word in self._idf]
        if not self.known(phrase) and not any(map(self.known, context := list(context))):
            return []
        weights = {word: weight for near in context for word in stems(near) if word in self._idf}
        weights.update((word, 1.0) for word in own)
        verb = self._passive(phrase) or (own[0] if own and own[0] in self.verbs else None)
        found = [
            Match(name, self._score(name, weights) * _fit(card, role, own) * self._sense(name, verb, own))
            for name, card in self.cards.items()
        ]
        return sorted((m for m in found if m.score > 0), key=lambda m: (-m.score, m.tool))

    def _passive(self, phrase: str) -> str | None:
        """Return the verb of a clause in the passive (`payment is withheld`), if tools are named by it."""
        found = _PASSIVE.findall(phrase)
        verbs = [verb for word in found for verb in stems(word)[:1] if verb in self.verbs]
        return verbs[-1] if verbs else None

    def weak(self, phrase: str, tool: str) -> bool:
        """Whether a phrase shares no more with a tool than one word, which is not what either says.

        The word is one that many tools have, or it is the verb alone where a thing is named that no tool knows.
        """
        own = list(dict.fromkeys(word for word in stems(phrase) if word != CHECKING and word not in _ANYBODY))
        said = [word for word in own if word in self._bags[tool]]
        if len(own) < 2 or len(said) != 1:
            return False
        common = sum(said[0] in bag for bag in self._bags.values()) > max(2, COMMON * len(self.cards))
        named = self._names[tool] - {CHECKING}
        return common or (len(named) > 1 and said[0] in self._own_verbs[tool])

    def alike(self, phrase: str, best: str) -> list[str]:
        """Return further tools that a phrase means as much as the best one: it names what all of them do.

        So "decline a request" means every tool that declines some kind of request; a phrase that says all of the
        best tool's name means that tool only.
        """
        own = frozenset(word for word in stems(phrase) if word in self._idf)
        if len(own) < 2 or self._names[best] <= own:
            return []
        verb = next(iter(stems(best)), "")
        return [
            name
            for name, bag in self._bags.items()
            if name != best
            and next(iter(stems(name)), "") == verb
            and all(bag.get(word, 0.0) >= 1.0 for word in own)
            and not self._names[name] <= own
        ]

    def _score(self, name: str, weights: Mapping[str, float]) -> float:
        bag, own = self._bags[name], self._names[name]
        named = _share(((self._idf.get(word, 1.0), weights.get(word, 0.0)) for word in own), NAME)
        said = _share((weight * self._idf[word], bag.get(word, 0.0)) for word, weight in weights.items())
        return 0.45 * named + 0.55 * said

    def _sense(self, name: str, verb: str | None, own: Sequence[str]) -> float:
        """Return how well the verbs agree; a tool that refuses something is meant only where that is said."""
        factor = 1.0 if (REFUSING in self._names[name]) == (REFUSING in own) else 0.6
        if CHECKING in own[:2] and self._own_verbs[name] & LOOKING:
            factor *= 1.15
        if verb is not None and verb not in (REFUSING, CHECKING):
            factor *= 1.15 if verb in self._own_verbs[name] else 0.8
        return factor


def _verbs(card: Card) -> frozenset[str]:
    """Return the stems that name and description begin with."""
    return frozenset(found[0] for text in (card.name, card.description) if (found := stems(text)))


def _bag(card: Card) -> dict[str, float]:
    """Return the stems of a tool with the weight of the best place where each stands, at most 1."""
    bag: dict[str, float] = {}
    for text, weight in words_of(card):
        for word in stems(text):
            bag[word] = max(bag.get(word, 0.0), min(1.0, weight / 2))
    return bag


def _share(parts: Iterable[tuple[float, float]], least: float = 0.0) -> float:
    """Return the weighted mean of some values, whose weights count as `least` together where they are less."""
    pairs = list(parts)
    total = max(least, sum(weight for weight, _ in pairs))
    return sum(weight * value for weight, value in pairs) / total if total else 0.0


def reads(card: Card) -> bool:
    """Whether a tool only reads something."""
    return bool(
        {word.lower() for text in (card.name.replace("_", " "), card.description) for word in text.split()[:1]}
        & READING
    )


def _fit(card: Card, role: Role, own: Sequence[str]) -> float:
    """Return how well a tool of this shape can play a part: checks answer yes or no, acts change something."""
    match role:
        case Role.CHECK:
            return 1.0 if card.asks else 0.8 if card.flag else 0.45
        case Role.ACTION:
            return 0.65 if card.flag or (reads(card) and not _READS.intersection(own)) else 1.0
        case Role.RESPONSE | Role.FINDING:
            return 1.0
