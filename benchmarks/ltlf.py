"""How fast the LTLf engine steps, compiles and answers, against targets, floors and other engines.

    python benchmarks/ltlf.py [--quick]

CPU time, best of several after a warm-up. Other engines are measured where they can be imported. The extra
`bench` brings two; the dependencies of two more clash with ours, so install those apart and without them:
pip install --no-deps --target PEERS flloat pythomata graphviz ltl-harness ltlf2dfa sympy mpmath;
PYTHONPATH=PEERS. ltl-harness also needs the program `mona`.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple, TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from lexgym.core import Event, Rule, ToolCall
from lexgym.envs.judge import safety_oracle
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import DFA, RuleMonitor, RuleSet, RuleSetMonitor, compile, compile_rule  # noqa: A004
from lexgym.oracles.ltlf.batch import Batch, run_many
from lexgym.registration import make_env, scenario

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.ltlf_peers import compare

RESPONSE = "G(a -> F b)"
NAMES = tuple(f"n{number}" for number in range(20))
SCALE = {"ns": 1e9, "µs": 1e6, "ms": 1e3}
TEMPLATES = (
    "response",
    "precedence",
    "alternate_succession",
    "chain_succession",
    "exclusive_choice",
    "not_coexistence",
)

T = TypeVar("T")


class Row(NamedTuple):
    """One measurement in seconds of CPU, with its target in `unit` and what to know beside it."""

    what: str
    seconds: float
    unit: str
    target: float
    beside: str = ""


def best(prepare: Callable[[], T], run: Callable[[T], object], repeats: int) -> float:
    """Return the least CPU seconds of `run`, whose input is made anew outside the clock."""
    found = []
    for _ in range(repeats + 1):
        ready = prepare()
        start = time.process_time()
        run(ready)
        found.append(time.process_time() - start)
    return min(found[1:])


def each(step: Callable[[Any], object], items: Iterable[Any]) -> None:
    for item in items:
        step(item)


def forget() -> None:
    """Clear every cache of the engine but the grammar's, which a process reads once."""
    for name, module in list(sys.modules.items()):
        if name.startswith("lexgym.oracles.ltlf.") and not name.endswith(".parser"):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()


def template_rules(number: int, seed: int, prefix: str = "n") -> list[str]:
    """Return random instances of the two compliance templates over 20 names."""
    rng, forms = random.Random(seed), ("G({0} -> F {1})", "!((!{0}) U {1})")
    names = [f"{prefix}{i}" for i in range(len(NAMES))]
    return [rng.choice(forms).format(*rng.sample(names, 2)) for _ in range(number)]


def conjunction(number: int, seed: int, prefix: str = "n") -> str:
    return " & ".join(f"({rule})" for rule in template_rules(number, seed, prefix))


def template(name: str, prefix: str) -> str:
    return f"{name}({prefix}a, {prefix}b)"


def chain(prefix: str) -> str:
    """F(a & X(c & X(F(b & X(d ...))))): ten stops of two names."""
    text = ""
    for stop in reversed(range(10)):
        text = f"F({prefix}p{stop} & X({prefix}q{stop}{f' & X({text})' if text else ''}))"
    return text


def calls(names: Iterable[str], **arguments: str) -> list[Event]:
    return [Event.ok(ToolCall(name, arguments), None, step=step) for step, name in enumerate(names, 1)]


def monitor_of(texts: Sequence[str]) -> RuleSetMonitor:
    return RuleSet([Rule(text, text, "") for text in texts]).monitor()


def bare(names: Sequence[str]) -> None:
    """Do the least there is to do per event: two look-ups and the verdict."""
    rows, colours, state, verdict = [{"a": 1}, {"b": 0}], ["CS", "CV"], 0, ""
    for name in names:
        state = rows[state].get(name, state)
        verdict = colours[state]
    assert verdict in colours


def feed(events: Sequence[Any], monitors: Iterable[Any]) -> None:
    for monitor in monitors:
        each(monitor.step, events)


