"""The page on extraction is true: its policy gives the rules that it shows."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lexgym.cli import app
from lexgym.envs.domain import read_rules

PAGE = Path(__file__).parents[1] / "docs" / "extraction.md"
TEXT = PAGE.read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_policy_gives_the_rules_that_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.md").write_text(block("markdown"), encoding="utf-8")
    (tmp_path / "tools.json").write_text(block("json"), encoding="utf-8")
    command, *lines = block("console").splitlines()
    result = CliRunner().invoke(app, shlex.split(command.removeprefix("$ lexgym ")))
    said = " ".join(result.stdout.split())
    assert all(line in said for line in lines), said
    written = (tmp_path / "rules.yaml").read_text(encoding="utf-8")
    assert read_rules(written, "rules.yaml") == read_rules(block("yaml"), "the page")
