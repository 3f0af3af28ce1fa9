"""Several rules as one: can all of them still be kept, and how?

    G(a -> F b), G(b -> F a), after a:   each alone still hopes; together they are lost

The product is built only as far as a question needs. A state holds each member's state; the
letters are the combinations that one call can be for all members at once. Members with variables
are seen at one assignment of values; `~q` stands for "its slice has not begun, and would begin
from q". For members without variables every answer is exact. Otherwise "lost" is always true and
"can be kept" may be too hopeful, since other slices and their calls are not looked at.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import lcm
from typing import TypeAlias

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.automaton import DFA, RV
from lexgym.oracles.ltlf.joint.letters import JointLetter, Member, Move, letters_of

JointState: TypeAlias = tuple[int, ...]
Way: TypeAlias = list[JointLetter]

MAX_EXPLORED = 50_000
"""Product states that one question may look at."""

MAX_REMEMBERED = 200_000
"""Answers that are kept; when there are more, all are forgotten."""

MAX_SHORTEST = 5_000
"""Product states that a shortest completion may look at; beyond, it is no longer the shortest."""

EAGER = 1_000
"""Products of at most this many reachable states are explored whole at the first question."""

_LOST = 1 << 40
"""Weight of a member that is violated for good; otherwise its weight is its distance to acceptance."""

_Program: TypeAlias = tuple[tuple[int, list[int], list[int]], ...]
"""A letter prepared: for each member that it moves, its next states and its weights.

