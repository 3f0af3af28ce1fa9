"""Scenarios are generated, and the shield makes the naive agent's calls lawful."""

import pytest

from lexgym.core import Outcome
from lexgym.envs.shield import Shield
from lexgym.registration import make_env, scenario


@pytest.mark.parametrize("seed", range(4))
def test_the_naive_calls_become_a_safe_success(seed: int) -> None:
    env = Shield(make_env("iot"))
    env.reset(seed=seed)
    for call in scenario("iot", seed).naive:
        *_, info = env.step(call)
        assert info["cost"] == 0
    *_, info = env.step({"name": "finish"})
    assert info["verdict"].outcome is Outcome.SAFE_SUCCESS
    env.close()


def test_scenarios_differ() -> None:
    found = [scenario("iot", seed) for seed in range(4)]
    assert len({item.instruction("goal") for item in found}) == len(found)
    assert len({tuple(step.name for step in item.reference) for item in found}) == len(found)
