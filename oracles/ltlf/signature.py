"""What tools exist and what their arguments and results look like, as JSON schemas.

    >>> signature = {"pay": ToolSignature({"amount": {"type": "integer"}}, {"type": "object"})}

A rule checked against a signature cannot name a tool, a field or a value that does not exist.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

from lexgym.core import Status
from lexgym.errors import SignatureError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.evaluation import constant, same
from lexgym.oracles.ltlf.schemas import (
    KINDS,
    Range,
    Rooted,
    Schema,
    Shape,
    always_there,
    clipped,
    items,
    ranges,
    suggestion,
    union,
    walk,
)

__all__ = ["GuardChecker", "Signature", "ToolSignature", "ranges_of", "schemas_at"]

_NUMERIC = frozenset({"integer", "number"})
_STATUS: Schema = {"type": "string", "enum": [status.value for status in Status]}
_FAILURE: Schema = {"type": "string"}
_OPERATORS = "XNFGYOH"


@dataclass(frozen=True)
class ToolSignature:
    """A tool's argument schemas by name, the schema of its result, and the arguments that a call must give.

    Raises SignatureError where a schema is no mapping.
    """

    arguments: Mapping[str, Schema] = field(default_factory=dict)
    result: Schema = field(default_factory=dict)
    required: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        parts = {"arguments": self.arguments, "result": self.result}
        parts |= dict(self.arguments) if isinstance(self.arguments, Mapping) else {}
        for name, schema in parts.items():
            if not isinstance(schema, Mapping):
                raise SignatureError(f"a tool's {name!r} is described by a JSON schema, not by {clipped(repr(schema))}")

    def __hash__(self) -> int:
        parts = [self.arguments, self.result, sorted(self.required)]
        return hash(json.dumps(parts, sort_keys=True, default=dict))


Signature: TypeAlias = Mapping[str, ToolSignature]


def schemas_at(tool: ToolSignature, name: str, place: g.Field) -> list[Rooted]:
    """Return the schemas of an argument or of a part of the result; raise SignatureError if there is none."""
    if place.root == "status":
        return [(_STATUS, _STATUS)]
    if place.root == "result":
        return walk([(tool.result, tool.result)], place.path, f"result of {name!r}")
    head, *rest = place.path
    if head not in tool.arguments:
        close = suggestion(head, tool.arguments)
        unbound = "" if rest or "did you mean" in close else ", and no forall at the beginning binds it"
        raise SignatureError(f"{name!r} has no argument {clipped(head)}{unbound}{close}")
    schema = tool.arguments[head]
    return walk([(schema, schema)], tuple(rest), f"argument {head!r} of {name!r}")


def ranges_of(tool: ToolSignature, place: g.Field) -> tuple[Range, ...] | None:
    """Return the ranges that a place's value is in, unless it is missing or null; None when nothing is known."""
    try:
        return ranges(schemas_at(tool, "", place))
    except SignatureError:
        return None


def given(tool: ToolSignature, place: g.Field) -> bool:
    """Whether an argument that fits, or a part of the result of a call that succeeds, is there and not null."""
    if place.root == "args":
        name, *rest = place.path
        return name in tool.required and always_there(tool.arguments.get(name, {}), tuple(rest))
    return place.root == "result" and bool(place.path) and always_there(tool.result, place.path)


class GuardChecker:
    """Checks the guards of one rule; remembers what its variables can hold."""

    def __init__(self, signature: Signature | None) -> None:
        self.signature = signature
        self._variables: dict[str, tuple[frozenset[str], str]] = {}

    def check(self, tool: str, guard: g.Guard | None, columns: Mapping[int, int] | None = None) -> None:
        """Raise SignatureError, with the closest known name, for anything that cannot be.

        `columns` gives the column of an operand by its `id`.
        """
        if self.signature is not None and tool not in self.signature:
            raise SignatureError(f"no tool {clipped(tool)}{_tool_hint(tool, self.signature)}")
        if guard is not None:
            _Check(self, tool, guard, columns or {}).guard(guard)

    def bind(self, name: str, shape: Shape, place: str) -> None:
        """Note what a variable is compared with, and refuse kinds that never meet."""
        kinds, where = self._variables.get(name, (KINDS, ""))
        if shape.kinds and not _meet(kinds, shape.kinds):
            raise SignatureError(
                f"variable {name!r} is {_words(kinds)} in {where} but {_words(shape.kinds)} in {place}; "
                "expected the same in both"
            )
        self._variables[name] = (shape.kinds or kinds, place)


def _tool_hint(tool: str, known: Iterable[str]) -> str:
    names = list(known)
    if tool[:1] in _OPERATORS and tool[1:] in names:
        return f"; did you mean '{tool[:1]} {tool[1:]}'?"
    return suggestion(tool, names)


