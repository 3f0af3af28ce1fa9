"""Reading a tool call from every form that agents produce.

    >>> parse_call('{"name": "get_balance", "arguments": {"account": "A-1"}}')
    ToolCall(name='get_balance', arguments={'account': 'A-1'})

Accepted: `ToolCall`, `{"name", "arguments"}`, an OpenAI tool call (object or dict), a LangChain tool
call (`name`/`args`), or JSON text of any of these. Arguments may themselves be JSON text.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, NoReturn

from lexgym.core import ToolCall
from lexgym.errors import MalformedCall

MAX_TEXT = 100_000
"""Longest JSON text that is read, in characters."""

_FORMS = 'expected {"name": …, "arguments": {…}}'


def parse_call(action: object) -> ToolCall:
    """Return the call that `action` stands for, or raise `MalformedCall` with code `syntax`."""
    if isinstance(action, ToolCall):
        return action if isinstance(action.arguments, dict) else _build(action.name, action.arguments)
    if isinstance(action, str):
        action = _loads(action, "the call")
    if isinstance(action, Mapping):
        return _from_mapping(action)
    function = getattr(action, "function", None)
    if function is not None:
        return _build(getattr(function, "name", None), getattr(function, "arguments", None))
    return _malformed(f"a {type(action).__name__} is not a tool call; {_FORMS}")


def clip(value: object, limit: int = 200) -> Any:
    """Return `value` as finite, printable JSON for an error or a log: long texts cut, strange ones quoted."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else f"<integer of {value.bit_length()} bits>"
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _clip_text(value, limit)
    if isinstance(value, Mapping):
        return {_clip_text(str(key), limit): _leaf(item, limit) for key, item in list(value.items())[:20]}
    if isinstance(value, (list, tuple)):
        return [_leaf(item, limit) for item in value[:20]]
    return f"<{type(value).__name__}>"


def _from_mapping(action: Mapping[Any, Any]) -> ToolCall:
    inner = action.get("function")
    if isinstance(inner, Mapping):
        return _build(inner.get("name"), inner.get("arguments"))
    return _build(action.get("name"), action["args"] if "args" in action else action.get("arguments"))


def _build(name: object, arguments: object) -> ToolCall:
    if not isinstance(name, str) or not name:
        _malformed(f"the call has no tool name; {_FORMS}")
    if isinstance(arguments, str):
        arguments = _loads(arguments, "its arguments") if arguments.strip() else {}
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, Mapping):
        _malformed(f"the arguments of {clip(name)!r} are a {type(arguments).__name__}, not an object")
    return ToolCall(name, dict(arguments))


def _loads(text: str, what: str) -> Any:
    if len(text) > MAX_TEXT:
        _malformed(f"{what}: {len(text):,} characters of text, the limit is {MAX_TEXT:,}")
    try:
        return json.loads(text, parse_constant=_constant)
    except json.JSONDecodeError as error:
        _malformed(f"{what}: not JSON at column {error.pos + 1} ({error.msg}); {_FORMS}")
    except (ValueError, RecursionError) as error:
        _malformed(f"{what}: not usable JSON ({_clip_text(str(error), 120)}); {_FORMS}")


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _leaf(value: object, limit: int) -> Any:
    """Nested containers are cut to their type, so that a hostile depth cannot recurse."""
    if isinstance(value, (Mapping, list, tuple)):
        size = len(value)
        return f"<{type(value).__name__} of {size}>" if not _flat(value) else clip(value, limit)
    return clip(value, limit)


def _flat(value: Mapping[Any, Any] | list[Any] | tuple[Any, ...]) -> bool:
    items = value.values() if isinstance(value, Mapping) else value
    return not any(isinstance(item, (Mapping, list, tuple)) for item in items)


def _clip_text(text: str, limit: int) -> str:
    safe = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return safe if len(safe) <= limit else f"{safe[:limit]}… ({len(text):,} characters)"


def _malformed(message: str) -> NoReturn:
    raise MalformedCall("syntax", message)
