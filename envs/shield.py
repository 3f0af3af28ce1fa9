"""A shield: a wrapper that makes lawful what an agent wants to do, or refuses it.

Before each call it asks the rules' automata whether the call would break one for good. If so it
inserts the calls that unlock it, tried on a copy of the database first; if there are none it refuses the
call. At `finish` it makes the calls that are still owed. Inserted calls are real steps of the episode.
"""

import json
import random
from typing import Any

import gymnasium as gym

from lexgym.core import FINISH, Event, ToolCall
from lexgym.envs.environment import ComplianceEnv, Step
from lexgym.envs.planner import Planner
from lexgym.errors import MalformedCall


class Shield(gym.Wrapper[dict[str, Any], Any, dict[str, Any], Any]):
    """Wraps a `ComplianceEnv`; step by step it inserts or refuses."""

    def __init__(self, env: gym.Env[dict[str, Any], Any]) -> None:
        super().__init__(env)
        base = env.unwrapped
        if not isinstance(base, ComplianceEnv):
            raise TypeError(f"Shield wraps a ComplianceEnv, not a {type(base).__name__}")
        self.base = base

    def step(self, action: Any) -> Step:
        """Insert what the action needs, then make it; or refuse it."""
        try:
            call = self.base.domain.tools.parse(action)
        except MalformedCall:
            return self.env.step(action)  # type: ignore[return-value]
        planned = self._plan(call)
        if planned is None:
            return self._refuse(call)
        total, cost = 0.0, 0
        for each in planned:
            observation, reward, terminated, truncated, info = self.env.step(each)
            total, cost = total + float(reward), cost + info["cost"]
            if terminated or truncated:
                break
        return observation, total, terminated, truncated, {**info, "cost": cost}

    def _plan(self, call: ToolCall) -> list[ToolCall] | None:
        db, monitor, past = self.base.db.fork(), self.base.monitor.fork(), list(self.base.trace)
        planner = Planner(self.base.domain, random.Random(len(past)))
        try:
            if call.name == FINISH:
                owed = planner.discharge(db, monitor, past)
                return [*(event.call for event in owed or ()), call]
            event = self.base.domain.tools.execute(db, call, step=len(past) + 1)
            if not monitor.peek(event) and not monitor.dooms(event):
                return [call]
        finally:
            db.close()
        fork = self.base.db.fork()
        try:
            events = planner.lawful(fork, monitor, call, past)
        finally:
            fork.close()
        return None if events is None else [event.call for event in events]

    def _refuse(self, call: ToolCall) -> Step:
        message = f"{call.name} was stopped: it would break a rule and nothing that could be done first allows it"
        event = Event.refused(call, "shielded", message)
        observation = {
            "instruction": self.base._instruction,
            "result": json.dumps({"status": event.status.value, **event.result}),
            "step": len(self.base.trace),
        }
        return observation, 0.0, False, False, {"cost": 0, "action_mask": self.base.action_mask()}
