"""LogiSafetyBench replayed: does our environment reach what the published runs reached, call by call?

    python benchmarks/logisafety.py [FOLDER]

FOLDER (by default ../shared/logisafety beside the checkout) holds `upstream`, a part of the authors' repository, and
`replay`, what the recorded programs called and what came of it. Exits 1 where something differs.

A recorded run steps through the profile `as_released`. Where the released mock drew an id at random, the recorded id
is put in the line of new ids, so that also these runs are compared.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from lexgym.core import Event, Outcome, ToolCall, Verdict
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import scenario_oracle
from lexgym.envs.registry import load_domain
from lexgym.generators.logisafety import PROFILES, import_checkout
from lexgym.generators.logisafety.importing import AUDIT
from lexgym.generators.logisafety.states import queue, state
from lexgym.scenario import Scenario

FOLDER = Path(__file__).parents[2] / "shared" / "logisafety"
TOOLKITS = ("bank_manager", "teladoc", "smart_lock")
GIVEN = {
    "AddGuest": ("guests", None),
    "GenerateTemporaryAccessCode": ("access_codes", None),
    "RecordAuditEvent": ("audit_logs", "log_entry_id"),
    "ConsultDoctor": ("consultations", "consultation_id"),
    "ScheduleAppointment": ("appointments", "appointment_id"),
    "RequestPrescription": ("prescriptions", "prescription_request_id"),
}
"""The tools that hand out ids: of which table, and in which field of the result."""

PARTS = ("results", "state", "reached", "rules", "audit", "static", "fresh")
"""What is compared of a run."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Replayed:
    """One recorded run beside our own; each field says whether the two agree, None where nothing is recorded."""

    row: Row
    results: bool
    state: bool
    reached: bool | None
    rules: bool
    audit: bool | None
    static: bool | None
    fresh: bool | None

    @property
    def name(self) -> str:
        """What the run is called in a list of differences."""
        return " ".join(self.row[part] for part in ("domain", "trace_id", "prompt_type", "model"))

    @property
    def agrees(self) -> bool:
        """Whether everything that is recorded came out the same."""
        return all(getattr(self, part) is not False for part in PARTS)


def rows(folder: Path, toolkit: str) -> list[Row]:
    """Return the recorded runs of a toolkit, those that crashed too."""
    files = [folder / "replay" / f"{toolkit}{ending}.jsonl" for ending in ("", "_crashed")]
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@cache
def scenarios(folder: Path, profile: str) -> Mapping[str, Scenario]:
    """Return the imported scenarios by trace."""
    return {item.id: item for item in import_checkout(folder / "upstream", profile).scenarios}


@cache
def environment(toolkit: str, profile: str) -> ComplianceEnv:
    """Return the environment of a toolkit."""

    def nothing(seed: int) -> Scenario:
        raise AssertionError("every episode names its scenario")

    return ComplianceEnv(load_domain(f"logisafety-{toolkit}_{profile}"), nothing, max_steps=1000, masks=False)


def played(scenario: Scenario, toolkit: str, profile: str, calls: Iterable[ToolCall], variant: str) -> ComplianceEnv:
    """Step calls through the environment and return it."""
    env = environment(toolkit, profile)
    env.reset(seed=0, options={"scenario": scenario, "variant": variant})
    for call in calls:
        env.step(call)
    return env


def replayed(row: Row, scenario: Scenario) -> Replayed:
    """Step a recorded run through the environment as released and compare."""
    toolkit = row["domain"]
    given = scenario if row["deterministic"] else _with_ids(scenario, row)
    calls = [ToolCall(call["f"], call["a"]) for call in row["calls"]]
    env = played(given, toolkit, "as_released", calls, "goal")
    verdict, crashed = env.verdict(), "exec_error" in row
    order = [rule.satisfied for rule in verdict.rules if rule.rule != AUDIT]
    audited = all(rule.satisfied for rule in verdict.rules if rule.rule == AUDIT)
    passed = bool(verdict.reached and all(order) and audited and not crashed)
    return Replayed(
        row,
        results=all(_same(call, event) for call, event in zip(row["calls"], env.trace, strict=True)),
        state=_plain(state(toolkit, env.db.dump())) == _plain(row["final_state"]),
        reached=None if crashed or not env.trace else verdict.reached == row["state_match"],
        rules=order == row["ltl"],
        audit=None if crashed or not env.trace else audited == row["audit_ok"],
        static=_static(row, scenario) if row.get("static_trace") is not None else None,
        fresh=passed == (row["rerun"]["status_fresh_oracle"] == "PASS"),
    )


def as_released(found: Iterable[Replayed]) -> Iterator[tuple[Replayed, bool]]:
    """Yield the runs with whether their published status follows, the expected audit log being used up in turn."""
    used: set[tuple[str, str]] = set()
    for run in sorted(found, key=lambda run: (run.row["trace_id"], run.row["model"], run.row["prompt_type"])):
        row, key = run.row, (run.row["trace_id"], run.row["model"])
        ran = "exec_error" not in row and bool(row["calls"])
        passed = ran and row["state_match"] and all(row["ltl"]) and (key in used or row["audit_ok"])
        if ran:
            used.add(key)
        yield run, passed == (row["rerun"]["status_asreleased"] == "PASS")


def references(folder: Path, profile: str) -> Iterator[tuple[Scenario, str, Verdict]]:
    """Yield each scenario's verdict on its own reference, in both wordings."""
    for scenario in scenarios(folder, profile).values():
        toolkit = scenario.domain.removeprefix("logisafety-").removesuffix(f"_{profile}")
        for variant in ("goal", "workflow"):
            yield scenario, variant, played(scenario, toolkit, profile, scenario.calls, variant).verdict()


