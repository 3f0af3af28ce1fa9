"""What is wrong with a JSON schema of arguments or of a result, in one sentence that names place and value.

fault({"properties": {"n": {"type": "strng"}}}, "parameters")
    →   "`parameters.n.type` is 'strng', no JSON type; did you mean 'string'?"
"""

from collections.abc import Iterator
from typing import Any

from lexgym.errors import near_miss

_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")


def fault(schema: dict[str, Any], place: str) -> str:
    """Return the first thing that is wrong with a schema, an empty text where nothing is."""
    try:
        return next(_faults(schema, place), "")
    except RecursionError:
        return f"`{place}` is nested too deep"


def object_fault(schema: dict[str, Any]) -> str:
    """Return what is wrong with the type of a schema of arguments, which are named and so form an object."""
    kind = schema.get("type", "object")
    return "" if kind == "object" or kind not in _TYPES else f"`parameters.type` is {kind!r}, and has to be 'object'"


def _faults(schema: dict[str, Any], place: str) -> Iterator[str]:
    if "type" in schema:
        yield from _type(schema["type"], f"{place}.type")
    if "enum" in schema and (not isinstance(schema["enum"], list) or not schema["enum"]):
        yield f"`{place}.enum` is {schema['enum']!r:.60}, and has to be a list of values, at least one"
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        yield f"`{place}.properties` is {properties!r:.60}, and has to map names to schemas"
        return
    if "properties" in schema or "." not in place:
        yield from _required(schema.get("required", []), properties, f"{place}.required")
    for name, part in properties.items():
        if isinstance(part, dict):
            yield from _faults(part, f"{place}.{name}")
        else:
            yield f"`{place}.{name}` is {part!r:.60}, and has to be a JSON schema"
    for key in ("anyOf", "oneOf", "allOf"):
        options = schema.get(key, [])
        if not isinstance(options, list) or not all(isinstance(option, dict) for option in options):
            yield f"`{place}.{key}` is {options!r:.60}, and has to be a list of JSON schemas"
            continue
        for number, option in enumerate(options, 1):
            yield from _faults(option, f"{place}.{key}.{number}")
    items = schema.get("items", True)
    if isinstance(items, dict):
        yield from _faults(items, f"{place}.items")
    elif not isinstance(items, bool):
        yield f"`{place}.items` is {items!r:.60}, and has to be a JSON schema"


def _type(kind: Any, place: str) -> Iterator[str]:
    kinds = kind if isinstance(kind, list) and kind else [kind]
    for one in kinds:
        if one not in _TYPES:
            yield f"`{place}` is {one!r:.60}, no JSON type{near_miss(str(one), _TYPES)}"


def _required(names: Any, properties: dict[str, Any], place: str) -> Iterator[str]:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        yield f"`{place}` is {names!r:.60}, and has to be a list of names"
        return
    for name in names:
        if name not in properties:
            yield f"`{place}` names {name!r}, which is no property{near_miss(name, properties)}"
