"""The command line: help, names, and one style of error."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lexgym
from lexgym.agents.factory import SPECS
from lexgym.cli import app, main
from lexgym.envs import registry
from lexgym.envs.registry import gym_ids, load_domain
from lexgym.errors import DomainError
from lexgym.roster import AGENTS, about


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})


def test_list_names_every_environment_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexgym.cli._console.width", 80, raising=False)
    shown = run("list").output
    for name, identifier in gym_ids().items():
        assert name in shown
        assert f"lexgym/{identifier}-v0 " in shown


def test_show() -> None:
    shown = run("show", "finance-00001").output
    assert "workflow" in shown
    assert "safety" in shown


def test_help_lists_the_agents_and_shows_examples() -> None:
    flat = "".join(run("run", "--help").output.replace("│", " ").split())
    assert all(name in flat for name in AGENTS)
    assert "runs/DOMAIN-VARIANT-seedN" in flat
    assert "lexgymrun--agentsopenai:gpt-4o-mini" in flat
    assert "lexgym show finance-00007" in run("show", "--help").output
    assert "lexgym rescore runs/demo/log.jsonl" in run("rescore", "--help").output


def test_every_agent_that_can_be_made_is_listed() -> None:
    assert set(SPECS) <= set(AGENTS)
    assert about("shielded:random") == "valid random calls, behind the shield"
    assert about("mine") == ""


def test_the_module_is_the_command() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(lexgym.__file__).parents[1])}
    command = [sys.executable, "-m", "lexgym", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert result.stdout == f"lexgym {lexgym.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--domain", "finanse"], "no domain 'finanse'; did you mean 'finance'?"),
        (["run", "--agents", "naiv"], "no agent 'naiv'; did you mean 'naive'?"),
        (["run", "--agents", "openai:"], "agent 'openai:' names no model"),
        (["run", "--agents", ""], "no agent is named; there are reference, "),
        (["run", "--agents", "idle,idle"], "agent 'idle' is named twice"),
        (["run", "--mode", "x"], "Invalid value for --mode: 'x' is no mode: tools or json (see "),
        (["run", "--variant", "x"], "Invalid value for --variant: 'x' is no wording: goal or workflow (see "),
        (["run", "--episodes", "0"], "Invalid value for '--episodes': "),
        (["run", "--out", "FILE"], "Invalid value for '--out': "),
        (["run", "--out", "FILE/below"], "FILE/below: Not a directory"),
        (["run", "--nonsense"], "No such option: --nonsense"),
        (["nonsense"], "No such command 'nonsense'"),
        (["show", "nonsense"], "'nonsense' is no scenario id; one looks like finance-00007"),
        (["show", "finance-²"], "'finance-²' is no scenario id"),
        (["show", f"finance-{'9' * 5000}"], "is no scenario id"),
        (["rescore", "FILE"], "FILE: line 1 is damaged: "),
        (["rescore", "missing.jsonl"], "missing.jsonl"),
        (["rescore", "EMPTY"], "has no episode: run the agents again"),
        (["show", "finance-00007", "--suite", "."], "is no suite"),
        (["rules", "explain", "finance", "x", "--out", "FILE/below"], "finance has no rule 'x'"),
        (["rules", "explain", "finance", "payee-list", "--out", "FILE/below"], "FILE/below: Not a directory"),
    ],
)
def test_errors_have_one_style(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    file = tmp_path / "file"
    file.write_text("hello\n", encoding="utf-8")
    (tmp_path / "EMPTY").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["lexgym", *(part.replace("FILE", str(file)) for part in arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    printed = capsys.readouterr().err.strip()
    assert printed.startswith("error: ")
    assert message.replace("FILE", str(file)) in printed
    assert len(printed.splitlines()) == 1
    assert file.read_text(encoding="utf-8") == "hello\n"


def test_no_command_at_all_shows_the_help(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.argv", ["lexgym"])
    with pytest.raises(SystemExit):
        main()
    seen = capsys.readouterr()
    assert "rescore" in seen.out
    assert "error" not in seen.err


def test_an_interrupted_command_says_how_it_goes_on(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def interrupted() -> tuple[str, ...]:
        raise KeyboardInterrupt

    monkeypatch.setattr("lexgym.envs.registry.domain_names", interrupted)
    monkeypatch.setattr("sys.argv", ["lexgym", "list"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 130
    assert "interrupted; what was kept is taken up again by the same command" in capsys.readouterr().err


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of a third party's domain, installed beside ours and wrong."""
    folder = tmp_path / "brokendomain"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    found = registry._packages()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_packages", lambda: {**found, "broken": "brokendomain"})
    return folder / "domain.toml"


@pytest.mark.parametrize(
    ("text", "message"), [("]]]", "domain.toml: "), ("", "has no schema.sql"), (None, "domain.toml does not exist")]
)
def test_a_domain_that_is_wrong_stands_in_the_way_of_no_other(beside: Path, text: str | None, message: str) -> None:
    if text is not None:
        beside.write_text(text, encoding="utf-8")
    assert "broken" not in gym_ids()
    shown = run("list")
    assert shown.exit_code == 1
    assert "lexgym/Finance-v0" in shown.output
    assert message in " ".join(shown.output.split())
    with pytest.raises(DomainError, match=re.escape(str(beside.parent))):
        load_domain("broken")


def test_what_is_wrong_with_refusals_is_said_with_the_file(beside: Path) -> None:
    ours = registry._folder(registry._packages()["finance"])
    shutil.copytree(ours, beside.parent, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    text = (ours / "domain.toml").read_text(encoding="utf-8")
    start, end = text.index("safety_critical = ["), text.index("]", text.index("safety_critical = ["))
    beside.write_text(text[:start] + "safety_critical = [" + text[end:], encoding="utf-8")
    with pytest.raises(DomainError, match=re.escape(f"{beside}: [refusals.")):
        load_domain("broken")
