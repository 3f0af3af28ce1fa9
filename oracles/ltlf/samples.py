"""Enough values of a place to tell apart whatever some guards ask of it.

    x > 5, x > 9   →   null, 4, 5, 6, 9, 10, true, false, "", {}

For guards that compare single places with literals: every answer that any value gets, one of the
samples gets too. So the answers can be read off by the evaluation that judges events.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from math import floor, prod
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.evaluation import compile_guard, constant, same
from lexgym.oracles.ltlf.schemas import Range
from lexgym.oracles.ltlf.signature import ToolSignature, given, ranges_of
from lexgym.oracles.ltlf.syntax import Atom

MAX_WORK = 2_000_000
"""The most comparisons, over all sampled events, that are made; about a second."""

_HOLDS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def sampled_letters(atoms: Mapping[Atom, int], signature: ToolSignature | None, status: Status) -> set[int] | None:
    """Return the letters that events of a status make, None where samples cannot or may not tell.

    A call that a guard cannot be asked of (`"a" < 5`) stops the judge and is no letter.
    """
    guards = [atom.guard for atom in atoms]
    values = samples_of(guards, signature, status)
    if values is None or prod(map(len, values.values())) * _cost(guards) > MAX_WORK:
        return None
    tests = [
        (bit, g.mentions_status(atom.guard), compile_guard(atom.guard, ()) if atom.guard else None)
        for atom, bit in atoms.items()
    ]
    letters = set()
    for chosen in product(*values.values()):
        event = event_of(dict(zip(values, chosen, strict=True)), status)
        try:
            hold = [
                bit
                for bit, any_status, test in tests
                if (any_status or status is Status.OK) and (test is None or test(event, ()))
            ]
        except FormulaError:
            continue
        letters.add(sum(hold))
    return letters


def samples_of(
    guards: Iterable[g.Guard | None], signature: ToolSignature | None, status: Status, *also: g.Field
) -> dict[g.Field, list[Any]] | None:
    """Return values of each place that guards read, in events of a status; None when samples cannot tell.

    Of the places `also`, those that no guard reads have null, where it fits, and one other value.
    """
    literals = _literals(guards)
    if literals is None:
        return None
    trusted = {"args": status is not Status.INVALID, "result": status is Status.OK}
    found: dict[g.Field, list[Any]] = {}
    for place in (*literals, *also):
        known = signature if trusted[place.root] else None
        values = _samples(literals.get(place, []), ranges_of(known, place) if known else None)
        values = values if place in literals else values[:2]
        found[place] = [v for v in values if v is not None or known is None or not given(known, place)]
    return found


def _cost(guards: Sequence[g.Guard | None]) -> int:
    """Return the number of comparisons that one event takes."""
    return len(guards) + sum(map(len, (_literals(guards) or {}).values()))


def _literals(guards: Iterable[g.Guard | None]) -> dict[g.Field, list[Any]] | None:
    """Return what each place is compared with, None when a guard asks more than that."""
    found: dict[g.Field, list[Any]] = {}
    for leaf in (leaf for guard in guards for leaf in _comparisons(guard)):
        operands = (*g.operands(leaf), *(leaf.values if isinstance(leaf, g.Member) else ()))
        places = [operand for operand in operands if isinstance(operand, g.Field)]
        known = [constant(operand) for operand in operands if isinstance(operand, g.Const)]
        if isinstance(leaf, g.Contains) or len(places) != 1 or len(places) + len(known) < len(operands):
            return None
        if places[0].root != "status":
            found.setdefault(places[0], []).extend(known)
    return found


def _comparisons(guard: g.Guard | None) -> Iterator[g.Guard]:
    match guard:
        case None:
            return
        case g.GuardNot(body):
            yield from _comparisons(body)
        case g.GuardAnd(parts) | g.GuardOr(parts):
            for part in parts:
                yield from _comparisons(part)
        case _:
            yield guard


def _samples(literals: list[Any], known: tuple[Range, ...] | None) -> list[Any]:
    """Return values that fit the known ranges; null always does."""
    numbers = {x for x in literals if isinstance(x, int | Fraction) and not isinstance(x, bool)}
    strings = {x for x in literals if isinstance(x, str)}
    if known is None:
        return [None, True, False, {}, *_around(numbers), *_beside(strings)]
    numbers |= {_exact(limit) for one in known for _, limit in one.limits}
    listed = [value for one in known for value in one.values or ()]
    offered = [True, False, {}, *_around(numbers), *_beside(strings)]
    return [None, *listed, *(value for value in offered if any(_fits(value, one) for one in known))]


def _fits(value: Any, one: Range) -> bool:
    match value:
        case _ if one.values is not None:
            return any(same(value, item) for item in one.values)
        case bool():
            return one.kind == "boolean"
        case str():
            return one.kind == "string"
        case int() | Fraction():
            integral = one.kind == "number" or (one.kind == "integer" and value == floor(value))
            return integral and all(_HOLDS[op](value, _exact(limit)) for op, limit in one.limits)
        case _:
            return one.kind in ("array", "object")


def _exact(limit: Any) -> Fraction:
    return Fraction(Decimal(repr(limit))) if isinstance(limit, float) else Fraction(limit)


def _around(numbers: set[Any]) -> list[Any]:
    """Return each number, one integer and one fraction between neighbours, and some beyond both ends."""
    ordered = sorted(numbers) or [0]
    found: list[Any] = [floor(ordered[0]) - 1, floor(ordered[-1]) + 1, floor(ordered[-1]) + 2]
    found += [Fraction(floor(ordered[0]) * 2 - 1, 2), Fraction(floor(ordered[-1]) * 2 + 3, 2)]
    for low, high in pairwise(ordered):
        found += [(Fraction(low) + Fraction(high)) / 2]
        found += [floor(low) + 1] if floor(low) + 1 < high else []
    return [*ordered, *found]


def _beside(strings: set[str]) -> set[str]:
    """Return the least string, and every string at which an answer changes with the next one after it."""
    edges = {edge for text in strings for edge in (text, _after_all(text)) if edge is not None}
    return {"", *edges, *(edge + "\0" for edge in edges)}


def _after_all(prefix: str) -> str | None:
    """Return the least string after all that begin with a prefix."""
    body = prefix.rstrip("\U0010ffff")
    return body[:-1] + chr(ord(body[-1]) + 1) if body else None


def event_of(values: Mapping[g.Field, Any], status: Status) -> Event:
    """Return an event with some values at their places."""
    whole: dict[str, Any] = {"args": {}, "result": None}
    for place, value in values.items():
        target, path = whole, (place.root, *place.path)
        if value is None:
            continue
        for key in path[:-1]:
            if not isinstance(target.get(key), dict):
                target[key] = {}
            target = target[key]
        target[path[-1]] = value
    return Event(ToolCall("", whole["args"]), whole["result"], status)
