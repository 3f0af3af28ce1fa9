"""What is left out of a request when a server says which field it will not have, and when it has no room."""

from collections.abc import Mapping
from typing import Any

import pytest

from lexgym.agents.endpoint import Endpoint
from lexgym.agents.retry import Retry
from lexgym.errors import AgentError, ContextExceeded

from .server import Answer, ModelServer, fails, says

HELLO: dict[str, Any] = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 9, "temperature": 0.0}
MAX_TOKENS = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
)
TEMPERATURE = "Unsupported value: 'temperature' does not support 0.0 with this model."
NO_ROOM = "maximum context length is 64 tokens. However, you requested 70 (61 in the messages, 9 in the completion)"


def sent(server: ModelServer) -> list[Mapping[str, Any]]:
    """The bodies of the requests without what is always there."""
    return [{k: v for k, v in each.body.items() if k not in ("model", "messages")} for each in server.requests]


def complete(*script: Answer, times: int = 1) -> tuple[ModelServer, list[str]]:
    told: list[str] = []
    with ModelServer(script) as server:
        endpoint = Endpoint("toy", base_url=server.url, retry=Retry(max_retries=0), tell=told.append)
        try:
            for _ in range(times):
                assert endpoint.complete(HELLO).text == "hi"
        finally:
            endpoint.close()
    return server, told


def test_the_limit_of_length_is_sent_under_its_other_name_from_then_on() -> None:
    server, told = complete(fails(400, MAX_TOKENS), says("hi"), times=2)
    other = {"temperature": 0.0, "max_completion_tokens": 9}
    assert sent(server) == [{"max_tokens": 9, "temperature": 0.0}, other, other]
    assert "'max_tokens' is left out from now on" in told[0]
    assert len(told) == 1


def test_one_field_after_another_is_left_out() -> None:
    server, told = complete(fails(400, MAX_TOKENS), fails(400, TEMPERATURE), says("hi"))
    assert sent(server)[-1] == {"max_completion_tokens": 9}
    assert len(told) == 2


def test_a_server_that_names_a_field_for_ever_is_not_asked_for_ever() -> None:
    with pytest.raises(AgentError, match="max_completion_tokens"):
        complete(fails(400, "max_tokens, max_completion_tokens and temperature are wrong"))


def test_a_question_without_room_for_the_answer_is_asked_without_that_limit() -> None:
    server, told = complete(fails(400, NO_ROOM), says("hi"), times=1)
    assert sent(server) == [{"max_tokens": 9, "temperature": 0.0}, {"temperature": 0.0}]
    assert told == []


def test_a_question_that_is_too_long_by_itself_is_said() -> None:
    with pytest.raises(ContextExceeded, match="use a model with a longer context"):
        complete(fails(400, NO_ROOM))


def test_what_is_waited_for_is_told() -> None:
    told: list[str] = []
    with ModelServer([fails(503, "busy"), says("hi")]) as server:
        retry = Retry(sleep=lambda seconds: None)
        endpoint = Endpoint("toy", base_url=server.url, retry=retry, tell=told.append)
        assert endpoint.complete(HELLO).text == "hi"
        endpoint.close()
    assert "HTTP 503: busy" in told[0]
    assert told[0].endswith("trying again in 0.5 s")


def test_an_answer_that_takes_too_long_is_waited_for_twice_and_no_more() -> None:
    import socket

    told: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        retry = Retry(max_retries=5, sleep=lambda seconds: None)
        endpoint = Endpoint("toy", base_url=url, timeout=0.05, retry=retry, tell=told.append)
        with pytest.raises(AgentError, match=r"no reply within 0\.05 s; .*--timeout.*gave up: 2 tries"):
            endpoint.complete(HELLO)
        endpoint.close()
    assert len(told) == 1


def test_the_key_is_not_told() -> None:
    told: list[str] = []
    with ModelServer([fails(400, "temperature is wrong for sk-secret"), says("hi")]) as server:
        endpoint = Endpoint("toy", base_url=server.url, api_key="sk-secret", tell=told.append)
        endpoint.complete(HELLO)
        endpoint.close()
    assert "sk-secret" not in told[0]
