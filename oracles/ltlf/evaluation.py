"""Guard → a closure that says whether an event satisfies it.

    >>> test = compile_guard(Compare(">", Field("args", ("amount",)), Const("integer", 5)), ())
    >>> test(Event.ok(ToolCall("pay", {"amount": 6}), None), ())
    True

Two-valued: a comparison with a missing or null value is false. JSON types stay apart: `true`, `1`
and `"1"` are three values. Numbers are exact: a float is the decimal that JSON writes for it, so
that 0.1 + 0.2 is 0.3; NaN and the infinities are no numbers. Ordering values of different types
raises FormulaError, except on an `invalid` event, whose arguments are whatever the agent sent:
there it is false.
"""

import json
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias, assert_never

from lexgym.core import Event, Status, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.guards import Compare, Const, Field

__all__ = ["Compare", "Const", "Event", "Field", "Test", "ToolCall", "Value", "compile_guard", "same", "value_at"]

Values: TypeAlias = Sequence[Any]
Test: TypeAlias = Callable[[Event, Values], bool]
Value: TypeAlias = Callable[[Event, Values], Any]

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def same(left: Any, right: Any) -> bool:
    """Equality of JSON values, in which `true` is not 1 and 5.0 is 5."""
    kind = type(left)
    if kind is type(right) and (kind is str or kind is int):
        return bool(left == right)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, float) or isinstance(right, float):
        return _same_float(left, right)
    if isinstance(left, Mapping | list | tuple) and isinstance(right, Mapping | list | tuple):
        return text_of(left) == text_of(right)
    return bool(left == right)


def _same_float(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    return _is_number(left) and _is_number(right) and bool(exact(left) == exact(right))


def text_of(value: Any) -> str:
    """Return a list or an object as text that is equal for equal ones, also where 5.0 stands for 5."""
    pieces: list[str] = []
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, _Piece):
            pieces.append(item)
        elif isinstance(item, Mapping):
            stack.append(_Piece("}"))
            for key in sorted(item, key=str, reverse=True):
                stack += [item[key], _Piece(f"{json.dumps(str(key))}:")]
            pieces.append("{")
        elif isinstance(item, list | tuple):
            stack += [_Piece("]"), *reversed(item)]
            pieces.append("[")
        else:
            pieces.append(_scalar(item))
    return " ".join(pieces)


class _Piece(str):
    __slots__ = ()


def _scalar(value: Any) -> str:
    match value:
        case None | bool() | str():
            return json.dumps(value)
        case int():
            return hex(value)
        case float() if math.isfinite(value):
            number = exact(value)
            return hex(int(number)) if number.denominator == 1 else str(number)
        case _:
            return f"{type(value).__name__} {value!s}"


def exact(number: Any) -> Any:
    """Return a finite number without rounding; a float is read as its shortest decimal notation."""
    return Fraction(repr(float(number))) if isinstance(number, float) else number


def constant(literal: Const) -> Any:
    """Return the value of a literal, a decimal as a fraction."""
    return Fraction(literal.value) if isinstance(literal.value, Decimal) else literal.value


def compile_guard(guard: g.Guard, variables: tuple[str, ...]) -> Test:
    """Return the guard as a test of an event and of the values of `variables`."""
    match guard:
        case g.GuardNot(body):
            inner = compile_guard(body, variables)
            return lambda event, values: not inner(event, values)
        case g.GuardAnd(parts):
            return _every([compile_guard(part, variables) for part in parts])
        case g.GuardOr(parts):
            return _some([compile_guard(part, variables) for part in parts])
        case Compare("=", Field("args", (name,)), Const("string", wanted)):
            return lambda event, values: event.call.arguments.get(name) == wanted
        case Compare(("=" | "!=") as op, left, right):
            return _equality(value_at(left, variables), value_at(right, variables), op == "=")
        case Compare(op, Field("args", (name,)), Const("integer" | "number") as limit):
            return _limit(op, name, constant(limit))
        case Compare(op, left, right):
            return _ordering(op, value_at(left, variables), value_at(right, variables))
        case g.Member(operand, values, positive):
            return _member(value_at(operand, variables), list(map(constant, values)), positive)
        case g.IsNull(operand, positive):
            place = value_at(operand, variables)
            return lambda event, values: (place(event, values) is None) is positive
        case g.Contains(operand, item):
            return _contains(value_at(operand, variables), value_at(item, variables))
        case g.StartsWith(operand, prefix):
            return _startswith(value_at(operand, variables), value_at(prefix, variables))
        case g.Flag(operand):
            return _flag(value_at(operand, variables))
        case _:
            assert_never(guard)


