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
from typing import Any, TypeAlias

from lexgym.core import Event
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.planning import Plan, Wanted, forbidden_tools
from lexgym.oracles.ltlf.rule import Key, RuleAutomaton

Snapshot = Hashable

MAX_REMEMBERED = 10_000
"""Answers about a rule's states that are kept; when there are more, all are forgotten."""


@dataclass(frozen=True, slots=True)
class Slice:
    """One slice: its values, its state, and the step of the event that brought it there."""

    key: Key
    state: int
    since: int


def no_event(step: Any) -> FormulaError:
    """Return the error about a step that is no event."""
    return FormulaError(f"a step of a rule is an Event, not {step!r}; for sets of names use compile, not compile_rule")


class RuleMonitor(ABC):
    """What both kinds of monitor answer. `verdict` is the verdict on what was read so far."""

    verdict: RV

    def __init__(self, automaton: RuleAutomaton) -> None:
        self.automaton = automaton

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of '{self.automaton.formula!s:.200}': {self.verdict.name}>"

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
    def fresh(self) -> frozenset[int]:
        """The states from which new slices would begin, none when there are no variables."""

    @property
    def satisfied(self) -> bool:
        """Whether the rule holds if the trace ends now."""
        return self.verdict in (RV.PS, RV.CS)

    @property
    @abstractmethod
    def states(self) -> frozenset[int]:
        """The states that some slice is in."""

    @property
    @abstractmethod
    def distance(self) -> int | None:
        """A lower bound on the further events until every slice accepts; None when that is impossible."""

    @property
    def forbidden(self) -> frozenset[str | None]:
        """The tools of which every successful call would violate the rule for good now.

        None stands for every tool that the rule does not name. A call is taken to give the
        arguments that the rule reads. Empty once the rule is lost.
        """
        states = self.states
        cache = self.automaton.forbidden_cache
        key = (self.fresh, states)
        if key not in cache:
            if len(cache) > MAX_REMEMBERED:
                cache.clear()
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
        return self.automaton.column(mask, event)


class PlainMonitor(RuleMonitor):
    """Monitor of a rule without variables."""

    def __init__(self, automaton: RuleAutomaton, state: int = 0, since: int = 0) -> None:
        super().__init__(automaton)
        self._rows, self._colours = automaton.dfa.rows, automaton.dfa.colours
        self._readers, self._columns = automaton.readers, automaton.columns
        self._state = state
        self._since = since
        self.verdict = self._colours[state]

    @property
    def fresh(self) -> frozenset[int]:
        """No new slice ever begins."""
        return frozenset()

    @property
    def distance(self) -> int | None:
        """The least number of further events until the rule accepts; None when that is impossible."""
        return self.automaton.dfa.distance[self._state]

    @property
    def states(self) -> frozenset[int]:
        """The one state, as a set."""
        return frozenset({self._state})

    def _after(self, event: Event) -> int:
        try:
            reader = self._readers.get(event.call.name)
        except AttributeError:
            raise no_event(event) from None
        mask = 0 if reader is None else reader.mask(event)
        column = self._columns.get(mask)
        return self._rows[self._state][self._column(mask, event) if column is None else column]

    def __reduce__(self) -> tuple[Any, ...]:
        return PlainMonitor, (self.automaton, self._state, self._since)

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
        return PlainMonitor(self.automaton, self._state, self._since)

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


_PV, _CV, _CS, _PS = RV.PV, RV.CV, RV.CS, RV.PS
_SETTLED = (0, 3)
"""The ranks of verdicts that are for good."""

_Live: TypeAlias = dict[Key, tuple[int, int]]


class SliceToken:
    """A snapshot of a sliced monitor; it shares the dictionaries until somebody writes."""

    __slots__ = ("base", "begun", "counts", "live", "settled", "tally", "verdict", "waiting")

    def __init__(
        self, base: int, live: _Live, settled: _Live, counts: list[int], tally: list[int], verdict: RV
    ) -> None:
        self.base, self.live, self.settled = base, live, settled
        self.counts, self.tally, self.verdict = tuple(counts), tuple(tally), verdict
        self.waiting: dict[Key, int] = {}
        self.begun: dict[Key, tuple[Key, ...]] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SliceToken):
            return NotImplemented
        mine, theirs = (self.base, self.live, self.settled), (other.base, other.live, other.settled)
        return mine == theirs and self.waiting == other.waiting

    def __hash__(self) -> int:
        slices = frozenset(self.live.items()), frozenset(self.settled.items())
        return hash((self.base, *slices, frozenset(self.waiting.items())))


def _revived(automaton: RuleAutomaton, token: "SliceToken") -> RuleMonitor:
    monitor = automaton.monitor()
    monitor.restore(token)
    return monitor


