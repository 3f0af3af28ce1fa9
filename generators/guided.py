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
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle, scenario_oracle
from lexgym.envs.planner import Planner
from lexgym.errors import GenerationError, near_miss
from lexgym.generators.chains import Chains
from lexgym.generators.draws import Draws
from lexgym.generators.feasible import Pair
from lexgym.generators.guide import Effort, Guide, Move
from lexgym.scenario import Scenario
from lexgym.tools.database import Database

DRAWS = 2
"""Argument draws tried for a tool at a node."""

BRANCHES = 6
"""Continuations tried at a node before it is given up."""

DEAR = 1.2
"""How much more than on average a further pair may cost when a chain is made longer."""

HARD = 2.4
"""Price from which on twice as many arguments are drawn: calls for each new pair, with `DEAR`."""

SLACK = 4
"""Calls left over from which on it is tried how many calls close what is owed."""

PLANNED = 8
"""Pairs planned at a node where no single call makes a new one."""

WEIGHT = 16
"""Pairs that a tool may have started more than another that leaves one thing less owed, and still come first."""

FIRST = 1
"""Pairs with tools never called that a trace may begin with, and as many of which the first call needs the second."""

AHEAD = 200
"""Pairs chosen for a trace to be planned."""

COMPARED = 3
"""Of them, those that are compared."""

MAX_NODES = 600
"""Nodes of one search; the next one starts on another part of the business."""

MANY = 20
"""Calls owed from which on they are made at once."""

DEEP = 150
"""Branches that can be taken back, in a trace that has as many calls before it: more savepoints make SQLite slow."""

SEARCHES = 12
"""Searches for one trace."""

SHARED = 20
"""Traces made on one population."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """What to go back to: the monitor's state, the number of calls, and the moves of rules."""

    token: Any
    length: int
    moves: frozenset[Move]


