"""Why a rule has the verdict that it has on a trace, and what would have satisfied it.

    >>> print(explain(compile("!((!check) U pay)"), [{"ask"}, {"pay"}])[0])
    violated for good at step 2 `pay`; shortest repair: insert `check` before step 2

One explanation for each slice, on the slice's own steps: a repair of one slice promises nothing about
the others, and makes the formula hold on the slice even where deleting all its events would end it.
Every repair is read by the automaton again before it is returned.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lexgym.core import Event, ToolCall
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.explanation.relevance import BLANK, Word, read, relevant, run, settled
from lexgym.oracles.ltlf.explanation.repair import Change, repair
from lexgym.oracles.ltlf.plain import Automaton
from lexgym.oracles.ltlf.planning import Plan, Wanted
from lexgym.oracles.ltlf.rule import Key, Letter, RuleAutomaton


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a trace; steps are those of the trace as it was, counted from 1.

    `step` is the one deleted or moved. `before` is the step before which something is inserted or to
    which it is moved; None is the end. `text` is the name of the event, or the letter wanted.
    """

    kind: Literal["insert", "delete", "move"]
    text: str
    step: int | None = None
    before: int | None = None
    wanted: Wanted | None = None

    def __str__(self) -> str:
        match self.kind:
            case "insert":
                return f"insert `{self.text}` {'at the end' if self.before is None else f'before step {self.before}'}"
            case "delete":
                return f"delete step {self.step} `{self.text}`"
            case "move":
                place = "to the end" if self.before is None else f"before step {self.before}"
                return f"move step {self.step} `{self.text}` {place}"


