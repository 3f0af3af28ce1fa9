"""JSON schema work: inlining definitions, checking flatness, and the OpenAI-strict form.

>>> strict({"type": "object", "properties": {"memo": {"type": "string"}}, "required": []})["required"]
['memo']
"""

from collections.abc import Mapping
from typing import Any

_SCALARS = {"string", "integer", "number", "boolean"}
_STRICT_KEYWORDS = {"type", "description", "enum", "const", "items", "anyOf"}


def inline(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema with every `$ref` replaced by its definition."""
    definitions = schema.get("$defs", {})

    def resolve(node: Any) -> Any:
        if isinstance(node, list):
            return [resolve(item) for item in node]
        if not isinstance(node, Mapping):
            return node
        if "$ref" in node:
            target = definitions[node["$ref"].rpartition("/")[2]]
            return resolve({**target, **{k: v for k, v in node.items() if k != "$ref"}})
        return {key: resolve(value) for key, value in node.items() if key != "$defs"}

    resolved: dict[str, Any] = resolve(schema)
    return resolved


def is_flat(schema: Mapping[str, Any]) -> bool:
    """Whether the schema is a scalar, an enum, a list of these, or one of these or null."""
    if "anyOf" in schema:
        return all(option.get("type") == "null" or is_flat(option) for option in schema["anyOf"])
    if schema.get("type") == "array":
        items = schema.get("items", {})
        return items.get("type") in _SCALARS or "enum" in items or "const" in items
    return schema.get("type") in _SCALARS or "enum" in schema or "const" in schema


def strict(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the OpenAI-strict form: all arguments required, optional ones nullable, plain keywords only."""
    required = set(schema.get("required", ()))
    properties = {
        name: _strict_value(value, nullable=name not in required) for name, value in schema["properties"].items()
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _strict_value(schema: Mapping[str, Any], *, nullable: bool) -> dict[str, Any]:
    kept = {key: value for key, value in schema.items() if key in _STRICT_KEYWORDS}
    if "anyOf" in kept:
        options = [_strict_value(option, nullable=False) for option in kept["anyOf"]]
        if nullable and {"type": "null"} not in options:
            options.append({"type": "null"})
        return {**kept, "anyOf": options}
    if "items" in kept:
        kept["items"] = _strict_value(kept["items"], nullable=False)
    if "const" in kept:
        kept["enum"] = [kept.pop("const")]
    if nullable:
        kept["type"] = [kept["type"], "null"]
        if "enum" in kept:
            kept["enum"] = [*kept["enum"], None]
    return kept
