"""The fewest edits that turn a word into one that an automaton accepts.

    G(a -> X b)  on  a c b:   one edit, move c to the end

An edit inserts one letter anywhere, deletes one, or moves one elsewhere; each costs 1, and putting
another letter in a letter's place is two. Letters that change every state alike are one class: what
is taken out of a class can be put in wherever the class is wanted, which makes a move.

A* over position × state × balance, the balance saying how many letters of each class were taken out
and not yet put back (or put in on credit). Half the distance by insertions and deletions alone, less
the balance that can still be settled, is a bound that never overestimates, because a move does the
work of two edits. The result is proved shortest, up to `MAX_WORK` steps of the search; beyond, it
is the best by insertions and deletions, with pairs of them joined into moves.
"""

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from lexgym.oracles.ltlf.automaton import DFA
from lexgym.oracles.ltlf.explanation.relevance import BLANK

MAX_WORK = 200_000
MAX_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class Change:
    """One edit: `taken` is the position deleted or moved, `put` the one before which the letter goes."""

    taken: int | None
    put: int | None
    letter: int


@dataclass(frozen=True, slots=True)
class Script:
    """Edits of a word, the word they make, and whether fewer are proved impossible."""

    changes: tuple[Change, ...]
    word: tuple[int, ...]
    shortest: bool


_Balance: TypeAlias = tuple[tuple[int, int], ...]
"""Class → letters taken out and not put back (negative: put in on credit), without the zeros."""

_Node: TypeAlias = tuple[int, int, _Balance]

_Move: TypeAlias = tuple[str, int, int]
"""`keep`, `take` or `put`, the position, and the class."""


def repair(dfa: DFA, word: Sequence[int], preferred: Sequence[int]) -> Script | None:
    """Return a smallest repair, or None when nothing is accepted or the question is too large.

    Of the repairs of equal size: named insertions (a person adds the step that is missing) before moves
    before deletions before insertions of blanks, and edits late in the word before early ones.
    `preferred` orders the letters to insert.
    Too large is letters × states × classes beyond `MAX_CELLS`.
    """
    search = _Search(dfa, tuple(word), preferred)
    if dfa.distance[0] is None or (len(word) + 1) * len(dfa) * len(search.letters) > MAX_CELLS:
        return None
    return search.script()


