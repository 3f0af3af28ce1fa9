"""What tools exist and what their arguments and results look like, as JSON schemas.

    >>> signature = {"pay": ToolSignature({"amount": {"type": "integer"}}, {"type": "object"})}

A rule checked against a signature cannot name a tool, a field or a value that does not exist.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lexgym.core import Status
from lexgym.errors import SignatureError, near_miss
from lexgym.oracles.ltlf import guards as g

Schema: TypeAlias = Mapping[str, Any]

_KINDS = frozenset({"integer", "number", "string", "boolean", "array", "object"})
_NUMERIC = frozenset({"integer", "number"})
_STATUS: Schema = {"type": "string", "enum": [status.value for status in Status]}
_FAILURE: Schema = {"type": "string"}


@dataclass(frozen=True)
class ToolSignature:
    """A tool's argument schemas by name, and the schema of its result."""

    arguments: Mapping[str, Schema] = field(default_factory=dict)
    result: Schema = field(default_factory=dict)


Signature: TypeAlias = Mapping[str, ToolSignature]


@dataclass(frozen=True)
class Shape:
    """What a place can hold: JSON kinds other than null, the listed values if it is an enum."""

    kinds: frozenset[str]
    values: tuple[Any, ...] | None = None
    schemas: tuple[tuple[Schema, Schema], ...] = ()


class GuardChecker:
    """Checks the guards of one rule; remembers what its variables can hold."""

    def __init__(self, signature: Signature | None) -> None:
        self.signature = signature
        self._variables: dict[str, tuple[frozenset[str], str]] = {}

    def check(self, tool: str, guard: g.Guard | None) -> None:
        """Raise SignatureError, with the closest known name, for anything that cannot be."""
        if self.signature is not None and tool not in self.signature:
            raise SignatureError(f"no tool {tool!r}{near_miss(tool, self.signature)}")
        if guard is not None:
            _Check(self, tool, guard).guard(guard)

    def bind(self, name: str, shape: Shape, place: str) -> None:
        """Note what a variable is compared with, and refuse kinds that never meet."""
        kinds, where = self._variables.get(name, (_KINDS, ""))
        if shape.kinds and not _meet(kinds, shape.kinds):
            raise SignatureError(
                f"variable {name!r} is {_words(kinds)} in {where} but {_words(shape.kinds)} in {place}"
            )
        self._variables[name] = (shape.kinds or kinds, place)


class _Check:
    def __init__(self, rule: GuardChecker, tool: str, guard: g.Guard) -> None:
        self.rule, self.tool = rule, tool
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

    def _compare(self, op: str, left: g.Operand, right: g.Operand) -> None:
        one, two = self.shape(left), self.shape(right)
        for operand, other, place in ((left, two, right), (right, one, left)):
            if isinstance(operand, g.Var):
                self.rule.bind(operand.name, other, f"{self.tool}[{_name(place)}]")
        if not _meet(one.kinds, two.kinds):
            raise SignatureError(f"{self._a(left, one)} cannot be compared with {self._a(right, two)}")
        if op not in ("=", "!="):
            for operand, shape in ((left, one), (right, two)):
                if not shape.kinds & (_NUMERIC | {"string"}):
                    raise SignatureError(f"{self._a(operand, shape)} has no order")
        self._listed(left, one, right)
        self._listed(right, two, left)

    def _listed(self, place: g.Operand, shape: Shape, value: g.Operand) -> None:
        if isinstance(value, g.Const) and shape.values is not None and value.value not in shape.values:
            known = near_miss(str(value.value), map(str, shape.values))
            raise SignatureError(f"{_name(place)} of {self.tool!r} is never {value.value!r}{known}")

    def _contains(self, operand: g.Operand, item: g.Operand) -> None:
        self._need(operand, frozenset({"array"}), "contains")
        items = [inner for schema, root in self.shape(operand).schemas for inner in _items(schema, root)]
        one, two = _union(items) if items else Shape(_KINDS), self.shape(item)
        if isinstance(item, g.Var):
            self.rule.bind(item.name, one, f"{self.tool}[{_name(operand)}]")
        if not _meet(one.kinds, two.kinds):
            raise SignatureError(
                f"{_name(operand)} of {self.tool!r} lists {_words(one.kinds)}, not {_words(two.kinds)}"
            )
        self._listed(operand, one, item)

    def _need(self, operand: g.Operand, kinds: frozenset[str], what: str) -> None:
        shape = self.shape(operand)
        if not shape.kinds & kinds:
            raise SignatureError(f"{what} needs {_words(kinds)}, but {self._a(operand, shape)}")

    def _a(self, operand: g.Operand, shape: Shape) -> str:
        return f"{_name(operand)} ({_words(shape.kinds)})"

    def shape(self, operand: g.Operand) -> Shape:
        """Return what an operand can be; raise SignatureError when it does not exist."""
        match operand:
            case g.Const(kind, _):
                return Shape(frozenset({kind}))
            case g.Var():
                return Shape(_KINDS)
            case g.Arith(_, left, right):
                self._need(left, _NUMERIC, "arithmetic")
                self._need(right, _NUMERIC, "arithmetic")
                return Shape(frozenset({"integer"}))
            case g.Field("status", ()):
                return _union([(_STATUS, _STATUS)])
            case g.Field():
                return self._place(operand)

    def _place(self, place: g.Field) -> Shape:
        if self.rule.signature is None:
            return Shape(_KINDS)
        tool = self.rule.signature[self.tool]
        if place.root == "result":
            schemas = [(tool.result, tool.result)]
            failure = {"code", "message"}
            if self.unsuccessful and len(place.path) == 1 and place.path[0] in failure:
                return _union([(_FAILURE, _FAILURE)])
            return _union(_walk(schemas, place.path, f"result of {self.tool!r}"))
        head = place.path[0]
        if head not in tool.arguments:
            raise SignatureError(f"{self.tool!r} has no argument {head!r}{near_miss(head, tool.arguments)}")
        schema = tool.arguments[head]
        return _union(_walk([(schema, schema)], place.path[1:], f"argument {head!r} of {self.tool!r}"))


