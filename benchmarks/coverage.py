"""How much of the pairs of calls that lawful traces can have is reached, beside baselines in the same run.

    python benchmarks/coverage.py                         # the four domains, 40 traces of 8 calls
    python benchmarks/coverage.py --length 40 --traces 200
    python benchmarks/coverage.py --suite suites/logisafety   # the toolkits of an imported LogiSafetyBench
    python benchmarks/coverage.py --model gpt-4o-mini --base-url …   # adds what a model writes without any search

Adjacent transition coverage as in LogiSafetyGen (arXiv 2601.08196): distinct pairs of consecutive calls over all
pairs of tools, |A|², and over those that lawful traces of the length can have. `reach` is the share of
min(feasible pairs, transitions made), the most that the traces could have. `critical` counts safety-critical tools
called, of those that lawful traces of the length can call. Every walk makes lawful traces of the
same length on the same populations with the same argument draws; they differ in what they call next. The curves are
written to coverage.svg. CPU time; what a domain's rules cost once is spent before.
"""

import argparse
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from lexgym.agents.json_scan import spans
from lexgym.asking import Limits, ModelLink
from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import AgentError, ContextExceeded, MalformedCall
from lexgym.generators.guide import Guide
from lexgym.generators.guided import GuidedFuzzer
from lexgym.scenario import Scenario
from lexgym.suites import read_suite
from lexgym.tools.database import Database

Curve = list[float]

SHOWN = Console(stderr=True)
"""Where progress is shown, apart from the table."""


class Walk(GuidedFuzzer):
    """A walk that does not look at what is new: each call is drawn, by weight where `energy` is set."""

    energy = False

    def _continuations(self, owed: Sequence[ToolCall], left: int) -> Iterator[Sequence[ToolCall]]:
        names = list(self.domain.tools)
        if self.energy:
            counts = self.guide.calls
            names.sort(key=lambda name: self.rng.random() ** ((1 + counts[name]) ** 2), reverse=True)
        else:
            self.rng.shuffle(names)
        for name in names:
            for call in self._draws(name, owed):
                event = self._probe(call)
                if event and not self.monitor.peek(event) and not self.monitor.dooms(event):
                    yield [call]
                    break


class EnergyWalk(Walk):
    """A walk that favours tools called seldom, as power schedules of fuzzers do."""

    energy = True


KINDS = {"guided": GuidedFuzzer, "energy": EnergyWalk, "random": Walk}
COLOURS = {"guided": "#0b6e4f", "energy": "#c77d0a", "random": "#8a8f98", "model": "#7a3fb0"}


def run(
    kind: str, domain: Domain, scenarios: Sequence[Scenario], length: int, traces: int
) -> tuple[Guide, Curve, float]:
    """Make traces; return what they covered, the feasible share after each, and the CPU seconds."""
    fuzzer = KINDS[kind](domain, 0, length, scenarios=scenarios)
    curve = []
    start = time.process_time()
    for _ in track(range(traces), f"{domain.name}: {kind}", console=SHOWN, transient=True):
        fuzzer.trace()
        curve.append(fuzzer.guide.transition_coverage(fuzzer.guide.feasible))
    return fuzzer.guide, curve, time.process_time() - start


def ask(domain: Domain, length: int, traces: int, link: ModelLink) -> tuple[Guide, Curve, float]:
    """Have a model write traces for a population it is shown; what the database takes counts."""
    guide, curve = Guide(domain, length), []
    start = time.process_time()
    for number in track(range(traces), f"{domain.name}: model alone", console=SHOWN, transient=True):
        db = domain.database(number)
        text = answered(link, prompts(domain, db, length))
        trace: list[Event] = []
        for begin, end in list(spans(text))[:length]:
            try:
                call = domain.tools.parse(text[begin:end])
                event = domain.tools.execute(db, call, step=len(trace) + 1)
            except MalformedCall:
                continue
            if event.status is Status.OK:
                trace.append(event)
        guide.add(trace)
        curve.append(guide.transition_coverage(guide.feasible))
        db.close()
    return guide, curve, time.process_time() - start


def prompts(domain: Domain, db: Database, length: int) -> Iterator[str]:
    """Yield what a model is asked: all of it, then less for a model that takes less."""
    whole = [f"{tool.name}: {tool.description} {tool.schema}" for tool in domain.tools.values()]
    names = [f"{tool.name}({', '.join(p.name for p in tool.parameters)})" for tool in domain.tools.values()]
    for manual, tools, rows in ((domain.manual, whole, 6), (domain.manual, names, 3), ("", names, 1)):
        shown = {name: found[:rows] for name, found in db.dump(domain.business).items()}
        yield (
            f"Write {length} tool calls in a row that keep this policy and between them use many different tools. "
            f'Answer with one JSON object a line: {{"name": …, "arguments": {{…}}}}.\n\n{manual}\n\nTools:\n'
            + "\n".join(tools)
            + f"\n\nData: {shown}"
        )


