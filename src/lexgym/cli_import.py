"""`lexgym import`: published benchmarks, read from a checkout of one's own, as suites."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

import_app = typer.Typer(no_args_is_help=True, help="Make a suite of a published benchmark that you have checked out.")
_console = Console(emoji=False)
_errors = Console(stderr=True, emoji=False)


@import_app.callback()
def imports() -> None:
    """Make a suite of a published benchmark that you have checked out."""


@import_app.command("logisafety")
def logisafety_command(
    path: Annotated[Path, typer.Argument(help="A checkout of github.com/dasong-sd/LOGISAFETYGEN.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", file_okay=False, help="Folder of the suite.")],
    profile: Annotated[
        str, typer.Option(help="How the toolkits behave and judge: fair or as_released; see docs/logisafety.md.")
    ] = "fair",
    as_json: Annotated[bool, typer.Option("--json", help="Print what was found as JSON.")] = False,
) -> None:
    """Import LogiSafetyBench: 3 toolkits, 40 tasks each, in two wordings.

    The suite stays under the licence of its source, GPL-3.0. Example:

      lexgym import logisafety LOGISAFETYGEN -o suites/logisafety
      lexgym run --suite suites/logisafety --agents reference,naive,idle
    """
    from lexgym.generators.logisafety import importing
    from lexgym.suites import Suite, write_suite

    work = importing.Work(path, profile)
    for task in track(work.tasks, "Importing tasks", console=_errors, transient=True, disable=as_json):
        work.add(task)
    found = work.result()
    suite = Suite(
        name=f"logisafety-{profile}",
        version=found.version,
        scenarios=found.scenarios,
        splits={"test": tuple(scenario.id for scenario in found.scenarios)},
        source=found.source,
    )
    sha = write_suite(out, suite)
    counts = Counter(scenario.domain for scenario in found.scenarios)
    if as_json:
        data = {"suite": str(out), "sha256": sha, "scenarios": counts, "remarks": found.remarks}
        sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")
        return
    for domain, count in counts.items():
        _say(f"{domain}: {count} scenarios")
    for remark in found.remarks:
        _say(f"note: {remark}")
    _say(f"Suite: {out}   licence: GPL-3.0, as its source")


def _say(text: str) -> None:
    _console.print(text, markup=False, highlight=False, soft_wrap=True)
