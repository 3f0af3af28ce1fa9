"""A quick look at whether a formula says something: of the two templates, all that can be wrong is an atom.

(!pay) W check[result.ok]      says something if some call is a `pay` and some call a `check[result.ok]`
"""

from lexgym.errors import FormulaError, StateLimitExceeded
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.parts import parts_of
from lexgym.oracles.ltlf import RuleAutomaton, Signature, compile_rule, to_text
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.joint.conditions import Conditions
from lexgym.oracles.ltlf.joint.letters import MAX_COMBINATIONS


class Alive:
    """Knows which atoms some call matches."""

    def __init__(self, signature: Signature, memory: Memory) -> None:
        self._signature, self._memory = signature, memory

    def surely(self, formula: str) -> bool:
        """Whether a formula is certain to be usable and to say something; others are to be looked at closely."""
        try:
            rule = compile_rule(formula, self._signature)
        except FormulaError:
            return False
        parts = parts_of(rule.formula)
        return all(part.simple and part.key[1] != part.key[2] for part in parts) and all(
            self._matches(atom) for part in parts for atom in (part.act, part.other) if atom is not None
        )

    def _matches(self, atom: s.Atom) -> bool:
        if atom.guard is None:
            return True
        return bool(self._memory.recall(f"matches {to_text(atom)}", lambda: self._some_call(atom)))

    def _some_call(self, atom: s.Atom) -> bool:
        names = tuple(sorted(g.variables_of(atom.guard)))
        body = s.Eventually(atom)
        rule = compile_rule(s.Forall(names, body) if names else body, self._signature)
        try:
            return _possible(rule, atom.tool)
        except StateLimitExceeded:
            return False


def _possible(rule: RuleAutomaton, tool: str) -> bool:
    conditions = Conditions([(rule, {name: name for name in rule.variables})], tool)
    member = conditions.members[0]
    ((_, number),) = (*member.free, *member.bound)
    return any(truth[number] for truth, _ in conditions.possible(MAX_COMBINATIONS))
