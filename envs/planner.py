"""Turning what the rules want into real calls: prerequisites of a call, and obligations still open.

The automata say which letters unlock a forbidden call or close an obligation; this module fills in the
arguments (from the rule's equalities, the pending call, earlier calls, foreign keys) and tries the
calls on the database. Used by the fuzzer and by the shield.
"""

import random
from collections.abc import Iterable, Mapping
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.spaces import draw
from lexgym.errors import MalformedCall
from lexgym.oracles.ltlf import RuleSetMonitor, Wanted
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

MAX_INSERTED = 40
"""Most calls that are inserted before one call or at the end."""

MAX_DEPTH = 6


class Planner:
    """Plans on a database and a monitor that the caller lets it change; on None the caller rolls back."""

    def __init__(self, domain: Domain, rng: random.Random) -> None:
        self.domain, self.rng = domain, rng

    def lawful(
        self, db: Database, monitor: RuleSetMonitor, call: ToolCall, past: list[Event], depth: int = 0
    ) -> list[Event] | None:
        """Make the call, after whatever it needs; return the events, or None when it cannot be done lawfully."""
        made: list[Event] = []
        while len(made) < MAX_INSERTED:
            db.begin()
            event = self.domain.tools.execute(db, call, step=len(past) + len(made) + 1)
            broken = monitor.peek(event) if event.status is Status.OK else ()
            if event.status is Status.OK and not broken and not monitor.dooms(event):
                db.commit()
                db.clock += self.domain.tick
                monitor.step(event)
                return [*made, event]
            db.rollback()
            if not broken or depth >= MAX_DEPTH:
                return None
            ways = monitor.monitor(broken[0]).enable(event)
            step = next((wanted for way in ways for wanted in way[:1] if wanted.tool), None)
            more = self._fulfil(db, monitor, step, event, [*past, *made], depth) if step else None
            if more is None:
                return None
            made += more
        return None

    def discharge(self, db: Database, monitor: RuleSetMonitor, past: list[Event]) -> list[Event] | None:
        """Make the calls that every open obligation still asks for; None when that is impossible."""
        made: list[Event] = []
        while not all(monitor.satisfied):
            if len(made) >= MAX_INSERTED:
                return None
            wanted = next((w for w in monitor.completion() or () if w.tool), None)
            history = [*past, *made]
            cause = next((e for e in reversed(history) if wanted and _shares(e, wanted.equalities)), None)
            more = self._fulfil(db, monitor, wanted, cause, history, 0) if wanted else None
            if more is None:
                return None
            made += more
        return made

    def _fulfil(
        self, db: Database, monitor: RuleSetMonitor, wanted: Wanted, cause: Event | None, past: list[Event], depth: int
    ) -> list[Event] | None:
        call = self._ground(db, wanted, cause, past)
        if call is None:
            return None
        events = self.lawful(db, monitor, call, past, depth + 1)
        return events if events and wanted.matches(events[-1]) else None

    def _ground(self, db: Database, wanted: Wanted, cause: Event | None, past: list[Event]) -> ToolCall | None:
        tool = self.domain.tools[wanted.tool or ""]
        sources = [event.arguments for event in ([cause] if cause else [])]
        sources += [event.arguments for event in reversed(past)]
        arguments = dict(wanted.equalities)
        for parameter in tool.parameters:
            if parameter.name not in arguments and parameter.required:
                arguments[parameter.name] = self._value(db, parameter, [arguments, *sources])
        try:
            return self.domain.tools.parse(ToolCall(tool.name, arguments))
        except MalformedCall:
            return None

    def _value(self, db: Database, parameter: Parameter, sources: list[Mapping[str, Any]]) -> Any:
        for source in sources:
            if parameter.name in source:
                return source[parameter.name]
            if parameter.ref and (found := owner(self.domain, db, parameter.ref.column, source)) is not None:
                return found
        return draw(self.domain, parameter, self.rng)


def owner(domain: Domain, db: Database, column: str, arguments: Mapping[str, Any]) -> Any:
    """Follow one foreign key from a row that the arguments name to the wanted column."""
    for table in domain.schema.tables.values():
        for own, target in table.references.items():
            if target != column:
                continue
            for value in arguments.values():
                if isinstance(value, str):
                    row = db.one(f"SELECT {own} AS found FROM {table.name} WHERE {table.key[0]} = ?", value)
                    if row:
                        return row["found"]
    return None


def _shares(event: Event, equalities: Mapping[str, Any]) -> bool:
    known: Iterable[Any] = [*event.arguments.values()]
    if isinstance(event.result, dict):
        known = [*known, *event.result.values()]
    return any(isinstance(value, str) and value in known for value in equalities.values())
