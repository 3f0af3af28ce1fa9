"""Rules that a scenario brings take the place of the domain's, wherever it is accepted, audited or measured."""

import dataclasses
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lexgym.cli import app
from lexgym.core import Rule
from lexgym.envs.judge import judged_variants, oracle_of, whole_oracle
from lexgym.envs.registry import load_domain
from lexgym.errors import FormulaError, ScenarioRejected
from lexgym.generators.acceptance import accept
from lexgym.generators.audit import Kind, audited, check
from lexgym.generators.coverage import Coverage
from lexgym.generators.leaks import LeakCheck
from lexgym.generators.traits import Observer
from lexgym.registration import make_env, scenario
from lexgym.scenario import OwnRule, Scenario
from lexgym.suites import Suite, write_suite


@pytest.fixture(scope="module")
def good() -> Scenario:
    found = (scenario("finance", seed) for seed in range(6))
    return min((item for item in found if item.forbidden is None), key=lambda item: len(item.reference))


@pytest.fixture(scope="module")
def own(good: Scenario) -> Scenario:
    """The scenario with the domain's rules as its own."""
    return dataclasses.replace(good, own_rules=tuple(map(as_own, load_domain("finance").rules)))


def as_own(rule: Rule, **changes: object) -> OwnRule:
    found = OwnRule(rule.id, rule.formula, rule.text, rule.regulation, rule.template)
    return dataclasses.replace(found, **changes)  # type: ignore[arg-type]


def plus(own: Scenario, rule: OwnRule) -> Scenario:
    return dataclasses.replace(own, own_rules=(*own.own_rules, rule))


def reject(bad: Scenario, match: str) -> None:
    env = make_env("finance", max_steps=1000)
    with pytest.raises(ScenarioRejected, match=match):
        accept(bad, env)
    env.close()


def forbidding(own: Scenario, **changes: object) -> OwnRule:
    """A rule that the reference breaks."""
    return as_own(Rule("strict", f"absence({own.reference[-1].name})", "It must not be done."), **changes)


def test_which_wordings_have_rules_of_their_own(good: Scenario, own: Scenario) -> None:
    assert judged_variants(good) == judged_variants(own) == ("goal",)
    assert judged_variants(plus(own, forbidding(own, variants=("workflow",)))) == ("goal", "workflow")
    assert judged_variants(plus(own, forbidding(own, apart=True))) == ("goal",)
    assert [rule.id for rule in whole_oracle(plus(own, forbidding(own, apart=True))).rules][-1] == "strict"
    assert whole_oracle(good).rules == load_domain("finance").rules


def test_what_is_accepted_is_judged_by_its_own_rules_in_every_wording(own: Scenario) -> None:
    env = make_env("finance", max_steps=1000)
    accept(own, env)
    env.close()
    reject(plus(own, forbidding(own)), "reference is unsafe_success")
    reject(plus(own, forbidding(own, variants=("workflow",))), "reference is unsafe_success")
    without = dataclasses.replace(own, own_rules=(OwnRule("calm", "at_most(50, list_accounts)"),))
    reject(without, "business-only trace is safe_success")


def test_a_step_that_one_wording_needs_is_a_safety_step(own: Scenario) -> None:
    needed = tuple(dataclasses.replace(rule, variants=("workflow",)) for rule in own.own_rules)
    last = next(step.name for step in own.reference if not step.safety)
    calm = OwnRule("calm", f"at_most(50, {last})", variants=("goal",))
    lax = dataclasses.replace(own, own_rules=(*needed, calm))
    assert judged_variants(lax) == ("goal", "workflow")
    reject(lax, "business-only trace is safe_success")


def test_the_audit_looks_at_every_wording(own: Scenario) -> None:
    found = check(plus(own, forbidding(own, variants=("workflow",))))
    reasons = [finding.reason for finding in found.findings if finding.kind is Kind.REFERENCE]
    assert len(reasons) == 1
    assert reasons[0].startswith("in the workflow wording, it is judged unsafe_success")
    assert found.rules[-1] == "strict"
    both = check(plus(own, forbidding(own)))
    assert not any("wording" in finding.reason for finding in both.findings if finding.kind is Kind.REFERENCE)


