"""Guards as Z3 formulas over one event, to find the combinations of atoms that cannot be.

A place holds a value that is null, a number, a string, a boolean or something else, so that JSON
types stay apart as they do at run time. What Z3 is not told (list membership) may be anything.
"""

from functools import cache
from typing import Any, assert_never

import z3  # type: ignore[import-untyped]

from lexgym.core import Status
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.combinations import RESOURCES
from lexgym.oracles.ltlf.syntax import Atom

_Terms = dict[str, Any]


@cache
def _value() -> Any:
    sort = z3.Datatype("JsonValue")
    sort.declare("null")
    sort.declare("number", ("as_number", z3.RealSort()))
    sort.declare("string", ("as_string", z3.StringSort()))
    sort.declare("boolean", ("as_boolean", z3.BoolSort()))
    sort.declare("other", ("as_other", z3.IntSort()))
    return sort.create()


class Possible:
    """The possible letters of one tool."""

    def __init__(self, atoms: dict[Atom, int], variables: tuple[str, ...], limit: int) -> None:
        self._limit = limit
        self._places = {atom: binding_of(atom, variables) for atom in atoms}
        self._bits = atoms
        self._slice: _Terms = {name: z3.Const(f"slice {name}", _value()) for name in variables}

    def letters(self, *, succeeds: bool) -> list[int]:
        """Return the letters of calls inside a slice and of calls bound to none."""
        free = [atom for atom, places in self._places.items() if places is None]
        unbound = [
            z3.Not(_atom(atom, {name: _term(place, {}) for name, place in places.items()}))
            for atom, places in self._places.items()
            if places is not None
        ]
        bound = sum(bit for atom, bit in self._bits.items() if self._places[atom] is not None)
        found = self._search(free, [*_base(succeeds), *unbound])
        if bound:
            solid = [value != _value().null for value in self._slice.values()]
            inside = self._search(list(self._bits), [*_base(succeeds), *solid])
            found += [letter for letter in inside if letter & bound]
        return sorted(set(found))

    def _search(self, atoms: list[Atom], facts: list[Any]) -> list[int]:
        solver = z3.Solver()
        solver.set("rlimit", RESOURCES)
        solver.add(*facts)
        conditions = [_atom(atom, self._slice) for atom in atoms]
        found: list[int] = []

        def extend(index: int, letter: int) -> None:
            if solver.check() == z3.unsat:
                return
            if index == len(atoms):
                found.append(letter)
                if len(found) > self._limit:
                    raise StateLimitExceeded(f"the guards of {atoms[0].tool!r} make more than {self._limit} letters")
                return
            for condition, bit in ((z3.Not(conditions[index]), 0), (conditions[index], self._bits[atoms[index]])):
                solver.push()
                solver.add(condition)
                extend(index + 1, letter | bit)
                solver.pop()

        extend(0, 0)
        return found


def _base(succeeds: bool) -> list[Any]:
    status = _term(g.Field("status"), {})
    allowed = [Status.OK] if succeeds else list(Status)
    return [z3.Or([status == _const(value.value) for value in allowed])]


def _const(value: str | int | bool) -> Any:
    sort = _value()
    if isinstance(value, bool):
        return sort.boolean(z3.BoolVal(value))
    return sort.string(z3.StringVal(value)) if isinstance(value, str) else sort.number(z3.RealVal(value))


def _atom(atom: Atom, values: _Terms) -> Any:
    condition = z3.BoolVal(True) if atom.guard is None else _guard(atom.guard, values)
    if g.mentions_status(atom.guard):
        return condition
    return z3.And(condition, _term(g.Field("status"), {}) == _const(Status.OK.value))


def _guard(guard: g.Guard, values: _Terms) -> Any:
    null = _value().null
    match guard:
        case g.GuardNot(body):
            return z3.Not(_guard(body, values))
        case g.GuardAnd(parts):
            return z3.And([_guard(part, values) for part in parts])
        case g.GuardOr(parts):
            return z3.Or([_guard(part, values) for part in parts])
        case g.Compare(op, left, right):
            one, two = _term(left, values), _term(right, values)
            return z3.And(one != null, two != null, _compare(op, one, two))
        case g.Member(operand, listed, positive):
            place = _term(operand, values)
            inside = z3.Or([place == _const(value.value) for value in listed])
            return z3.And(place != null, inside if positive else z3.Not(inside))
        case g.IsNull(operand, positive):
            return (_term(operand, values) == null) if positive else (_term(operand, values) != null)
        case g.Contains(operand, item):
            solid = z3.And(_term(operand, values) != null, _term(item, values) != null)
            return z3.And(solid, z3.Bool(f"contains {operand!r} {item!r}"))
        case g.StartsWith(operand, prefix):
            return _startswith(_term(operand, values), _term(prefix, values))
        case g.Flag(operand):
            return _term(operand, values) == _const(True)
        case _:
            assert_never(guard)


def _startswith(whole: Any, prefix: Any) -> Any:
    sort = _value()
    strings = z3.And(sort.is_string(whole), sort.is_string(prefix))
    return z3.And(strings, z3.PrefixOf(sort.as_string(prefix), sort.as_string(whole)))


def _compare(op: g.Comparator, one: Any, two: Any) -> Any:
    sort = _value()
    if op == "=":
        return one == two
    if op == "!=":
        return one != two
    numbers = z3.And(sort.is_number(one), sort.is_number(two))
    strings = z3.And(sort.is_string(one), sort.is_string(two))
    return z3.Or(
        z3.And(numbers, _order(op, sort.as_number(one), sort.as_number(two))),
        z3.And(strings, _order(op, sort.as_string(one), sort.as_string(two))),
    )


def _order(op: str, one: Any, two: Any) -> Any:
    if op in (">", ">="):
        return _order("<" if op == ">" else "<=", two, one)
    return one < two if op == "<" else one <= two


def _term(operand: g.Operand, values: _Terms) -> Any:
    match operand:
        case g.Const(_, value):
            return _const(value)
        case g.Var(name):
            return values[name]
        case g.Field(root, path):
            return z3.Const(".".join((root, *path)), _value())
        case g.Arith(op, left, right):
            return _arithmetic(op, _term(left, values), _term(right, values))
        case _:
            assert_never(operand)


def _arithmetic(op: str, one: Any, two: Any) -> Any:
    sort = _value()
    a, b = sort.as_number(one), sort.as_number(two)
    result = a + b if op == "+" else a - b if op == "-" else a * b
    return z3.If(z3.And(sort.is_number(one), sort.is_number(two)), sort.number(result), sort.null)
