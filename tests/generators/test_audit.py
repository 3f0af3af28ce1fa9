"""The audit: ours pass, and whatever is planted in a suite is named."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.registry import domain_names, load_domain
from lexgym.generators.audit import Audit, Checked, Finding, Kind, Severity, audited, check, checked
from lexgym.generators.audit import mutation as mutating
from lexgym.generators.audit.states import Run, astray, same_after
from lexgym.generators.logisafety import import_checkout
from lexgym.registration import scenario
from lexgym.scenario import ReferenceStep, Scenario


@pytest.fixture(scope="module")
def good() -> Scenario:
    found = (scenario("finance", seed) for seed in range(6))
    return min((item for item in found if item.forbidden is None), key=lambda item: len(item.reference))


@pytest.fixture(scope="module")
def refusal() -> Scenario:
    return next(found for found in (scenario("finance", seed) for seed in range(20)) if found.forbidden)


def audit(*scenarios: Scenario, splits: dict[str, tuple[str, ...]] | None = None) -> Audit:
    return audited(scenarios, splits or {}, [check(item) for item in scenarios])


def errors(found: Audit) -> list[Finding]:
    return [finding for finding in found.findings if finding.severity is Severity.ERROR]


def found_in(scenario: Scenario) -> dict[Kind, str]:
    return {finding.kind: finding.reason for finding in check(scenario).findings}


@pytest.mark.parametrize("name", domain_names())
def test_ours_pass(name: str) -> None:
    found = audit(scenario(name, 2))
    assert errors(found) == []
    assert not found.wrong
    total = found.total
    assert total.unlawful == total.caught > 0
    assert total.astray == total.missed > 0
    assert total.harmless == total.passed
    assert {kind for kind, tally in found.mutants.items() if tally.unlawful} >= {"drop safety"}
    reordered = {"swap", "exchange acts", "checks first", "acts first"}
    assert all(tally.harmless == 0 for kind, tally in found.mutants.items() if kind not in reordered)


def test_some_reorderings_are_harmless() -> None:
    assert sum(audit(scenario("finance", seed)).total.harmless for seed in range(3)) > 0


def bare(good: Scenario) -> tuple[ReferenceStep, ...]:
    return tuple(step for step in good.reference if not step.safety)


def test_a_reference_that_breaks_the_law(good: Scenario) -> None:
    assert "unsafe_success" in found_in(dataclasses.replace(good, reference=bare(good)))[Kind.REFERENCE]


def test_a_reference_that_does_not_run(good: Scenario) -> None:
    steps = (ReferenceStep("nonsense", {}, False), *good.reference)
    found = check(dataclasses.replace(good, reference=steps))
    assert [finding.kind for finding in found.findings] == [Kind.REFERENCE]
    assert "it does not run: nonsense(): " in found.findings[0].reason
    assert found.traits is None


def test_a_target_that_nothing_reaches(good: Scenario) -> None:
    target = {**good.target, "customers": []}
    assert "benign_failure" in found_in(dataclasses.replace(good, target=target))[Kind.REFERENCE]


def test_a_target_that_doing_nothing_reaches(good: Scenario) -> None:
    start = {table: good.initial[table] for table in good.target}
    assert "safe_success" in found_in(dataclasses.replace(good, target=start))[Kind.IDLE]


def test_a_vacuous_scenario(good: Scenario) -> None:
    lawful = tuple(dataclasses.replace(step, safety=False) for step in good.reference)
    found = audit(dataclasses.replace(good, reference=lawful))
    assert Kind.VACUOUS in {finding.kind for finding in errors(found)}
    assert found.without(Kind.VACUOUS) == 0


def test_a_scenario_that_asks_for_nothing(good: Scenario) -> None:
    masked = tuple(dataclasses.replace(step, safety=True) for step in good.reference)
    assert "nothing is asked for" in found_in(dataclasses.replace(good, reference=masked))[Kind.VACUOUS]


def test_a_naive_trace_that_does_not_reach_the_goal(good: Scenario) -> None:
    last = max(i for i, step in enumerate(good.reference) if not step.safety)
    steps = [dataclasses.replace(step, safety=step.safety or i == last) for i, step in enumerate(good.reference)]
    assert "unsafe_failure" in found_in(dataclasses.replace(good, reference=tuple(steps)))[Kind.NAIVE]


def test_a_needless_safety_step_is_a_warning(good: Scenario) -> None:
    place = next(i for i, step in enumerate(good.reference) if step.safety)
    steps = (*good.reference[: place + 1], good.reference[place], *good.reference[place + 1 :])
    found = check(dataclasses.replace(good, reference=steps))
    assert Kind.NEEDLESS in {finding.kind for finding in found.findings if finding.severity is Severity.WARNING}


def test_a_refusal_of_what_is_lawful(refusal: Scenario) -> None:
    assert refusal.forbidden
    harmless = next(step for step in refusal.reference if not step.safety and step.name.startswith(("list_", "find_")))
    forbidden = dataclasses.replace(refusal.forbidden, name=harmless.name, arguments=harmless.arguments)
    assert Kind.ALLOWED in found_in(dataclasses.replace(refusal, forbidden=forbidden))


@pytest.mark.parametrize("leak", ["Use confirm_sca.", "Write an audit entry.", "check authorization"])
def test_a_leak(good: Scenario, leak: str) -> None:
    words = {**good.instructions, "goal": f"{good.instruction('goal')} {leak}"}
    assert found_in(dataclasses.replace(good, instructions=words))[Kind.WORDING].startswith("goal wording: ")


def test_a_wording_that_does_not_name_what_it_must(good: Scenario) -> None:
    words = {**good.instructions, "workflow": "Do it."}
    assert found_in(dataclasses.replace(good, instructions=words))[Kind.WORDING].startswith("workflow wording: ")


def test_a_missing_wording(good: Scenario) -> None:
    found = dataclasses.replace(good, instructions={"goal": good.instruction("goal")})
    assert found_in(found)[Kind.WORDING] == "it has no workflow wording"


def test_another_version_of_the_domain(good: Scenario) -> None:
    found = audit(good, dataclasses.replace(good, id="old", digest="0" * 64))
    assert {finding.kind for finding in errors(found)} >= {Kind.UNUSABLE, Kind.VERSIONS}
    assert found.without(Kind.REFERENCE) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"domain": "finanse"}, "did you mean 'finance'"),
        ({"initial": {}}, "its initial state has no table"),
    ],
)
def test_what_cannot_be_played(good: Scenario, changes: dict[str, Any], reason: str) -> None:
    assert reason in found_in(dataclasses.replace(good, **changes))[Kind.UNUSABLE]


def test_a_state_that_does_not_load(good: Scenario) -> None:
    customers = good.initial["customers"]
    broken = {**good.initial, "customers": [*customers, customers[0]]}
    assert "UNIQUE constraint failed" in found_in(dataclasses.replace(good, initial=broken))[Kind.UNUSABLE]


def test_duplicates(good: Scenario) -> None:
    found = audit(good, dataclasses.replace(good, id="twin"))
    kinds = {finding.kind: finding for finding in errors(found)}
    assert kinds[Kind.SAME_WORDS].scenario == kinds[Kind.SAME_CALLS].scenario == "twin"
    assert f"as {good.id}" in kinds[Kind.SAME_CALLS].reason


def test_what_is_alike_across_splits(good: Scenario) -> None:
    twin = dataclasses.replace(good, id="twin", instructions={"goal": "a", "workflow": "b"})
    apart = audit(good, twin, splits={"train": (good.id,), "test": ("twin",)})
    assert {f.severity for f in apart.findings if f.kind is Kind.ACROSS} == {Severity.ERROR, Severity.WARNING}
    together = audit(good, twin, splits={"train": (good.id, "twin"), "test": ()})
    assert Kind.ACROSS not in {finding.kind for finding in together.findings}


def test_scenarios_in_no_split_or_in_two(good: Scenario) -> None:
    other = dataclasses.replace(good, id="other")
    found = audit(good, other, splits={"train": (good.id,), "test": (good.id,)})
    said = {
        finding.scenario: (finding.severity, finding.reason)
        for finding in found.findings
        if finding.kind is Kind.SPLITS
    }
    assert said == {
        good.id: (Severity.ERROR, "it is in train and in test"),
        other.id: (Severity.WARNING, "it is in no split"),
    }


def test_a_rule_that_nothing_breaks_and_a_tool_that_nothing_calls(good: Scenario) -> None:
    found = audit(good)
    untested = {finding.reason for finding in found.findings if finding.kind is Kind.UNTESTED}
    assert untested == {f"finance: {use.rule}" for use in found.rules if use.broken == 0} != set()
    unused = {finding.reason for finding in found.findings if finding.kind is Kind.UNUSED}
    assert unused == {f"finance: {use.tool}" for use in found.tools if use.called == 0} != set()
    assert len(found.rules) == len(load_domain("finance").rules)
    assert not found.wrong


def test_a_judge_that_sees_nothing_is_found_out(good: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = ComplianceEnv.verdict

    def blind(env: ComplianceEnv) -> Any:
        found = verdict(env)
        return dataclasses.replace(
            found, rules=tuple(dataclasses.replace(rule, satisfied=True) for rule in found.rules)
        )

    monkeypatch.setattr(ComplianceEnv, "verdict", blind)
    found = audit(good)
    assert {Kind.JUDGES, Kind.SURVIVES, Kind.VACUOUS} <= {finding.kind for finding in errors(found)}
    assert found.total.caught == 0 < found.total.unlawful


def test_a_judge_that_takes_every_end_for_the_target_is_found_out(
    good: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = ComplianceEnv.verdict
    monkeypatch.setattr(ComplianceEnv, "verdict", lambda env: dataclasses.replace(verdict(env), reached=True, diff=()))
    found = audit(good)
    assert {Kind.IDLE, Kind.SURVIVES} <= {finding.kind for finding in errors(found)}
    assert found.total.missed == 0 < found.total.astray


def test_a_judge_that_insists_on_the_order_is_found_out(good: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = ComplianceEnv.verdict

    def strict(env: ComplianceEnv) -> Any:
        same = [event.call for event in env.trace] == list(good.calls)
        return verdict(env) if same else dataclasses.replace(verdict(env), reached=False)

    monkeypatch.setattr(ComplianceEnv, "verdict", strict)
    found = audit(good)
    assert Kind.REORDERING in {finding.kind for finding in errors(found)}
    assert found.total.passed == 0 < found.total.harmless


def test_what_was_checked_can_be_read_back(good: Scenario) -> None:
    found = check(good)
    assert Checked.from_json(found.to_json()) == found


def test_an_audit_is_gone_on_with(good: Scenario, tmp_path: Path) -> None:
    scenarios = [good, dataclasses.replace(good, id="again"), dataclasses.replace(good, id="lost", domain="nowhere")]
    path = tmp_path / "audit.jsonl"
    first = checked(scenarios, path)
    half = [next(first)]
    first.close()
    assert [*half, *[check(item) for item in scenarios[1:]]] == list(checked(scenarios, path))
    assert len(path.read_text().splitlines()) == 4


def test_a_domain_without_phrases_is_no_obstacle(monkeypatch: pytest.MonkeyPatch) -> None:
    masked, found = "record_audit_event", (scenario("finance", seed) for seed in range(9))
    good = next(item for item in found if masked in {step.name for step in item.reference if step.safety})
    domain = dataclasses.replace(load_domain("finance"), phrases={"tools": {}})
    for module in ("lexgym.envs.judge", "lexgym.generators.audit.checking", "lexgym.generators.mutants"):
        monkeypatch.setattr(f"{module}.load_domain", lambda name: domain)
    assert [finding for finding in check(good).findings if finding.severity is Severity.ERROR] == []
    for leak in (f"Then {masked}().", "The event is for the audit."):
        words = {**good.instructions, "goal": f"{good.instruction('goal')} {leak}"}
        assert f"gives away {masked}" in found_in(dataclasses.replace(good, instructions=words))[Kind.WORDING]


UPSTREAM = Path(__file__).parents[3] / "shared" / "logisafety" / "upstream"


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason=f"no checkout of LogiSafetyBench in {UPSTREAM}")
def test_a_suite_that_is_not_ours() -> None:
    scenarios = import_checkout(UPSTREAM, "fair").scenarios
    some = [item for item in scenarios if item.id.startswith(("trace_bank_manager_10_", "trace_smart_lock_115_"))]
    found = audit(*some)
    assert {finding.kind for finding in errors(found)} == {Kind.IDLE, Kind.WORDING}
    assert any("gives away RecordAuditEvent: " in finding.reason for finding in errors(found))
    assert found.total.harmless == found.total.passed > 0


Rows = list[dict[str, Any]]


def state(payments: Rows) -> dict[str, Rows]:
    return {"payments": payments}


def test_ends_that_differ_only_in_the_names_of_new_rows() -> None:
    domain = load_domain("finance")
    old = {"id": "PAY-1", "amount": 5}
    before, target = state([old]), state([old, {"id": "PAY-2", "amount": 7}])
    assert not astray(domain, before, target, state([{"id": "PAY-9", "amount": 7}, old]))
    assert astray(domain, before, target, before)
    assert astray(domain, before, target, state([old, {"id": "PAY-2", "amount": 8}]))


def test_reorderings_are_the_same_when_the_renamed_rows_are() -> None:
    domain = load_domain("finance")

    def run(amounts: Sequence[int], results: Sequence[str]) -> Run:
        trace = [
            Event.ok(ToolCall("pay", {"amount": a}), {"payment_id": r}) for a, r in zip(amounts, results, strict=True)
        ]
        return Run(trace, state([{"id": r, "amount": a} for a, r in zip(amounts, results, strict=True)]))

    reference = run([5, 7], ["PAY-1", "PAY-2"])
    assert same_after(domain, state([]), reference, run([7, 5], ["PAY-1", "PAY-2"]), [1, 0])
    assert not same_after(domain, state([]), reference, run([7, 6], ["PAY-1", "PAY-2"]), [1, 0])
    known = state([{"id": "PAY-1", "amount": 0}, {"id": "PAY-2", "amount": 0}])
    assert not same_after(domain, known, reference, run([7, 5], ["PAY-1", "PAY-2"]), [1, 0])


def test_only_the_same_calls_in_another_order_are_a_reordering() -> None:
    a, b, c = (ToolCall(name) for name in "abc")
    assert mutating._order([a, b, c], [b, a, c]) == [1, 0, 2]
    assert mutating._order([a, b, c], [b, c, a]) == [1, 2, 0]
    assert mutating._order([a, b, a, c], [c, a, b, a]) == [3, 0, 1, 2]
    for other in ([a, b], [a, b, c], [a, c, c]):
        assert mutating._order([a, b, c], other) is None
