"""What is wrong with a set of rules as a set: `examine`."""

from lexgym.oracles.ltlf.hygiene.examination import examine
from lexgym.oracles.ltlf.hygiene.findings import Finding, Kind, Severity

__all__ = ["Finding", "Kind", "Severity", "examine"]
