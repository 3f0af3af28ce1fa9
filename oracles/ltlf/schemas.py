"""What a JSON schema says a value can be.

    kinds_of({"type": ["integer", "null"]})   →   {"integer"}

Alternatives (`anyOf`, `oneOf`) are joined, and so are `allOf` parts: more than the truth, never less.
Null contributes no kind: a place may always be missing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from lexgym.errors import SignatureError, near_miss

Schema: TypeAlias = Mapping[str, Any]

Rooted: TypeAlias = tuple[Schema, Schema]
"""A schema and the one whose `$defs` its references mean."""

KINDS = frozenset({"integer", "number", "string", "boolean", "array", "object"})

_LIMITS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


@dataclass(frozen=True)
class Shape:
    """What a place can hold: JSON kinds other than null, the listed values if it is an enum."""

    kinds: frozenset[str]
    values: tuple[Any, ...] | None = None
    schemas: tuple[Rooted, ...] = ()


@dataclass(frozen=True)
class Range:
    """Values of one kind: those listed if any are, and numbers within some limits such as `(">=", 0)`."""

    kind: str
    values: tuple[Any, ...] | None = None
    limits: tuple[tuple[str, Any], ...] = ()


def ranges(schemas: list[Rooted]) -> tuple[Range, ...] | None:
    """Return the ranges of which a value is in one, unless it is null; None when it may be anything."""
    found: list[Range] = []
    for option in (option for schema, root in schemas for option, _ in _options(schema, root)):
        listed = _listed(option)
        if listed is not None:
            plain = tuple(v for v in listed if isinstance(v, str | int | float))
            found += [Range("listed", plain)] if plain else []
            found += [Range(_kind(value)) for value in listed if isinstance(value, list | Mapping)]
        elif kinds_of(option) < KINDS:
            limits = tuple((op, option[key]) for key, op in _LIMITS.items() if type(option.get(key)) in (int, float))
            found += [Range(kind, None, limits if kind in ("integer", "number") else ()) for kind in kinds_of(option)]
        else:
            return None
    return tuple(found)


def _listed(schema: Schema) -> list[Any] | None:
    listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    return list(listed) if isinstance(listed, list | tuple) else None


def walk(schemas: list[Rooted], path: tuple[str, ...], what: str) -> list[Rooted]:
    """Return the schemas of a field below; raise SignatureError, naming the closest field, if there is none."""
    for key in path:
        options = [option for schema, root in schemas for option in _options(schema, root)]
        inner = [(prop, root) for schema, root in options for prop in _property(schema, key)]
        if not inner:
            known = [name for schema, _ in options for name in schema.get("properties", {})]
            raise SignatureError(f"the {what} has no field {clipped(key)}{suggestion(key, known)}")
        schemas, what = inner, f"{key!r} in the {what}"
    return schemas


def clipped(name: str) -> str:
    """Return a name for a message, quoted, and cut when it is very long."""
    return repr(name) if len(name) <= 60 else f"{name[:60]!r}…"


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `near_miss`, in which case does not matter."""
    names = list(known)
    alike = [other for other in names if other.casefold() == name.casefold()]
    return f"; did you mean {alike[0]!r}?" if alike else near_miss(name, names)


def always_there(schema: Schema, path: tuple[str, ...]) -> bool:
    """Whether every value that fits a schema has a field, which is never null."""
    rooted = [(schema, schema)]
    for key in path:
        options = [option for schema, root in rooted for option in _options(schema, root)]
        if not options or not all(key in option.get("required", ()) for option, _ in options):
            return False
        rooted = [(inner, root) for option, root in options for inner in _property(option, key)]
    options = [option for schema, root in rooted for option in _options(schema, root)]
    return bool(options) and not any(_may_be_null(option) for option, _ in options)


def _may_be_null(schema: Schema) -> bool:
    kinds, listed = schema.get("type"), _listed(schema)
    return (
        None in listed
        if listed is not None
        else kinds is None or "null" in ([kinds] if isinstance(kinds, str) else kinds)
    )


def _property(schema: Schema, key: str) -> list[Schema]:
    """Return the schema of a field; an open object has every field."""
    properties = schema.get("properties")
    if properties is not None and key in properties:
        return [properties[key]]
    if properties is None and "object" in kinds_of(schema):
        extra = schema.get("additionalProperties", True)
        return [] if extra is False else [extra if isinstance(extra, Mapping) else {}]
    return []


def items(schema: Schema, root: Schema) -> list[Rooted]:
    """Return the schemas of a list's elements."""
    inner = [option.get("items", {}) for option, _ in _options(schema, root) if "array" in kinds_of(option)]
    return [(items, root) for items in inner if isinstance(items, Mapping)]


def _options(schema: Schema, root: Schema) -> list[Rooted]:
    """Resolve references and alternatives; null alternatives stay and contribute no kind."""
    found: list[Rooted] = []
    waiting, seen = [schema], set()
    while waiting:
        current = waiting.pop()
        if not isinstance(current, Mapping):
            current = {}
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


def kinds_of(schema: Schema) -> frozenset[str]:
    """Return the JSON kinds, other than null, that a schema without alternatives allows."""
    if "type" in schema:
        kinds = schema["type"]
        return frozenset([kinds] if isinstance(kinds, str) else kinds) - {"null"}
    values = _listed(schema)
    return KINDS if values is None else frozenset(_kind(value) for value in values if value is not None)


def _kind(value: object) -> str:
    for kind, python in (("boolean", bool), ("integer", int), ("number", float), ("string", str), ("array", list)):
        if isinstance(value, python):
            return kind
    return "object"


def union(schemas: list[Rooted]) -> Shape:
    """Return what a value of one of some schemas can be."""
    options = [option for schema, root in schemas for option, _ in _options(schema, root)]
    kinds = frozenset(kind for option in options for kind in kinds_of(option))
    listed = [_listed(option) for option in options if option.get("type") != "null"]
    if listed and all(values is not None for values in listed):
        return Shape(kinds, tuple(value for values in listed for value in values or ()), tuple(schemas))
    return Shape(kinds, None, tuple(schemas))
