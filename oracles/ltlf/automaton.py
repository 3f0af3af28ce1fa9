"""Minimal deterministic automata and what they know: verdict colours and distances.

    G(a -> F b):   0 --a--> 1 --b--> 0     0 accepts, 1 does not; neither is for good

States are numbered in breadth-first order from the initial one, so that two automata over the
same letters are equivalent exactly when their tables are equal.
"""

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import itemgetter
from typing import Any

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.progression import Table

MOORE_ROUNDS = 40


class RV(Enum):
    """The four verdicts on a trace that may go on (Bauer, Leucker, Schallhart 2010)."""

    PS = "satisfied for good"
    PV = "violated for good"
    CS = "satisfied so far"
    CV = "violated so far"


@dataclass(frozen=True)
class DFA:
    """A minimal complete automaton; state 0 is initial.

    `distance[state]` is the least number of letters to an accepting state, None if there is none.
    """

    rows: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]
    colours: tuple[RV, ...]
    distance: tuple[int | None, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def idle(self, letter: int) -> bool:
        """Whether a letter changes no state at all."""
        return all(row[letter] == state for state, row in enumerate(self.rows))

    def word(self) -> list[int] | None:
        """Return a shortest accepted word, or None when nothing is accepted."""
        if self.distance[0] is None:
            return None
        state, word = 0, []
        while left := self.distance[state]:
            letter = next(i for i, n in enumerate(self.rows[state]) if self.distance[n] == left - 1)
            word.append(letter)
            state = self.rows[state][letter]
        return word


def finish(table: Table) -> DFA:
    """Minimise, and colour the states."""
    small = table if table.minimal else minimise(table)
    sources = _sources(small)
    to_accept = _distances(sources, [i for i, a in enumerate(small.accepting) if a])
    to_reject = _distances(sources, [i for i, a in enumerate(small.accepting) if not a])
    colours = tuple(map(_colour, small.accepting, to_accept, to_reject))
    rows = tuple(tuple(map(row.__getitem__, small.letters)) for row in small.rows)
    return DFA(rows, tuple(small.accepting), colours, tuple(to_accept))


def _colour(accepting: bool, to_accept: int | None, to_reject: int | None) -> RV:
    if accepting:
        return RV.PS if to_reject is None else RV.CS
    return RV.PV if to_accept is None else RV.CV


def _sources(table: Table) -> list[list[int]]:
    sources: list[list[int]] = [[] for _ in table.rows]
    for state, row in enumerate(table.rows):
        for target in set(row):
            sources[target].append(state)
    return sources


def _distances(sources: list[list[int]], goals: list[int]) -> list[int | None]:
    distance: list[int | None] = [None] * len(sources)
    for goal in goals:
        distance[goal] = 0
    queue = deque(goals)
    while queue:
        state = queue.popleft()
        for source in sources[state]:
            if distance[source] is None:
                distance[source] = (distance[state] or 0) + 1
                queue.append(source)
    return distance


def complement(table: Table) -> Table:
    """Accept what was rejected."""
    return Table(table.rows, [not accepted for accepted in table.accepting], table.letters, table.minimal)


def combine(tables: Sequence[Table], join: Callable[[bool, bool], bool], limit: int) -> Table:
    """Join automata over the same letters, the smallest first, minimising in between."""
    heap = [(len(table.rows), number, table) for number, table in enumerate(tables)]
    heapq.heapify(heap)
    fresh = len(heap)
    while len(heap) > 1:
        left, right = heapq.heappop(heap)[2], heapq.heappop(heap)[2]
        joined = minimise(_product(left, right, join, limit))
        heapq.heappush(heap, (len(joined.rows), fresh, joined))
        fresh += 1
    return heap[0][2]


def _product(left: Table, right: Table, join: Callable[[bool, bool], bool], limit: int) -> Table:
    """Return the reachable product; what one side has decided for good is one state."""
    ones, twos = _deciding(left, lambda a, b: join(a, b)), _deciding(right, lambda a, b: join(b, a))
    decided = {True: (-1, 1), False: (-1, 0)}
    accepts = {(-1, 1): True, (-1, 0): False}
    columns: dict[tuple[int, int], int] = {}
    letters = [columns.setdefault(pair, len(columns)) for pair in zip(left.letters, right.letters, strict=True)]

    def canonical(one: int, two: int) -> tuple[int, int]:
        verdict = ones[one] if ones[one] is not None else twos[two]
        return (one, two) if verdict is None else decided[verdict]

    queue = [canonical(0, 0)]
    index, rows = {queue[0]: 0}, []
    for pair in queue:
        if pair in accepts:
            rows.append([index[pair]] * len(columns))
            continue
        row, from_left, from_right = [], left.rows[pair[0]], right.rows[pair[1]]
        for one, two in columns:
            target = canonical(from_left[one], from_right[two])
            number = index.get(target)
            if number is None:
                if len(index) >= limit:
                    raise StateLimitExceeded(f"the automaton needs more than {limit} states")
                number = index[target] = len(queue)
                queue.append(target)
            row.append(number)
        rows.append(row)
    accepting = [accepts[p] if p in accepts else join(left.accepting[p[0]], right.accepting[p[1]]) for p in queue]
    return Table(rows, accepting, letters)


def _deciding(table: Table, join: Callable[[bool, bool], bool]) -> list[bool | None]:
    """Return, for each state, the verdict of the join where the state never changes and alone decides it."""
    found: list[bool | None] = []
    for state, (row, accepted) in enumerate(zip(table.rows, table.accepting, strict=True)):
        forever = row[0] == state and row.count(state) == len(row)
        verdict = join(accepted, False)
        found.append(verdict if forever and verdict == join(accepted, True) else None)
    return found


def minimise(table: Table) -> Table:
    """Return the minimal automaton of a reachable one, numbered breadth first."""
    block_of = _refine(table)
    order = {block_of[0]: 0}
    queue, rows, accepting = [0], [], []
    for state in queue:
        row = []
        for target in table.rows[state]:
            block = block_of[target]
            number = order.get(block)
            if number is None:
                number = order[block] = len(queue)
                queue.append(target)
            row.append(number)
        rows.append(row)
        accepting.append(table.accepting[state])
    return _merged(rows, accepting, table.letters)


def _merged(rows: list[list[int]], accepting: list[bool], letters: list[int]) -> Table:
    """Let letters that change every state alike share a column."""
    columns: dict[tuple[int, ...], int] = {}
    new = [columns.setdefault(column, len(columns)) for column in zip(*rows, strict=True)]
    return Table([list(row) for row in zip(*columns, strict=True)], accepting, [new[i] for i in letters], minimal=True)


def _refine(table: Table) -> list[int]:
    """Return each state's class under language equivalence.

    Splits all classes at once (Moore 1956) while few rounds are enough, as they mostly are; then one
    class at a time (Hopcroft 1971), which long chains need.
    """
    distinct = list(dict.fromkeys(zip(*table.rows, strict=True)))
    successors = [itemgetter(state, *targets) for state, targets in enumerate(zip(*distinct, strict=True))]
    block_of = [int(accepted) for accepted in table.accepting]
    count = len(set(block_of))
    for _ in range(MOORE_ROUNDS):
        numbers: dict[Any, int] = {}
        block_of = [numbers.setdefault(blocks(block_of), len(numbers)) for blocks in successors]
        if len(numbers) == count:
            return block_of
        count = len(numbers)
    return _split_one_by_one(table, block_of, count)


def _split_one_by_one(table: Table, block_of: list[int], count: int) -> list[int]:
    blocks: list[set[int]] = [set() for _ in range(count)]
    for state, block in enumerate(block_of):
        blocks[block].add(state)
    inverse = _inverse(table)
    waiting = set(range(count))
    while waiting:
        splitter = list(blocks[waiting.pop()])
        for sources in inverse:
            _split([q for target in splitter for q in sources[target]], blocks, block_of, waiting)
    return block_of


def _inverse(table: Table) -> list[list[list[int]]]:
    """Return, for each distinct letter, each state's predecessors."""
    distinct = list(dict.fromkeys(zip(*table.rows, strict=True)))
    inverse: list[list[list[int]]] = []
    for column in distinct:
        sources: list[list[int]] = [[] for _ in table.rows]
        for state, target in enumerate(column):
            sources[target].append(state)
        inverse.append(sources)
    return inverse


def _split(into: list[int], blocks: list[set[int]], block_of: list[int], waiting: set[int]) -> None:
    """Split every class that only partly steps into the splitter."""
    touched: dict[int, set[int]] = {}
    for state in into:
        touched.setdefault(block_of[state], set()).add(state)
    for number, part in touched.items():
        if len(part) == len(blocks[number]):
            continue
        rest = blocks[number] - part
        small, large = (part, rest) if len(part) <= len(rest) else (rest, part)
        fresh = len(blocks)
        blocks[number] = large
        blocks.append(small)
        for state in small:
            block_of[state] = fresh
        waiting.add(fresh)
