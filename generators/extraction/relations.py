"""Which rules say the same, and which follow from others: decided on their automata.

    Relations(["response(a, b)", "G(a -> F b)"], signature).same(0, 1)   →   True

What is claimed is certain; with `forall`, or where a question is too large, something true may be missed.
"""

from collections.abc import Sequence

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import RuleAutomaton, Signature, compile_rule
from lexgym.oracles.ltlf.hygiene.scope import Scope, scopes
from lexgym.oracles.ltlf.syntax import Formula


class Relations:
    """Some rules that compile, known by their place in the sequence."""

    def __init__(self, formulas: Sequence[Formula | str], signature: Signature | None = None) -> None:
        self.automata: list[RuleAutomaton] = [compile_rule(formula, signature) for formula in formulas]
        self._known: dict[tuple[int, int], bool] = {}

    def implies(self, one: int, other: int) -> bool:
        """Whether every trace that keeps one rule is certain to keep another."""
        if self.automata[one].formula is self.automata[other].formula:
            return True
        if (one, other) not in self._known:
            self._known[one, other] = self._implies(one, other)
        return self._known[one, other]

    def same(self, one: int, other: int) -> bool:
        """Whether two rules are certain to demand the same."""
        if self.automata[one].tools != self.automata[other].tools:
            return False
        return self.implies(one, other) and self.implies(other, one)

    def follows(self, rule: int, others: Sequence[int]) -> bool:
        """Whether some other rules together are certain to imply one."""
        near = [other for other in others if other != rule and self._touch(rule, other)]
        if any(self.implies(other, rule) for other in near):
            return True
        if len(near) < 2:
            return False
        scope = self._scope([rule, *near])
        try:
            return scope is not None and scope.breaking(rule, [o for o in near if o in scope.members]) is None
        except StateLimitExceeded:
            return False

    def _implies(self, one: int, other: int) -> bool:
        if not self._touch(one, other):
            return False
        scope = self._scope([one, other])
        return scope is not None and scope.implies(one, other)

    def _touch(self, one: int, other: int) -> bool:
        return bool(self.automata[one].tools & self.automata[other].tools)

    def _scope(self, rules: Sequence[int]) -> Scope | None:
        """Return the scope that the first of some rules is in."""
        found = scopes({rule: self.automata[rule] for rule in rules})
        return next((scope for scope in found if rules[0] in scope.members), None)
