from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

import pytest

from lexgym.agents.openai_agent import OpenAIAgent

from .server import Answer, ModelServer

KEY = "sk-very-secret-0123456789"

Setting: TypeAlias = Callable[..., tuple[OpenAIAgent, ModelServer]]


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def waits() -> list[float]:
    """What the agent would have slept."""
    return []


@pytest.fixture
def against(waits: list[float]) -> Iterator[Setting]:
    """`agent, server = against(answer, …, **settings)`: an agent and the server it talks to."""
    with ExitStack() as stack:

        def start(*script: Answer, **settings: Any) -> tuple[OpenAIAgent, ModelServer]:
            server = stack.enter_context(ModelServer(script))
            defaults: dict[str, Any] = {
                "base_url": server.url,
                "api_key": KEY,
                "sleep": waits.append,
                "clock": lambda: 1_000.0,
            }
            agent = OpenAIAgent("toy", **(defaults | settings))
            stack.callback(agent.close)
            return agent, server

        yield start
