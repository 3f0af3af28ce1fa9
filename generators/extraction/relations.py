"""Which rules say the same, and which follow from others: decided on the automata of their parts.

    Relations(["response(a, b)", "G(a -> F b)"], signature).same(0, 1)   →   True

What is claimed is certain; with `forall`, or where a question is too large, something true may be missed.
"""

from collections.abc import Iterable, Sequence

from lexgym.errors import StateLimitExceeded
from lexgym.generators.extraction.parts import Part, narrowed, parts_of
from lexgym.oracles.ltlf import RuleAutomaton, Signature, compile_rule
from lexgym.oracles.ltlf.hygiene.scope import scopes
from lexgym.oracles.ltlf.syntax import Formula


class Relations:
    """Some rules that compile, known by their place in the sequence."""

    def __init__(self, formulas: Sequence[Formula | str] = (), signature: Signature | None = None) -> None:
        self._signature = signature
        self.automata: list[RuleAutomaton] = []
        self.parts: list[list[Part]] = []
        self._known: dict[tuple[Formula, Formula], bool] = {}
        for formula in formulas:
            self.add(formula)

    def add(self, formula: Formula | str) -> int:
        """Add a rule and return its place; raise `FormulaError` where it cannot be used."""
        self.automata.append(compile_rule(formula, self._signature))
        self.parts.append(parts_of(self.automata[-1].formula))
        return len(self.automata) - 1

    def implies(self, one: int, other: int) -> bool:
        """Whether every trace that keeps one rule is certain to keep another."""
        return self.follows(other, [one])

    def same(self, one: int, other: int) -> bool:
        """Whether two rules are certain to demand the same."""
        if self.automata[one].tools != self.automata[other].tools:
            return False
        return self.implies(one, other) and self.implies(other, one)

    def follows(self, rule: int, others: Iterable[int]) -> bool:
        """Whether some rules together are certain to imply one: each of its parts follows from a part of theirs."""
        tools = self.automata[rule].tools
        near = [
            part
            for other in others
            if other != rule and tools & self.automata[other].tools
            for part in self.parts[other]
        ]
        return all(any(self._part_implies(known, part) for known in near) for part in self.parts[rule])

    def _part_implies(self, one: Part, other: Part) -> bool:
        if one.formula is other.formula:
            return True
        if one.simple and other.simple and one.key != other.key:
            return False
        key = (one.formula, other.formula)
        if key not in self._known:
            self._known[key] = self._decide(one, other)
        return self._known[key]

    def _decide(self, one: Part, other: Part) -> bool:
        wanted: Formula | None = other.formula
        if one.simple and other.simple and len(one.variables) > len(other.variables):
            wanted = narrowed(other, one, self._signature)
        if wanted is None:
            return False
        automata = {0: compile_rule(one.formula, self._signature), 1: compile_rule(wanted, self._signature)}
        if not automata[0].tools & automata[1].tools:
            return False
        try:
            return any(len(scope.members) == 2 and scope.implies(0, 1) for scope in scopes(automata))
        except StateLimitExceeded:
            return False
