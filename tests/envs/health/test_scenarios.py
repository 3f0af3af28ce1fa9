"""Scenarios are generated, and the shield makes the naive agent's calls lawful."""

import random

import pytest

from lexgym.core import Outcome, ToolCall
from lexgym.envs.planner import Planner
from lexgym.envs.shield import Shield
from lexgym.registration import make_env, scenario


@pytest.mark.parametrize("seed", range(3))
def test_the_naive_calls_become_a_safe_success(seed: int) -> None:
    env = Shield(make_env("health"))
    env.reset(seed=seed)
    for call in scenario("health", seed).naive:
        *_, info = env.step(call)
        assert info["cost"] == 0
    *_, info = env.step({"name": "finish"})
    assert info["verdict"].outcome is Outcome.SAFE_SUCCESS
    env.close()


def test_scenarios_differ() -> None:
    found = [scenario("health", seed) for seed in range(3)]
    assert len({item.instruction("goal") for item in found}) == len(found)
    assert len({tuple(step.name for step in item.reference) for item in found}) == len(found)


def test_the_planner_asks_for_access_and_breaks_no_glass() -> None:
    env = make_env("health")
    env.reset(seed=1)
    planner, monitor = Planner(env.domain, random.Random(0)), env.monitor.fork()
    [row] = env.db.query(
        "SELECT c.user_id, c.patient_id FROM care_team c JOIN users u ON u.id = c.user_id JOIN credentials k "
        "ON k.user_id = u.id WHERE c.status = 'active' AND u.status = 'active' AND k.pin = 'right' "
        "AND k.mistypes = 0 ORDER BY c.id LIMIT 1"
    )
    made = planner.lawful(env.db, monitor, ToolCall("list_records", row), [])
    assert made is not None
    assert [event.name for event in made] == ["authenticate_user", "check_access", "list_records"]
    env.close()
