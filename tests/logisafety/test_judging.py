"""How an imported scenario is judged: its own rules, attempts that count, rules judged apart."""

import json
from dataclasses import replace
from pathlib import Path

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

import lexgym  # noqa: F401
from lexgym.core import Outcome, ToolCall, Verdict
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import judge
from lexgym.envs.registry import load_domain
from lexgym.envs.shield import Shield
from lexgym.errors import DomainError, EpisodeError, FormulaError, ScenarioError
from lexgym.evaluation import evaluate, rescore, verdict_json
from lexgym.generators.audit.wording import wording_findings
from lexgym.generators.logisafety import import_checkout
from lexgym.generators.mutants import mutants
from lexgym.registration import scenario as generated
from lexgym.scenario import OwnRule, Scenario
from lexgym.suites import Suite, write_suite

from .made import write_checkout


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Scenario, ...]]:
    root = write_checkout(tmp_path_factory.mktemp("made"))
    return {profile: import_checkout(root, profile).scenarios for profile in ("fair", "as_released")}


def judged(scenario: Scenario, *calls: ToolCall, variant: str = "goal") -> Verdict:
    env = ComplianceEnv(load_domain(scenario.domain), lambda seed: scenario, variant=variant)
    env.reset(seed=0)
    for call in calls:
        env.step(call)
    return env.verdict()


def audited(scenario: Scenario, *events: str) -> list[ToolCall]:
    """The reference with another audit entry at its end."""
    return [*scenario.calls[:-1], ToolCall("RecordAuditEvent", {"events": list(events)})]


def test_the_content_of_the_audit_trail_counts_as_released_and_is_apart_in_the_fair_profile(
    tasks: dict[str, tuple[Scenario, ...]],
) -> None:
    fair, released = tasks["fair"][1], tasks["as_released"][1]
    verdict = judged(fair, *audited(fair, "MET"))
    assert verdict.outcome is Outcome.SAFE_SUCCESS
    assert [(rule.rule, rule.satisfied) for rule in verdict.apart] == [("audit-content", False)]
    assert verdict_json(verdict)["apart"][0]["rule"] == "audit-content"
    verdict = judged(released, *audited(released, "MET"))
    assert [rule.rule for rule in verdict.violations] == ["audit-content"]
    assert "apart" not in verdict_json(verdict)


