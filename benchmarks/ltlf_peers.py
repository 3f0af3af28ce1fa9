"""Other engines on the same rule, where they can be imported: speed, and agreement with the shared cases.

A case is a row of tests/data/ltlf/corpus.jsonl in the operators that all of them have. Children's CPU
time counts, since one engine calls a program to compile.
"""

import json
import re
import resource
import shutil
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from lexgym.oracles.ltlf import compile, parse  # noqa: A004
from lexgym.oracles.ltlf import syntax as s

CORPUS = Path(__file__).parents[1] / "tests" / "data" / "ltlf" / "corpus.jsonl"
LENGTHS = (10, 200)


class Engine(NamedTuple):
    """How to use an engine: compile a text, step through a trace event by event, judge a whole trace."""

    compile: Callable[[str], Any]
    stream: Callable[[Any, Sequence[str]], object]
    accepts: Callable[[Any, Sequence[str]], bool]


def lexgym() -> Engine:
    def stream(automaton: Any, trace: Sequence[str]) -> None:
        step = automaton.monitor().step
        for name in trace:
            step({name})

    return Engine(compile, stream, lambda automaton, trace: automaton.accepts({name} for name in trace))


def agentltl() -> Engine:
    """Its run-time path: `Enforcer.check` before each call and `record_completed` after it."""
    module = import_module("agentltl")

    def stream(formula: Any, trace: Sequence[str]) -> None:
        enforcer = module.Enforcer([module.Constraint("rule", formula)])
        for name in trace:
            enforcer.check(name)
            enforcer.record_completed(name)

    return Engine(
        lambda text: module.parse(re.sub(r"[a-z_]\w*", r'now("\g<0>")', text)),
        stream,
        lambda formula, trace: module.LTLEvaluator().evaluate(formula, module.Trace.from_names(trace)).passed,
    )


def ltl_harness() -> Engine:
    module = import_module("ltl_harness.engine.dfa")

    def colour(dfa: Any, trace: Sequence[str]) -> str:
        state, found = dfa.initial, dfa.color(dfa.initial)
        for name in trace:
            state = dfa.step(state, name)
            found = dfa.color(state)
        return str(found)

    return Engine(module.compile_formula, colour, lambda dfa, trace: colour(dfa, trace).endswith("_SAT"))


def flloat() -> Engine:
    parser = import_module("flloat.parser.ltlf").LTLfParser()

    def stream(dfa: Any, trace: Sequence[str]) -> None:
        state = dfa.initial_state
        for name in trace:
            state = dfa.get_successor(state, {name: True})
            dfa.is_accepting(state)

    return Engine(
        lambda text: parser(text).to_automaton(),
        stream,
        lambda dfa, trace: bool(dfa.accepts([{name: True} for name in trace])),
    )


def rv_ltl() -> Engine:
    module = import_module("rv_ltl")

    def compiled(text: str) -> tuple[Any, list[str]]:
        built: dict[s.Formula, Any] = {}
        for formula in s.postorder(parse(text)):  # its classes have our names
            make = getattr(module, "Atomic" if isinstance(formula, s.Atom) else type(formula).__name__)
            parts = [built[part] for part in s.children(formula)]
            built[formula] = make(identifier=formula.tool) if isinstance(formula, s.Atom) else make(*parts)
        return built[formula], [atom.tool for atom in built if isinstance(atom, s.Atom)]

    def run(pair: tuple[Any, list[str]], trace: Sequence[str]) -> Any:
        monitor, verdict = pair[0].create_monitor(), None
        for name in trace:
            monitor.update({atom: atom == name for atom in pair[1]})
            verdict = monitor.evaluate()
        return verdict

    return Engine(compiled, run, lambda pair, trace: bool(run(pair, trace).is_truthy))


PEERS: dict[str, tuple[Callable[[], Engine], str]] = {
    "lexgym": (lexgym, "lexgym"),
    "agentltl": (agentltl, "agentltl"),
    "ltl-harness": (ltl_harness, "ltl_harness"),
    "flloat": (flloat, "flloat"),
    "rv-ltl": (rv_ltl, "rv_ltl"),
}


def cpu() -> float:
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + child.ru_utime + child.ru_stime


def timed(run: Callable[[], object], repeats: int) -> float:
    found = []
    for _ in range(repeats + 1):
        start = cpu()
        run()
        found.append(cpu() - start)
    return min(found[1:])


def cases() -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    other = re.compile(r"[WRMOYHS]|<->|last|true|false|!\([^()]*\) U")
    rows = [row for row in rows if row["mode"] == "single" and row["trace"] and not other.search(row["formula"])]
    rows = [row for row in rows if len(row["props"]) <= 4]  # one engine is exponential in the names
    # engines differ in how much `!` takes
    return [row | {"formula": re.sub(r"!([a-z]\w*)", r"(!\1)", row["formula"])} for row in rows]


def wrong(engine: Engine) -> list[dict[str, Any]]:
    """Return the cases whose verdict an engine gets wrong."""
    return [
        row
        for row in cases()
        if engine.accepts(engine.compile(row["formula"]), [step[0] for step in row["trace"]]) is not row["verdict"]
    ]


def speeds(engine: Engine, repeats: int) -> tuple[list[float], float]:
    """Return CPU seconds an event for each length, and for one compilation under a name not seen before."""
    rule, fresh = engine.compile("G(a -> F(b))"), count()
    costs = [timed(partial(engine.stream, rule, ["a", "b"] * (n // 2)), repeats) / n for n in LENGTHS]
    return costs, timed(lambda: engine.compile(f"G(a{next(fresh)} -> F(b))"), repeats)


def compare(console: Console, repeats: int, floor: float) -> None:
    """Print one line an engine, a floor first, and below them the verdicts that are wrong."""
    table = Table("engine", *(f"µs/event, {length} events" for length in LENGTHS), "compile one, ms", "verdicts right")
    table.add_row("dict loop", *(f"{1e6 * floor:.3f}" for _ in LENGTHS), "", "")
    notes, total = [], len(cases())
    for name, (load, module) in PEERS.items():
        if find_spec(module) is None or (name == "ltl-harness" and shutil.which("mona") is None):
            table.add_row(name, *"-----"[: len(LENGTHS) + 2])
            continue
        engine = load()
        costs, compiling, bad = *speeds(engine, repeats), wrong(engine)
        notes += [f"{name}: {row['formula']} on {row['trace']} is {row['verdict']}" for row in bad]
        right = f"{total - len(bad)} of {total}"
        table.add_row(name, *(f"{1e6 * cost:,.3g}" for cost in costs), f"{1e3 * compiling:.3g}", right)
    console.print(table)
    for note in notes:
        console.print("wrong: " + note, markup=False, highlight=False)
