"""Questions about some of the rules in a product, answered by looking at its states.

    which = Projection(joint, (0, 2))
    which.find(goal=which.satisfied, keep=lambda state: not which.lost(state))

The letters of the whole product are worked out once and then seen by the chosen members only, which
is exact: what several rules can see of one call is what remains of what all can see.
"""

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import getitem
from typing import TypeAlias

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.automaton import DFA
from lexgym.oracles.ltlf.joint.automaton import JointAutomaton
from lexgym.oracles.ltlf.joint.letters import JointLetter, Move

MAX_LOOKED = 20_000
"""Product states that one question may look at."""

MAX_TOTAL = 200_000
"""Product states that all questions about related rules may look at."""

LOST = 1 << 40
"""Weight of a member that is violated for good."""

State: TypeAlias = tuple[int, ...]
Way: TypeAlias = list[JointLetter]
Test: TypeAlias = Callable[[State], bool]

Program: TypeAlias = tuple[tuple[int, list[int]], ...]
"""A letter prepared: for each member that it moves, its next states, where `~q` counts from the end."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The reachable states that a question may pass through, in breadth-first order, with their successors.

    `came` says from which state and by which letter each was found first.
    """

    states: list[State]
    after: dict[State, list[State]]
    came: dict[State, tuple[State, JointLetter] | None]

    def way(self, state: State) -> Way:
        """Return a shortest way to a state."""
        return _way(self.came, state)


@dataclass(slots=True)
class Budget:
    """States that may still be looked at by all questions about some rules together."""

    left: int = MAX_TOTAL

    def spend(self, known: int) -> None:
        """Count one state; raise StateLimitExceeded past the limit of one question or of all."""
        self.left -= 1
        if known > MAX_LOOKED:
            raise StateLimitExceeded(f"the rules together have more than {MAX_LOOKED} states to look at")
        if self.left < 0:
            raise StateLimitExceeded(f"the questions about these rules needed more than {MAX_TOTAL} states to look at")


