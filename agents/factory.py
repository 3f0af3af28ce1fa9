"""Agents by name, as a command line gives them.

>>> make_agent("idle")
Idle()
"""

from typing import Any

from lexgym.agents.openai_agent import OpenAIAgent
from lexgym.agents.prompt import Mode
from lexgym.agents.protocol import FullAgent
from lexgym.agents.random_agent import RandomAgent
from lexgym.agents.scripted import Idle
from lexgym.errors import AgentError, near_miss

SPECS = ("idle", "random", "openai:MODEL")
"""What `make_agent` makes."""


def make_agent(
    spec: str, *, base_url: str | None = None, api_key: str | None = None, mode: Mode = "tools", **settings: Any
) -> FullAgent:
    """Return the agent that `spec` names; raise `AgentError` if there is none.

    The other arguments are those of `OpenAIAgent`; agents without a model do not look at them.
    """
    kind, _, model = spec.partition(":")
    if kind == "openai" and model:
        return OpenAIAgent(model, base_url=base_url, api_key=api_key, mode=mode, **settings)
    if spec == "idle":
        return Idle()
    if spec == "random":
        return RandomAgent()
    if kind == "openai":
        raise AgentError(f"agent {spec!r} names no model: write openai:MODEL, such as 'openai:gpt-4o-mini'")
    raise AgentError(f"no agent {spec!r}{_hint(kind, model)}")


def _hint(kind: str, model: str) -> str:
    hint = near_miss(kind, [spec.partition(":")[0] for spec in SPECS])
    return hint.replace("'openai'", f"'openai:{model or 'MODEL'}'") if "did you mean" in hint else near_miss("", SPECS)
