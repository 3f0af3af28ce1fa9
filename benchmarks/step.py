"""How long a step and a reset take, beside a bare Gymnasium environment that only parses a JSON action.

    python benchmarks/step.py

CPU time, one process. "lexgym step" includes parsing, validation, transaction, both running oracles,
action mask and observation.
"""

import json
import time
from typing import Any

import gymnasium as gym
from gymnasium import spaces
from rich.console import Console
from rich.table import Table

from lexgym.registration import make_env, scenario

SCENARIOS = 10
ROUNDS = 30


class Floor(gym.Env[str, str]):
    """Parses a JSON action and does nothing else."""

    observation_space = spaces.Text(100)
    action_space = spaces.Text(1000)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        return "", {}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        call = json.loads(action)
        return call["name"], 0.0, False, False, {}


def measure(env: Any, episodes: list[tuple[dict[str, Any], list[str]]]) -> tuple[float, float]:
    """Return CPU µs per step and per reset."""
    steps = resets = 0
    stepping = resetting = 0.0
    for options, actions in episodes:
        env.reset(seed=0, options=options)
        for _ in range(ROUNDS):
            start = time.process_time()
            env.reset(seed=0, options=options)
            middle = time.process_time()
            for action in actions:
                env.step(action)
            resetting += middle - start
            stepping += time.process_time() - middle
            resets, steps = resets + 1, steps + len(actions)
    return 1e6 * stepping / steps, 1e6 * resetting / resets


def main() -> None:
    found = [scenario("finance", seed) for seed in range(SCENARIOS)]
    episodes = [({"scenario": item}, [json.dumps(call.to_json()) for call in item.calls]) for item in found]
    floor, _ = measure(Floor(), episodes)
    table = Table("what", "µs per step", "× floor", "µs per reset")
    table.add_row("floor: Gymnasium env that parses JSON", f"{floor:.1f}", "1.0", "")
    for name, options in (("lexgym step", {}), ("lexgym step, shaped reward", {"reward": "shaped"})):
        step, reset = measure(make_env("finance", **options), episodes)
        table.add_row(name, f"{step:.1f}", f"{step / floor:.1f}", f"{reset:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
