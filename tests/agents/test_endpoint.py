"""Failures of the outside world: tried again where that can help, and always typed as `AgentError`."""

import traceback

import pytest

from lexgym.agents.openai_agent import OpenAIAgent
from lexgym.agents.retry import Retry
from lexgym.errors import AgentError

from .conftest import KEY, Setting
from .server import Answer, calls, fails, says
from .toy import play

END = calls(("finish", {}))
CUT = Answer(END.body, sent=20)
RESET = Answer(END.body, sent=0)


@pytest.mark.parametrize(
    "trouble",
    [
        fails(500),
        fails(502),
        fails(503),
        fails(429),
        fails(408),
        CUT,
        RESET,
        Answer(b"{not json"),
        Answer(b"<html>", headers={"Content-Type": "text/html"}),
        Answer({"choices": []}),
        Answer({"choices": [{"message": None}]}),
        Answer({"error": {"message": "overloaded"}}),
        Answer(b"\xff\xfe\xfa"),
        Answer(b"[" * 100_000),
    ],
    ids=lambda answer: f"{answer.status}-{answer.data[:12]!r}-{answer.sent}",
)
def test_passing_trouble_is_passed_over(against: Setting, waits: list[float], trouble: Answer) -> None:
    agent, server = against(trouble, trouble, END)
    assert play(agent) == []
    assert len(server.requests) == 3
    assert waits == [0.5, 1.0]
    assert agent.usage.requests == 1


@pytest.mark.parametrize(
    ("header", "wait"),
    [("7", 7.0), ("0", 0.0), ("-3", 0.0), ("soon", 0.5), ("nan", 0.5), ("Thu, 01 Jan 1970 00:16:50 GMT", 10.0)],
)
def test_retry_after_is_respected(against: Setting, waits: list[float], header: str, wait: float) -> None:
    agent, _ = against(fails(429, headers={"Retry-After": header}), END)
    play(agent)
    assert waits == [wait]


def test_an_endless_wait_is_not_waited_for(against: Setting, waits: list[float]) -> None:
    agent, server = against(fails(429, headers={"Retry-After": "3600"}))
    with pytest.raises(AgentError, match="not waiting another 3600 s"):
        play(agent)
    assert (len(server.requests), waits) == (1, [])


def test_the_waits_of_one_reply_are_bounded(against: Setting, waits: list[float]) -> None:
    agent, _ = against(fails(503, headers={"Retry-After": "50"}), max_retries=100)
    with pytest.raises(AgentError, match="not waiting another 50 s"):
        play(agent)
    assert waits == [50.0, 50.0]


@pytest.mark.parametrize("trouble", [fails(500, "boom"), CUT, Answer(b"{")])
def test_lasting_trouble_ends_the_episode(against: Setting, trouble: Answer) -> None:
    agent, server = against(trouble, max_retries=2)
    with pytest.raises(AgentError, match=rf"model 'toy' at {server.url}: .*\(gave up: 3 tries\)"):
        play(agent)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (fails(401, f"Incorrect API key: {KEY}"), r"HTTP 401: Incorrect API key: \*\*\*; check the key"),
        (fails(403, "not allowed"), "HTTP 403: not allowed; check the key"),
        (fails(404, "no such model"), "HTTP 404: no such model; check the model's name"),
        (Answer({"detail": "seed: extra field"}, 422), "HTTP 422: .*seed: extra field.*options="),
        (fails(429, "you are out of money", code="insufficient_quota"), "HTTP 429: you are out of money"),
        (
            fails(400, "too long", code="context_length_exceeded"),
            "HTTP 400: too long; use a model with a longer context",
        ),
        (fails(400, "exceeds the available context size"), "use a model with a longer context"),
        (Answer(b"<html>teapot</html>", 418), "HTTP 418: .*teapot"),
    ],
)
@pytest.mark.parametrize("mode", ["tools", "json"])
def test_what_trying_again_cannot_help_is_raised(against: Setting, answer: Answer, message: str, mode: str) -> None:
    agent, server = against(answer, mode=mode)
    with pytest.raises(AgentError, match=message) as caught:
        play(agent)
    tried = (3 if mode == "json" else 2) if answer.status == 422 else 1
    assert len(server.requests) == tried
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_silent_server_times_out() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        agent = OpenAIAgent("toy", base_url=url, timeout=0.05, max_retries=1, sleep=lambda seconds: None)
        with pytest.raises(AgentError, match=r"no reply within 0\.05 s; raise timeout="):
            play(agent)
        agent.close()


def test_a_server_that_is_down_is_named() -> None:
    agent = OpenAIAgent("toy", base_url="http://127.0.0.1:9/v1", max_retries=0)
    with pytest.raises(AgentError, match=r"127\.0\.0\.1:9/v1: the connection failed .*check that the server runs"):
        play(agent)
    agent.close()


def test_an_agent_can_be_used_after_close(against: Setting) -> None:
    agent, server = against(says("a"), END)
    play(agent)
    agent.close()
    agent.close()
    play(agent)
    assert len(server.requests) == 3


def test_a_password_in_the_url_is_not_shown() -> None:
    assert "hunter2" not in repr(OpenAIAgent("toy", base_url="http://me:hunter2@localhost:1/v1"))


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x/v1", "http://", "http://[::1", "http://x:99999/v1"])
def test_a_wrong_url_is_told(url: str) -> None:
    with pytest.raises(AgentError, match="is not a URL such as"):
        OpenAIAgent("toy", base_url=url, api_key=KEY)


@pytest.mark.parametrize("url", [None, "https://models.example.com/v1", "https://8.8.8.8/v1"])
def test_a_far_server_needs_a_key(url: str | None) -> None:
    with pytest.raises(AgentError, match=r"no API key for https://.*OPENAI_API_KEY"):
        OpenAIAgent("toy", base_url=url, api_key=" ")


def test_a_key_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(AgentError, match="characters") as caught:
        OpenAIAgent("toy", api_key="sk-ключ")
    assert "ключ" not in str(caught.value)


@pytest.mark.parametrize("host", ["localhost", "[::1]", "10.0.0.4", "vllm", "gpu.internal"])
def test_a_near_server_needs_none(host: str) -> None:
    OpenAIAgent("toy", base_url=f"http://{host}:8000/v1")


def test_the_delay_stops_growing() -> None:
    assert [Retry().delay(attempt, None) for attempt in (0, 4, 9, 10_000)] == [0.5, 8.0, 30.0, 30.0]
