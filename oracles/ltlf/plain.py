"""An automaton over plain names, and a monitor that reads one step in a dictionary look-up.

>>> monitor = compile("G(a -> F b)").monitor()
>>> monitor.verdict.name, monitor.step({"a"}).name, monitor.step({"b"}).name
('CS', 'CV', 'CS')
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from lexgym.errors import FormulaError
from lexgym.oracles.ltlf.automaton import DFA, RV
from lexgym.oracles.ltlf.syntax import Formula

Events: TypeAlias = Literal["single", "multi"]

Step: TypeAlias = Collection[str]
"""The names that hold in one step, as a set."""

MAX_REMEMBERED = 256
"""Names that a state remembers the successor of, beside those that the formula mentions."""


_Node: TypeAlias = tuple[dict[str, Any], RV, int]
"""A state: a dictionary from an event's name to the next node, the verdict, and the state's number."""


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

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name in self.__dataclass_fields__}

    @cached_property
    def nodes(self) -> list[_Node]:
        """The states as look-up tables, which fill as they are used."""
        return [({}, colour, state) for state, colour in enumerate(self.dfa.colours)]

    def after(self, node: _Node, step: Step) -> _Node:
        """Return the node after a step, and remember it if the step is one event."""
        table, _, state = node
        target = self.nodes[self.dfa.rows[state][self.column(step)]]
        if len(step) == 1:
            (name,) = step
            if len(table) < MAX_REMEMBERED or name in self._bits:
                table[name] = target
        return target

    @cached_property
    def _bits(self) -> dict[str, int]:
        return {name: 1 << i for i, name in enumerate(self.names)}

    @cached_property
    def _columns(self) -> dict[int, int]:
        return {letter: column for column, letter in enumerate(self.letters)}

    def column(self, step: Step) -> int:
        """Return the number of the letter that a step is.

        Raises FormulaError for what is no set of names, and for two names in one single-event step.
        """
        names = names_of(step)
        if self.events == "single" and len(names) > 1:
            raise FormulaError(f"one event a step, but this step has {sorted(names)}; use events='multi'")
        return self._columns[sum(self._bits.get(name, 0) for name in names)]

    def accepts(self, trace: Iterable[Step]) -> bool:
        """Return whether the formula holds on a trace."""
        if isinstance(trace, str):
            raise FormulaError(f"a trace is a sequence of sets of names, not the string {trace!r}")
        monitor = self.monitor()
        for step in trace:
            monitor.step(step)
        return monitor.verdict in (RV.PS, RV.CS)

    def monitor(self) -> "Monitor":
        """Return a monitor before its first event."""
        return Monitor(self)

    def word(self) -> list[frozenset[str]] | None:
        """Return a shortest trace on which the formula holds, or None if there is none."""
        word = self.dfa.word()
        return None if word is None else [self._step(self.letters[column]) for column in word]

    def _step(self, letter: int) -> frozenset[str]:
        return frozenset(name for name, bit in self._bits.items() if letter & bit)


def names_of(step: Any) -> frozenset[str]:
    """Return a step over plain names as a set; raise FormulaError for what is none."""
    if isinstance(step, str):
        raise FormulaError(f"a step is a set of names, not the string {step!r}; write {{{step!r}}}")
    if isinstance(step, Mapping) or not isinstance(step, Collection):
        raise FormulaError(f"a step is a set of names, not {step!r}")
    names = frozenset(step)
    for name in names:
        if not isinstance(name, str):
            raise FormulaError(f"a step is a set of names, but this one holds {name!r}")
    return names


class Monitor:
    """Reads a trace step by step and says the four-valued verdict.

    `step(names)` reads one step, a set of names, and returns the verdict after it.
    """

    __slots__ = ("_place", "_state", "automaton", "step")

    step: Callable[[Step], RV]

    def __init__(self, automaton: Automaton, state: int = 0) -> None:
        self.automaton = automaton
        self.step, self._state, self._place = _stepper(automaton, automaton.nodes[state])

    @property
    def verdict(self) -> RV:
        """The verdict on what was read so far."""
        return self.automaton.dfa.colours[self._state()]

    def snapshot(self) -> int:
        """Return the state, a number."""
        return self._state()

    def restore(self, token: int) -> None:
        """Go back to where `snapshot` was taken; raise FormulaError for a number that is no state."""
        if not 0 <= token < len(self.automaton):
            raise FormulaError(f"the automaton has states 0 to {len(self.automaton) - 1}, not {token!r}")
        self._place(self.automaton.nodes[token])

    def fork(self) -> "Monitor":
        """Return an independent copy."""
        return Monitor(self.automaton, self.snapshot())

    def __reduce__(self) -> tuple[Any, ...]:
        return Monitor, (self.automaton, self.snapshot())


def _stepper(
    automaton: Automaton, start: _Node
) -> tuple[Callable[[Step], RV], Callable[[], int], Callable[[_Node], None]]:
    """Return a monitor's step, and how to read and set its state; a closure is the fastest that Python has."""
    table: dict[str, Any]
    verdict: RV
    state: int
    table, verdict, state = start

    def step(names: Step) -> RV:
        nonlocal table, verdict, state
        kind = type(names)
        if kind is set or kind is frozenset:
            try:
                (name,) = names
                table, verdict, state = table[name]
                return verdict
            except (KeyError, ValueError):
                pass  # not one name, or one not seen before
        table, verdict, state = automaton.after((table, verdict, state), names)
        return verdict

    def read() -> int:
        return state

    def place(node: _Node) -> None:
        nonlocal table, verdict, state
        table, verdict, state = node

    return step, read, place