class Projection:
    """Some members of a product, by their index in it; a state holds theirs only."""

    def __init__(self, joint: JointAutomaton, members: Sequence[int], budget: Budget | None = None) -> None:
        self.joint, self.members = joint, tuple(members)
        self._budget = Budget() if budget is None else budget
        self.start: State = tuple(joint.start[member] for member in self.members)
        self.dfas = tuple(joint.members[member].automaton.dfa for member in self.members)
        self._weights = [_weights(dfa) for dfa in self.dfas]
        found = self._letters()
        self.idle = found.pop((), None)
        self.letters = tuple((self._program(moves), letter) for moves, letter in found.items())
        sliced = any(joint.members[member].automaton.variables for member in self.members)
        here = [x.ok or any(binds for _, _, binds in moves) for moves, x in found.items()]
        self.own_letters = tuple(x for x, is_own in zip(self.letters, here, strict=True) if is_own or not sliced)

    def _letters(self) -> dict[tuple[Move, ...], JointLetter]:
        """Return one letter of the product for each different move of the members: the plainest successful one."""
        place = {member: i for i, member in enumerate(self.members)}
        found: dict[tuple[Move, ...], tuple[tuple[bool, int], JointLetter]] = {}
        for tool in (*self.joint.tools, None):
            for letter in self.joint.letters(tool):
                moves = tuple((place[m], column, binds) for m, column, binds in letter.moves if m in place)
                rank = (not letter.ok, sum(letter.masks[m].bit_count() for m in self.members))
                if moves not in found or rank < found[moves][0]:
                    found[moves] = (rank, letter)
        return {moves: letter for moves, (_, letter) in found.items()}

    def programs(self, letters: Iterable[JointLetter]) -> list[Program]:
        """Return the different things that letters of the product do to the members."""
        place = {member: i for i, member in enumerate(self.members)}
        moves = [tuple((place[m], column, binds) for m, column, binds in x.moves if m in place) for x in letters]
        return [self._program(move) for move in dict.fromkeys(moves)]

    def _program(self, moves: tuple[Move, ...]) -> Program:
        return tuple((member, _targets(self.dfas[member], column, binds)) for member, column, binds in moves)

    def weight(self, state: State) -> int:
        """Return 0 if every member holds, `LOST` or more if one is lost, and else roughly the calls still needed."""
        return sum(map(getitem, self._weights, state))

    def lost(self, state: State) -> bool:
        """Whether a member is violated for good."""
        return self.weight(state) >= LOST

    def open(self, state: State) -> bool:
        """Whether no member is violated for good."""
        return self.weight(state) < LOST

    def satisfied(self, state: State) -> bool:
        """Whether every member holds if the trace ends now."""
        return self.weight(state) == 0

    def find(
        self,
        goal: Test,
        keep: Test,
        guess: Callable[[State], int] = lambda state: 0,
        start: State | None = None,
        least: int = 0,
        *,
        own: bool = False,
    ) -> Way | None:
        """Return a way of at least `least` (0 or 1) letters to a goal through states to keep, None if there is none.

        With `own`, calls that belong to other slices only are left out: what they do there is not known.
        The state of least guess is looked at first; with equal guesses the way is a shortest one.
        Raises StateLimitExceeded beyond `MAX_LOOKED` states.
        """
        first = self.start if start is None else start
        if goal(first):
            if not least:
                return []
            if self.idle is not None:
                return [self.idle]
        came: dict[State, tuple[State, JointLetter] | None] = {first: None}
        heap = [(guess(first), 0, first)]
        while heap:
            state = heapq.heappop(heap)[2]
            for program, letter in self.own_letters if own else self.letters:
                target = _after(state, program)
                known = target in came
                if known and not (least and target == first):
                    continue
                if goal(target):
                    return [*_way(came, state), letter]
                if not known and keep(target):
                    came[target] = (state, letter)
                    heapq.heappush(heap, (guess(target), len(came), target))
            self._budget.spend(len(came))
        return None

    def alive(self, state: State, dead: set[State]) -> bool:
        """Whether some continuation satisfies every member; `dead` remembers the states of which none does."""
        if state in dead or self.lost(state):
            return False
        seen = [state]

        def keep(target: State) -> bool:
            if target in dead or self.lost(target):
                return False
            seen.append(target)
            return True

        if self.find(self.satisfied, keep, self.weight, state) is not None:
            return True
        dead.update(seen)
        return False

    def admits(self, programs: Sequence[Program]) -> bool:
        """Whether some trace that satisfies every member has a letter that does one of some things."""
        ahead = [_ahead(dfa, place, programs) for place, dfa in enumerate(self.dfas)]
        if any(all(left is None for left in distances) for distances in ahead):
            return False
        dead: set[State] = set()

        def goal(state: State) -> bool:
            return any(self.alive(_after(state, program), dead) for program in programs)

        def guess(state: State) -> int:
            left = (distances[q] for distances, q in zip(ahead, state, strict=True))
            return sum(LOST if steps is None else steps for steps in left)

        return self.find(goal, lambda state: guess(state) < LOST, guess) is not None

    def graph(self, *, own: bool = False) -> Graph:
        """Return all states that can be reached with no member violated for good.

        With `own`, calls that belong to other slices only are left out.

        Raises StateLimitExceeded beyond `MAX_LOOKED` of them.
        """
        found = Graph([self.start], {}, {self.start: None})
        queue = deque(found.states)
        while queue:
            state = queue.popleft()
            found.after[state] = []
            for program, letter in self.own_letters if own else self.letters:
                target = _after(state, program)
                if self.lost(target):
                    continue
                found.after[state].append(target)
                if target not in found.came:
                    found.came[target] = (state, letter)
                    found.states.append(target)
                    queue.append(target)
            self._budget.spend(len(found.came))
        return found

    def traps(self) -> tuple[Graph, list[State]]:
        """Return the states, nearest first, from which not all members can be satisfied, and the graph they are in.

        All calls may help to satisfy; a trap is one that no call of other slices only is needed to reach.
        """
        whole = self.graph()
        alive = self._alive_in(whole)
        found = whole if len(self.own_letters) == len(self.letters) else self.graph(own=True)
        return found, [state for state in found.states if state not in alive]

    def _alive_in(self, graph: Graph) -> set[State]:
        sources: dict[State, list[State]] = {}
        for state, targets in graph.after.items():
            for target in targets:
                sources.setdefault(target, []).append(state)
        queue = [state for state in graph.states if self.satisfied(state)]
        alive = set(queue)
        while queue:
            for source in sources.get(queue.pop(), ()):
                if source not in alive:
                    alive.add(source)
                    queue.append(source)
        return alive


def _ahead(dfa: DFA, place: int, programs: Sequence[Program]) -> list[int | None]:
    """Return how many letters a member is away, in each state, from one in which a program does not end it.

    First the states, then the `~q` from the last to the first: what has not begun cannot end.
    """
    size = len(dfa)
    harmless = set[int]()
    for program in programs:
        targets = dict(program).get(place) or [*range(size), *range(-size, 0)]
        harmless |= {state for state, q in enumerate(targets) if q < 0 or dfa.distance[q] is not None}
    after = [list(set(row)) for row in dfa.rows]
    after += [[*targets, *(2 * size + ~q for q in targets)] for targets in reversed(after)]
    distance: list[int | None] = [0 if state in harmless else None for state in range(2 * size)]
    grown = True
    while grown:
        grown = False
        for state, row in enumerate(after):
            steps = [left for left in (distance[target] for target in row) if left is not None]
            if distance[state] is None and steps:
                distance[state], grown = min(steps) + 1, True
    return distance


def _weights(dfa: DFA) -> list[int]:
    """Return each state's weight; `~q`, which counts from the end, asks for nothing."""
    return [LOST if left is None else left for left in dfa.distance] + [0] * len(dfa)


def _targets(dfa: DFA, column: int, binds: bool) -> list[int]:
    """Return the state after a letter for each state, and then for each `~q` from the last to the first."""
    after = [row[column] for row in dfa.rows]
    return after + [target if binds else ~target for target in reversed(after)]


def _after(state: State, program: Program) -> State:
    after = list(state)
    for member, targets in program:
        after[member] = targets[after[member]]
    return tuple(after)


def _way(came: dict[State, tuple[State, JointLetter] | None], state: State) -> Way:
    way: Way = []
    while (step := came[state]) is not None:
        state, letter = step
        way.append(letter)
    return way[::-1]
