"""Two calls one after the other, after whatever both need.

    pairs = Pairs(planner, db, monitor, draws, needed, effort)
    pairs.plan("accept_amendment", "give_patient_copy", events, left=20)
    [authenticate_user(…), check_access(…), …, accept_amendment(…), give_patient_copy(…)]

What the second call needs is done before the first, since between the two nothing may stand; where the first needs
the second, it comes first. Everything is tried on the database and undone again.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.planner import Planner
from lexgym.generators.draws import Draws
from lexgym.generators.guide import Effort
from lexgym.generators.needed import Needed
from lexgym.oracles.ltlf import RuleSetMonitor
from lexgym.tools.database import Database

DRAWN = 3
"""Argument draws for one call of a pair."""

TRIED = 2
"""Of those that the database takes, how many are planned."""

ALIKE = 2
"""Draws of the first call that are like the second."""


class Pairs:
    """Plans pairs of calls on a database and a monitor, which it leaves as they were."""

    def __init__(
        self, planner: Planner, db: Database, monitor: RuleSetMonitor, draws: Draws, needed: Needed, effort: Effort
    ) -> None:
        self.domain, self.planner, self.db, self.monitor = planner.domain, planner, db, monitor
        self.draws, self.needed, self.effort = draws, needed, effort

    def plan(self, first: str, second: str, events: Sequence[Event], left: int) -> list[ToolCall] | None:
        """Return at most `left` calls of which the last two are of the tools; None where none are found."""
        missing = self.needed.by(first, second) - {event.name for event in events}
        if len(missing) + 2 > left:
            return None
        owed = second in self.needed.by(first)
        return self._onward(first, second, events, left) if owed else self._backward(first, second, events, left)

    def _onward(self, first: str, second: str, events: Sequence[Event], left: int) -> list[ToolCall] | None:
        """Find a first call of which the second speaks, such as the report of what the first began."""
        for call in self._working(first, events):
            token = self._mark()
            made = self.planner.lawful(self.db, self.monitor, call, list(events))
            if made is not None and len(made) < left:
                self.draws.forget_keys()
                past = [*events, *made]
                for other in self._drawn(second, past, made[-1].call):
                    if other is not None and self._make(other, len(past) + 1):
                        self._back(token)
                        return [*(event.call for event in made), other]
            self._back(token)
        return None

    def _backward(self, first: str, second: str, events: Sequence[Event], left: int) -> list[ToolCall] | None:
        """Find a second call, do what it needs, and then find a first one."""
        for call in self._working(second, events):
            token = self._mark()
            needs = self.planner.lawful(self.db, self.monitor, call, list(events))
            self._back(token)
            if needs is None or len(needs) >= left:
                continue
            token = self._mark()
            calls = self._around(first, call, [*events, *needs[:-1]], len(events), left)
            self._back(token)
            if calls is not None:
                return calls
        return None

    def _around(self, first: str, second: ToolCall, past: list[Event], begin: int, left: int) -> list[ToolCall] | None:
        """Make what the second call needs, then find a first one after which it can be made."""
        if not all(self._make(event.call, event.step) for event in past[begin:]):
            return None
        for call in self._working(first, past, second):
            token = self._mark()
            made = self.planner.lawful(self.db, self.monitor, call, past)
            fits = made is not None and len(past) - begin + len(made) < left
            if made is not None and fits and self._make(second, len(past) + len(made) + 1):
                self._back(token)
                return [event.call for event in (*past[begin:], *made)] + [second]
            self._back(token)
        return None

    def _working(self, name: str, events: Sequence[Event], like: ToolCall | None = None) -> Iterator[ToolCall]:
        """Yield calls of a tool that the database takes now."""
        seen: list[ToolCall] = []
        found = 0
        for call in self._drawn(name, events, like):
            if call is None or call in seen:
                continue
            seen.append(call)
            if self._takes(call, len(events) + 1):
                yield call
                found += 1
            if found == TRIED:
                return

    def _drawn(self, name: str, events: Sequence[Event], like: ToolCall | None) -> Iterator[ToolCall | None]:
        """Yield calls: like the other of the pair, as one that worked, as any, and about something else."""
        if like is not None:
            yield from (self.draws.like(name, like) for _ in range(ALIKE))
        yield self.draws.again(name)
        yield from (self.draws.call(name, events) for _ in range(DRAWN))
        yield self.draws.elsewhere(name)

    def _takes(self, call: ToolCall, step: int) -> bool:
        self.db.begin()
        event = self.domain.tools.execute(self.db, call, step=step)
        self.db.rollback()
        self.effort.pruned["refused"] += event.status is not Status.OK
        return event.status is Status.OK

    def _make(self, call: ToolCall, step: int) -> bool:
        event = self.domain.tools.execute(self.db, call, step=step)
        if event.status is not Status.OK or self.monitor.peek(event) or self.monitor.dooms(event):
            return False
        self.db.clock += self.domain.tick
        self.monitor.step(event)
        self.draws.forget_keys()
        return True

    def _mark(self) -> Any:
        self.db.begin()
        return self.monitor.snapshot()

    def _back(self, token: Any) -> None:
        self.db.rollback()
        self.monitor.restore(token)
        self.draws.forget_keys()
