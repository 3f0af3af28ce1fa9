"""The command line: `lexgym fuzz`, lawful traces that cover a domain."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

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
    out: Annotated[Path | None, typer.Option(dir_okay=False, help="File for the traces, one JSON line each.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Make lawful traces of a given length that cover as many pairs of calls as they can, and say what it took.

    Example: lexgym fuzz --domain health --length 12 --traces 100 --focus breach-notice --out traces.jsonl
    """
    from lexgym.envs.registry import load_domain
    from lexgym.generators.guided import GuidedFuzzer

    fuzzer = GuidedFuzzer(load_domain(domain), seed, length, focus=focus or (), complexity=complexity)
    file = out.open("w", encoding="utf-8") if out else None
    try:
        for _ in track(range(traces), "Fuzzing", console=_errors, transient=True, disable=as_json):
            trace = fuzzer.trace()
            if file:
                calls = [event.call.to_json() | {"result": event.result} for event in trace]
                file.write(json.dumps(calls, ensure_ascii=False) + "\n")
                file.flush()
    finally:
        if file:
            file.close()
    guide, effort = fuzzer.guide, fuzzer.effort
    numbers = {
        "traces": traces,
        "safety_critical": round(guide.safety_coverage(), 4),
        "pairs": len(guide.pairs),
        "feasible_pairs": len(guide.feasible),
        "transition_coverage": round(guide.transition_coverage(), 4),
        "feasible_coverage": round(guide.transition_coverage(guide.feasible), 4),
        "guard_outcomes": len(guide.outcomes),
        "rule_moves": len(guide.moves),
        "nodes": effort.nodes,
        "pruned": dict(sorted(effort.pruned.items())),
    }
    if as_json:
        sys.stdout.write(json.dumps(numbers) + "\n")
        return
    table = Table("covered", "share", title=f"{traces} lawful traces of {length} calls")
    table.add_row("safety-critical tools", f"{100 * guide.safety_coverage():.1f} %")
    table.add_row(
        f"pairs of tools, |A|² = {len(guide.domain.tools) ** 2:,}", f"{100 * guide.transition_coverage():.1f} %"
    )
    feasible = guide.transition_coverage(guide.feasible)
    table.add_row(f"feasible pairs, {len(guide.feasible):,}", f"{100 * feasible:.1f} %")
    _console.print(table)
    pruned = ", ".join(f"{count:,} {why}" for why, count in effort.pruned.most_common())
    _console.print(f"{effort.nodes:,} nodes; pruned: {pruned or 'nothing'}", soft_wrap=True)
    if out:
        _console.print(f"Traces: {out}", markup=False, soft_wrap=True)
