"""Bounded operators imply one another: `F[<=2] a` gives `F[<=3] a`, and so on.

    F[<=1] b  &  F[<=4] b   →   F[<=1] b

A diagram that does not know this keeps every set of pending deadlines apart: 2^k states where
k + 2 are enough. `Chains.simplify` is canonical on the assignments that respect the implications.
"""

from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.diagrams import FALSE, TRUE, Diagrams
from lexgym.oracles.ltlf.syntax import Formula


class Chains:
    """The families of bounded operators among the variables of some diagrams.

    In a family, ordered by bound, a true `F` makes all later ones true; a false `G`, all later false.
    """

    def __init__(self, diagrams: Diagrams, variables: list[Formula]) -> None:
        self._diagrams = diagrams
        self._family: dict[int, tuple[Formula, bool]] = {}
        for number, variable in enumerate(variables):
            match variable:
                case s.Eventually(body, int()):
                    self._family[number] = (body, True)
                case s.Always(body, int()):
                    self._family[number] = (body, False)
        self._simple: dict[int, int] = {}
        self._fixed: dict[tuple[Formula, bool], dict[int, int]] = {}

    def simplify(self, node: int) -> int:
        """Return the canonical diagram of the same meaning."""
        if not self._family:
            return node
        for part in self._diagrams.tall(node, self._simple):
            self._simplify(part)
        return self._simplify(node)

    def _simplify(self, node: int) -> int:
        if node <= TRUE:
            return node
        known = self._simple.get(node)
        if known is None:
            number, low, high = self._diagrams.parts(node)
            family = self._family.get(number)
            known = self._simple[node] = self._decide(number, self._simplify(low), self._simplify(high), family)
        return known

    def _decide(self, number: int, low: int, high: int, family: tuple[Formula, bool] | None) -> int:
        if family is not None and family[1]:
            high = self._fix(high, family)
            if high == self._fix(low, family):
                return low
        elif family is not None:
            low = self._fix(low, family)
            if low == self._fix(high, family):
                return high
        return self._diagrams.choose(self._diagrams.variable(number), high, low)

    def _fix(self, node: int, family: tuple[Formula, bool]) -> int:
        """Return the diagram with every variable of a family set to what the implication makes it."""
        for part in self._diagrams.tall(node, self._fixed.setdefault(family, {})):
            self._fix_low(part, family)
        return self._fix_low(node, family)

    def _fix_low(self, node: int, family: tuple[Formula, bool]) -> int:
        if node in (FALSE, TRUE):
            return node
        fixed = self._fixed[family]
        known = fixed.get(node)
        if known is None:
            number, low, high = self._diagrams.parts(node)
            if self._family.get(number) == family:
                known = self._fix_low(high if family[1] else low, family)
            else:
                one, two = self._fix_low(high, family), self._fix_low(low, family)
                known = self._diagrams.choose(self._diagrams.variable(number), one, two)
            fixed[node] = known
        return known