@dataclass(frozen=True, slots=True)
class Repair:
    """A smallest set of edits that satisfies a violated slice.

    `trace` is the whole trace repaired; None where an inserted event cannot be made up from what the
    rule says. `shortest` is false where the search stopped before fewer edits were proved impossible.
    """

    edits: tuple[Edit, ...]
    trace: tuple[Any, ...] | None
    shortest: bool

    def __str__(self) -> str:
        return f"{'shortest' if self.shortest else 'a'} repair: {' and '.join(map(str, self.edits))}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The verdict on one slice, and why.

    `permanent_at` is the earliest step after which the verdict was permanent (0: before the first; in
    a slice, not before its values were met), or None. `relevant` are the steps of a smallest set to
    which the verdict is due: were all others events that the rule does not name, the verdict would be
    the same at `permanent_at`, or at the end. `repair` is None when the rule holds, when nothing
    satisfies it, or when the question is too large. `event` names what happened at `permanent_at`.
    """

    verdict: RV
    binding: dict[str, Any]
    permanent_at: int | None
    relevant: tuple[int, ...]
    repair: Repair | None
    event: str | None = None

    def __str__(self) -> str:
        values = ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in self.binding.items())
        parts = [self._verdict()]
        if self.relevant not in ((), (self.permanent_at,)):
            parts.append(_steps(self.relevant))
        if self.repair is not None:
            parts.append(str(self.repair))
        return f"for {values}: {'; '.join(parts)}" if values else "; ".join(parts)

    def _verdict(self) -> str:
        said: str = self.verdict.value
        if self.event is not None:
            return f"{said} at step {self.permanent_at} `{self.event}`"
        match self.verdict:
            case RV.CS | RV.CV:
                return said
            case RV.PS:
                return f"{said}, whatever happens"
            case RV.PV:
                return f"{said}: nothing can satisfy it"


def explain(automaton: Automaton | RuleAutomaton, trace: Iterable[Any]) -> list[Explanation]:
    """Explain the verdict on a trace: of events for a rule, of sets of names for a plain automaton.

    One explanation, or one for each tuple of values met, in order; none when no tuple is met. Raises
    FormulaError for a step that the rule cannot read.
    """
    explainer = _Explainer(automaton, list(trace))
    if isinstance(automaton, Automaton) or not automaton.variables:
        return [explainer.explanation((), {})]
    return [explainer.explanation(key, automaton.binding(key)) for key in explainer.reading.bound]


class _Explainer:
    def __init__(self, automaton: Automaton | RuleAutomaton, trace: Sequence[Any]) -> None:
        self.automaton, self.dfa, self.trace = automaton, automaton.dfa, trace
        self.reading = read(automaton, trace)
        self._letters = {} if isinstance(automaton, Automaton) else _by_column(automaton)
        self._preferred = list(self._letters) or list(range(len(automaton.letters)))

    def explanation(self, key: Key, binding: dict[str, Any]) -> Explanation:
        word = self.reading.word(key)
        state = run(self.dfa, word.letters)[-1]
        after = settled(self.dfa, word.letters)
        permanent_at = None if after is None else max(word.begun, word.steps[after - 1] if after else 0)
        return Explanation(
            self.dfa.colours[state],
            binding,
            permanent_at,
            tuple(word.steps[i] for i in relevant(self.dfa, word.letters)),
            None if self.dfa.accepting[state] else self._repair(word),
            _name(self.trace[permanent_at - 1]) if permanent_at else None,
        )

    def _repair(self, word: Word) -> Repair | None:
        script = repair(self.dfa, word.letters, self._preferred)
        if script is None:
            return None
        changed = [self._edit(change, word) for change in script.changes]
        trace = None
        if all(item is not None for _, item in changed):
            trace = _edited(self.trace, changed)
            if read(self.automaton, trace).word(word.key).letters != script.word:
                raise AssertionError(f"the repaired trace {trace} is not the word {script.word}")
        return Repair(tuple(edit for edit, _ in changed), trace, script.shortest)

    def _edit(self, change: Change, word: Word) -> tuple[Edit, Any]:
        """Return the edit of the trace, and the step that it moves, deletes or inserts, if that can be made up."""
        before = word.steps[change.put] if change.put is not None and change.put < len(word.steps) else None
        if change.taken is None:
            text, wanted, item = self._inserted(change.letter, word.key)
            return Edit("insert", text, None, before, wanted), item
        step = word.steps[change.taken]
        item = self.trace[step - 1]
        return Edit("delete" if change.put is None else "move", _name(item), step, before), item

    def _inserted(self, letter: int, key: Key) -> tuple[str, Wanted | None, Any]:
        """Return a letter in words, the call that it asks for, and a step that is the letter, if one can be made up."""
        if isinstance(self.automaton, Automaton):
            mask = self.automaton.letters[letter]
            names = frozenset(name for i, name in enumerate(self.automaton.names) if mask >> i & 1)
            return " & ".join(sorted(names)) or "any other event", None, names
        wanted = Plan(self.automaton).wanted(self._letters[letter], key)
        other = "other"
        while other in self.automaton.readers:
            other += "_"
        event = Event.ok(ToolCall(wanted.tool or other, wanted.equalities), None)
        return wanted.text, wanted, event if wanted.matches(event) else None


def _by_column(automaton: RuleAutomaton) -> dict[int, Letter]:
    """Return a letter for each column, in the order in which to insert them: of calls that succeed first."""
    found: dict[int, Letter] = {}
    for letter in sorted(automaton.letters, key=lambda letter: (letter.column != BLANK, not letter.ok)):
        found.setdefault(letter.column, letter)
    return found


def _edited(trace: Sequence[Any], changed: list[tuple[Edit, Any]]) -> tuple[Any, ...]:
    """Return a trace with edits made, all places being those of the trace as it was."""
    gone = {edit.step for edit, _ in changed}
    put: dict[int | None, list[Any]] = {}
    for edit, item in changed:
        if edit.kind != "delete":
            put.setdefault(edit.before, []).append(item)
    new: list[Any] = []
    for step, item in enumerate(trace, 1):
        new += put.get(step, [])
        new += [] if step in gone else [item]
    return (*new, *put.get(None, []))


def _name(step: Any) -> str:
    return step.name if isinstance(step, Event) else " & ".join(sorted(step)) or "nothing"


def _steps(steps: tuple[int, ...]) -> str:
    if len(steps) == 1:
        return f"step {steps[0]} matters"
    return f"steps {', '.join(map(str, steps[:-1]))} and {steps[-1]} matter"
