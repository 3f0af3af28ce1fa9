"""What an agent is: anything with `act(observation) -> action`, or a plain callable.

    agent = as_agent(lambda observation: {"name": "finish", "arguments": {}})
    agent.begin(task)              # before the first turn of each episode
    action = agent.act(observation)

The other methods are optional; `as_agent` fills in those that an agent lacks.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from lexgym.core import Observation, Task


@dataclass(frozen=True, slots=True)
class Usage:
    """What an episode cost so far: tokens as the server counts them, and requests that were answered."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.requests + other.requests,
        )


class FullAgent(Protocol):
    """An agent with every optional method."""

    @property
    def transcript(self) -> list[dict[str, Any]]:
        """The messages of the current episode as plain JSON, for logs."""

    @property
    def usage(self) -> Usage:
        """What the current episode cost so far."""

    def begin(self, task: Task, /) -> None:
        """Forget the last episode and get ready for this task."""

    def act(self, observation: Observation, /) -> Any:
        """Return the next action in any form that `lexgym.tools.calls.parse_call` accepts."""

    def close(self) -> None:
        """Release connections; calling it twice is fine."""


class BaseAgent:
    """The optional methods as an agent without memory, messages or connections has them."""

    @property
    def transcript(self) -> list[dict[str, Any]]:
        """No messages."""
        return []

    @property
    def usage(self) -> Usage:
        """No cost."""
        return Usage()

    def begin(self, task: Task, /) -> None:
        """Nothing to forget."""

    def close(self) -> None:
        """Nothing to release."""


def as_agent(agent: object) -> FullAgent:
    """Return `agent` with every optional method filled in; raise `TypeError` where it cannot act."""
    if isinstance(agent, type):
        raise TypeError(f"{agent.__name__} is a class: pass an instance, {agent.__name__}(…)")
    if not callable(getattr(agent, "act", None)) and not callable(agent):
        raise TypeError(f"a {type(agent).__name__} is no agent: it has no act(observation) and cannot be called")
    return agent if isinstance(agent, BaseAgent) and hasattr(agent, "act") else _Filled(agent)


class _Filled:
    """Passes on to the wrapped agent what it has, and to the defaults what it lacks."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        self._defaults = BaseAgent()
        self._act = agent.act if callable(getattr(agent, "act", None)) else agent

    def _get(self, name: str) -> Any:
        return getattr(self._agent if hasattr(self._agent, name) else self._defaults, name)

    @property
    def transcript(self) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self._get("transcript")
        return messages

    @property
    def usage(self) -> Usage:
        usage: Usage = self._get("usage")
        return usage

    def begin(self, task: Task, /) -> None:
        self._get("begin")(task)

    def act(self, observation: Observation, /) -> Any:
        return self._act(observation)

    def close(self) -> None:
        self._get("close")()

    def __repr__(self) -> str:
        return f"as_agent({self._agent!r})"
