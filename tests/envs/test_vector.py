"""Many environments at once, as Gymnasium's own vector classes run them."""

import json
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

from lexgym.registration import make_env, register_envs, scenario

register_envs()

FINISH = {"name": "finish", "arguments": {}}


def first() -> Any:
    return make_env("finance", max_steps=20)


def made(kind: str) -> Any:
    if kind == "make_vec":
        return gym.make_vec("lexgym/Finance-v0", num_envs=2, vectorization_mode="sync", max_steps=20)
    if kind == "sync":
        return SyncVectorEnv([first, first])
    return AsyncVectorEnv([first, first], shared_memory=False)


@pytest.mark.parametrize("kind", ["make_vec", "sync", "async"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_two_episodes_side_by_side(kind: str) -> None:
    envs = made(kind)
    observations, infos = envs.reset(seed=[1, 2])
    for i, seed in enumerate((1, 2)):
        assert observations["instruction"][i] == scenario("finance", seed).instruction("goal")
    assert infos["action_mask"].shape[0] == 2
    calls = [scenario("finance", seed).calls[0].to_json() for seed in (1, 2)]
    observations, _, terminated, truncated, infos = envs.step(calls)
    assert [json.loads(text)["status"] for text in observations["result"]] == ["ok", "ok"]
    assert list(observations["step"]) == [1, 1]
    assert not any(terminated)
    assert not any(truncated)
    masks = [np.asarray(infos["action_mask"][i]) for i in range(2)]
    assert all(mask.shape == masks[0].shape and mask.any() for mask in masks)
    _, _, terminated, _, infos = envs.step([FINISH, json.dumps(FINISH)])
    assert list(terminated) == [True, True]
    assert [verdict.outcome.value for verdict in infos["verdict"]] == ["benign_failure"] * 2
    observations, *_ = envs.step([FINISH, FINISH])
    assert list(observations["step"]) == [0, 0]
    assert all(observations["instruction"])
    envs.close()


def test_a_mask_is_honoured_by_each_environment() -> None:
    envs = SyncVectorEnv([first, first], autoreset_mode=AutoresetMode.SAME_STEP)
    _, infos = envs.reset(seed=[1, 2])
    bases: list[Any] = [env.unwrapped for env in envs.envs]
    for base, mask in zip(bases, infos["action_mask"], strict=True):
        call = base.calls.sample(mask)
        assert mask[base.calls.names.index(call.name)] == 1
    _, _, terminated, _, infos = envs.step([FINISH, FINISH])
    assert list(terminated) == [True, True]
    assert [info.outcome.value for info in infos["final_info"]["verdict"]] == ["benign_failure"] * 2
    envs.close()
