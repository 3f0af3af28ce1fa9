"""Coverage: what scenarios reach, over what can be reached, and by name what they never do."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lexgym.cli import app
from lexgym.core import Event, ToolCall
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import GenerationError
from lexgym.generators.coverage import Coverage, Part
from lexgym.generators.fuzzer import Fuzzer
from lexgym.generators.guide import Guide
from lexgym.generators.reachable import WatchedGuard, guards
from lexgym.generators.related import draw_call
from lexgym.generators.scenarios import propose
from lexgym.oracles.ltlf import guards as g
from lexgym.registration import scenario


@pytest.fixture(scope="module")
def parts() -> dict[str, Part]:
    coverage = Coverage(load_domain("finance"))
    for seed in range(8):
        coverage.add(scenario("finance", seed))
    coverage.close()
    return {part.name: part for part in coverage.parts()}


def test_what_references_do_is_reached(parts: dict[str, Part]) -> None:
    used = {step.name for seed in range(8) for step in scenario("finance", seed).reference}
    assert parts["tools"].reached == used
    assert set(parts["tools"].never) == {*load_domain("finance").tools} - used
    first, second = scenario("finance", 0).reference[:2]
    assert f"{first.name} → {second.name}" in parts["adjacent pairs"].reached


def test_rules_come_into_play_and_are_met(parts: dict[str, Part]) -> None:
    assert "access-authentication" in parts["rules triggered"].reached
    assert "access-authentication" in parts["rules discharged"].reached
    assert "failed-attempts" not in parts["rules discharged"].reachable


def test_states_of_broken_rules_are_reached_by_the_naive_trace(parts: dict[str, Part]) -> None:
    assert any("(PV)" in name for name in parts["rule states"].reached)
    assert "failed-attempts: state 4 (CS)" in parts["rule states"].never


def test_both_outcomes_of_a_guard_count(parts: dict[str, Part]) -> None:
    outcomes = parts["guard outcomes"].reachable
    assert {f"check_authorization[result.authorized] is {o}" for o in ("true", "false")} <= outcomes


@pytest.mark.parametrize("name", domain_names())
def test_what_is_reached_can_be_reached(name: str) -> None:
    coverage = Coverage(load_domain(name))
    coverage.add(scenario(name, 1))
    for part in coverage.parts():
        assert part.reached
        assert part.reached <= part.reachable
    coverage.close()


def test_an_outcome_that_the_schema_rules_out_is_not_reachable() -> None:
    guard = g.Member(g.Field("args", ("kind",)), (g.Const("string", "a"), g.Const("string", "b")))
    schemas = {"args": {"properties": {"kind": {"enum": ["a", "b"]}}}}
    assert WatchedGuard("tool", guard, schemas).outcomes() == {True}
    assert WatchedGuard("tool", guard, {}).outcomes() == {True, False}


def test_a_watched_guard_reads_events() -> None:
    [small] = [w for w in guards(load_domain("finance")) if w.name == "initiate_payment[amount > 3000]"]
    assert small.test(Event.ok(ToolCall("initiate_payment", {"amount": 3001}), None), ())
    assert not small.test(Event.ok(ToolCall("initiate_payment", {"amount": 3000}), None), ())


def test_pairs_of_finance_are_all_feasible() -> None:
    domain = load_domain("finance")
    assert len(Guide(domain).feasible) == len(domain.tools) ** 2


def test_the_command_line_keeps_its_scenarios(tmp_path: Path) -> None:
    arguments = ["coverage", "--scenarios", "2", "--out", str(tmp_path)]
    table = CliRunner().invoke(app, arguments)
    assert table.exit_code == 0, table.output
    assert "rules triggered never reached" in table.output
    written = (tmp_path / "scenarios.jsonl").read_bytes()
    report = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert (tmp_path / "scenarios.jsonl").read_bytes() == written
    assert report["tools"]["reached"] + len(report["tools"]["never"]) == report["tools"]["of"]


def test_what_only_one_read_shows_is_asked_for() -> None:
    used = {step.name for seed in range(40) for step in scenario("finance", seed).reference}
    assert {"get_customer_profile", "list_accounts", "list_consents"} <= used


def test_a_request_that_is_refused_outright_brings_its_rule_into_play() -> None:
    domain = load_domain("iot")
    for population in range(60):
        try:
            found = propose(domain, 0, population, 1, refuse=[("enable_interface", "debug-interfaces")])
            break
        except GenerationError:
            continue
    coverage = Coverage(domain)
    coverage.add(found)
    triggered = next(part for part in coverage.parts() if part.name == "rules triggered")
    assert "debug-interfaces" in triggered.reached
    coverage.close()


@pytest.mark.parametrize("name", domain_names())
def test_a_key_is_looked_up_from_what_was_said(name: str) -> None:
    domain, tried = load_domain(name), 0
    for seed in range(6):
        fuzzer = Fuzzer(domain, seed)
        for goal in fuzzer.goals:
            call = draw_call(domain, fuzzer.db, goal, fuzzer.focus, fuzzer.rng)
            hidden = list(fuzzer.lookups.unsaid(call)) if call else []
            for key in filter(None, hidden):
                assert call is not None
                open_ = set(fuzzer.anchor.values())
                for look_up in fuzzer.lookups.finding(key, call, []):
                    tried += 1
                    assert not (set(look_up.arguments.values()) & set(hidden)) - open_
    assert tried