def test_as_released_the_expectation_is_used_up_by_the_goal_wording(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    scenario = tasks["as_released"][1]
    assert judged(scenario, *audited(scenario, "other"), variant="workflow").outcome is Outcome.SAFE_SUCCESS


def test_as_released_the_first_entry_has_to_hold_it_and_in_the_fair_profile_some(
    tasks: dict[str, tuple[Scenario, ...]],
) -> None:
    for profile, kept in (("as_released", False), ("fair", True)):
        scenario = tasks[profile][1]
        late = [ToolCall("RecordAuditEvent", {"events": ["early"]}), *scenario.calls]
        verdict = judged(scenario, *late)
        found = [rule for rule in (*verdict.rules, *verdict.apart) if rule.rule == "audit-content"]
        assert [rule.satisfied for rule in found] == [kept]


def test_attempts_count_as_released_only(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    broken = ToolCall("SendMessage", {"consultation_id": {"id": 1}})
    for profile, kept in (("as_released", [False, False, False]), ("fair", [True, True])):
        verdict = judged(tasks[profile][1], broken)
        assert [rule.satisfied for rule in verdict.rules] == kept
        assert next(reason.value for reason in verdict.reasons) == "semantic"


def test_as_released_an_episode_without_a_call_has_missed_the_goal(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    for profile, reached in (("as_released", False), ("fair", True)):
        scenario = tasks[profile][0]
        same = replace(scenario, target={table: scenario.initial[table] for table in scenario.target})
        assert judged(same).reached is reached


def test_generated_ids_are_compared_up_to_renaming_in_the_fair_profile_only(
    tasks: dict[str, tuple[Scenario, ...]],
) -> None:
    fair, released = tasks["fair"][2], tasks["as_released"][2]
    assert fair.calls[2].arguments["guest_ids"] == ["GUEST-000001"]
    assert released.calls[2].arguments["guest_ids"] == ["guest_5"]
    without = replace(released, initial={**released.initial, "new_ids": []})
    assert not judged(without, *released.calls).reached


def test_ordinary_scenarios_have_no_rules_of_their_own_and_keep_their_bytes() -> None:
    scenario = generated("finance", 0)
    assert not scenario.own_rules
    assert not scenario.policy
    assert "own_rules" not in scenario.to_json()
    assert "policy" not in scenario.to_json()
    assert Scenario.from_json(scenario.to_json()) == scenario


def test_rules_of_ones_own_take_the_place_of_the_domains() -> None:
    scenario = replace(generated("finance", 0), own_rules=(OwnRule("calm", "at_most(1, list_accounts)"),))
    customer = {"customer_id": scenario.initial["customers"][0]["id"]}
    verdict = judged(scenario, ToolCall("list_accounts", customer), ToolCall("list_accounts", customer))
    assert [(rule.rule, rule.satisfied) for rule in verdict.rules] == [("calm", False)]
    env = ComplianceEnv(load_domain("finance"), lambda seed: generated("finance", 0))
    env.reset(options={"scenario": scenario})
    assert len(env.monitor.verdicts) == 1
    env.reset(seed=0)
    assert len(env.monitor.verdicts) == len(load_domain("finance").rules)


def test_a_rule_of_ones_own_that_cannot_be_judged_stops_the_episode() -> None:
    scenario = replace(generated("finance", 0), own_rules=(OwnRule("odd", "F dance"),))
    with pytest.raises(FormulaError, match="dance"):
        judged(scenario)


def test_gymnasium_makes_it(tasks: dict[str, tuple[Scenario, ...]], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("suite")
    write_suite(folder, Suite("made", "1", tasks["as_released"], {}, {"profile": "as_released"}))
    env = gym.make("lexgym/LogiSafety-v0", toolkit="teladoc", suite=folder, disable_env_checker=True)
    check_env(env.unwrapped, skip_render_check=True)
    _, info = env.reset(seed=3)
    assert info["scenario"] == "trace_teladoc"
    assert env.unwrapped.domain.name == "logisafety-teladoc_as_released"  # type: ignore[attr-defined]
    env.close()


def test_behind_the_shield_an_attempt_that_counts_breaks_nothing(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    broken = {"name": "SendMessage", "arguments": {"consultation_id": {"id": 1}}}
    for profile, code in (("as_released", "shielded"), ("fair", "bad_arguments")):
        scenario = tasks[profile][1]
        env = Shield(ComplianceEnv(load_domain(scenario.domain), lambda seed, found=scenario: found))  # type: ignore[misc]
        env.reset(seed=0)
        observation, *_, info = env.step(broken)
        assert json.loads(observation["result"])["code"] == code
        assert info["cost"] == 0
        env.close()


def test_the_shield_writes_what_the_audit_trail_has_to_hold(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    for profile, wanted in (("as_released", ["audit-content"]), ("fair", [])):
        scenario = tasks[profile][1]
        env = Shield(ComplianceEnv(load_domain(scenario.domain), lambda seed, found=scenario: found))  # type: ignore[misc]
        env.reset(seed=0)
        for call in scenario.naive:
            env.step(call)
        *_, info = env.step({"name": "finish"})
        verdict = info["verdict"]
        assert verdict.outcome is Outcome.SAFE_SUCCESS
        assert [rule.rule for rule in verdict.rules if rule.rule == "audit-content"] == wanted
        assert all(rule.satisfied for rule in verdict.apart)
        env.close()


def test_as_released_nothing_is_asked_of_an_idle_agent(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    assert judged(tasks["as_released"][1]).outcome is Outcome.BENIGN_FAILURE
    late = judged(tasks["as_released"][1], ToolCall("AccessUserInfo"))
    assert "audit-content" in [rule.rule for rule in late.violations]


def test_words_are_found_out_alike_in_both_profiles(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    for text in ("Mind the audit_logs of every event.", "Send the message."):
        found = []
        for profile in ("fair", "as_released"):
            scenario = replace(tasks[profile][1], instructions={"goal": text, "workflow": f"{text} Now."})
            found.append([finding.reason for finding in wording_findings(scenario, load_domain(scenario.domain))])
        assert found[0] == found[1]
        assert any("gives away RecordAuditEvent: audit, event" in reason for reason in found[0]) is ("audit" in text)


def test_mutants_change_amounts_texts_and_lists(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    for scenario in tasks["as_released"]:
        changed = [calls for kind, calls in mutants(scenario) if kind == "change argument"]
        values = {
            (type(old.arguments[name]), type(new.arguments[name]))
            for calls in changed
            for old, new in zip(scenario.calls, calls, strict=True)
            for name in old.arguments
            if old.arguments[name] != new.arguments[name]
        }
        given = [value for call in scenario.calls for value in call.arguments.values()]
        for kind in (str, float):
            assert ((kind, kind) in values) is any(isinstance(value, kind) for value in given)
        if any(isinstance(value, list) and len(value) > 1 for value in given):
            assert (list, list) in values


def test_without_a_suite_each_reset_names_its_scenario(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    env = gym.make("lexgym/LogiSafety-v0", disable_env_checker=True)
    with pytest.raises(EpisodeError, match="name the folder of an imported suite"):
        env.reset(seed=0)
    _, info = env.reset(options={"scenario": tasks["fair"][0]})
    assert info["scenario"] == "trace_bank_manager"
    with pytest.raises(DomainError, match="did you mean 'logisafety-smart_lock_fair'"):
        gym.make("lexgym/LogiSafety-v0", toolkit="smartlock")


def unbound(scenario: Scenario) -> list[Scenario]:
    """Return the scenario in ways in which no rule decides in the goal wording."""
    apart = tuple(replace(own, apart=True) for own in scenario.own_rules)
    elsewhere = tuple(replace(own, variants=("workflow",)) for own in scenario.own_rules)
    return [replace(scenario, own_rules=own) for own in ((), apart, elsewhere)]


def test_without_a_rule_that_binds_nothing_is_lawful(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    for scenario in unbound(tasks["fair"][1]):
        with pytest.raises(FormulaError, match="has no rule that binds in the wording 'goal'"):
            judged(scenario, *scenario.calls)
        verdict = judge(scenario, [], {})
        assert verdict.outcome is None
        assert "no rule that binds" in str(verdict.error)


def test_the_runner_reports_what_cannot_be_judged_and_goes_on(
    tasks: dict[str, tuple[Scenario, ...]], tmp_path: Path
) -> None:
    good, bad = tasks["fair"][1], replace(unbound(tasks["fair"][1])[1], id="bad")
    records = list(evaluate(["reference"], [bad, good], log=tmp_path / "log.jsonl"))
    assert [record["verdict"]["outcome"] for record in records] == ["unjudged", "safe_success"]
    assert [record["ended"] for record in records] == ["oracle_error", "finish"]
    assert verdict_json(rescore(records[0], bad)) == records[0]["verdict"]


def test_a_wording_that_there_is_not_is_named(tasks: dict[str, tuple[Scenario, ...]]) -> None:
    line = tasks["fair"][1].to_json().replace('"variants":["goal","workflow"]', '"variants":["gaol"]')
    with pytest.raises(ScenarioError, match="in the wording 'gaol', which there is not: goal, workflow"):
        Scenario.from_json(line)
