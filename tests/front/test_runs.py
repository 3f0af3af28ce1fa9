"""A run's folder: whose it is, what it holds, and what the rates are of."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lexgym import cli
from lexgym.agents.protocol import FullAgent, as_agent
from lexgym.core import FINISH, Observation
from lexgym.errors import AgentError, LogError, ScenarioVersionError
from lexgym.evaluation import evaluate
from lexgym.log import latest, read_log
from lexgym.registration import scenario
from lexgym.roster import split_agents
from lexgym.runs import read_scenarios, require_same_run, write_results
from lexgym.summary import interval, rate, summarise, unjudged_notes

SCENARIO = scenario("finance", 0)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["run", "--episodes", "1", *arguments])


def record(outcome: str, agent: str = "m", error: str | None = None) -> dict[str, Any]:
    return {"agent": agent, "verdict": {"outcome": outcome, "error": error}}


class Unreliable:
    """A model whose server fails until it is mended."""

    mended = False

    def make(self, spec: str, **_: Any) -> FullAgent:
        return as_agent(self.act)

    def act(self, observation: Observation) -> Any:
        if not self.mended:
            raise AgentError("the server is down")
        return {"name": FINISH, "arguments": {}}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Unreliable:
    unreliable = Unreliable()
    monkeypatch.setattr("lexgym.agents.factory.make_agent", unreliable.make)
    return unreliable


def test_rates_are_of_judged_episodes() -> None:
    summary = summarise(
        [
            record("safe_success"),
            record("unjudged", error="down"),
            record("unjudged", error="slow"),
            record("unjudged", "x", "?"),
        ]
    )
    assert (rate(summary["agents"]["m"]), interval(summary["agents"]["m"])) == ("100%", "21–100 %")
    assert (rate(summary["agents"]["x"]), interval(summary["agents"]["x"])) == ("–", "–")
    assert unjudged_notes(summary) == ["m: 2 episodes unjudged: down", "x: 1 episode unjudged: ?"]


def test_the_table_gives_no_rate_where_nothing_was_judged() -> None:
    table = cli.outcome_table(summarise([record("unjudged", error="down"), record("safe_success", "y")]))
    cells = [list(column.cells) for column in table.columns]
    assert [column[0] for column in cells] == ["m", "0", "–", "–", "–", "–", "1", "–"]
    assert [column[1] for column in cells] == ["y", "1", "1 (100%)", "–", "–", "–", "–", "21–100 %"]


def test_a_run_in_which_nothing_is_judged_fails_and_says_why(server: Unreliable, tmp_path: Path) -> None:
    failed = invoke("--agents", "openai:m,naive", "--out", str(tmp_path))
    assert failed.exit_code == 1
    assert "openai:m: 1 episode unjudged: the server is down" in failed.stdout
    assert "1 unjudged: the server is down" in (tmp_path / "report.html").read_text(encoding="utf-8")
    as_json = invoke("--agents", "openai:m,naive", "--out", str(tmp_path), "--json")
    assert as_json.exit_code == 1
    assert json.loads(as_json.stdout)["unjudged"] == {"openai:m": "the server is down"}
    assert "the server is down" in as_json.stderr
    server.mended = True
    assert invoke("--agents", "openai:m,naive", "--out", str(tmp_path)).exit_code == 0
    assert json.loads((tmp_path / "summary.json").read_text())["agents"]["openai:m"]["episodes"] == 1


def test_a_shorter_run_leaves_the_rest_of_the_log_in_the_report(tmp_path: Path) -> None:
    assert invoke("--agents", "idle,naive", "--episodes", "2", "--out", str(tmp_path)).exit_code == 0
    shorter = invoke("--agents", "idle", "--out", str(tmp_path))
    assert "1 of 1 episodes were already in the log" in shorter.stdout
    assert "all 4 episodes of the log" in shorter.stdout
    counts = json.loads((tmp_path / "summary.json").read_text())["agents"]
    assert {name: count["episodes"] for name, count in counts.items()} == {"idle": 2, "naive": 2}
    assert "finance-00001" in (tmp_path / "report.html").read_text(encoding="utf-8")
    longer = invoke("--agents", "idle", "--seed", "2", "--out", str(tmp_path), "--json")
    assert json.loads(longer.stdout)["agents"]["idle"]["episodes"] == 3


def test_names_are_printed_as_they_are(server: Unreliable, tmp_path: Path) -> None:
    printed = invoke("--agents", "openai:m:[red]x", "--out", str(tmp_path)).stdout
    assert printed.count("openai:m:[red]x") == 2


def test_a_first_run_says_nothing_of_the_log(tmp_path: Path) -> None:
    assert "already" not in invoke("--agents", "idle", "--out", str(tmp_path)).stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--variant", "workflow"], "holds a run with variant 'goal', this one has 'workflow': use another folder"),
        (["--domain", "iot"], "holds a run with domain 'finance', this one has 'iot': use another folder"),
    ],
)
def test_a_folder_of_another_run_is_refused_untouched(arguments: list[str], problem: str, tmp_path: Path) -> None:
    assert invoke("--agents", "idle", "--out", str(tmp_path)).exit_code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    refused = invoke("--agents", "idle", "--out", str(tmp_path), *arguments)
    assert isinstance(refused.exception, LogError)
    assert problem in str(refused.exception)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_scenarios_of_a_log_are_not_overwritten(tmp_path: Path) -> None:
    foreign = scenario("finance", 1).to_json().replace(SCENARIO.digest, "0" * 64) + "\n"
    (tmp_path / "scenarios.jsonl").write_text(foreign, encoding="utf-8")
    (tmp_path / "log.jsonl").touch()
    refused = invoke("--agents", "idle", "--out", str(tmp_path))
    assert "holds scenarios of another domain, or of another version of it" in str(refused.exception)
    assert (tmp_path / "scenarios.jsonl").read_text(encoding="utf-8") == foreign
    (tmp_path / "log.jsonl").unlink()
    assert invoke("--agents", "idle", "--out", str(tmp_path)).exit_code == 0
    assert [item.seed for item in read_scenarios(tmp_path / "scenarios.jsonl")] == [0]


def test_another_version_of_the_domain_is_refused(tmp_path: Path) -> None:
    assert invoke("--agents", "idle", "--out", str(tmp_path)).exit_code == 0
    with pytest.raises(LogError, match="another version"):
        require_same_run(tmp_path, domains={"finance": "0"}, variant="goal")


def test_other_settings_of_a_model_are_refused_and_older_logs_are_read(tmp_path: Path) -> None:
    server = Unreliable()
    server.mended = True
    log = tmp_path / "log.jsonl"
    run = partial(evaluate, ["openai:m", "idle"], [SCENARIO], log=log, make=server.make)
    list(run(settings={"mode": "tools"}))
    with pytest.raises(LogError, match=r"openai:m was run with {'mode': 'tools'}, not with {'mode': 'json'}"):
        list(run(settings={"mode": "json"}))
    older = [{k: v for k, v in found.items() if k not in ("settings", "explanations")} for found in read_log(log)]
    log.write_text("".join(json.dumps(found) + "\n" for found in older), encoding="utf-8")
    assert list(run(settings={"mode": "json"})) == older
    assert write_results(tmp_path, "older")["agents"]["idle"]["episodes"] == 1


def test_the_later_of_two_lines_counts() -> None:
    first = {"agent": "a", "scenario": "s", "variant": "goal", "trial": 0, "n": 1}
    assert latest([first, first | {"trial": 1}, first | {"n": 2}]) == [first | {"n": 2}, first | {"trial": 1}]


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "no agent is named"), (" , ", "no agent is named"), ("idle,naive,idle", "agent 'idle' is named twice")],
)
def test_a_list_of_agents_names_each_once(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=problem):
        split_agents(text)
    with pytest.raises(AgentError, match=problem):
        list(evaluate([name for name in text.split(",") if name.strip()], [SCENARIO], log=tmp_path / "log.jsonl"))


def test_an_unknown_agent_is_refused_before_anything_is_run(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="did you mean 'idle'"):
        list(evaluate(["naive", "idel"], [SCENARIO], log=tmp_path / "log.jsonl"))
    assert not (tmp_path / "log.jsonl").exists()


def test_scenarios_of_another_format_are_named_with_their_file(tmp_path: Path) -> None:
    path = tmp_path / "scenarios.jsonl"
    path.write_text('{"format": 0}\n')
    with pytest.raises(ScenarioVersionError, match=r"scenarios.jsonl: line 1: .*or use another folder"):
        read_scenarios(path)