class SlicedMonitor(RuleMonitor):
    """Monitor of a rule with variables: a state for each tuple of values met.

    Slices whose verdict is for good are set aside, so that events bound to nothing pass them by.
    """

    def __init__(self, automaton: RuleAutomaton) -> None:
        super().__init__(automaton)
        self._rows, self._colours = automaton.dfa.rows, automaton.dfa.colours
        self._readers, self._columns = automaton.readers, automaton.columns
        self._base = 0
        self._live: _Live = {}
        self._settled: _Live = {}
        self._shared = False
        self._counts = [0] * len(self._rows)
        self._ranks = automaton.ranks
        self._tally = [0, 0, 0, 0]
        self.verdict = self._judge()

    def _judge(self) -> RV:
        return self._judged(self._tally)

    def _judged(self, tally: list[int]) -> RV:
        violated, open_, kept, _ = tally
        if violated:
            return _PV
        if open_:
            return _CV
        return _CS if kept or not self.automaton.born_safe[self._base] else _PS

    @property
    def fresh(self) -> frozenset[int]:
        """The state from which any new slice would begin."""
        return frozenset({self._base})

    @property
    def states(self) -> frozenset[int]:
        """The states that some slice is in."""
        return frozenset(state for state, count in enumerate(self._counts) if count)

    @property
    def distance(self) -> int | None:
        """A lower bound on the further events until every slice accepts; None when that is impossible.

        Exact where each event moves one slice at most.
        """
        table = self.automaton.dfa.distance
        total = 0
        for state, count in enumerate(self._counts):
            if count:
                left = table[state]
                if left is None:
                    return None
                total = total + left * count if self.automaton.independent else max(total, left)
        return total

    def step(self, event: Event) -> RV:
        """Read one event and return the verdict after it."""
        try:
            reader = self._readers.get(event.call.name)
        except AttributeError:
            raise no_event(event) from None
        if reader is None:
            self._unbound(0, event.step)
            return self.verdict
        if reader.only is not None:
            bit, binding = reader.only
            only = binding(event)
            if only is None:
                self._unbound(0, event.step)
            else:
                self._move(only, self._columns[bit], event.step)
            return self.verdict
        free, bound = reader.mask(event), reader.bound(event)
        if not bound:
            self._unbound(self._column(free, event), event.step)
        elif len(bound) == 1:
            [(key, mask)] = bound.items()
            self._move(key, self._column(free | mask, event), event.step)
        else:
            for key, column in [(key, self._column(free | mask, event)) for key, mask in bound.items()]:
                self._move(key, column, event.step)
        return self.verdict

    def _move(self, key: Key, column: int, step: int, start: int | None = None) -> None:
        known = self._live.get(key) or self._settled.get(key)
        before = None if known is None else known[0]
        if before is None:
            state = self._rows[self._base if start is None else start][column]
        else:
            state = self._rows[before][column]
        if state == before:
            return
        if self._shared:
            self._live, self._settled, self._shared = dict(self._live), dict(self._settled), False
        rank = self._ranks[state]
        if before is not None:
            self._counts[before] -= 1
            self._tally[self._ranks[before]] -= 1
        self._counts[state] += 1
        self._tally[rank] += 1
        if rank in _SETTLED:
            self._live.pop(key, None)
            self._settled[key] = (state, step)
        else:
            self._live[key] = (state, step)
        self.verdict = self._judge()

    def _unbound(self, column: int, step: int) -> None:
        """An event bound to nothing is a step of every slice, and of those not begun."""
        if self.automaton.idle_columns[column]:
            return
        for key in list(self._live):
            self._move(key, column, step)
        self._base = self._rows[self._base][column]
        self.verdict = self._judge()

    def state_of(self, key: Key) -> int:
        """Return the state of a slice, or ~q for one not begun that would begin from q."""
        known = self._live.get(key) or self._settled.get(key)
        return ~self._start(key) if known is None else known[0]

    def _start(self, key: Key) -> int:
        """Return the state from which the slice of a key would begin."""
        return self._base

    def moves(self, event: Event) -> list[tuple[Slice, int]]:
        """Return the slices (new ones too) in which an event is a step, each with its letter."""
        reader = self._readers.get(event.call.name)
        free = 0 if reader is None else reader.mask(event)
        bound = {} if reader is None else reader.bound(event)
        if bound:
            return [(self._slice(key), self._column(free | mask, event)) for key, mask in bound.items()]
        return [(part, self._column(free, event)) for part in self.slices()]

    def _slice(self, key: Key) -> Slice:
        state, since = self._live.get(key) or self._settled.get(key) or (self._start(key), 0)
        return Slice(key, state, since)

    def peek(self, event: Event) -> RV:
        """Return the verdict if the event happened, without reading it."""
        reader = self._readers.get(event.call.name)
        bound = {} if reader is None else reader.bound(event)
        free = 0 if reader is None else reader.mask(event)
        if not bound:
            return self.verdict if self.automaton.idle_columns[self._column(free, event)] else self.fork().step(event)
        tally = list(self._tally)
        for key, mask in bound.items():
            known = self._live.get(key) or self._settled.get(key)
            if known is not None:
                tally[self._ranks[known[0]]] -= 1
            state = self._rows[self._base if known is None else known[0]][self._column(free | mask, event)]
            tally[self._ranks[state]] += 1
        return self._judged(tally)

    def fork(self) -> "SlicedMonitor":
        """Return an independent copy, which shares the slices until one of the two moves."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._counts, twin._tally = list(self._counts), list(self._tally)
        self._shared = twin._shared = True
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, (self.automaton, self.snapshot())

    def snapshot(self) -> SliceToken:
        """Return a hashable token of the state."""
        self._shared = True
        return SliceToken(self._base, self._live, self._settled, self._counts, self._tally, self.verdict)

    def restore(self, token: Any) -> None:
        """Go back to where `snapshot` was taken."""
        self._base, self._live, self._settled = token.base, token.live, token.settled
        self._counts, self._tally, self.verdict = list(token.counts), list(token.tally), token.verdict
        self._shared = True

    def slices(self) -> Iterator[Slice]:
        """Yield the slices met so far, those that are settled last."""
        for key, (state, since) in [*self._live.items(), *self._settled.items()]:
            yield Slice(key, state, since)

    def unsettled(self) -> Iterator[Key]:
        """Yield the values of the slices that are not settled."""
        return iter(self._live)
