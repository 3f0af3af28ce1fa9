"""The command line: `lexgym run`, `list`, `show`, `rescore` and `coverage`."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from lexgym.cli_rules import rules_app
from lexgym.errors import LexgymError, LogError
from lexgym.scenario import Scenario
from lexgym.summary import OUTCOMES, summarise, wilson

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Agents that must reach the goal and keep the law.")
app.add_typer(rules_app, name="rules")
_console = Console()
_errors = Console(stderr=True)


@app.command("run")
def run_command(
    domain: Annotated[str, typer.Option(help="Which domain to run.")] = "finance",
    agents: Annotated[str, typer.Option(help="Comma-separated agents.")] = "reference,naive,shielded,random,idle",
    episodes: Annotated[int, typer.Option(min=1, help="Scenarios per agent.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first scenario.")] = 0,
    variant: Annotated[str, typer.Option(help="Wording: goal or workflow.")] = "goal",
    trials: Annotated[int, typer.Option(min=1, help="Trials per scenario.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder for log, scenarios and report.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible server.")] = None,
    mode: Annotated[str, typer.Option(help="How a model calls tools: tools or json.")] = "tools",
    strict: Annotated[bool, typer.Option(help="Have the server enforce the tools' schemas.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Evaluate agents on generated scenarios; an interrupted run continues when started again."""
    from lexgym.agents.factory import make_agent
    from lexgym.evaluation import evaluate
    from lexgym.report import write_report

    if variant not in ("goal", "workflow"):
        raise typer.BadParameter(f"{variant!r} is no wording: goal or workflow", param_hint="--variant")
    if mode not in ("tools", "json"):
        raise typer.BadParameter(f"{mode!r} is no mode: tools or json", param_hint="--mode")
    names = [name.strip() for name in agents.split(",") if name.strip()]
    folder = out or Path("runs") / f"{domain}-{variant}-seed{seed}"
    make = partial(make_agent, base_url=base_url, mode=cast(Literal["tools", "json"], mode), strict=strict)
    with _progress(quiet=as_json) as progress:
        scenarios = _scenarios(domain, seed, episodes, folder, progress)
        task = progress.add_task("Running episodes", total=len(names) * episodes * trials)
        records = []
        for record in evaluate(names, scenarios, log=folder / "log.jsonl", variant=variant, trials=trials, make=make):
            records.append(record)
            progress.update(task, advance=1, description=f"Running {record['agent']}")
    summary = summarise(records)
    (folder / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    write_report(folder / "report.html", f"lexgym · {domain} · {variant} wording", records)
    if as_json:
        sys.stdout.write(json.dumps(summary) + "\n")
        return
    _console.print(outcome_table(summary))
    _console.print(f"Report: {folder / 'report.html'}   Log: {folder / 'log.jsonl'}", soft_wrap=True)


@app.command("list")
def list_command() -> None:
    """List the domains."""
    from lexgym.envs.registry import domain_names, load_domain

    table = Table("domain", "environment", "tools", "safety-critical", "rules", "what it is")
    for name in domain_names():
        domain = load_domain(name)
        numbers = [str(len(part)) for part in (domain.tools, domain.safety_critical, domain.rules)]
        table.add_row(name, f"lexgym/{domain.id}-v0", *numbers, domain.title)
    _console.print(table)


@app.command("show")
def show_command(scenario: Annotated[str, typer.Argument(help="A scenario id such as finance-00007.")]) -> None:
    """Show a scenario: both wordings, and the reference with its safety steps marked."""
    from lexgym.registration import scenario as generated

    domain, _, number = scenario.rpartition("-")
    if not number.isdigit():
        raise typer.BadParameter(f"{scenario!r} is no scenario id; one looks like finance-00007")
    found = generated(domain, int(number))
    for variant, text in sorted(found.instructions.items()):
        _console.print(f"[bold]{variant}[/bold]  {text}\n", highlight=False)
    for i, step in enumerate(found.reference, 1):
        _console.print(f"{i:>3} {'safety  ' if step.safety else 'business'} {step.call}", markup=False, soft_wrap=True)
    if found.forbidden:
        because = f"{found.forbidden.check} says no"
        _console.print(f"    must not be done, since {because}: {found.forbidden.call}", markup=False, soft_wrap=True)


@app.command("rescore")
def rescore_command(
    log: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A run's log.jsonl.")],
) -> None:
    """Replay every episode of a log in a fresh environment; exits 1 where a verdict differs."""
    from lexgym.evaluation import read_log, rescore, verdict_json

    scenarios = {item.id: item for item in read_scenarios(log.parent / "scenarios.jsonl")}
    differ = 0
    records = read_log(log)
    for record in records:
        if record["verdict"]["error"] is not None:
            continue
        if record["scenario"] not in scenarios:
            raise LogError(f"{log}: no scenario {record['scenario']!r} in {log.parent / 'scenarios.jsonl'}")
        now = verdict_json(rescore(record, scenarios[record["scenario"]]))
        if now != record["verdict"]:
            differ += 1
            _console.print(
                f"{record['agent']} on {record['scenario']}: {record['verdict']['outcome']} → {now['outcome']}"
            )
    _console.print(f"{len(records)} episodes replayed, {differ} differ")
    if differ:
        raise typer.Exit(1)


@app.command("coverage")
def coverage_command(
    domain: Annotated[str, typer.Option(help="Which domain to look at.")] = "finance",
    scenarios: Annotated[int, typer.Option(min=1, help="How many scenarios to generate.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first scenario.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder that keeps the scenarios.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers and names as JSON.")] = False,
) -> None:
    """Show what generated scenarios reach of a domain; one that was interrupted continues when started again."""
    from lexgym.envs.registry import load_domain
    from lexgym.generators.coverage import Coverage

    coverage = Coverage(load_domain(domain))
    with _progress(quiet=as_json) as progress:
        found = _scenarios(domain, seed, scenarios, out or Path("runs") / f"coverage-{domain}-seed{seed}", progress)
        task = progress.add_task("Running references", total=len(found))
        for item in found:
            coverage.add(item)
            progress.update(task, advance=1)
    coverage.close()
    parts = coverage.parts()
    if as_json:
        sys.stdout.write(json.dumps({part.name: part.to_json() for part in parts}, ensure_ascii=False) + "\n")
        return
    table = Table("reached by generated scenarios", "reached", "of", "share")
    for part in parts:
        share = len(part.reached) / len(part.reachable) if part.reachable else 1.0
        table.add_row(part.name, str(len(part.reached)), str(len(part.reachable)), f"{100 * share:.1f} %")
    _console.print(table)
    for part in parts:
        if part.never and part.name != "adjacent pairs":
            _console.print(f"{part.name} never reached: {', '.join(part.never)}", soft_wrap=True, markup=False)
    _console.print("The pairs never reached are listed by --json.")


def read_scenarios(path: Path) -> list[Scenario]:
    """Read a file of scenarios, one per line; a last line that was cut off while being written is left out."""
    if not path.exists():
        return []
    whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")
    return [Scenario.from_json(line) for line in whole.split("\n") if line]


def outcome_table(summary: dict[str, Any]) -> Table:
    """Return the table of outcomes, with the 95 % confidence interval of safe success; it fits 80 columns."""
    agents = summary["agents"]
    shown = [o for o in OUTCOMES if o != "unjudged" or any(counts[o] for counts in agents.values())]
    table = Table("agent", "n", *(outcome.replace("_", "\n") for outcome in shown), "safe success\n95 % interval")
    table.columns[0].no_wrap = True
    for name, counts in agents.items():
        cells = [f"{counts[o]} ({100 * counts[o] / counts['episodes']:.0f}%)" if counts[o] else "–" for o in shown]
        low, high = wilson(counts["safe_success"], counts["episodes"])
        table.add_row(name, str(counts["episodes"]), *cells, f"{100 * low:.0f}–{100 * high:.0f} %")
    return table


def _scenarios(domain: str, seed: int, episodes: int, folder: Path, progress: Progress) -> list[Scenario]:
    """Generate the scenarios, or take those that the folder has already."""
    from lexgym.envs.registry import load_domain
    from lexgym.registration import scenario

    path = folder / "scenarios.jsonl"
    digest = load_domain(domain).digest
    known = {item.seed: item for item in read_scenarios(path) if item.domain == domain and item.digest == digest}
    task = progress.add_task("Generating scenarios", total=episodes)
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    path.write_text("".join(known[key].to_json() + "\n" for key in sorted(known)), encoding="utf-8")
    with path.open("a", encoding="utf-8") as file:
        for number in range(seed, seed + episodes):
            if number not in known:
                known[number] = scenario(domain, number)
                file.write(known[number].to_json() + "\n")
                file.flush()
            found.append(known[number])
            progress.update(task, advance=1)
    return found


def _progress(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=_errors, transient=True, disable=quiet)


def main() -> None:
    """Run the command line; lexgym's own errors are printed without a traceback."""
    try:
        app()
    except LexgymError as error:
        _errors.print(f"error: {error}", style="red", markup=False, soft_wrap=True)
        sys.exit(2)
