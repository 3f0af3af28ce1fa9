"""Masks, shield and fuzzer look at the rules together: what would doom them jointly is never offered nor done."""

import json
import random
from typing import Any

import pytest

from lexgym.core import Event, Rule, ToolCall
from lexgym.envs import environment, judge
from lexgym.envs.planner import Planner
from lexgym.envs.shield import Shield
from lexgym.oracles.safety import SafetyOracle
from lexgym.registration import make_env, scenario

RULES = (
    Rule("payees-then-providers", "G(list_payees -> F list_providers)", "a circle …"),
    Rule("providers-then-payees", "G(list_providers -> F list_payees)", "… of obligations"),
    Rule("found-then-profile", "chain_response(find_customers, list_cards)", "at once"),
)


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> Any:
    usual = scenario("finance", 7)
    oracle = SafetyOracle(RULES)
    for module in (environment, judge):
        monkeypatch.setattr(module, "safety_oracle", lambda name: oracle)
    made = make_env("finance")
    made.source = lambda seed: usual
    return made


def allowed(env: Any, mask: Any) -> set[str]:
    return {name for name, free in zip(env.calls.names, mask, strict=True) if free}


def test_the_mask_leaves_out_what_would_doom_the_rules_together(env: Any) -> None:
    _, info = env.reset(seed=7)
    assert allowed(env, info["action_mask"]) == {*env.calls.names} - {"list_payees", "list_providers"}
    *_, info = env.step(ToolCall("find_customers", {"last_name": "Novak"}))
    assert env.trace[-1].status.value == "ok"
    assert allowed(env, info["action_mask"]) == {"list_cards", "finish"}


def test_the_shield_stops_a_call_that_dooms_the_rules_together(env: Any) -> None:
    shield = Shield(env)
    shield.reset(seed=7)
    observation, *_ = shield.step(ToolCall("list_providers", {}))
    assert json.loads(observation["result"])["code"] == "shielded"
    assert env.trace == []


def test_the_planner_does_not_do_it_either(env: Any) -> None:
    env.reset(seed=7)
    monitor = env.monitor.fork()
    planner = Planner(env.domain, random.Random(0))
    assert planner.lawful(env.db, monitor, ToolCall("list_providers", {}), []) is None
    monitor.step(Event.ok(ToolCall("list_providers", {}), None))
    assert planner.discharge(env.db, monitor, []) is None
