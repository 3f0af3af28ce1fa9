"""A domain's tools together, and what one call does to the database.

    toolbox = Toolbox.of([get_balance, transfer_funds])
    event = toolbox.execute(db, ToolCall("get_balance", {"account": "A-1"}), step=1)

Each call is one transaction: it happens wholly or not at all. The agent's mistakes come back as
`invalid` or `refused` events; a bug in a tool propagates, with the database as it was before the call.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from lexgym.core import FINISH, UNPARSED, Event, ToolCall
from lexgym.errors import DomainError, MalformedCall, Refused, near_miss
from lexgym.tools.calls import clip, parse_call
from lexgym.tools.database import Database
from lexgym.tools.tool import Tool


class Toolbox(Mapping[str, Tool]):
    """An immutable mapping from name to tool."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools or tool.name == FINISH:
                raise DomainError(f"there is already a tool named {tool.name!r}")
            self._tools[tool.name] = tool

    @classmethod
    def of(cls, functions: Iterable[Callable[..., Any]]) -> "Toolbox":
        """Read every function as a tool."""
        return cls(Tool.of(function) for function in functions)

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def parse(self, action: object) -> ToolCall:
        """Return a validated call, or raise `MalformedCall` saying what is wrong with it."""
        call = parse_call(action)
        if call.name == FINISH:
            return ToolCall(FINISH, {})
        tool = self._tools.get(call.name)
        if tool is None:
            name = clip(call.name, 60)
            raise MalformedCall("unknown_tool", f"no tool {name!r}{near_miss(str(name), [*self._tools, FINISH])}")
        return ToolCall(call.name, tool.validate(call.arguments))

    def execute(self, db: Database, call: ToolCall, *, step: int) -> Event:
        """Run a validated call as one transaction and return its event."""
        db.begin()
        try:
            result = self._tools[call.name].function(db, **call.arguments)
            db.commit()
        except Refused as refusal:
            db.rollback()
            return Event.refused(call, refusal.code, refusal.message, step=step, clock=db.clock)
        except BaseException:
            db.rollback()
            raise
        return Event.ok(call, result, step=step, clock=db.clock)

    def attempt(self, db: Database, action: object, *, step: int) -> Event | None:
        """Parse and run any action; None for `finish`; whatever the agent did wrong becomes an event."""
        try:
            call = self.parse(action)
        except MalformedCall as error:
            return Event.invalid(_echo(action), error.code, error.message, step=step, clock=db.clock)
        return None if call.name == FINISH else self.execute(db, call, step=step)

    @cached_property
    def schemas(self) -> tuple[dict[str, Any], ...]:
        """The OpenAI function schemas of all tools and of `finish`."""
        return (*(tool.openai() for tool in self._tools.values()), FINISH_SCHEMA)


FINISH_SCHEMA: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": FINISH,
        "description": "End the session once everything that had to be done is done.",
        "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    },
}


def _echo(action: object) -> ToolCall:
    """The call as far as it can be read, cut to a printable size."""
    try:
        call = parse_call(action)
    except MalformedCall:
        return ToolCall(UNPARSED, {"text": clip(action, 400) if isinstance(action, str) else clip(action)})
    return ToolCall(str(clip(call.name, 60)), clip(call.arguments))
