"""Calls one straight after the other, after whatever all of them need.

    chains = Chains(planner, db, monitor, draws, guide, effort)
    chains.plan(("accept_amendment", "give_patient_copy"), events, left=20, before=lambda name: [])
    [authenticate_user(…), check_access(…), …, accept_amendment(…), give_patient_copy(…)]

What the later calls need is done before the earlier ones, since in between nothing may stand; where the first needs
the second, it comes first. A pair is made longer at its beginning, as far as there are calls that may come `before`.
Everything is tried on the database and undone again.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.planner import Planner
from lexgym.generators.draws import Draws
from lexgym.generators.feasible import Pair
from lexgym.generators.guide import Effort, Guide
from lexgym.oracles.ltlf import RuleSetMonitor
from lexgym.tools.database import Database

DRAWN = 3
"""Argument draws for one call of a chain."""

TRIED = 2
"""Of those that the database takes, how many are planned."""

ALIKE = 2
"""Draws of a call that are like the one after it."""

LONGER = 4
"""Tools tried to make a chain longer, each time."""

Before: TypeAlias = Callable[[str], Sequence[str]]
"""Returns the tools that make a new pair with the one after them."""


class Chains:
    """Plans on a database and a monitor, which it leaves as they were."""

    def __init__(
        self, planner: Planner, db: Database, monitor: RuleSetMonitor, draws: Draws, guide: Guide, effort: Effort
    ) -> None:
        self.domain, self.planner, self.db, self.monitor = planner.domain, planner, db, monitor
        self.draws, self.guide, self.effort = draws, guide, effort
        self.price = 1.0

    def plan(self, pair: Pair, events: Sequence[Event], left: int, before: Before) -> list[ToolCall] | None:
        """Return calls of which two that stand together are of the tools; None where none are found.

        There are at most `left` of them together with what they are known to leave owed.
        """
        needed = self.guide.possible.needed.by(*pair)
        if len(needed - {event.name for event in events}) + 2 > left:
            return None
        if pair[1] in self.guide.possible.needed.by(pair[0]):
            return self._onward(*pair, events, left)
        for call in self._working(pair[1], events):
            token = self._mark()
            needs = self.planner.lawful(self.db, self.monitor, call, list(events))
            self._back(token)
            if needs is None or len(needs) >= left:
                continue
            token = self._mark()
            past = [*events, *needs[:-1]]
            done = self._repeat(needs[:-1])
            calls = self._lay(pair[0], [call], past, left + len(events), before) if done else None
            self._back(token)
            if calls is not None:
                return calls[len(events) :]
        return None

    def _onward(self, first: str, second: str, events: Sequence[Event], left: int) -> list[ToolCall] | None:
        """Find a first call of which the second speaks, such as the report of what the first began."""
        for call in self._working(first, events):
            token = self._mark()
            made = self.planner.lawful(self.db, self.monitor, call, list(events))
            if made is not None and len(made) < left:
                self.draws.forget_keys()
                past = [*events, *made]
                for other in self._drawn(second, past, call):
                    if other is not None and self._make(other, len(past) + 1):
                        self._back(token)
                        return [*(event.call for event in made), other]
            self._back(token)
        return None

    def _lay(
        self, name: str, calls: list[ToolCall], past: list[Event], most: int, before: Before
    ) -> list[ToolCall] | None:
        """Put a call of a tool before some others, after what it needs, and try for more."""
        for call in self._working(name, past, calls[0]):
            chain = [call, *calls]
            token = self._mark()
            made = self.planner.lawful(self.db, self.monitor, call, past)
            fits = made is not None and self._size(len(past) + len(made) - 1, chain) <= most
            cheap = made is not None and (len(calls) == 1 or len(made) + self.guide.burden[name] <= self.price)
            done = made is not None and fits and cheap and all(self._make(each, len(past) + 1) for each in calls)
            self._back(token)
            if made is not None and done:
                return self._longer(chain, made[:-1], past, most, before)
        return None

    def _longer(
        self, chain: list[ToolCall], needs: Sequence[Event], past: list[Event], most: int, before: Before
    ) -> list[ToolCall]:
        token, behind = self._mark(), [*past, *needs]
        found = None
        if self._repeat(needs):
            for _ in range(LONGER):
                options = before(chain[0].name) if self._size(len(behind), chain) < most else ()
                name = self.draws.rng.choice(options) if options else None
                if name is None or any(call.name == name for call in chain):
                    break
                found = self._lay(name, chain, behind, most, before)
                if found is not None:
                    break
        self._back(token)
        return found or [*(event.call for event in behind), *chain]

    def _size(self, past: int, chain: Sequence[ToolCall]) -> int:
        """Return how many calls a trace has with a chain and what it can leave owed."""
        return past + len(chain) + sum(self.guide.burden[call.name] for call in chain)

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
        """Yield calls: like the next one, as one that worked, as any, and about something else."""
        if like is not None:
            yield from (self.draws.like(name, like) for _ in range(ALIKE))
        yield self.draws.call(name, events)
        yield self.draws.again(name)
        yield from (self.draws.call(name, events) for _ in range(DRAWN - 1))
        yield self.draws.elsewhere(name)

    def _takes(self, call: ToolCall, step: int) -> bool:
        self.db.begin()
        event = self.domain.tools.execute(self.db, call, step=step)
        self.db.rollback()
        self.effort.pruned["refused"] += event.status is not Status.OK
        return event.status is Status.OK

    def _repeat(self, events: Sequence[Event]) -> bool:
        """Make calls again that were made on the same state."""
        return all(self._make(event.call, event.step) for event in events)

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
