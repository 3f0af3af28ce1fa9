"""Calls of a tool with arguments that have a chance: those of calls that were lawful before, and of the same business.

    draws = Draws(domain, db, rng)
    draws.call("read_record", events)       # mostly about the person and by the clerk of some earlier call

Which clerk may see whose file is for the rules to say, and is seldom guessed; so what worked on a population once is
taken up again, whole or in part, also for other tools.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.spaces import draw
from lexgym.errors import MalformedCall
from lexgym.generators.related import keys
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

REUSE = 0.8
"""How often a call takes arguments from an earlier call of the trace."""

RECENT = 20
"""Of the earlier calls of the trace, how many are looked at."""

RECALL = 0.6
"""How often one that does not takes them from a call of an earlier trace."""

KEPT = 0.9
"""How often an argument that the earlier call has is taken over."""


@dataclass(frozen=True, slots=True)
class _Worked:
    """A call that was lawful in some trace, and the row that the trace was about."""

    call: ToolCall
    anchor: Any


class Draws:
    """Draws calls on one population; remembers those that worked there."""

    def __init__(self, domain: Domain, db: Database, rng: random.Random) -> None:
        self.domain, self.db, self.rng = domain, db, rng
        self.anchor: Any = None
        self._every: list[_Worked] = []
        self._of: dict[str, list[ToolCall]] = {}
        self._keys: dict[tuple[str, Any], list[Any]] = {}
        every = (parameter for tool in domain.tools.values() for parameter in tool.parameters)
        self._anchored = next((p.name for p in every if p.ref and p.ref.column == domain.anchor), "")

    def choose_anchor(self) -> None:
        """Choose the row that a trace is about."""
        self.anchor = self._some_anchor()

    def forget_keys(self) -> None:
        """Read the database anew: something has changed."""
        self._keys.clear()

    def remember(self, trace: Sequence[Event]) -> None:
        """Note the calls of a lawful trace."""
        for event in trace:
            of_tool = self._of.setdefault(event.name, [])
            if event.call not in of_tool:
                of_tool.append(event.call)
                self._every.append(_Worked(event.call, self.anchor))

    def call(self, name: str, events: Sequence[Event]) -> ToolCall | None:
        """Return a call of a tool with arguments drawn; None where there is nothing to draw from."""
        if events and self.rng.random() < REUSE:
            given: dict[str, Any] = {}
            recent = events[-RECENT:]
            for event in self.rng.sample(recent, len(recent)):
                given = {**event.arguments, **given}
            return self._filled(name, given, self.anchor)
        if self._every and self.rng.random() < RECALL:
            worked = self.rng.choice(self._every)
            return self._filled(name, worked.call.arguments, worked.anchor)
        return self._filled(name, {}, self.anchor)

    def like(self, name: str, call: ToolCall) -> ToolCall | None:
        """Return a call of a tool with most of the arguments that it shares with another call."""
        return self._filled(name, call.arguments, self.anchor)

    def again(self, name: str) -> ToolCall | None:
        """Return a call of the tool that worked in an earlier trace."""
        known = self._of.get(name)
        return self.rng.choice(known) if known else None

    def elsewhere(self, name: str) -> ToolCall | None:
        """Return a call of a tool about any row there is."""
        return self._filled(name, {}, self._some_anchor())

    def _some_anchor(self) -> Any:
        if not self.domain.anchor:
            return None
        found = self._listed(self.domain.anchor, None)
        return self.rng.choice(found) if found else None

    def _filled(self, name: str, given: Mapping[str, Any], anchor: Any) -> ToolCall | None:
        """Return a call with most of the arguments given, and others of the same row of the business."""
        arguments: dict[str, Any] = {}
        anchor = given.get(self._anchored, anchor)
        for parameter in self.domain.tools[name].parameters:
            if parameter.name in given and self.rng.random() < KEPT:
                arguments[parameter.name] = given[parameter.name]
                continue
            if not parameter.required and self.rng.random() < 0.5:
                continue
            options = self._options(parameter, anchor)
            if options is not None and not options:
                return None
            value = draw(self.domain, parameter, self.rng) if options is None else self.rng.choice(options)
            arguments[parameter.name] = value
        try:
            return self.domain.tools.parse(ToolCall(name, arguments))
        except MalformedCall:
            return None

    def _options(self, parameter: Parameter, anchor: Any) -> list[Any] | None:
        """Return the values to choose from; None where the value is free."""
        if parameter.ref is None:
            return None
        found = self._listed(parameter.ref.column, anchor)
        return [[key] for key in found] if parameter.schema.get("type") == "array" else found

    def _listed(self, column: str, anchor: Any) -> list[Any]:
        known = self._keys.get((column, anchor))
        if known is None:
            if anchor is None and column == self.domain.anchor:
                table, _, name = column.partition(".")
                rows = self.db.query(f"SELECT {name} AS value FROM {table} ORDER BY {name}")
                known = [row["value"] for row in rows]
            else:
                known = keys(self.domain, self.db, column, anchor)
            self._keys[column, anchor] = known
        return known
