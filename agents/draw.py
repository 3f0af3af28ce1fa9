"""Drawing a random value that a parameter's JSON schema accepts.

    draw({"type": "integer", "minimum": 1, "maximum": 6}, random.Random(0))
    draw({"type": "string", "pattern": "^A-[0-9]+$"}, random.Random(0), ["A-17", "Alice"])  # mostly 'A-17'

`fits` is the validator for the flat schemas that tools have; whatever is drawn has passed it.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from lexgym.agents.patterns import UnsupportedPattern, draw_pattern

_TRIES = 30
_SEEN_SHARE = 0.85
_LONGEST = 2_000
_INT64 = 2**63
_WORDS = ("account", "check", "invoice", "monthly", "note", "order", "payment", "refund", "report", "urgent")


class NothingFits(ValueError):
    """No value that the schema accepts was found."""


def draw(schema: Mapping[str, Any], rng: Random, seen: Sequence[Any] = ()) -> Any:
    """Return a value that fits, mostly one of `seen`; raise `NothingFits` where none is found."""
    if "anyOf" in schema:
        return _draw_option(schema["anyOf"], rng, seen)
    fitting = [value for value in seen if fits(schema, value)]
    if fitting and rng.random() < _SEEN_SHARE:
        return rng.choice(fitting)
    for _ in range(_TRIES):
        value = _fresh(schema, rng, seen)
        if fits(schema, value):
            return value
    if fitting:
        return rng.choice(fitting)
    raise NothingFits(f"no value found for {dict(schema)}")


def _draw_option(options: Sequence[Mapping[str, Any]], rng: Random, seen: Sequence[Any]) -> Any:
    for option in rng.sample(options, len(options)):
        try:
            return draw(option, rng, seen)
        except NothingFits:
            continue
    raise NothingFits(f"no value found for any of {list(options)}")


def fits(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether a flat schema accepts the value."""
    if "anyOf" in schema:
        return any(fits(option, value) for option in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        allowed = [schema["const"]] if "const" in schema else schema["enum"]
        return any(type(option) is type(value) and option == value for option in allowed)
    match schema.get("type"):
        case "null":
            return value is None
        case "boolean":
            return isinstance(value, bool)
        case "string":
            return isinstance(value, str) and _fits_text(schema, value)
        case "integer" | "number" as kind:
            whole = isinstance(value, int) and not isinstance(value, bool) and -_INT64 <= value < _INT64
            real = kind == "number" and isinstance(value, float) and math.isfinite(value)
            return (whole or real) and _in_bounds(schema, value)
        case "array":
            return isinstance(value, list) and _fits_list(schema, value)
    return False


def _fits_text(schema: Mapping[str, Any], value: str) -> bool:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", _LONGEST):
        return False
    if any("\ud800" <= character <= "\udfff" for character in value):
        return False
    return "pattern" not in schema or _matches(schema["pattern"], value)


def _matches(pattern: str, value: str) -> bool:
    """As Rust reads it, which pydantic uses: `$` stands for the very end; what Python cannot read fits nothing."""
    try:
        return re.search(pattern.replace("\\z", "\\Z"), value) is not None and not value.endswith("\n")
    except re.error:
        return False


def _in_bounds(schema: Mapping[str, Any], value: float) -> bool:
    return (
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
        and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or value < schema["exclusiveMaximum"])
        and ("multipleOf" not in schema or value % schema["multipleOf"] == 0)
    )


def _fits_list(schema: Mapping[str, Any], value: list[Any]) -> bool:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    if schema.get("uniqueItems") and any(item in value[:index] for index, item in enumerate(value)):
        return False
    return all(fits(schema.get("items", {}), item) for item in value)


def _fresh(schema: Mapping[str, Any], rng: Random, seen: Iterable[Any]) -> Any:
    """A guess along the schema; it may miss a bound."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "boolean":
            return rng.random() < 0.5
        case "integer":
            return _integer(schema, rng)
        case "number":
            value = rng.uniform(*_bounds(schema))
            return round(value, 2) if fits(schema, round(value, 2)) else value
        case "string":
            return _text(schema, rng)
        case "array":
            least = schema.get("minItems", 0)
            size = rng.randint(least, max(least, min(least + 3, schema.get("maxItems", least + 3))))
            return [draw(schema.get("items", {}), rng, list(seen)) for _ in range(size)]
    return None


def _integer(schema: Mapping[str, Any], rng: Random) -> int:
    low, high = _bounds(schema)
    low, high = math.ceil(low), math.floor(high)
    step = schema.get("multipleOf", 1)
    if not isinstance(step, int) or step < 1 or math.ceil(low / step) > high // step:
        return low
    return rng.randint(math.ceil(low / step), high // step) * step


def _bounds(schema: Mapping[str, Any]) -> tuple[float, float]:
    """The interval to draw from; ten thousand wide where a side is open."""
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None:
        low = 0 if high is None or high > 0 else high - 10_000
    return low, (low + 10_000 if high is None else high)


def _text(schema: Mapping[str, Any], rng: Random) -> str:
    pattern = schema.get("pattern")
    if pattern is not None:
        dated = [text for text in _times(rng) if fits(schema, text)]
        try:
            return rng.choice(dated) if dated else draw_pattern(pattern, rng)
        except UnsupportedPattern:
            return _words(schema, rng)
    by_format = dict(zip(("date", "date-time", "time"), _times(rng), strict=False))
    return by_format.get(schema.get("format", "")) or _words(schema, rng)


def _times(rng: Random) -> tuple[str, ...]:
    """A date, the date with a time, the time, and the shorter forms of these."""
    date = f"{rng.randint(2023, 2027)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    time = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    return date, f"{date}T{time}:00Z", f"{time}:00", f"{date}T{time}:00", f"{date} {time}", f"{date}T{time}", time


def _words(schema: Mapping[str, Any], rng: Random) -> str:
    least, most = schema.get("minLength", 0), schema.get("maxLength", _LONGEST)
    text = " ".join(rng.choice(_WORDS) for _ in range(rng.randint(1, 3)))
    while len(text) < least:
        text += f" {rng.choice(_WORDS)}"
    return text[:most]
