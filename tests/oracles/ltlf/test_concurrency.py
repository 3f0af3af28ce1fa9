"""Nothing is shared that processes or threads could spoil for one another."""

import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from threading import Barrier

from lexgym.core import Event, ToolCall
from lexgym.oracles.ltlf import RuleSet, compile, compile_rule, parse  # noqa: A004

TEMPLATES = ("response({}, {})", "precedence({}, {})", "alternate_succession({}, {})", "not_chain_succession({}, {})")
WORKERS = 8


def formulas(seed: int) -> list[str]:
    rng = random.Random(seed)
    names = [f"n{i}" for i in range(6)]
    return [" & ".join(rng.choice(TEMPLATES).format(*rng.sample(names, 2)) for _ in range(3)) for _ in range(12)]


def tables(seed: int) -> list[object]:
    found: list[object] = [compile(text).dfa for text in formulas(seed)]
    guarded = compile_rule(f"G(pay[amount > {seed}] -> F note[amount > {seed + 1}, amount < {seed + 9}])")
    return [*found, guarded.dfa, sorted(guarded.columns)]


def test_eight_processes_build_what_one_does() -> None:
    expected = [tables(seed) for seed in range(WORKERS)]
    with ProcessPoolExecutor(WORKERS, mp_context=multiprocessing.get_context("forkserver")) as pool:
        assert list(pool.map(tables, range(WORKERS))) == expected


def test_eight_threads_build_what_one_does() -> None:
    expected = [tables(seed) for seed in range(WORKERS)]
    with ThreadPoolExecutor(WORKERS) as pool:
        assert list(pool.map(tables, range(WORKERS))) == expected


def test_threads_that_read_the_same_text_get_the_same_formula() -> None:
    for turn in range(20):
        text = " & ".join(f"(a{turn}_{i} U b{turn}_{i})" for i in range(30))
        barrier = Barrier(WORKERS)

        def read(_: int, text: str = text, barrier: Barrier = barrier) -> object:
            barrier.wait()
            return parse(text)

        with ThreadPoolExecutor(WORKERS) as pool:
            assert len(set(pool.map(read, range(WORKERS)))) == 1


def test_threads_can_walk_one_rule_set() -> None:
    rules = RuleSet([*formulas(0)[0].split(" & "), "G(n1 -> F n2)"])

    def walk(seed: int) -> list[object]:
        rng = random.Random(seed)
        monitor = rules.monitor()
        found: list[object] = []
        for _ in range(60):
            monitor.step(Event.ok(ToolCall(f"n{rng.randrange(7)}"), None))
            found.append((monitor.verdict, monitor.admissible, len(monitor.completion() or ())))
        return found

    expected = [walk(seed) for seed in range(WORKERS)]
    with ThreadPoolExecutor(WORKERS) as pool:
        assert list(pool.map(walk, range(WORKERS))) == expected


def test_compiled_things_can_be_pickled() -> None:
    automaton = compile("G(a -> F b)")
    monitor = automaton.monitor()
    monitor.step({"a"})
    twin = pickle.loads(pickle.dumps(monitor))
    assert twin.verdict is monitor.verdict
    assert twin.step({"b"}).name == "CS"
    assert pickle.loads(pickle.dumps(parse("forall p. G(pay[payee = p] -> F note)"))) is parse(
        "forall p. G(pay[payee = p] -> F note)"
    )
