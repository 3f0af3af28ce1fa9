"""The command line: `lexgym run`, `list`, `show`, `rescore` and `coverage`; the rest in files of its own."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from lexgym import __version__
from lexgym.cli_fuzz import fuzz_command
from lexgym.cli_import import import_app
from lexgym.cli_model import TIMEOUT, Timeout, told
from lexgym.cli_reword import reword_command
from lexgym.cli_rules import rules_app
from lexgym.cli_suite import suite_app
from lexgym.errors import DomainError, LexgymError, LogError, SuiteError, near_miss
from lexgym.log import key
from lexgym.roster import AGENTS, split_agents
from lexgym.scenario import Scenario
from lexgym.summary import OUTCOMES, interval, rate, unjudged_notes

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_show_locals=False)
app.add_typer(rules_app, name="rules")
app.command("fuzz")(fuzz_command)
app.command("reword")(reword_command)
app.add_typer(import_app, name="import")
app.add_typer(suite_app, name="suite")
_console = Console(emoji=False)
_errors = Console(stderr=True, emoji=False)

INTERRUPTED = 130
"""The exit code after SIGINT, as shells have it."""

_UsageProblem: type[Any] = typer.BadParameter.__mro__[2]
"""The base of what typer says of a wrong command line; where it lives differs between typer's versions."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lexgym {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Agents that must reach the goal and keep the law."""


