"""The command line: `lexgym rules check` and `lexgym rules explain`."""

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from lexgym.cli_extract import EXTRACT, REVIEW, extract_command, review_command
from lexgym.core import Rule
from lexgym.errors import DomainError, FormulaError, StateLimitExceeded, near_miss

if TYPE_CHECKING:
    from lexgym.explanations import RuleExplained
    from lexgym.oracles.ltlf.hygiene import Finding
    from lexgym.oracles.ltlf.rule import RuleAutomaton
    from lexgym.rule_files import Target

rules_app = typer.Typer(no_args_is_help=True, help="Rules: what they say, and whether they make sense together.")
rules_app.command("extract", epilog=EXTRACT)(extract_command)
rules_app.command("review", epilog=REVIEW)(review_command)
_console = Console()
_errors = Console(stderr=True)

PATIENCE = 2.0
"""Seconds after which a progress bar appears."""

MAX_ROWS = 40
"""Rows of a transition table on the terminal."""

UNCHECKED = "tool and argument names were not checked; pass --domain or --tools"

_STYLES = {"error": "red", "warning": "yellow", "note": "dim"}

What = Annotated[
    str, typer.Argument(help="A domain, a file of rules (YAML, JSON, or one formula a line), or a formula.")
]
Tools = Annotated[Path | None, typer.Option(help="Check names against OpenAI tool schemas, a JSON list.")]
Domain = Annotated[str | None, typer.Option(help="Check names against the tools of this domain.")]

_CHECK = """Examples:

lexgym rules check finance

lexgym rules check my-rules.yaml --domain finance

lexgym rules check 'G(pay -> F note)'"""

_EXPLAIN = """Examples:

lexgym rules explain finance dynamic-linking

lexgym rules explain '(!pay) W check' --out pictures

lexgym rules explain my-rules.yaml --domain finance --json"""


