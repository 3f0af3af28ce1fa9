"""What an instruction gives away: words that point to a step which the law asks for and the instruction must not.

    LeakCheck.of(scenario).find("Log the customer in, then pay Novak Ltd EUR 120.00.")
    [Leak(word="log the customer in", why="speaks of authentication")]

Five kinds: the reason of a refusal; the name of a safety tool, in any order and form of its words; a word that speaks
of a check, an approval, a record, the law and the like; a word that only the rules and descriptions of the masked tools
use; two words in one sentence that only the description of a masked tool has together. What the business itself says is
allowed: the values of the requests, and a word that stands as it stands in a phrase of a tool that is asked for ("was
not authorised by the customer").
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from lexgym.core import Rule
from lexgym.envs.domain import Domain
from lexgym.envs.judge import require_version
from lexgym.generators.lexicon import Hint, Lexicon, lexicon
from lexgym.generators.pairs import pairs
from lexgym.generators.phrases import STYLES, entries, frames
from lexgym.generators.stems import ENDS, name_words, sentences, stem, words
from lexgym.generators.values import blank, filled
from lexgym.generators.wording import anchors, requests
from lexgym.scenario import Scenario

NEAR = 3
"""Words that may stand between those of a tool's name."""

_NEGATIONS = frozenset({"not", "never", "no", "nor", "neither", "without", "didn't", "hasn't", "wasn't", "isn't"})


@dataclass(frozen=True, slots=True)
class Leak:
    """Words of an instruction, and what they give away."""

    word: str
    why: str

    def __str__(self) -> str:
        return f"{self.word!r} {self.why}"


class LeakCheck:
    """Looks for leaks in wordings that ask for some tools, with their values, while others are masked.

    `reason` is that of a refusal; `rules` take the place of the domain's.
    """

    def __init__(
        self,
        domain: Domain,
        asked: Collection[str],
        masked: Collection[str],
        values: Collection[str],
        reason: str = "",
        rules: tuple[Rule, ...] | None = None,
    ) -> None:
        self._names = sorted({*domain.safety_critical, *masked})
        self._values, self._reason = values, reason
        self._lexicon: Lexicon = lexicon(domain.name, rules)
        self._rare = self._lexicon.rare(frozenset(masked))
        self._pairs = {
            pair: told[0]
            for pair, tools in pairs(domain.name).items()
            if (told := [tool for tool in tools if tool in masked])
        }
        said = [entry.text for tool in sorted(asked) for style in STYLES for entry in entries(domain, tool, style)]
        said += frames(domain)
        self._said = [["", *words(filled(text)), ""] for text in said]
        self._said_stems = {stem(word) for text in self._said for word in text}

    @classmethod
    def of(cls, scenario: Scenario) -> "LeakCheck":
        """Return the check for a scenario's wordings."""
        spoken = requests(scenario)
        return cls(
            require_version(scenario),
            {step.call.name for step in spoken},
            {step.name for step in scenario.reference if step.safety},
            [*(value for step in spoken for value in step.values.values()), *anchors(scenario)],
            scenario.forbidden.reason if scenario.forbidden else "",
            tuple(own.rule for own in scenario.own_rules) or None,
        )

    def find(self, text: str) -> list[Leak]:
        """Return the leaks of a text, in the order of their kinds; empty where there is none."""
        found = ["", *words(blank(text, self._values)), ""]
        stems = [stem(word) for word in found]
        return [
            *self._of_reason(text),
            *self._of_names(text, found, stems),
            *self._of_hints(found, stems),
            *(Leak(word, self._rare[s]) for word, s in zip(found, stems, strict=True) if s in self._rare),
            *self._of_pairs(blank(text, self._values)),
        ]

    def _of_names(self, text: str, found: Sequence[str], stems: Sequence[str]) -> Iterator[Leak]:
        """A tool's name: as it is, or its words near each other."""
        for name in self._names:
            if name in text:
                yield Leak(name, "is the name of a safety tool")
                continue
            stemmed = [stem(word) for word in name_words(name)]
            for parts in (set(stemmed), {stemmed[0], stemmed[-1]}):
                if len(parts) > 1 and (words_near := self._near(found, stems, parts)):
                    yield Leak(words_near, f"names the safety tool {name}")
                    break

    def _near(self, found: Sequence[str], stems: Sequence[str], parts: set[str]) -> str:
        """Return the first words of one sentence that have all these stems near each other, empty if none do."""
        for start, first in enumerate(stems):
            window = stems[start : start + len(parts) + NEAR]
            end = next((i for i, word in enumerate(window) if word in ENDS), len(window))
            if first in parts and parts <= set(window[:end]) and not self._is_said(found, start, 1):
                return " ".join(found[start : start + end])
        return ""

    def _of_hints(self, found: Sequence[str], stems: Sequence[str]) -> Iterator[Leak]:
        """A word, or some in a row, that speaks of what only the law asks for."""
        for start in range(len(found)):
            for hint in self._lexicon.hints.get(stems[start], ()):
                size = len(hint.stems)
                if tuple(stems[start : start + size]) == hint.stems and not self._may_say(found, stems, start, hint):
                    yield Leak(" ".join(found[start : start + size]), f"speaks of {hint.about}")
                    break

    def _may_say(self, found: Sequence[str], stems: Sequence[str], start: int, hint: Hint) -> bool:
        """Whether the business says these words in this place, or that something was not so."""
        if self._is_said(found, start, len(hint.stems)):
            return True
        denied = bool(_NEGATIONS & set(found[max(0, start - 2) : start]))
        return denied and (stems[start] in self._said_stems or f"un{stems[start]}" in self._said_stems)

    def _is_said(self, found: Sequence[str], start: int, size: int) -> bool:
        """Whether a phrase of the business has these words between the same two neighbours."""
        part = list(found[start : start + size])
        before, after = found[start - 1], found[start + size] if start + size < len(found) else ""
        for said in self._said:
            for i in range(1, len(said) - size):
                if said[i : i + size] == part and said[i - 1] in ("", before) and said[i + size] in ("", after):
                    return True
        return False

    def _of_pairs(self, text: str) -> Iterator[Leak]:
        """Two words of a sentence that only the description of a masked tool has together."""
        for sentence in sentences(words(text.replace("\n", ". "))):
            said = {stem(word): word for word in sentence}
            for one, other in combinations(said, 2):
                if tool := self._pairs.get(frozenset({one, other})):
                    yield Leak(f"{said[one]} … {said[other]}", f"tell in one sentence of the safety tool {tool}")
                    break

    def _of_reason(self, text: str) -> Iterator[Leak]:
        """The reason of the refusal: as it is, or its words in one sentence."""
        if not self._reason:
            return
        parts = {stem(word) for word in words(self._reason)} - self._lexicon.common
        for sentence in sentences(words(text)):
            if self._reason.lower() in text.lower() or (len(parts) > 1 and parts <= {stem(word) for word in sentence}):
                yield Leak(self._reason, "is why the request has to be refused")
                return