class GuidedFuzzer:
    """Makes traces of `length` calls that keep every rule and leave nothing owed; same seed, same traces.

    `focus` names rules of which each trace has to bring one into play, `complexity` how many rules at least.
    By default it works on the domain's populations and rules; with `scenarios`, on their initial states and under
    the rules of the first. `progress` is told how many calls the trace has that is being made. Raises
    `GenerationError` where the rules alone exclude the length.
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
        progress: Callable[[int], object] = int,
    ) -> None:
        self.domain, self.length, self.complexity = domain, length, complexity
        self.rng = random.Random()
        own = scenario_oracle(scenarios[0]) if scenarios else None
        oracle = own or safety_oracle(domain.name)
        self.guide, self.effort = guide or Guide(domain, length, own), Effort()
        self.guide.possible.require(length)
        self._seed, self._made, self._scenarios, self.progress = seed, 0, scenarios, progress
        self._moves: frozenset[Move] = frozenset()
        self._open = sorted(self.guide.feasible - self.guide.pairs.keys())
        self._first: deque[Pair] = deque()
        self._ahead: deque[Pair] = deque()
        self._begun = Counter(one for one, _ in self.guide.pairs)
        self._new: deque[int] = deque(maxlen=10)
        ids = [rule.id for rule in oracle.compiled.rules]
        if unknown := [name for name in focus if name not in ids]:
            raise GenerationError(f"no rule {unknown[0]!r} in {domain.name}{near_miss(unknown[0], ids)}")
        self._focus = frozenset(ids.index(name) for name in focus)
        self._fresh = oracle.compiled.monitor().snapshot()
        self.monitor = oracle.compiled.monitor()
        self.planner = Planner(domain, self.rng)
        self.events: list[Event] = []
        self._had: Counter[Pair] = Counter()
        self._called: Counter[str] = Counter()
        self._populate()

    def trace(self) -> list[Event]:
        """Return the next trace; raise `GenerationError` where none is found."""
        self._begin()
        for _ in range(SEARCHES):
            self._reset()
            self._until = self.effort.nodes + MAX_NODES + self.length
            self.draws.choose_anchor()
            self._look_ahead()
            if self._search():
                return self._keep()
        pruned = ", ".join(f"{count:,} {why}" for why, count in self.effort.pruned.most_common() if count)
        raise GenerationError(
            f"no lawful trace of {self.length} calls found in {self.effort.nodes:,} nodes (pruned: {pruned}); "
            f"more calls{' or fewer rules to bring into play' if self._focus or self.complexity else ''} may help"
        )

    @property
    def about(self) -> Any:
        """The row that the last trace is about."""
        return self.draws.anchor

    def take(self, calls: Sequence[ToolCall], about: Any) -> list[Event]:
        """Take a trace made before as the next one; raise `GenerationError` where it is none of these traces."""
        self._begin()
        self._reset()
        self.draws.anchor = about
        known = len(calls) == self.length and all(call.name in self.domain.tools for call in calls)
        if not known or not all(self._make(call) for call in calls) or not self._complete():
            raise GenerationError(
                f"trace {self._made + 1} is none of the traces of {self.length} calls that {self.domain.name} makes"
            )
        return self._keep()

    def _begin(self) -> None:
        """Prepare for the next trace, which depends on its number and what the earlier traces were."""
        self.rng.seed(f"guided:{self.domain.name}:{self._seed}:{self.length}:{self._made}")
        if self._made and self._made % SHARED == 0:
            self.db.close()
            self._populate()
        self.chains.price = DEAR * self.length * len(self._new) / (1 + sum(self._new)) if self._new else 1.0

    def _reset(self) -> None:
        self.db.restore(self._start)
        self.monitor.restore(self._fresh)
        self.draws.forget_keys()
        self.events, self._moves = [], frozenset()
        self._had, self._called = Counter(), Counter()

    def _keep(self) -> list[Event]:
        self._made += 1
        had = len(self.guide.pairs)
        self.guide.add(self.events, self._moves)
        self._new.append(len(self.guide.pairs) - had)
        self._open = [pair for pair in self._open if pair not in self.guide.pairs]
        self._begun = Counter(one for one, _ in self.guide.pairs)
        self.draws.remember(self.events)
        return list(self.events)

    def _populate(self) -> None:
        number = self._made // SHARED
        if self._scenarios:
            chosen = self._scenarios[(self._seed + number) % len(self._scenarios)]
            self.db = Database(self.domain.schema, clock=chosen.clock)
            self.db.load(chosen.initial, chosen.sequences)
        else:
            self.db = self.domain.database(self._seed * 1000 + number)
        self._start = self.db.snapshot()
        self.draws = Draws(self.domain, self.db, self.rng)
        self.chains = Chains(self.planner, self.db, self.monitor, self.draws, self.guide, self.effort)

    def _look_ahead(self) -> None:
        """Choose pairs that no trace had, to be planned: a few with safety-critical tools never called, and any."""
        never = self.guide.callable_critical - self.guide.calls.keys()
        fresh = [pair for pair in self._open if not never.isdisjoint(pair)]
        owed = [pair for pair in fresh if pair[1] in self.guide.possible.needed.by(pair[0]) and pair[1] in never]
        self._first = deque(pair for some in (owed, fresh) for pair in self.rng.sample(some, min(FIRST, len(some))))
        self._before: dict[str, list[str]] = {}
        for one, two in self._open:
            self._before.setdefault(two, []).append(one)
        self._ahead = deque(self.rng.sample(self._open, min(AHEAD, len(self._open))))

    def _search(self) -> bool:
        """Make the trace, call after call; where it cannot go on, take back the last calls and go on otherwise."""
        made: list[tuple[Iterator[Sequence[ToolCall]], _Mark]] = []
        ways = self._ways()
        while self.effort.nodes < self._until:
            if len(self.events) == self.length and self._complete():
                self._settle(made)
                return True
            if len(made) >= DEEP and self.length - len(self.events) > DEEP:
                self._settle(made)
            calls = next(ways, None)
            if calls is not None:
                self.effort.nodes += 1
                made.append((ways, self._begin_branch()))
                ways = self._ways() if all(self._make(call) for call in calls) else iter(())
                self.progress(len(self.events))
            elif made:
                ways, mark = made.pop()
                self._undo(mark)
            else:
                return False
        for _, mark in reversed(made):
            self._undo(mark)
        return False

    def _settle(self, made: list[tuple[Iterator[Sequence[ToolCall]], _Mark]]) -> None:
        """Keep the calls made so far for good."""
        for _ in made:
            self.db.commit()
        made.clear()

    def _ways(self) -> Iterator[Sequence[ToolCall]]:
        """Yield calls to go on with, tried, as far as what is owed leaves room."""
        left = self.length - len(self.events)
        owed = self._owed() if left else None
        if owed is None or len(owed) > left:
            self.effort.pruned["owed"] += left > 0
            return
        if owed and len(owed) + SLACK >= left:
            closing = self._closing()
            if closing is None or len(closing) > left:
                self.effort.pruned["owed"] += 1
                return
            if len(closing) == left:
                yield closing
                return
        if len(owed) >= MANY and (closing := self._closing()):
            yield closing
        yield from islice(self._continuations(owed, left), BRANCHES)

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

    def _begin_branch(self) -> "_Mark":
        self.db.begin()
        return _Mark(self.monitor.snapshot(), len(self.events), self._moves)

    def _undo(self, mark: "_Mark") -> None:
        self._back(mark.token)
        while len(self.events) > mark.length:
            self._count_last(-1)
            self.events.pop()
        self._moves = mark.moves

    def _count_last(self, by: int) -> None:
        """Count the last call, and the pair that it is with the one before."""
        self._called[self.events[-1].name] += by
        if len(self.events) > 1:
            self._had[self.events[-2].name, self.events[-1].name] += by

    def _make(self, call: ToolCall) -> bool:
        event = self.domain.tools.execute(self.db, call, step=len(self.events) + 1)
        if not self._lawful(event):
            return False
        self._moves |= self.guide.moves_of(self.monitor, event)
        self.db.clock += self.domain.tick
        self.monitor.step(event)
        self.events.append(event)
        self._count_last(1)
        self.draws.forget_keys()
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
        if not self.events:
            yield from self._planned(self._first, left)
        old: list[ToolCall] = []
        for name in self._tools():
            new = self._is_new(name)
            event = self._newest(name, owed) if new or len(old) < BRANCHES else None
            if event is not None and new:
                yield [event.call]
            elif event is not None:
                old.append(event.call)
        yield from self._planned(self._ahead, left - len(owed))
        yield from ([call] for call in old)

    def _newest(self, name: str, owed: Sequence[ToolCall]) -> Event | None:
        """Return what a lawful call of the tool would leave behind: of a few, the one with most that is new."""
        events = (self._probe(call) for call in self._draws(name, owed))
        lawful = [event for event in events if event is not None and not self.monitor.peek(event)]
        lawful.sort(key=self._novelty, reverse=True)
        return next((event for event in lawful if not self.monitor.dooms(event)), None)

    def _novelty(self, event: Event) -> int:
        """Return how many guard outcomes and moves of rules an event would bring that no trace had."""
        outcomes, moves = self.guide.outcomes_of(event), self.guide.moves_of(self.monitor, event)
        return len(outcomes - self.guide.outcomes) + len(moves - self.guide.moves - self._moves)

    @property
    def _played(self) -> frozenset[int]:
        """The rules that the trace so far has brought into play."""
        return frozenset(rule for rule, _, letter in self._moves if letter)

    def _tools(self) -> list[str]:
        """Return the tools of which some call may be lawful, in the order in which they are tried.

        First those that bring rules into play which are asked for, then those never called, then those that make a
        new pair with the last call, and of these those that have started few pairs.
        """
        missing = self._missing_rules()

        def rank(name: str) -> tuple[int, bool, bool, float]:
            near = sum(name in self.monitor.monitor(rule).automaton.readers for rule in missing)
            old = name in self.guide.calls or self._called[name] > 0
            late = self._begun[name] + WEIGHT * self.guide.burden[name] + 4 * self.rng.random()
            return -near, old, not self._is_new(name), late

        forbidden = self.monitor.forbidden - self.guide.loose
        return sorted((name for name in self.domain.tools if name not in forbidden), key=rank)

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
        return pair not in self.guide.pairs and not self._had[pair]

    def _planned(self, pairs: deque[Pair], left: int) -> Iterator[Sequence[ToolCall]]:
        """Yield two calls that make a new pair, after what both need; of a few, with least that is old, first."""
        found = []

        def before(name: str) -> list[str]:
            return [one for one in self._before.get(name, ()) if not self._had[one, name]]

        for _ in range(min(PLANNED, len(pairs))):
            pairs.rotate(-1)
            calls = None if self._had[pairs[-1]] else self.chains.plan(pairs[-1], self.events, left, before)
            if calls:
                found.append(calls)
            if len(found) == COMPARED:
                break
        yield from sorted(found, key=self._cost)

    def _cost(self, calls: Sequence[ToolCall]) -> float:
        """Return how many calls are made, or owed later, for each new pair."""
        names = [event.name for event in self.events[-1:]] + [call.name for call in calls]
        made = {pair for pair in pairwise(names) if pair not in self.guide.pairs and not self._had[pair]}
        return (len(calls) + sum(self.guide.burden[call.name] for call in calls)) / max(1, len(made))

    def _back(self, token: Any) -> None:
        self.db.rollback()
        self.monitor.restore(token)
        self.draws.forget_keys()

    def _probe(self, call: ToolCall) -> Event | None:
        """Return what the call would leave behind; None where the database refuses it."""
        self.db.begin()
        event = self.domain.tools.execute(self.db, call, step=len(self.events) + 1)
        self.db.rollback()
        if event.status is not Status.OK:
            self._prune("refused")
            return None
        return event

    def _draws(self, name: str, owed: Sequence[ToolCall]) -> Iterator[ToolCall]:
        """Yield calls of a tool: what is owed, then with arguments drawn."""
        yield from (call for call in owed if call.name == name)
        seen: list[ToolCall] = []
        for _ in range(DRAWS if self.chains.price < HARD else 2 * DRAWS):
            call = self.draws.call(name, self.events)
            if call is not None and call not in seen:
                seen.append(call)
                yield call

    def _prune(self, why: str) -> bool:
        self.effort.pruned[why] += 1
        return False
