"""The command line: `lexgym fuzz`, lawful traces that cover a domain."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

if TYPE_CHECKING:
    from lexgym.generators.guided import GuidedFuzzer

_console = Console(emoji=False)
_errors = Console(stderr=True, emoji=False)


def fuzz_command(
    domain: Annotated[str, typer.Option(help="Which domain; see lexgym list.")] = "finance",
    length: Annotated[int, typer.Option(min=1, help="Calls of each trace.")] = 8,
    traces: Annotated[int, typer.Option(min=1, help="How many traces.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Seed.")] = 0,
    focus: Annotated[
        list[str] | None, typer.Option(help="A rule that each trace brings into play; repeatable.")
    ] = None,
    complexity: Annotated[int, typer.Option(min=0, help="Rules that each trace brings into play, at least.")] = 0,
    out: Annotated[
        Path | None, typer.Option(dir_okay=False, help="File for the traces, one JSON line each; it is gone on with.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Make lawful traces of a given length that cover as many pairs of calls as they can, and say what it took.

    Example: lexgym fuzz --domain health --length 12 --traces 100 --focus breach-notice --out traces.jsonl
    """
    from lexgym.envs.registry import load_domain
    from lexgym.generators.guided import GuidedFuzzer
    from lexgym.generators.trace_files import written

    found = load_domain(domain)
    settings = {"domain": found.name, "digest": found.digest[:12], "seed": seed, "length": length}
    settings |= {"focus": sorted(focus or ()), "complexity": complexity}
    with Progress(console=_errors, transient=True, disable=as_json) as progress:
        task = progress.add_task("Fuzzing", total=traces * length)
        fuzzer = GuidedFuzzer(
            found,
            seed,
            length,
            focus=focus or (),
            complexity=complexity,
            progress=lambda calls: progress.update(task, completed=done * length + calls),
        )
        made = written(fuzzer, out, settings, traces) if out else (fuzzer.trace() for _ in range(traces))
        done = 0
        for done, _ in enumerate(made, 1):
            progress.update(task, completed=done * length)
    _show(fuzzer, traces, as_json)
    if out and not as_json:
        _console.print(f"Traces: {out}", markup=False, soft_wrap=True)


def _show(fuzzer: "GuidedFuzzer", traces: int, as_json: bool) -> None:
    guide, effort = fuzzer.guide, fuzzer.effort
    callable_ = guide.callable_critical
    most = min(len(guide.feasible), traces * (fuzzer.length - 1))
    reached = len(guide.pairs.keys() & guide.feasible)
    numbers = {
        "traces": traces,
        "safety_critical": round(guide.safety_coverage(), 4),
        "safety_critical_callable": len(callable_),
        "safety_critical_called_of_callable": round(guide.safety_coverage(callable_), 4),
        "pairs": len(guide.pairs),
        "feasible_pairs": len(guide.feasible),
        "transition_coverage": round(guide.transition_coverage(), 4),
        "feasible_coverage": round(guide.transition_coverage(guide.feasible), 4),
        "reach": round(reached / most, 4) if most else None,
        "guard_outcomes": len(guide.outcomes),
        "rule_moves": len(guide.moves),
        "nodes": effort.nodes,
        "pruned": dict(sorted(effort.pruned.items())),
    }
    if as_json:
        sys.stdout.write(json.dumps(numbers) + "\n")
        return
    table = Table("covered", "of", "share", title=f"{traces} lawful traces, {fuzzer.length:,} calls each")
    rows = [
        ("safety-critical tools", len(guide.critical), guide.safety_coverage()),
        ("those possible at this length", len(callable_), guide.safety_coverage(callable_)),
        ("pairs of tools, |A|²", len(guide.domain.tools) ** 2, guide.transition_coverage()),
        ("pairs feasible at this length", len(guide.feasible), guide.transition_coverage(guide.feasible)),
        ("pairs that so many calls can make", most, reached / most if most else 0),
    ]
    for name, count, share in rows:
        table.add_row(name, f"{count:,}", f"{100 * share:.1f} %" if count else "–")
    _console.print(table)
    pruned = ", ".join(f"{count:,} {why}" for why, count in effort.pruned.most_common() if count)
    _console.print(f"{effort.nodes:,} nodes; pruned: {pruned or 'nothing'}", soft_wrap=True)
