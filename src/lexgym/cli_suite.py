"""The command line: `lexgym suite build`, `lexgym suite audit` and `lexgym suite show`."""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from lexgym.generators.audit import Audit

suite_app = typer.Typer(no_args_is_help=True, help="Suites: frozen sets of scenarios, built, shown and audited.")
_console = Console(emoji=False)
_errors = Console(stderr=True, emoji=False)

PROCESSES = min(os.cpu_count() or 1, 8)

SHOWN = 12
"""Groups of findings, and quotas that are not met, that are printed; --json and --html have all."""

WIDE = 120
"""Characters of what a suite says of its source that are printed; --json has all."""

_STYLES = {"error": "red", "warning": "yellow", "note": "dim"}

Processes = Annotated[int, typer.Option(min=1, help="How many processes work on it; the result is the same.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]

_BUILD = """Examples:

lexgym suite build core

lexgym suite build core --domain iot --per-domain 20 -o suites/iot

lexgym suite build --recipe my.toml -o suites/mine"""


@suite_app.command("build", epilog=_BUILD)
def build_command(
    name: Annotated[str | None, typer.Argument(help="A recipe that comes with lexgym: core or small.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", file_okay=False, help="Folder; by default suites/NAME.")
    ] = None,
    recipe: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="A recipe of your own.")] = None,
    domain: Annotated[str | None, typer.Option(help="Only these domains, separated by commas.")] = None,
    per_domain: Annotated[int | None, typer.Option(min=1, help="Scenarios of each domain.")] = None,
    candidates: Annotated[int | None, typer.Option(min=1, help="Seeds of each domain to choose from.")] = None,
    processes: Processes = PROCESSES,
    freeze: Annotated[bool, typer.Option("--freeze", help="Write the scenarios' hashes beside the recipe.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build a suite from a recipe; an interrupted build continues, and the same recipe gives the same bytes.

    Exits 1 where the recipe's suite is frozen and other scenarios came out.
    """
    from dataclasses import replace

    from lexgym.frozen import differences, frozen_path
    from lexgym.frozen import freeze as write_frozen
    from lexgym.recipes import SUITES, build, find_recipe, require_room
    from lexgym.suites import write_suite

    if (name is None) == (recipe is None):
        raise typer.BadParameter("name one of ours, or a file with --recipe", param_hint="'NAME'")
    found, path = find_recipe(name, recipe)
    own = found.scaled(domains=_listed(domain), per_domain=per_domain)
    if candidates is not None:
        own = replace(own, candidates=max(candidates, own.per_domain))
    if freeze and own != found:
        raise typer.BadParameter("only a recipe as it is written can be frozen", param_hint="--freeze")
    folder = out or SUITES / own.name
    require_room(folder, own)
    work = folder.parent / f"{folder.name}.candidates"
    with _progress(quiet=as_json) as progress:
        tasks = {each: progress.add_task(f"Generating {each}", total=own.candidates) for each in own.domains}
        suite, short = build(own, work, processes=processes, advance=lambda each: progress.advance(tasks[each]))
    sha = write_suite(folder, suite)
    shutil.rmtree(work)
    frozen = frozen_path(path)
    if freeze:
        write_frozen(suite, frozen)
    compared = own == found and frozen.exists()
    differ = differences(suite, frozen) if compared else ()
    if as_json:
        data = {"folder": str(folder), "count": len(suite.scenarios), "sha256": sha, "short": short}
        state = None if not compared else not differ
        sys.stdout.write(json.dumps({**data, "frozen": state, "differences": differ}, ensure_ascii=False) + "\n")
    else:
        _say_built(folder, len(suite.scenarios), sha, short)
        _say_frozen(differ, compared=compared, freezable=own == found)
    if differ:
        raise typer.Exit(1)


def _say_built(folder: Path, count: int, sha: str, short: list[str]) -> None:
    _say(f"{count} scenarios in {folder}, SHA-256 {sha[:12]}…")
    if short:
        _say(f"{len(short)} quotas of the recipe are not met; more candidates may help (--candidates):")
        _several(short)


def _say_frozen(differ: tuple[str, ...], *, compared: bool, freezable: bool) -> None:
    if differ:
        _say("these are not the frozen scenarios:")
        _several(differ)
    elif compared:
        _say("these are the frozen scenarios, byte for byte")
    elif freezable:
        _say("this recipe's suite is not frozen yet; --freeze does it")


@suite_app.command("audit")
def audit_command(
    suite: Annotated[str, typer.Argument(help="A suite's folder, or the name of a built suite such as core.")],
    html: Annotated[Path | None, typer.Option(dir_okay=False, help="Write a page for people.")] = None,
    processes: Processes = PROCESSES,
    as_json: AsJson = False,
) -> None:
    """Run every condition of acceptance again, on a suite of ours or of anybody; an interrupted audit continues.

    Exits 1 where something is wrong. Examples:

      lexgym suite audit core --html audit.html

      lexgym suite audit suites/theirs --json
    """
    from lexgym.audit_page import write_page
    from lexgym.generators.audit import audited, checked
    from lexgym.recipes import find_suite
    from lexgym.suites import read_suite

    folder = find_suite(suite)
    held = read_suite(folder)
    work = Path("runs") / f"audit-{folder.resolve().name}.jsonl"
    checks = []
    with _progress(quiet=as_json) as progress:
        task = progress.add_task("Auditing scenarios", total=len(held.scenarios))
        for item in checked(held.scenarios, work, processes=processes):
            checks.append(item)
            progress.advance(task)
    found = audited(held.scenarios, held.splits, checks)
    work.unlink()
    if html is not None:
        write_page(html, held, found)
    if as_json:
        head = {"suite": held.name, "version": held.version}
        sys.stdout.write(json.dumps({**head, **found.to_json()}, ensure_ascii=False) + "\n")
    else:
        _say_audit(held.name, held.version, found)
        if html is not None:
            _say(f"Page: {html}")
    if found.wrong:
        raise typer.Exit(1)


def _say_audit(name: str, version: str, found: "Audit") -> None:
    from lexgym.audit_page import conditions, findings_by_kind

    _say(f"suite {name}, version {version}")
    table = Table("condition", "holds in", box=box.SIMPLE_HEAD, show_edge=False)
    table.add_row("scenarios", f"{found.scenarios:,}, of which {found.refusals:,} to be refused")
    for condition in conditions(found):
        style = "green" if condition.holds else "red"
        table.add_row(condition.what, f"[{style}]{condition.said}[/{style}]")
    _console.print(table)
    heads = ("made", "break\na rule", "caught", "end\nelsewhere", "caught", "harmless", "pass")
    mutants = Table("mutants", *heads, box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    mutants.columns[0].no_wrap = True
    for kind, tally in found.mutants.items():
        mutants.add_row(kind, *map("{:,}".format, tally.to_json().values()))
    if found.mutants:
        _console.print(mutants)
    groups = findings_by_kind(found)
    for group in groups[:SHOWN]:
        style = _STYLES[group.severity]
        head = f"[{style}]{group.severity}[/{style}] [bold]{group.kind}[/bold] ({len(group.findings)}): {group.meaning}"
        _console.print(head, highlight=False, soft_wrap=True)
        _several([f"{item.scenario or 'the suite'}: {item.reason}" for item in group.findings], most=3)
    counts = ", ".join(f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in found.counts.items())
    _say(counts)


@suite_app.command("show")
def show_command(
    suite: Annotated[str | None, typer.Argument(help="A suite's folder or name; without it, what there is.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a suite is made of, or which recipes and suites there are."""
    from lexgym.recipes import DATA, SUITES, find_suite, recipe_names
    from lexgym.suites import MANIFEST, read_suite

    if suite is None:
        table = Table("recipe", "suite", "what it is")
        for name in recipe_names():
            there = str(SUITES / name) if (SUITES / name / MANIFEST).exists() else "not built"
            first = (DATA / f"{name}.toml").read_text(encoding="utf-8").partition("\n")[0]
            table.add_row(name, there, first.removeprefix("# "))
        for path in sorted(SUITES.glob(f"*/{MANIFEST}")):
            if path.parent.name not in recipe_names():
                table.add_row("", str(path.parent), "")
        _console.print(table)
        return
    folder = find_suite(suite)
    held = read_suite(folder)
    domains = {name: [s.id for s in held.scenarios if s.domain == name] for name in held.domains}
    parts = {"all": [s.id for s in held.scenarios], **{name: list(ids) for name, ids in held.splits.items()}}
    counts = {name: {split: len(set(ids) & set(own)) for split, own in parts.items()} for name, ids in domains.items()}
    if as_json:
        data = {"suite": held.name, "version": held.version, "folder": str(folder), "counts": counts}
        sys.stdout.write(json.dumps({**data, "source": dict(held.source)}, ensure_ascii=False) + "\n")
        return
    _say(f"suite {held.name}, version {held.version}, in {folder}: {len(held.scenarios)} scenarios, two wordings each")
    table = Table("domain", *parts, "to be refused")
    for name, row in counts.items():
        refused = sum(s.domain == name and s.forbidden is not None for s in held.scenarios)
        table.add_row(name, *map(str, row.values()), str(refused))
    _console.print(table)
    own = sum(bool(scenario.own_rules) for scenario in held.scenarios)
    if own:
        _say(f"{own} of {len(held.scenarios)} scenarios bring rules of their own, by which they are judged")
    for key, value in held.source.items():
        if value:
            _say(f"{key}: {_brief(value)}")


def _brief(value: Any) -> str:
    """Return a value as text; of one with many parts, how many there are."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    many = isinstance(value, Mapping | list) and len(text) > WIDE
    return f"{len(value)} entries; --json prints them" if many else text


def _listed(text: str | None) -> tuple[str, ...] | None:
    """Return the domains that are named, None where all of the recipe's are meant."""
    if text is None:
        return None
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if not names:
        raise typer.BadParameter("no domain is named", param_hint="--domain")
    return names


def _say(text: str) -> None:
    _console.print(text, markup=False, highlight=False, soft_wrap=True)


def _several(lines: Any, most: int = SHOWN) -> None:
    """Print lines, and how many more there are than can be read."""
    for line in lines[:most]:
        _say(f"  {line}")
    if len(lines) > most:
        _say(f"  … and {len(lines) - most} more")


def _progress(*, quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=_errors, transient=True, disable=quiet)
