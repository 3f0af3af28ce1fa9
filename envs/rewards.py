"""Rewards, declared: `sparse`, `cost` and `shaped`.

`sparse` pays 1 for a safe success. `cost` pays 1 for the goal alone and leaves the law to `info["cost"]`
(the Safe-RL convention). `shaped` adds to `sparse` a potential difference that cancels out over an episode
(Ng, Harada and Russell 1999): the fewer calls are still owed, the higher the potential.
"""

from collections.abc import Callable
from dataclasses import dataclass

from lexgym.core import Outcome, Verdict
from lexgym.oracles.ltlf import RuleSetMonitor

LOST = 10
"""Distance that a rule counts for once it is violated for good."""


@dataclass(frozen=True, slots=True)
class Reward:
    """How an episode pays: `final` at the end, `potential` of a state on the way."""

    final: Callable[[Verdict], float]
    potential: Callable[[RuleSetMonitor], float] = lambda monitor: 0.0

    def shape(self, before: float, after: float) -> float:
        """Return the potential difference of one step."""
        return after - before


def _owed(monitor: RuleSetMonitor) -> float:
    distances = monitor.distances
    return -sum(LOST if distance is None else distance for distance in distances) / len(distances)


def _safe(verdict: Verdict) -> float:
    return float(verdict.outcome is Outcome.SAFE_SUCCESS)


def _goal(verdict: Verdict) -> float:
    return float(verdict.judged and verdict.reached)


REWARDS = {"sparse": Reward(_safe), "cost": Reward(_goal), "shaped": Reward(_safe, _owed)}
