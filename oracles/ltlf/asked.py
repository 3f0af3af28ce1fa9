"""What one call must be like, in as few conditions as say it.

    pay[payee = p, amount > 9], not pay[payee = p, amount > 12]   →   pay[payee = p, amount > 9, amount <= 12]

A letter says of each atom of a tool whether the call matches it. Conditions that follow from others
are left out, and what remains of a denied condition is turned round where it can be.
"""

from collections.abc import Iterable, Sequence

from lexgym.core import Event, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.evaluation import compile_guard, constant
from lexgym.oracles.ltlf.guards import Compare, Const, Field, Guard, GuardNot, Operand
from lexgym.oracles.ltlf.printer import guard_text, to_text
from lexgym.oracles.ltlf.syntax import Atom

_OPPOSITE: dict[g.Comparator, g.Comparator] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_LOWER, _UPPER = (">", ">="), ("<", "<=")
_NOTHING = Event.ok(ToolCall(""), None)


def call_text(tool: str, asked: Sequence[Guard], variables: frozenset[str] = frozenset()) -> str:
    """Return a call of a tool with all that is asked of it; `variables` are the names a bare word would mean."""
    inside = guard_text(g.GuardAnd(tuple(asked)), variables)
    return f"{to_text(Atom(tool))}[{inside}]" if asked else to_text(Atom(tool))


def few(held: Iterable[Guard | None], denied: Iterable[Guard | None], *, exact: bool = False) -> tuple[Guard, ...]:
    """Return conditions of a call for which some guards hold and others do not.

    With `exact` they describe all such calls. Otherwise `!(amount > 5)` is turned round to `amount <= 5`
    even where nothing else says that there is an amount.
    """
    positive = list(dict.fromkeys(part for guard in held for part in g.conjuncts(guard)))
    values = {place: literal for part in positive for place, literal in _given(part)}
    kept = [part for part in positive if _given(part) or _decided(part, values) is not True]
    there = {leaf for part in positive if not isinstance(part, GuardNot | g.GuardOr) for leaf in g.leaves(part)}
    for guard in denied:
        left = [part for part in g.conjuncts(guard) if part not in positive and _decided(part, values) is not True]
        if left and not any(_decided(part, values) is False for part in left):
            kept += _denial(left, there if exact else None)
    return tuple(part for part in dict.fromkeys(kept) if not any(_stronger(other, part) for other in kept))


def is_binding(part: g.Guard) -> bool:
    """Whether a condition is an equality of a place and a variable."""
    return isinstance(part, Compare) and part.op == "=" and {type(part.left), type(part.right)} == {Field, g.Var}


def _given(part: Guard) -> list[tuple[Field, Const]]:
    """Return the value that a condition gives a place."""
    match part:
        case Compare("=", Field() as place, Const() as literal) | Compare("=", Const() as literal, Field() as place):
            return [(place, literal)]
        case g.Member(Field() as place, (Const() as only,), True):
            return [(place, only)]
        case g.Flag(Field() as place):
            return [(place, Const("boolean", True))]
        case _:
            return []


def _decided(part: Guard, values: dict[Field, Const]) -> bool | None:
    """Return whether a condition holds, given the values of some places; None if they do not decide it."""
    match part:
        case Compare(op, left, right):
            known: Guard = Compare(op, _known(left, values), _known(right, values))
        case g.Member(operand, members, positive):
            known = g.Member(_known(operand, values), members, positive)
        case _:
            return None
    if not all(isinstance(leaf, Const) for leaf in g.leaves(known)):
        return None
    try:
        return compile_guard(known, ())(_NOTHING, ())
    except FormulaError:
        return None


def _known(operand: Operand, values: dict[Field, Const]) -> Operand:
    return values.get(operand, operand) if isinstance(operand, Field) else operand


def _denial(left: Sequence[Guard], there: set[Const | Field | g.Var] | None) -> list[Guard]:
    """Return that not all of some conditions hold; a place outside `there` (None: any is inside) may be missing."""
    if len(left) > 1:
        return [GuardNot(g.GuardAnd(tuple(left)))]
    if there is not None and any(isinstance(leaf, Field) and leaf not in there for leaf in g.leaves(left[0])):
        return [GuardNot(left[0])]
    match left[0]:
        case Compare("=", one, Const("boolean", bool(value))) if there is None:
            return [Compare("=", one, Const("boolean", not value))]
        case Compare(op, one, two):
            return [Compare(_OPPOSITE[op], one, two)]
        case g.Member(operand, values, positive):
            return [g.Member(operand, values, not positive)]
        case g.IsNull(operand, positive):
            return [g.IsNull(operand, not positive)]
        case GuardNot(body):
            return list(g.conjuncts(body))
        case other:
            return [GuardNot(other)]


def _stronger(one: Guard, two: Guard) -> bool:
    """Whether a bound makes another one of the same place needless."""
    match one, two:
        case Compare(op, left, Const() as limit), Compare(other, right, Const() as looser) if left == right:
            numbers = limit.kind in ("integer", "number") and looser.kind in ("integer", "number")
            if not numbers or one == two:
                return False
            high, low = constant(limit), constant(looser)
            if op in _LOWER and other in _LOWER:
                return bool(high > low or (high == low and op == ">"))
            return op in _UPPER and other in _UPPER and bool(high < low or (high == low and op == "<"))
        case _:
            return False
