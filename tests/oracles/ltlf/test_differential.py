"""Two meanings against each other: the automata and the definition, on formulas nobody chose."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, Status, ToolCall
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

NAMES = ("a", "b", "c")


def compose(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    unary: tuple[Callable[[Formula], Formula], ...] = (
        s.Not,
        s.Next,
        s.WeakNext,
        s.Eventually,
        s.Always,
        s.Yesterday,
        s.Once,
        s.Historically,
    )
    binary: tuple[Callable[[Formula, Formula], Formula], ...] = (
        s.Implies,
        s.Iff,
        s.Until,
        s.Release,
        s.WeakUntil,
        s.StrongRelease,
        s.Since,
    )
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(lambda make, body: make(body), st.sampled_from(unary), inner),
        st.builds(lambda make, left, right: make(left, right), st.sampled_from(binary), inner, inner),
        st.builds(s.And, several),
        st.builds(s.Or, several),
        st.builds(
            lambda make, body, k: make(body, k), st.sampled_from([s.Eventually, s.Always]), inner, st.integers(0, 3)
        ),
    )


LEAVES = st.sampled_from([s.Truth(True), s.Truth(False), s.Last(), *map(s.Atom, NAMES)])
FORMULAS = st.recursive(LEAVES, compose, max_leaves=7)
MULTI = st.lists(st.frozensets(st.sampled_from(NAMES)), max_size=7)
SINGLE = st.lists(st.sampled_from([*(frozenset({n}) for n in (*NAMES, "other")), frozenset()]), max_size=7)


@settings(max_examples=400, deadline=None)
@given(FORMULAS, MULTI, SINGLE)
def test_the_automaton_accepts_what_the_definition_says(formula: Formula, sets: Any, events: Any) -> None:
    assert compile(formula, "multi").accepts(sets) is satisfies(formula, sets)
    assert compile(formula, "single").accepts(events) is satisfies(formula, events)


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


ATOMS = (
    "pay[to = x]",
    "pay[to = x, amount > 1]",
    'ask[who = x, status = "refused"]',
    "move[source = x]",
    "move[target = x]",
    "note[result.of = x]",
    "stop",
    'stop[status != "ok"]',
    "pay[amount = 2]",
)


def parse_atom(text: str) -> Formula:
    formula = parse(f"forall x. pay[to = x] & {text}")
    assert isinstance(formula, s.Forall)
    assert isinstance(formula.body, s.And)
    return formula.body.parts[1]


RULES = st.recursive(st.sampled_from(ATOMS).map(parse_atom), compose, max_leaves=5)
VALUES = st.sampled_from([None, 1, True, "1", [1]])


@st.composite
def events(draw: st.DrawFn) -> Event:
    name = draw(st.sampled_from(["pay", "ask", "move", "note", "stop", "other"]))
    keys = {"pay": ("to",), "ask": ("who",), "move": ("source", "target")}.get(name, ())
    arguments = {key: draw(VALUES) for key in keys}
    if name == "pay":
        arguments["amount"] = draw(st.sampled_from([None, 1, 2]))
    return Event(ToolCall(name, arguments), {"of": draw(VALUES)}, draw(st.sampled_from([Status.OK, Status.REFUSED])))


@settings(max_examples=400, deadline=None)
@given(RULES, st.lists(events(), max_size=8))
def test_a_sliced_monitor_says_what_the_definition_says(body: Formula, trace: list[Event]) -> None:
    formula = s.Forall(("x",), s.And((body, s.Or((parse_atom("pay[to = x]"), s.Truth(True))))))
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
        assert not lost or monitor.verdict is RV.PV
        lost = monitor.verdict is RV.PV
