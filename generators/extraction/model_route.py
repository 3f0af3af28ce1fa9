"""The route with a model: it distils constraints and drafts formulas; the validator hands back what is wrong.

    candidates = ModelRoute(ask, "gpt-4o-mini").read(text, cards)

`ask(messages, schema)` returns the JSON that a model answered, or an empty text for anything else; it raises
where the outside world fails. How often anything is asked is bounded. What is longer than the model takes is asked in
halves: fewer sentences, fewer constraints, and in the end only the tools that fit a constraint best.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from lexgym.errors import ContextExceeded
from lexgym.generators.extraction import prompting
from lexgym.generators.extraction.candidates import Candidate, dropped
from lexgym.generators.extraction.document import Sentence, sentences
from lexgym.generators.extraction.grounding import Grounding, Role
from lexgym.generators.extraction.prompting import Constraint, Draft
from lexgym.generators.extraction.screening import faults
from lexgym.generators.extraction.toolset import Cards, signature_of
from lexgym.generators.extraction.words import stems
from lexgym.oracles.ltlf import Signature

Ask: TypeAlias = Callable[[list[dict[str, str]], Mapping[str, Any]], str]

CHUNK = 5_000
"""Characters of a section that are shown at once."""

BATCH = 8
"""Constraints that are formalised at once."""

REPAIRS = 2
"""How often formulas that cannot be used go back to the model."""

MAX_CONSTRAINTS = 40
"""Constraints that are taken from one chunk."""

MAX_FORMULAS = 4
"""Formulas that are taken for one constraint."""

FEWEST_TOOLS = 4
"""Tools that are shown for one constraint at least, where a model takes only short questions."""

NO_ANSWER = "the model gave no usable answer"
TOO_LONG = "longer than the model takes"


class ModelRoute:
    """Reads a regulation with the help of a model."""

    def __init__(self, ask: Ask, name: str = "model") -> None:
        self._ask, self._name = ask, name

    def read(self, text: str, cards: Cards, progress: Callable[[int, int], None] | None = None) -> list[Candidate]:
        """Return the candidates that the model finds, in the order of the text."""
        chunks = list(_chunks(sentences(text)))
        signature = signature_of(cards)
        found: list[Candidate] = []
        seen: set[str] = set()
        for done, chunk in enumerate(chunks, 1):
            fresh: list[Constraint] = []
            for part, constraints in self._parts(chunk):
                if isinstance(constraints, str):
                    found.append(dropped(part[0], constraints, f"m{part[0].number}-0", by=self._name))
                else:
                    fresh += [c for c in constraints if c.plain not in seen and not seen.add(c.plain)]  # type: ignore[func-returns-value]
            for start in range(0, len(fresh), BATCH):
                found += self._formalised(fresh[start : start + BATCH], cards, signature, len(found))
            if progress is not None:
                progress(done, len(chunks))
        return found

    def _parts(self, chunk: Sequence[Sentence]) -> Iterator[tuple[Sequence[Sentence], list[Constraint] | str]]:
        """Yield the constraints of a chunk, or why there are none; a chunk that is too long is asked in halves."""
        try:
            yield chunk, self._distilled(chunk)
        except ContextExceeded:
            if len(chunk) == 1:
                yield chunk, TOO_LONG
                return
            yield from self._parts(chunk[: len(chunk) // 2])
            yield from self._parts(chunk[len(chunk) // 2 :])

    def _distilled(self, chunk: Sequence[Sentence]) -> list[Constraint] | str:
        """Return the constraints in some sentences, or the reason where the model gives no usable answer."""
        entries = self._asked(prompting.distil(chunk), prompting.CONSTRAINTS_SCHEMA, "constraints")
        if entries is None:
            return NO_ANSWER
        by_number = {sentence.number: sentence for sentence in chunk}
        found = []
        for entry in entries[:MAX_CONSTRAINTS]:
            match entry:
                case {"constraint": str(text)} if _says(text) and text not in prompting.EXAMPLES:
                    number, kind = entry.get("sentence"), entry.get("kind")
                    sentence = by_number.get(number if isinstance(number, int) else -1) or _closest(text, chunk)
                    found.append(
                        Constraint(sentence, kind if kind in prompting.KINDS else "before", text.strip()[:600])
                    )
        return found if found or not entries else NO_ANSWER

    def _formalised(
        self, constraints: Sequence[Constraint], cards: Cards, signature: Signature, start: int
    ) -> list[Candidate]:
        """Return what became of some constraints; too long a question is asked with fewer of them, or fewer tools."""
        try:
            return list(self._drafted(constraints, cards, signature, start))
        except ContextExceeded:
            if len(constraints) > 1:
                half = len(constraints) // 2
                found = self._formalised(constraints[:half], cards, signature, start)
                return found + self._formalised(constraints[half:], cards, signature, start + half)
            if len(cards) > FEWEST_TOOLS:
                return self._formalised(constraints, _nearest(constraints[0], cards), signature, start)
            sentence = constraints[0].sentence
            return [dropped(sentence, TOO_LONG, f"m{sentence.number}-{start + 1}", by=self._name)]

    def _drafted(
        self, constraints: Sequence[Constraint], cards: Cards, signature: Signature, start: int
    ) -> Iterator[Candidate]:
        """Yield what became of some constraints: each has at least one candidate."""
        messages = first = prompting.draft(constraints, cards)
        schema = prompting.formulas_schema(cards)
        good: dict[int, dict[str, str]] = {}
        bad: dict[int, tuple[Draft, str]] = {}
        scope: dict[int, str] = {}
        for turn in range(REPAIRS + 1):
            try:
                entries = self._asked(messages, schema, "formulas")
            except ContextExceeded:
                if not turn:
                    raise
                break
            if entries is None:
                break
            tried = _formulas(entries, len(constraints), scope)
            for draft in tried:
                fault = faults(draft.formula, signature) or _alone(draft.formula, cards)
                if not fault:
                    bad.pop(draft.number, None)
                    own = good.setdefault(draft.number, {})
                    if len(own) < MAX_FORMULAS:
                        own.setdefault(draft.formula, draft.template)
                elif draft.number not in good:
                    bad[draft.number] = (draft, fault)
            if not bad or turn == REPAIRS:
                break
            messages = prompting.repair(first, [bad[n] for n in sorted(bad)])
        for number, constraint in enumerate(constraints, 1):
            yield from self._candidates(number, constraint, good, bad, scope, start)

    def _candidates(
        self,
        number: int,
        constraint: Constraint,
        good: dict[int, dict[str, str]],
        bad: dict[int, tuple[Draft, str]],
        scope: dict[int, str],
        start: int,
    ) -> Iterator[Candidate]:
        sentence, name = constraint.sentence, f"m{constraint.sentence.number}-{start + number}"
        for place, (formula, template) in enumerate(good.get(number, {}).items(), 1):
            own = name if place == 1 else f"{name}-{place}"
            yield Candidate(
                own,
                formula,
                constraint.text,
                sentence.line,
                sentence.section,
                sentence.citation,
                template,
                by=self._name,
            )
        if number in good:
            return
        if number in bad:
            draft, fault = bad[number]
            yield dropped(sentence, fault, name, draft.formula, by=self._name)
        else:
            why = f"no tool does it: {scope[number]}" if number in scope else NO_ANSWER
            yield dropped(sentence, why, name, by=self._name)

    def _asked(self, messages: list[dict[str, str]], schema: Mapping[str, Any], key: str) -> list[Any] | None:
        """Return the list that a model answers under a key; it is asked once more where there is none."""
        for conversation in (messages, prompting.again(messages)):
            try:
                answer = json.loads(self._ask(conversation, schema) or "null")
            except (ValueError, RecursionError):
                continue
            entries = answer.get(key) if isinstance(answer, dict) else None
            if isinstance(entries, list):
                return entries
        return None


def _alone(formula: str, cards: Cards) -> str:
    """Return what is wrong where a tool is its own check, an empty text otherwise."""
    named = [name for name in cards if re.search(rf"\b{re.escape(name)}\b", formula)]
    if len(named) == 1 and re.search(r"\bW\b", formula):
        return f"{named[0]!r} stands on both sides: the check before an act has to be another tool."
    return ""


def _says(text: str) -> bool:
    """Whether a text is more than a placeholder."""
    return any(character.isalpha() for character in text)


def _closest(text: str, chunk: Sequence[Sentence]) -> Sentence:
    """Return the sentence that has the most words of a text."""
    own = frozenset(stems(text))
    return max(chunk, key=lambda sentence: len(own.intersection(stems(sentence.whole))))


def _nearest(constraint: Constraint, cards: Cards) -> Cards:
    """Return half of the tools, those whose words fit a constraint best."""
    matches = Grounding(cards).ground(constraint.text, Role.FINDING, [constraint.sentence.whole])
    ranked = list(dict.fromkeys([*(match.tool for match in matches), *cards]))
    chosen = ranked[: max(FEWEST_TOOLS, len(cards) // 2)]
    return {name: card for name, card in cards.items() if name in chosen}


def _formulas(entries: Sequence[Any], count: int, scope: dict[int, str]) -> list[Draft]:
    """Return the formulas of an answer; fill in what is said to be out of scope."""
    found: list[Draft] = []
    for entry in entries[: count * MAX_FORMULAS]:
        match entry:
            case {"constraint": int(number), "formula": str(formula)} if 1 <= number <= count and _says(formula):
                template, tools = entry.get("template"), entry.get("tools")
                named = tuple(tool for tool in tools if isinstance(tool, str)) if isinstance(tools, list) else ()
                kind = template if template in prompting.TEMPLATES else "other"
                found.append(Draft(number, " ".join(formula.split()), kind, named[: prompting.MOST_TOOLS]))
            case {"constraint": int(number), "out_of_scope": str(why)} if 1 <= number <= count:
                scope.setdefault(number, why.strip()[:200] or "the model found none")
    return found


def _chunks(parts: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    """Yield the sentences section by section, long sections in pieces."""
    chunk: list[Sentence] = []
    size = 0
    for sentence in parts:
        if chunk and (sentence.section != chunk[0].section or size + len(sentence.whole) > CHUNK):
            yield chunk
            chunk, size = [], 0
        chunk.append(sentence)
        size += len(sentence.whole)
    if chunk:
        yield chunk
