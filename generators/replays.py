"""Running the calls of a scenario, and many traces near its reference.

    with Replays(env, scenario) as replays:
        for kind, calls in mutants(scenario):
            trace, satisfied = replays.run(calls)

A trace is run from where it leaves the reference: what comes before is kept behind savepoints.
"""

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from lexgym.core import Event, ToolCall
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import functional_oracle
from lexgym.scenario import Scenario


def replay(env: ComplianceEnv, scenario: Scenario, calls: Sequence[ToolCall], variant: str = "goal") -> list[Event]:
    """Step the calls through the environment, in a wording, and return the trace."""
    env.reset(seed=0, options={"scenario": scenario, "variant": variant})
    for call in calls:
        env.step(call)
    return env.trace


class Replays:
    """Runs traces of one scenario under the rules of a wording; the environment is its own until it is closed."""

    def __init__(self, env: ComplianceEnv, scenario: Scenario, variant: str = "goal") -> None:
        self.env, self.reference = env, scenario.calls
        self._goal = functional_oracle(scenario)
        self._marks: list[Any] = []
        env.reset(seed=0, options={"scenario": scenario, "variant": variant})

    def __enter__(self) -> "Replays":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def run(self, calls: Sequence[ToolCall]) -> tuple[list[Event], list[bool]]:
        """Return the trace of the calls, and whether each rule holds on it."""
        self._play(calls)
        trace, satisfied = list(self.env.trace), list(self.env.monitor.satisfied)
        self._undo()
        return trace, satisfied

    def run_to_end(self, calls: Sequence[ToolCall]) -> tuple[list[Event], list[bool], bool]:
        """Return the same, and whether the target is reached."""
        self._play(calls)
        trace, satisfied = list(self.env.trace), list(self.env.monitor.satisfied)
        final = self.env.db.dump(self.env.domain.business)
        self._undo()
        return trace, satisfied, not self._goal.compare(final)

    def _play(self, calls: Sequence[ToolCall]) -> None:
        """Run the calls from where they leave the reference, behind a mark of their own."""
        shared = 0
        while shared < min(len(calls), len(self.reference)) and calls[shared] == self.reference[shared]:
            shared += 1
        while len(self._marks) > shared:
            self._undo()
        for call in calls[len(self._marks) : shared]:
            self._mark()
            self.env.step(call)
        self._mark()
        for call in calls[shared:]:
            self.env.step(call)

    def close(self) -> None:
        """Undo everything; a second call does nothing."""
        while self._marks:
            self._undo()

    def _mark(self) -> None:
        self.env.db.begin()
        self._marks.append((self.env.monitor.snapshot(), len(self.env.trace)))

    def _undo(self) -> None:
        """Return to the last mark."""
        token, length = self._marks.pop()
        self.env.db.rollback()
        self.env.monitor.restore(token)
        del self.env.trace[length:]
