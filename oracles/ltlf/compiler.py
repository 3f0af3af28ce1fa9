"""Formula → minimal automaton over plain names.

    >>> dfa = compile("G(a -> F b)")
    >>> dfa.accepts([{"a"}, set(), {"b"}]), len(dfa)
    (True, 2)

The Boolean parts are built apart, minimised and composed; the temporal parts by progression.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from lexgym.errors import FormulaError, StateLimitExceeded
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.automaton import DFA, RV, combine, complement, finish
from lexgym.oracles.ltlf.parser import parse
from lexgym.oracles.ltlf.progression import Table, progress
from lexgym.oracles.ltlf.syntax import Atom, Formula

MAX_STATES = 5_000
MAX_LETTERS = 4_096

Events: TypeAlias = Literal["single", "multi"]


def build(formula: Formula, bits: dict[Atom, int], letters: Sequence[int], limit: int = MAX_STATES) -> DFA:
    """Build the minimal automaton over letters, each the atoms true in it as bits.

    Raises StateLimitExceeded beyond `limit` states before minimisation.
    """
    return finish(_build(formula, bits, letters, limit, 0))


def _build(formula: Formula, bits: dict[Atom, int], letters: Sequence[int], limit: int, depth: int) -> Table:
    def part(inner: Formula) -> Table:
        return _build(inner, bits, letters, limit, depth + 1)

    match formula:
        case s.Not(body) if depth < 20:
            return complement(part(body))
        case s.And(parts) if depth < 20 and _worth_splitting(parts):
            return combine([part(p) for p in parts], lambda a, b: a and b, limit)
        case s.Or(parts) if depth < 20 and _worth_splitting(parts):
            return combine([part(p) for p in parts], lambda a, b: a or b, limit)
        case s.Implies(left, right) if depth < 20 and _worth_splitting((left, right)):
            return combine([complement(part(left)), part(right)], lambda a, b: a or b, limit)
        case s.Iff(left, right) if depth < 20 and _worth_splitting((left, right)):
            return combine([part(left), part(right)], lambda a, b: a == b, limit)
        case _:
            return progress(formula, bits, letters, limit)


def _worth_splitting(parts: tuple[Formula, ...]) -> bool:
    temporal = (s.Future, s.Past)
    return sum(any(isinstance(n, temporal) for n in s.postorder(part)) for part in parts) >= 2


@dataclass(frozen=True)
class Automaton:
    """The minimal automaton of a formula over plain names.

    With `events="single"` a step is one name at most, and any name that the formula does not
    mention is one more letter; with `"multi"` a step is any set of names.
    """

    formula: Formula
    events: Events
    dfa: DFA
    names: tuple[str, ...]
    letters: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.dfa)

    @cached_property
    def _bits(self) -> dict[str, int]:
        return {name: 1 << i for i, name in enumerate(self.names)}

    @cached_property
    def _columns(self) -> dict[int, int]:
        return {letter: column for column, letter in enumerate(self.letters)}

    def column(self, step: Collection[str]) -> int:
        """Return the number of the letter that a step is."""
        if isinstance(step, str):
            raise FormulaError(f"a step is a set of names, not the string {step!r}; write {{{step!r}}}")
        names = set(step)
        if self.events == "single" and len(names) > 1:
            raise FormulaError(f"one event a step, but this step has {sorted(names)}; use events='multi'")
        return self._columns[sum(self._bits.get(name, 0) for name in names)]

    def accepts(self, trace: Iterable[Collection[str]]) -> bool:
        """Return whether the formula holds on a trace."""
        state = 0
        for step in trace:
            state = self.dfa.rows[state][self.column(step)]
        return self.dfa.accepting[state]

    def monitor(self) -> "Monitor":
        """Return a monitor before its first event."""
        return Monitor(self)

    def word(self) -> list[frozenset[str]] | None:
        """Return a shortest trace on which the formula holds, or None if there is none."""
        word = self.dfa.word()
        return None if word is None else [self._step(self.letters[column]) for column in word]

    def _step(self, letter: int) -> frozenset[str]:
        return frozenset(name for name, bit in self._bits.items() if letter & bit)


class Monitor:
    """Reads a trace step by step and says the four-valued verdict."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._state = 0

    @property
    def verdict(self) -> RV:
        """The verdict on what was read so far."""
        return self._automaton.dfa.colours[self._state]

    def step(self, step: Collection[str]) -> RV:
        """Read one step and return the verdict after it."""
        self._state = self._automaton.dfa.rows[self._state][self._automaton.column(step)]
        return self.verdict


def compile(  # noqa: A001 - the name that everyone looks for
    formula: Formula | str,
    events: Events = "single",
    *,
    max_states: int = MAX_STATES,
    max_letters: int = MAX_LETTERS,
) -> Automaton:
    """Compile a formula over plain names.

    Raises FormulaError for guarded or quantified formulas, which need `compile_rule`, and
    StateLimitExceeded beyond the limits.
    """
    parsed = parse(formula) if isinstance(formula, str) else formula
    atoms = s.atoms_of(parsed)
    if isinstance(parsed, s.Forall) or any(atom.guard is not None for atom in atoms):
        raise FormulaError("guards and forall need events, not names: use compile_rule")
    bits = {atom: 1 << i for i, atom in enumerate(atoms)}
    letters = _letters(len(atoms), events, max_letters)
    dfa = build(parsed, bits, letters, max_states)
    return Automaton(parsed, events, dfa, tuple(atom.tool for atom in atoms), tuple(letters))


def _letters(names: int, events: Events, limit: int) -> list[int]:
    if events not in ("single", "multi"):
        raise FormulaError(f"events is 'single' or 'multi', not {events!r}")
    count = names + 1 if events == "single" else 1 << names
    if count > limit:
        raise StateLimitExceeded(f"{names} names make {count} letters with events={events!r}, the limit is {limit}")
    return [0, *(1 << i for i in range(names))] if events == "single" else list(range(count))


def counterexample(left: Formula | str, right: Formula | str, events: Events = "single") -> list[frozenset[str]] | None:
    """Return a shortest trace on which `left` holds and `right` does not, or None: left entails right."""
    one, two = (parse(f) if isinstance(f, str) else f for f in (left, right))
    return compile(s.And((one, s.Not(two))), events).word()


def entails(left: Formula | str, right: Formula | str, events: Events = "single") -> bool:
    """Whether every trace on which `left` holds satisfies `right`."""
    return counterexample(left, right, events) is None
