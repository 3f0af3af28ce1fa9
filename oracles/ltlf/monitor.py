"""A rule's state while events come in.

    monitor = compile_rule("G(open -> F close)").monitor()
    monitor.step(event)            # RV.CV after `open`
    monitor.open                   # [({}, 3)]: what step 3 began is not finished

A rule without variables has one slice. One with `forall` has a slice per tuple met, and one state
"no tuple yet" from which slices begin. The verdict of a sliced rule is the worst of its slices;
verdicts are per slice, so a conflict *between* slices is noticed when one of them breaks.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from lexgym.core import Event
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.planning import Plan, Wanted, forbidden_tools
from lexgym.oracles.ltlf.rule import Key, RuleAutomaton

Snapshot = Hashable


@dataclass(frozen=True, slots=True)
class Slice:
    """One slice: its values, its state, and the step of the event that brought it there."""

    key: Key
    state: int
    since: int


class RuleMonitor(ABC):
    """What both kinds of monitor answer. `verdict` is the verdict on what was read so far."""

    verdict: RV

    def __init__(self, automaton: RuleAutomaton) -> None:
        self.automaton = automaton

    @abstractmethod
    def step(self, event: Event) -> RV:
        """Read one event and return the verdict after it."""

    @abstractmethod
    def peek(self, event: Event) -> RV:
        """Return the verdict if the event happened, without reading it."""

    @abstractmethod
    def fork(self) -> "RuleMonitor":
        """Return an independent copy."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Return a hashable token of the state."""

    @abstractmethod
    def restore(self, token: Any) -> None:
        """Go back to where `snapshot` was taken."""

    @abstractmethod
    def slices(self) -> Iterator[Slice]:
        """Yield the slices met so far."""

    @abstractmethod
    def moves(self, event: Event) -> list[tuple[Slice, int]]:
        """Return the slices (new ones too) in which an event is a step, each with its letter."""

    @property
    @abstractmethod
    def fresh(self) -> int | None:
        """The state from which a new slice would begin, None when there are no variables."""

    @property
    def satisfied(self) -> bool:
        """Whether the rule holds if the trace ends now."""
        return self.verdict in (RV.PS, RV.CS)

    @property
    def distance(self) -> int | None:
        """A lower bound on the further events until every slice accepts; None when that is impossible.

        Exact without variables, and where each event moves one slice at most.
        """
        table = self.automaton.dfa.distance
        total = 0
        for part in self.slices():
            left = table[part.state]
            if left is None:
                return None
            total = total + left if self.automaton.independent else max(total, left)
        return total

    @property
    def forbidden(self) -> frozenset[str]:
        """The tools of which every successful call would violate the rule for good now.

        A call is taken to give the arguments that the rule reads. Empty once the rule is lost.
        """
        states = frozenset(part.state for part in self.slices())
        cache = self.automaton.forbidden_cache
        key = (self.fresh, states)
        if key not in cache:
            cache[key] = forbidden_tools(self.automaton, self.fresh, states)
        return cache[key]

    @property
    def violated(self) -> list[tuple[dict[str, Any], int]]:
        """The slices violated for good, each with the step that did it."""
        return self._coloured(RV.PV)

    @property
    def open(self) -> list[tuple[dict[str, Any], int]]:
        """The slices violated so far but not for good, each with the step that brought it there."""
        return self._coloured(RV.CV)

    def _coloured(self, colour: RV) -> list[tuple[dict[str, Any], int]]:
        colours = self.automaton.dfa.colours
        return [
            (self.automaton.binding(part.key), part.since) for part in self.slices() if colours[part.state] is colour
        ]

    def discharge(self) -> list[Wanted]:
        """Return, for each open slice, the first letter of each shortest way to acceptance."""
        plan = Plan(self.automaton)
        colours = self.automaton.dfa.colours
        return [
            wanted
            for part in self.slices()
            if colours[part.state] is RV.CV
            for wanted in plan.first_letters(part.key, part.state)
        ]

    def enable(self, event: Event) -> list[list[Wanted]]:
        """Return shortest sequences of letters after which the event no longer violates for good.

        Empty when it does not violate now, or when nothing helps.
        """
        if self.peek(event) is not RV.PV:
            return []
        return Plan(self.automaton).unlocking([(part.key, part.state, letter) for part, letter in self.moves(event)])

    def _column(self, mask: int, event: Event) -> int:
        column = self.automaton.columns.get(mask)
        if column is None:
            raise FormulaError(
                f"step {event.step}: {event.call} makes a combination of the atoms of "
                f"'{self.automaton.formula}' true that was judged impossible"
            )
        return column


