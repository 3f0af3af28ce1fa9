"""Which truth values one call can give the conditions of several rules, without a solver.

    pay[payee = p, amount > 5], pay[amount > 9]   →   a call of p, or of another payee, with 4, 5, 6, 9, 10 …

For conditions that compare places with literals, and each variable with one place only: whether a call has the
slice's value there is then free, so it is tried both ways on enough values of the other places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

from lexgym.core import Status
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.evaluation import Test, compile_guard
from lexgym.oracles.ltlf.samples import event_of, samples_of
from lexgym.oracles.ltlf.signature import ToolSignature
from lexgym.oracles.ltlf.syntax import Atom

Asked: TypeAlias = tuple[Atom, Mapping[str, g.Field] | None]
"""An atom under the slice's values or, with the places of its own values, that it holds under some."""

MAX_EVENTS = 20_000
"""The most events tried; beyond, it is for the solver."""


@dataclass(frozen=True, slots=True)
class _Condition:
    """What a condition asks: values at some places, the slice's own for some variables, and the rest."""

    bit: int
    places: Mapping[str, g.Field]
    here: bool
    rest: g.Guard

    def test(self) -> Test:
        """The rest as a function of an event."""
        return compile_guard(self.rest, ())


def sampled_truths(
    asked: Mapping[int, Asked], signature: ToolSignature | None, status: Status, *, usual: bool
) -> set[int] | None:
    """Return the letters that calls of a status make of conditions by their bits; None where samples cannot tell.

    A usual call gives the arguments that are values of variables.
    """
    conditions = [_condition(bit, *each) for bit, each in asked.items()]
    places: dict[str, g.Field] = {}
    for each in conditions:
        if g.variables_of(each.rest) or any(places.setdefault(n, p) != p for n, p in each.places.items()):
            return None
    values = samples_of([each.rest for each in conditions], signature, status, *places.values())
    if values is None or prod(map(len, values.values())) * 2 ** len(places) > MAX_EVENTS:
        return None
    wanted = [place for place in places.values() if usual and place.root == "args"]
    tests = [each.test() for each in conditions]
    letters: set[int] = set()
    for chosen in product(*values.values()):
        call = dict(zip(values, chosen, strict=True))
        if any(call[place] is None for place in wanted):
            continue
        event = event_of(call, status)
        try:
            held = [each for each, test in zip(conditions, tests, strict=True) if test(event, ())]
        except FormulaError:  # no judge can be asked about such a call
            continue
        held = [each for each in held if all(call[place] is not None for place in each.places.values())]
        letters |= _letters(held, list(places))
    return letters


def _condition(bit: int, atom: Atom, own: Mapping[str, g.Field] | None) -> _Condition:
    places: dict[str, g.Field] = {}
    rest: list[g.Guard] = []
    for part in g.conjuncts(atom.guard):
        match part:
            case g.Compare("=", g.Field() as place, g.Var(name)) | g.Compare("=", g.Var(name), g.Field() as place):
                if name not in places:
                    places[name] = place
                    continue
        rest.append(part)
    return _Condition(bit, places, own is None, g.GuardAnd(tuple(rest)))


def _letters(held: Sequence[_Condition], names: Sequence[str]) -> set[int]:
    """Return the letters of a call, whichever of the slice's values it has."""
    found = set()
    for same in product((True, False), repeat=len(names)):
        here = {name for name, is_same in zip(names, same, strict=True) if is_same}
        found.add(sum(each.bit for each in held if not each.here or each.places.keys() <= here))
    return found
