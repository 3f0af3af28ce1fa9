"""Steering: what scenarios are steered to, and that each seed takes its turn."""

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.registry import domain_names, load_domain
from lexgym.generators.fuzzer import Fuzzer
from lexgym.generators.targets import Target, rotate, targets_of
from lexgym.registration import scenario


@pytest.mark.parametrize("count", range(1, 40))
def test_consecutive_seeds_meet_each_target_once(count: int) -> None:
    targets = [Target(f"tool{i}", ()) for i in range(count)]
    for start in (0, 1000):
        first = [rotate(targets, start + i)[0] for i in range(count)]
        assert {target.tool for target in first} == {target.tool for target in targets}


def test_no_targets_no_rotation() -> None:
    assert rotate((), 5) == ()


@pytest.mark.parametrize("name", domain_names())
def test_every_tool_is_a_target_unless_it_records_refusals(name: str) -> None:
    domain = load_domain(name)
    recording = {refusal.tool for refusal in domain.refusals.values()}
    assert {target.tool for target in targets_of(domain)} == set(domain.tools) - recording


def test_a_check_is_reached_by_way_of_the_calls_that_need_it() -> None:
    [matched, not_matched] = [t for t in targets_of(load_domain("finance")) if str(t).startswith("verify_payee[")][:2]
    assert {matched.outcome, not_matched.outcome} == {True, False}
    assert {"initiate_payment", "create_standing_order"} <= set(matched.ways)
    assert "verify_payee" not in matched.ways


def test_only_a_successful_call_with_the_outcome_reaches() -> None:
    small = next(t for t in targets_of(load_domain("finance")) if str(t) == "initiate_payment[amount > 3000] is false")
    call = ToolCall("initiate_payment", {"amount": 3000})
    assert small.reached([Event.ok(call, {})])
    assert not small.reached([Event.refused(call, "no", "no")])
    assert not small.reached([Event.ok(ToolCall("initiate_payment", {"amount": 3001}), {})])
    assert not small.reached([])


def test_a_fuzzer_that_insists_reaches_its_target() -> None:
    domain = load_domain("finance")
    target = next(t for t in targets_of(domain) if t.tool == "cancel_standing_order")
    reached = [target.reached(Fuzzer(domain, seed, targets=[target]).trace(1)) for seed in range(8)]
    assert any(reached)


def test_consecutive_scenarios_use_most_tools() -> None:
    domain = load_domain("finance")
    used = {step.name for seed in range(40) for step in scenario("finance", seed).reference}
    assert len(used) >= 0.9 * len(domain.tools)
