"""`lexgym rules extract` and `lexgym rules review`: files in, files out, wrong input, models on the loopback."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lexgym import cli_extract
from lexgym.agents.retry import Retry
from lexgym.cli import app, main
from lexgym.envs.domain import read_rules
from lexgym.generators.extraction import together
from lexgym.generators.extraction.review_file import read_review
from lexgym.model_route import ModelLink

from .agents.server import Answer, ModelServer, fails, rejecting, says
from .generators.extraction.museum import CLIMATE, POLICY, TOOLS
from .generators.extraction.test_model_route import GOOD, constraint, formula


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a policy and its tools, and no settings from outside."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.md").write_text(POLICY, encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    return tmp_path


def run(*arguments: str, answers: str | None = None) -> Result:
    return CliRunner().invoke(app, ["rules", *arguments], input=answers)


def extract(*arguments: str, regulation: str = "policy.md") -> Result:
    return run("extract", regulation, "--tools", "tools.json", "-o", "rules.yaml", *arguments)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the whole command line, which must refuse, and return what it says."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["lexgym", "rules", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
    said = capsys.readouterr()
    assert end.value.code == 2
    assert (said.out, said.err[:7]) == ("", "error: ")
    return said.err.removeprefix("error: ").strip()


def refused(capsys: pytest.CaptureFixture[str], *arguments: str, regulation: str = "policy.md") -> str:
    return refusal(capsys, "extract", regulation, "--tools", "tools.json", "-o", "rules.yaml", *arguments)


def rules() -> dict[str, str]:
    text = Path("rules.yaml").read_text(encoding="utf-8")
    return {rule.id: rule.formula for rule in read_rules(text, "rules.yaml")}


def test_rules_and_review_are_written_and_check_takes_them() -> None:
    result = extract()
    assert result.exit_code == 0, result.output
    assert len(rules()) == 6
    assert "dropped: no tool does it" in result.stdout
    review = read_review(Path("rules.review.jsonl"))
    assert (review.regulation, len(review.candidates), review.reviewed) == ("Loans policy of the museum", 7, 0)
    assert Path(review.tools).is_absolute()
    checked = run("check", "rules.yaml", "--tools", "tools.json")
    assert checked.exit_code == 0
    assert "6 rules of rules.yaml: nothing to report" in checked.stdout


def test_the_outcome_as_json() -> None:
    report = json.loads(extract("--json", "--regulation", "Policy").stdout)
    assert (report["rules"], report["candidates"]) == (6, 7)
    assert report["counts"] == {"kept": 6, "no tool does it": 1}
    text = Path("rules.yaml").read_text(encoding="utf-8")
    assert {rule.regulation for rule in read_rules(text, "x")} == {"Policy"}


def test_the_same_input_gives_the_same_bytes() -> None:
    extract()
    first = [Path(name).read_bytes() for name in ("rules.yaml", "rules.review.jsonl")]
    extract()
    assert [Path(name).read_bytes() for name in ("rules.yaml", "rules.review.jsonl")] == first


def test_a_domain_can_be_named_for_its_tools() -> None:
    Path("policy.md").write_text("Before an update is installed, its package must be verified.", encoding="utf-8")
    result = run("extract", "policy.md", "--tools", "iot", "-o", "rules.yaml")
    assert result.exit_code == 0
    assert list(rules().values()) == [
        "forall u. (!install_update[update_id = u]) W verify_update[update_id = u, result.valid]"
    ]


def test_what_was_not_compared_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "MAX_TOGETHER", 2)
    result = extract()
    about = "the 5 rules about lend_exhibit as a set: only 2 of them were looked at together"
    assert f"not decided: {about}" in result.stdout
    head = json.loads(Path("rules.review.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert head["undecided"][0].startswith(about)
    assert json.loads(extract("--json").stdout)["undecided"] == head["undecided"]


def test_nothing_kept_exits_one() -> None:
    Path("policy.md").write_text("The dinner must not be held until the mayor has come.", encoding="utf-8")
    assert extract().exit_code == 1
    assert len(read_review(Path("rules.review.jsonl")).candidates) == 1


GERMAN = (
    "Bevor eine Zahlung ausgeführt wird, muss der Name des Empfängers geprüft werden. Danach ist sie einzutragen. " * 5
)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (GERMAN.encode(), "no deontic sentence was found: the text does not look English; the offline extractor reads"),
        ("支払いの前に確認しなければならない。".encode(), "no deontic sentence was found"),
        (b"The museum opens at nine in the morning and it is closed on Monday.", "no deontic sentence was found"),
        (b"", "policy.md is empty"),
        (b"\x00\x01\x02PK", "policy.md is no UTF-8 text; convert it"),
        (b"12 34 56", "no deontic sentence was found"),
    ],
)
def test_a_text_without_rules_is_refused_and_nothing_is_written(
    data: bytes, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("policy.md").write_bytes(data)
    assert words in refused(capsys)
    assert sorted(path.name for path in Path().iterdir()) == ["policy.md", "tools.json"]


def test_two_hundred_pages_take_bounded_time() -> None:
    filler = "The committee met on a sunny day and spoke of many things that had been in the papers of late. " * 25
    page = f"{filler}\n\n{CLIMATE}\n\n"
    text = "\n".join(f"## {number} A page\n\n{page}" for number in range(200))
    assert len(text) > 450_000
    Path("policy.md").write_text(text, encoding="utf-8")
    began = time.process_time()
    result = extract()
    assert (result.exit_code, len(rules())) == (0, 1)
    assert time.process_time() - began < 60
    assert "dropped: says the same as another" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--tools", "finanse"), "'finanse' is no domain and no file; did you mean 'finance'?"),
        (("--tools", "."), "'.' is a folder"),
        (("--tools", "policy.md"), "is no JSON"),
        (("--base-url", "http://127.0.0.1:1/v1"), "a server needs a model"),
    ],
)
def test_wrong_options_are_refused(arguments: Sequence[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert words in refused(capsys, *arguments)


def test_a_regulation_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.md" in refused(capsys, regulation="nowhere.md")
    assert "is a folder" in refused(capsys, regulation=".")


def test_rules_of_a_person_are_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("rules.yaml").write_text("- {id: mine, formula: F a}\n", encoding="utf-8")
    assert "was not extracted" in refused(capsys)
    assert Path("rules.yaml").read_text(encoding="utf-8").startswith("- {id: mine")
    assert extract("--overwrite").exit_code == 0
    run("review", "rules.yaml", answers="a\nq\n")
    assert "holds 1 reviewed candidate, which would be lost" in refused(capsys)
    assert read_review(Path("rules.review.jsonl")).reviewed == 1


def test_a_review_accepts_edits_rejects_and_notes() -> None:
    extract()
    before = rules()
    one, two, three, *rest = before
    answers = "n ask Ada\na\ne (!lend_exibit) W check_climate\ne G(\ne F lend_exhibit\nr too vague\nq\n"
    result = run("review", "rules.yaml", answers=answers)
    assert result.exit_code == 0, result.output
    assert "did you mean 'lend_exhibit'?" in result.stdout
    assert f"{len(before) - 1} rules in rules.yaml; 3 left to review" in result.stdout
    after = rules()
    assert (after[one], after[two], three in after) == (before[one], "F lend_exhibit", False)
    found = {candidate.id: candidate for candidate in read_review(Path("rules.review.jsonl")).candidates}
    assert (found[one].note, found[one].reviewed) == ("ask Ada", True)
    assert (found[two].by, found[two].template) == ("person", "other")
    assert found[three].why == "rejected by a person: too vague"
    assert not any(found[name].reviewed for name in rest)


def test_a_review_goes_on_where_it_stopped() -> None:
    extract()
    run("review", "rules.yaml", answers="a\nr\n")
    again = run("review", "rules.review.jsonl", answers="s\na\na\na\n")
    assert "1 of 4" in again.stdout
    assert "1 left to review" in again.stdout
    last = run("review", "rules.yaml", answers="a\n")
    assert "5 rules in rules.yaml; all reviewed" in last.stdout


def test_a_review_shows_what_was_dropped_when_asked() -> None:
    extract()
    result = run("review", "rules.yaml", "--all", answers="a\n" * 6 + f"a\nz\ne {GOOD}\n")
    assert "there is no formula to accept; write one: e FORMULA" in result.stdout
    assert "a accept · e FORMULA edit" in result.stdout
    assert "7 rules in rules.yaml; all reviewed" in result.stdout


def test_a_review_of_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no review file" in refusal(capsys, "review", "rules.yaml")


def answer(key: str, *entries: Any) -> Answer:
    return says(json.dumps({key: entries}))


ASKED = ("--model", "toy")
SHORT = f"# Policy\n\n{CLIMATE}\n"


def test_a_model_reads_the_regulation_and_what_it_cost_is_said() -> None:
    Path("policy.md").write_text(GERMAN, encoding="utf-8")
    with ModelServer([answer("constraints", constraint()), answer("formulas", formula(GOOD))]) as server:
        result = extract(*ASKED, "--base-url", server.url)
    assert result.exit_code == 0, result.output
    assert list(rules().values()) == [GOOD]
    assert "toy: 2 requests, 200 + 14 tokens (prompt + answer); 0 answers from rules.cache.jsonl" in result.stdout
    form = server.requests[0].body["response_format"]
    assert (form["type"], form["json_schema"]["strict"]) == ("json_schema", True)


def test_the_same_question_is_not_paid_for_twice() -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    with ModelServer([answer("constraints", constraint()), answer("formulas", formula(GOOD))]) as server:
        extract(*ASKED, "--base-url", server.url)
        first = Path("rules.yaml").read_bytes()
        report = json.loads(extract(*ASKED, "--base-url", server.url, "--json").stdout)
        assert len(server.requests) == 2
    assert (report["requests"], report["cached"], report["model"]) == (0, 2, "toy")
    assert Path("rules.yaml").read_bytes() == first


def test_a_lost_connection_loses_no_answer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    patient = Retry(max_retries=1, sleep=lambda seconds: None)
    cache = Path("rules.cache.jsonl")
    monkeypatch.setattr(cli_extract, "_link", lambda model, url, *others: ModelLink(model, url, cache, patient))
    gone = Answer(b"{", sent=0)
    with ModelServer([answer("constraints", constraint()), gone, gone, answer("formulas", formula(GOOD))]) as server:
        said = refused(capsys, *ASKED, "--base-url", server.url)
        assert "the connection failed" in said
        assert "1 answers are kept in rules.cache.jsonl: the same command goes on from there" in said
        assert not Path("rules.yaml").exists()
        assert extract(*ASKED, "--base-url", server.url).exit_code == 0
        assert len(server.requests) == 4
    assert list(rules().values()) == [GOOD]


def test_a_cut_off_line_of_the_cache_counts_as_not_answered() -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    with ModelServer([answer("constraints", constraint()), answer("formulas", formula(GOOD))]) as server:
        extract(*ASKED, "--base-url", server.url)
        cache = Path("rules.cache.jsonl")
        cache.write_text(cache.read_text(encoding="utf-8")[:-20], encoding="utf-8")
        assert extract(*ASKED, "--base-url", server.url).exit_code == 0
        assert len(server.requests) == 3
        assert extract(*ASKED, "--base-url", server.url).exit_code == 0
        assert len(server.requests) == 3


def test_a_server_without_structured_outputs_is_asked_without_them() -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    fenced = says(f"Here you are:\n```json\n{json.dumps({'formulas': [formula(GOOD)]})}\n```\nDone.")
    first = rejecting("response_format", answer("constraints", constraint()))
    with ModelServer([first, first, fenced]) as server:
        assert extract(*ASKED, "--base-url", server.url).exit_code == 0
    assert ["response_format" in request.body for request in server.requests] == [True, False, False]
    assert list(rules().values()) == [GOOD]


@pytest.mark.parametrize("text", ["I am sorry, I cannot.", "", '{"rules": []}', '{"constraints": ['])
def test_a_model_that_never_answers_is_said(text: str) -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    with ModelServer([says(text)]) as server:
        result = extract(*ASKED, "--base-url", server.url)
    assert result.exit_code == 1
    assert "dropped: the model gave no usable answer" in result.stdout
    assert rules_text() == "[]\n"


def rules_text() -> str:
    return Path("rules.yaml").read_text(encoding="utf-8")


def test_a_model_that_finds_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with ModelServer([answer("constraints")]) as server:
        assert "no deontic sentence was found" in refused(capsys, *ASKED, "--base-url", server.url)


def test_a_key_that_is_wrong_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with ModelServer([fails(401, "bad key")]) as server:
        said = refused(capsys, *ASKED, "--base-url", server.url)
    assert "HTTP 401" in said
    assert "0 answers are kept" in said


def test_a_name_that_is_nearly_right_goes_back_and_comes_right() -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    near = GOOD.replace("check_climate", "check_climat")
    script = [says("Let me see."), answer("constraints", constraint())]
    with ModelServer([*script, answer("formulas", formula(near)), answer("formulas", formula(GOOD))]) as server:
        assert extract(*ASKED, "--base-url", server.url).exit_code == 0
    assert "did you mean 'check_climate'?" in server.requests[3].body["messages"][-1]["content"]
    assert list(rules().values()) == [GOOD]


def test_a_model_with_a_short_context_is_asked_in_parts() -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    full = fails(400, "request (9000 tokens) exceeds the available context size (8192 tokens)")
    with ModelServer([answer("constraints", constraint()), full, answer("formulas", formula(GOOD))]) as server:
        result = extract(*ASKED, "--base-url", server.url)
    assert result.exit_code == 0, result.output
    whole, half = (server.requests[n].body["messages"][-1]["content"] for n in (1, 2))
    assert len(half) < len(whole)
    assert list(rules().values()) == [GOOD]


def test_the_limits_of_a_model_are_options() -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")
    with ModelServer([answer("constraints", constraint()), answer("formulas", formula(GOOD))]) as server:
        assert extract(*ASKED, "--base-url", server.url, "--max-tokens", "77", "--timeout", "9").exit_code == 0
    assert [request.body["max_tokens"] for request in server.requests] == [77, 77]


def test_an_interruption_is_told_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("policy.md").write_text(SHORT, encoding="utf-8")

    def interrupt(link: ModelLink, *others: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(ModelLink, "read", interrupt)
    result = extract(*ASKED, "--base-url", "http://127.0.0.1:9/v1")
    assert result.exit_code != 0
    assert "0 answers are kept in rules.cache.jsonl: the same command goes on from there" in result.stderr
    assert not Path("rules.yaml").exists()
