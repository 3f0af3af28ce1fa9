"""Reduced ordered binary decision diagrams: one number per Boolean function.

    >>> diagrams = Diagrams()
    >>> p, q = diagrams.variable(0), diagrams.variable(1)
    >>> diagrams.both(p, q) == diagrams.negation(diagrams.either(diagrams.negation(p), diagrams.negation(q)))
    True

Progression needs a canonical form of "what must hold from here on": without one, residuals of
nested operators grow for ever.
"""

from collections.abc import Container
from typing import TypeAlias

from lexgym.errors import StateLimitExceeded

FALSE, TRUE = 0, 1

SAFE_HEIGHT = 100
"""Variables on one path up to which the operations recurse; above, they keep their own stack."""

MAX_NODES = 500_000

_Key: TypeAlias = tuple[int, int, int]


class Diagrams:
    """A table of nodes `(variable, low, high)`; 0 is false and 1 is true."""

    def __init__(self) -> None:
        self._nodes: list[tuple[int, int, int]] = [(1 << 60, 0, 0), (1 << 60, 1, 1)]
        self._heights = [0, 0]
        self._index: dict[tuple[int, int, int], int] = {}
        self._memo: dict[tuple[int, int, int], int] = {}

    def parts(self, node: int) -> tuple[int, int, int]:
        """Return the node's variable, and what it becomes when that is false and when it is true."""
        return self._nodes[node]

    def variable(self, number: int) -> int:
        """Return the function that is the variable itself."""
        return self._make(number, FALSE, TRUE)

    def negation(self, node: int) -> int:
        """Return the negation."""
        return self.choose(node, FALSE, TRUE)

    def both(self, left: int, right: int) -> int:
        """Return the conjunction."""
        return self.choose(left, right, FALSE)

    def either(self, left: int, right: int) -> int:
        """Return the disjunction."""
        return self.choose(left, TRUE, right)

    def choose(self, test: int, high: int, low: int) -> int:
        """Return `high` where `test` is true and `low` elsewhere."""
        if test == TRUE or high == low:
            return high
        if test == FALSE:
            return low
        if high == TRUE and low == FALSE:
            return test
        key = (test, high, low)
        known = self._memo.get(key)
        if known is None:
            if not self._deep(key):
                top, if_false, if_true = self._split(key)
                known = self._memo[key] = self._make(top, self.choose(*if_false), self.choose(*if_true))
            else:
                self._choose_by_stack(key)
                known = self._memo[key]
        return known

    def _deep(self, key: _Key) -> bool:
        heights = self._heights
        return heights[key[0]] > SAFE_HEIGHT or heights[key[1]] > SAFE_HEIGHT or heights[key[2]] > SAFE_HEIGHT

    def _split(self, key: _Key) -> tuple[int, _Key, _Key]:
        """Return the first variable, and what is left to choose where it is false and where it is true."""
        (v, v0, v1), (w, w0, w1), (u, u0, u1) = map(self._nodes.__getitem__, key)
        test, high, low = key
        top = min(v, w, u)
        if_false = (v0 if v == top else test, w0 if w == top else high, u0 if u == top else low)
        if_true = (v1 if v == top else test, w1 if w == top else high, u1 if u == top else low)
        return top, if_false, if_true

    def _choose_by_stack(self, first: _Key) -> None:
        stack = [first]
        while stack:
            top, *parts = self._split(stack[-1])
            waiting = [part for part in parts if self._unknown(part)]
            if waiting:
                stack += waiting
            else:
                self._memo[stack.pop()] = self._make(top, self.choose(*parts[0]), self.choose(*parts[1]))

    def _unknown(self, key: _Key) -> bool:
        test, high, low = key
        return (
            test > TRUE and high != low and (high, low) != (TRUE, FALSE) and key not in self._memo and self._deep(key)
        )

    def tall(self, node: int, known: Container[int]) -> list[int]:
        """Return the nodes in and below a node that are too high to recurse on and not yet known, low ones first."""
        found: set[int] = set()
        stack = [node]
        while stack:
            node = stack.pop()
            if self._heights[node] > SAFE_HEIGHT and node not in known and node not in found:
                found.add(node)
                stack += self._nodes[node][1:]
        return sorted(found, key=self._heights.__getitem__)

    def _make(self, number: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (number, low, high)
        node = self._index.get(key)
        return self._add(key) if node is None else node

    def _add(self, key: tuple[int, int, int]) -> int:
        height = 1 + max(self._heights[key[1]], self._heights[key[2]])
        if len(self._nodes) > MAX_NODES:
            raise StateLimitExceeded(f"the formula keeps too many obligations at a time: {MAX_NODES} diagram nodes")
        node = self._index[key] = len(self._nodes)
        self._nodes.append(key)
        self._heights.append(height)
        return node
