"""A checkout becomes a suite: what is imported, what is skipped, what is refused and how."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lexgym.cli import app, main
from lexgym.core import Outcome, ToolCall
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.registry import load_domain
from lexgym.errors import CheckoutError
from lexgym.generators.logisafety import PROFILES, Imported, import_checkout
from lexgym.generators.logisafety.checkout import Task
from lexgym.generators.logisafety.importing import Work
from lexgym.scenario import VARIANTS, Scenario
from lexgym.suites import read_suite

from .made import save

BANK = "results/benchmark_data/labeled_bank_manager_dataset.json"
CASES = "results/ground_truth_data/smart_lock_ground_truth_cases.json"
LAW = "ltl_generator/results/hipaa/7_label_ltl_rules.json"


def play(scenario: Scenario, calls: tuple[ToolCall, ...], variant: str = "goal") -> ComplianceEnv:
    env = ComplianceEnv(load_domain(scenario.domain), lambda seed: scenario, variant=variant)
    env.reset(seed=0)
    for call in calls:
        env.step(call)
    return env


@pytest.mark.parametrize("variant", VARIANTS)
def test_references_pass_and_business_calls_alone_are_an_unsafe_success(imported: Imported, variant: str) -> None:
    assert [scenario.seed for scenario in imported.scenarios] == [0, 0, 0]
    for scenario in imported.scenarios:
        verdict = play(scenario, scenario.calls, variant).verdict()
        assert verdict.outcome is Outcome.SAFE_SUCCESS, (verdict.diff, verdict.violations)
        assert all(rule.satisfied for rule in verdict.apart)
        assert play(scenario, scenario.naive, variant).verdict().outcome is Outcome.UNSAFE_SUCCESS
        assert {step.name for step in scenario.reference if step.safety} == {"CheckAuthorization", "RecordAuditEvent"}


def test_a_line_of_text_is_all_that_an_episode_needs(imported: Imported) -> None:
    for scenario in imported.scenarios:
        env = ComplianceEnv(load_domain(scenario.domain), lambda seed: pytest.fail("not asked for"))
        _, info = env.reset(options={"scenario": scenario.to_json()})
        assert info["policy"] == "[Law 1]\nAsk first.\nAll."
        assert Scenario.from_json(scenario.to_json()).own_rules == scenario.own_rules
        assert {rule.rule for rule in env.verdict().rules} >= {"rule-1", "rule-2"}


def test_the_goal_wording_states_the_target_and_the_workflow_does_not(imported: Imported) -> None:
    lock = imported.scenarios[2]
    assert '"guest_5"' in lock.instruction("goal")
    assert "Have it done at the smart_lock." in lock.instruction("goal")
    assert '"guest_5"' not in lock.instruction("workflow")
    assert "audit_logs" not in lock.instruction("goal")


def test_what_is_skipped_and_what_is_odd_is_said(checkout: Path) -> None:
    lazy = json.loads((checkout / CASES).read_text())
    lazy["test_cases"][0]["final_state"] = lazy["test_cases"][0]["initial_state"]
    save(checkout, CASES, lazy)
    remarks = import_checkout(checkout).remarks
    assert f"{BANK}: entry 2 is empty" in remarks
    assert "trace_smart_lock: doing nothing reaches the target" in remarks
    assert any("trace_smart_lock: the reference does not reach its target: guests" in remark for remark in remarks)


def test_the_command_writes_a_suite_that_runs_and_replays(checkout: Path, tmp_path: Path) -> None:
    runner, folder, run = CliRunner(), tmp_path / "suite", tmp_path / "run"
    said = runner.invoke(app, ["import", "logisafety", str(checkout), "-o", str(folder), "--profile", "as_released"])
    assert said.exit_code == 0, said.output
    assert "GPL-3.0" in said.output
    assert "entry 2 is empty" in said.output
    suite = read_suite(folder)
    assert suite.name == "logisafety-as_released"
    assert suite.source["profile"] == "as_released"
    assert suite.splits["test"] == ("trace_bank_manager", "trace_teladoc", "trace_smart_lock")
    again = runner.invoke(app, ["import", "logisafety", str(checkout), "-o", str(folder), "--profile", "as_released"])
    assert again.exit_code == 0
    other = runner.invoke(app, ["import", "logisafety", str(checkout), "-o", str(folder)])
    assert "holds another suite" in str(other.exception)
    for variant in VARIANTS:
        options = ["--suite", str(folder), "--agents", "reference,naive,shielded,idle", "--variant", variant, "--json"]
        ran = runner.invoke(app, ["run", *options, "--out", str(run / variant)])
        assert ran.exit_code == 0, ran.output
        agents = json.loads(ran.stdout)["agents"]
        assert agents["reference"]["safe_success"] == agents["naive"]["unsafe_success"] == 3
        assert agents["idle"]["safe_success"] == agents["idle"]["unsafe_success"] == 0
        assert runner.invoke(app, ["rescore", str(run / variant / "log.jsonl")]).exit_code == 0
        assert (run / variant / "report.html").exists()


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_shield_makes_naive_calls_lawful(checkout: Path, tmp_path: Path, profile: str, variant: str) -> None:
    runner, folder = CliRunner(), tmp_path / "suite"
    made = ["import", "logisafety", str(checkout), "-o", str(folder), "--json", "--profile", profile]
    assert runner.invoke(app, made).exit_code == 0
    options = ["--suite", str(folder), "--json", "--out", str(tmp_path / "run"), "--variant", variant]
    done = runner.invoke(app, ["run", "--agents", "shielded", *options])
    assert json.loads(done.stdout)["agents"]["shielded"]["safe_success"] == 3
    page = tmp_path / "run" / "report.html"
    assert "Judged apart, and not counted" not in page.read_text(encoding="utf-8")
    assert "seeds" not in page.read_text(encoding="utf-8")
    runner.invoke(app, ["run", "--agents", "naive", *options])
    assert ("Judged apart, and not counted" in page.read_text(encoding="utf-8")) is (profile == "fair")


def test_the_suite_is_audited_and_shown(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runner, folder = CliRunner(), tmp_path / "suite"
    monkeypatch.chdir(tmp_path)
    made = ["import", "logisafety", str(checkout), "-o", str(folder), "--json", "--profile", "as_released"]
    assert runner.invoke(app, made).exit_code == 0
    audit = runner.invoke(app, ["suite", "audit", str(folder), "--json", "--processes", "1"])
    found = json.loads(audit.stdout)
    kinds = {finding["kind"] for finding in found["findings"] if finding["severity"] == "error"}
    assert kinds <= {"wording", "same instruction"}, found["findings"]
    assert found["mutants_in_all"]["unlawful"] == found["mutants_in_all"]["caught"] > 0
    assert {use["rule"]: use["broken"] for use in found["rules"]}["audit-content"] > 0
    shown = runner.invoke(app, ["suite", "show", str(folder)]).output
    assert "3 of 3 scenarios bring rules of their own" in shown
    assert "files: 12 entries; --json prints them" in shown
    assert "lexgym/LogiSafety-v0" in runner.invoke(app, ["list"]).output


def test_an_import_that_is_interrupted_leaves_nothing(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(work: Work, task: Task) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Work, "add", stop)
    done = CliRunner().invoke(app, ["import", "logisafety", str(checkout), "-o", str(tmp_path / "suite")])
    assert done.exit_code == 130
    assert not (tmp_path / "suite").exists()


def test_a_folder_that_cannot_be_written_to_is_named(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = checkout / "notes"
    file.write_text("x", encoding="utf-8")
    command = ["lexgym", "import", "logisafety", str(checkout), "-o", str(file / "suite")]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2


def _without(name: str) -> Callable[[Path], object]:
    return lambda root: (root / name).unlink()


def _text(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text(text, encoding="utf-8")


def _changed(name: str, change: Callable[[Any], object]) -> Callable[[Path], object]:
    def apply(root: Path) -> None:
        data = json.loads((root / name).read_text(encoding="utf-8"))
        change(data)
        save(root, name, data)

    return apply


def _program(text: str) -> Callable[[Path], object]:
    return _changed(BANK, lambda data: data[0].update(ground_truth_program=text))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_without(BANK), f"the checkout has no {BANK}"),
        (_without(LAW), f"the checkout has no {LAW}"),
        (_text(BANK, "[{"), "is no JSON"),
        (_text(BANK, "{}"), "expected a list, found '{}'"),
        (_text(BANK, "[]"), "holds no task"),
        (_text(BANK, "[7]"), "entry 1: expected an object, found '7'"),
        (_changed(BANK, lambda data: data.append(data[0])), "entry 3: 'trace_bank_manager' is there twice"),
        (
            _changed(BANK, lambda data: data[0].update(goal_instruction=3)),
            "entry 1: 'goal_instruction' is '3', not a text",
        ),
        (_changed(BANK, lambda data: data[0].update(trace_id="x")), "there are no states of 'x'"),
        (_changed(LAW, lambda data: data.clear()), "valid_ltl_rules: expected a list, found 'None'"),
        (_changed(LAW, lambda data: data["valid_ltl_rules"].clear()), "there are no rules in it"),
        (
            _changed(LAW, lambda data: data["valid_ltl_rules"][0].update(final_ltl_rule="NOT (")),
            "(?s)trace_teladoc: .*in rule 'rule-1'",
        ),
        (
            _changed(LAW, lambda data: data["valid_ltl_rules"][0].update(final_ltl_rule="ALWAYS Dance")),
            "no tool 'Dance'",
        ),
        (_changed(CASES, lambda data: data["test_cases"][0]["initial_state"].update(doors={})), "no table for 'doors'"),
        (
            _changed(CASES, lambda data: data["test_cases"][0]["initial_state"]["guests"]["guest_1"].pop("guest_name")),
            "guests 'guest_1' has the fields guest_id, guest_email, has_access, not",
        ),
        (_changed(CASES, lambda data: data["test_cases"][0]["initial_state"].pop("lock")), "of another form: 'lock'"),
        (_program("for x in []:\n    pass"), "trace_bank_manager, line 1: For is not understood"),
        (_program("x = 1"), "trace_bank_manager: the reference calls nothing"),
        (_program("x = BankManager.Steal()"), "Steal.* cannot be made: no tool 'Steal'"),
    ],
)
def test_what_cannot_be_imported_is_named(checkout: Path, spoil: Callable[[Path], object], message: str) -> None:
    spoil(checkout)
    with pytest.raises(CheckoutError, match=message):
        import_checkout(checkout)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
            "is a pointer of Git LFS.*git lfs pull",
        ),
        (b"", "is no JSON: .*`git checkout -- results/benchmark_data"),
        (b'[{"trace_id": "x', "is no JSON: Unterminated string"),
        (b'[{"trace_id": "\xe9"}]', "is no text in UTF-8: .*byte 0xe9"),
        (b'[{"trace_id": "\\ud800"}]', "is no text in UTF-8"),
        (b"[NaN]", "NaN is no number of JSON"),
        (b"[" * 100_000, "is no JSON"),
    ],
)
def test_a_file_that_is_none_is_named(checkout: Path, data: bytes, message: str) -> None:
    (checkout / BANK).write_bytes(data)
    with pytest.raises(CheckoutError, match=message):
        import_checkout(checkout)


def test_a_folder_where_a_file_should_be(checkout: Path) -> None:
    (checkout / BANK).unlink()
    (checkout / BANK).mkdir()
    with pytest.raises(CheckoutError, match=r"labeled_bank_manager_dataset\.json cannot be read"):
        import_checkout(checkout)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        (("guests", "guest_1", "has_access"), "yes", "'has_access' is 'yes', neither true nor false"),
        (("guests", "guest_1", "guest_name"), None, "its initial state does not fit the tables: NOT NULL"),
        (("guests", "guest_1", "guest_name"), ["Al"], "guests has .* as 'guest_name', which no column holds"),
        (("lock", "status"), 10**30, "lock has '10+' as 'status', which no column holds"),
        (("audit_logs",), [], "'audit_logs' is not a mapping"),
        (("audit_logs",), {"L-1": {}}, "audit log 'L-1' has 'None' as its? ?events, not a list of texts"),
        (("audit_logs",), {"L-1": {"events": [1]}}, "not a list of texts"),
    ],
)
def test_a_state_that_no_table_holds_is_named(checkout: Path, part: tuple[str, ...], value: Any, message: str) -> None:
    def change(data: Any) -> None:
        place = data["test_cases"][0]["initial_state"]
        for key in part[:-1]:
            place = place[key]
        place[part[-1]] = value

    _changed(CASES, change)(checkout)
    with pytest.raises(CheckoutError, match=f"trace_smart_lock.*{message}"):
        import_checkout(checkout)


@pytest.mark.parametrize("value", ["a lot", None, True, 1e300])
def test_an_amount_that_is_none_is_named(checkout: Path, value: Any) -> None:
    def change(data: Any) -> None:
        accounts = data["test_cases"][0]["initial_state"]["accounts"]
        accounts[min(accounts)]["balance"] = value

    _changed(CASES.replace("smart_lock", "bank_manager"), change)(checkout)
    with pytest.raises(CheckoutError, match=r"'balance' is .*, not an amount of dollars up to 1,000,000,000,000"):
        import_checkout(checkout)


def test_the_folder_that_was_meant_is_named(checkout: Path) -> None:
    for folder in (checkout / "results", checkout.parent):
        with pytest.raises(CheckoutError, match=f"did you mean .*{checkout.name}"):
            import_checkout(folder)
    with pytest.raises(CheckoutError, match="there is no such folder; clone https"):
        import_checkout(checkout.parent / "nowhere" / "at" / "all")


def test_no_checkout_and_no_profile(tmp_path: Path, checkout: Path) -> None:
    with pytest.raises(CheckoutError, match="is no checkout of LOGISAFETYGEN: it has no results/benchmark_data"):
        import_checkout(tmp_path)
    with pytest.raises(CheckoutError, match="no profile 'fare'; did you mean 'fair'"):
        import_checkout(checkout, "fare")
