"""Runs, logs, resumption and rescoring."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lexgym.agents.protocol import FullAgent, as_agent
from lexgym.cli import app
from lexgym.core import Observation
from lexgym.errors import AgentError, ContextExceeded, FormulaError, LogError
from lexgym.evaluation import evaluate, rescore, verdict_json
from lexgym.log import read_log
from lexgym.registration import scenario
from lexgym.runs import read_scenarios
from lexgym.summary import summarise, wilson

AGENTS = "reference,naive,shielded,random,idle"
SCENARIOS = [scenario("finance", seed) for seed in range(3)]


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    result = run("run", "--agents", AGENTS, "--episodes", "3", "--seed", "0", "--out", str(out), "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.stdout)
    assert summary == json.loads((out / "summary.json").read_text())
    three = {"episodes": 3, "judged": 3}
    zero = {"safe_success": 0, "unsafe_success": 0, "benign_failure": 0, "unsafe_failure": 0, "unjudged": 0}
    agents = summary["agents"]
    assert agents["reference"] == {**three, **zero, "safe_success": 3}
    assert agents["naive"] == {**three, **zero, "unsafe_success": 3}
    assert agents["shielded"] == {**three, **zero, "safe_success": 3}
    assert agents["idle"] == {**three, **zero, "benign_failure": 3}
    return out


def test_a_run_that_was_cut_off_continues(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "log.jsonl").read_bytes().splitlines(keepends=True)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(lines[:4]) + lines[4][:50])
    records = list(evaluate(AGENTS.split(","), SCENARIOS, log=log))
    assert summarise(records) == json.loads((folder / "summary.json").read_text())
    again = log.read_bytes().splitlines(keepends=True)
    assert again[:4] == lines[:4]
    assert len(again) == len(lines)


def test_rescoring_agrees_and_notices_tampering(folder: Path) -> None:
    assert run("rescore", str(folder / "log.jsonl")).exit_code == 0
    records = read_log(folder / "log.jsonl")
    naive = next(record for record in records if record["agent"] == "naive")
    found = next(item for item in SCENARIOS if item.id == naive["scenario"])
    assert verdict_json(rescore(naive, found)) == naive["verdict"]
    naive["verdict"]["outcome"] = "safe_success"
    forged = folder / "forged.jsonl"
    forged.write_text("".join(json.dumps(record) + "\n" for record in records))
    result = run("rescore", str(forged))
    assert result.exit_code == 1
    assert "1 differ" in result.output


def test_scenarios_that_were_cut_off_are_made_again(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "scenarios.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "scenarios.jsonl").write_bytes(lines[0] + lines[1][:999])
    assert [item.seed for item in read_scenarios(tmp_path / "scenarios.jsonl")] == [0]
    assert run("run", "--agents", "idle", "--episodes", "3", "--out", str(tmp_path), "--json").exit_code == 0
    assert (tmp_path / "scenarios.jsonl").read_bytes().splitlines(keepends=True) == lines


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"agent": 1}', "it has no 'scenario'"),
        ("{", "Expecting property name"),
        ("[1]", "a JSON list, not an object"),
        ("\x00", "Expecting value"),
    ],
)
def test_a_damaged_log_is_named(line: str, problem: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line + "\n")
    with pytest.raises(LogError, match=f"line 1 is damaged: {problem}"):
        read_log(log)


def test_a_verdict_of_another_shape_is_damage(folder: Path, tmp_path: Path) -> None:
    record = read_log(folder / "log.jsonl")[0] | {"verdict": "safe"}
    (tmp_path / "log.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(LogError, match="its verdict is 'safe'"):
        read_log(tmp_path / "log.jsonl")


def test_reading_a_log_leaves_it_as_it_is(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes((folder / "log.jsonl").read_bytes() + b'{"agent": "id')
    before = log.read_bytes()
    assert len(read_log(log)) == 15
    assert log.read_bytes() == before


def test_episodes_are_the_same_but_for_the_time_they_took(tmp_path: Path) -> None:
    def untimed(log: Path) -> list[Any]:
        records = list(evaluate(AGENTS.split(","), SCENARIOS[:2], log=log))
        for record in records:
            del record["seconds"]
            for event in record["events"]:
                del event["latency"]
        return records

    assert untimed(tmp_path / "one.jsonl") == untimed(tmp_path / "two.jsonl")


def test_another_version_of_the_domain_is_refused(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text((folder / "log.jsonl").read_text().replace(SCENARIOS[0].digest, "0" * 64))
    with pytest.raises(LogError, match="another version"):
        list(evaluate(["idle"], SCENARIOS, log=log))


def test_a_failing_server_leaves_the_episode_unjudged(tmp_path: Path) -> None:
    def broken(observation: Observation) -> Any:
        raise AgentError("the server is down")

    def make(spec: str) -> FullAgent:
        return as_agent(broken)

    (record,) = evaluate(["openai:m"], SCENARIOS[:1], log=tmp_path / "log.jsonl", make=make)
    assert record["verdict"]["outcome"] == "unjudged"
    assert record["verdict"]["error"] == "the server is down"
    (again,) = evaluate(["idle"], SCENARIOS[:1], log=tmp_path / "log.jsonl")
    text = (tmp_path / "log.jsonl").read_text().replace('"openai:m"', '"idle"').splitlines()[0]
    (tmp_path / "log.jsonl").write_text(text + "\n")
    (repeated,) = evaluate(["idle"], SCENARIOS[:1], log=tmp_path / "log.jsonl")
    assert repeated["verdict"] == again["verdict"]
    assert len(read_log(tmp_path / "log.jsonl")) == 2


@pytest.mark.parametrize(("steps", "outcome"), [(0, "unjudged"), (1, "benign_failure")])
def test_a_context_that_is_full_ends_the_episode(steps: int, outcome: str, tmp_path: Path) -> None:
    def talking(observation: Observation) -> Any:
        if observation["step"] < steps:
            return "a long speech"
        raise ContextExceeded("longer than the model takes")

    log = tmp_path / "log.jsonl"
    (record,) = evaluate(["openai:m"], SCENARIOS[:1], log=log, make=lambda spec: as_agent(talking))
    assert (record["verdict"]["outcome"], record["ended"]) == (outcome, "context")
    if steps:
        assert verdict_json(rescore(record, SCENARIOS[0])) == record["verdict"]


def test_an_oracle_that_fails_leaves_the_episode_unjudged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise FormulaError("a step that cannot be judged")

    monkeypatch.setattr("lexgym.oracles.ltlf.ruleset.RuleSetMonitor.step", broken)
    (record,) = evaluate(["reference"], SCENARIOS[:1], log=tmp_path / "log.jsonl")
    assert (record["verdict"]["outcome"], record["ended"]) == ("unjudged", "oracle_error")


def test_a_talking_agent_is_stopped(tmp_path: Path) -> None:
    records = list(
        evaluate(["x:y"], SCENARIOS[:1], log=tmp_path / "l.jsonl", make=lambda spec: as_agent(lambda seen: "hello"))
    )
    assert records[0]["ended"] == "max_steps"
    assert records[0]["verdict"]["reasons"] == ["syntax"]


def test_wilson() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(10, 20)
    assert low == pytest.approx(0.2993, abs=1e-4)
    assert high == pytest.approx(0.7007, abs=1e-4)
