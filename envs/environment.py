"""The environment: an episode of tool calls on a hidden database, judged by both oracles.

    env = gymnasium.make("lexgym/Finance-v0")
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step({"name": "list_providers", "arguments": {}})

`info` at reset holds tool schemas and policy text; every step's `info` holds `cost` (rules newly violated
for good) and `action_mask`; the last one the `verdict`. Never the rules, the target or the reference.
"""

import json
import marshal
from collections.abc import Callable
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np
from gymnasium import spaces

from lexgym.core import FINISH, Event, Verdict
from lexgym.envs.domain import Domain
from lexgym.envs.fitting import filled
from lexgym.envs.judge import (
    apart_oracle,
    functional_oracle,
    judge,
    require_version,
    safety_oracle,
    scenario_oracle,
    whole_oracle,
)
from lexgym.envs.rewards import REWARDS
from lexgym.envs.spaces import ToolCallSpace, UnicodeText
from lexgym.errors import EpisodeError, ScenarioError, near_miss
from lexgym.oracles.functional import FunctionalOracle
from lexgym.oracles.ltlf import Explanation, RuleSetMonitor
from lexgym.oracles.safety import SafetyOracle
from lexgym.scenario import VARIANTS, Scenario
from lexgym.tools.database import Database, Snapshot

Source: TypeAlias = Callable[[int], Scenario]
"""Returns the scenario of a seed."""

Step: TypeAlias = tuple[dict[str, Any], float, bool, bool, dict[str, Any]]


