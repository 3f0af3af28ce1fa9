"""Whether every call that one atom means, another one means too, read off their guards.

pay[amount > 900, kind = "gift"]   is within   pay[amount > 500]
pay[kind in ["gift", "loan"]]      is not within   pay[kind = "gift"]
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.syntax import Atom

Value: TypeAlias = tuple[str, str | int | bool | Decimal]


@dataclass(frozen=True, slots=True)
class _Test:
    """What a guard asks of one place: a value among some, or not among some, or a number between two bounds.

    A test that says `absent` holds where the place is missing.
    """

    place: g.Field
    values: frozenset[Value] = frozenset()
    among: bool = True
    absent: bool = False
    bounds: tuple[float, float] | None = None


def contained(one: Atom, other: Atom, names: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})) -> bool | None:
    """Return whether every call that matches an atom matches another, None where guards alone do not say.

    Variables mean the same where their names in `names` are the same. The first atom matches some call.
    """
    if one.tool != other.tool:
        return False
    if _status(one.guard) != _status(other.guard):
        return None
    mine = [_named(guard, names[0]) for guard in g.conjuncts(one.guard)]
    answers = [_covered(_named(guard, names[1]), mine) for guard in g.conjuncts(other.guard)]
    return False if False in answers else None if None in answers else True


def split_bindings(atom: Atom) -> tuple[list[tuple[g.Field, g.Var]], Atom]:
    """Return the places that give variables their values, and the atom without them."""
    bound, rest = [], []
    for guard in g.conjuncts(atom.guard):
        match guard:
            case g.Compare("=", g.Field() as place, g.Var() as name) | g.Compare(
                "=", g.Var() as name, g.Field() as place
            ):
                bound.append((place, name))
            case _:
                rest.append(guard)
    return bound, Atom(atom.tool, g.GuardAnd(tuple(rest)) if rest else None)


def _status(guard: g.Guard | None) -> frozenset[g.Guard]:
    """Return the guards that ask for a status; without one an atom means a call that succeeded."""
    return frozenset(
        part
        for part in g.conjuncts(guard)
        if any(isinstance(leaf, g.Field) and leaf.root == "status" for leaf in g.leaves(part))
    )


def _named(guard: g.Guard, names: Mapping[str, str]) -> g.Guard:
    match guard:
        case g.Compare(op, g.Field() as place, g.Var(name)):
            return g.Compare(op, place, g.Var(names.get(name, name)))
        case g.Compare(op, g.Var(name), g.Field() as place) if op in ("=", "!="):
            return g.Compare(op, place, g.Var(names.get(name, name)))
        case _:
            return guard


def _covered(wanted: g.Guard, mine: Sequence[g.Guard]) -> bool | None:
    """Return whether some guards together make sure of another one."""
    if wanted in mine:
        return True
    if _binds(wanted):
        return False
    asked = _test(wanted)
    if asked is None or any(_test(guard) is None and not _binds(guard) for guard in mine):
        return None
    known = [test for test in map(_test, mine) if test is not None and test.place == asked.place]
    if any(_sure(test, asked) for test in known):
        return True
    return False if len(known) < 2 and all(test.among for test in [asked, *known]) else None


def _binds(guard: g.Guard) -> bool:
    return isinstance(guard, g.Compare) and guard.op == "=" and isinstance(guard.right, g.Var)


def _test(guard: g.Guard) -> _Test | None:
    """Return a guard as a test of one place, None where it is none."""
    match guard:
        case g.Flag(g.Field() as place):
            return _Test(place, frozenset({("boolean", True)}))
        case g.Compare("=" | "!=" as op, g.Field() as place, g.Const(kind, value)):
            return _Test(place, frozenset({(kind, value)}), among=op == "=")
        case g.Compare(op, g.Field() as place, g.Const("integer", int(bound))):
            return _Test(place, bounds=_BOUNDS[op](bound))
        case g.Member(g.Field() as place, values, positive):
            return _Test(place, frozenset((value.kind, value.value) for value in values), among=positive)
        case g.GuardNot(body) if (test := _test(body)) is not None and test.bounds is None and test.among:
            return _Test(test.place, test.values, among=False, absent=True)
        case _:
            return None


_ENDLESS = float("inf")
_BOUNDS: Mapping[str, Callable[[int], tuple[float, float]]] = {
    "<": lambda bound: (-_ENDLESS, bound - 0.5),
    "<=": lambda bound: (-_ENDLESS, bound),
    ">": lambda bound: (bound + 0.5, _ENDLESS),
    ">=": lambda bound: (bound, _ENDLESS),
}


def _sure(test: _Test, asked: _Test) -> bool:
    """Whether what passes one test passes another."""
    if asked.bounds is not None:
        if test.bounds is not None:
            return asked.bounds[0] <= test.bounds[0] and test.bounds[1] <= asked.bounds[1]
        return test.among and all(_within(value, asked.bounds) for value in test.values)
    if test.bounds is not None:
        plain = all(kind != "number" for kind, _ in asked.values)
        return plain and not asked.among and not any(_within(value, test.bounds) for value in asked.values)
    if asked.among:
        return test.among and test.values <= asked.values
    if test.among:
        return not test.values & asked.values
    return asked.values <= test.values and (asked.absent or not test.absent)


def _within(value: Value, bounds: tuple[float, float]) -> bool:
    return value[0] == "integer" and bounds[0] <= int(value[1]) <= bounds[1]
