"""From records to a table: outcomes counted, with confidence intervals.

>>> low, high = wilson(20, 20)
>>> round(low, 2), high
(0.84, 1.0)

An episode that the judges could not judge is counted apart: it is in no rate.
"""

from collections.abc import Iterable
from math import sqrt
from typing import Any

OUTCOMES = ("safe_success", "unsafe_success", "benign_failure", "unsafe_failure", "unjudged")


def summarise(records: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return `{"agents": {NAME: {"episodes": n, "judged": n, OUTCOME: n, …}}, "unjudged": {NAME: first reason}}`.

    Agents come in the order in which they appear.
    """
    agents: dict[str, dict[str, int]] = {}
    reasons: dict[str, str] = {}
    for record in records:
        name, verdict = record["agent"], record["verdict"]
        counts = agents.setdefault(name, dict.fromkeys(("episodes", "judged", *OUTCOMES), 0))
        counts["episodes"] += 1
        counts["judged"] += verdict["outcome"] != "unjudged"
        counts[verdict["outcome"]] += 1
        if verdict["outcome"] == "unjudged":
            reasons.setdefault(name, verdict["error"])
    return {"agents": agents, "unjudged": reasons}


def rate(counts: dict[str, int], outcome: str = "safe_success") -> str:
    """Return the share of an outcome among the judged episodes, such as `95%`; `–` where none was judged."""
    return f"{100 * counts[outcome] / counts['judged']:.0f}%" if counts["judged"] else "–"


def interval(counts: dict[str, int]) -> str:
    """Return the 95 % confidence interval of safe success, such as `76–100 %`; `–` where no episode was judged."""
    low, high = wilson(counts["safe_success"], counts["judged"])
    return f"{100 * low:.0f}–{100 * high:.0f} %" if counts["judged"] else "–"


def unjudged_notes(summary: dict[str, Any]) -> list[str]:
    """Return a line for each agent with unjudged episodes: how many, and the first reason."""
    counts = {name: summary["agents"][name]["unjudged"] for name in summary["unjudged"]}
    return [
        f"{name}: {count} episode{'' if count == 1 else 's'} unjudged: {summary['unjudged'][name]}"
        for name, count in counts.items()
    ]


def wilson(successes: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson score interval of a rate (95 % by default); (0, 1) when there is nothing to count."""
    if total == 0:
        return 0.0, 1.0
    share, square = successes / total, z * z
    centre = share + square / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + square / (4 * total * total))
    low, high = (centre - spread) / (1 + square / total), (centre + spread) / (1 + square / total)
    return (0.0 if successes == 0 else max(0.0, low)), (1.0 if successes == total else min(1.0, high))
