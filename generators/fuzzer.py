"""The logic-guided fuzzer: depth-first search for a trace that executes and keeps every rule.

    fuzz = Fuzzer(domain, seed=7)
    events = fuzz.trace(goals=3)          # every obligation met, every lookup made before it is needed

Each node tries one business call. A branch is cut when the database refuses the call, when a rule's
automaton says that no lawful way to it exists, or when the obligations still open would not fit. Backtracking
is a rollback to a savepoint and a monitor snapshot (LogiSafetyGen, arXiv 2601.08196, section 4).
"""

import json
import random
from collections import Counter
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.envs.planner import Planner
from lexgym.envs.spaces import draw
from lexgym.errors import GenerationError, MalformedCall
from lexgym.generators.changes import RowKey, changes, rows
from lexgym.generators.related import keys
from lexgym.generators.wording import describe

DRAWS = 3
"""Argument draws tried per tool at a node."""

MAX_NODES = 400


class Fuzzer:
    """One search on one freshly populated database; same seed, same trace."""

    def __init__(self, domain: Domain, seed: int, *, max_length: int = 60) -> None:
        self.domain, self.max_length = domain, max_length
        self.rng = random.Random(f"fuzz:{domain.name}:{seed}")
        self.db = domain.database(seed)
        self.monitor = safety_oracle(domain.name).compiled.monitor()
        self.planner = Planner(domain, self.rng)
        self.events: list[Event] = []
        self.pruned: Counter[str] = Counter()
        self.nodes = 0
        self._touched: set[RowKey] = set()
        table, _, column = domain.anchor.partition(".")
        self.anchor = self.rng.choice(self.db.query(f"SELECT * FROM {table} ORDER BY {column}"))
        self.goals = [name for name in domain.phrases["tools"] if name not in domain.safety_critical]

    @property
    def focus(self) -> Any:
        """The key of the row that the episode is about."""
        return self.anchor[self.domain.anchor.partition(".")[2]]

    def trace(self, goals: int) -> list[Event]:
        """Return a lawful trace with this many business calls; raise `GenerationError` if none is found."""
        if not self._search(goals):
            raise GenerationError(
                f"no lawful trace of {goals} goals for {self.focus} in {self.nodes} nodes; pruned: {dict(self.pruned)}"
            )
        return self.events

    def _search(self, goals: int) -> bool:
        if goals == 0:
            owed = self.planner.discharge(self.db, self.monitor, self.events)
            self.events += owed or []
            return owed is not None
        used = {event.name for event in self.events}
        order = sorted(self.goals, key=lambda name: (name in used, self.rng.random()))
        for name in order:
            for _ in range(DRAWS):
                if self.nodes >= MAX_NODES:
                    return False
                call = self._draw(name)
                if call is not None and self._branch(call, goals):
                    return True
        return False

    def _branch(self, call: ToolCall, goals: int) -> bool:
        """Try one call and everything below it; undo it all on failure."""
        self.nodes += 1
        self.db.begin()
        token, length, touched = self.monitor.snapshot(), len(self.events), set(self._touched)
        if self._extend(call) and self._search(goals - 1):
            self.db.commit()
            return True
        self.db.rollback()
        self.monitor.restore(token)
        del self.events[length:]
        self._touched = touched
        return False

    def _extend(self, call: ToolCall) -> bool:
        before = rows(self.domain, self.db)
        if not self._executes(call):
            self.pruned["refused"] += 1
            return False
        if not self._reveal(call):
            self.pruned["not revealed"] += 1
            return False
        made = self.planner.lawful(self.db, self.monitor, call, self.events)
        if made is None:
            self.pruned["unlawful"] += 1
            return False
        self.events += made
        distance = self.monitor.distance
        if distance is None or len(self.events) + distance > self.max_length:
            self.pruned["obligations"] += 1
            return False
        changed = changes(before, rows(self.domain, self.db), call)
        if not changed or changed & self._touched:
            self.pruned["no effect" if not changed else "contradicts"] += 1
            return False
        self._touched |= changed
        return True

    def _executes(self, call: ToolCall) -> bool:
        self.db.begin()
        event = self.domain.tools.execute(self.db, call, step=0)
        self.db.rollback()
        return event.status is Status.OK

    def _draw(self, name: str) -> ToolCall | None:
        arguments: dict[str, Any] = {}
        for parameter in self.domain.tools[name].parameters:
            if not parameter.required and self.rng.random() < 0.5:
                continue
            if parameter.ref is None:
                arguments[parameter.name] = draw(self.domain, parameter, self.rng)
                continue
            options = keys(self.domain, self.db, parameter.ref.column, self.focus)
            if not options:
                return None
            arguments[parameter.name] = self.rng.choice(options)
        try:
            return self.domain.tools.parse(ToolCall(name, arguments))
        except MalformedCall:
            return None

    def _reveal(self, call: ToolCall) -> bool:
        """Make the lookups that show the keys which the call needs and a person would not say."""
        for parameter in self.domain.tools[call.name].parameters:
            value = call.arguments.get(parameter.name)
            if parameter.ref is None or value is None:
                continue
            text = describe(self.domain, self.db, parameter.ref.column, value)
            options = keys(self.domain, self.db, parameter.ref.column, self.focus)
            if text is None or self._ambiguous(parameter.ref.column, text, options):
                return False
            if str(value) not in text and not self._known(value) and not self._look_up(value, call):
                return False
        return True

    def _ambiguous(self, column: str, text: str, options: list[Any]) -> bool:
        return [describe(self.domain, self.db, column, option) for option in options].count(text) > 1

    def _known(self, value: Any) -> bool:
        return any(json.dumps(value) in json.dumps(event.result) for event in self.events)

    def _look_up(self, value: Any, call: ToolCall) -> bool:
        for name, tool in self.domain.tools.items():
            if name in self.domain.phrases["tools"] or name in self.domain.safety_critical:
                continue
            sources = {**self.anchor, **call.arguments}
            needed = [p.name for p in tool.parameters if p.required]
            if not all(p in sources for p in needed) or any(sources[p] == value for p in needed):
                continue
            look_up = ToolCall(name, tool.validate({p: sources[p] for p in needed}))
            self.db.begin()
            event = self.domain.tools.execute(self.db, look_up, step=0)
            self.db.rollback()
            if event.status is Status.OK and json.dumps(value) in json.dumps(event.result):
                made = self.planner.lawful(self.db, self.monitor, look_up, self.events)
                if made is not None:
                    self.events += made
                    return True
        return False
