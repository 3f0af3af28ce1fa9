"""Guards as Z3 formulas over one event, to find the combinations of atoms that cannot be.

    pay[amount > 5], pay[amount > 9]   →   neither, the first, both

A place holds null, a number, a string, a boolean or something else (a list, an object, NaN), so that
JSON types stay apart as they do at run time. Where Z3 is not told enough, more stays possible.
"""

from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from threading import RLock
from typing import Any, assert_never

import z3  # type: ignore[import-untyped]

from lexgym.core import Status
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.schemas import Range
from lexgym.oracles.ltlf.signature import ToolSignature, given, ranges_of
from lexgym.oracles.ltlf.syntax import Atom

RESOURCES = 2_000_000
"""Z3's own deterministic measure of work, for one question; less than a second."""

TOTAL_RESOURCES = 10_000_000
"""The same for all questions about conditions that share places."""

SOLVER_LOCK = RLock()
"""Z3 keeps its terms in one place that two threads may not touch at a time."""

Terms = dict[str, Any]

_FITTING = (Status.OK, Status.REFUSED)


@cache
def json_value() -> Any:
    """Return the sort of what a place can hold."""
    sort = z3.Datatype("JsonValue")
    sort.declare("null")
    sort.declare("number", ("as_number", z3.RealSort()))
    sort.declare("string", ("as_string", z3.StringSort()))
    sort.declare("boolean", ("as_boolean", z3.BoolSort()))
    sort.declare("other", ("as_other", z3.IntSort()))
    return sort.create()


@cache
def _contains() -> Any:
    return z3.Function("contains", json_value(), json_value(), z3.BoolSort())


@cache
def _product() -> Any:
    return z3.Function("product", z3.RealSort(), z3.RealSort(), z3.RealSort())


def solved_letters(
    atoms: dict[Atom, int],
    variables: tuple[str, ...],
    limit: int,
    signature: ToolSignature | None,
    status: Status,
    *,
    inside: bool,
) -> set[int]:
    """Return the letters of one tool's calls of a status: inside a slice, or bound to none.

    Raises StateLimitExceeded for more than `limit` letters, or when they take too much work to find.
    """
    try:
        with SOLVER_LOCK:
            return set(_solve(atoms, variables, limit, facts(atoms, signature, status), status, inside))
    except TooManyError as error:
        tool = next(iter(atoms)).tool
        raise StateLimitExceeded(f"the guards of {tool!r} make {error}") from None


def _solve(
    atoms: dict[Atom, int], variables: tuple[str, ...], limit: int, known: list[Any], status: Status, inside: bool
) -> list[int]:
    values = {name: z3.Const(f"slice {name}", json_value()) for name in variables}
    if inside:
        known = [*known, *(value != json_value().null for value in values.values())]
    decided = []
    for atom, bit in atoms.items():
        places = None if inside else binding_of(atom, variables)
        if places is None:
            decided.append((bit, atom_holds(atom, values, status)))
        else:
            own = {name: term(place, {}) for name, place in places.items()}
            known.append(z3.Not(atom_holds(atom, own, status)))
    return solve(decided, known, limit)


def solve(decided: list[tuple[int, Any]], known: list[Any], limit: int) -> list[int]:
    """Return which terms can hold together, as the sums of their bits; raise TooManyError beyond `limit`."""
    try:
        return _by_models(decided, known, limit)
    except _UndecidedError:
        return _by_cases(decided, known, limit)


class TooManyError(Exception):
    """There are too many letters, or they take too much work to find."""


class _UndecidedError(Exception):
    """Z3 cannot say."""


class _Solver:
    """Z3 with a bound on its work, so that a search ends on every machine at the same point."""

    def __init__(self, known: list[Any]) -> None:
        self._solver = z3.SimpleSolver()
        self._solver.set("rlimit", RESOURCES)
        self._solver.set("ctrl_c", False)  # or Z3 takes the signal for itself, and the program goes on
        self._solver.add(*known)
        self._start: int | None = None

    def add(self, *terms: Any) -> None:
        self._solver.add(*terms)

    def check(self, *assumed: Any) -> Any:
        answer = self._solver.check(*assumed)
        spent = self._solver.statistics().get_key_value("rlimit count")
        self._start = spent if self._start is None else self._start
        if spent - self._start > TOTAL_RESOURCES:
            raise TooManyError("too many combinations to look through")
        return answer

    def values(self, flags: list[Any]) -> list[bool]:
        model = self._solver.model()
        return [z3.is_true(model.eval(flag, model_completion=True)) for flag in flags]


