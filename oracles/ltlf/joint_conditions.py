"""The conditions that one call decides for several rules at once, and which of them go together.

A condition is an atom, with the variables of all rules under common names; atoms that say the same
are one condition. For a rule with variables there is one more: that the call gives *some* values,
so that it belongs to another slice if not to this one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lexgym.core import Status
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.renaming import renamed
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Atom


@dataclass(frozen=True, slots=True)
class MemberConditions:
    """Which conditions a rule reads: as (bit, condition) those without and with its variables.

    `elsewhere` are the conditions that the call gives values at all.
    """

    free: tuple[tuple[int, int], ...]
    bound: tuple[tuple[int, int], ...]
    elsewhere: tuple[int, ...]


class Conditions:
    """The conditions of one tool, numbered. `renamings` gives each rule's variables common names."""

    def __init__(self, rules: Sequence[tuple[RuleAutomaton, dict[str, str]]], tool: str) -> None:
        self.tool = tool
        self._numbers: dict[tuple[Atom, bool], int] = {}
        self._places: dict[Atom, dict[str, g.Field]] = {}
        self._names = tuple(dict.fromkeys(name for _, renaming in rules for name in renaming.values()))
        self.members = tuple(self._member(automaton, renaming) for automaton, renaming in rules)

    def _member(self, automaton: RuleAutomaton, renaming: dict[str, str]) -> MemberConditions:
        free, bound, elsewhere = [], [], []
        for atom, bit in automaton.bits.items():
            if atom.tool != self.tool:
                continue
            places = binding_of(atom, automaton.variables)
            common = Atom(atom.tool, renamed(atom.guard, renaming))
            number = self._number(common, here=True)
            if places is None:
                free.append((bit, number))
            else:
                self._places[common] = {renaming[name]: place for name, place in places.items()}
                bound.append((bit, number))
                elsewhere.append(self._number(common, here=False))
        return MemberConditions(tuple(free), tuple(bound), tuple(elsewhere))

    def _number(self, atom: Atom, *, here: bool) -> int:
        return self._numbers.setdefault((atom, here), len(self._numbers))

    def possible(self, limit: int) -> Iterator[tuple[tuple[bool, ...], bool]]:
        """Yield the truth values that a call can give all conditions, and whether a usual, successful call can.

        Raises StateLimitExceeded beyond `limit` of them.
        """
        if all(atom.guard is None for atom, _ in self._numbers):
            yield (True,) * len(self._numbers), True
            yield (False,) * len(self._numbers), False
            return
        for usual in (True, False):
            for truth in self._solve(usual, limit):
                yield truth, usual

    def _solve(self, usual: bool, limit: int) -> list[tuple[bool, ...]]:
        """Solve for usual calls, which succeed and give the arguments that are values, or for any."""
        import z3  # type: ignore[import-untyped]

        from lexgym.oracles.ltlf import possible as p

        solver = z3.Solver()
        solver.set("rlimit", p.RESOURCES)
        values = {name: z3.Const(f"slice {name}", p._value()) for name in self._names}
        solver.add(
            z3.Or([p._term(g.Field("status"), {}) == p._const(s.value) for s in Status if not usual or s is Status.OK])
        )
        solver.add(*(value != p._value().null for value in values.values()))
        if usual:
            solver.add(*(p._term(place, {}) != p._value().null for place in self._arguments()))
        terms = [self._term(atom, here, values) for atom, here in self._numbers]
        found: list[tuple[bool, ...]] = []
        stack: list[tuple[bool, ...]] = [()]
        depth = 0
        while stack:
            truth = stack.pop()
            if depth >= len(truth) > 0:
                solver.pop(depth - len(truth) + 1)
            if truth:
                solver.push()
                solver.add(terms[len(truth) - 1] if truth[-1] else z3.Not(terms[len(truth) - 1]))
            depth = len(truth)
            if solver.check() == z3.unsat:
                continue
            if len(truth) < len(terms):
                stack += [(*truth, True), (*truth, False)]
            else:
                found.append(truth)
                if len(found) > limit:
                    raise StateLimitExceeded(f"the rules' guards on {self.tool!r} make more than {limit} letters")
        return found

    def _arguments(self) -> set[g.Field]:
        return {place for places in self._places.values() for place in places.values() if place.root == "args"}

    def _term(self, atom: Atom, here: bool, values: dict[str, Any]) -> Any:
        import z3

        from lexgym.oracles.ltlf import possible as p

        if here:
            return p._atom(atom, values)
        places = self._places[atom]
        own = {name: p._term(place, {}) for name, place in places.items()}
        return z3.And([p._atom(atom, own), *(place != p._value().null for place in own.values())])
