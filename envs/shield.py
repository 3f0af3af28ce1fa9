"""A shield: a wrapper that makes lawful what an agent wants to do, or refuses it.

Before each call it asks the rules' automata whether the call would break one for good. If so it
inserts the calls that unlock it, tried on a copy of the database first. Where a check says no, or a rule allows it
in no case, and the domain declares how such a call is refused, it makes that check and the record instead of the
call; else it stops the call. At `finish` it makes the calls that are still owed, where possible so that the rules
that are judged apart are kept as well. Inserted calls are real steps of the episode; none of them states a fact that
nobody told, such as an emergency.
"""

import json
import random
from typing import Any

import gymnasium as gym

from lexgym.core import FINISH, Event, ToolCall
from lexgym.envs.environment import ComplianceEnv, Step
from lexgym.envs.planner import Ground, Planner
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
        """Insert what the action needs, then make it; or have it refused on record; or stop it."""
        try:
            call = self.base.domain.tools.parse(action)
        except MalformedCall:
            return self._pass(action)
        planned = self._plan(call)
        if planned is not None:
            return self._run(planned)
        declined = self._decline(call)
        if declined is None:
            return self._stop(call)
        ground, calls = declined
        observation, reward, terminated, truncated, info = self._run(calls)
        message = f"{call.name} was not made, since {ground.because}; on record ({ground.reason})"
        refused = Event.refused(call, "declined", message)
        return {**observation, "result": _text(refused, self.base.trace[-1])}, reward, terminated, truncated, info

    def _run(self, calls: list[ToolCall]) -> Step:
        total, cost = 0.0, 0
        for call in calls:
            observation, reward, terminated, truncated, info = self.env.step(call)
            total, cost = total + float(reward), cost + info["cost"]
            if terminated or truncated:
                break
        return observation, total, terminated, truncated, {**info, "cost": cost}

    def _plan(self, call: ToolCall) -> list[ToolCall] | None:
        if call.name == FINISH:
            return [*self._owed(), call]
        db, monitor, past = self.base.db.fork(), self.base.monitor.fork(), list(self.base.trace)
        planner = self._planner()
        try:
            db.begin()
            event = self.base.seen(self.base.domain.tools.execute(db, call, step=len(past) + 1))
            db.rollback()
            if not monitor.peek(event) and not monitor.dooms(event):
                return [call]
            events = planner.lawful(db, monitor, call, past)
        finally:
            db.close()
        return None if events is None else [event.call for event in events]

    def _pass(self, action: Any) -> Step:
        """Make what is no valid call, unless it counts for the rules and would break one."""
        db = self.base.db.fork()
        try:
            event = self.base.domain.tools.attempt(db, action, step=len(self.base.trace) + 1)
        finally:
            db.close()
        if event is not None and self.base.monitor.peek(self.base.seen(event)):
            return self._stop(event.call)
        return self.env.step(action)  # type: ignore[return-value]

    def _owed(self) -> list[ToolCall]:
        """Return the calls that are still owed, by the rules that are judged apart too if that can be."""
        past, whole = list(self.base.trace), self.base.whole_monitor()
        for monitor in (*([whole] if whole else []), self.base.monitor.fork()):
            db = self.base.db.fork()
            try:
                owed = self._planner().discharge(db, monitor, past)
            finally:
                db.close()
            if owed is not None:
                return [event.call for event in owed]
        return []

    def _decline(self, call: ToolCall) -> tuple[Ground, list[ToolCall]] | None:
        """Return why the call must be refused, and the calls to make instead; None where the domain has no way."""
        db, monitor, past = self.base.db.fork(), self.base.monitor.fork(), list(self.base.trace)
        planner = self._planner()
        try:
            for ground in planner.grounds(db, monitor, call, past):
                events = planner.decline(db, monitor, call, past, ground) if ground.reason else None
                return (ground, [event.call for event in events]) if events else None
        finally:
            db.close()
        return None

    def _planner(self) -> Planner:
        return Planner(self.base.domain, random.Random(len(self.base.trace)), sparing=True)

    def _stop(self, call: ToolCall) -> Step:
        message = f"{call.name} was stopped: it would break a rule and nothing that could be done first allows it"
        observation = {
            "instruction": self.base._instruction,
            "result": _text(Event.refused(call, "shielded", message)),
            "step": len(self.base.trace),
        }
        return observation, 0.0, False, False, self.base._info(0)


def _text(refused: Event, record: Event | None = None) -> str:
    shown = {"status": refused.status.value, **refused.result}
    return json.dumps(shown | ({"record": record.result} if record else {}), ensure_ascii=False)
