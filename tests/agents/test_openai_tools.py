"""Native tool calls, against a real server on the loopback."""

import json

import pytest

from lexgym.agents.dialogue import MAX_SENT
from lexgym.agents.prompt import NUDGE
from lexgym.agents.protocol import Usage
from lexgym.core import Event, Status
from lexgym.errors import EpisodeError

from .conftest import KEY, Setting
from .server import calls, says
from .toy import POLICY, TASK, TOOLBOX, play

READ = calls(("get_balance", {"account": "A-1"}))
CLOSE = calls(("close_account", {"account": "A-1"}))
END = calls(("finish", {}))


def statuses(events: list[Event]) -> list[tuple[str, Status]]:
    return [(event.name, event.status) for event in events]


def test_an_episode_runs_and_every_result_answers_its_call(against: Setting) -> None:
    agent, server = against(READ, CLOSE, END)
    assert statuses(play(agent)) == [("get_balance", Status.OK), ("close_account", Status.OK)]
    roles = [message["role"] for message in server.requests[2].body["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool"]
    asked, answered = server.requests[2].body["messages"][2:4]
    assert answered["tool_call_id"] == asked["tool_calls"][0]["id"]
    assert json.loads(answered["content"])["result"] == {"account": "A-1", "balance": 100}
    assert agent.usage == Usage(prompt_tokens=300, completion_tokens=21, requests=3)


def test_the_request_says_what_was_asked_for(against: Setting) -> None:
    agent, server = against(END, temperature=0.5, max_tokens=None, options={"top_k": 5, "max_completion_tokens": 9})
    play(agent)
    body = server.requests[0].body
    assert server.requests[0].path == "/v1/chat/completions"
    assert (body["model"], body["seed"], body["temperature"]) == ("toy", TASK.seed, 0.5)
    assert (body["top_k"], body["max_completion_tokens"], "max_tokens" in body) == (5, 9, False)
    assert body["tools"] == list(TASK.tools)


def test_the_prompt_holds_the_policy_and_the_instruction(against: Setting) -> None:
    agent, server = against(END)
    play(agent)
    system, user = server.requests[0].body["messages"]
    assert POLICY in system["content"]
    assert "get_balance" not in system["content"]
    assert user["content"] == TASK.instruction


def test_several_calls_in_one_reply_are_carried_out_in_order(against: Setting) -> None:
    both = calls(("get_balance", {"account": "A-1"}), ("close_account", {"account": "A-1"}), text="both")
    agent, server = against(both, END)
    assert [event.name for event in play(agent)] == ["get_balance", "close_account"]
    assert len(server.requests) == 2
    messages = server.requests[1].body["messages"]
    assert [m.get("tool_call_id") for m in messages[3:]] == ["id_0", "id_1"]
    assert [json.loads(m["content"])["result"] for m in messages[3:]] == [{"account": "A-1", "balance": 100}, True]


def test_repeated_and_missing_ids_become_unique(against: Setting) -> None:
    nameless = says(None, tool_calls=[{"function": {"name": "close_account", "arguments": {"account": "A-1"}}}] * 2)
    agent, _ = against(nameless, READ, READ, END)
    assert {event.status for event in play(agent)} == {Status.OK}
    ids = [call["id"] for message in agent.transcript for call in message.get("tool_calls", ())]
    assert len(ids) == len(set(ids)) == 5
    assert ids[:4] == [message["tool_call_id"] for message in agent.transcript if message["role"] == "tool"]


def test_a_made_up_id_gives_way_to_a_given_one(against: Setting) -> None:
    function = {"name": "close_account", "arguments": '{"account": "A-1"}'}
    agent, _ = against(says(None, tool_calls=[{"id": "call_2", "function": function}, {"function": function}]), END)
    play(agent)
    assert [call["id"] for call in agent.transcript[2]["tool_calls"]] == ["call_2", "call_2x"]


@pytest.mark.parametrize("arguments", ["{'account': 'A-1'}", "[1]", '{"account": ', "null", '"A-1"'])
def test_malformed_arguments_reach_the_environment_and_the_talk_goes_on(against: Setting, arguments: str) -> None:
    agent, server = against(calls(("get_balance", arguments)), READ, END)
    events = play(agent)
    assert [event.status for event in events] == [Status.INVALID, Status.OK]
    sent = server.requests[1].body["messages"]
    assert isinstance(json.loads(sent[2]["tool_calls"][0]["function"]["arguments"]), dict)
    assert json.loads(sent[3]["content"])["status"] == "invalid"
    assert agent.transcript[2]["tool_calls"][0]["function"]["arguments"] == arguments


def test_a_name_that_no_server_takes_back_is_mended(against: Setting) -> None:
    odd = says(None, tool_calls=[{"id": "c", "type": "custom"}])
    agent, server = against(calls(("get balance!", {})), odd, END)
    assert [event.status for event in play(agent)] == [Status.INVALID, Status.INVALID]
    names = [m["tool_calls"][0]["function"]["name"] for m in server.requests[2].body["messages"] if "tool_calls" in m]
    assert names == ["get_balance_", "unknown"]


def test_text_is_nudged_once_and_ends_the_episode_the_second_time(against: Setting) -> None:
    agent, server = against(says("Hm."), says("I am done."))
    assert play(agent) == []
    assert server.requests[1].body["messages"][-1] == {"role": "user", "content": NUDGE}
    assert len(server.requests) == 2


def test_a_call_after_the_nudge_starts_the_count_again(against: Setting) -> None:
    agent, server = against(says("Hm."), READ, says(None, refusal="I cannot."), CLOSE, END)
    assert len(play(agent)) == 2
    assert len(server.requests) == 5
    assert "I cannot." in [message["content"] for message in agent.transcript]


def test_a_huge_reply_is_not_sent_back_in_full(against: Setting) -> None:
    huge = calls(("close_account", json.dumps({"account": "x" * 3_000_000})), text="y" * 3_000_000)
    agent, server = against(huge, says("z" * 1_000_000), END)
    assert [event.status for event in play(agent)] == [Status.INVALID]
    assert len(json.dumps(server.requests[2].body)) < 3 * MAX_SENT


def test_half_a_character_does_not_stop_the_talk(against: Setting) -> None:
    agent, _ = against(says("\ud83d"), calls(("close_account", '{"account": "\\ud83d"}'), text="\ud83d"), END)
    assert [event.status for event in play(agent)] == [Status.INVALID]


def test_content_in_parts_is_joined(against: Setting) -> None:
    agent, _ = against(says(None, content=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]))
    play(agent)
    assert agent.transcript[2]["content"] == "ab"