def value_at(operand: g.Operand, variables: tuple[str, ...]) -> Value:
    """Return the operand as a function of an event and of the values of `variables`."""
    match operand:
        case Const():
            value = constant(operand)
            return lambda event, values: value
        case g.Var(name):
            index = variables.index(name)
            return lambda event, values: values[index]
        case Field("args", (key,)):
            return lambda event, values: event.call.arguments.get(key)
        case Field("args", (key, *path)):
            return lambda event, values: _descend(event.call.arguments.get(key), path)
        case Field("status"):
            return lambda event, values: event.status.value
        case Field(_, path):
            return lambda event, values: _descend(event.result, path)
        case g.Arith(op, left, right):
            return _arithmetic(op, value_at(left, variables), value_at(right, variables))
        case _:
            assert_never(operand)


def _descend(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _every(tests: list[Test]) -> Test:
    if len(tests) == 2:
        one, two = tests
        return lambda event, values: one(event, values) and two(event, values)
    return lambda event, values: all(test(event, values) for test in tests)


def _some(tests: list[Test]) -> Test:
    return lambda event, values: any(test(event, values) for test in tests)


def _equality(left: Value, right: Value, wanted: bool) -> Test:
    def test(event: Event, values: Values) -> bool:
        one, two = left(event, values), right(event, values)
        return one is not None and two is not None and same(one, two) is wanted

    return test


def _ordering(op: str, left: Value, right: Value) -> Test:
    order = _ORDER[op]

    def test(event: Event, values: Values) -> bool:
        one, two = left(event, values), right(event, values)
        if one is None or two is None:
            return False
        if _is_number(one) and _is_number(two):
            return order(exact(one), exact(two))
        if isinstance(one, str) and isinstance(two, str):
            return order(one, two)
        return _misfit(event, f"{_shown(one)} {op} {_shown(two)} compares {_type(one)} with {_type(two)}")

    return test


def _limit(op: str, name: str, limit: int | Fraction) -> Test:
    """The commonest ordering, an argument against a number, by a short way for integers."""
    order = _ORDER[op]
    whole = math.ceil(limit) if op in ("<", ">=") else math.floor(limit)
    general = _ordering(op, lambda event, values: event.call.arguments.get(name), lambda event, values: limit)

    def test(event: Event, values: Values) -> bool:
        value = event.call.arguments.get(name)
        return order(value, whole) if type(value) is int else general(event, values)

    return test


def _member(place: Value, listed: list[Any], positive: bool) -> Test:
    def test(event: Event, values: Values) -> bool:
        value = place(event, values)
        return value is not None and any(same(value, item) for item in listed) is positive

    return test


def _contains(place: Value, item: Value) -> Test:
    def test(event: Event, values: Values) -> bool:
        whole, wanted = place(event, values), item(event, values)
        if whole is None or wanted is None:
            return False
        if isinstance(whole, list | tuple):
            return any(same(element, wanted) for element in whole)
        return _misfit(event, f"{_shown(whole)} is {_type(whole)}, so 'contains' means nothing")

    return test


def _startswith(place: Value, prefix: Value) -> Test:
    def test(event: Event, values: Values) -> bool:
        whole, wanted = place(event, values), prefix(event, values)
        if whole is None or wanted is None:
            return False
        if isinstance(whole, str) and isinstance(wanted, str):
            return whole.startswith(wanted)
        return _misfit(event, f"{_shown(whole)} startswith {_shown(wanted)} is not about strings")

    return test


def _flag(place: Value) -> Test:
    def test(event: Event, values: Values) -> bool:
        value = place(event, values)
        if value is None or isinstance(value, bool):
            return value is True
        return _misfit(event, f"{_shown(value)} is {_type(value)} where a boolean is needed")

    return test


def _arithmetic(op: str, left: Value, right: Value) -> Value:
    apply = _ARITHMETIC[op]

    def value(event: Event, values: Values) -> Any:
        one, two = left(event, values), right(event, values)
        if one is None or two is None:
            return None
        if _is_number(one) and _is_number(two):
            return apply(exact(one), exact(two))
        return _misfit(event, f"{_shown(one)} {op} {_shown(two)} is not about numbers") or None

    return value


def _is_number(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    """Return a value for a message; large ones by their type only."""
    if isinstance(value, str):
        return repr(value) if len(value) <= 80 else f"{value[:80]!r}…"
    if isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int | Fraction) and -(10**30) < value < 10**30:
        return str(value) if isinstance(value, int) else str(float(value))
    return _type(value)


def _type(value: Any) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if _is_number(value):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list | tuple) else "no plain value"


def _misfit(event: Event, message: str) -> bool:
    if event.status is Status.INVALID:
        return False
    raise FormulaError(f"step {event.step}, {event.name}: {message}")
