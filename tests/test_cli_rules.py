"""`lexgym rules`: findings as a table and as JSON, explanations, bad usage."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from lexgym import cli_rules
from lexgym.cli import app, main
from lexgym.envs.domain import read_rules
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


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the whole command line, which must refuse its arguments, and return what it says."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["lexgym", "rules", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
    said = capsys.readouterr()
    assert end.value.code == 2
    assert (said.out, said.err[:7]) == ("", "error: ")
    assert said.err.count("\n") in (1, 3)  # with the place in the formula, if that is where the fault is
    return said.err.removeprefix("error: ").strip()


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
    assert all(len(line) <= 80 for line in result.stdout.splitlines()[:-2])
    for words in ("error", "conflict", "never", "must", "warning", "equivalent", "obliged", "same"):
        assert words in result.stdout
    assert "1 error, 1 warning" in result.stdout
    assert result.stdout.rstrip().endswith(cli_rules.UNCHECKED)


def test_findings_as_json(rules: Path) -> None:
    result = run("check", str(rules), "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert (report["rules"], report["error"], report["warning"], report["note"]) == (4, 1, 1, 0)
    assert report["findings"][0] == {
        "kind": "conflict",
        "severity": "error",
        "rules": ["never", "must"],
        "sentence": "No trace satisfies rules `never` and `must` together.",
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
def test_a_wrong_tools_file_is_refused(
    rules: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text(text)
    assert refusal(capsys, "check", str(rules), "--tools", str(tools)).startswith(f"--tools: {tools} is no JSON list")


def test_rules_of_a_file_are_checked_against_a_domain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.yaml"
    path.write_text('- {id: own, formula: "(!initiate_payment) W confirm_sca[result.confirmedd]"}')
    report = json.loads(run("check", str(path), "--domain", "finance", "--json").stdout)
    assert report["names_checked"] is True
    assert "did you mean 'confirmed'?" in report["findings"][0]["sentence"]
    shown = run("explain", "(!initiate_payment) W confirm_sca[result.confirmed]", "--domain", "finance")
    assert shown.exit_code == 0
    assert cli_rules.UNCHECKED not in shown.stdout
    assert json.loads(run("check", str(path), "--json").stdout)["names_checked"] is False
    assert refusal(capsys, "check", str(path), "--domain", "finanse") == (
        "--domain: no domain 'finanse'; did you mean 'finance'?"
    )
    assert run("check", str(path), "--domain", "finance", "--tools", str(path)).exit_code == 2


WRONG = {
    "a: [": "rules.yml: line 1: ",
    "just text": "expected a list of rules",
    "- one\n- two": "entry 1: expected a rule",
    "\x00": "not readable as YAML",
    "": "there are no rules in it",
    "- {formula: a}": "entry 1 has no `id`",
    "- {id: x}": "rule 'x' has no `formula`",
    "- {id: x, formula: ' '}": "rule 'x' has no `formula`",
    "- {id: x, formula: a, articel: b}": "rule 'x': unknown field 'articel'; did you mean 'article'?",
    "- {id: x, formula: 'a'}\n- {id: 5, formula: a}": "entry 2: `id` is text, not the number 5; put it in quotes",
    "- {id: x, formula: true}": "rule 'x': `formula` is text, not the boolean true; put it in quotes",
    "- {id: x, formula: [a]}": "rule 'x': `formula` is text, not a list such as ['a']; put it in quotes",
    "- {id: x, formula: 2020-01-01}": "rule 'x': `formula` is text, not '2020-01-01'; put it in quotes",
    "- {id: x, formula: response(a, b)}": "rule 'x': unknown field 'b)'; put a formula with commas in quotes",
    "- id: x\n  formula: !a W b": "line 2: YAML takes the '!' for itself; put the formula in quotes",
    "- id: x\n  formula: ! a W b": "line 2: YAML takes the '!' for itself; put the formula in quotes",
    "- id: x\n  formula: a: b": "put the formula in quotes",
    "- {id: x, formula: pay[a > 5]}": "put the formula in quotes",
    "- {id: x, formula: a}\n- {id: x, formula: b}": "rule id 'x' is used twice",
}


@pytest.mark.parametrize(("text", "said"), WRONG.items())
@pytest.mark.parametrize("command", ["check", "explain"])
def test_a_wrong_rules_file_is_refused(
    tmp_path: Path, command: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.yml"
    path.write_text(text)
    message = refusal(capsys, command, str(path))
    assert said in message
    assert str(path) in message


def test_rules_need_no_text_and_may_be_json(tmp_path: Path) -> None:
    entries = [
        {"id": "told", "formula": "G(pay -> F note)", "article": "Art. 1"},
        {"id": "same", "formula": "G(pay -> F note)"},
    ]
    for name, text in (("r.yaml", "\ufeff" + json.dumps(entries)), ("r.json", "\ufeff" + json.dumps(entries))):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        report = json.loads(run("check", str(path), "--json").stdout)
        assert [(f["kind"], f["rules"]) for f in report["findings"]] == [("equivalent", ["told", "same"])]


def test_a_wrong_json_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.json"
    path.write_text("{")
    assert f"{path} is no JSON" in refusal(capsys, "check", str(path))
    path.write_text('["G a"]')
    assert "entry 1: expected a rule" in refusal(capsys, "check", str(path))


def test_a_domains_own_rules_need_a_text() -> None:
    with pytest.raises(DomainError, match="rule 'x' has no `text`"):
        read_rules("- {id: x, formula: a}", "rules.yaml")


def test_formula_files_have_comments_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text('\ufeff# why\nG(a -> F b)  # told\nF "a # b"  # "quoted\n', encoding="utf-8")
    report = json.loads(run("explain", str(path), "--json").stdout)
    assert [(r["id"], r["written"]) for r in report["rules"]] == [("line 2", "G(a -> F b)"), ("line 3", 'F "a # b"')]


def test_a_formula_over_two_lines_is_hinted_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("F c\nG(a ->\n  F b)\n")
    for command in ("check", "explain"):
        assert "lines 2 to 3 are one formula only together; write it on one line" in refusal(capsys, command, str(path))


def test_files_without_rules_and_folders_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("# nothing\n")
    assert "there are no rules in it" in refusal(capsys, "check", str(path))
    assert refusal(capsys, "check", str(tmp_path)) == (f"{tmp_path} is a folder; name a file of rules, such as {path}")
    path.write_bytes(b"\xff\xfe")
    assert f"{path} cannot be read" in refusal(capsys, "check", str(path))


def test_unknown_targets_are_named_with_near_misses(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refusal(capsys, "check", "finanse").startswith("no domain or file 'finanse'; did you mean 'finance'?")
    assert refusal(capsys, "explain", "finance", "card-setings") == (
        "finance has no rule 'card-setings'; did you mean 'card-settings'?"
    )
    assert refusal(capsys, "explain", "a").endswith("the formula that is this name alone is written '(a)'")
    assert refusal(capsys, "check", "missing.yaml") == "no file 'missing.yaml'"
    assert run("explain", "(a)").exit_code == 0
    assert run("check").exit_code == 2
    assert run("explain", "finance", "--dot").exit_code == 2


def test_a_formula_can_be_checked() -> None:
    result = run("check", "G(a -> F b)")
    assert result.exit_code == 0
    assert "1 rule of G(a -> F b): nothing to report" in result.stdout
    result = run("check", "G(pay -> note)")
    assert result.exit_code == 0
    assert "did you mean G(pay -> F note)?" in " ".join(result.stdout.split())


def test_explaining_names_the_rule_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text('- {id: fine, formula: "F b"}\n- {id: broken, formula: "G(a ->"}')
    assert refusal(capsys, "explain", str(path), "broken").startswith(f"rule 'broken' of {path}: the formula ends")
    assert refusal(capsys, "explain", "G(a ->").startswith("the formula ends too early")


def test_a_subsumed_rule_comes_with_a_trace_that_names_both(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text('- {id: weak, formula: "F a -> F b"}\n- {id: strong, formula: "G(a -> F b)"}')
    assert "keeps `weak` and breaks `strong`: b, a" in " ".join(run("check", str(path)).stdout.split())


def test_a_rule_is_explained_with_its_source_and_drawn(tmp_path: Path) -> None:
    result = run("explain", "finance", "payee-verification", "--out", str(tmp_path / "pictures"), "--dot")
    assert result.exit_code == 0
    flat = " ".join(result.stdout.split())
    for words in (
        "payee-verification",
        "Regulation (EU) No 260/2012 Art. 5c(1)",
        "operational_restriction",
        "For each payee_id p: `initiate_payment` or `create_standing_order` (with payee_id p) may not happen",
        "│ s0 │ satisfied so far │",
        "(CS satisfied so far, PV violated for good, PS satisfied for good); calls for each payee_id p",
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
    assert (tmp_path / "G-a-F-b.svg").exists()
    assert "written" not in result.stdout
    assert result.stdout.startswith("formula   G(a -> F b)")
    assert "no trace does" in run("explain", "a & !a").stdout
    assert isinstance(run("explain", "G(a ->").exception, FormulaSyntaxError)


def test_a_template_is_shown_as_it_was_written_and_as_it_is_read() -> None:
    lines = run("explain", "response(a, b)").stdout.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["written", "response(a,", "b)"],
        ["formula", "G(a", "->", "F", "b)"],
    ]


def test_what_is_wrong_with_a_rule_is_said_when_it_is_explained() -> None:
    said = " ".join(run("explain", "G(a -> b)").stdout.split())
    assert "says `a` may never happen: no call is `a` and `b` at once." in said
    assert "beware `a` can never be called without breaking rule `G(a -> b)`; did you mean G(a -> F b)?" in said


def test_an_explanation_as_json() -> None:
    result = run("explain", "G(pay[amount > 5] -> F note)", "--json")
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    (rule,) = json.loads(result.stdout)["rules"]
    assert rule["states"] == [
        {"name": "s0", "verdict": "CS", "accepting": True},
        {"name": "s1", "verdict": "CV", "accepting": False},
    ]
    assert {"from": "s0", "to": "s1", "calls": ["pay[amount > 5]"]} in rule["transitions"]
    assert (rule["keeps"], rule["breaks"]) == (["pay[amount > 5]", "note"], ["pay[amount > 5]"])


def test_names_are_broken_only_where_a_line_is_too_short() -> None:
    shown = run("explain", "finance", "traceability").stdout
    assert "report_unauthorised_transaction" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


@pytest.mark.parametrize("command", ["check", "explain"])
def test_the_help_has_examples(command: str) -> None:
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert f"lexgym rules {command} finance" in shown.stdout


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


def test_tool_schemas_may_refer_to_shared_definitions_and_say_what_is_required(tmp_path: Path) -> None:
    kind = {"Kind": {"type": "string", "enum": ["gift", "loan"]}}
    properties = {"kind": {"$ref": "#/$defs/Kind"}, "amount": {"type": "integer"}}
    parameters = {"type": "object", "properties": properties, "required": ["amount"], "$defs": kind}
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([{"type": "function", "function": {"name": "pay", "parameters": parameters}}]))
    assert run("check", 'G(pay[kind = "gift"] -> F pay[kind = "loan"])', "--tools", str(tools)).exit_code == 0
    wrong = run("check", 'F pay[kind = "gfit"]', "--tools", str(tools))
    assert "gift" in wrong.output
    assert wrong.exit_code == 1
    dead = run("check", "F pay[amount is null]", "--tools", str(tools))
    assert "No call matches" in " ".join(dead.output.split())
