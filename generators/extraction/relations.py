"""Which rules say the same, and which follow from others: decided on the automata of their parts.

    Relations(["response(a, b)", "G(a -> F b)"], signature).same(0, 1)   →   True

What is claimed is certain; with `forall`, or where a question is too large, something true may be missed.
"""

from collections.abc import Iterable, Iterator, Sequence

from lexgym.errors import StateLimitExceeded
from lexgym.generators.extraction.containment import contained
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.parts import Part, narrowed, part_of, parts_of
from lexgym.oracles.ltlf import RuleAutomaton, Signature, compile_rule, to_text
from lexgym.oracles.ltlf.hygiene.scope import scopes
from lexgym.oracles.ltlf.syntax import Formula

MAX_DECIDED = 4_000
"""Questions that are decided on automata, the others being read off the guards; later ones count as no."""


class Relations:
    """Some rules that compile, known by their place in the sequence."""

    def __init__(
        self,
        formulas: Sequence[Formula | str] = (),
        signature: Signature | None = None,
        memory: Memory | None = None,
    ) -> None:
        self._signature = signature
        self._memory = memory or Memory()
        self._left = MAX_DECIDED
        self.undecided: set[int] = set()
        """Rules that were not compared with every other one, for want of time."""
        self.automata: list[RuleAutomaton] = []
        self.parts: list[list[Part]] = []
        self._known: dict[tuple[Formula, Formula], bool | None] = {}
        self._simple: dict[tuple[str, str, str], list[int]] = {}
        self._other: dict[str, list[int]] = {}
        self._naming: dict[str, list[int]] = {}
        for formula in formulas:
            self.add(formula)

    def add(self, formula: Formula | str) -> int:
        """Add a rule and return its place; raise `FormulaError` where it cannot be used."""
        self.automata.append(compile_rule(formula, self._signature))
        self.parts.append(parts_of(self.automata[-1].formula))
        place = len(self.automata) - 1
        for part in self.parts[-1]:
            if part.simple:
                self._simple.setdefault(part.key, []).append(place)
        tools = self.automata[-1].tools
        for tool in tools:
            self._naming.setdefault(tool, []).append(place)
            if not all(part.simple for part in self.parts[-1]):
                self._other.setdefault(tool, []).append(place)
        return place

    def stronger(self, rule: int) -> Iterator[int]:
        """Yield the rules that are certain to imply a rule, in order."""
        first = self.parts[rule][0]
        if first.simple:
            near = {*self._simple.get(first.key, ()), *self._touching(rule, self._other)}
        else:
            near = self._touching(rule, self._naming)
        yield from (other for other in sorted(near) if other != rule and self.implies(other, rule))

    def _touching(self, rule: int, index: dict[str, list[int]]) -> set[int]:
        return {other for tool in self.automata[rule].tools for other in index.get(tool, ())}

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
        return all(any(self._part_implies(known, part, rule) for known in near) for part in self.parts[rule])

    def _part_implies(self, one: Part, other: Part, rule: int) -> bool:
        if one.formula is other.formula:
            return True
        if one.simple and other.simple and one.key != other.key:
            return False
        key = (one.formula, other.formula)
        if key not in self._known:
            self._known[key] = self._decide(one, other)
        if self._known[key] is None:
            self.undecided.add(rule)
        return bool(self._known[key])

    def _decide(self, one: Part, other: Part) -> bool | None:
        """Return whether a part implies another, None where there was no time for it."""
        wanted: Part | None = other
        if one.simple and other.simple:
            if len(one.variables) > len(other.variables):
                closer = narrowed(other, one, self._signature)
                wanted = None if closer is None else part_of(closer)
            if wanted is None:
                return False
            answer = _implied(one, wanted)
            if answer is not None:
                return answer
        if self._left <= 0:
            return None
        self._left -= 1
        wanted_formula = wanted.formula if wanted is not None else other.formula
        question = f"implies {to_text(one.formula)} : {to_text(wanted_formula)}"
        return bool(self._memory.recall(question, lambda: self.by_automata(one.formula, wanted_formula)))

    def by_automata(self, one: Formula, other: Formula) -> bool:
        """Whether a formula is certain to imply another, decided on their automata."""
        automata = {0: compile_rule(one, self._signature), 1: compile_rule(other, self._signature)}
        if not automata[0].tools & automata[1].tools:
            return False
        try:
            return any(len(scope.members) == 2 and scope.implies(0, 1) for scope in scopes(automata))
        except StateLimitExceeded:
            return False


def _implied(one: Part, other: Part) -> bool | None:
    """Return whether a simple part implies another that joins the same two tools, None where guards do not say.

    It does where its act, or trigger, means every call that the other's means, and its check, or response, no
    call that the other's does not.
    """
    assert one.act is not None
    assert one.other is not None
    assert other.act is not None
    assert other.other is not None
    if one.act.tool == one.other.tool:
        return None
    names = (one.names, other.names)
    wider = contained(other.act, one.act, names[::-1])
    closer = contained(one.other, other.other, names)
    return False if False in (wider, closer) else None if None in (wider, closer) else True
