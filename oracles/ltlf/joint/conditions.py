"""The conditions that one call decides for several rules at once, and which of them go together.

A condition is an atom, with the variables of all rules under common names; atoms that say the same
are one condition. For a rule with variables there is one more: that the call gives *some* values,
so that it belongs to another slice if not to this one. An atom that binds some of the variables only
gives a part of such values.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of, binds_all
from lexgym.oracles.ltlf.joint.truths import truths
from lexgym.oracles.ltlf.renaming import renamed
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Atom


@dataclass(frozen=True, slots=True)
class MemberConditions:
    """Which conditions a rule reads: as (bit, condition) those without and with its variables.

    `elsewhere` are the conditions that the call gives values at all, `whole` those of them for all variables.
    """

    free: tuple[tuple[int, int], ...]
    bound: tuple[tuple[int, int], ...]
    elsewhere: tuple[int, ...]
    whole: tuple[int, ...]


class Conditions:
    """The conditions of one tool, numbered. `renamings` gives each rule's variables common names."""

    def __init__(self, rules: Sequence[tuple[RuleAutomaton, dict[str, str]]], tool: str) -> None:
        self.tool = tool
        self._numbers: dict[tuple[Atom, bool], int] = {}
        self._places: dict[Atom, dict[str, g.Field]] = {}
        found = (automaton.signatures.get(tool) for automaton, _ in rules)
        self._signature = next((signature for signature in found if signature is not None), None)
        self._names = tuple(dict.fromkeys(name for _, renaming in rules for name in renaming.values()))
        self.members = tuple(self._member(automaton, renaming) for automaton, renaming in rules)

    def _member(self, automaton: RuleAutomaton, renaming: dict[str, str]) -> MemberConditions:
        free, bound, elsewhere, whole = [], [], [], []
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
                whole += elsewhere[-1:] if binds_all(atom, automaton.variables) else []
        return MemberConditions(tuple(free), tuple(bound), tuple(elsewhere), tuple(whole))

    def _number(self, atom: Atom, *, here: bool) -> int:
        return self._numbers.setdefault((atom, here), len(self._numbers))

    def possible(self, limit: int) -> Iterator[tuple[tuple[bool, ...], bool]]:
        """Yield the truth values that a call can give all conditions, and whether a usual call can.

        A usual call succeeds and gives the arguments that are values of variables. Raises
        StateLimitExceeded beyond `limit` of them.
        """
        if all(atom.guard is None for atom, _ in self._numbers):
            yield (True,) * len(self._numbers), True
            yield (False,) * len(self._numbers), False
            return
        conditions = [(atom, None if here else self._places[atom]) for atom, here in self._numbers]
        for usual in (True, False):
            for truth in truths(conditions, self._names, self._signature, limit, usual=usual):
                yield truth, usual
