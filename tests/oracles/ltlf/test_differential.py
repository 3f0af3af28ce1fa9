"""Three meanings against each other: automata, definition and Z3, on formulas nobody chose."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event
from lexgym.oracles.ltlf import (
    RV,
    Formula,
    compile,  # noqa: A004
    compile_rule,
    parse,
    satisfies,
    to_text,
)
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.bounded import differs, holds

from .strategies import FORMULAS, MULTI, NAMES, RULES, SINGLE, compose, events, sliced


@settings(max_examples=400, deadline=None)
@given(FORMULAS, MULTI, SINGLE)
def test_three_judges_agree_on_a_trace(formula: Formula, sets: Any, events: Any) -> None:
    assert compile(formula, "multi").accepts(sets) is satisfies(formula, sets) is holds(formula, sets)
    assert compile(formula, "single").accepts(events) is satisfies(formula, events) is holds(formula, events)


@settings(max_examples=80, deadline=None)
@given(FORMULAS)
def test_z3_finds_no_short_trace_that_the_automaton_misjudges(formula: Formula) -> None:
    assert differs(formula, compile(formula, "multi"), 4) is None
    assert differs(formula, compile(formula, "single"), 5) is None


@settings(max_examples=60, deadline=None)
@given(RULES)
def test_z3_finds_no_short_slice_that_a_rule_misjudges(body: Formula) -> None:
    assert differs(body, compile_rule(sliced(body)), 3) is None


@pytest.mark.parametrize(
    "text",
    [
        "G(O(F a) -> b)",
        "F(b & O(a & X(c)))",
        "H(a -> F b)",
        "F((X a) S (F b))",
        "G(Y(a U b) -> c)",
        "!O(X(Y a & F c))",
        "G(last -> H(a -> X(b | O c)))",
    ],
)
def test_past_over_future_is_exact_on_every_short_trace(text: str) -> None:
    formula = parse(text)
    automaton = compile(formula, "single")
    letters = [frozenset({name}) for name in (*NAMES, "other")]
    for length in range(6):
        for trace in product(letters, repeat=length):
            assert automaton.accepts(trace) is satisfies(formula, trace), trace


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.sampled_from([s.Atom("a"), s.Atom("b"), s.Last()]), compose, max_leaves=4), st.data())
def test_verdicts_are_what_extensions_say(formula: Formula, data: st.DataObject) -> None:
    automaton = compile(formula, "single")
    if len(automaton) > 5:
        return  # below six states, five more letters visit everything there is
    letters = [frozenset({"a"}), frozenset({"b"}), frozenset({"other"})]
    prefix = data.draw(st.lists(st.sampled_from(letters), max_size=3))
    monitor = automaton.monitor()
    for step in prefix:
        monitor.step(step)
    now = satisfies(formula, prefix)
    futures = {satisfies(formula, [*prefix, *more]) for n in range(5) for more in product(letters, repeat=n)}
    expected = (RV.CS if False in futures else RV.PS) if now else (RV.CV if True in futures else RV.PV)
    assert monitor.verdict is expected


@settings(max_examples=300, deadline=None)
@given(FORMULAS)
def test_formulas_survive_printing(formula: Formula) -> None:
    assert parse(to_text(formula)) is formula


@settings(max_examples=400, deadline=None)
@given(RULES, st.lists(events(), max_size=8))
def test_a_sliced_monitor_says_what_the_definition_says(body: Formula, trace: list[Event]) -> None:
    formula = sliced(body)
    monitor = compile_rule(formula).monitor()
    lost = False
    for length in range(len(trace) + 1):
        if length:
            event = trace[length - 1]
            foreseen = monitor.peek(event)
            twin, token = monitor.fork(), monitor.snapshot()
            assert monitor.step(event) is foreseen is twin.step(event)
            after = monitor.snapshot()
            monitor.restore(token)
            assert monitor.step(event) is foreseen
            assert monitor.snapshot() == after
        assert monitor.satisfied is satisfies(formula, trace[:length])
        assert length < len(trace) or monitor.satisfied is holds(formula, trace)
        assert not lost or monitor.verdict is RV.PV
        lost = monitor.verdict is RV.PV