class _Check:
    def __init__(self, rule: GuardChecker, tool: str, guard: g.Guard, columns: Mapping[int, int]) -> None:
        self.rule, self.tool, self.columns = rule, tool, columns
        self.unsuccessful = g.mentions_status(guard)

    def guard(self, guard: g.Guard) -> None:
        match guard:
            case g.GuardNot(body):
                self.guard(body)
            case g.GuardAnd(parts) | g.GuardOr(parts):
                for part in parts:
                    self.guard(part)
            case g.Compare(op, left, right):
                self._compare(op, left, right)
            case g.Member(operand, values, _):
                for value in values:
                    self._compare("=", operand, value)
            case g.IsNull(operand, _):
                self.shape(operand)
            case g.Contains(operand, item):
                self._contains(operand, item)
            case g.StartsWith(operand, prefix):
                self._need(operand, frozenset({"string"}), "startswith")
                self._need(prefix, frozenset({"string"}), "startswith")
            case g.Flag(operand):
                self._need(operand, frozenset({"boolean"}), "a bare condition")

    def _fault(self, message: str, *operands: g.Operand) -> SignatureError:
        """Return an error that points at the first operand whose column is known."""
        known = (column for operand in operands if (column := self._column(operand)) is not None)
        return SignatureError(message, column=next(known, None))

    def _column(self, operand: g.Operand) -> int | None:
        while isinstance(operand, g.Arith) and id(operand) not in self.columns:
            operand = operand.left
        return self.columns.get(id(operand))

    def _compare(self, op: str, left: g.Operand, right: g.Operand) -> None:
        one, two = self.shape(left), self.shape(right)
        for operand, other, place in ((left, two, right), (right, one, left)):
            self._bind(operand, other, place)
        if not _meet(one.kinds, two.kinds):
            value, place, shape = (right, left, one) if isinstance(right, g.Const) else (left, right, two)
            raise self._fault(
                f"{self._a(left, one)} cannot be compared with {self._a(right, two)}; "
                f"expected {_words(shape.kinds)} like {_name(place)}",
                value,
                place,
            )
        if op not in ("=", "!="):
            for operand, shape in ((left, one), (right, two)):
                if not shape.kinds & (_NUMERIC | {"string"}):
                    raise self._fault(f"{self._a(operand, shape)} has no order; expected number or string", operand)
        self._listed(left, one, right, op)
        self._listed(right, two, left, op)

    def _bind(self, operand: g.Operand, shape: Shape, place: g.Operand) -> None:
        if isinstance(operand, g.Var):
            try:
                self.rule.bind(operand.name, shape, f"{self.tool}[{_name(place)}]")
            except SignatureError as error:
                raise self._fault(str(error), operand) from None

    def _listed(self, place: g.Operand, shape: Shape, value: g.Operand, op: str = "=") -> None:
        """Refuse to ask whether a place is what it never is."""
        if not isinstance(value, g.Const):
            return
        if shape.values is not None and not any(same(constant(value), item) for item in shape.values):
            known = suggestion(str(value.value), map(str, shape.values))
            raise self._fault(f"{_name(place)} of {self.tool!r} is never {_name(value)}{known}", value, place)
        if op in ("=", "!=") and value.kind == "number" and shape.kinds == {"integer"}:
            raise self._fault(f"{self._a(place, shape)} is never {_name(value)}; expected integer", value, place)

    def _contains(self, operand: g.Operand, item: g.Operand) -> None:
        lists = self._need(operand, frozenset({"array"}), "contains")
        inside = [inner for schema, root in lists.schemas for inner in items(schema, root)]
        one, two = union(inside) if inside else Shape(KINDS), self.shape(item)
        self._bind(item, one, operand)
        if not _meet(one.kinds, two.kinds):
            raise self._fault(
                f"{_name(operand)} of {self.tool!r} lists {_words(one.kinds)}, not {_words(two.kinds)}", item, operand
            )
        self._listed(operand, one, item)

    def _need(self, operand: g.Operand, kinds: frozenset[str], what: str) -> Shape:
        shape = self.shape(operand)
        if not shape.kinds & kinds:
            raise self._fault(f"{what} needs {_words(kinds)}, but found {self._a(operand, shape)}", operand)
        return shape

    def _a(self, operand: g.Operand, shape: Shape) -> str:
        return f"{_name(operand)} ({_words(shape.kinds)})"

    def shape(self, operand: g.Operand) -> Shape:
        """Return what an operand can be; raise SignatureError when it does not exist."""
        match operand:
            case g.Const(kind, _):
                return Shape(frozenset({kind}))
            case g.Var():
                return Shape(KINDS)
            case g.Arith(_, left, right):
                one, two = (self._need(side, _NUMERIC, "arithmetic") for side in (left, right))
                return Shape((one.kinds | two.kinds) & _NUMERIC)
            case g.Field("status", ()):
                return union([(_STATUS, _STATUS)])
            case g.Field():
                return self._place(operand)

    def _place(self, place: g.Field) -> Shape:
        if self.rule.signature is None:
            return Shape(KINDS)
        if self.unsuccessful and place.root == "result" and place.path in (("code",), ("message",)):
            return union([(_FAILURE, _FAILURE)])
        try:
            return union(schemas_at(self.rule.signature[self.tool], self.tool, place))
        except SignatureError as error:
            raise self._fault(str(error), place) from None


def _name(operand: g.Operand) -> str:
    match operand:
        case g.Const("string", str(value)):
            return clipped(value)
        case g.Const(_, value):
            return format(value, "f") if isinstance(value, Decimal) else str(value).lower()
        case g.Var(name):
            return name
        case g.Arith(op, left, right):
            return f"{_name(left)} {op} {_name(right)}"
        case g.Field():
            return str(operand)


def _words(kinds: Iterable[str]) -> str:
    return " or ".join(sorted(kinds)) or "null"


def _meet(one: frozenset[str], two: frozenset[str]) -> bool:
    return bool(one & two) or bool(one & _NUMERIC and two & _NUMERIC)
