"""The environment on every domain that is found: contract, bad input, ends, rewards."""

import json
from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from lexgym.core import Outcome, ToolCall
from lexgym.envs.registry import domain_names, gym_ids, load_domain
from lexgym.envs.rewards import REWARDS
from lexgym.errors import DomainError, EpisodeError, ScenarioError, ScenarioVersionError
from lexgym.registration import make_env, register_envs, scenario
from lexgym.scenario import Scenario

register_envs()


@pytest.fixture(params=domain_names())
def env(request: pytest.FixtureRequest) -> Iterator[Any]:
    made = make_env(request.param, render_mode="ansi")
    yield made
    made.close()
    made.close()


@pytest.mark.parametrize("name", domain_names())
@pytest.mark.filterwarnings("ignore:.*")
def test_gymnasium_accepts_it(name: str) -> None:
    made = gym.make(f"lexgym/{gym_ids()[name]}-v0")
    check_env(made.unwrapped, skip_render_check=True)
    made.close()


def finish(env: Any) -> Any:
    *_, info = env.step({"name": "finish", "arguments": {}})
    return info["verdict"]


def test_reset_tells_what_an_agent_may_know_and_nothing_else(env: Any) -> None:
    observation, info = env.reset(seed=1)
    found = scenario(env.domain.name, 1)
    assert observation == {"instruction": found.instruction("goal"), "result": "", "step": 0}
    text = json.dumps([info["tools"], info["policy"], observation])
    assert {tool["function"]["name"] for tool in info["tools"]} == {*env.domain.tools, "finish"}
    assert not any(rule.formula in text or f'"{rule.id}"' in text for rule in env.domain.rules)


def test_same_seed_same_episode(env: Any) -> None:
    runs = []
    for _ in range(2):
        first = env.reset(seed=3)[0]
        calls = scenario(env.domain.name, 3).calls
        runs.append([first, *[env.step(call)[0] for call in calls], env.db.state_hash()])
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("{", "syntax"),
        ("[]", "syntax"),
        (None, "syntax"),
        (float("nan"), "syntax"),
        ('{"name": "x", "arguments": {"a": NaN}}', "syntax"),
        ("[" * 50_000, "syntax"),
        ({"name": "nonsense"}, "unknown_tool"),
        ({"name": "\ud800"}, "unknown_tool"),
        ({"name": "x" * 1_000_000}, "unknown_tool"),
    ],
)
def test_what_the_agent_does_wrong_is_an_event(env: Any, action: Any, code: str) -> None:
    env.reset(seed=1)
    before = env.db.state_hash()
    observation, _, terminated, truncated, info = env.step(action)
    assert json.loads(observation["result"])["code"] == code
    assert (terminated, truncated, info["cost"]) == (False, False, 0)
    assert len(observation["result"]) < 2_000
    assert env.db.state_hash() == before


@pytest.mark.parametrize("value", [None, 2**70, float("inf"), "x" * 100_000, "\ud800", [], {"a": {}}, True])
def test_every_wrong_argument_is_refused_or_invalid(env: Any, value: Any) -> None:
    env.reset(seed=1)
    for tool in env.domain.tools.values():
        for parameter in tool.parameters:
            if parameter.required and parameter.schema.get("type") != "boolean":
                wrong = {p.name: value for p in tool.parameters if p.required}
                before = env.db.state_hash()
                result = json.loads(env.step({"name": tool.name, "arguments": wrong})[0]["result"])
                assert result["status"] in ("invalid", "refused")
                assert env.db.state_hash() == before
                break


def test_a_long_episode_is_truncated_and_judged(env: Any) -> None:
    long = make_env(env.domain.name, max_steps=10_000)
    long.reset(seed=1)
    for _ in range(9_999):
        *_, terminated, truncated, info = long.step("nothing")
        assert (terminated, truncated, info.get("verdict")) == (False, False, None)
    *_, terminated, truncated, info = long.step("nothing")
    assert (terminated, truncated, info["verdict"].outcome) == (False, True, Outcome.BENIGN_FAILURE)
    long.close()


def test_steps_out_of_order(env: Any) -> None:
    with pytest.raises(EpisodeError, match="reset"):
        env.step({"name": "finish"})
    env.reset(seed=1)
    finish(env)
    with pytest.raises(EpisodeError, match="over"):
        env.step({"name": "finish"})