def _name(operand: g.Operand) -> str:
    match operand:
        case g.Const(_, value):
            return repr(value)
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


def _walk(schemas: list[tuple[Schema, Schema]], path: tuple[str, ...], what: str) -> list[tuple[Schema, Schema]]:
    for key in path:
        options = [option for schema, root in schemas for option in _options(schema, root)]
        inner = [(prop, root) for schema, root in options for prop in _property(schema, key)]
        if not inner:
            known = [name for schema, _ in options for name in schema.get("properties", {})]
            raise SignatureError(f"the {what} has no field {key!r}{near_miss(key, known)}")
        schemas, what = inner, f"{key!r} in the {what}"
    return schemas


def _property(schema: Schema, key: str) -> list[Schema]:
    """Return the schema of a field; an open object has every field."""
    properties = schema.get("properties")
    if properties is not None and key in properties:
        return [properties[key]]
    if properties is None and schema.get("type", "object") == "object":
        extra = schema.get("additionalProperties", True)
        return [] if extra is False else [extra if isinstance(extra, Mapping) else {}]
    return []


def _items(schema: Schema, root: Schema) -> list[tuple[Schema, Schema]]:
    inner = [option.get("items", {}) for option, _ in _options(schema, root) if "array" in _kinds_of(option)]
    return [(items, root) for items in inner if isinstance(items, Mapping)]


def _options(schema: Schema, root: Schema) -> list[tuple[Schema, Schema]]:
    """Resolve references and alternatives; null alternatives stay and contribute no kind."""
    found: list[tuple[Schema, Schema]] = []
    waiting, seen = [schema], set()
    while waiting:
        current = waiting.pop()
        if "$ref" in current:
            reference = str(current["$ref"])
            if reference not in seen:
                seen.add(reference)
                waiting.append(_lookup(reference, root))
        elif alternatives := [*current.get("anyOf", ()), *current.get("oneOf", ()), *current.get("allOf", ())]:
            waiting.extend(alternatives)
        else:
            found.append((current, root))
    return found


def _lookup(reference: str, root: Schema) -> Schema:
    target: Any = root
    for key in reference.removeprefix("#/").split("/"):
        if not isinstance(target, Mapping) or key not in target:
            raise SignatureError(f"the schema refers to {reference!r}, which it does not define")
        target = target[key]
    return dict(target)


def _kinds_of(schema: Schema) -> frozenset[str]:
    if "type" in schema:
        kinds = schema["type"]
        return frozenset([kinds] if isinstance(kinds, str) else kinds) - {"null"}
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return _KINDS if values is None else frozenset(_kind(value) for value in values if value is not None)


def _kind(value: object) -> str:
    for kind, python in (("boolean", bool), ("integer", int), ("number", float), ("string", str), ("array", list)):
        if isinstance(value, python):
            return kind
    return "object"


def _union(schemas: list[tuple[Schema, Schema]]) -> Shape:
    options = [option for schema, root in schemas for option in _options(schema, root)]
    kinds = frozenset(kind for schema, _ in options for kind in _kinds_of(schema))
    listed = [schema.get("enum", [schema["const"]] if "const" in schema else None) for schema, _ in options]
    solid = [values for (schema, _), values in zip(options, listed, strict=True) if schema.get("type") != "null"]
    if solid and all(values is not None for values in solid):
        return Shape(kinds, tuple(value for values in solid for value in values or ()), tuple(schemas))
    return Shape(kinds, None, tuple(schemas))
