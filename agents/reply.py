"""Reading the body of a chat completion, as servers of every make send it.

{"choices": [{"message": {"content": null, "tool_calls": [{"id": "c1", "type": "function",
 "function": {"name": "get_balance", "arguments": "{\\"account\\": \\"A-1\\"}"}}]}}],
 "usage": {"prompt_tokens": 812, "completion_tokens": 23}}
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lexgym.agents.protocol import Usage


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model said: text, tool calls in OpenAI's form (the `id` may be empty), and the cost.

    `cut` says that the answer ended because it grew too long.
    """

    text: str | None
    tool_calls: tuple[dict[str, Any], ...]
    usage: Usage
    cut: bool = False


def read_reply(body: bytes) -> Reply:
    """Return the first choice; raise `ValueError` with the reason where the body holds none."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError(f"the reply is not JSON: {body[:80]!r}") from None
    match data:
        case {"choices": [{"message": dict(message)} as choice, *_]}:
            cut = choice.get("finish_reason") == "length"
            return Reply(_text(message), _tool_calls(message.get("tool_calls")), _usage(data.get("usage")), cut)
        case {"error": error}:
            raise ValueError(f"the reply is an error: {json.dumps(error)[:300]}")
    raise ValueError(f"the reply has no choices: {body[:80]!r}")


def _text(message: Mapping[str, Any]) -> str | None:
    content = message.get("content") or message.get("refusal")
    if isinstance(content, list):
        content = "".join(_str(part.get("text")) for part in content if isinstance(part, Mapping))
    return _str(content) if isinstance(content, str) else None


def _tool_calls(calls: Any) -> tuple[dict[str, Any], ...]:
    return tuple(_tool_call(call) for call in calls if isinstance(call, Mapping)) if isinstance(calls, list) else ()


def _tool_call(call: Mapping[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    if not isinstance(function, Mapping):
        function = {}
    arguments = function.get("arguments")
    if isinstance(arguments, (Mapping, list)):
        arguments = json.dumps(arguments)
    named = {"name": _str(function.get("name")), "arguments": _str(arguments)}
    return {"id": _str(call.get("id")), "type": "function", "function": named}


def _usage(usage: Any) -> Usage:
    counts = usage if isinstance(usage, Mapping) else {}
    return Usage(_count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens")), requests=1)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _str(value: Any) -> str:
    """The text, without the lone surrogates that JSON allows and UTF-8 does not."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""
