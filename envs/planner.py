"""Turning what the rules want into real calls: prerequisites, obligations still open, lawful refusals.

The automata say which letters unlock a forbidden call or close an obligation; this module fills in the
arguments (from the rule's equalities, the pending call, earlier calls, foreign keys) and tries the
calls on the database. Used by the fuzzer and by the shield.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.spaces import draw
from lexgym.errors import MalformedCall
from lexgym.oracles.ltlf import RuleSetMonitor, Wanted
from lexgym.oracles.ltlf import guards as g
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

MAX_INSERTED = 40
"""Most calls that are inserted before one call or at the end."""

MAX_DEPTH = 6

MAX_CHOICES = 12
"""Most calls tried where the rules leave an argument open, such as the channel of a message."""

RETRIES = 4
"""Times that a check which said no is asked again, as for a mistyped code; the rules may allow fewer."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a call must not be made: a rule (by its index) forbids it, outright or since a check said no.

    `by` names the check, or the rule that forbids it outright; `reason` is what to record, where there is one.
    """

    rule: int
    check: Event | None
    by: str
    reason: str | None

    @property
    def because(self) -> str:
        """Why, in words."""
        return f"{self.by} said no" if self.check else "the law allows it in no case"


class Planner:
    """Plans on a database and a monitor that the caller lets it change; on None the caller rolls back.

    A `sparing` one takes, of several calls that would do, first one that changes nothing, and states no facts of its
    own: what changes something it does not do if it would have to make up a text, a number or a key for it; and where
    that is business, all has to follow from the rule and the call it serves, not from earlier calls.
    """

    def __init__(self, domain: Domain, rng: random.Random, *, sparing: bool = False) -> None:
        self.domain, self.rng, self._sparing = domain, rng, sparing
        self._no: Event | None = None
        self._wrote = False
        self._known_near: dict[str, frozenset[int]] = {}
        self._telling: frozenset[str] = frozenset()

    def lawful(self, db: Database, monitor: RuleSetMonitor, call: ToolCall, past: list[Event]) -> list[Event] | None:
        """Make the call, after whatever it needs; return the events, or None when it cannot be done lawfully."""
        history = list(past)
        return history[len(past) :] if self._make(db, monitor, call, history, 0) else None

    def discharge(self, db: Database, monitor: RuleSetMonitor, past: list[Event]) -> list[Event] | None:
        """Make the calls that every open obligation still asks for; None when that is impossible.

        A check that comes out badly stays where it is lawful, since the rules may then ask for something else:
        after an anomaly is found, that it is reported.
        """
        history = list(past)
        missed: set[str] = set()
        while not all(monitor.satisfied):
            if len(history) >= len(past) + MAX_INSERTED:
                return None
            wanted = next((w for w in monitor.completion() or () if w.tool), None)
            if wanted is None or wanted.text in missed:
                return None
            cause = next((e for e in reversed(history) if _shares(e, wanted.equalities)), None)
            length = len(history)
            if not self._fulfil(db, monitor, [wanted], cause, history, 0):
                if len(history) == length:
                    return None
                missed.add(wanted.text)
        return history[len(past) :]

    def grounds(
        self, db: Database, monitor: RuleSetMonitor, call: ToolCall, past: list[Event], by: str | None = None
    ) -> list[Ground]:
        """Return the checks and rules that say no to a call, each rule's tried apart; nothing is changed.

        Empty where nothing is in the way, where the database refuses the call itself, and where `by` names a check
        or a rule that does not say no.
        """
        refusal = self.domain.refusals.get(call.name)
        known = refusal.grounds if refusal else {}
        found: list[Ground] = []
        forbidding = self._forbidding(db, monitor, call, len(past))
        near = [rule for rule in forbidding if by is None or rule in self._near(monitor, by)]
        for rule in (*near, *(rule for rule in forbidding if rule not in near)):
            if by and rule not in near and all(ground.by != by for ground in found):
                return []
            token = monitor.snapshot()
            db.begin()
            check = self._say_no(db, monitor, call, rule, list(past))
            db.rollback()
            monitor.restore(token)
            if check is not None:
                found.append(Ground(rule, check, check.name, known.get(check.name)))
            elif self._outright(db, monitor, call, rule, len(past)):
                found.append(Ground(rule, None, self._id(monitor, rule), known.get(self._id(monitor, rule))))
        return found if by is None or any(ground.by == by for ground in found) else []

    def decline(
        self, db: Database, monitor: RuleSetMonitor, call: ToolCall, past: list[Event], ground: Ground
    ) -> list[Event] | None:
        """Make the check that says no and put the call on record as refused; None when that cannot be done."""
        history = list(past)
        if ground.check is not None:
            check = self._say_no(db, monitor, call, ground.rule, history)
            if check is None or check.name != ground.by:
                return None
        if ground.reason is None:
            return None
        record = self.domain.refusals[call.name].record(self.domain.tools, call, ground.reason)
        return history[len(past) :] if self._make(db, monitor, record, history, 0) else None

    def _near(self, monitor: RuleSetMonitor, by: str) -> frozenset[int]:
        """Return the rules that can come to the check, at once or by way of other checks, or the rule itself."""
        if by not in self._known_near:
            automata = monitor.rules.automata
            tools, seen = {by}, 0
            while len(tools) > seen:
                seen = len(tools)
                asking = [automaton.readers.keys() for automaton in automata if automaton.readers.keys() & tools]
                tools |= set().union(*asking) & self.domain.safety_critical
            self._known_near[by] = frozenset(
                rule
                for rule, each in enumerate(automata)
                if each.readers.keys() & tools or self._id(monitor, rule) == by
            )
        return self._known_near[by]

    @staticmethod
    def _id(monitor: RuleSetMonitor, rule: int) -> str:
        return monitor.rules.rules[rule].id

    def _outright(self, db: Database, monitor: RuleSetMonitor, call: ToolCall, rule: int, step: int) -> bool:
        """Whether nothing that could be done first makes a rule allow the call."""
        return not monitor.monitor(rule).enable(self._probe(db, call, step))

    def _forbidding(self, db: Database, monitor: RuleSetMonitor, call: ToolCall, step: int) -> tuple[int, ...]:
        """The rules that the call would break now, none where it does not execute."""
        event = self._probe(db, call, step)
        return monitor.peek(event) if event.status is Status.OK else ()

    def _probe(self, db: Database, call: ToolCall, step: int) -> Event:
        db.begin()
        event = self.domain.tools.execute(db, call, step=step + 1)
        db.rollback()
        return event

    def _say_no(
        self, db: Database, monitor: RuleSetMonitor, call: ToolCall, rule: int, history: list[Event]
    ) -> Event | None:
        """Make what one rule asks before the call, up to the check that says no; None where none does."""
        self._no = None
        refusal = self.domain.refusals.get(call.name)
        self._telling = frozenset(refusal.reasons if refusal else ())
        for _ in range(MAX_INSERTED):
            event = self._probe(db, call, len(history))
            if event.status is not Status.OK or rule not in monitor.peek(event):
                return None
            if not self._unlock(db, monitor, rule, event, history, 0):
                return self._no
        return None

    def _make(self, db: Database, monitor: RuleSetMonitor, call: ToolCall, history: list[Event], depth: int) -> bool:
        """Make the call after whatever it needs; what was made is added to the history, also on failure."""
        limit = len(history) + MAX_INSERTED
        while len(history) < limit:
            db.begin()
            before = db.written
            event = self.domain.tools.execute(db, call, step=len(history) + 1)
            broken = monitor.peek(event) if event.status is Status.OK else ()
            if event.status is Status.OK and not broken and not monitor.dooms(event):
                db.commit()
                db.clock += self.domain.tick
                monitor.step(event)
                history.append(event)
                self._wrote = db.written > before
                return True
            db.rollback()
            if not broken or depth >= MAX_DEPTH or not self._unlock(db, monitor, broken[0], event, history, depth):
                return False
        return False

    def _unlock(
        self, db: Database, monitor: RuleSetMonitor, rule: int, event: Event, history: list[Event], depth: int
    ) -> bool:
        """Make the first call of a shortest way to where the rule allows the event."""
        ways = monitor.monitor(rule).enable(event)
        steps = {way[0].text: way[0] for way in ways if way and way[0].tool}
        return bool(steps) and self._fulfil(db, monitor, list(steps.values()), event, history, depth)

    def _fulfil(
        self,
        db: Database,
        monitor: RuleSetMonitor,
        wanted: Sequence[Wanted],
        cause: Event | None,
        history: list[Event],
        depth: int,
    ) -> bool:
        """Make a call that is one of the wanted; where none comes out well, one stays: a telling one, or the first."""
        options = [(one, call) for one in wanted for call in self.calls_for(db, one, cause, history)][:MAX_CHOICES]
        if self._sparing and len(options) > 1:
            options.sort(key=lambda option: self._writes(db, option[1]))
        if len(options) > 1 and any(self._try(db, monitor, *option, history, depth) for option in options):
            return True
        if not options:
            return False
        kept = next((option for option in options if option[1].name in self._telling), options[0])
        return self._ask(db, monitor, *kept, history, depth)

    def _writes(self, db: Database, call: ToolCall) -> bool:
        """Whether the call changes the database; what is refused does not."""
        db.begin()
        before = db.written
        self.domain.tools.execute(db, call, step=0)
        wrote = db.written > before
        db.rollback()
        return wrote

    def _try(
        self, db: Database, monitor: RuleSetMonitor, wanted: Wanted, call: ToolCall, history: list[Event], depth: int
    ) -> bool:
        """Make a call if it is what is wanted, else leave everything as it was."""
        token, length = monitor.snapshot(), len(history)
        db.begin()
        if self._ask(db, monitor, wanted, call, history, depth):
            db.commit()
            return True
        db.rollback()
        monitor.restore(token)
        del history[length:]
        return False

    def _ask(
        self, db: Database, monitor: RuleSetMonitor, wanted: Wanted, call: ToolCall, history: list[Event], depth: int
    ) -> bool:
        """Make a call, again if it is not what is wanted and left something behind; it stays either way."""
        if not self._make(db, monitor, call, history, depth + 1):
            return False
        if wanted.matches(history[-1]):
            return True
        if self._wrote and self._again(db, monitor, wanted, call, history, depth):
            return True
        self._no = history[-1]
        return False

    def _again(
        self, db: Database, monitor: RuleSetMonitor, wanted: Wanted, call: ToolCall, history: list[Event], depth: int
    ) -> bool:
        """Make a call that came out badly again, as often as is lawful; where it never comes out well, leave it."""
        token, length = monitor.snapshot(), len(history)
        db.begin()
        for _ in range(RETRIES):
            if not self._make(db, monitor, call, history, depth + 1):
                break
            if wanted.matches(history[-1]):
                db.commit()
                return True
        db.rollback()
        monitor.restore(token)
        del history[length:]
        return False

    def calls_for(self, db: Database, wanted: Wanted, cause: Event | None, past: list[Event]) -> list[ToolCall]:
        """Return calls that could be the wanted one, the likeliest first; they differ in what is free to choose."""
        tool = self.domain.tools[wanted.tool or ""]
        near = [cause.arguments] if cause else []
        far = [event.arguments for event in reversed(past)]
        arguments: dict[str, Any] = _contents(wanted) | wanted.equalities
        free: dict[str, list[Any]] = {}
        careful, invented = self._sparing and tool.name not in self.domain.safety_critical, False
        for parameter in tool.parameters:
            if parameter.name in arguments or not parameter.required:
                continue
            told = self._found(db, parameter, [arguments, *near], parameter.name) if careful else []
            found = told or self._found(db, parameter, [arguments, *near, *far])
            value = arguments[parameter.name] = found[0] if found else draw(self.domain, parameter, self.rng)
            invented |= not (told if careful else found or _closed(parameter.schema))
            others = [] if careful and found else [o for o in parameter.schema.get("enum", []) if o != value]
            free[parameter.name] = [value, *self.rng.sample(others, len(others))]
        calls = self._parsed(tool.name, arguments, free)
        return [call for call in calls if not self._writes(db, call)] if self._sparing and invented else calls

    def _parsed(self, name: str, arguments: Mapping[str, Any], free: Mapping[str, list[Any]]) -> list[ToolCall]:
        calls = []
        for values in islice(product(*free.values()), MAX_CHOICES):
            try:
                calls.append(
                    self.domain.tools.parse(ToolCall(name, {**arguments, **dict(zip(free, values, strict=True))}))
                )
            except MalformedCall:
                continue
        return calls

    def _found(
        self, db: Database, parameter: Parameter, sources: list[Mapping[str, Any]], by: str | None = None
    ) -> list[Any]:
        """Return the value that a source gives, or leads to by a foreign key (`by` this one); empty where none does."""
        for source in sources:
            if parameter.name in source:
                return [source[parameter.name]]
            if parameter.ref and (found := owner(self.domain, db, parameter.ref.column, source, by)) is not None:
                return [found]
        return []


def owner(domain: Domain, db: Database, column: str, arguments: Mapping[str, Any], by: str | None = None) -> Any:
    """Follow one foreign key, `by` this name if given, from a row that the arguments name to the wanted column."""
    for table in domain.schema.tables.values():
        for own, target in table.references.items():
            if target != column or by not in (None, own):
                continue
            for value in arguments.values():
                if isinstance(value, str):
                    row = db.one(f"SELECT {own} AS found FROM {table.name} WHERE {table.key[0]} = ?", value)
                    if row:
                        return row["found"]
    return None


def _closed(schema: Mapping[str, Any]) -> bool:
    """Whether the schema lists the values that there are, or is of a list that may stay empty and so says nothing."""
    if schema.get("type") == "array":
        return not schema.get("minItems")
    return "enum" in schema or "const" in schema or schema.get("type") == "boolean"


def _contents(wanted: Wanted) -> dict[str, list[Any]]:
    """Return the lists among the arguments that have to contain something, with that and nothing else."""
    lists: dict[str, list[Any]] = {}
    for part in wanted.own:
        match part:
            case g.Contains(g.Field("args", (name,)), g.Const() as item):
                lists.setdefault(name, []).append(item.value)
    return lists


def _shares(event: Event, equalities: Mapping[str, Any]) -> bool:
    known: Iterable[Any] = [*event.arguments.values()]
    if isinstance(event.result, dict):
        known = [*known, *event.result.values()]
    return any(isinstance(value, str) and value in known for value in equalities.values())
