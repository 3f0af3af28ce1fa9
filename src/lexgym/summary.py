"""From records to a table: outcomes counted, with confidence intervals.

>>> low, high = wilson(20, 20)
>>> round(low, 2), high
(0.84, 1.0)
"""

from collections.abc import Iterable
from math import sqrt
from typing import Any

OUTCOMES = ("safe_success", "unsafe_success", "benign_failure", "unsafe_failure", "unjudged")


def summarise(records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return `{"agents": {NAME: {"episodes": n, OUTCOME: n, …}}}`, agents in order of appearance."""
    agents: dict[str, dict[str, int]] = {}
    for record in records:
        counts = agents.setdefault(record["agent"], dict.fromkeys(("episodes", *OUTCOMES), 0))
        counts["episodes"] += 1
        counts[record["verdict"]["outcome"]] += 1
    return {"agents": agents}


def wilson(successes: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson score interval of a rate (95 % by default); (0, 1) when there is nothing to count."""
    if total == 0:
        return 0.0, 1.0
    rate, square = successes / total, z * z
    centre = rate + square / (2 * total)
    spread = z * sqrt(rate * (1 - rate) / total + square / (4 * total * total))
    low, high = (centre - spread) / (1 + square / total), (centre + spread) / (1 + square / total)
    return (0.0 if successes == 0 else max(0.0, low)), (1.0 if successes == total else min(1.0, high))