@app.command("run")
def run_command(
    domain: Annotated[
        str | None,
        typer.Option(help="Which domain to run; see lexgym list.", show_default="finance, or all of the suite"),
    ] = None,
    agents: Annotated[
        str, typer.Option(help=f"Comma-separated agents: {', '.join(AGENTS)}.", show_default="the first five")
    ] = "reference,naive,shielded,random,idle",
    episodes: Annotated[
        int | None, typer.Option(min=1, help="Scenarios per agent.", show_default="20, or all of the suite")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the first scenario.", show_default="0")] = None,
    suite: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder of a suite to run instead of generated scenarios.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Which split of the suite; all of it by default.")] = None,
    variant: Annotated[str, typer.Option(help="Wording: goal or workflow.")] = "goal",
    trials: Annotated[int, typer.Option(min=1, help="Trials per scenario.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            file_okay=False,
            help="Folder for log and report; by default runs/DOMAIN-VARIANT-seedN or runs/SUITE-VARIANT.",
        ),
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible server.")] = None,
    mode: Annotated[str, typer.Option(help="How a model calls tools: tools or json.")] = "tools",
    strict: Annotated[bool, typer.Option(help="Have the server enforce the tools' schemas.")] = False,
    timeout: Timeout = TIMEOUT,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Evaluate agents on generated scenarios or a suite; an interrupted run continues when started again.

    Exits 1 where all episodes of an agent are unjudged. Examples:

      lexgym run --domain iot --episodes 5
      lexgym run --agents naive,shielded --variant workflow --out runs/mine
      lexgym run --suite suites/core --split test
      lexgym run --agents openai:gpt-4o-mini --trials 3
      lexgym run --agents openai:m --base-url http://127.0.0.1:8000/v1 --mode json
    """
    from lexgym.agents.factory import make_agent
    from lexgym.choice import choose
    from lexgym.evaluation import check_agents, evaluate, judged
    from lexgym.runs import require_same_run, write_results

    if variant not in ("goal", "workflow"):
        raise typer.BadParameter(f"{variant!r} is no wording: goal or workflow", param_hint="--variant")
    if mode not in ("tools", "json"):
        raise typer.BadParameter(f"{mode!r} is no mode: tools or json", param_hint="--mode")
    names = split_agents(agents)
    make = partial(
        make_agent,
        base_url=base_url,
        mode=cast(Literal["tools", "json"], mode),
        strict=strict,
        timeout=timeout,
        tell=told(_errors),
    )
    check_agents(names, make)
    if suite is None and split is not None:
        raise typer.BadParameter("a split is of a suite: name its folder with --suite", param_hint="--split")
    if suite is not None and seed is not None:
        raise typer.BadParameter("the scenarios of a suite are given: leave --seed out", param_hint="--seed")
    choice = choose(suite, split, domain, seed, episodes)
    folder = out or choice.folder(variant)
    log = folder / "log.jsonl"
    require_same_run(folder, domains=choice.digests, variant=variant)
    before = judged(log)
    with _progress(quiet=as_json) as progress:
        task = progress.add_task("Generating scenarios", total=choice.count)
        scenarios = choice.scenarios(folder, partial(progress.advance, task))
        task = progress.add_task("Running episodes", total=len(names) * choice.count * trials)
        run = evaluate(
            names,
            scenarios,
            log=log,
            variant=variant,
            trials=trials,
            make=make,
            settings={"mode": mode, "strict": strict},
        )
        keys = []
        for record in run:
            keys.append(key(record))
            progress.update(task, advance=1, description=f"Running {record['agent']}")
    summary = write_results(folder, f"lexgym · {choice.name} · {variant} wording")
    _say_run(summary, scenarios, folder, known=sum(each in before for each in keys), asked=len(keys), as_json=as_json)
    if any(not summary["agents"][name]["judged"] for name in names):
        raise typer.Exit(1)


def _say_run(
    summary: dict[str, Any], scenarios: list[Scenario], folder: Path, *, known: int, asked: int, as_json: bool
) -> None:
    """Print what a run found, with JSON the remarks apart from it."""
    held = sum(counts["episodes"] for counts in summary["agents"].values())
    remarks = unjudged_notes(summary)
    if known:
        remarks.append(f"{known} of {asked} episodes were already in the log")
    if held > asked:
        remarks.append(f"table and report show all {held} episodes of the log, {asked} of which this run is about")
    declined = sum(item.forbidden is not None for item in scenarios)
    if declined:
        remarks.append(f"{declined} of {len(scenarios)} requests are unlawful: there the goal is to decline, on record")
    if as_json:
        sys.stdout.write(json.dumps(summary) + "\n")
    else:
        _console.print(outcome_table(summary))
    for remark in remarks:
        (_errors if as_json else _console).print(remark, markup=False, highlight=False, soft_wrap=True)
    if not as_json:
        _console.print(f"Report: {folder / 'report.html'}   Log: {folder / 'log.jsonl'}", markup=False, soft_wrap=True)


@app.command("list")
def list_command() -> None:
    """List the domains and the names of their environments; exits 1 where the folder of one is wrong."""
    from lexgym.envs.registry import domain_names, load_domain, toolkit_names

    table = Table("domain", "environment", "tools", "safety-\ncritical", "rules", "what it is")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    wrong = []
    for name in domain_names():
        try:
            domain = load_domain(name)
        except DomainError as error:
            wrong.append(str(error))
            continue
        numbers = [str(len(part)) for part in (domain.tools, domain.safety_critical, domain.rules)]
        table.add_row(name, f"lexgym/{domain.id}-v0", *numbers, domain.title)
    _console.print(table)
    played = [name[len("logisafety-") : -len("_fair")] for name in toolkit_names() if name.endswith("_fair")]
    _console.print(
        f"lexgym/LogiSafety-v0 plays what `lexgym import logisafety` makes; its toolkits: {', '.join(played)}",
        soft_wrap=True,
    )
    for message in wrong:
        _errors.print(f"error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


@app.command("show")
def show_command(
    scenario: Annotated[str, typer.Argument(help="A scenario id such as finance-00007.")],
    suite: Annotated[Path | None, typer.Option(file_okay=False, help="Folder of the suite that has it.")] = None,
) -> None:
    """Show a scenario: both wordings, and the reference with its safety steps marked.

    Examples:

      lexgym show finance-00007
      lexgym show finance-1000007 --suite suites/core
    """
    found = _of_suite(suite, scenario) if suite else _generated(scenario)
    for variant, text in sorted(found.instructions.items()):
        _console.print(f"[bold]{variant}[/bold]  {escape(text)}\n", highlight=False)
    for i, step in enumerate(found.reference, 1):
        _console.print(f"{i:>3} {'safety  ' if step.safety else 'business'} {step.call}", markup=False, soft_wrap=True)
    if found.forbidden:
        because = f"{found.forbidden.check} says no" if found.forbidden.check else "the law allows it in no case"
        _console.print(f"    must not be done, since {because}: {found.forbidden.call}", markup=False, soft_wrap=True)


def _of_suite(folder: Path, name: str) -> Scenario:
    from lexgym.suites import read_suite

    held = {item.id: item for item in read_suite(folder).scenarios}
    if name not in held:
        raise SuiteError(f"{folder} has no scenario {name!r}{near_miss(name, held)}")
    return held[name]


def _generated(name: str) -> Scenario:
    from lexgym.registration import scenario

    domain, _, number = name.rpartition("-")
    if not number.isdecimal() or len(number) > 18:
        raise typer.BadParameter(f"{name!r} is no scenario id; one looks like finance-00007", param_hint="'SCENARIO'")
    return scenario(domain, int(number))


@app.command("rescore")
def rescore_command(
    log: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A run's log.jsonl.")],
) -> None:
    """Replay every episode of a log in a fresh environment; exits 1 where a verdict differs.

    Example: lexgym rescore runs/demo/log.jsonl
    """
    from lexgym.evaluation import rescore, verdict_json
    from lexgym.log import read_log
    from lexgym.runs import read_scenarios

    scenarios = {item.id: item for item in read_scenarios(log.parent / "scenarios.jsonl")}
    differ = 0
    records = read_log(log)
    if not records:
        raise LogError(f"{log} has no episode: run the agents again")
    replayed = [record for record in records if record["verdict"]["error"] is None]
    for record in replayed:
        if record["scenario"] not in scenarios:
            raise LogError(f"{log}: no scenario {record['scenario']!r} in {log.parent / 'scenarios.jsonl'}")
        now = verdict_json(rescore(record, scenarios[record["scenario"]]))
        if now != record["verdict"]:
            differ += 1
            change = f"{record['verdict']['outcome']} → {now['outcome']}"
            _console.print(f"{record['agent']} on {record['scenario']}: {change}", markup=False, soft_wrap=True)
    apart = f", {len(records) - len(replayed)} unjudged left out" if len(records) > len(replayed) else ""
    _console.print(f"{len(replayed)} episodes replayed, {differ} differ{apart}")
    if differ:
        raise typer.Exit(1)


@app.command("coverage")
def coverage_command(
    domain: Annotated[
        str | None, typer.Option(help="Which domain to look at.", show_default="finance, or that of the suite")
    ] = None,
    scenarios: Annotated[
        int | None, typer.Option(min=1, help="How many scenarios.", show_default="200, or all of the suite")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the first scenario.", show_default="0")] = None,
    suite: Annotated[
        Path | None, typer.Option(file_okay=False, help="Folder of a suite to look at instead of generated scenarios.")
    ] = None,
    out: Annotated[Path | None, typer.Option(file_okay=False, help="Folder that keeps the scenarios.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers and names as JSON.")] = False,
) -> None:
    """Show what scenarios reach of a domain; one that was interrupted continues when started again.

    Examples:

      lexgym coverage --domain iot
      lexgym coverage --suite suites/logisafety --domain logisafety-teladoc_fair
    """
    from lexgym.choice import choose
    from lexgym.envs.registry import load_domain
    from lexgym.generators.coverage import Coverage

    if suite is not None and seed is not None:
        raise typer.BadParameter("the scenarios of a suite are given: leave --seed out", param_hint="--seed")
    choice = choose(suite, None, domain, seed, scenarios if suite else scenarios or 200)
    name, *others = sorted({item.domain for item in choice.given} or choice.digests)
    if others:
        several = f"the suite has several: name one of {', '.join([name, *others])}"
        raise typer.BadParameter(several, param_hint="--domain")
    coverage = Coverage(load_domain(name))
    with _progress(quiet=as_json) as progress:
        task = progress.add_task("Generating scenarios", total=choice.count)
        folder = out or Path("runs") / f"coverage-{choice.name}{'' if suite else f'-seed{choice.seed}'}"
        found = choice.scenarios(folder, partial(progress.advance, task))
        task = progress.add_task("Running references", total=len(found))
        for item in found:
            coverage.add(item)
            progress.update(task, advance=1)
    coverage.close()
    parts = coverage.parts()
    if as_json:
        sys.stdout.write(json.dumps({part.name: part.to_json() for part in parts}, ensure_ascii=False) + "\n")
        return
    table = Table(f"reached by {'the suite' if suite else 'generated scenarios'}", "reached", "of", "share")
    for part in parts:
        share = len(part.reached) / len(part.reachable) if part.reachable else 1.0
        table.add_row(part.name, str(len(part.reached)), str(len(part.reachable)), f"{100 * share:.1f} %")
    _console.print(table)
    for part in parts:
        if part.never and part.name != "adjacent pairs":
            _console.print(f"{part.name} never reached: {', '.join(part.never)}", soft_wrap=True, markup=False)
    _console.print("The pairs never reached are listed by --json.")


def outcome_table(summary: dict[str, Any]) -> Table:
    """Return the table of outcomes, with the 95 % confidence interval of safe success; it fits 80 columns.

    Rates are those of the `n` episodes that were judged.
    """
    agents = summary["agents"]
    shown = OUTCOMES[:-1]
    unjudged = ["unjudged"] if summary["unjudged"] else []
    table = Table("agent", "n", *(o.replace("_", "\n") for o in shown), *unjudged, "safe success\n95 % interval")
    table.columns[0].no_wrap = True
    for name, counts in agents.items():
        cells = [f"{counts[o]} ({rate(counts, o)})" if counts[o] else "–" for o in shown]
        cells += [str(counts["unjudged"] or "–") for _ in unjudged]
        table.add_row(escape(name), str(counts["judged"]), *cells, interval(counts))
    return table


def _progress(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=_errors, transient=True, disable=quiet)


def main() -> None:
    """Run the command line; every error starts with `error:` and exits 2."""
    try:
        code = app(standalone_mode=False)
    except (LexgymError, OSError, _UsageProblem) as error:
        if type(error).__name__ != "NoArgsIsHelpError":
            _errors.print(f"error: {_message(error)}", style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
    except typer.Abort:
        code = INTERRUPTED
    if code == INTERRUPTED:
        _errors.print("interrupted; what was kept is taken up again by the same command", highlight=False)
    sys.exit(code)


def _message(error: Any) -> str:
    match error:
        case LexgymError():
            return "\n".join([str(error), *getattr(error, "__notes__", ())])
        case OSError():
            if error.filename is None:
                raise error
            return f"{error.filename}: {error.strerror}"
        case _:
            context = getattr(error, "ctx", None)
            return f"{error.format_message().rstrip('.')} (see {context.command_path if context else 'lexgym'} --help)"
