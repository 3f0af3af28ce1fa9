"""`lexgym rules`: findings as a table and as JSON, explanations, bad usage."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from lexgym import cli_rules
from lexgym.cli import app
from lexgym.envs.registry import load_domain
from lexgym.errors import DomainError, FormulaSyntaxError

RULES = """\
- {id: obliged, formula: "G(pay -> F note)", text: "Every payment is noted."}
- {id: same, formula: "response(pay, note)", text: "Every payment is noted."}
- {id: never, formula: "absence(note)", text: "Nothing is noted."}
- {id: must, formula: "existence(note)", text: "Something is noted."}
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["rules", *arguments])


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    path.write_text(RULES, encoding="utf-8")
    return path


def test_a_domain_without_errors_exits_zero() -> None:
    result = run("check", "finance")
    assert result.exit_code == 0
    assert f"{len(load_domain('finance').rules)} rules of finance: nothing to report" in result.stdout


def test_errors_are_listed_and_exit_one(rules: Path) -> None:
    result = run("check", str(rules))
    assert result.exit_code == 1
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[:-1])
    for words in ("error", "conflict", "never", "must", "warning", "equivalent", "obliged", "same"):
        assert words in result.stdout
    assert result.stdout.rstrip().endswith("1 error, 1 warning")


def test_findings_as_json(rules: Path) -> None:
    result = run("check", str(rules), "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert (report["rules"], report["error"], report["warning"], report["note"]) == (4, 1, 1, 0)
    assert report["findings"][0] == {
        "kind": "conflict",
        "severity": "error",
        "rules": ["never", "must"],
        "sentence": "No trace satisfies never and must together.",
        "witness": None,
    }


def test_a_file_of_formulas_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("# two that say the same\nG(a -> F b)\n\nresponse(a, b)\nG(a ->\n", encoding="utf-8")
    report = json.loads(run("check", str(path), "--json").stdout)
    assert [(f["kind"], f["rules"]) for f in report["findings"]] == [
        ("unusable", ["line 5"]),
        ("equivalent", ["line 2", "line 4"]),
    ]


@pytest.mark.parametrize("envelope", [True, False])
def test_rules_are_checked_against_tool_schemas(rules: Path, tmp_path: Path, envelope: bool) -> None:
    functions = [{"name": name, "parameters": {"type": "object", "properties": {}}} for name in ("pay", "nota")]
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"type": "function", "function": f} if envelope else f for f in functions]))
    report = json.loads(run("check", str(rules), "--tools", str(tools), "--json").stdout)
    assert report["error"] == 4
    assert "did you mean 'nota'?" in report["findings"][0]["sentence"]


@pytest.mark.parametrize("text", ["{", '{"a": 1}', "[1]", '[{"no": "name"}]'])
def test_a_wrong_tools_file_is_bad_usage(rules: Path, tmp_path: Path, text: str) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(text)
    assert run("check", str(rules), "--tools", str(tools)).exit_code == 2


@pytest.mark.parametrize("text", ["a: [", "just text", "- one\n- two", "\x00"])
def test_a_wrong_rules_file_is_bad_usage(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rules.yml"
    path.write_text(text)
    assert run("check", str(path)).exit_code == 2


def test_unknown_targets_are_named_with_near_misses(rules: Path) -> None:
    assert str(run("check", "finanse").exception) == "no domain or file 'finanse'; did you mean 'finance'?"
    missing = run("explain", "finance", "remote-chnges").exception
    assert isinstance(missing, DomainError)
    assert str(missing) == "finance has no rule 'remote-chnges'; did you mean 'remote-changes'?"
    assert run("check", "missing.yaml").exit_code == 2
    assert run("check").exit_code == 2
    assert run("explain", "finance", "--dot").exit_code == 2


def test_a_rule_is_explained_with_its_source_and_drawn(tmp_path: Path) -> None:
    result = run("explain", "finance", "payee-verification", "--out", str(tmp_path / "pictures"), "--dot")
    assert result.exit_code == 0
    flat = " ".join(result.stdout.split())
    for words in (
        "payee-verification",
        "Regulation (EU) No 260/2012 Art. 5c(1)",
        "operational_restriction",
        "For each payee_id p: `initiate_payment` or `create_standing_order` (with payee_id p) may not happen",
        "| s0 | currently satisfied",
        "keeps it 1. verify_payee[payee_id = p, result.matched] 2. initiate_payment[payee_id = p]",
        "breaks it 1. initiate_payment[payee_id = p]",
    ):
        assert words in flat
    ElementTree.parse(tmp_path / "pictures" / "payee-verification.svg")
    assert (tmp_path / "pictures" / "payee-verification.dot").read_text().startswith("digraph")


def test_all_rules_of_a_domain_are_explained(tmp_path: Path) -> None:
    result = run("explain", "finance", "--out", str(tmp_path))
    assert result.exit_code == 0
    assert len(list(tmp_path.glob("*.svg"))) == len(load_domain("finance").rules)
    assert "1–6. authenticate_customer" in " ".join(result.stdout.split())


def test_a_formula_is_explained(tmp_path: Path) -> None:
    result = run("explain", "G(a -> F b)", "--out", str(tmp_path))
    assert result.exit_code == 0
    assert "Whenever `a` happens, `b` must follow." in result.stdout
    assert (tmp_path / "formula.svg").exists()
    assert "no trace does" in run("explain", "a & !a").stdout
    assert isinstance(run("explain", "G(a ->").exception, FormulaSyntaxError)


def test_a_large_automaton_is_explained_without_table_and_picture(tmp_path: Path) -> None:
    formula = " & ".join(f"G(a{i} -> F b{i})" for i in range(9))
    result = run("explain", formula, "--out", str(tmp_path))
    assert result.exit_code == 0
    flat = " ".join(result.stdout.split())
    assert "transitions are too many to print" in flat
    assert "picture none: a picture shows at most 400 states" in flat


def test_a_bar_appears_when_the_work_takes_long(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_rules, "PATIENCE", -1.0)
    assert run("check", str(rules)).exit_code == 1