@rules_app.command("check", epilog=_CHECK)
def check_command(
    target: What,
    domain: Domain = None,
    tools: Tools = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Find rules that conflict, say nothing or say nothing new; exits 1 on an error, 2 if there is nothing to check."""
    from lexgym.oracles.ltlf.hygiene import examine

    found = _target(target, domain, tools)
    with _patience("Comparing rules", quiet=as_json) as progress:
        findings = examine(found.rules, found.signature, progress)
    counts = {name: sum(finding.severity == name for finding in findings) for name in _STYLES}
    if as_json:
        listed = [_finding_json(finding) for finding in findings]
        head = {"target": target, "rules": len(found.rules), "names_checked": found.signature is not None}
        sys.stdout.write(json.dumps({**head, **counts, "findings": listed}) + "\n")
    else:
        if findings:
            _console.print(findings_table(findings))
        said = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count)
        many = "1 rule" if len(found.rules) == 1 else f"{len(found.rules)} rules"
        _console.print(f"{many} of {target}: {said or 'nothing to report'}", markup=False, soft_wrap=True)
        _say_unchecked(found)
    if counts["error"]:
        raise typer.Exit(1)


@rules_app.command("explain", epilog=_EXPLAIN)
def explain_command(
    target: What,
    rule: Annotated[str | None, typer.Argument(help="One rule's id; without it all are explained.")] = None,
    domain: Domain = None,
    tools: Tools = None,
    out: Annotated[Path | None, typer.Option(file_okay=False, help="Folder for the automaton's picture (SVG).")] = None,
    dot: Annotated[bool, typer.Option("--dot", help="Write the picture as DOT too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the explanations as JSON.")] = False,
) -> None:
    """Show a rule: formula, English, automaton, a trace that keeps it and one that breaks it."""
    from lexgym.explanations import explained

    if dot and out is None:
        raise typer.BadParameter("a picture needs a folder: --out DIR", param_hint="--dot")
    found = _target(target, domain, tools)
    rules = [item for item in found.rules if rule in (None, item.id)] or _no_rule(str(rule), found)
    taken: set[str] = set()
    listed = []
    for number, item in enumerate(rules):
        shown = explained(item, _compiled(item, found), found.signature)
        drawn = [] if out is None else _draw(shown.automaton, out, _file_name(item.id, taken), dot=dot)
        if as_json:
            listed.append({**shown.to_json(), "pictures": drawn})
            continue
        if number:
            _console.print()
        _show(shown)
        for path in drawn:
            _line("picture", path)
    if as_json:
        sys.stdout.write(json.dumps({"target": target, "rules": listed}, ensure_ascii=False) + "\n")
    else:
        _say_unchecked(found)


def _target(target: str, domain: str | None, tools: Path | None) -> "Target":
    from lexgym.rule_files import rules_of_target

    if domain is not None and tools is not None:
        raise typer.BadParameter("--domain and --tools both say which tools there are: pass one", param_hint="--tools")
    return rules_of_target(target, domain, tools)


def _no_rule(name: str, found: "Target") -> list[Rule]:
    raise DomainError(f"{found.name} has no rule {name!r}{near_miss(name, [rule.id for rule in found.rules])}")


def _compiled(rule: Rule, found: "Target") -> "RuleAutomaton":
    """Compile a rule; an error names it, unless the rule is all that was asked about."""
    from lexgym.oracles.ltlf.rule import compile_rule

    try:
        return compile_rule(rule.formula, found.signature)
    except FormulaError as error:
        if rule.id == rule.formula:
            raise
        raise FormulaError(f"rule {rule.id!r} of {found.name}: {error}") from error


def _say_unchecked(found: "Target") -> None:
    if found.signature is None:
        _console.print(f"note: {UNCHECKED}", style="dim", markup=False, soft_wrap=True)


def findings_table(findings: Sequence["Finding"]) -> Table:
    """Return the findings as a table that fits 80 columns."""
    table = Table("", "finding", "rules", "what it is", box=box.SIMPLE_HEAD, show_edge=False, expand=False)
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    table.columns[2].overflow = "fold"
    table.columns[2].max_width = 24
    for finding in findings:
        style = _STYLES[finding.severity]
        shown = [*finding.rules[:4], *([f"… {len(finding.rules) - 4} more"] if len(finding.rules) > 4 else [])]
        what = escape(finding.sentence)
        if finding.kind == "subsumed" and finding.witness:
            keeps, breaks = finding.rules
            calls = ", ".join(finding.witness)
            what += f"\n[dim]{escape(f'keeps `{keeps}` and breaks `{breaks}`: {calls}')}[/dim]"
        severity = f"[{style}]{finding.severity.value}[/{style}]"
        table.add_row(severity, finding.kind.value, escape("\n".join(shown)), what)
    return table


def _finding_json(finding: "Finding") -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "rules": list(finding.rules),
        "sentence": finding.sentence,
        "witness": None if finding.witness is None else list(finding.witness),
    }


def _show(shown: "RuleExplained") -> None:
    from lexgym.explanations import numbered

    rule = shown.rule
    if rule.id != rule.formula:
        source = " · ".join(part for part in (rule.source, rule.template if rule.source else "") if part)
        _console.print(f"[bold]{escape(rule.id)}[/bold]{'  ' + escape(source) if source else ''}", highlight=False)
    for name, text in shown.lines:
        _line(name, text if len(text) <= 2_000 else f"{text[:1_999]}…")
    _transitions(shown)
    for name, calls in (("keeps it", shown.keeps), ("breaks it", shown.breaks)):
        _line(name, "no trace does" if calls is None else numbered(calls))


def _line(name: str, text: str) -> None:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=9, style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(name, escape(text))
    _console.print(grid)


def _transitions(shown: "RuleExplained") -> None:
    from lexgym.oracles.ltlf.picture.labels import wrapped

    chart = shown.chart
    if len(chart.edges) > MAX_ROWS:
        _line("", f"({len(chart.edges)} transitions are too many to print; --out draws them)")
        return
    table = Table("state", "verdict", "call", "next")
    table.columns[1].no_wrap = True
    room = max(20, _console.width - 41)
    for number, state in enumerate(chart.states):
        for place, edge in enumerate(edge for edge in chart.edges if edge.source == number):
            head = (state.name, state.colour.value) if place == 0 else ("", "")
            calls = "\n".join(line for text in edge.short for line in wrapped(text, room))
            table.add_row(*head, escape(calls), chart.states[edge.target].name)
    _console.print(table)


def _draw(automaton: "RuleAutomaton", folder: Path, name: str, *, dot: bool) -> list[str]:
    """Write the pictures and return their paths, or why there is none."""
    from lexgym.oracles.ltlf.picture import to_dot, to_svg

    try:
        texts = {".svg": to_svg(automaton)} | ({".dot": to_dot(automaton)} if dot else {})
    except StateLimitExceeded as error:
        return [f"none: {error}"]
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, text in texts.items():
        (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")
    return [str(folder / f"{name}{suffix}") for suffix in texts]


def _file_name(rule: str, taken: set[str]) -> str:
    """Return a file name for a rule that no other rule has."""
    base = re.sub(r"[^\w.]+", "-", rule).strip("-.")[:60].strip("-.") or "rule"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    taken.add(name)
    return name


@contextmanager
def _patience(what: str, *, quiet: bool) -> Iterator[Any]:
    """Give a progress function whose bar appears only when the work takes long."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=_errors, transient=True, disable=quiet)
    task = bar.add_task(what, total=None)
    began = time.monotonic()

    def progress(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if not bar.live.is_started and time.monotonic() - began > PATIENCE:
            bar.start()

    try:
        yield progress
    finally:
        bar.stop()
