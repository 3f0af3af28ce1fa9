"""The audit of a suite: every condition of acceptance run again, by whoever the scenarios were made.

checks = [check(scenario) for scenario in suite.scenarios]
found = audited(suite.scenarios, suite.splits, checks)
found.findings, found.mutants["drop safety"].caught
"""

from lexgym.generators.audit.checked import Checked
from lexgym.generators.audit.checking import check, checked
from lexgym.generators.audit.findings import Finding, Kind, Severity
from lexgym.generators.audit.tallies import Tally
from lexgym.generators.audit.whole import Audit, audited

__all__ = ["Audit", "Checked", "Finding", "Kind", "Severity", "Tally", "audited", "check", "checked"]
