"""The page on writing and checking rules is true: its files are read, its commands say what it shows."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lexgym.cli import app
from lexgym.oracles.ltlf.hygiene import Kind, examine

PAGE = Path(__file__).parents[1] / "docs" / "rules.md"
TEXT = PAGE.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_commands_say_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    shown = blocks("console")
    assert len(shown) > 2
    for block in shown:
        command, *lines = block.splitlines()
        result = CliRunner().invoke(app, shlex.split(command.removeprefix("$ lexgym ")))
        said = " ".join(result.stdout.split())
        assert all(" ".join(line.split()) in said for line in lines), said


def test_the_file_of_formulas_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(blocks("text")[0], encoding="utf-8")
    result = CliRunner().invoke(app, ["rules", "check", str(path)])
    assert "2 rules of " in result.stdout


def test_the_python_runs() -> None:
    namespace: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, str(PAGE), "exec"), namespace)  # our own page


def findings() -> list[tuple[str, str, list[str]]]:
    """Return each kind of the table with its severity and the rules of its example."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in TEXT.splitlines() if line.startswith("|")]
    return [(row[0], row[1], re.findall("`(.*?)`", row[3])) for row in rows if row[1] in ("error", "warning", "note")]


def test_every_kind_of_finding_is_in_the_table() -> None:
    assert {kind for kind, *_ in findings()} == {kind.value for kind in Kind}


@pytest.mark.parametrize(("kind", "severity", "rules"), [row for row in findings() if row[2]])
def test_the_examples_have_the_findings(kind: str, severity: str, rules: list[str]) -> None:
    assert (kind, severity) in [(found.kind.value, found.severity.value) for found in examine(rules)]
