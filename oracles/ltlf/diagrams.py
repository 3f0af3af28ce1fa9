"""Reduced ordered binary decision diagrams: one number per Boolean function.

    >>> diagrams = Diagrams()
    >>> p, q = diagrams.variable(0), diagrams.variable(1)
    >>> diagrams.both(p, q) == diagrams.negation(diagrams.either(diagrams.negation(p), diagrams.negation(q)))
    True

Progression needs a canonical form of "what must hold from here on": without one, residuals of
nested operators grow for ever.
"""

from lexgym.errors import StateLimitExceeded

FALSE, TRUE = 0, 1

MAX_HEIGHT = 250
"""Variables on one path. The operations recurse once per variable; deeper diagrams are refused."""

MAX_NODES = 500_000


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
            known = self._memo[key] = self._split(test, high, low)
        return known

    def _split(self, test: int, high: int, low: int) -> int:
        nodes = self._nodes
        top = min(nodes[test][0], nodes[high][0], nodes[low][0])
        if_false = [nodes[n][1] if nodes[n][0] == top else n for n in (test, high, low)]
        if_true = [nodes[n][2] if nodes[n][0] == top else n for n in (test, high, low)]
        return self._make(top, self.choose(*if_false), self.choose(*if_true))

    def _make(self, number: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (number, low, high)
        node = self._index.get(key)
        return self._add(key) if node is None else node

    def _add(self, key: tuple[int, int, int]) -> int:
        height = 1 + max(self._heights[key[1]], self._heights[key[2]])
        if height > MAX_HEIGHT or len(self._nodes) > MAX_NODES:
            raise StateLimitExceeded(
                f"the formula keeps more than {MAX_HEIGHT} obligations or {MAX_NODES} diagram nodes at a time"
            )
        node = self._index[key] = len(self._nodes)
        self._nodes.append(key)
        self._heights.append(height)
        return node
