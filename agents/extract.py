"""Reading a tool call out of whatever a model wrote.

    >>> extract_call('Let me look.\\n```json\\n{"tool": "get_balance", "args": {"account": "A-1"}}\\n```')
    {'name': 'get_balance', 'arguments': {'account': 'A-1'}}
    >>> extract_call("I would rather not.") is None
    True

The first object in the text that names a tool and its arguments is the call. Nothing is ever
evaluated, and the time is linear in the length of the text.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lexgym.agents.json_scan import spans

_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "args", "parameters")
_WRAPPERS = ("function", "tool_call", "call", "tool_calls")
_THOUGHT_END = "</think>"


def extract_call(text: str, tools: Iterable[str] = ()) -> dict[str, Any] | None:
    """Return `{"name", "arguments"}`, or None where the text holds no call.

    An object with a name but no arguments is a call only if it names one of `tools`. What follows a
    closed `<think>` part is preferred to what is inside it.
    """
    known = frozenset(tools)
    thought, mark, answer = text.rpartition(_THOUGHT_END)
    for part in (answer, thought) if mark else (text,):
        call = next(_calls(part, known), None)
        if call is not None:
            return call
    return None


def _calls(text: str, known: frozenset[str]) -> Iterator[dict[str, Any]]:
    for start, end in spans(text):
        try:
            value = json.loads(text[start:end])
        except ValueError:  # a number of too many digits, or half a \\u escape
            continue
        call = _call(value, known)
        if call is not None:
            yield call


def _call(value: Any, known: frozenset[str]) -> dict[str, Any] | None:
    """The call that an object is or wraps; wrappers may hold wrappers."""
    while True:
        if isinstance(value, list) and value:
            value = value[0]
            continue
        if not isinstance(value, dict):
            return None
        call = _plain(value, known)
        inner = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), (dict, list))), None)
        if call is not None or inner is None:
            return call
        value = inner


def _plain(value: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any] | None:
    name = next((value[key] for key in _NAMES if isinstance(value.get(key), str) and value[key]), None)
    if name is None:
        return None
    for key in _ARGUMENTS:
        arguments = value.get(key)
        if isinstance(arguments, (dict, str)) and not _is_schema(arguments):
            return {"name": name, "arguments": arguments}
    return {"name": name, "arguments": {}} if name in known and not _mentions_arguments(value) else None


def _mentions_arguments(value: Mapping[str, Any]) -> bool:
    return any(value.get(key) is not None for key in _ARGUMENTS)


def _is_schema(arguments: Mapping[str, Any] | str) -> bool:
    """Whether these are a tool's schema, as in a model that recites its list of tools."""
    return isinstance(arguments, Mapping) and isinstance(arguments.get("properties"), dict) and "type" in arguments
