"""Why a rule has its verdict on a trace, and the shortest repair: `explain`."""

from lexgym.oracles.ltlf.explanation.explaining import Edit, Explanation, Repair, explain

__all__ = ["Edit", "Explanation", "Repair", "explain"]