Both are indexed by state, where `~q` counts from the end, as Python's negative indices do.
"""


class JointAutomaton:
    """The lazily built product of some rules. Not exact once a question met `MAX_EXPLORED`."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = tuple(members)
        self.tools = tuple(sorted({tool for member in members for tool in member.automaton.readers}))
        self.start: JointState = tuple(~0 if member.automaton.variables else 0 for member in members)
        self.exact = not any(member.automaton.variables for member in members)
        self._dfas = tuple(member.automaton.dfa for member in members)
        self._weights = [_weights(dfa) for dfa in self._dfas]
        self._letters: dict[str | None, tuple[JointLetter, ...]] = {}
        self._programs: dict[tuple[Move, ...], _Program] = {}
        self._alive: dict[JointState, bool] = {}
        self._excluded: dict[tuple[frozenset[JointState], frozenset[JointState]], frozenset[str | None]] = {}

    def letters(self, tool: str | None) -> tuple[JointLetter, ...]:
        """Return what a call of a tool can be for the members; None is a tool that none names.

        Raises StateLimitExceeded when the rules' guards make too many different calls of it.
        """
        known = self._letters.get(tool)
        if known is None:
            known = self._letters[tool] = letters_of(self.members, tool)
        return known

    @cached_property
    def alphabet(self) -> tuple[JointLetter, ...]:
        """One letter for every different move of the product: one of a successful call if there is any."""
        found: dict[tuple[Move, ...], JointLetter] = {}
        every = [letter for tool in (*self.tools, None) for letter in self.letters(tool)]
        for letter in sorted(every, key=lambda letter: not letter.ok):
            found.setdefault(letter.moves, letter)
        found.pop((), None)
        return tuple(found.values())

    @cached_property
    def decidable(self) -> bool:
        """Whether the guards make few enough letters to look at the members together."""
        try:
            self.alphabet  # noqa: B018 - worked out here, or refused
        except StateLimitExceeded:
            return False
        return True

    def _program(self, moves: tuple[Move, ...]) -> _Program:
        known = self._programs.get(moves)
        if known is None:
            known = self._programs[moves] = tuple(
                (member, _targets(self._dfas[member], column, binds), self._weights[member])
                for member, column, binds in moves
            )
        return known

    @cached_property
    def _alphabet(self) -> list[tuple[JointLetter, _Program]]:
        return [(letter, self._program(letter.moves)) for letter in self.alphabet]

    def after(self, state: JointState, letter: JointLetter) -> JointState:
        """Return the state after a letter."""
        return self._run(state, self._program(letter.moves))

    def _ahead(self, state: JointState, weight: int) -> Iterator[tuple[JointLetter, JointState, int]]:
        """Yield the letters that change the state and lose no member, with the next state and its weight."""
        for letter, program in self._alphabet:
            after, now = list(state), weight
            for member, targets, weights in program:
                old = after[member]
                new = targets[old]
                if new != old:
                    after[member] = new
                    now += weights[new] - weights[old]
            if now < _LOST and (target := tuple(after)) != state:
                yield letter, target, now

    def _distances(self, state: JointState) -> list[int]:
        return [weights[q] for weights, q in zip(self._weights, state, strict=True)]

    def lost(self, state: JointState) -> bool:
        """Whether a member is violated for good."""
        return sum(self._distances(state)) >= _LOST

    def satisfied(self, state: JointState) -> bool:
        """Whether every member holds if the trace ends now."""
        return not any(self._distances(state))

    def verdict(self, state: JointState) -> RV:
        """Return the verdict on all members together."""
        if not self.alive(state):
            return RV.PV
        if not self.satisfied(state):
            return RV.CV
        settled = all(q >= 0 and dfa.colours[q] is RV.PS for q, dfa in zip(state, self._dfas, strict=True))
        return RV.PS if settled else RV.CS

    def alive(self, state: JointState) -> bool:
        """Whether some continuation satisfies every member."""
        known = self._alive.get(state)
        if known is None:
            if len(self._alive) > MAX_REMEMBERED:
                self._alive.clear()
            weight = sum(self._distances(state))
            if weight >= _LOST:
                known = False
            elif weight == 0 or self.harmonious:
                known = True
            else:
                known = self._reach(state, weight)
            self._alive[state] = known
        return known

    @cached_property
    def harmonious(self) -> bool:
        """Whether it is certain that a state is lost only when a member is: no search is needed.

        So when each member can always be satisfied by calls of tools that can do the others no
        harm: that turn no state of theirs from satisfied to not, nor to lost.
        """
        if len(self.members) == 1:
            return True
        harmless = [member.harmless(self.tools) for member in self.members]
        for index, member in enumerate(self.members):
            usable = frozenset[str | None](self.tools).union([None])
            for other, tools in enumerate(harmless):
                if other != index:
                    usable &= tools
            if not member.satisfiable_by(usable):
                return False
        return True

    @cached_property
    def _whole(self) -> bool:
        """Explore the product from its start, once, and remember all about it; False if it is too large."""
        sources: dict[JointState, list[JointState]] = {self.start: []}
        satisfied = []
        queue = deque([(self.start, sum(self._distances(self.start)))])
        while queue:
            state, weight = queue.popleft()
            if weight == 0:
                satisfied.append(state)
            for _, target, after in self._ahead(state, weight):
                if target not in sources:
                    if len(sources) == EAGER:
                        return False
                    sources[target] = []
                    queue.append((target, after))
                sources[target].append(state)
        self._alive.update(dict.fromkeys(sources, False))
        self._alive.update(dict.fromkeys(satisfied, True))
        while satisfied:
            for source in sources[satisfied.pop()]:
                if not self._alive[source]:
                    self._alive[source] = True
                    satisfied.append(source)
        return True

    def _reach(self, start: JointState, weight: int) -> bool:
        """Search, nearest to acceptance first, for a state known to be alive; remember what was learnt."""
        if self._whole and start in self._alive:
            return self._alive[start]
        parents: dict[JointState, JointState | None] = {start: None}
        heap = [(weight, 0, start)]
        while heap:
            weight, _, state = heapq.heappop(heap)
            for _, target, after in self._ahead(state, weight):
                known = self._alive.get(target)
                if target in parents or known is False:
                    continue
                parents[target] = state
                if known or after == 0:
                    self._mark(target, parents)
                    return True
                heapq.heappush(heap, (after, -len(parents), target))
            if len(parents) > MAX_EXPLORED:
                self.exact = False
                return True
        self._alive.update(dict.fromkeys(parents, False))
        return False

    def _mark(self, end: JointState, parents: dict[JointState, JointState | None]) -> None:
        state: JointState | None = end
        while state is not None:
            self._alive[state] = True
            state = parents[state]

    def excluded(self, begun: frozenset[JointState], own: frozenset[JointState]) -> frozenset[str | None]:
        """Return the tools (None: all that no member names) of which no successful call keeps the states alive.

        `begun` are the states of the slices begun, `own` those in which the slice of a call can be; a
        call belongs to one slice, or to none and then moves all that are begun.
        """
        key = (begun, own)
        known = self._excluded.get(key)
        if known is None:
            if len(self._excluded) > MAX_REMEMBERED:
                self._excluded.clear()
            known = self._excluded[key] = frozenset(
                tool for tool in (*self.tools, None) if not self._admits(tool, begun, own)
            )
        return known

    def _admits(self, tool: str | None, begun: Iterable[JointState], own: Iterable[JointState]) -> bool:
        for letter in self.letters(tool):
            if letter.ok:
                survives = (self.alive(self.after(state, letter)) for state in (own if letter.binds else begun))
                if any(survives) if letter.binds else all(survives):
                    return True
        return False

    def _bound(self, state: JointState) -> int:
        """Return a lower bound on the letters to acceptance.

        A letter that brings k members nearer counts 1/k or less for each of them, so 1 at most.
        """
        distances = self._distances(state)
        scale, shares = self._shares
        total = sum(left * share for left, share in zip(distances, shares, strict=True))
        return max(max(distances, default=0), -(-total // scale))

    @cached_property
    def _shares(self) -> tuple[int, list[int]]:
        """A scale, and for each member that scale divided by the members helped with it at a time."""
        most = [1] * len(self.members)
        for letter in self.alphabet:
            helped = [member for member, column, _ in letter.moves if self._helps(member, column)]
            for member in helped:
                most[member] = max(most[member], len(helped))
        scale = lcm(*most)
        return scale, [scale // count for count in most]

    def _helps(self, member: int, column: int) -> bool:
        """Whether a letter brings a member nearer to acceptance from some state."""
        dfa = self._dfas[member]
        distances = [(left, dfa.distance[row[column]]) for left, row in zip(dfa.distance, dfa.rows, strict=True)]
        return any(left is not None and after is not None and after < left for left, after in distances)

    def completion(self, state: JointState) -> tuple[Way, JointState] | None:
        """Return a way to a state in which every member holds, and that state; None if there is none.

        A shortest way, unless more than `MAX_SHORTEST` states would have to be looked at.
        """
        if not self.alive(state):
            return None
        try:
            way = self.search(state, self.satisfied, self._bound, MAX_SHORTEST)
        except StateLimitExceeded:
            way = self.search(state, self.satisfied, lambda s: MAX_EXPLORED * sum(self._distances(s)))
        if way is None:
            return None
        for letter in way:
            state = self.after(state, letter)
        return way, state

    def culprits(self, state: JointState) -> tuple[int, ...]:
        """Return a smallest-by-removal set of members that can no longer all be kept, of a state not alive."""
        kept = list(range(len(self.members)))
        for member in range(len(self.members)):
            fewer = [index for index in kept if index != member]
            part = JointAutomaton([self.members[index] for index in fewer])
            if fewer and not part.alive(tuple(state[index] for index in fewer)):
                kept = fewer
        return tuple(kept)

    def search(
        self,
        start: JointState,
        goal: Callable[[JointState], bool],
        bound: Callable[[JointState], int] = lambda state: 0,
        limit: int = MAX_EXPLORED,
    ) -> Way | None:
        """Return a shortest way to a goal (A*; `bound` never exceeds the letters still needed), or None.

        Raises StateLimitExceeded beyond `limit` states.
        """
        came: dict[JointState, tuple[JointState, JointLetter] | None] = {start: None}
        cost = {start: 0}
        heap = [(bound(start), 0, 0, start)]
        done: set[JointState] = set()
        while heap:
            state = heapq.heappop(heap)[3]
            if state in done:
                continue
            done.add(state)
            if goal(state):
                return _way(state, came)
            for letter, program in self._alphabet:
                target = self._run(state, program)
                if cost[state] + 1 < cost.get(target, MAX_EXPLORED):
                    cost[target] = cost[state] + 1
                    came[target] = (state, letter)
                    heapq.heappush(heap, (cost[target] + bound(target), -cost[target], len(came), target))
            if len(came) > limit:
                raise StateLimitExceeded(f"the rules together have more than {limit} states to look at")
        return None

    def _run(self, state: JointState, program: _Program) -> JointState:
        after = list(state)
        for member, targets, _ in program:
            after[member] = targets[after[member]]
        return tuple(after)

    def trap(self) -> tuple[Way, JointState] | None:
        """Return a shortest way to a state in which no member is lost but all together are, or None."""
        if self.harmonious:
            return None
        way = self.search(self.start, lambda state: not self.lost(state) and not self.alive(state))
        if way is None:
            return None
        state = self.start
        for letter in way:
            state = self.after(state, letter)
        return way, state


def _way(state: JointState, came: dict[JointState, tuple[JointState, JointLetter] | None]) -> Way:
    way: Way = []
    while (step := came[state]) is not None:
        state, letter = step
        way.append(letter)
    return way[::-1]


def _weights(dfa: DFA) -> list[int]:
    """Return the weight of every state, then of every slice not begun, which owes nothing."""
    return [_LOST if left is None else left for left in dfa.distance] + [0] * len(dfa)


def _targets(dfa: DFA, column: int, binds: bool) -> list[int]:
    """Return the next state of every state, then of every slice not begun, the last first."""
    begun = [row[column] for row in dfa.rows]
    return begun + [(q if binds else ~q) for q in reversed(begun)]
