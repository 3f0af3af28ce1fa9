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

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.progression import Table


class RV(Enum):
    """The four verdicts on a trace that may go on (Bauer, Leucker, Schallhart 2010)."""

    PS = "permanently satisfied"
    PV = "permanently violated"
    CS = "currently satisfied"
    CV = "currently violated"


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
    small = minimise(table)
    sources = _sources(small)
    to_accept = _distances(sources, [i for i, a in enumerate(small.accepting) if a])
    to_reject = _distances(sources, [i for i, a in enumerate(small.accepting) if not a])
    colours = tuple(map(_colour, small.accepting, to_accept, to_reject))
    return DFA(tuple(map(tuple, small.rows)), tuple(small.accepting), colours, tuple(to_accept))


def _colour(accepting: bool, to_accept: int | None, to_reject: int | None) -> RV:
    if accepting:
        return RV.PS if to_reject is None else RV.CS
    return RV.PV if to_accept is None else RV.CV


def _sources(table: Table) -> list[set[int]]:
    sources: list[set[int]] = [set() for _ in table.rows]
    for state, row in enumerate(table.rows):
        for target in row:
            sources[target].add(state)
    return sources


def _distances(sources: list[set[int]], goals: list[int]) -> list[int | None]:
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
    return Table(table.rows, [not accepted for accepted in table.accepting])


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
    index = {(0, 0): 0}
    queue, rows = [(0, 0)], []
    for one, two in queue:
        row = []
        for pair in zip(left.rows[one], right.rows[two], strict=True):
            if pair not in index:
                if len(index) >= limit:
                    raise StateLimitExceeded(f"the automaton needs more than {limit} states")
                index[pair] = len(queue)
                queue.append(pair)
            row.append(index[pair])
        rows.append(row)
    return Table(rows, [join(left.accepting[one], right.accepting[two]) for one, two in queue])


def minimise(table: Table) -> Table:
    """Return the minimal automaton of a reachable one (Hopcroft 1971), numbered breadth first."""
    block_of = _refine(table)
    order = {block_of[0]: 0}
    queue, rows, accepting = [0], [], []
    for state in queue:
        row = []
        for target in table.rows[state]:
            if block_of[target] not in order:
                order[block_of[target]] = len(queue)
                queue.append(target)
            row.append(order[block_of[target]])
        rows.append(row)
        accepting.append(table.accepting[state])
    return Table(rows, accepting)


def _refine(table: Table) -> list[int]:
    """Return each state's class under language equivalence."""
    accepting = table.accepting
    blocks = [
        b for b in ({i for i, a in enumerate(accepting) if a}, {i for i, a in enumerate(accepting) if not a}) if b
    ]
    block_of = [0] * len(accepting)
    for number, block in enumerate(blocks):
        for state in block:
            block_of[state] = number
    inverse = _inverse(table)
    waiting = {0}
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
