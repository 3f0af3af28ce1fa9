"""An agent that makes valid calls at random: a floor for every score, and a load test for every domain.

agent = RandomAgent()
agent.begin(task)
agent.act(observation)   # ToolCall('get_balance', {'account': 'A-1'})
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from lexgym.agents.draw import NothingFits, draw
from lexgym.agents.prompt import functions
from lexgym.agents.protocol import BaseAgent
from lexgym.agents.sightings import Sightings
from lexgym.core import FINISH, Observation, Task, ToolCall
from lexgym.errors import EpisodeError


class RandomAgent(BaseAgent):
    """Draws a tool uniformly and its arguments from the schema, mostly from values it has met.

    The task's seed decides everything. It finishes after `limit` calls, and before each of them with
    probability `finish_rate`.
    """

    def __init__(self, *, limit: int = 15, finish_rate: float = 0.03) -> None:
        self.limit = limit
        self.finish_rate = finish_rate
        self._functions: list[Mapping[str, Any]] = []
        self._seen: Sightings | None = None
        self._rng = Random(0)
        self._calls = 0

    def begin(self, task: Task, /) -> None:
        """Seed the draws with the task's seed, and read its instruction."""
        self._functions = [function for function in functions(task.tools) if function["name"] != FINISH]
        self._seen = Sightings(task.instruction)
        self._rng = Random(f"random agent {task.seed}")
        self._calls = 0

    def act(self, observation: Observation, /) -> ToolCall:
        """Return a valid call, or `finish`."""
        if self._seen is None:
            raise EpisodeError("begin(task) comes before the first act: it gives the tools and the seed")
        self._seen.hear(observation["result"])
        if self._calls >= self.limit or self._rng.random() < self.finish_rate:
            return ToolCall(FINISH)
        self._calls += 1
        return self._draw(self._seen)

    def _draw(self, seen: Sightings) -> ToolCall:
        """A tool whose required arguments cannot be drawn is passed over."""
        for function in self._rng.sample(self._functions, len(self._functions)):
            try:
                return ToolCall(function["name"], self._arguments(function["parameters"], seen))
            except NothingFits:
                continue
        return ToolCall(FINISH)

    def _arguments(self, schema: Mapping[str, Any], seen: Sightings) -> dict[str, Any]:
        required = schema.get("required", ())
        arguments = {}
        for name, parameter in schema.get("properties", {}).items():
            if name not in required and self._rng.random() < 0.5:
                continue
            try:
                arguments[name] = draw(parameter, self._rng, seen.of(name))
            except NothingFits:
                if name in required:
                    raise
        return arguments

    def __repr__(self) -> str:
        return "RandomAgent()"
