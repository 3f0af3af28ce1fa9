"""The conversation of one episode with a model, in the two ways that a model can call tools.

    dialogue = dialogue_for(task, mode="tools", strict=False)
    while not dialogue.ready:
        dialogue.read(endpoint.complete(dialogue.request()))
    action = dialogue.next()
    dialogue.hear('{"status": "ok", "result": …}')

`messages` is what was said, as it was said; what is sent is the same, except that a tool call which
no server would take back is mended first, so that the model can be told of its mistake.
"""

import json
import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from lexgym.agents.extract import extract_call
from lexgym.agents.prompt import NUDGE, Mode, functions, system_prompt
from lexgym.agents.reply import Reply
from lexgym.core import FINISH, Task, ToolCall
from lexgym.tools.schema import strict as strict_schema

MAX_SENT = 20_000
"""Longest text of its own that a model is sent again, in characters."""

_SILENT_TURNS = 2


class Dialogue(Protocol):
    """One episode's messages and the actions that follow from them."""

    messages: list[dict[str, Any]]

    @property
    def ready(self) -> bool:
        """Whether an action can be given without asking the model."""

    def request(self) -> dict[str, Any]:
        """Return the messages to send, and how the model is to answer."""

    def read(self, reply: Reply, /) -> None:
        """Take in what the model said."""

    def next(self) -> Any:
        """Return the next action."""

    def hear(self, result: str, /) -> None:
        """Take in what became of the last action."""

    def simplify(self) -> bool:
        """Ask for less from a server that rejects the request; False where there is nothing to drop."""


def dialogue_for(task: Task, mode: Mode, *, strict: bool) -> Dialogue:
    """Start the dialogue of an episode."""
    return JsonDialogue(task, strict=strict) if mode == "json" else ToolDialogue(task, strict=strict)


class _Messages:
    """What was said, and the form in which it is sent."""

    def __init__(self, task: Task, mode: Mode) -> None:
        self.messages: list[dict[str, Any]] = []
        self._sent: list[dict[str, Any]] = []
        self._add({"role": "system", "content": system_prompt(task, mode)})
        self._add({"role": "user", "content": task.instruction})

    def _add(self, message: dict[str, Any], sent: dict[str, Any] | None = None) -> None:
        self.messages.append(message)
        self._sent.append(message if sent is None else sent)

    def _add_text(self, text: str) -> None:
        message = {"role": "assistant", "content": text}
        self._add(message, {**message, "content": text[:MAX_SENT]})


class ToolDialogue(_Messages):
    """Native tool calls; several in one reply are carried out one by one, each with its own result."""

    def __init__(self, task: Task, *, strict: bool = False) -> None:
        super().__init__(task, "tools")
        self._tools = [_strict_tool(tool) for tool in task.tools] if strict else [dict(tool) for tool in task.tools]
        self._queue: deque[tuple[str, Any]] = deque()
        self._ids: set[str] = set()
        self._open = ""
        self._silent = 0

    @property
    def ready(self) -> bool:
        """Whether calls of the last reply are still to be carried out."""
        return bool(self._queue)

    def request(self) -> dict[str, Any]:
        """Return the messages and the tools."""
        return {"messages": self._sent, "tools": self._tools}

    def read(self, reply: Reply, /) -> None:
        """Queue the calls of a reply; text alone is answered with a nudge, and a second time ends it."""
        if reply.tool_calls:
            self._silent = 0
            self._read_calls(reply)
            return
        self._add_text(reply.text or "")
        self._silent += 1
        if self._silent < _SILENT_TURNS:
            self._add({"role": "user", "content": NUDGE})
        else:
            self._queue.append(("", ToolCall(FINISH)))

    def next(self) -> Any:
        """Return the next queued call as the model wrote it."""
        self._open, action = self._queue.popleft()
        return action

    def hear(self, result: str, /) -> None:
        """Answer the open call."""
        if self._open:
            self._add({"role": "tool", "tool_call_id": self._open, "content": result})
            self._open = ""

    def simplify(self) -> bool:
        """Tools cannot be left out."""
        return False

    def _read_calls(self, reply: Reply) -> None:
        calls = [{**call, "id": self._unique(call["id"])} for call in reply.tool_calls]
        self._queue.extend((call["id"], call) for call in calls)
        message = {"role": "assistant", "content": reply.text, "tool_calls": calls}
        content = reply.text[:MAX_SENT] if reply.text else reply.text
        self._add(message, {**message, "content": content, "tool_calls": [_mended(call) for call in calls]})

    def _unique(self, given: str) -> str:
        fresh = given if given and given not in self._ids else f"call_{len(self._ids) + 1}"
        while fresh in self._ids:
            fresh += "x"
        self._ids.add(fresh)
        return fresh


class JsonDialogue(_Messages):
    """One JSON object a turn, held to a schema by servers that can; the call is read leniently."""

    def __init__(self, task: Task, *, strict: bool = False) -> None:
        super().__init__(task, "json")
        self._names = [function["name"] for function in functions(task.tools)]
        self._format: dict[str, Any] | None = _response_format(task.tools, strict=strict)
        self._action: Any = None

    @property
    def ready(self) -> bool:
        """Whether the last reply has not been acted on."""
        return self._action is not None

    def request(self) -> dict[str, Any]:
        """Return the messages and, unless the server rejected it, the form of the answer."""
        return {"messages": self._sent} | ({"response_format": self._format} if self._format else {})

    def read(self, reply: Reply, /) -> None:
        """Find the call in the reply; the text itself is the action where there is none."""
        text = reply.text or ""
        self._add_text(text)
        if text or not reply.tool_calls:
            call = extract_call(text, self._names)
            self._action = text if call is None else call
        else:
            self._action = reply.tool_calls[0]

    def next(self) -> Any:
        """Return the call that was read."""
        action, self._action = self._action, None
        return action

    def hear(self, result: str, /) -> None:
        """Say what became of the call."""
        if result:
            self._add({"role": "user", "content": f"Result: {result}"})

    def simplify(self) -> bool:
        """Do without the enforced form for the rest of the episode."""
        had, self._format = self._format is not None, None
        return had


def _strict_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = tool["function"]
    return {**tool, "function": {**function, "parameters": strict_schema(function["parameters"]), "strict": True}}


def _mended(call: Mapping[str, Any]) -> dict[str, Any]:
    """The call with a name and JSON arguments that a server accepts in a message."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    clean = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unknown"
    if not _is_json_object(arguments):
        arguments = json.dumps({"unreadable": arguments[:400]} if arguments.strip() else {})
    return {**call, "function": {"name": clean, "arguments": arguments}}


def _is_json_object(text: str) -> bool:
    try:
        return len(text) <= MAX_SENT and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _response_format(tools: Sequence[Mapping[str, Any]], *, strict: bool) -> dict[str, Any]:
    """One object with a tool's name and arguments; when strict, the arguments of that very tool."""
    if strict:
        calls = [_call_schema([f["name"]], strict_schema(f["parameters"])) for f in functions(tools)]
        schema = _object({"call": {"anyOf": calls}})
    else:
        schema = _call_schema([f["name"] for f in functions(tools)], {"type": "object"})
    return {"type": "json_schema", "json_schema": {"name": "tool_call", "schema": schema, "strict": strict}}


def _call_schema(names: list[str], arguments: dict[str, Any]) -> dict[str, Any]:
    return _object({"name": {"type": "string", "enum": names}, "arguments": arguments})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