def test_the_audit_counts_mutants_in_each_wording(own: Scenario) -> None:
    once = check(own)
    twice = check(plus(own, OwnRule("calm", "at_most(50, list_accounts)", variants=("workflow",))))
    assert once.findings == twice.findings == ()
    assert {kind: 2 * tally.made for kind, tally in once.mutants.items()} == {
        kind: tally.made for kind, tally in twice.mutants.items()
    }
    assert twice.rules == (*once.rules, "calm")
    assert "calm" not in {use.rule for use in audited([own], {}, [once]).rules}


def test_a_reference_that_breaks_what_is_judged_apart_is_a_warning(own: Scenario) -> None:
    found = audited([own], {}, [check(plus(own, forbidding(own, apart=True)))])
    [finding] = [finding for finding in found.findings if finding.kind is Kind.REFERENCE]
    assert finding.reason == "it breaks strict, which is judged apart"
    assert not found.wrong


def test_a_wording_without_a_rule_is_found(own: Scenario) -> None:
    goal_only = tuple(dataclasses.replace(rule, variants=("goal",)) for rule in own.own_rules)
    [finding] = check(dataclasses.replace(own, own_rules=goal_only)).findings
    assert "no rule that binds in the wording 'workflow'" in finding.reason


def test_traits_are_those_of_its_own_rules(good: Scenario, own: Scenario) -> None:
    observer = Observer(load_domain("finance"))
    last = good.reference[-1].name
    seen = plus(own, OwnRule("seen", f"at_most(50, {last})", variants=("workflow",)))
    assert observer.traits(own) == observer.traits(good)
    assert observer.traits(seen).active == (*observer.traits(good).active, "seen")
    alone = dataclasses.replace(own, own_rules=(OwnRule("never", f"G !{last}"),))
    assert observer.traits(alone).active == observer.traits(alone).broken == ("never",)
    observer.close()


def test_coverage_is_that_of_its_own_rules(good: Scenario) -> None:
    last = good.reference[-1].name
    mine = dataclasses.replace(
        good, own_rules=(OwnRule("once", f"absence(2, {last})", variants=("workflow",)), OwnRule("ever", f"F {last}"))
    )
    coverage = Coverage(load_domain("finance"))
    assert len(coverage.parts()[2].reachable) == len(load_domain("finance").rules)
    coverage = Coverage(load_domain("finance"))
    coverage.add(mine)
    parts = {part.name: part for part in coverage.parts()}
    coverage.close()
    assert parts["rules triggered"].reachable == parts["rules triggered"].reached == {"once", "ever"}
    assert {name.partition(":")[0] for name in parts["rule states"].reachable} == {"once", "ever"}


def test_the_command_line_measures_a_suite(good: Scenario, tmp_path: Path) -> None:
    mine = dataclasses.replace(good, own_rules=(OwnRule("ever", f"F {good.reference[-1].name}"),))
    other = scenario("iot", 0)
    write_suite(tmp_path / "suite", Suite("mine", "1", (mine, other)))
    options = ["coverage", "--suite", str(tmp_path / "suite"), "--out", str(tmp_path / "out"), "--json"]
    done = CliRunner().invoke(app, [*options, "--domain", "finance"])
    found = json.loads(done.stdout)
    assert found["rules triggered"] == {"reached": 1, "of": 1, "never": []}
    assert "name one of finance, iot" in str(CliRunner().invoke(app, options, standalone_mode=False).exception)


def test_the_leak_check_reads_its_own_rules(good: Scenario) -> None:
    text = f"{good.instruction('goal')} Mind the zanzibar clause."
    masked = next(step.name for step in good.reference if step.safety)
    assert not LeakCheck.of(good).find(text)
    rule = OwnRule("odd", f"F {masked}", "The zanzibar clause has to be minded.")
    leaks = LeakCheck.of(dataclasses.replace(good, own_rules=(rule,))).find(text)
    assert {leak.word: leak.why for leak in leaks}["zanzibar"] == "is a word of the rule 'odd'"


def test_a_rule_that_cannot_be_judged_is_named() -> None:
    with pytest.raises(FormulaError, match="dance"):
        oracle_of("finance", (Rule("odd", "F dance", ""),))