def test_outcomes_of_reference_naive_and_idle(env: Any) -> None:
    found = scenario(env.domain.name, 2)
    for calls, outcome in [
        (found.calls, Outcome.SAFE_SUCCESS),
        (found.naive, Outcome.UNSAFE_SUCCESS),
        ((), Outcome.BENIGN_FAILURE),
    ]:
        env.reset(seed=2)
        cost = sum(env.step(call)[4]["cost"] for call in calls)
        verdict = finish(env)
        assert verdict.outcome is outcome
        assert cost == sum(rule.permanent for rule in verdict.violations)
        for rule in verdict.violations:
            assert f"step {rule.witness}" in rule.sentence
            assert rule.source in rule.sentence


def test_every_form_of_a_call_means_the_same(env: Any) -> None:
    call = scenario(env.domain.name, 2).calls[0]
    arguments = dict(call.arguments)
    forms = [
        call,
        {"name": call.name, "arguments": arguments},
        {"name": call.name, "arguments": json.dumps(arguments)},
        {"id": "1", "type": "function", "function": {"name": call.name, "arguments": json.dumps(arguments)}},
        {"name": call.name, "args": arguments, "id": "1", "type": "tool_call"},
        json.dumps({"name": call.name, "arguments": arguments}),
    ]
    seen = []
    for form in forms:
        env.reset(seed=2)
        assert form in env.action_space
        seen.append(env.step(form)[0])
    assert all(each == seen[0] for each in seen)


def test_sample_honours_the_mask(env: Any) -> None:
    env.reset(seed=1)
    env.action_space.seed(0)
    for index, name in enumerate(env.action_space.names):
        mask = np.zeros(len(env.action_space.names), dtype=np.int8)
        mask[index] = 1
        call = env.action_space.sample(mask)
        assert call.name == name
        assert call in env.action_space
    with pytest.raises(ValueError, match="no tool"):
        env.action_space.sample(np.zeros(len(env.action_space.names), dtype=np.int8))


def test_masks_can_be_left_out(env: Any) -> None:
    bare = make_env(env.domain.name, masks=False)
    _, info = bare.reset(seed=1)
    assert "action_mask" not in info
    assert "action_mask" not in bare.step({"name": "finish"})[4]
    bare.close()


def test_masked_tools_would_break_a_rule(env: Any) -> None:
    found = scenario(env.domain.name, 2)
    env.reset(seed=2)
    for call in found.calls:
        assert env.action_mask()[env.action_space.names.index(call.name)] == 1
        assert env.step(call)[4]["cost"] == 0
    env.reset(seed=2)
    for call in found.naive:
        forbidden = not env.action_mask()[env.action_space.names.index(call.name)]
        cost = env.step(call)[4]["cost"]
        assert cost > 0 or not forbidden


@pytest.mark.parametrize("reward", sorted(REWARDS))
def test_rewards(env: Any, reward: str) -> None:
    found = scenario(env.domain.name, 2)
    made = make_env(env.domain.name, reward=reward)
    returns = {}
    for name, calls in (("reference", found.calls), ("naive", found.naive), ("idle", ())):
        made.reset(seed=2)
        total = sum(float(made.step(call)[1]) for call in calls)
        returns[name] = total + float(made.step({"name": "finish"})[1])
    made.close()
    start = REWARDS[reward].potential(env.monitor)
    naive = 1.0 if reward == "cost" else 0.0
    assert returns == pytest.approx({"reference": 1 - start, "naive": naive - start, "idle": -start})


def test_render_shows_the_calls(env: Any) -> None:
    env.reset(seed=2)
    call = scenario(env.domain.name, 2).calls[0]
    env.step(call)
    assert call.name in env.render()


