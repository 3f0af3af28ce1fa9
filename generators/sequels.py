"""What could be asked for next because of the request before: what a rule sets in an order with it, or its like.

    Sequels(domain, rng).calls(db, focus, event)     # after a disclosure: a restriction for the same organization, …

Two acts are in an order where the second, made first, would have had the first break a rule, or the other way about.
"""

import random
from collections.abc import Iterator

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.generators.related import draw_call
from lexgym.tools.database import Database

DRAWS = 24
"""Draws tried per tool that stands in a rule with the one before."""

VARIED = 8
"""Draws tried of the same tool with some of the same arguments."""


class Sequels:
    """Draws requests that follow another one."""

    def __init__(self, domain: Domain, rng: random.Random) -> None:
        self.domain, self.rng = domain, rng
        self._rules = safety_oracle(domain.name).compiled

    def calls(self, db: Database, focus: object, before: Event) -> Iterator[ToolCall]:
        """Yield calls that could be asked for after an act, those that are in an order with it first."""
        yield from self._ordered(db, focus, before)
        for _ in range(VARIED):
            other = draw_call(self.domain, db, before.name, focus, self.rng)
            if other is not None:
                kept = {name: value for name, value in before.arguments.items() if self.rng.random() < 0.5}
                varied = ToolCall(other.name, {**other.arguments, **kept})
                if varied != before.call:
                    yield varied

    def in_order(self, one: Event, other: Event) -> bool:
        """Whether some rule minds which of two acts comes first: both together break it, and neither alone."""
        alone = self._broken(one) | self._broken(other)
        return bool((self._broken(one, other) | self._broken(other, one)) - alone)

    def _ordered(self, db: Database, focus: object, before: Event) -> Iterator[ToolCall]:
        with_it = [automaton.readers for automaton in self._rules.automata if before.name in automaton.readers]
        near = {tool for readers in with_it for tool in readers}
        business = [tool for tool in self.domain.phrases["tools"] if tool in near - self.domain.safety_critical]
        for name in self.rng.sample(business, len(business)):
            for _ in range(DRAWS):
                call = draw_call(self.domain, db, name, focus, self.rng)
                event = self._probe(db, call) if call is not None else None
                if event is not None and self.in_order(before, event):
                    yield event.call

    def _probe(self, db: Database, call: ToolCall) -> Event | None:
        db.begin()
        event = self.domain.tools.execute(db, call, step=0)
        db.rollback()
        return event if event.status is Status.OK else None

    def _broken(self, *events: Event) -> set[int]:
        monitor = self._rules.monitor()
        for event in events:
            monitor.step(event)
        return {rule for rule, kept in enumerate(monitor.satisfied) if not kept}
