"""A run's folder: which run it belongs to, and the summary and report of everything in its log.

runs/finance-goal-seed0/
    log.jsonl         one line for each episode, appended
    scenarios.jsonl   the scenarios, for `lexgym rescore`
    summary.json      outcomes counted, for each agent
    report.html       which call broke which article
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lexgym.errors import LogError, ScenarioError
from lexgym.log import latest, read_log
from lexgym.report import write_report
from lexgym.scenario import Scenario
from lexgym.summary import summarise


def require_same_run(folder: Path, *, domains: Mapping[str, str], variant: str) -> None:
    """Raise `LogError` where the folder's log is of another domain, another version of one, or another wording.

    `domains` has the digest of each domain by name.
    """
    log = folder / "log.jsonl"
    for record in read_log(log) if log.exists() else ():
        for name, wanted in (("domain", [*domains]), ("variant", [variant])):
            if record[name] not in wanted:
                this = ", ".join(map(repr, wanted))
                raise LogError(
                    f"{log} holds a run with {name} {record[name]!r}, this one has {this}: use another folder"
                )
        if record["digest"] != domains[record["domain"]]:
            raise LogError(f"{log} was run on another version of domain {record['domain']!r}: use another folder")


def read_scenarios(path: Path) -> list[Scenario]:
    """Read a file of scenarios, one per line; a last line that was cut off while being written is left out."""
    if not path.exists():
        return []
    whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")
    found = []
    for number, line in enumerate(whole.split("\n") if whole else (), 1):
        try:
            found.append(Scenario.from_json(line))
        except ScenarioError as error:
            raise type(error)(f"{path}: line {number}: {error}; or use another folder") from None
    return found


def write_results(folder: Path, title: str) -> dict[str, Any]:
    """Write `summary.json` and `report.html` from all that the log holds; return the summary."""
    records = latest(read_log(folder / "log.jsonl"))
    summary = summarise(records)
    (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    write_report(folder / "report.html", title, records)
    return summary