class ComplianceEnv(gym.Env[dict[str, Any], Any]):
    """A Gymnasium environment over one domain.

    `source` gives the scenario of a seed where `reset` is not handed one; `reward` is `sparse`, `cost` or
    `shaped`; `variant` is the wording, `goal` or `workflow`. Without `masks`, `info` has no `action_mask`,
    which saves the time that it takes.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        domain: Domain,
        source: Source,
        *,
        variant: str = "goal",
        reward: str = "sparse",
        max_steps: int = 100,
        masks: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"no reward {reward!r}{near_miss(reward, REWARDS)}")
        if variant not in VARIANTS:
            raise ValueError(f"no wording {variant!r}{near_miss(variant, VARIANTS)}")
        self.domain, self.source, self.variant = domain, source, variant
        self.reward, self.max_steps, self.render_mode = REWARDS[reward], max_steps, render_mode
        self.masks = masks
        self.calls = ToolCallSpace(domain)
        self.action_space = self.calls
        self.observation_space = spaces.Dict(
            {"instruction": UnicodeText(), "result": UnicodeText(), "step": spaces.Discrete(max_steps + 1)}
        )
        self.db = Database(domain.schema)
        self.trace: list[Event] = []
        self.scenario: Scenario | None = None
        self._use(safety_oracle(domain.name))
        self._over = True
        self._schemas = marshal.dumps(domain.tools.schemas)
        self._goal: FunctionalOracle | None = None
        self._prepared: tuple[Scenario, Snapshot, dict[str, list[Any]]] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode; `options` may hold `scenario` (a `Scenario` or its JSON text) and `variant`."""
        super().reset(seed=seed)
        self._over = True
        options = options or {}
        scenario = options.get("scenario")
        if isinstance(scenario, str):
            scenario = Scenario.from_json(scenario)
        if scenario is None:
            scenario = self.source(seed if seed is not None else int(self.np_random.integers(2**31)))
        if not isinstance(scenario, Scenario):
            kind = type(scenario).__name__
            raise ScenarioError(f"options: 'scenario' is a {kind}; expected a Scenario or its JSON text")
        self._played = options.get("variant", self.variant)
        self._instruction = scenario.instruction(self._played)
        self._prepare(scenario)
        self.trace, self._over = [], False
        self.monitor.restore(self._fresh)
        info = {
            "tools": marshal.loads(self._schemas),
            "policy": scenario.policy or self.domain.manual,
            "scenario": scenario.id,
            **self._info(0),
        }
        return self._observe(""), info

    def step(self, action: Any) -> Step:
        """Run one action in any accepted form; raise `EpisodeError` before reset and after the end."""
        if self._over:
            state = "reset() comes first" if self.scenario is None else "the episode is over: call reset()"
            raise EpisodeError(f"step: {state}")
        before = self.reward.potential(self.monitor)
        event = self.domain.tools.attempt(self.db, action, step=len(self.trace) + 1)
        if event is None:
            return self._end(before, 0, terminated=True)
        self.db.clock += self.domain.tick
        self.trace.append(event)
        cost = len(self.monitor.step(self.seen(event)))
        if len(self.trace) >= self.max_steps:
            return self._end(before, cost, terminated=False)
        shaping = self.reward.shape(before, self.reward.potential(self.monitor))
        return self._observe(_text(event)), shaping, False, False, self._info(cost)

    def action_mask(self) -> Any:
        """Return, for each name in `calls.names`, 0 where no successful call leaves all rules keepable."""
        forbidden = self.monitor.forbidden
        mask = self._masks.get(forbidden)
        if mask is None:
            named = {*self._oracle.compiled.tools, FINISH}
            allowed = [(name if name in named else None) not in forbidden for name in self.calls.names]
            mask = np.array(allowed, dtype=np.int8)
            self._masks[forbidden] = mask
        return mask.copy()

    def explain(self) -> dict[str, list[Explanation]]:
        """Return, for each rule that the episode breaks so far, why, and what would have kept it."""
        return self._oracle.explain(self.trace)

    def verdict(self) -> Verdict:
        """Return what the oracles would say if the episode ended now."""
        if self.scenario is None:
            raise EpisodeError("verdict: reset() comes first")
        return judge(self.scenario, self.trace, self.db.dump(self.domain.business), self._goal, self._played)

    def seen(self, event: Event) -> Event:
        """Return an event as the rules see it, which may count what was refused as made."""
        return self._oracle.seen((event,))[0]

    def whole_monitor(self) -> RuleSetMonitor | None:
        """Return a monitor of the trace so far under those rules too that are judged apart, None where none are."""
        if self.scenario is None:
            raise EpisodeError("whole_monitor: reset() comes first")
        if apart_oracle(self.scenario, self._played) is None:
            return None
        oracle = whole_oracle(self.scenario, self._played)
        monitor = oracle.compiled.monitor()
        for event in oracle.seen(self.trace):
            monitor.step(event)
        return monitor

    def render(self) -> str | None:
        """Return the trace so far as text, one call a line."""
        if self.render_mode != "ansi":
            return None
        lines = [f"{event.step:>3}  {event.call}\n     → {_text(event)}" for event in self.trace]
        return "\n".join([self._instruction if self.scenario else "", *lines])

    def close(self) -> None:
        """Free the database; a second call does nothing."""
        self.db.close()

    def _prepare(self, scenario: Scenario) -> None:
        if self._prepared is None or self._prepared[0] is not scenario:
            if scenario.domain != self.domain.name:
                raise EpisodeError(f"this is {self.domain.name!r}, the scenario is of {scenario.domain!r}")
            require_version(scenario)
            db = filled(scenario, self.domain)
            vocabulary = {
                f"{name}.{table.key[0]}": [row[table.key[0]] for row in scenario.initial[name]]
                for name, table in self.domain.schema.tables.items()
            }
            self._prepared = (scenario, db.snapshot(), vocabulary)
            self._goal = functional_oracle(scenario)
            db.close()
        _, snapshot, self.calls.vocabulary = self._prepared
        self.db.restore(snapshot)
        self.scenario = scenario
        oracle = scenario_oracle(scenario, self._played)
        if oracle is not self._oracle:
            self._use(oracle)

    def _use(self, oracle: SafetyOracle) -> None:
        """Judge by this oracle from now on."""
        self._oracle = oracle
        self.monitor: RuleSetMonitor = oracle.compiled.monitor()
        self._fresh = self.monitor.snapshot()
        self._masks: dict[frozenset[str | None], Any] = {}

    def _info(self, cost: int) -> dict[str, Any]:
        return {"cost": cost, "action_mask": self.action_mask()} if self.masks else {"cost": cost}

    def _observe(self, result: str) -> dict[str, Any]:
        return {"instruction": self._instruction, "result": result, "step": len(self.trace)}

    def _end(self, before: float, cost: int, *, terminated: bool) -> Step:
        self._over = True
        verdict = self.verdict()
        reward = self.reward.final(verdict) + self.reward.shape(before, 0.0)
        info = {**self._info(cost), "verdict": verdict}
        result = _text(self.trace[-1]) if self.trace and not terminated else '{"status": "finished"}'
        return self._observe(result), reward, terminated, not terminated, info


def _text(event: Event) -> str:
    if event.status.value == "ok":
        return json.dumps({"status": "ok", "result": event.result}, ensure_ascii=False)
    return json.dumps({"status": event.status.value, **event.result}, ensure_ascii=False)