def _by_models(conditions: list[tuple[int, Any]], known: list[Any], limit: int) -> list[int]:
    """Ask for one letter after the other, each time excluding those found."""
    solver = _Solver(known)
    flags = [z3.Bool(f"atom {bit}") for bit, _ in conditions]
    solver.add(*(flag == condition for flag, (_, condition) in zip(flags, conditions, strict=True)))
    found: list[int] = []
    while (answer := solver.check()) == z3.sat:
        truth = solver.values(flags)
        found.append(sum(bit for (bit, _), holds in zip(conditions, truth, strict=True) if holds))
        if len(found) > limit:
            raise TooManyError(f"more than {limit} letters")
        solver.add(z3.Or([z3.Not(flag) if holds else flag for flag, holds in zip(flags, truth, strict=True)]))
    if answer == z3.unknown:
        raise _UndecidedError
    return found


def _by_cases(conditions: list[tuple[int, Any]], known: list[Any], limit: int) -> list[int]:
    """Go through the cases as a tree, keeping those of which Z3 cannot say that they are impossible."""
    solver = _Solver(known)
    flags = [z3.Bool(f"atom {bit}") for bit, _ in conditions]
    solver.add(*(flag == condition for flag, (_, condition) in zip(flags, conditions, strict=True)))
    found: list[int] = []
    waiting: list[tuple[tuple[Any, ...], int]] = [((), 0)]
    while waiting:
        path, letter = waiting.pop()
        if solver.check(*path) == z3.unsat:
            continue
        if len(path) < len(conditions):
            flag, bit = flags[len(path)], conditions[len(path)][0]
            waiting += [((*path, flag), letter | bit), ((*path, z3.Not(flag)), letter)]
            continue
        found.append(letter)
        if len(found) > limit:
            raise TooManyError(f"more than {limit} letters")
    return found


def status_is(statuses: Iterable[Status]) -> Any:
    """Return that the event has one of some statuses."""
    status = term(g.Field("status"), {})
    return z3.Or([status == constant(value.value) for value in Status if value in set(statuses)])


def facts(atoms: Iterable[Atom], signature: ToolSignature | None, status: Status) -> list[Any]:
    """Return what is known of the places that some atoms of one tool read, in an event of a status.

    Arguments fit their schema unless the call was invalid, results if it succeeded. A place may be
    missing unless the signature requires it; what has fields is an object.
    """
    leaves = [leaf for atom in atoms for leaf in g.leaves(atom.guard)]
    places = {leaf for leaf in leaves if isinstance(leaf, g.Field) and leaf.root != "status"}
    found = []
    for place in sorted(places, key=str):
        for depth in range(1 if place.root == "args" else 0, len(place.path)):
            parent, child = g.Field(place.root, place.path[:depth]), g.Field(place.root, place.path[: depth + 1])
            found.append(z3.Or(term(child, {}) == json_value().null, json_value().is_other(term(parent, {}))))
        if signature is not None and status in (_FITTING if place.root == "args" else (Status.OK,)):
            found.append(_fits(term(place, {}), ranges_of(signature, place)))
            if given(signature, place):
                found.append(term(place, {}) != json_value().null)
    return found


def _fits(value: Any, ranges: tuple[Range, ...] | None) -> Any:
    if ranges is None:
        return z3.BoolVal(True)
    return z3.Or([value == json_value().null, *(_in_range(value, one) for one in ranges)])


def _in_range(value: Any, one: Range) -> Any:
    sort = json_value()
    if one.values is not None:
        return z3.Or([value == constant(item) for item in one.values])
    number = sort.as_number(value)
    match one.kind:
        case "integer" | "number":
            parts = [sort.is_number(value)]
            parts += [z3.IsInt(number)] if one.kind == "integer" else []
            parts += [_order(op, number, _real(limit)) for op, limit in one.limits]
            return z3.And(parts)
        case "string":
            return sort.is_string(value)
        case "boolean":
            return sort.is_boolean(value)
        case _:
            return sort.is_other(value)