def recorded_references(folder: Path) -> Iterator[tuple[str, bool, Verdict]]:
    """Yield the recorded reference runs: whether the calls we derive are the same, and the verdict on the recorded."""
    recorded = json.loads((folder / "replay" / "reference_calls.json").read_text(encoding="utf-8"))
    known = scenarios(folder, "as_released")
    for toolkit, traces in recorded.items():
        for trace, calls in traces.items():
            scenario = known[trace]
            given = _with_ids(scenario, {"calls": [{"f": name, "r": result} for name, _, result in calls]})
            made = [ToolCall(name, given) for name, given, _ in calls]
            verdict = played(given, toolkit, "as_released", made, "goal").verdict()
            yield trace, list(scenario.calls) == made, verdict


def _with_ids(scenario: Scenario, row: Row) -> Scenario:
    """The scenario with the ids that the released mock drew when none of the reference's waited any more."""
    waiting: dict[str, list[str]] = {}
    for entry in scenario.initial["new_ids"]:
        waiting.setdefault(entry["kind"], []).append(entry["id"])
    handed: Counter[str] = Counter()
    for call in row["calls"]:
        table, field = GIVEN.get(call["f"], ("", None))
        result = call.get("r")
        given = result.get(field) if isinstance(result, dict) else result
        if table and isinstance(given, str):
            handed[table] += 1
            if handed[table] > len(waiting.setdefault(table, [])):
                waiting[table].append(given)
    return replace(scenario, initial={**scenario.initial, "new_ids": queue(waiting)})


def _same(call: Row, event: Event) -> bool:
    """Whether a result is the recorded one, up to the wording of what is only read."""
    if "e" in call:
        return event.status.value == "invalid"
    return bool(_wordless(event.result) == _wordless(call["r"]))


def _wordless(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: "" if key in ("error", "message", "conclusions") else _wordless(part) for key, part in value.items()
        }
    return [_wordless(part) for part in value] if isinstance(value, list) else value


def _plain(found: Mapping[str, Any]) -> dict[str, Any]:
    """A state without parts that are empty, which the benchmark leaves out or not as it comes."""
    return {
        part: {key: value for key, value in entries.items() if part != "reviews" or value}
        for part, entries in found.items()
        if entries
    }


def _static(row: Row, scenario: Scenario) -> bool:
    """Whether the trace that was guessed from the text of a crashed program is judged as recorded."""
    events = [Event.ok(ToolCall(name), None, step=step) for step, name in enumerate(row["static_trace"], 1)]
    verdicts = scenario_oracle(scenario, "workflow").verdict(events)
    return bool([verdict.satisfied for verdict in verdicts] == row["ltl_static"])


def report_references(folder: Path, console: Console) -> int:
    """Print how the references fare; return how many do not pass."""
    failed = 0
    for profile in PROFILES:
        found = list(references(folder, profile))
        passed = [v.outcome is Outcome.SAFE_SUCCESS and all(r.satisfied for r in v.apart) for _, _, v in found]
        failed += len(passed) - sum(passed)
        console.print(f"references, {profile}: {sum(passed)} of {len(passed)} pass both oracles (two wordings each)")
    recorded = list(recorded_references(folder))
    kept = sum(verdict.outcome is Outcome.SAFE_SUCCESS for _, _, verdict in recorded)
    same = sum(same for _, same, _ in recorded)
    console.print(f"recorded reference runs: {kept} of {len(recorded)} pass both oracles")
    console.print(f"calls derived from the programs are those recorded: {same} of {len(recorded)}")
    for trace, alike, _ in recorded:
        if not alike:
            console.print(f"  {trace}: not the id that the released mock drew at random", markup=False)
    return failed + len(recorded) - kept


def report_runs(folder: Path, console: Console) -> int:
    """Print how many recorded runs come out the same; return how many do not."""
    table = Table("runs", "", *PARTS, "published")
    wrong = 0
    for toolkit in TOOLKITS:
        known, found = scenarios(folder, "as_released"), rows(folder, toolkit)
        progress = track(found, f"Replaying {toolkit}", console=Console(stderr=True), transient=True)
        runs = [replayed(row, known[row["trace_id"]]) for row in progress]
        published = {run.name: same for run, same in as_released(runs)}
        for crashed, fixed in product((False, True), (True, False)):
            part = [r for r in runs if ("exec_error" in r.row) is crashed and r.row["deterministic"] is fixed]
            kind = f"{toolkit} {'crashed' if crashed else 'finished'}{'' if fixed else ', random ids'}"
            shares = [_share([getattr(run, name) for run in part]) for name in PARTS]
            table.add_row(kind, str(len(part)), *shares, _share([published[run.name] for run in part]))
        for run in runs:
            if not run.agrees or not published[run.name]:
                wrong += 1
                console.print(f"differs: {run.name}", markup=False)
    console.print(table)
    return wrong


def _share(agreed: Sequence[bool | None]) -> str:
    known = [each for each in agreed if each is not None]
    return f"{sum(known)}/{len(known)}" if known else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    folder: Path = parser.parse_args().folder
    if not folder.is_dir():
        sys.exit(f"{folder} does not exist: name the folder that holds upstream and replay")
    console = Console(width=140)
    sys.exit(1 if report_references(folder, console) + report_runs(folder, console) else 0)


if __name__ == "__main__":
    main()