def answered(link: ModelLink, asked: Iterable[str]) -> str:
    """Return the answer to the longest question that the model takes."""
    for prompt in asked:
        try:
            return link.say([{"role": "user", "content": prompt}])
        except ContextExceeded as error:
            refused = error
    raise refused


def row(name: str, kind: str, length: int, traces: int, found: tuple[Guide, Curve, float]) -> list[str]:
    guide, curve, seconds = found
    most = min(len(guide.feasible), traces * (length - 1))
    possible = guide.callable_critical
    return [
        name.removeprefix("logisafety-"),
        kind,
        f"{len(possible & guide.calls.keys())}/{len(possible)}",
        f"{100 * guide.transition_coverage():.1f}",
        f"{len(guide.feasible):,}",
        f"{100 * curve[-1]:.1f}",
        f"{100 * len(guide.pairs.keys() & guide.feasible) / most:.1f}" if most else "–",
        f"{seconds:.2f}",
    ]


def draw(path: Path, curves: dict[str, dict[str, Curve]], length: int) -> None:
    """Write the curves as SVG, one panel for each domain."""
    width, height, gap = 320, 200, 56
    parts = []
    for i, (name, found) in enumerate(curves.items()):
        left, top = gap + (i % 2) * (width + gap), 40 + (i // 2) * (height + gap + 10)
        parts.append(f'<text x="{left}" y="{top - 8}" font-weight="600">{name}</text>')
        for share in (0, 0.5, 1):
            y = top + height * (1 - share)
            parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y}" y2="{y}" stroke="#ddd"/>')
            parts.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{100 * share:.0f} %</text>')
        for kind, curve in found.items():
            points = [(left + width * n / len(curve), top + height * (1 - y)) for n, y in enumerate(curve, 1)]
            path_text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline fill="none" stroke="{COLOURS[kind]}" stroke-width="2" points="{path_text}"/>')
        traces = len(next(iter(found.values())))
        parts.append(f'<text x="{left + width}" y="{top + height + 16}" text-anchor="end">{traces} traces</text>')
    rows = (len(curves) + 1) // 2
    total_w, total_h = 2 * (width + gap) + 30, rows * (height + gap + 10) + 70
    kinds = {kind for found in curves.values() for kind in found}
    for i, kind in enumerate(kind for kind in COLOURS if kind in kinds):
        x = gap + i * 170
        parts.append(f'<rect x="{x}" y="{total_h - 24}" width="14" height="4" fill="{COLOURS[kind]}"/>')
        parts.append(f'<text x="{x + 20}" y="{total_h - 18}">{kind}</text>')
    title = f"Feasible pairs of consecutive calls reached, traces of {length} calls"
    parts.append(f'<text x="{gap}" y="16">{title}</text>')
    body = "\n".join(parts)
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_w}" height="{total_h}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n',
        encoding="utf-8",
    )


def subjects(options: Any) -> dict[str, list[Scenario]]:
    """Return what is measured: each domain's name, with the scenarios whose states and rules are used, if any."""
    if options.suite:
        suite = read_suite(options.suite)
        return {name: suite.take(domain=name) for name in suite.domains}
    return {name: [] for name in options.domain or domain_names()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", action="append", choices=domain_names())
    parser.add_argument("--suite", type=Path)
    parser.add_argument("--length", type=int, default=8)
    parser.add_argument("--traces", type=int, default=40)
    parser.add_argument("--out", type=Path, default=Path("coverage.svg"))
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--max-tokens", type=int, default=1024)
    options = parser.parse_args()
    table = Table(title=f"{options.traces} traces of {options.length} calls")
    for head in ("domain", "walk", "critical", "% of\n|A|²", "feasible", "% of\nthem", "reach,\n%", "CPU s"):
        table.add_column(
            head, no_wrap=head != "domain", overflow="fold", justify="left" if head in ("domain", "walk") else "right"
        )
    curves: dict[str, dict[str, Curve]] = {}
    for name, scenarios in subjects(options).items():
        domain = load_domain(name)
        GuidedFuzzer(domain, 1, options.length, scenarios=scenarios).trace()
        found = {kind: run(kind, domain, scenarios, options.length, options.traces) for kind in KINDS}
        if options.model and not scenarios:
            cache = Path("runs") / f"coverage-{name}-{re.sub(r'[^A-Za-z0-9]+', '-', options.model)}.jsonl"
            link = ModelLink(options.model, options.base_url, cache, limits=Limits(options.max_tokens), tell=print)
            try:
                found["model"] = ask(domain, options.length, options.traces, link)
            except AgentError as error:
                raise SystemExit(f"error: {error}\n{link.kept}") from None
            finally:
                link.close()
            print(f"{name}: {link.cost}")
        for kind, result in found.items():
            table.add_row(*row(name, kind, options.length, options.traces, result))
        table.add_section()
        curves[name] = {kind: curve for kind, (_, curve, _) in found.items()}
    Console().print(table)
    draw(options.out, curves, options.length)
    Console().print(f"Curves: {options.out}")


if __name__ == "__main__":
    main()
