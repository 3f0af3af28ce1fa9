"""Questions with JSON answers: what is taken of an answer that was cut off or has another form, and what is kept."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lexgym.agents.retry import Retry
from lexgym.asking import Limits, ModelLink, found_object
from lexgym.errors import AgentError, ContextExceeded
from lexgym.generators.extraction.prompting import CONSTRAINTS_SCHEMA

from ..agents.server import Answer, ModelServer, fails, says

ITEM = {"sentence": 1, "kind": "before", "constraint": "One {of} two."}
WHOLE = json.dumps({"constraints": [ITEM, ITEM]})
CUT = WHOLE[:-40]
QUESTION = [{"role": "user", "content": "hello"}]


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def cut_off(text: str) -> Answer:
    """An answer that ended because it grew too long."""
    answer = says(text)
    body: dict[str, Any] = json.loads(answer.data)
    body["choices"][0]["finish_reason"] = "length"
    return replace(answer, body=body)


def found(text: str) -> Any:
    return json.loads(found_object(text, CONSTRAINTS_SCHEMA) or "null")


def test_of_an_answer_that_was_cut_off_the_whole_items_are_taken() -> None:
    assert found(CUT) == {"constraints": [ITEM]}
    assert found(f"<think>{WHOLE}</think>{CUT}") == {"constraints": [ITEM]}


def test_a_bare_list_and_bare_items_are_taken() -> None:
    assert found(json.dumps([ITEM, ITEM])) == {"constraints": [ITEM, ITEM]}
    assert found(f"{json.dumps(ITEM)}\nand\n{json.dumps(ITEM)}") == {"constraints": [ITEM, ITEM]}


@pytest.mark.parametrize("text", ["", "Sorry.", '{"constraints": [', '{"constraints": [{"sentence": 1, "ki'])
def test_nothing_usable_stays_nothing(text: str) -> None:
    assert found(text) is None


def test_an_object_of_another_form_is_left_as_it_is() -> None:
    assert found('{"rules": [{"a": 1}]}') == {"rules": [{"a": 1}]}
    assert json.loads(found_object('Sure: {"goal": "x", "workflow": "y"}', {})) == {"goal": "x", "workflow": "y"}


def test_an_answer_that_was_cut_off_is_kept_and_asked_for_again_when_more_is_allowed(tmp_path: Path) -> None:
    cache = tmp_path / "answers.jsonl"
    with ModelServer([cut_off(CUT), says(WHOLE)]) as server:
        for limit, items, requests in ((100, 1, 1), (100, 1, 1), (50, 1, 1), (200, 2, 2), (400, 2, 2), (100, 2, 2)):
            link = ModelLink("toy", server.url, cache, limits=Limits(max_tokens=limit))
            assert len(json.loads(link.ask(QUESTION, CONSTRAINTS_SCHEMA))["constraints"]) == items
            assert len(server.requests) == requests
            assert link.usage["cut"] == 2 - items
            assert ("cut off" in link.cost) == (items == 1)
            link.close()
        assert [request.body["max_tokens"] for request in server.requests] == [100, 200]


def test_plain_text_is_asked_for_without_a_form_and_kept(tmp_path: Path) -> None:
    with ModelServer([says("a line")]) as server:
        link = ModelLink("toy", server.url, tmp_path / "answers.jsonl")
        assert [link.say(QUESTION), link.say(QUESTION)] == ["a line"] * 2
        assert ["response_format" in request.body for request in server.requests] == [False]
        link.close()


def test_passing_trouble_is_waited_out_and_told(tmp_path: Path) -> None:
    waits: list[float] = []
    told: list[str] = []
    broken = replace(says(WHOLE), sent=30)
    script = [fails(429, "slow down", headers={"Retry-After": "7"}), fails(502, "gateway"), broken, says(WHOLE)]
    with ModelServer(script) as server:
        link = ModelLink("toy", server.url, tmp_path / "a.jsonl", Retry(sleep=waits.append), tell=told.append)
        assert json.loads(link.ask(QUESTION, CONSTRAINTS_SCHEMA)) == json.loads(WHOLE)
        assert (len(server.requests), link.spent.requests) == (4, 1)
        link.close()
    assert waits == [7.0, 1.0, 2.0]
    assert ["HTTP 429" in told[0], "HTTP 502" in told[1], "the connection failed" in told[2]] == [True] * 3


def test_a_question_that_is_too_long_is_told_apart(tmp_path: Path) -> None:
    with ModelServer([fails(400, "request exceeds the available context size")]) as server:
        link = ModelLink("toy", server.url, tmp_path / "a.jsonl")
        with pytest.raises(ContextExceeded):
            link.ask(QUESTION, CONSTRAINTS_SCHEMA)
        assert len(server.requests) == 1
        link.close()


def test_what_a_run_that_broke_off_leaves_is_said(tmp_path: Path) -> None:
    seen: list[int] = []
    with ModelServer([says(WHOLE), fails(401, "no")]) as server:
        link = ModelLink("toy", server.url, tmp_path / "a.jsonl")
        link.progress = lambda: seen.append(link.spent.requests)
        link.ask(QUESTION, CONSTRAINTS_SCHEMA)
        with pytest.raises(AgentError):
            link.ask([], CONSTRAINTS_SCHEMA)
        link.close()
    assert seen == [1]
    assert link.kept.startswith("toy: 1 requests, 100 + 7 tokens")
    assert "1 answers are kept in" in link.kept


def test_what_kept_answers_took_is_remembered(tmp_path: Path) -> None:
    cache = tmp_path / "a.jsonl"
    with ModelServer([says(WHOLE)]) as server:
        for requests, saved in ((1, 0), (0, 107)):
            link = ModelLink("toy", server.url, cache)
            link.ask(QUESTION, CONSTRAINTS_SCHEMA)
            assert (link.spent.requests, link.saved.prompt_tokens + link.saved.completion_tokens) == (requests, saved)
            assert ("(107 tokens then)" in link.cost) == (saved > 0)
            link.close()
