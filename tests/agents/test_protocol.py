from typing import Any

import pytest

from lexgym.agents.protocol import Usage, as_agent
from lexgym.agents.random_agent import RandomAgent
from lexgym.agents.scripted import Idle, Scripted
from lexgym.core import FINISH, Observation, Task, ToolCall

from .toy import TASK, play


def test_a_callable_is_an_agent() -> None:
    agent = as_agent(lambda observation: ToolCall(FINISH))
    assert play(agent) == []
    assert (agent.transcript, agent.usage) == ([], Usage())
    agent.close()
    agent.close()


def test_an_object_keeps_what_it_has() -> None:
    class Half:
        usage = Usage(requests=3)
        begun: Task | None = None

        def begin(self, task: Task) -> None:
            self.begun = task

        def act(self, observation: Observation) -> Any:
            return {"name": FINISH}

        def __call__(self) -> None:
            raise AssertionError("act comes first")

    half = Half()
    agent = as_agent(half)
    play(agent)
    assert half.begun is TASK
    assert agent.usage.requests == 3
    assert agent.transcript == []
    agent.close()


def test_a_full_agent_is_returned_as_it_is() -> None:
    agent = Idle()
    assert as_agent(agent) is agent


@pytest.mark.parametrize(("wrong", "hint"), [(3, "a int is no agent"), (Idle, r"pass an instance, Idle\(…\)")])
def test_what_cannot_act_is_named(wrong: object, hint: str) -> None:
    with pytest.raises(TypeError, match=hint):
        as_agent(wrong)


def test_usage_adds_up() -> None:
    assert Usage(1, 2, 3) + Usage(10, 20, 30) == Usage(11, 22, 33)


def test_scripted_plays_and_starts_again() -> None:
    agent = Scripted([ToolCall("get_balance", {"account": "A-1"}), ToolCall("close_account", {"account": "A-1"})])
    for _ in range(2):
        assert [event.name for event in play(agent)] == ["get_balance", "close_account"]


def test_idle_finishes_at_once() -> None:
    assert play(Idle()) == []


def test_agents_say_what_they_are() -> None:
    agents = [Idle(), Scripted([ToolCall("a")]), RandomAgent(), as_agent(len)]
    assert [repr(agent) for agent in agents] == [
        "Idle()",
        "Scripted(1 calls)",
        "RandomAgent()",
        "as_agent(<built-in function len>)",
    ]