def test_wrong_settings_and_scenarios_are_named(env: Any) -> None:
    with pytest.raises(ValueError, match="did you mean 'sparse'"):
        make_env(env.domain.name, reward="sparce")
    with pytest.raises(ValueError, match="did you mean 'goal'"):
        make_env(env.domain.name, variant="gaol")
    found = json.loads(scenario(env.domain.name, 2).to_json())
    changes: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"format": 99}, ScenarioVersionError),
        ({"digest": "0" * 64}, ScenarioVersionError),
        ({"surprise": 1}, ScenarioError),
        ({"domain": "elsewhere"}, EpisodeError),
    ]
    for change, error in changes:
        with pytest.raises(error):
            env.reset(options={"scenario": json.dumps({**found, **change})})
    with pytest.raises(ScenarioError, match="not a scenario"):
        Scenario.from_json("[1]")
    with pytest.raises(DomainError, match="did you mean 'finance'"):
        load_domain("finanse")


def test_a_scenario_survives_its_json_form(env: Any) -> None:
    found = scenario(env.domain.name, 2)
    again = Scenario.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    env.reset(options={"scenario": found.to_json()})
    for call in again.calls:
        env.step(ToolCall(call.name, dict(call.arguments)))
    assert finish(env).outcome is Outcome.SAFE_SUCCESS


def _set(data: Any, path: str, value: Any) -> None:
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in parents:
        data = data[part]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        *((name, None, f"{name}: Input should be") for name in ("id", "digest", "domain", "initial", "target")),
        *((name, None, f"{name}: Input should be") for name in ("instructions", "sequences", "seed", "reference")),
        ("clock", "1", "clock: Input should be a valid integer, not '1'"),
        ("clock", 1.5, "clock: Input should be a valid integer, not 1.5"),
        ("clock", -1, "clock is -1; expected 0 to"),
        ("clock", 10**30, "clock is 1000"),
        ("target", {}, "its target state lacks the table 'accounts'"),
        ("target.sessions", [], "its target state has the table 'sessions'"),
        ("target.accounts", None, r"target\.accounts: Input should be a valid list"),
        ("target.accounts.0.number", {"x": 1}, r"target\.accounts\.0\.number"),
        ("target.accounts.0", {"number": "A"}, "row 1 of accounts in its target state lacks 'balance'"),
        ("target.accounts.0.more", 1, "row 1 of accounts in its target state has 'more'"),
        ("initial", {}, "its initial state lacks the table 'accounts'"),
        ("initial.more", [], "its initial state has the table 'more'"),
        ("initial.accounts.0.balance", "much", "its initial state cannot be: cannot store TEXT"),
        ("initial.accounts.0.customer_id", "CUS-999999", "its initial state cannot be: FOREIGN KEY"),
        ("sequences", {}, "sequences has 0 for "),
        ("sequences.more", 1, "sequences has 'more', for which no ids are given out"),
        ("reference.0.safety", "yes", r"reference\.0\.safety: Input should be a valid boolean, not 'yes'"),
        ("own_rules", "G a", "own_rules: Input should be a valid list"),
        ("own_rules", [{"id": "a", "formula": 3}], r"own_rules\.0\.formula: Input should be a valid string, not 3"),
        ("own_rules", [{"id": "a", "formula": "F finish", "apart": "no"}], r"own_rules\.0\.apart"),
    ],
)
def test_an_edited_scenario_is_refused_at_reset(path: str, value: Any, message: str) -> None:
    env = make_env("finance")
    data = json.loads(scenario("finance", 2).to_json())
    env.reset(options={"scenario": json.dumps(data)})
    _set(data, path, value)
    with pytest.raises(ScenarioError, match=message):
        env.reset(options={"scenario": json.dumps(data)})
    with pytest.raises(EpisodeError, match=r"call reset\(\)"):  # the episode before is over, not judged in its middle
        env.step({"name": "finish", "arguments": {}})
    env.close()


@pytest.mark.parametrize("wrong", [3, b"{}", {}, []])
def test_what_is_no_scenario_is_named(wrong: Any) -> None:
    env = make_env("finance")
    with pytest.raises(
        ScenarioError, match=rf"'scenario' is a {type(wrong).__name__}; expected a Scenario or its JSON"
    ):
        env.reset(options={"scenario": wrong})
    env.close()


def test_a_call_without_arguments_is_an_observation(env: Any) -> None:
    env.reset(seed=1)
    name = next(iter(env.domain.tools))
    wrong: list[Any] = [None, 3, [], "[]"]
    for arguments in wrong:
        observation, *_ = env.step(ToolCall(name, arguments))
        assert json.loads(observation["result"])["status"] in ("ok", "invalid")
