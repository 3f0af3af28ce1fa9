"""JSON mode: one object a turn, against a real server on the loopback."""

import json
from typing import Any

import pytest

from lexgym.agents.prompt import functions
from lexgym.core import Status
from lexgym.errors import AgentError

from .conftest import Setting
from .server import Answer, calls, fails, rejecting, says
from .toy import POLICY, TASK, play


def wrote(name: str, around: str = "{}", **arguments: Any) -> Answer:
    return says(around.replace("{}", json.dumps({"name": name, "arguments": arguments})))


READ, CLOSE, END = wrote("get_balance", account="A-1"), wrote("close_account", account="A-1"), wrote("finish")


def test_an_episode_runs(against: Setting) -> None:
    agent, server = against(
        READ, wrote("close_account", "Now this:\n```json\n{}\n```", account="A-1"), END, mode="json"
    )
    assert [event.status for event in play(agent)] == [Status.OK, Status.OK]
    messages = server.requests[2].body["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert '"balance": 100' in messages[3]["content"]
    assert agent.usage.requests == 3


def test_the_prompt_lists_policy_and_tools_and_the_form_is_asked_for(against: Setting) -> None:
    agent, server = against(END, mode="json")
    play(agent)
    body = server.requests[0].body
    system = body["messages"][0]["content"]
    assert POLICY in system
    for function in functions(TASK.tools):
        assert json.dumps(function, ensure_ascii=False) in system
    assert "tools" not in body
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["name"]["enum"] == ["get_balance", "close_account", "finish"]
    assert schema["properties"]["arguments"] == {"type": "object"}


def test_strict_holds_each_tool_to_its_own_arguments(against: Setting) -> None:
    wrapped = says(json.dumps({"call": {"name": "close_account", "arguments": {"account": "A-1", "reason": None}}}))
    agent, server = against(wrapped, END, mode="json", strict=True)
    assert [event.status for event in play(agent)] == [Status.OK]
    form = server.requests[0].body["response_format"]["json_schema"]
    assert form["strict"] is True
    options = form["schema"]["properties"]["call"]["anyOf"]
    assert [option["properties"]["name"]["enum"] for option in options] == [
        ["get_balance"],
        ["close_account"],
        ["finish"],
    ]


def test_a_server_without_response_format_is_asked_without(against: Setting) -> None:
    agent, server = against(
        rejecting("response_format", READ), READ, rejecting("response_format", CLOSE), END, mode="json"
    )
    assert [event.status for event in play(agent)] == [Status.OK, Status.OK]
    assert ["response_format" in request.body for request in server.requests] == [True, False, False, False]


def test_each_episode_asks_for_the_form_again(against: Setting) -> None:
    agent, server = against(rejecting("response_format", END), END, rejecting("response_format", END), END, mode="json")
    play(agent)
    play(agent)
    assert ["response_format" in request.body for request in server.requests] == [True, False, True, False]


def test_a_server_that_rejects_everything_ends_the_episode(against: Setting) -> None:
    agent, server = against(fails(400, "temperature must be 1"), mode="json")
    with pytest.raises(AgentError, match=r"HTTP 400: temperature must be 1; .*temperature=None"):
        play(agent)
    assert ["temperature" in request.body for request in server.requests] == [True, False, False]


def test_text_without_a_call_is_an_invalid_action_that_the_model_sees(against: Setting) -> None:
    agent, server = against(says("I think {so}."), says(""), END, mode="json")
    events = play(agent)
    assert [(event.status, event.result["code"]) for event in events] == [(Status.INVALID, "syntax")] * 2
    assert '"invalid"' in server.requests[1].body["messages"][-1]["content"]


def test_a_name_alone_is_enough_for_a_tool_without_arguments(against: Setting) -> None:
    agent, server = against(says('{"name": "finish"}'), mode="json")
    assert play(agent) == []
    assert len(server.requests) == 1


def test_a_native_call_is_taken_where_there_is_no_text(against: Setting) -> None:
    agent, _ = against(calls(("get_balance", {"account": "A-1"})), END, mode="json")
    assert [event.status for event in play(agent)] == [Status.OK]


def test_a_huge_text_is_an_invalid_action(against: Setting) -> None:
    agent, _ = against(says('{"name": ' * 200_000), END, mode="json")
    assert [event.status for event in play(agent)] == [Status.INVALID]
