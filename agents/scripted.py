"""Agents that know beforehand what they will do.

>>> agent = Scripted([ToolCall("get_balance", {"account": "A-1"})])
>>> [agent.act({}).name for _ in range(3)]
['get_balance', 'finish', 'finish']
"""

from collections.abc import Iterable

from lexgym.agents.protocol import BaseAgent
from lexgym.core import FINISH, Observation, Task, ToolCall


class Scripted(BaseAgent):
    """Plays the calls in order, whatever comes back, then finishes."""

    def __init__(self, calls: Iterable[ToolCall]) -> None:
        self.calls = tuple(calls)
        self._position = 0

    def begin(self, task: Task, /) -> None:
        """Go back to the first call."""
        self._position = 0

    def act(self, observation: Observation, /) -> ToolCall:
        """Return the next call of the script."""
        if self._position == len(self.calls):
            return ToolCall(FINISH)
        self._position += 1
        return self.calls[self._position - 1]

    def __repr__(self) -> str:
        return f"Scripted({len(self.calls)} calls)"


class Idle(BaseAgent):
    """Finishes at once: what it passes, a scenario should not ask."""

    def act(self, observation: Observation, /) -> ToolCall:
        """Return `finish`."""
        return ToolCall(FINISH)

    def __repr__(self) -> str:
        return "Idle()"
