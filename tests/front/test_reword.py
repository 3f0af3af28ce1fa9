"""`lexgym reword` against a model server on the loopback that answers well, badly, or breaks off."""

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from lexgym.asking import ModelLink
from lexgym.cli import main
from lexgym.envs.registry import load_domain
from lexgym.generators.authoring.prompting import tool_parameters
from lexgym.generators.wording import anchors, requests, write
from lexgym.registration import scenario
from lexgym.scenario import Scenario
from lexgym.suites import Suite, read_suite, write_suite

from ..agents.server import Answer, ModelServer, fails, rejecting, says

SEEDS = (0, 1)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    found = tuple(scenario("finance", seed) for seed in SEEDS)
    write_suite(folder, Suite("small", "1", found, {"test": tuple(item.id for item in found)}))
    return folder


def texts(base: Scenario) -> dict[str, str]:
    return write(load_domain(base.domain), requests(base), anchors(base)[0], random.Random(base.id))


def reading(base: Scenario) -> str:
    domain, calls = load_domain(base.domain), []
    for step in requests(base):
        named = [p.name for p in tool_parameters(domain, step.call.name) if p.name in step.values]
        arguments = [{"name": name, "value": step.values[name]} for name in named]
        calls.append({"tool": step.call.name, "arguments": arguments})
    return json.dumps({"calls": calls, "unclear": [], "hints": []})


def answers(base: Scenario) -> list[Answer]:
    """What good models answer: the writer once, the critic for each wording."""
    return [says(f"```json\n{json.dumps(texts(base))}\n```"), says(reading(base)), says(f"Sure: {reading(base)}")]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["lexgym", "reword", *map(str, arguments)])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0)


def test_a_suite_is_reworded(suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    script = [answer for seed in SEEDS for answer in answers(scenario("finance", seed))]
    with ModelServer(script) as server:
        assert run(monkeypatch, suite, "--model", "toy", "--base-url", server.url) == 0
        assert len(server.requests) == 3 * len(SEEDS)
    out, err = capsys.readouterr()
    new = read_suite(suite.with_name("small-reworded"))
    assert [dict(item.instructions) for item in new.scenarios] == [texts(scenario("finance", seed)) for seed in SEEDS]
    assert [item.reference for item in new.scenarios] == [scenario("finance", seed).reference for seed in SEEDS]
    assert (new.name, new.splits) == ("small-reworded", read_suite(suite).splits)
    assert "4 of 4 wordings are new" in out
    assert "toy: 2 requests, 200 + 14 tokens" in err
    assert "toy: 4 requests, 400 + 28 tokens" in err


def test_bad_answers_keep_the_wording_and_say_so(suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    leak = json.dumps(dict.fromkeys(("goal", "workflow"), "Authenticate the customer."))
    with ModelServer([says("No."), says(leak), says('{"goal": ')]) as server:
        assert run(monkeypatch, suite, "--model", "toy", "--base-url", server.url, "--out", suite.parent / "new") == 1
    new = read_suite(suite.parent / "new")
    assert new.scenarios == read_suite(suite).scenarios
    out = capsys.readouterr().out
    assert "finance-00000: the goal wording is kept: " in out
    assert "0 of 4 wordings are new" in out
    notes = [json.loads(line) for line in (suite.parent / "new" / "rewording.jsonl").read_text().splitlines()]
    assert [set(note["kept"]) for note in notes] == [{"goal", "workflow"}] * 2


def test_a_run_that_broke_off_goes_on(suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    first, second = (answers(scenario("finance", seed)) for seed in SEEDS)
    folder = suite.with_name("small-reworded")
    with ModelServer([*first, fails(401, "no such key"), *second]) as server:
        assert run(monkeypatch, suite, "--model", "toy", "--base-url", server.url) == 2
        err = capsys.readouterr().err
        assert "error: model 'toy'" in err
        assert "1 of 2 scenarios are done: the same command goes on from there" in err
        assert not (folder / "manifest.json").exists()
        cache = folder / "answers.jsonl"
        cache.write_bytes(cache.read_bytes() + b'{"key": "cut o')
        assert run(monkeypatch, suite, "--model", "toy", "--base-url", server.url) == 0
        assert len(server.requests) == 7
    out, err = capsys.readouterr()
    assert "4 of 4 wordings are new" in out
    assert "1 requests" in err
    assert "1 answers from" in err
    assert len(read_suite(folder).scenarios) == 2


def test_an_answer_is_asked_for_once(tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "answers.jsonl"
    messages = [{"role": "user", "content": "hello"}]
    with ModelServer([says('Here: {"a": 1}'), says('{"a": 2}')]) as server:
        link = ModelLink("toy", server.url, cache)
        assert [link.ask(messages, {}), link.ask(messages, {})] == ['{"a": 1}'] * 2
        cache.write_bytes(cache.read_bytes() + b'{"key": "cut o')
        again = ModelLink("toy", server.url, cache)
        assert again.ask(messages, {}) == '{"a": 1}'
        assert (again.spent.requests, again.remembered) == (0, 1)
        assert again.ask(messages, {"type": "object"}) == '{"a": 2}'
        assert len(server.requests) == 2
        assert [json.loads(line)["text"] for line in cache.read_text().splitlines()] == ['Here: {"a": 1}', '{"a": 2}']
        link.close()
        again.close()


def test_a_server_without_structured_outputs_is_asked_without(tmp_path: Path) -> None:
    with ModelServer([rejecting("response_format", says('{"a": 1}'))]) as server:
        link = ModelLink("toy", server.url, tmp_path / "answers.jsonl")
        assert link.ask([{"role": "user", "content": "hello"}], {}) == '{"a": 1}'
        assert link.ask([{"role": "user", "content": "again"}], {}) == '{"a": 1}'
        assert ["response_format" in request.body for request in server.requests] == [True, False, False]
        link.close()


def test_a_scenario_that_is_longer_than_the_model_takes_keeps_its_wording(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    with ModelServer([fails(400, "exceeds the available context size"), *answers(scenario("finance", 1))]) as server:
        assert run(monkeypatch, suite, "--model", "toy", "--base-url", server.url) == 0
    out = capsys.readouterr().out
    assert "finance-00000: the goal wording is kept: model 'toy'" in out
    assert "use a model with a longer context" in out
    assert "2 of 4 wordings are new" in out


def test_the_folder_has_to_be_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert run(monkeypatch, tmp_path, "--model", "toy", "--base-url", "http://127.0.0.1:9/v1") == 2
    assert "is no suite" in capsys.readouterr().err