class _Search:
    def __init__(self, dfa: DFA, word: tuple[int, ...], preferred: Sequence[int]) -> None:
        self.rows, self.accepting, self.distance = dfa.rows, dfa.accepting, dfa.distance
        self.word = word
        columns = list(zip(*dfa.rows, strict=True))
        first: dict[tuple[int, ...], int] = {}
        for letter in preferred:
            first.setdefault(columns[letter], len(first))
        self.letters = [next(x for x in preferred if first[columns[x]] == number) for number in range(len(first))]
        self.classes = [first[columns[letter]] for letter in word]
        self.blank = first.get(columns[BLANK])

    def script(self) -> Script:
        """Search by A*; fall back to insertions and deletions."""
        self.away = self._distances()
        self.ahead = self._counts()
        self.limit = self.away[0][0]
        late = 2 * (self.limit + 1) * (len(self.word) + 1)
        self.minor, self.edit = late, late * 3 * (self.limit + 2)
        return self._search()

    def _distances(self) -> list[list[int]]:
        """Return the least insertions and deletions to acceptance, by position and state."""
        never = len(self.word) + len(self.rows) + 1
        sources: list[set[int]] = [set() for _ in self.rows]
        for state, row in enumerate(self.rows):
            for target in row:
                sources[target].add(state)
        table = [[never if left is None else left for left in self.distance]]
        for letter in reversed(self.word):
            ahead = table[-1]
            here = [min(ahead[row[letter]], ahead[state] + 1) for state, row in enumerate(self.rows)]
            table.append(_relaxed(here, sources))
        return table[::-1]

    def _counts(self) -> list[list[int]]:
        """Return how many letters of each class are still to come, by position."""
        table = [[0] * len(self.letters)]
        for kind in reversed(self.classes):
            table.append([left + (number == kind) for number, left in enumerate(table[-1])])
        return table[::-1]

    def _search(self) -> Script:
        """Explore nodes by the least total that they can still lead to."""
        start: _Node = (0, 0, ())
        best: dict[_Node, int] = {start: 0}
        origin: dict[_Node, tuple[_Node, _Move]] = {}
        tick = count()
        heap = [(self._bound(start) * self.edit, next(tick), 0, start)]
        work = 0
        while True:
            total, _, cost, node = heapq.heappop(heap)
            if node[0] > len(self.word):
                return self._script(_path(node, origin), True)
            if cost > best[node]:
                continue
            work += 2 + len(self.letters)
            if work > MAX_WORK:
                return self._plain(total // self.edit)
            for move, price, after in self._moves(node):
                new = cost + price
                if new < best.get(after, new + 1) and (new // self.edit + (bound := self._bound(after))) <= self.limit:
                    best[after] = new
                    origin[after] = node, move
                    heapq.heappush(heap, (new + bound * self.edit, next(tick), new, after))

    def _bound(self, node: _Node) -> int:
        position, state, balance = node
        if position > len(self.word):
            return 0
        ahead = self.ahead[position]
        free = sum(open_ if open_ > 0 else min(-open_, ahead[kind]) for kind, open_ in balance)
        return max(0, (self.away[position][state] - free + 1) // 2)

    def _moves(self, node: _Node) -> Iterator[tuple[_Move, int, _Node]]:
        """Yield what can be done next, its price and where it leads."""
        position, state, balance = node
        left = len(self.word) - position
        owned = dict(balance)
        if left:
            letter, kind = self.word[position], self.classes[position]
            yield ("keep", position, kind), 0, (position + 1, self.rows[state][letter], balance)
            price = self.edit if owned.get(kind, 0) >= 0 else self.minor
            yield ("take", position, kind), price + left, (position + 1, state, _changed(owned, kind, 1))
        elif self.accepting[state]:
            yield ("end", position, 0), self.minor * sum(map(self._weight, balance)), (position + 1, state, balance)
        for kind, letter in enumerate(self.letters):
            target = self.rows[state][letter]
            if target != state:
                price = self.edit if owned.get(kind, 0) <= 0 else self.minor
                yield ("put", position, kind), price + left, (position, target, _changed(owned, kind, -1))

    def _weight(self, entry: tuple[int, int]) -> int:
        """Return how unwelcome what remains of a class at the end is: deletions and insertions."""
        kind, open_ = entry
        return 2 * open_ if open_ > 0 else -open_ * (3 if kind == self.blank else 0)

    def _plain(self, bound: int) -> Script:
        """Return the best repair by insertions and deletions, as far as A* got proved shortest or not."""
        position, state, path = 0, 0, []
        while position < len(self.word) or not self.accepting[state]:
            left = self.away[position][state]
            ahead = self.away[position + 1] if position < len(self.word) else None
            if ahead is not None and ahead[self.rows[state][self.word[position]]] == left:
                path.append(("keep", position, self.classes[position]))
                state = self.rows[state][self.word[position]]
                position += 1
            elif (kind := self._closer(position, state, left - 1)) is not None:
                path.append(("put", position, kind))
                state = self.rows[state][self.letters[kind]]
            else:
                path.append(("take", position, self.classes[position]))
                position += 1
        script = self._script(path, False)
        return Script(script.changes, script.word, len(script.changes) <= bound)

    def _closer(self, position: int, state: int, left: int) -> int | None:
        rows, away = self.rows[state], self.away[position]
        return next((kind for kind, letter in enumerate(self.letters) if away[rows[letter]] == left), None)

    def _script(self, path: list[_Move], shortest: bool) -> Script:
        """Join what is taken out and put in of one class into moves, and check the result."""
        taken: dict[int, deque[int]] = {}
        for move, position, kind in path:
            if move == "take":
                taken.setdefault(kind, deque()).append(position)
        changes, word = [], []
        for move, position, kind in path:
            if move == "keep":
                word.append(self.word[position])
            elif move == "put":
                source = taken[kind].popleft() if taken.get(kind) else None
                letter = self.letters[kind] if source is None else self.word[source]
                changes.append(Change(source, position, letter))
                word.append(letter)
        deleted = [Change(source, None, self.word[source]) for left in taken.values() for source in left]
        self._check(word)
        return Script(tuple(sorted([*changes, *deleted], key=_place)), tuple(word), shortest)

    def _check(self, word: list[int]) -> None:
        state = 0
        for letter in word:
            state = self.rows[state][letter]
        if not self.accepting[state]:
            raise AssertionError(f"the repair {word} of {self.word} is not accepted")


def _place(change: Change) -> int:
    return change.put if change.put is not None else change.taken or 0


def _changed(owned: dict[int, int], kind: int, by: int) -> _Balance:
    new = {**owned, kind: owned.get(kind, 0) + by}
    return tuple(sorted((k, open_) for k, open_ in new.items() if open_))


def _relaxed(costs: list[int], sources: list[set[int]]) -> list[int]:
    """Lower each state's cost to one more than that of a state which one insertion leads to."""
    heap = [(cost, state) for state, cost in enumerate(costs)]
    heapq.heapify(heap)
    while heap:
        cost, state = heapq.heappop(heap)
        if cost == costs[state]:
            for source in sources[state]:
                if costs[source] > cost + 1:
                    costs[source] = cost + 1
                    heapq.heappush(heap, (cost + 1, source))
    return costs


def _path(node: _Node, origin: dict[_Node, tuple[_Node, _Move]]) -> list[_Move]:
    path = []
    while node in origin:
        node, move = origin[node]
        path.append(move)
    return path[:0:-1]
