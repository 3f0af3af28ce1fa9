"""The README's Python examples run, and what it says of the environment holds."""

import json
import re
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from lexgym.envs.registry import domain_names
from lexgym.registration import scenario

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", TEXT, re.S)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.filterwarnings("ignore:.*")
def test_example_runs(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(example, "README.md", "exec"), {})
    assert "Traceback" not in capsys.readouterr().err


def test_the_episode_shows_a_call_that_breaks_the_law(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[0], "README.md", "exec"), {})
    shown = capsys.readouterr().out.splitlines()
    assert any(re.search(r" cost [1-9]", line) for line in shown)
    outcome = next(i for i, line in enumerate(shown) if line.startswith("unsafe_"))
    assert re.match(r"step \d+ `\w+`", shown[outcome + 1])


def test_every_domain_is_named() -> None:
    assert {"finance", "iot"} <= {name for name in domain_names() if f"**{name}**" in TEXT}


def test_masks_follow_the_names_and_samples_follow_the_masks() -> None:
    env = gymnasium.make("lexgym/Finance-v0", variant="workflow", reward="cost", max_steps=3)
    line = scenario("finance", 7).to_json()
    observation, info = env.reset(seed=1, options={"scenario": line})
    assert observation["instruction"] == scenario("finance", 7).instruction("workflow")
    names = env.unwrapped.calls.names  # type: ignore[attr-defined]
    assert len(info["action_mask"]) == len(names)
    for name in names[:5]:
        only = np.array([each == name for each in names], dtype=np.int8)
        assert env.action_space.sample(mask=only).name == name
    terminated = truncated = False
    for _ in range(3):
        assert not truncated
        mask = info["action_mask"].copy()
        mask[-1] = 0  # not finish
        observation, _, terminated, truncated, info = env.step(env.action_space.sample(mask=mask))
        assert json.loads(observation["result"])["status"] in ("ok", "refused", "invalid")
    assert truncated
    assert not terminated
    assert "verdict" in info
    env.close()
