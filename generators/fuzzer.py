"""The logic-guided fuzzer: depth-first search for a trace that executes and keeps every rule.

    fuzz = Fuzzer(domain, seed=7)
    events = fuzz.trace(goals=3)          # every obligation met, every lookup made before it is needed

Each node tries one business call. A branch is cut when the database refuses the call, when a rule's
automaton says that no lawful way to it exists, or when the obligations still open would not fit. Backtracking
is a rollback to a savepoint and a monitor snapshot (LogiSafetyGen, arXiv 2601.08196, section 4).

With `refuse`, one of the goals is a call that would execute but that a check or a rule forbids: the trace has the
check that said no and the record of the refusal in its place. It names the tools to choose from, each with the check
or the rule. With `targets`, the calls that lead to one of them are tried first, for the first goal those of the first;
with `insist`, no others for that goal, and a trace that misses the first target does not count.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.envs.planner import Ground, Planner
from lexgym.envs.refusals import REASON
from lexgym.errors import GenerationError
from lexgym.generators.changes import RowKey, Rows, changes, ended, named, rows
from lexgym.generators.lookups import Lookups
from lexgym.generators.related import draw_call
from lexgym.generators.sequels import Sequels
from lexgym.generators.targets import Target
from lexgym.scenario import Dump

DRAWS = 3
"""Argument draws tried per tool at a node."""

REFUSED_DRAWS = 12
"""Draws tried for a call that is forbidden, per tool and check or rule."""

REFUSED_KEPT = 3
"""Of them, those that are tried in the trace."""

TARGET_DRAWS = 12
"""Draws tried for a call that is a target."""

SEQUELS = 0.3
"""Share of the traces in which each request follows from the one before, where that is possible."""

MAX_NODES = 200


@dataclass(frozen=True, slots=True)
class Refused:
    """The call that was refused, why, and the places in the trace of its first check and of its record."""

    call: ToolCall
    ground: Ground
    first: int
    place: int


Request: TypeAlias = tuple[ToolCall, bool]
"""A call that is asked for, and whether it is refused."""


Matter: TypeAlias = tuple[str, bool]
"""What a request is about, in words of the record of its refusal, and whether this record is what is asked for."""


@dataclass(frozen=True, slots=True)
class _Node:
    """What a branch may change and gets back when it fails."""

    touched: frozenset[RowKey]
    named: frozenset[Any]
    matters: frozenset[Matter]
    ended: frozenset[Any]
    rows: Rows
    refused: Refused | None
    requests: tuple[Request, ...] = ()


class Fuzzer:
    """One search on one freshly populated database; same seed, same trace."""

    def __init__(
        self,
        domain: Domain,
        seed: int,
        *,
        max_length: int = 60,
        targets: Sequence[Target] = (),
        insist: bool = False,
    ) -> None:
        self.domain, self.seed, self.max_length = domain, seed, max_length
        self.targets, self.insist = targets, insist and bool(targets)
        self.rng = random.Random(f"fuzz:{domain.name}:{seed}")
        self.db = domain.database(seed)
        self.monitor = safety_oracle(domain.name).compiled.monitor()
        self.planner = Planner(domain, self.rng)
        self.events: list[Event] = []
        self.pruned: Counter[str] = Counter()
        self.nodes = 0
        table, _, column = domain.anchor.partition(".")
        self.anchor = self.rng.choice(self.db.query(f"SELECT * FROM {table} ORDER BY {column}"))
        first = self.targets[0].tool if self.targets else None
        self.lookups = Lookups(domain, self.db, self.anchor, self.rng, first)
        self.goals = [name for name in domain.phrases["tools"] if name not in domain.safety_critical]
        self._start = rows(domain, self.db)
        self._node = _Node(frozenset(), frozenset(), frozenset(), frozenset(), self._start, None)
        self._sequels = Sequels(domain, self.rng)
        self._follow = self.rng.random() < SEQUELS
        self._wanted = self._refuse_at = 0
        self._forbidden: list[ToolCall] = []

    @property
    def focus(self) -> Any:
        """The key of the row that the episode is about."""
        return self.anchor[self.domain.anchor.partition(".")[2]]

    @property
    def refused(self) -> Refused | None:
        """The goal that was refused, if one was."""
        return self._node.refused

    @property
    def requests(self) -> tuple[Request, ...]:
        """What was asked for, in order."""
        return self._node.requests

    def again(self, requests: Sequence[Request]) -> Dump | None:
        """Return where the same requests in this order lead on a fresh database, None where not all can be met."""
        other = Fuzzer(self.domain, self.seed, max_length=self.max_length)
        met = all(other._extend(call, refuse) for call, refuse in requests) and other._end()
        return other.db.dump(self.domain.business) if met else None

    def trace(self, goals: int, *, refuse: Sequence[tuple[str, str]] = ()) -> list[Event]:
        """Return a lawful trace with this many business calls; raise `GenerationError` if none is found.

        One of them is a refusal where `refuse` has pairs of a tool and what forbids it: a check, or a rule.
        """
        self._wanted = goals
        self._refuse_at = self.rng.randint(1, goals) if refuse else 0
        self._forbidden = [call for name, by in refuse for call in self._find_forbidden(name, by)]
        if (refuse and not self._forbidden) or not self._search(goals):
            wanted = f"{goals} goals, one of them refused," if refuse else f"{goals} goals"
            raise GenerationError(
                f"no lawful trace of {wanted} for {self.focus} in {self.nodes} nodes; pruned: {dict(self.pruned)}"
            )
        if self.insist and not self.targets[0].reached(self.events):
            raise GenerationError(f"the trace found for {self.focus} misses {self.targets[0]}")
        return self.events

    def _find_forbidden(self, name: str, by: str) -> list[ToolCall]:
        """Return calls that one check or rule forbids from the start, so that the order of requests is free."""
        drawn: list[ToolCall] = []
        for _ in range(REFUSED_DRAWS):
            call = draw_call(self.domain, self.db, name, self.focus, self.rng)
            if call is not None and call not in drawn:
                drawn.append(call)
        return list(islice((call for call in drawn if self._ground(call, by)), REFUSED_KEPT))

    def _search(self, goals: int) -> bool:
        if goals == 0:
            return self._end()
        refuse = goals == self._refuse_at
        for call in self._forbidden if refuse else self._draws(goals):
            if self.nodes >= MAX_NODES:
                return False
            if self._branch(call, goals, refuse):
                return True
        return False

    def _draws(self, goals: int) -> Iterator[ToolCall]:
        """Yield calls that could be asked for next: those that lead to a target first, then tools not yet used."""
        if self.targets:
            yield from self._leading(self.targets[(self._wanted - goals) % len(self.targets)])
            if self.insist and goals == self._wanted and self._can_lead(self.targets[0]):
                return
        if before := self._before():
            if self.targets and self.targets[0].rule and not self.targets[0].reached(self.events):
                yield from self._sequels.calls(self.db, self.focus, before, self.targets[0].rule)
            if self._follow:
                yield from self._sequels.calls(self.db, self.focus, before)
        used = {event.name for event in self.events}
        for name in sorted(self.goals, key=lambda name: (name in used, self.rng.random())):
            for _ in range(DRAWS):
                call = draw_call(self.domain, self.db, name, self.focus, self.rng)
                if call is not None:
                    yield call

    def _before(self) -> Event | None:
        """Return the act that was asked for last, None where it was refused."""
        if not self.requests or self.requests[-1][1]:
            return None
        return next((event for event in reversed(self.events) if event.call == self.requests[-1][0]), None)

    def _can_lead(self, target: Target) -> bool:
        return bool(target.ways) or self.lookups.reads(target.tool)

    def _leading(self, target: Target) -> Iterator[ToolCall]:
        """Yield calls that lead to a target not yet reached: to a lookup, those that need what it shows."""
        if target.reached(self.events):
            return
        if self.lookups.reads(target.tool):
            for name in self.rng.sample(self.goals, len(self.goals)):
                for _ in range(DRAWS):
                    call = draw_call(self.domain, self.db, name, self.focus, self.rng)
                    if call is not None and self.lookups.needs(target.tool, call, self.events):
                        yield call
        for name in self.rng.sample(target.ways, len(target.ways)):
            for _ in range(TARGET_DRAWS):
                call = draw_call(self.domain, self.db, name, self.focus, self.rng)
                if call is not None and (target.rule or name != target.tool or target.reached([self._probe(call)])):
                    yield call

    def _end(self) -> bool:
        owed = self.planner.discharge(self.db, self.monitor, self.events)
        if owed is None:
            self.pruned["obligations"] += 1
            return False
        self.events += owed
        if self.refused and not self._stays_forbidden(self.refused):
            self.pruned["forbidden only for now"] += 1
            return False
        return True

    def _branch(self, call: ToolCall, goals: int, refuse: bool) -> bool:
        """Try one call and everything below it; undo it all on failure."""
        self.nodes += 1
        self.db.begin()
        token, length, node = self.monitor.snapshot(), len(self.events), self._node
        if self._extend(call, refuse) and self._search(goals - 1):
            self.db.commit()
            return True
        self.db.rollback()
        self.monitor.restore(token)
        del self.events[length:]
        self._node = node
        return False

    def _extend(self, call: ToolCall, refuse: bool) -> bool:
        changed = self._changed(call)
        if changed is None:
            return False
        if not self._reveal(call):
            return self._prune("not revealed")
        if not (self._decline(call) if refuse else self._do(call)):
            return False
        distance = self.monitor.distance
        if distance is None or len(self.events) + distance > self.max_length:
            return self._prune("obligations")
        after, node = rows(self.domain, self.db), self._node
        self._node = replace(
            node,
            touched=node.touched | changed,
            named=node.named | named(call),
            matters=node.matters | self._matters(call),
            ended=node.ended | ended(node.rows, after),
            rows=after,
            requests=(*node.requests, (call, refuse)),
        )
        return True

    def _changed(self, call: ToolCall) -> set[RowKey] | None:
        """Return the rows that the call would set; None where it is of no use."""
        if any(call == asked for asked, _ in self.requests):
            self._prune("repeated")
            return None
        if self._unsettled(call):
            self._prune("made by another request")
            return None
        self.db.begin()
        event = self.domain.tools.execute(self.db, call, step=0)
        after = rows(self.domain, self.db) if event.status is Status.OK else None
        self.db.rollback()
        node = self._node
        if after is None or after == node.rows:
            self._prune("refused" if after is None else "no effect")
            return None
        changed = changes(node.rows, after, call)
        closes = ended(node.rows, after) & node.named or named(call) & node.ended
        if changed & node.touched or closes or self._both_ways(call):
            self._prune("contradicts")
            return None
        return changed

    def _unsettled(self, call: ToolCall) -> bool:
        """Whether the call names a row that has to be there from the start, and was not."""
        return any(
            (p.ref.column.partition(".")[0], (call.arguments[p.name],)) not in self._start
            for p in self.domain.tools[call.name].parameters
            if p.ref and p.ref.column in self.domain.settled and p.name in call.arguments
        )

    def _matters(self, call: ToolCall) -> frozenset[Matter]:
        """Return what a call is about, where it can be refused or puts a refusal on record."""
        refusals = self.domain.refusals
        if call.name in refusals:
            return frozenset({(str(refusals[call.name].record(self.domain.tools, call, "")), False)})
        if any(call.name == refusal.tool for refusal in refusals.values()):
            return frozenset({(str(ToolCall(call.name, {**call.arguments, REASON: ""})), True)})
        return frozenset()

    def _both_ways(self, call: ToolCall) -> bool:
        """Whether a call does what another request wants declined, or declines what another one is about."""
        known = self._node.matters
        return any(
            (what, True) in known or (declined and (what, False) in known) for what, declined in self._matters(call)
        )

    def _do(self, call: ToolCall) -> bool:
        self.db.begin()
        token = self.monitor.snapshot()
        made = self.planner.lawful(self.db, self.monitor, call, self.events)
        if made is None:
            self.db.rollback()
            self.monitor.restore(token)
            return self._prune("unlawful")
        self.db.commit()
        self.events += made
        return True

    def _decline(self, call: ToolCall) -> bool:
        """Have the call refused on record."""
        ground = self._ground(call)
        if ground is None:
            return self._prune("not forbidden")
        made = self.planner.decline(self.db, self.monitor, call, self.events, ground)
        if made is None:
            return self._prune("no lawful refusal")
        self.events += made
        first, place = len(self.events) - len(made), len(self.events) - 1
        self._node = replace(self._node, refused=Refused(call, ground, first, place))
        return True

    def _ground(self, call: ToolCall, by: str | None = None) -> Ground | None:
        """Return why the call must be refused (by this check or rule), where all in its way gives one reason."""
        grounds = self.planner.grounds(self.db, self.monitor, call, self.events, by)
        if len({ground.reason for ground in grounds}) != 1 or grounds[0].reason is None:
            return None
        return next((ground for ground in grounds if by in (None, ground.by)), None)

    def _stays_forbidden(self, refused: Refused) -> bool:
        """Whether nothing done since has made the call lawful, as in another order of the requests it would be."""
        if not self._executes(refused.call):
            return True
        ground = self._ground(refused.call)
        return ground.reason == refused.ground.reason if ground else not self._can_be_done(refused.call)

    def _can_be_done(self, call: ToolCall) -> bool:
        """Whether the call could be made lawfully now, after whatever it needs."""
        self.db.begin()
        token = self.monitor.snapshot()
        made = self.planner.lawful(self.db, self.monitor, call, self.events)
        self.db.rollback()
        self.monitor.restore(token)
        return made is not None

    def _executes(self, call: ToolCall) -> bool:
        return self._probe(call).status is Status.OK

    def _probe(self, call: ToolCall) -> Event:
        """Return what the call would leave behind now."""
        self.db.begin()
        event = self.domain.tools.execute(self.db, call, step=0)
        self.db.rollback()
        return event

    def _prune(self, why: str) -> bool:
        self.pruned[why] += 1
        return False

    def _reveal(self, call: ToolCall) -> bool:
        """Make the lookups that show the keys which the call needs and a person would not say."""
        for value in self.lookups.unsaid(call):
            if value is None:
                return False
            if self.lookups.shown(value, self.events):
                continue
            if not any(self._do(look_up) for look_up in self.lookups.finding(value, call, self.events)):
                return False
        return True