def test_strict_sends_strict_tools(against: Setting) -> None:
    agent, server = against(END, strict=True)
    play(agent)
    for tool, sent in zip(TOOLBOX.values(), server.requests[0].body["tools"], strict=False):
        assert sent == tool.openai(strict_mode=True)


def test_begin_forgets_the_last_episode(against: Setting) -> None:
    agent, server = against(says("Hm."), READ, END, says("Hm."), READ, END)
    play(agent)
    first = agent.transcript
    play(agent)
    assert agent.transcript == first
    assert agent.usage.requests == 3
    assert server.requests[0].body == server.requests[3].body


def test_the_transcript_is_a_copy(against: Setting) -> None:
    agent, _ = against(END)
    assert agent.transcript == []
    play(agent)
    agent.transcript[0]["content"] = "changed"
    assert agent.transcript[0]["content"] != "changed"


def test_act_before_begin_is_out_of_order(against: Setting) -> None:
    agent, _ = against(END)
    with pytest.raises(EpisodeError, match=r"begin\(task\)"):
        agent.act({"instruction": "", "result": "", "step": 0})


def test_the_key_is_sent_and_shown_nowhere(against: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"{KEY}\n")
    agent, server = against(END, api_key=None)
    play(agent)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in json.dumps(agent.transcript) + repr(agent)


def test_a_local_server_needs_no_key(against: Setting) -> None:
    agent, server = against(END, api_key=None)
    play(agent)
    assert server.requests[0].headers["authorization"] == "Bearer local"


def test_the_server_may_come_from_the_environment(against: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    _, server = against(END)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    agent, _ = against(END, base_url=None)
    play(agent)
    assert len(server.requests) == 1
