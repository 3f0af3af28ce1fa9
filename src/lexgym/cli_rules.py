"""The command line: `lexgym rules check` and `lexgym rules explain`."""

import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from lexgym.core import Rule
from lexgym.errors import DomainError, FormulaError, StateLimitExceeded, near_miss

if TYPE_CHECKING:
    from lexgym.oracles.ltlf.hygiene import Finding
    from lexgym.oracles.ltlf.rule import RuleAutomaton
    from lexgym.oracles.ltlf.signature import Signature

rules_app = typer.Typer(no_args_is_help=True, help="Rules: what they say, and whether they make sense together.")
_console = Console()
_errors = Console(stderr=True)

PATIENCE = 2.0
"""Seconds after which a progress bar appears."""

MAX_ROWS = 40
"""Rows of a transition table on the terminal."""

_STYLES = {"error": "red", "warning": "yellow", "note": "dim"}

Tools = Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="OpenAI tool schemas, a JSON list.")]


@rules_app.command("check")
def check_command(
    target: Annotated[str, typer.Argument(help="A domain, or a file: rules.yaml, or one formula a line.")],
    tools: Tools = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Find rules that conflict, say nothing or say nothing new; exits 1 on an error."""
    from lexgym.oracles.ltlf.hygiene import examine

    rules, signature = _rules(target, tools)
    with _patience("Comparing rules", quiet=as_json) as progress:
        findings = examine(rules, signature, progress)
    counts = {name: sum(finding.severity == name for finding in findings) for name in _STYLES}
    if as_json:
        listed = [_finding_json(finding) for finding in findings]
        sys.stdout.write(json.dumps({"target": target, "rules": len(rules), **counts, "findings": listed}) + "\n")
    else:
        if findings:
            _console.print(findings_table(findings))
        said = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items() if count)
        _console.print(f"{len(rules)} rules of {target}: {said or 'nothing to report'}", markup=False, soft_wrap=True)
    if counts["error"]:
        raise typer.Exit(1)


@rules_app.command("explain")
def explain_command(
    target: Annotated[str, typer.Argument(help="A domain, a file of rules, or a formula.")],
    rule: Annotated[str | None, typer.Argument(help="One rule's id; without it all are explained.")] = None,
    tools: Tools = None,
    out: Annotated[Path | None, typer.Option(file_okay=False, help="Folder for the automaton's picture (SVG).")] = None,
    dot: Annotated[bool, typer.Option("--dot", help="Write the picture as DOT too.")] = False,
) -> None:
    """Show a rule: formula, English, automaton, a trace that keeps it and one that breaks it."""
    from lexgym.oracles.ltlf.rule import compile_rule

    if dot and out is None:
        raise typer.BadParameter("a picture needs a folder: --out DIR", param_hint="--dot")
    rules, signature = _rules(target, tools, or_formula=True)
    if rule is not None:
        rules = [found for found in rules if found.id == rule] or _no_rule(rule, rules, target)
    taken: set[str] = set()
    for number, item in enumerate(rules):
        if number:
            _console.print()
        try:
            automaton = compile_rule(item.formula, signature)
        except FormulaError as error:
            error.add_note(f"in rule {item.id!r}: {item.formula}")
            raise
        _explain(item, automaton)
        if out is not None:
            _draw(automaton, out, _file_name(item.id, taken), dot=dot)


def _no_rule(name: str, rules: Sequence[Rule], target: str) -> list[Rule]:
    raise DomainError(f"{target} has no rule {name!r}{near_miss(name, [rule.id for rule in rules])}")


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
            what += f"\n[dim]keeps the first only: {escape(', '.join(finding.witness))}[/dim]"
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


def _explain(rule: Rule, automaton: "RuleAutomaton") -> None:
    from lexgym.oracles.ltlf.english import english
    from lexgym.oracles.ltlf.examples import accepted_example, rejected_example

    source = " · ".join(part for part in (rule.source, rule.template if rule.source else "") if part)
    _console.print(f"[bold]{escape(rule.id)}[/bold]{'  ' + escape(source) if source else ''}", highlight=False)
    for name, text in (("formula", str(automaton.formula)), ("says", english(automaton.formula)), ("text", rule.text)):
        if text:
            _line(name, text if len(text) <= 2_000 else f"{text[:1_999]}…")
    _line("states", str(len(automaton.dfa)))
    _transitions(automaton)
    for name, example in (("keeps it", accepted_example(automaton)), ("breaks it", rejected_example(automaton))):
        _line(name, "no trace does" if example is None else numbered(example.calls))


def _line(name: str, text: str) -> None:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=9, style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(name, escape(text))
    _console.print(grid)


def numbered(calls: Sequence[str]) -> str:
    """Return the calls of a trace one a line, repeated ones once with their number."""
    if not calls:
        return "(no call at all)"
    lines, step = [], 1
    for call, run in groupby(calls):
        count = len(list(run))
        lines.append(f"{step}. {call}" if count == 1 else f"{step}–{step + count - 1}. {call} ({count} times)")
        step += count
    return "\n".join(lines)


def _transitions(automaton: "RuleAutomaton") -> None:
    from lexgym.oracles.ltlf.picture.chart import chart_of

    chart = chart_of(automaton)
    if len(chart.edges) > MAX_ROWS:
        _line("", f"({len(chart.edges)} transitions are too many to print; --out draws them)")
        return
    table = Table("state", "verdict", "call", "next", box=box.ASCII)
    table.columns[2].overflow = "fold"
    for number, state in enumerate(chart.states):
        for place, edge in enumerate(edge for edge in chart.edges if edge.source == number):
            head = (state.name, state.colour.value) if place == 0 else ("", "")
            table.add_row(*head, escape("\n".join(edge.labels)), chart.states[edge.target].name)
    _console.print(table)


def _draw(automaton: "RuleAutomaton", folder: Path, name: str, *, dot: bool) -> None:
    from lexgym.oracles.ltlf.picture import to_dot, to_svg

    try:
        texts = {".svg": to_svg(automaton)} | ({".dot": to_dot(automaton)} if dot else {})
    except StateLimitExceeded as error:
        _line("picture", f"none: {error}")
        return
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, text in texts.items():
        (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")
        _line("picture", str(folder / f"{name}{suffix}"))


def _file_name(rule: str, taken: set[str]) -> str:
    """Return a file name for a rule that no other rule has."""
    base = re.sub(r"[^\w.-]+", "-", rule).strip("-.")[:60] or "rule"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    taken.add(name)
    return name


def _rules(target: str, tools: Path | None, *, or_formula: bool = False) -> "tuple[Sequence[Rule], Signature | None]":
    """Return the rules that an argument means, and the signature to check them against."""
    from lexgym.envs.judge import signature
    from lexgym.envs.registry import domain_names, load_domain

    given = None if tools is None else _signature(tools)
    if target in domain_names():
        domain = load_domain(target)
        return domain.rules, given or signature(domain)
    path = Path(target)
    if len(target) < 1_000 and path.is_file():
        return _read(path), given
    if or_formula and re.search(r"[^\w./-]", target):
        return [Rule(id="formula", formula=target, text="")], given
    if path.suffix in (".yaml", ".yml", ".txt", ".ltlf"):
        raise typer.BadParameter(f"no file {target!r}", param_hint="TARGET")
    raise DomainError(f"no domain or file {target!r}{near_miss(target, domain_names())}")


def _read(path: Path) -> Sequence[Rule]:
    """Read a file of rules: YAML as a domain has it, or one formula a line, with # for comments."""
    import yaml

    from lexgym.envs.domain import read_rules

    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix not in (".yaml", ".yml"):
            lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
            return [Rule(f"line {n}", line, "") for n, line in lines if line and not line.startswith("#")]
        entries = yaml.safe_load(text)
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise typer.BadParameter(f"{path} cannot be read: {error}", param_hint="TARGET") from None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise typer.BadParameter(f"{path} is no list of rules such as {{id: …, formula: …, text: …}}")
    return read_rules(text, str(path))


def _signature(path: Path) -> "Signature":
    """Read OpenAI tool schemas: a list of functions, with or without the envelope."""
    from lexgym.oracles.ltlf.signature import ToolSignature

    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        tools = [entry.get("function", entry) for entry in entries]
        return {
            str(tool["name"]): ToolSignature(
                dict(tool.get("parameters", {}).get("properties", {})), dict(tool.get("result", {}))
            )
            for tool in tools
        }
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise typer.BadParameter(f"{path} is no JSON list of tool schemas: {error}", param_hint="--tools") from None


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
