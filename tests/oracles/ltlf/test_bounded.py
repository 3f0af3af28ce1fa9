"""The judge by Z3: what it says of the corpus, what it finds, and what it refuses."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, Status, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import (
    Formula,
    bounded,
    compile,  # noqa: A004
    compile_rule,
    parse,
    satisfies,
)
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.bounded import differs, holds, model

from .strategies import compose

SAMPLE = Path(__file__).parents[2] / "data" / "ltlf" / "corpus.jsonl"
SHARED = Path(__file__).parents[3].parent / "shared" / "ltlf" / "corpus.jsonl"
SMALL = st.recursive(st.sampled_from([s.Atom("a"), s.Atom("b"), s.Last()]), compose, max_leaves=5)
ALPHABETS: dict[Any, tuple[frozenset[str], ...]] = {
    "single": (frozenset(), frozenset({"a"}), frozenset({"b"})),
    "multi": (frozenset(), frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"})),
}


@pytest.mark.parametrize(
    ("path", "stride"),
    [
        pytest.param(SAMPLE, 1, id="sample"),
        pytest.param(
            SHARED, 10, id="shared", marks=pytest.mark.skipif(not SHARED.exists(), reason="no shared corpus here")
        ),
    ],
)
def test_z3_gives_the_verdicts_on_which_other_engines_agree(path: Path, stride: int) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[::stride]]
    assert len(rows) > 100
    for row in rows:
        formula = parse(row["formula"])
        assert holds(formula, [set(step) for step in row["trace"]]) is row["verdict"], row["id"]
        assert differs(formula, compile(formula, row["mode"]), 2) is None, row["id"]


@pytest.mark.parametrize("text", ["true", "!p", "WX p", "G p", "p R q", "p W q", "H p", "last", "G[<=2] p", "p <-> q"])
def test_what_holds_on_the_empty_trace(text: str) -> None:
    formula = parse(text)
    assert holds(formula, [])
    assert model(formula, 0) == []
    assert not holds(s.Not(formula), [])
    assert model(s.Not(formula), 0) is None


@pytest.mark.parametrize("text", ["false", "p", "X p", "F p", "p U q", "p M q", "Y p", "O p", "p S q", "F[<=2] !p"])
def test_what_fails_on_the_empty_trace(text: str) -> None:
    assert not holds(parse(text), [])
    assert model(parse(text), 0) is None


@settings(max_examples=150, deadline=None)
@given(SMALL, st.sampled_from(["single", "multi"]), st.integers(0, 3))
def test_a_model_is_found_exactly_when_there_is_one(formula: Formula, events: Any, length: int) -> None:
    found = model(formula, length, events)
    if found is None:
        assert not any(satisfies(formula, trace) for trace in product(ALPHABETS[events], repeat=length))
    else:
        assert len(found) == length
        assert set(found) <= set(ALPHABETS[events])
        assert satisfies(formula, found)


@settings(max_examples=150, deadline=None)
@given(SMALL, SMALL, st.sampled_from(["single", "multi"]))
def test_a_wrong_automaton_is_found_out_by_a_shortest_trace(formula: Formula, other: Formula, events: Any) -> None:
    automaton = compile(other, events)
    found = differs(formula, automaton, 3)
    limit = 4 if found is None else len(found)
    for length in range(limit):
        for trace in product(ALPHABETS[events], repeat=length):
            assert automaton.accepts(trace) is satisfies(formula, trace), trace
    if found is not None:
        assert automaton.accepts(found) is not satisfies(formula, found)


def test_a_difference_is_over_the_letters_that_can_be() -> None:
    assert differs(parse("G !(a & b)"), compile("true"), 3) is None  # it names neither, so single holds over all atoms
    assert differs(parse("G !(a & b)"), compile("true", "multi"), 3) == [frozenset({"a", "b"})]
    rule = parse("F(pay[amount > 5] & !pay[amount > 3])")
    assert differs(rule, compile_rule("F(pay[amount > 5] & !pay[amount > 3])"), 3) is None
    assert differs(parse("F pay[amount > 5]"), compile_rule("F(pay[amount > 5] & G !pay[amount > 9])"), 3) == [
        frozenset({"pay[amount > 5]", "pay[amount > 9]"})
    ]


def call(name: str, status: Status = Status.OK, **arguments: Any) -> Event:
    return Event(ToolCall(name, arguments), {"of": arguments.get("of")}, status)


VALUES = st.sampled_from([None, 1, True, "1", 1.0, [1]])
EVENTS = st.builds(
    lambda name, a, b, c, status: call(name, status, a=a, b=b, of={"in": c}),
    st.sampled_from(["put", "get", "swap", "stop", "other"]),
    VALUES,
    VALUES,
    VALUES,
    st.sampled_from([Status.OK, Status.OK, Status.REFUSED]),
)


@pytest.mark.parametrize(
    "text",
    [
        "forall x, y. G(put[a = x, b = y] -> F get[b = y, a = x])",
        "forall x, y. (!put[a = x, b = y]) W (swap[a = y, b = x] | swap[a = x, b = y])",
        "forall x, y. G(put[a = x, result.of.in = y] -> X(get[a = x, b = y] | stop))",
        'forall x. G(put[a = x, b = x] -> O(stop | get[a = x, status = "refused"]))',
        "forall x. !((!stop) U (put[a = x] | swap[a = x] | swap[b = x]))",
        'forall x. G(get[status = x] -> F put[a = 1]) & F put[a = x, b in [1, "1"]]',
    ],
)
def test_slices_found_by_trying_every_value(text: str) -> None:
    formula, rule = parse(text), compile_rule(text)

    @settings(max_examples=80, deadline=None)
    @given(st.lists(EVENTS, max_size=7))
    def agree(trace: list[Event]) -> None:
        monitor = rule.monitor()
        for event in trace:
            monitor.step(event)
        assert holds(formula, trace) is monitor.satisfied is satisfies(formula, trace)

    agree()


def test_only_a_guard_under_its_own_values_can_fail() -> None:
    formula = parse("forall x. F put[b > 1, a = x]")
    assert holds(formula, [call("put", a="text", b=2)])
    with pytest.raises(FormulaError, match="compares"):
        holds(formula, [call("put", a="text", b="2")])


def test_what_z3_cannot_say_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "RESOURCES", 1)
    formula = parse("G(a -> F b) & G(b -> F c) & F[<=3](c & X(!a S b))")
    with pytest.raises(FormulaError, match="Z3 gave up"):
        model(formula, 8, "multi")
    with pytest.raises(FormulaError, match="Z3 gave up"):
        differs(formula, compile(formula, "multi"), 8)


def test_what_is_refused() -> None:
    for text in ("pay[amount > 5]", "forall x. F pay[to = x]"):
        with pytest.raises(FormulaError, match="need"):
            model(parse(text), 2)
        with pytest.raises(FormulaError, match="events, not sets"):
            holds(parse(text), [{"pay"}])
    with pytest.raises(FormulaError, match="cannot stand inside"):
        holds(s.Not(parse("forall x. F pay[to = x]")), [Event.ok(ToolCall("pay", {"to": 1}), None)])
    with pytest.raises(FormulaError, match="'single' or 'multi'"):
        model(parse("a"), 2, "many")  # type: ignore[arg-type]
    wide = Event.ok(ToolCall("pay", {f"a{i}": i for i in range(400)}), None)
    with pytest.raises(FormulaError, match="too many tuples"):
        holds(parse("forall x, y. F pay[to = x, by = y]"), [wide])


def test_depth_is_no_danger() -> None:
    formula: Formula = s.Atom("a")
    for _ in range(3_000):
        formula = s.Not(s.WeakNext(formula))
    assert holds(formula, [{"a"}]) is satisfies(formula, [{"a"}])
    found = model(formula, 2, "multi")
    assert found is not None
    assert satisfies(formula, found)


def test_threads_do_not_meet() -> None:
    formulas = [parse(f"G(a -> F[<={k}] b) & F a") for k in range(24)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda formula: model(formula, 6), formulas))
    for formula, trace in zip(formulas, found, strict=True):
        assert trace is None or satisfies(formula, trace)
    assert found[0] is None
    assert None not in found[1:]


def test_importing_the_engine_does_not_load_z3() -> None:
    code = "import sys, lexgym.oracles.ltlf; print('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
