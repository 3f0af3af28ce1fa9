"""Two calls one after the other, after whatever both need.

    pairs = Pairs(domain, db, monitor, planner, draws)
    pairs.plan("accept_amendment", "give_patient_copy", events, left=20)
    [authenticate_user(…), check_access(…), …, accept_amendment(…), give_patient_copy(…)]

What the second call needs is done before the first, since between the two nothing may stand. Everything is tried on
the database and undone again.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.planner import Planner
from lexgym.generators.draws import Draws
from lexgym.generators.guide import Effort
from lexgym.oracles.ltlf import RuleSetMonitor
from lexgym.tools.database import Database

DRAWN = 6
"""Argument draws for one call of a pair."""

TRIED = 2
"""Of those that the database takes, how many are planned."""

AFTER = 3
"""Draws of the first call that are like the second."""


class Pairs:
    """Plans pairs of calls on a database and a monitor, which it leaves as they were."""

    def __init__(
        self, domain: Domain, db: Database, monitor: RuleSetMonitor, planner: Planner, draws: Draws, effort: Effort
    ) -> None:
        self.domain, self.db, self.monitor = domain, db, monitor
        self.planner, self.draws, self.effort = planner, draws, effort

    def plan(self, first: str, second: str, events: Sequence[Event], left: int) -> list[ToolCall] | None:
        """Return at most `left` calls of which the last two are of the tools; None where none are found."""
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
        for number in range(DRAWN):
            model = like if number < AFTER else None
            call = self.draws.elsewhere(name) if number == DRAWN - 1 else self.draws.call(name, events, model)
            if call is None or call in seen:
                continue
            seen.append(call)
            if self._takes(call, len(events) + 1):
                yield call
                found += 1
            if found == TRIED:
                return

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
