"""The coverage-guided fuzzer: lawful traces of a given length, each with as much as possible that none had before.

    fuzzer = GuidedFuzzer(domain, seed=7, length=8)
    traces = [fuzzer.trace() for _ in range(40)]
    fuzzer.guide.transition_coverage()

Depth first, with real backtracking: every call is executed behind a savepoint. A branch is cut when the database
refuses the call, when a rule's automaton says that no lawful way to it exists, or when what is still owed would not
fit (LogiSafetyGen, arXiv 2601.08196, section 4). Among the calls that remain, those come first that make a new pair
with the one before, then those that start many new pairs; of several calls of one tool the one that shows most new
outcomes of guards and moves of rules. Where no single call makes a new pair, two are planned:
what the second needs is done before the first.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle, scenario_oracle
from lexgym.envs.planner import Planner
from lexgym.envs.spaces import draw
from lexgym.errors import GenerationError, MalformedCall
from lexgym.generators.feasible import Pair
from lexgym.generators.guide import Guide, Move
from lexgym.generators.related import keys
from lexgym.scenario import Scenario
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

DRAWS = 2
"""Argument draws tried for a tool at a node."""

WORKING = 8
"""Argument draws tried for a call that is planned."""

BRANCHES = 6
"""Continuations tried at a node before it is given up."""

SLACK = 4
"""Calls left over from which on it is tried how many calls close what is owed."""

PLANNED = 8
"""Pairs planned at a node where no single call makes a new one."""

COMPARED = 3
"""Of them, those that are compared."""

MAX_NODES = 600
"""Nodes of one search; the next one starts on another part of the business."""

SEARCHES = 12
"""Searches for one trace."""

REUSE = 0.7
"""How often an argument is one that an earlier call had."""

SHARED = 20
"""Traces made on one population."""


@dataclass
class Effort:
    """The work of all searches: nodes visited, and branches cut, by cause."""

    nodes: int = 0
    pruned: Counter[str] = field(default_factory=Counter)


class GuidedFuzzer:
    """Makes traces of `length` calls that keep every rule and leave nothing owed; same seed, same traces.

    `focus` names rules of which each trace has to bring one into play, `complexity` how many rules at least.
    By default it works on the domain's populations and rules; with `scenarios`, on their initial states and under
    the rules of the first. Raises `GenerationError` where the rules alone exclude the length.
    """

    def __init__(
        self,
        domain: Domain,
        seed: int,
        length: int,
        *,
        focus: Sequence[str] = (),
        complexity: int = 0,
        guide: Guide | None = None,
        scenarios: Sequence[Scenario] = (),
    ) -> None:
        self.domain, self.length, self.complexity = domain, length, complexity
        self.rng = random.Random(f"guided:{domain.name}:{seed}:{length}")
        own = scenario_oracle(scenarios[0]) if scenarios else None
        oracle = own or safety_oracle(domain.name)
        self.guide, self.effort = guide or Guide(domain, length, own), Effort()
        self.guide.possible.require(length)
        self._seed, self._made, self._scenarios = seed, 0, scenarios
        self._moves: frozenset[Move] = frozenset()
        self._attempts: Counter[Pair] = Counter()
        self._open: list[Pair] = []
        ids = [rule.id for rule in oracle.compiled.rules]
        if unknown := [name for name in focus if name not in ids]:
            raise GenerationError(f"no rule {unknown[0]!r} in {domain.name}; it has {', '.join(ids)}")
        self._focus = frozenset(ids.index(name) for name in focus)
        self._fresh = oracle.compiled.monitor().snapshot()
        self.monitor = oracle.compiled.monitor()
        self.planner = Planner(domain, self.rng)
        self.events: list[Event] = []
        self._populate()

    def trace(self) -> list[Event]:
        """Return the next trace; raise `GenerationError` where none is found."""
        if self._made and self._made % SHARED == 0:
            self._populate()
        for _ in range(SEARCHES):
            self.db.restore(self._start)
            self.monitor.restore(self._fresh)
            self.events, self._moves, self._until = [], frozenset(), self.effort.nodes + MAX_NODES
            self._anchor = self._draw_anchor()
            self._look_ahead()
            if self._search():
                self._made += 1
                self.guide.add(self.events, self._moves)
                return list(self.events)
        raise GenerationError(
            f"no lawful trace of {self.length} calls found in {self.effort.nodes} nodes; pruned: "
            f"{dict(self.effort.pruned)}"
        )

    def _populate(self) -> None:
        number = self._made // SHARED
        if self._scenarios:
            chosen = self._scenarios[(self._seed + number) % len(self._scenarios)]
            self.db = Database(self.domain.schema, clock=chosen.clock)
            self.db.load(chosen.initial, chosen.sequences)
        else:
            self.db = self.domain.database(self._seed * 1000 + number)
        self._start = self.db.snapshot()

    def _look_ahead(self) -> None:
        """Order the pairs that no trace had: those least tried first, and those with tools never called."""
        new = [pair for pair in sorted(self.guide.feasible) if pair not in self.guide.pairs]

        def rank(pair: Pair) -> tuple[int, bool]:
            return self._attempts[pair], all(name in self.guide.calls for name in pair)

        self._open = sorted(self.rng.sample(new, len(new)), key=rank)
        self._next = -1
        self._begun = Counter(one for one, _ in self.guide.pairs)

    def _draw_anchor(self) -> Any:
        if not self.domain.anchor:
            return None
        table, _, column = self.domain.anchor.partition(".")
        found = self.db.query(f"SELECT {column} AS value FROM {table} ORDER BY {column}")
        return self.rng.choice(found)["value"] if found else None

    def _search(self) -> bool:
        left = self.length - len(self.events)
        if left == 0:
            return self._complete()
        if self.effort.nodes >= self._until:
            return False
        owed = self._owed()
        if owed is None or len(owed) > left:
            return self._prune("owed")
        if owed and len(owed) + SLACK >= left:
            closing = self._closing()
            if closing is None or len(closing) > left:
                return self._prune("owed")
            if len(closing) == left:
                return self._branch(closing)
        return any(self._branch(calls) for calls in islice(self._continuations(owed, left), BRANCHES))

    def _complete(self) -> bool:
        if not all(self.monitor.satisfied):
            return self._prune("owed")
        if self._focus and not self._focus & self._played:
            return self._prune("focus")
        return len(self._played) >= self.complexity or self._prune("complexity")

    def _owed(self) -> list[ToolCall] | None:
        """Return calls that close what is owed; None where it can no longer be closed."""
        if all(self.monitor.satisfied):
            return []
        completion = self.monitor.completion()
        if completion is None:
            return None
        return [
            call
            for wanted in completion
            if wanted.tool
            for call in self.planner.calls_for(self.db, wanted, None, self.events)[:1]
        ]

    def _closing(self) -> list[ToolCall] | None:
        """Return calls that close what is owed, tried; None where it cannot be closed."""
        token = self.monitor.snapshot()
        self.db.begin()
        made = self.planner.discharge(self.db, self.monitor, self.events)
        self._back(token)
        return None if made is None else [event.call for event in made]

    def _branch(self, calls: Sequence[ToolCall]) -> bool:
        """Make calls that were tried already and everything after them; undo it all on failure."""
        self.effort.nodes += 1
        token, length, moves = self.monitor.snapshot(), len(self.events), self._moves
        self.db.begin()
        if all(self._make(call) for call in calls) and self._search():
            self.db.commit()
            return True
        self.db.rollback()
        self.monitor.restore(token)
        del self.events[length:]
        self._moves = moves
        return False

    def _make(self, call: ToolCall) -> bool:
        event = self.domain.tools.execute(self.db, call, step=len(self.events) + 1)
        if not self._lawful(event):
            return False
        self._moves |= self.guide.moves_of(self.monitor, event)
        self.db.clock += self.domain.tick
        self.monitor.step(event)
        self.events.append(event)
        return True

    def _lawful(self, event: Event) -> bool:
        if event.status is not Status.OK:
            return self._prune("refused")
        if self.monitor.peek(event):
            return self._prune("unlawful")
        return not self.monitor.dooms(event) or self._prune("doomed")

    # What may come next

    def _continuations(self, owed: Sequence[ToolCall], left: int) -> Iterator[Sequence[ToolCall]]:
        """Yield calls to go on with, tried, those that make new pairs first."""
        old: list[ToolCall] = []
        for name in self._tools():
            new = self._is_new(name)
            event = self._newest(name, owed) if new or len(old) < BRANCHES else None
            if event is not None and new:
                yield [event.call]
            elif event is not None:
                old.append(event.call)
        yield from self._planned(left - len(owed))
        yield from ([call] for call in old)

    def _newest(self, name: str, owed: Sequence[ToolCall]) -> Event | None:
        """Return what a lawful call of the tool would leave behind: of a few, the one with most that is new."""
        events = (self._probe(call) for call in self._draws(name, owed))
        lawful = [e for e in events if e is not None and not self.monitor.peek(e) and not self.monitor.dooms(e)]
        return max(lawful, key=self._novelty, default=None)

    def _novelty(self, event: Event) -> int:
        """Return how many guard outcomes and moves of rules an event would bring that no trace had."""
        outcomes, moves = self.guide.outcomes_of(event), self.guide.moves_of(self.monitor, event)
        return len(outcomes - self.guide.outcomes) + len(moves - self.guide.moves - self._moves)

    @property
    def _played(self) -> frozenset[int]:
        """The rules that the trace so far has brought into play."""
        return frozenset(rule for rule, _, letter in self._moves if letter)

    def _tools(self) -> list[str]:
        """Return the tools in the order in which they are tried.

        First those that bring rules into play which are asked for, then those never called, then those that make a
        new pair with the last call, and of these those that have started few pairs.
        """
        missing = self._missing_rules()
        called = {event.name for event in self.events}

        def rank(name: str) -> tuple[int, bool, bool, float]:
            near = sum(name in self.monitor.monitor(rule).automaton.readers for rule in missing)
            old = name in called or name in self.guide.calls
            return -near, old, not self._is_new(name), self._begun[name] + 4 * self.rng.random()

        return sorted(self.domain.tools, key=rank)

    def _missing_rules(self) -> frozenset[int]:
        """Return the rules of which one is asked for: those of the focus, or while too few are in play any other."""
        if self._focus and not self._focus & self._played:
            return self._focus
        if len(self._played) < self.complexity:
            return frozenset(range(len(self.monitor.rules.rules))) - self._played
        return frozenset()

    def _is_new(self, name: str) -> bool:
        """Whether a call of the tool makes a pair that no trace had; at the start, whether it was never called."""
        if not self.events:
            return name not in self.guide.calls
        pair = (self.events[-1].name, name)
        return pair not in self.guide.pairs and pair not in self._pairs()

    def _pairs(self) -> set[Pair]:
        return {(one.name, two.name) for one, two in zip(self.events, self.events[1:], strict=False)}

    def _planned(self, left: int) -> Iterator[Sequence[ToolCall]]:
        """Yield two calls that make a new pair, after what both need; the shortest of a few first."""
        had, found = self._pairs(), []
        for _ in range(min(PLANNED, len(self._open))):
            self._next = (self._next + 1) % len(self._open)
            pair = self._open[self._next]
            if pair in had:
                continue
            self._attempts[pair] += 1
            second = self._working(pair[1])
            made = self._pair(pair[0], second, left) if second else None
            if made:
                found.append(made)
            if len(found) == COMPARED:
                break
        yield from sorted(found, key=len)

    def _pair(self, first: str, second: ToolCall, left: int) -> list[ToolCall] | None:
        """Return what both calls need, and both, one after the other; None where that is not possible."""
        token = self.monitor.snapshot()
        self.db.begin()
        needs = self.planner.lawful(self.db, self.monitor, second, self.events)
        self._back(token)
        if needs is None or len(needs) >= left:
            return None
        self.db.begin()
        calls = self._run(needs[:-1])
        if calls is not None:
            calls = self._then(first, second, calls, left)
        self._back(token)
        return calls

    def _run(self, events: Sequence[Event]) -> list[ToolCall] | None:
        """Make calls that were made before on the same state."""
        for event in events:
            again = self.domain.tools.execute(self.db, event.call, step=event.step)
            if again.status is not Status.OK or self.monitor.peek(again):
                return None
            self.db.clock += self.domain.tick
            self.monitor.step(again)
        return [event.call for event in events]

    def _then(self, first: str, second: ToolCall, calls: list[ToolCall], left: int) -> list[ToolCall] | None:
        past = [*self.events, *(Event.ok(call, None) for call in calls)]
        for call in (self._working(first) for _ in range(DRAWS)):
            if call is None:
                continue
            token = self.monitor.snapshot()
            self.db.begin()
            made = self.planner.lawful(self.db, self.monitor, call, past)
            event = self.domain.tools.execute(self.db, second, step=0) if made is not None else None
            fits = made is not None and len(calls) + len(made) < left
            if event is not None and fits and event.status is Status.OK and not self.monitor.peek(event):
                self._back(token)
                return [*calls, *(one.call for one in made or ()), second]
            self._back(token)
        return None

    def _back(self, token: Any) -> None:
        self.db.rollback()
        self.monitor.restore(token)

    def _probe(self, call: ToolCall) -> Event | None:
        """Return what the call would leave behind; None where the database refuses it."""
        self.db.begin()
        event = self.domain.tools.execute(self.db, call, step=len(self.events) + 1)
        self.db.rollback()
        if event.status is not Status.OK:
            self._prune("refused")
            return None
        return event

    # Arguments

    def _draws(self, name: str, owed: Sequence[ToolCall]) -> Iterator[ToolCall]:
        """Yield calls of a tool: what is owed, then with arguments drawn, often such that earlier calls had."""
        yield from (call for call in owed if call.name == name)
        seen: list[ToolCall] = []
        for _ in range(DRAWS):
            call = self._call(name, self._anchor, REUSE)
            if call is not None and call not in seen:
                seen.append(call)
                yield call

    def _working(self, name: str) -> ToolCall | None:
        """Return a call of a tool that the database takes now, if need be about another part of the business."""
        for attempt in range(WORKING):
            elsewhere = attempt >= DRAWS
            call = self._call(name, self._draw_anchor() if elsewhere else self._anchor, 0.0 if elsewhere else REUSE)
            if call is not None and self._probe(call) is not None:
                return call
        return None

    def _call(self, name: str, anchor: Any, reuse: float) -> ToolCall | None:
        arguments: dict[str, Any] = {}
        for parameter in self.domain.tools[name].parameters:
            if not parameter.required and self.rng.random() < 0.5:
                continue
            options = self._options(parameter, anchor, reuse)
            if options is not None and not options:
                return None
            value = draw(self.domain, parameter, self.rng) if options is None else self.rng.choice(options)
            arguments[parameter.name] = value
        try:
            return self.domain.tools.parse(ToolCall(name, arguments))
        except MalformedCall:
            return None

    def _options(self, parameter: Parameter, anchor: Any, reuse: float) -> list[Any] | None:
        """Return the values to choose from; None where the value is free."""
        if self.rng.random() < reuse:
            known = [e.arguments[parameter.name] for e in self.events if parameter.name in e.arguments]
            if known:
                return known
        if parameter.ref is None:
            return None
        found = keys(self.domain, self.db, parameter.ref.column, anchor)
        return [[key] for key in found] if parameter.schema.get("type") == "array" else found

    def _prune(self, why: str) -> bool:
        self.effort.pruned[why] += 1
        return False