class PlainMonitor(RuleMonitor):
    """Monitor of a rule without variables."""

    def __init__(self, automaton: RuleAutomaton) -> None:
        super().__init__(automaton)
        self._rows, self._colours = automaton.dfa.rows, automaton.dfa.colours
        self._readers, self._columns = automaton.readers, automaton.columns
        self._state = 0
        self._since = 0
        self.verdict = self._colours[0]

    @property
    def fresh(self) -> None:
        """No new slice ever begins."""
        return None

    @property
    def distance(self) -> int | None:
        """The least number of further events until the rule accepts; None when that is impossible."""
        return self.automaton.dfa.distance[self._state]

    @property
    def forbidden(self) -> frozenset[str]:
        """The tools of which every successful call would violate the rule for good now."""
        cache = self.automaton.forbidden_cache
        known = cache.get(self._state)
        if known is None:
            known = cache[self._state] = forbidden_tools(self.automaton, None, frozenset({self._state}))
        return known

    def _after(self, event: Event) -> int:
        reader = self._readers.get(event.call.name)
        mask = 0 if reader is None else reader.mask(event)
        column = self._columns.get(mask)
        return self._rows[self._state][self._column(mask, event) if column is None else column]

    def step(self, event: Event) -> RV:
        """Read one event and return the verdict after it."""
        state = self._after(event)
        if state != self._state:
            self._state = state
            self._since = event.step
            self.verdict = self._colours[state]
        return self.verdict

    def peek(self, event: Event) -> RV:
        """Return the verdict if the event happened, without reading it."""
        return self._colours[self._after(event)]

    def fork(self) -> "PlainMonitor":
        """Return an independent copy."""
        twin = PlainMonitor(self.automaton)
        twin.restore(self.snapshot())
        return twin

    def snapshot(self) -> tuple[int, int]:
        """Return a hashable token of the state."""
        return self._state, self._since

    def restore(self, token: tuple[int, int]) -> None:
        """Go back to where `snapshot` was taken."""
        self._state, self._since = token
        self.verdict = self._colours[self._state]

    def slices(self) -> Iterator[Slice]:
        """Yield the one slice."""
        yield Slice((), self._state, self._since)

    def moves(self, event: Event) -> list[tuple[Slice, int]]:
        """Return the one slice and the letter that the event is."""
        reader = self._readers.get(event.call.name)
        mask = 0 if reader is None else reader.mask(event)
        return [(Slice((), self._state, self._since), self._column(mask, event))]


_COLOURS = (RV.PV, RV.CV, RV.CS, RV.PS)

_Live = dict[Key, tuple[int, int]]


class SlicedMonitor(RuleMonitor):
    """Monitor of a rule with variables: a state for each tuple of values met."""

    def __init__(self, automaton: RuleAutomaton) -> None:
        super().__init__(automaton)
        self._rows, self._colours = automaton.dfa.rows, automaton.dfa.colours
        self._readers = automaton.readers
        self._numbers = [_COLOURS.index(colour) for colour in self._colours]
        self._idle = [automaton.dfa.idle(column) for column in range(len(automaton.columns))]
        self._base = 0
        self._live: _Live = {}
        self._token: tuple[int, tuple[tuple[Key, tuple[int, int]], ...]] | None = None
        self._count()

    def _count(self) -> None:
        self._counts = [0] * len(_COLOURS)
        for state, _ in self._live.values():
            self._counts[self._numbers[state]] += 1
        self.verdict = self._judge()

    def _judge(self) -> RV:
        violated, open_, kept, _ = self._counts
        if violated:
            return RV.PV
        if open_:
            return RV.CV
        return RV.CS if kept or self._colours[self._base] is not RV.PS else RV.PS

    @property
    def fresh(self) -> int:
        """The state from which a new slice would begin."""
        return self._base

    def step(self, event: Event) -> RV:
        """Read one event and return the verdict after it."""
        reader = self._readers.get(event.call.name)
        free = 0 if reader is None else reader.mask(event)
        bound = None if reader is None else reader.bound(event)
        if bound:
            columns = [(key, self._column(free | mask, event)) for key, mask in bound.items()]
            for key, column in columns:
                self._move(key, column, event.step)
            self._token = None
            self.verdict = self._judge()
        else:
            self._unbound(self._column(free, event), event.step)
        return self.verdict

    def _move(self, key: Key, column: int, step: int) -> None:
        known = self._live.get(key)
        if known is None:
            state = self._rows[self._base][column]
            self._live[key] = (state, step)
            self._counts[self._numbers[state]] += 1
            return
        state = self._rows[known[0]][column]
        if state != known[0]:
            self._live[key] = (state, step)
            self._counts[self._numbers[known[0]]] -= 1
            self._counts[self._numbers[state]] += 1

    def _unbound(self, column: int, step: int) -> None:
        """An event bound to nothing is a step of every slice, and of those not begun."""
        if self._idle[column]:
            return
        self._base = self._rows[self._base][column]
        for key in self._live:
            self._move(key, column, step)
        self._token = None
        self.verdict = self._judge()

    def moves(self, event: Event) -> list[tuple[Slice, int]]:
        """Return the slices (new ones too) in which an event is a step, each with its letter."""
        reader = self._readers.get(event.call.name)
        free = 0 if reader is None else reader.mask(event)
        bound = {} if reader is None else reader.bound(event)
        if bound:
            return [(self._slice(key), self._column(free | mask, event)) for key, mask in bound.items()]
        return [(part, self._column(free, event)) for part in self.slices()]

    def _slice(self, key: Key) -> Slice:
        state, since = self._live.get(key, (self._base, 0))
        return Slice(key, state, since)

    def peek(self, event: Event) -> RV:
        """Return the verdict if the event happened, without reading it."""
        twin = self.fork()
        return twin.step(event)

    def fork(self) -> "SlicedMonitor":
        """Return an independent copy."""
        twin = SlicedMonitor.__new__(SlicedMonitor)
        twin.__dict__.update(self.__dict__)
        twin._live = dict(self._live)
        twin._counts = list(self._counts)
        return twin

    def snapshot(self) -> Snapshot:
        """Return a hashable token of the state."""
        if self._token is None:
            self._token = (self._base, tuple(self._live.items()))
        return self._token

    def restore(self, token: Any) -> None:
        """Go back to where `snapshot` was taken."""
        if token is not self._token:
            self._base, live = token
            self._live = dict(live)
            self._token = token
            self._count()

    def slices(self) -> Iterator[Slice]:
        """Yield the slices met so far."""
        return (Slice(key, state, since) for key, (state, since) in self._live.items())
