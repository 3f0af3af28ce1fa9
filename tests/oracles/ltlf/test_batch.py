"""The vectorised monitors say what the plain ones say, whatever the shape, layout and type of the input."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import DFA, RV, Automaton, compile, compile_rule, to_text  # noqa: A004
from lexgym.oracles.ltlf.batch import VERDICTS, Array, Batch, BatchMonitor, run_many
from lexgym.oracles.ltlf.english import english

SAMPLE = Path(__file__).parents[2] / "data" / "ltlf"
NAMES = ("a", "b", "c", "other")
FORMULAS = (
    "true",
    "false",
    "G(a -> F b)",
    "!((!a) U b)",
    "(!b) W a",
    "X b",
    "WX(last | c)",
    "F(a & X(F(b & X(F c))))",
    "G(a -> F[<=3] b) & F[<=5] c",
    "a S b",
    "G(Y(a U b) -> c)",
)
TRACES = st.lists(st.lists(st.sampled_from(NAMES), max_size=12), max_size=9)


def verdicts(automaton: Automaton, trace: list[str]) -> list[RV]:
    monitor = automaton.monitor()
    return [monitor.verdict, *(monitor.step({name}) for name in trace)]


def decoded(codes: Array) -> list[RV]:
    return [VERDICTS[code] for code in codes]


def response_of_count(count: int) -> DFA:
    """Say that the events come in multiples of a count: as many states as that."""
    rows = tuple(((state + 1) % count, state) for state in range(count))
    accepting = tuple(state == 0 for state in range(count))
    colours = tuple(RV.CS if good else RV.CV for good in accepting)
    return DFA(rows, accepting, colours, tuple(-state % count for state in range(count)))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FORMULAS), TRACES, st.sampled_from("CF"), st.sampled_from([None, np.int64, np.uint16, np.int8]))
def test_last_and_running_verdicts_are_those_of_the_monitor(
    text: str, traces: list[list[str]], order: Any, dtype: Any
) -> None:
    automaton = compile(text)
    batch = Batch(automaton)
    words, lengths = batch.encode(traces)
    words = np.asarray(words, dtype=dtype, order=order)
    expected = [verdicts(automaton, trace) for trace in traces]
    assert lengths.tolist() == [len(trace) for trace in traces]
    assert decoded(batch.run(words)) == [each[-1] for each in expected]
    longest = words.shape[1] + 1
    padded = [each + each[-1:] * (longest - len(each)) for each in expected]
    assert [decoded(row) for row in batch.run_all(words)] == padded
    assert [VERDICTS[code] in (RV.PS, RV.CS) for code in batch.run(words)] == [
        automaton.accepts({name} for name in trace) for trace in traces
    ]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORMULAS), TRACES, st.integers(-128, 127))
def test_what_lies_beyond_a_length_is_not_read(text: str, traces: list[list[str]], garbage: int) -> None:
    batch = Batch(compile(text))
    words, lengths = batch.encode(traces)
    dirty = words.astype(np.int8)
    dirty[np.arange(words.shape[1]) >= lengths[:, None]] = garbage
    assert batch.run(dirty, lengths).tolist() == batch.run(words).tolist()
    assert batch.run_all(dirty, lengths).tolist() == batch.run_all(words).tolist()
    assert dirty.dtype == np.int8


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(FORMULAS), max_size=6), TRACES)
def test_several_rules_over_one_vocabulary(texts: list[str], traces: list[list[str]]) -> None:
    ids = np.full((len(traces), max(map(len, traces), default=0)), len(NAMES))
    for row, trace in zip(ids, traces, strict=True):
        row[: len(trace)] = [NAMES.index(name) for name in trace]
    automata = [compile(text) for text in texts]
    found = run_many(automata, ids, NAMES)
    assert found.shape == (len(texts), len(traces))
    for automaton, codes in zip(automata, found, strict=True):
        assert decoded(codes) == [verdicts(automaton, trace)[-1] for trace in traces]
        batch = Batch(automaton)
        assert batch.run(batch.encode_ids(ids, NAMES)).tolist() == codes.tolist()
    lengths = [len(trace) for trace in traces]
    assert run_many(automata, np.where(ids == len(NAMES), 99, ids), NAMES, lengths).tolist() == found.tolist()


def test_the_corpus_as_one_batch_per_formula() -> None:
    groups: dict[tuple[str, Any], list[tuple[list[frozenset[str]], bool]]] = {}
    for line in (SAMPLE / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        case = ([frozenset(step) for step in row["trace"]], row["verdict"])
        groups.setdefault((row["formula"], row["mode"]), []).append(case)
    for (text, events), cases in groups.items():
        batch = Batch(compile(text, events))
        words, _ = batch.encode([trace for trace, _ in cases])
        assert (batch.run(words) >= 2).tolist() == [verdict for _, verdict in cases], text


@pytest.mark.parametrize("count", [1, 2, 85, 86, 300, 21_845, 21_846, 30_000])
def test_states_by_letters_may_pass_any_integer_type(count: int) -> None:
    batch = Batch(response_of_count(count))
    rng = np.random.default_rng(count)
    words = rng.integers(0, 3, (40, 500), dtype=np.uint8)
    words[0] = 0
    ticks = (words == 0).cumsum(axis=1) % count
    assert (batch.run(words) == np.where(ticks[:, -1] == 0, 2, 1)).all()
    assert (batch.run_all(words)[:, 1:] == np.where(ticks == 0, 2, 1)).all()


def test_a_large_alphabet() -> None:
    names = [f"n{number}" for number in range(400)]
    batch = Batch(compile(" & ".join(f"G({' | '.join(part)} -> F n350)" for part in (names[:150], names[150:300]))))
    traces = [[names[(7 * row + step) % 400] for step in range(row)] for row in range(60)]
    words, lengths = batch.encode(traces)
    assert words.dtype == np.uint16
    assert decoded(batch.run(words)) == [verdicts(compile("G(x -> F y)"), [_short(n) for n in t])[-1] for t in traces]
    low = np.where(words > 255, 255, words).astype(np.uint8)
    assert batch.run(low, np.zeros_like(lengths)).tolist() == [2] * 60


def _short(name: str) -> str:
    number = int(name[1:])
    return "x" if number < 300 else "y" if number == 350 else "z"


def test_more_rows_than_one_block() -> None:
    batch = Batch(compile("G(a -> F b)"))
    words = np.random.default_rng(0).integers(0, 4, (150_000, 9), dtype=np.uint8)
    last = batch.run_all(words)[:, -1]
    assert batch.run(words).tolist() == last.tolist() == batch.run(np.asfortranarray(words)).tolist()


def test_a_rule_reads_events() -> None:
    automaton = compile_rule("G(pay[amount > 5] -> O ask)")
    pay, small, ask = (
        Event.ok(ToolCall(name, {"amount": n}), None) for name, n in (("pay", 9), ("pay", 1), ("ask", 0))
    )
    traces = [[ask, pay], [small, pay], [small], []]
    batch = Batch(automaton)
    words, _ = batch.encode(traces)
    assert [VERDICTS[code].name for code in batch.run(words)] == ["PS", "PV", "CS", "CS"]
    codes = run_many([automaton, batch], [[2, 0], [1, 0], [1, 3], [3, 3]], [pay, small, ask])
    assert codes.tolist() == [batch.run(words).tolist()] * 2


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORMULAS), st.lists(st.lists(st.sampled_from([0, 1]), min_size=3, max_size=3), max_size=8))
def test_a_monitor_steps_resets_and_goes_back(text: str, columns: list[list[int]]) -> None:
    batch = Batch(compile(text))
    monitor = batch.monitor(3)
    assert len(monitor) == 3
    start = monitor.snapshot()
    steps = [[min(letter, batch.padding) for letter in row] for row in columns]
    running = batch.run_all(np.array(steps, dtype=np.uint8).reshape(-1, 3).T)
    for number, row in enumerate(steps, 1):
        assert monitor.step(row).tolist() == running[:, number].tolist()
    assert monitor.satisfied.tolist() == (running[:, -1] >= 2).tolist()
    token, after = monitor.snapshot(), monitor.verdicts.tolist()
    monitor.reset([True, False, False])
    assert monitor.verdicts.tolist() == [running[0, 0], *after[1:]]
    monitor.reset()
    assert monitor.snapshot().tolist() == start.tolist()
    monitor.restore(token)
    monitor.step([batch.padding] * 3)
    assert monitor.verdicts.tolist() == after


def test_nothing_to_do() -> None:
    batch = Batch(compile("F a"))
    words, lengths = batch.encode([])
    assert batch.run(words, lengths).shape == (0,)
    assert batch.run(np.zeros((2, 0))).tolist() == [1, 1]
    assert batch.run_all(np.zeros((2, 0), dtype=int)).tolist() == [[1], [1]]
    assert run_many([], np.zeros((2, 3), dtype=int), ["a"]).shape == (0, 2)
    assert run_many([batch], np.zeros((2, 3), dtype=int), []).tolist() == [[1, 1]]
    assert BatchMonitor(batch.dfa, 0).step([]).shape == (0,)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([[0, 4]], "from 0 to 3, but these from 0 to 4"),
        ([[0, -1]], "from 0 to 3, but these from -1 to 0"),
        ([[0.5]], "whole numbers, not float64"),
        ([[True]], "whole numbers, not bool"),
        ([["a"]], "whole numbers"),
        ([0, 1], r"shape \(traces, steps\), not \(2,\)"),
    ],
)
def test_bad_letters_are_refused(bad: Any, message: str) -> None:
    batch = Batch(compile("G(a -> F b)"))
    with pytest.raises(FormulaError, match=message):
        batch.run(bad)
    with pytest.raises(FormulaError, match=message):
        batch.run_all(bad)


def test_a_refused_step_moves_no_trace() -> None:
    monitor = BatchMonitor(compile("F a"), 2)
    for bad in ([1, 9], [1, -1], [1], [[1, 1]], [1.0, 1.0]):
        with pytest.raises(FormulaError):
            monitor.step(bad)
    assert monitor.verdicts.tolist() == [1, 1]


@pytest.mark.parametrize("lengths", [[1, 3], [-1, 0], [1], [0.5, 1.0], [[1, 1]]])
def test_bad_lengths_are_refused(lengths: Any) -> None:
    with pytest.raises(FormulaError):
        Batch(compile("F a")).run([[0, 0], [0, 0]], lengths)


def test_steps_that_cannot_be_letters_are_refused() -> None:
    event = Event.ok(ToolCall("a"), None)
    with pytest.raises(FormulaError, match="a trace is a list of steps"):
        Batch(compile("F a")).encode(["aab"])
    with pytest.raises(FormulaError, match="events='multi'"):
        Batch(compile("F a")).encode([[{"a", "b"}]])
    with pytest.raises(FormulaError, match="use compile_rule"):
        Batch(compile("F a")).encode([[event]])
    with pytest.raises(FormulaError, match="a rule reads events"):
        Batch(compile_rule("F a")).encode([["a"]])
    with pytest.raises(FormulaError, match="has slices"):
        Batch(compile_rule("forall x. F a[id = x]")).encode([[event]])
    with pytest.raises(FormulaError, match="no names"):
        Batch(compile("F a").dfa).encode([["a"]])
    with pytest.raises(FormulaError, match="from 0 to 1"):
        Batch(compile("F a")).encode_ids([[2]], ["a"])


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Batch("F a"),  # type: ignore[arg-type]
        lambda: Batch(compile("F a")).run([[1], [1, 0]]),
        lambda: Batch(compile("F a")).run([[7]]),
        lambda: Batch(compile("F a")).run(["a"]),
        lambda: Batch(compile("F a")).monitor(-1),
        lambda: Batch(compile("F a")).monitor(3).reset([True]),
        lambda: Batch(compile("F a")).monitor(3).restore(Batch(compile("F a")).monitor(2).snapshot()),
        lambda: compile("F a").monitor().restore(9),
        lambda: compile("F a").monitor().restore(-1),
        lambda: english(5),  # type: ignore[arg-type]
        lambda: to_text(5),  # type: ignore[arg-type]
    ],
)
def test_wrong_use_is_refused_by_name(wrong: Callable[[], object]) -> None:
    with pytest.raises(FormulaError):
        wrong()