def _real(value: Any) -> Any:
    return z3.RealVal(format(Decimal(repr(value)) if isinstance(value, float) else Decimal(value), "f"))


def constant(value: str | float | Decimal) -> Any:
    """Return a literal's value as a term."""
    sort = json_value()
    if isinstance(value, bool):
        return sort.boolean(z3.BoolVal(value))
    return sort.string(_string(value)) if isinstance(value, str) else sort.number(_real(value))


def _string(value: str) -> Any:
    """Return a string as its UTF-8 bytes, which keep order and prefixes and need none of Z3's escapes."""
    encoded = value.encode("utf-8", "surrogatepass")
    return z3.StringVal("".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\u{{{b:x}}}" for b in encoded))


def atom_holds(atom: Atom, values: Terms, status: Status | None = None) -> Any:
    """Return that an event (of a status, if given) matches an atom, under the values of variables."""
    condition = z3.BoolVal(True) if atom.guard is None else _guard(atom.guard, values)
    if not g.mentions_status(atom.guard):
        condition = z3.And(condition, status_is([Status.OK]))
    if status is None:
        return condition
    place = term(g.Field("status"), {})
    return z3.simplify(z3.substitute(condition, (place, constant(status.value))))


def _guard(guard: g.Guard, values: Terms) -> Any:
    null = json_value().null
    match guard:
        case g.GuardNot(body):
            return z3.Not(_guard(body, values))
        case g.GuardAnd(parts):
            return z3.And([_guard(part, values) for part in parts])
        case g.GuardOr(parts):
            return z3.Or([_guard(part, values) for part in parts])
        case g.Compare(op, left, right):
            one, two = term(left, values), term(right, values)
            return z3.And(one != null, two != null, _compare(op, one, two))
        case g.Member(operand, listed, positive):
            place = term(operand, values)
            inside = z3.Or([place == constant(value.value) for value in listed])
            return z3.And(place != null, inside if positive else z3.Not(inside))
        case g.IsNull(operand, positive):
            return (term(operand, values) == null) if positive else (term(operand, values) != null)
        case g.Contains(operand, item):
            whole, wanted = term(operand, values), term(item, values)
            return z3.And(json_value().is_other(whole), wanted != null, _contains()(whole, wanted))
        case g.StartsWith(operand, prefix):
            return _startswith(term(operand, values), term(prefix, values))
        case g.Flag(operand):
            return term(operand, values) == constant(True)
        case _:
            assert_never(guard)


def _startswith(whole: Any, prefix: Any) -> Any:
    sort = json_value()
    strings = z3.And(sort.is_string(whole), sort.is_string(prefix))
    return z3.And(strings, z3.PrefixOf(sort.as_string(prefix), sort.as_string(whole)))


def _compare(op: g.Comparator, one: Any, two: Any) -> Any:
    sort = json_value()
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


def term(operand: g.Operand, values: Terms) -> Any:
    """Return an operand as a term, under the values of variables."""
    match operand:
        case g.Const(_, value):
            return constant(value)
        case g.Var(name):
            return values[name]
        case g.Field(root, path):
            return z3.Const(".".join((root, *path)), json_value())
        case g.Arith():
            defined, number = _number(operand, values)
            return z3.If(defined, json_value().number(number), json_value().null)
        case _:
            assert_never(operand)


def _number(operand: g.Operand, values: Terms) -> tuple[Any, Any]:
    """Return whether an operand is a number, and which."""
    sort = json_value()
    match operand:
        case g.Arith(op, left, right):
            (one, a), (two, b) = _number(left, values), _number(right, values)
            result = a + b if op == "+" else a - b if op == "-" else _times(a, b)
            return z3.And(one, two), result
        case g.Const(_, bool() | str()):
            return z3.BoolVal(False), z3.RealVal(0)
        case g.Const(_, value):
            return z3.BoolVal(True), _real(value)
        case _:
            place = term(operand, values)
            return sort.is_number(place), sort.as_number(place)


def _times(one: Any, two: Any) -> Any:
    """Multiply; of the product of two unknowns Z3 is told only that it is one number."""
    one, two = z3.simplify(one), z3.simplify(two)
    return one * two if z3.is_rational_value(one) or z3.is_rational_value(two) else _product()(one, two)
