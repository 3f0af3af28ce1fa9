import subprocess
import sys

import pytest

from lexgym.agents.factory import make_agent
from lexgym.agents.openai_agent import OpenAIAgent
from lexgym.agents.random_agent import RandomAgent
from lexgym.agents.scripted import Idle
from lexgym.errors import AgentError


def test_every_spec_makes_its_agent() -> None:
    assert isinstance(make_agent("idle"), Idle)
    assert isinstance(make_agent("random", base_url="http://x/v1"), RandomAgent)
    agent = make_agent("openai:org/model:7b", base_url="http://localhost:1/v1", mode="json", max_tokens=5)
    assert repr(agent) == "OpenAIAgent('org/model:7b', base_url='http://localhost:1/v1', mode='json')"
    assert isinstance(agent, OpenAIAgent)


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("opnai:gpt-4o", "did you mean 'openai:gpt-4o'"),
        ("radnom", "did you mean 'random'"),
        ("xyz", "known: idle, openai:MODEL, random"),
        ("", "known: idle"),
        ("openai:", "names no model"),
        ("openai", "names no model"),
        ("idle:x", "did you mean 'idle'"),
    ],
)
def test_a_wrong_spec_is_told_the_way_out(spec: str, hint: str) -> None:
    with pytest.raises(AgentError, match=hint):
        make_agent(spec)


def test_a_wrong_mode_is_told() -> None:
    with pytest.raises(AgentError, match="no mode 'jsno'; did you mean 'json'"):
        make_agent("openai:x", base_url="http://localhost/v1", mode="jsno")  # type: ignore[arg-type]


def test_openai_is_imported_only_when_a_request_is_made() -> None:
    code = (
        "import sys; from lexgym.agents.factory import make_agent; "
        "make_agent('openai:x', base_url='http://localhost/v1'); "
        "assert not {'openai', 'httpx', 'httpx2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
