"""The report page: one self-contained HTML file that shows which call broke which article.

    write_report(Path("runs/demo/report.html"), "lexgym · finance · goal wording", records)

Nothing in it depends on when or how fast the episodes were run. Records of older versions are shown as far as they go.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexgym.roster import about
from lexgym.summary import OUTCOMES, interval, rate, summarise

Record = dict[str, Any]

ORDER = ("unsafe_success", "unsafe_failure", "unjudged", "benign_failure", "safe_success")
"""Outcomes in the order in which a reader wants to see their episodes."""

MAX_TEXT = 400
"""Characters of a result or an argument that are shown; the log has the rest."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A step's part in a broken rule: `broke` where the rule could no longer be kept, else it mattered."""

    rule: str
    broke: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One call as it is shown; `status` is empty where the call succeeded."""

    number: int
    call: str
    status: str
    result: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken rule: for each slice, what happened and what would have kept it."""

    rule: str
    source: str
    sentence: str
    slices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Episode:
    """One record as it is shown."""

    record: Record
    broken: tuple[Broken, ...]
    apart: tuple[Record, ...]
    kept: tuple[Record, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """An agent: its counts, and its episodes by outcome."""

    name: str
    about: str
    counts: dict[str, int]
    unjudged: str
    groups: tuple[tuple[str, tuple[Episode, ...]], ...]


def write_report(path: Path, title: str, records: Sequence[Record]) -> None:
    """Write the page for these records to `path`."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("lexgym", "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(words=lambda name: name.replace("_", " "), pieces=lambda text: text.split("`"))
    environment.globals.update(rate=rate, interval=interval)
    page = environment.get_template("report.html.j2").render(
        title=title, outcomes=OUTCOMES, facts=facts(records), sections=sections(records)
    )
    path.write_text(page, encoding="utf-8")


def facts(records: Iterable[Record]) -> list[str]:
    """Return what was run: seeds of generated scenarios, trials, wording and the version of lexgym."""
    records = list(records)
    seeds = sorted({record["seed"] for record in records if _generated(record)})
    trials = 1 + max((record["trial"] for record in records), default=0)
    found = [
        f"{name} {value}" for name, value in (("seeds", ranges(seeds)), ("trials", trials)) if value and value != 1
    ]
    for name in ("domain", "variant", "lexgym"):
        values = sorted({str(record[name]) for record in records if name in record})
        found += [f"{'wording' if name == 'variant' else name} {', '.join(values)}"] if values else []
    return found


def _generated(record: Record) -> bool:
    """Whether the scenario is named after its seed; in a suite made elsewhere the seed says nothing."""
    return "seed" in record and str(record["scenario"]).endswith(f"-{record['seed']:05d}")


def ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers with runs of them joined: `0–19, 40`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return ", ".join("–".join(map(str, run)) for run in runs)


def sections(records: Sequence[Record]) -> list[Section]:
    """Return the agents in order of appearance, the episodes of each with the telling outcomes first."""
    summary = summarise(records)
    found = []
    for name, counts in summary["agents"].items():
        own = [record for record in records if record["agent"] == name]
        groups = tuple(
            (outcome, tuple(episode(record) for record in own if record["verdict"]["outcome"] == outcome))
            for outcome in ORDER
            if counts[outcome]
        )
        found.append(Section(name, about(name), counts, summary["unjudged"].get(name, ""), groups))
    return found


def episode(record: Record) -> Episode:
    """Return a record as it is shown."""
    explanations = record.get("explanations", {})
    rules = record["verdict"]["rules"]
    broken = sorted((rule for rule in rules if not rule["satisfied"]), key=lambda rule: rule["witness"] or 0)
    marks = _marks(broken, explanations)
    return Episode(
        record,
        tuple(_broken(rule, explanations.get(rule["rule"], ())) for rule in broken),
        tuple(rule for rule in record["verdict"].get("apart", ()) if not rule["satisfied"]),
        tuple(rule for rule in rules if rule["satisfied"]),
        tuple(_step(event, marks.get(event["step"], ())) for event in record["events"]),
    )


def shown(value: Any) -> str:
    """Return a value as JSON with its characters as they are, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… ({len(text):,} characters, all in the log)"


def _step(event: Record, marks: Iterable[Mark]) -> Step:
    arguments = ", ".join(f"{name}={shown(value)}" for name, value in event["arguments"].items())
    call = f"{event['name']}({arguments})" if event["name"] else f"no call: {shown(event['arguments'].get('text', ''))}"
    result, status = event["result"], event["status"]
    if status == "ok":
        return Step(event["step"], call, "", shown(result), tuple(marks))
    return Step(event["step"], call, status, f"{result['code']}: {result['message']}", tuple(marks))


def _marks(broken: Iterable[Record], explanations: Record) -> dict[int, list[Mark]]:
    """Return, for each step, the broken rules that it broke or mattered to."""
    found: dict[int, list[Mark]] = {}
    for rule in broken:
        slices = explanations.get(rule["rule"], ())
        broke = {rule["witness"], *(one["permanent_at"] for one in slices)}
        for step in sorted({*broke, *(step for one in slices for step in one["relevant"])} - {None, 0}):
            found.setdefault(step, []).append(Mark(rule["rule"], step in broke))
    return found


def _broken(rule: Record, slices: Sequence[Record]) -> Broken:
    """What happened in a slice is left out where the verdict's sentence says as much."""
    told = len(slices) == 1 and slices[0]["relevant"] == [rule["witness"]]
    found = tuple(("" if told else happened, repair) for happened, repair in map(_slice, slices))
    return Broken(rule["rule"], rule["source"], rule["sentence"].removesuffix(f": {rule['source']}"), found)


def _slice(why: Record) -> tuple[str, str]:
    """Return what happened and the repair; older records have the repair only within the text."""
    text, _, tail = why["text"].partition("repair: ")
    happened = text.removesuffix("shortest ").removesuffix("a ").removesuffix("; ")
    return happened, why.get("repair", tail) or ""