def one_rule(repeats: int) -> Iterator[Row]:
    automaton = compile(RESPONSE)
    for length, kind in ((10, set), (1_000, set), (100_000, set), (1_000, frozenset)):
        names = random.Random(0).choices(("a", "b", "other"), k=length)
        copies = range(10_000 // length or 1)
        floor = best(partial(list, [names for _ in copies]), partial(each, bare), repeats)
        monitors = [automaton.monitor() for _ in copies]  # going on in them costs the same
        seconds = best(partial(list, monitors), partial(feed, [kind([name]) for name in names]), repeats)
        what, events = f"step: one rule, {length:,} {kind.__name__}s", length * len(copies)
        yield Row(what, seconds / events, "ns", 100, f"dict loop {1e9 * floor / events:.0f} ns")


def sliced(repeats: int) -> Iterator[Row]:
    automaton = compile_rule("forall x. G(open[id = x] -> F close[id = x])")

    def holding(number: int) -> list[RuleMonitor]:
        monitor = automaton.monitor()
        each(monitor.step, (event for i in range(number) for event in calls(["open"], id=f"x{i}")))
        return [monitor]

    for number in (10, 10_000):
        chosen = random.Random(0).choices(range(number), k=5_000)
        events = [event for i in chosen for event in calls(["close", "open"], id=f"x{i}")]
        seconds = best(partial(holding, number), partial(feed, events), repeats)
        yield Row(f"step: a sliced rule, {number:,} open", seconds / len(events), "ns", 100)


def rule_sets(repeats: int) -> Iterator[Row]:
    events = calls(random.Random(0).choices(NAMES, k=10_000))
    monitor = monitor_of(template_rules(16, 0))
    seconds = best(lambda: [monitor], partial(feed, events), repeats)
    yield Row("step: 16 rules, warm", seconds / len(events), "ns", 200)
    rules, env, traces = safety_oracle("finance").compiled, make_env("finance"), []
    for seed in range(10):
        env.reset(seed=0, options={"scenario": scenario("finance", seed)})
        each(env.step, scenario("finance", seed).calls)
        traces.append(env.trace)
    seconds = best(
        lambda: [(rules.monitor(), trace) for trace in 20 * traces],
        lambda pairs: each(lambda pair: feed(pair[1], pair[:1]), pairs),
        repeats,
    )
    what = f"step: the {len(rules.rules)} rules of finance, reference traces"
    yield Row(what, seconds / 20 / sum(map(len, traces)), "µs", 5)


def batches(repeats: int, traces: int) -> Iterator[Row]:
    rng, batch = np.random.default_rng(0), Batch(compile(RESPONSE))
    words = np.asfortranarray(rng.integers(0, 3, (traces, 50), dtype=np.uint8))
    rows, lengths = np.ascontiguousarray(words), rng.integers(0, 51, traces)
    ids = np.asfortranarray(rng.integers(0, len(NAMES), (traces, 50), dtype=np.uint8))
    several = [Batch(compile(text)) for text in template_rules(16, 0)]
    ways: dict[str, tuple[Callable[[object], object], int]] = {
        "": (lambda _: batch.run(words), 1),
        ", row-major": (lambda _: batch.run(rows), 1),
        ", with lengths": (lambda _: batch.run(words, lengths), 1),
        ", every prefix": (lambda _: batch.run_all(words), 1),
        ", 16 rules over 20 names, per rule": (lambda _: run_many(several, ids, NAMES), 16),
    }
    for what, (run, rules) in ways.items():
        seconds = best(lambda: None, run, repeats) / rules
        yield Row(f"vectorised: {traces:,} × 50{what}", seconds, "ms", 10, f"{2e7 / traces * seconds:.2f} ns/event")


def compiling(repeats: int) -> Iterator[Row]:
    fresh = count()

    def timed(make: Callable[[str], str]) -> float:
        def prepare() -> str:
            forget()
            return make(f"v{next(fresh)}_")

        return best(prepare, compile, repeats)

    yield Row(f"compile: {RESPONSE}", timed(lambda v: f"G({v}a -> F {v}b)"), "ms", 1)
    costs = {name: timed(partial(template, name)) for name in TEMPLATES}
    slowest = max(TEMPLATES, key=lambda name: costs[name])
    yield Row(f"compile: the slowest of {len(TEMPLATES)} templates", costs[slowest], "ms", 1, slowest)
    shared = timed(lambda v: " & ".join(f"G({v}{i} -> F {v}done)" for i in range(16)))
    yield Row("compile: 16 responses with one target", shared, "ms", 5)
    states, times = [], []
    for seed in range(10):
        try:
            states.append(len(compile(conjunction(16, seed))))
            times.append(timed(partial(conjunction, 16, seed)))
        except StateLimitExceeded:
            continue
    note = f"{min(states)}–{max(states)} states, {10 - len(times)} of 10 past the cap"
    yield Row("compile: 16 random rules over 20 names, median of 10", median(times), "ms", 50, note)
    yield Row("compile: the slowest of these 10", max(times), "ms", 50)
    yield Row("compile: the ten-stop chain", timed(chain), "ms", 50, f"{len(compile(chain('s')))} states")


def admissible(repeats: int) -> Iterator[Row]:
    if not hasattr(RuleSetMonitor, "admissible"):
        yield Row("admissible: skipped, RuleSetMonitor has none", float("nan"), "µs", 200)
        return
    events = lawful_walk(monitor_of(template_rules(20, 0)), 200)
    cold: list[float] = []
    for _ in range(repeats):
        forget()
        monitor: Any = monitor_of(template_rules(20, 0))
        first, seen = asking(monitor), {monitor.verdicts}
        for event in events:
            monitor.step(event)
            if monitor.verdicts not in seen:
                cold.append(asking(monitor))
                seen.add(monitor.verdicts)
    note = f"the first of all {1e3 * first:.2f} ms"
    yield Row("admissible: 20 rules, a state not seen before", mean(cold), "µs", 200, note)

    def ask(event: Event) -> None:
        monitor.step(event)
        _ = monitor.admissible

    with_it = best(lambda: events, partial(each, ask), 10 * repeats)
    without = best(lambda: [monitor], partial(feed, events), 10 * repeats)
    yield Row("admissible: 20 rules, a state seen before", (with_it - without) / len(events), "µs", 1)


def lawful_walk(monitor: Any, length: int) -> list[Event]:
    """Return random events after each of which the rules can still be kept, so that no state is trivial."""
    rng, events = random.Random(1), []
    for _ in range(length):
        events += calls([rng.choice(sorted(name or "other" for name in monitor.admissible))])
        monitor.step(events[-1])
    return events


def asking(monitor: Any) -> float:
    """Return the CPU seconds of one question."""
    start = time.process_time()
    _ = monitor.admissible
    return time.process_time() - start


def automata(_: int) -> list[DFA]:
    return [compile(conjunction(3, seed)).dfa for seed in range(100)]


def processes() -> str:
    own = automata(0)
    with ProcessPoolExecutor(8, mp_context=get_context("spawn")) as pool:
        same = sum(one == two for found in pool.map(automata, range(8)) for one, two in zip(own, found, strict=True))
    return f"8 processes, 100 automata each: identical {same}/800"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller batches")
    quick = parser.parse_args().quick
    repeats, traces = (2, 10_000) if quick else (7, 100_000)
    table, missed = Table("what", "CPU", "target", "", "beside"), 0
    for part in (one_rule, sliced, rule_sets, partial(batches, traces=traces), compiling, admissible):
        for what, seconds, unit, target, beside in part(repeats):
            value = seconds * SCALE[unit]
            missed += value > target
            mark = "[red]missed[/red]" if value > target else "" if value != value else "ok"
            number = "-" if value != value else f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
            table.add_row(what, number, f"{target:g} {unit}", mark, beside)
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(table)
    console.print(f"{missed} targets missed; {processes()}")
    compare(console, repeats, best(lambda: "ab" * 500, bare, 50) / 1_000)


if __name__ == "__main__":
    main()
