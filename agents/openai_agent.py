"""A model behind any OpenAI-compatible server as an agent.

    agent = OpenAIAgent("gpt-4o-mini")
    agent = OpenAIAgent("smollm2", base_url="http://127.0.0.1:8000/v1", mode="json")
    agent.begin(task)
    action = agent.act(observation)

What the model gets wrong goes to the environment as it is, and comes back to the model as a result.
What the outside world gets wrong is tried again and then raised as `AgentError`.
"""

import copy
import time
from collections.abc import Callable, Mapping
from typing import Any, get_args

from lexgym.agents.dialogue import Dialogue, dialogue_for
from lexgym.agents.endpoint import Endpoint, RequestFailed
from lexgym.agents.prompt import Mode
from lexgym.agents.protocol import BaseAgent, Usage
from lexgym.agents.reply import Reply
from lexgym.agents.retry import Retry
from lexgym.core import Observation, Task
from lexgym.errors import AgentError, EpisodeError, near_miss


class OpenAIAgent(BaseAgent):
    """Asks a model for tool calls (`mode="tools"`) or for one JSON object a turn (`mode="json"`).

    The key comes from `OPENAI_API_KEY` and the server from `OPENAI_BASE_URL` where they are not given;
    a local server needs no key. `timeout` is in seconds and holds for each pause of the server.
    `strict` has the server hold the arguments to each tool's schema. `tell` hears what is waited for, and
    which fields are left out because the server refuses them. `options` are further fields of
    the request; a field that is None there, or `temperature` or `max_tokens` of None, is not sent.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        mode: Mode = "tools",
        temperature: float | None = 0.0,
        max_tokens: int | None = 1024,
        strict: bool = False,
        max_retries: int = 5,
        timeout: float = 120.0,
        options: Mapping[str, Any] | None = None,
        tell: Callable[[str], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if mode not in get_args(Mode):
            raise AgentError(f"no mode {mode!r}{near_miss(mode, get_args(Mode))}")
        retry = Retry(max_retries=max_retries, sleep=sleep, clock=clock)
        self._endpoint = Endpoint(model, base_url=base_url, api_key=api_key, timeout=timeout, retry=retry, tell=tell)
        self._mode: Mode = mode
        self._strict = strict
        self._settings = {"temperature": temperature, "max_tokens": max_tokens}
        self._options = dict(options or {})
        self._fields: dict[str, Any] = {}
        self._dialogue: Dialogue | None = None
        self._usage = Usage()

    @property
    def transcript(self) -> list[dict[str, Any]]:
        """The messages of the episode, sent and received."""
        return [] if self._dialogue is None else copy.deepcopy(self._dialogue.messages)

    @property
    def usage(self) -> Usage:
        """What the episode cost so far."""
        return self._usage

    def begin(self, task: Task, /) -> None:
        """Start a new conversation about this task."""
        fields = {"seed": task.seed, **self._settings, **self._options}
        self._fields = {key: value for key, value in fields.items() if value is not None}
        self._dialogue = dialogue_for(task, self._mode, strict=self._strict)
        self._usage = Usage()

    def act(self, observation: Observation, /) -> Any:
        """Return the model's next call; raise `AgentError` where the server fails."""
        if self._dialogue is None:
            raise EpisodeError(
                "begin(task) comes before the first act: it tells the model its tools and the regulation"
            )
        self._dialogue.hear(observation["result"])
        while not self._dialogue.ready:
            self._dialogue.read(self._ask(self._dialogue))
        return self._dialogue.next()

    def close(self) -> None:
        """Close the connections to the server."""
        self._endpoint.close()

    def _ask(self, dialogue: Dialogue) -> Reply:
        try:
            reply = self._endpoint.complete(self._fields | dialogue.request())
        except RequestFailed as failure:
            if not failure.rejected or not dialogue.simplify():
                raise
            reply = self._endpoint.complete(self._fields | dialogue.request())
        self._usage += reply.usage
        return reply

    def __repr__(self) -> str:
        return f"OpenAIAgent({self._endpoint.model!r}, base_url={self._endpoint.shown!r}, mode={self._mode!r})"
