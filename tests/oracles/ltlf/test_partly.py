"""Atoms that bind some of the variables: what a monitor says is what the definition says."""

import pickle
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import RV, RuleMonitor, compile_rule, parse, satisfies, to_text
from lexgym.oracles.ltlf.bounded import differs, holds
from lexgym.oracles.ltlf.english import english
from lexgym.oracles.ltlf.examples import accepted_example, rejected_example
from lexgym.oracles.ltlf.explanation import explain
from lexgym.oracles.ltlf.explanation.relevance import read, run
from lexgym.oracles.ltlf.monitor import SlicedMonitor
from lexgym.oracles.ltlf.partly import PartlyMonitor
from lexgym.oracles.ltlf.picture.chart import chart_of
from lexgym.oracles.ltlf.rule import hashable

from .partly import GIVEN, Case, cases, events

TRACES = st.lists(events(), max_size=8)

OWN = "forall a, p. G(pay[account = a, payee = p] -> Y((!pay[account = a]) S check[account = a, payee = p]))"
"""No payment but right after a check of it, as far as other payments of the same account go."""


def call(name: str, step: int = 0, **arguments: Any) -> Event:
    return Event.ok(ToolCall(name, arguments), {}, step=step)


def pay(account: str, payee: str) -> Event:
    return call("pay", account=account, payee=payee)


def check(account: str, payee: str) -> Event:
    return call("check", account=account, payee=payee)


FEW = st.sampled_from(
    [
        *(call("pay", to="u", by=by, of="u", amount=2) for by in (*GIVEN, None)),
        *(call("pay", to=1, by=by, of="u", amount=1) for by in ("u", None)),
        *(call(tool, to="u", of="u") for tool in ("stop", "stop", "move", "lock")),
    ]
)
"""Calls that share most of their values."""

ACTIONS = st.sampled_from(["step", "step", "step", "step", "peek", "keep", "back", "fork", "pickle"])


@settings(max_examples=200, deadline=None)
@given(cases(), TRACES)
def test_the_monitor_says_what_the_definition_says(case: Case, trace: list[Event]) -> None:
    monitor = compile_rule(case.rule).monitor()
    for length in range(len(trace) + 1):
        if length:
            event = trace[length - 1]
            foreseen = monitor.peek(event)
            twin, token = monitor.fork(), monitor.snapshot()
            assert monitor.step(event) is foreseen is twin.step(event)
            after = monitor.snapshot()
            monitor.restore(token)
            assert monitor.step(event) is foreseen
            assert monitor.snapshot() == after == twin.snapshot()
            assert hash(after) == hash(monitor.snapshot())
        assert monitor.satisfied is case.kept(trace[:length]) is satisfies(case.rule, trace[:length])
    assert {part.key for part in monitor.slices()} == {tuple(map(hashable, key)) for key in case.met(trace)}


@settings(max_examples=80, deadline=None)
@given(cases(), TRACES)
def test_z3_says_what_the_definition_says(case: Case, trace: list[Event]) -> None:
    assert holds(case.rule, trace) is case.kept(trace)


@settings(max_examples=20, deadline=None)
@given(cases(leaves=4))
def test_z3_finds_no_short_slice_that_the_automaton_misjudges(case: Case) -> None:
    assert differs(case.rule, compile_rule(case.rule), 3) is None


@settings(max_examples=120, deadline=None)
@given(cases(), TRACES)
def test_each_slice_has_read_all_its_steps_begun_or_not(case: Case, trace: list[Event]) -> None:
    automaton = compile_rule(case.rule)
    monitor = automaton.monitor()
    assert isinstance(monitor, SlicedMonitor)
    for event in trace:
        monitor.step(event)
    reading = read(automaton, trace)
    begun = {part.key: part.state for part in monitor.slices()}
    assert set(reading.bound) == set(begun)
    for values in [tuple(GIVEN[i] for i in each) for each in _indices(len(case.names))]:
        key = tuple(map(hashable, values))
        state = run(automaton.dfa, reading.word(key).letters)[-1]
        assert monitor.state_of(key) == (state if key in begun else ~state)
        assert key in begun or state in monitor.fresh
        assert automaton.dfa.accepting[state] is satisfies(case.body, case.word(trace, values))


def _indices(size: int) -> list[tuple[int, ...]]:
    return [()] if not size else [(*rest, i) for rest in _indices(size - 1) for i in range(len(GIVEN))]


@settings(max_examples=150, deadline=None)
@given(cases(), st.lists(st.tuples(ACTIONS, st.integers(0, 2), FEW), min_size=20, max_size=40))
def test_monitors_that_share_a_past_do_not_disturb_each_other(case: Case, walk: list[tuple[str, int, Event]]) -> None:
    automaton = compile_rule(case.rule)
    running: list[tuple[RuleMonitor, list[Event]]] = [(automaton.monitor(), [])]
    kept: list[tuple[Any, list[Event]]] = []
    for action, number, event in walk:
        place = number % len(running)
        monitor, past = running[place]
        match action:
            case "keep":
                kept.append((monitor.snapshot(), list(past)))
            case "back" if kept:
                token, before = kept[number % len(kept)]
                monitor.restore(token)
                running[place] = monitor, list(before)
            case "fork":
                running.append((monitor.fork(), list(past)))
            case "pickle":
                running[place] = pickle.loads(pickle.dumps(monitor)), past
            case "peek":
                monitor.peek(event)
            case _:
                monitor.step(event)
                past.append(event)
    for monitor, past in running:
        _same_as_new(automaton.monitor(), monitor, past)
    for token, past in kept:
        running[0][0].restore(token)
        _same_as_new(automaton.monitor(), running[0][0], past)


def _same_as_new(fresh: RuleMonitor, other: RuleMonitor, past: Sequence[Event]) -> None:
    for event in past:
        fresh.step(event)
    assert (fresh.snapshot(), fresh.verdict) == (other.snapshot(), other.verdict)
    assert (fresh.states, fresh.fresh, fresh.distance) == (other.states, other.fresh, other.distance)
    for event in past:
        assert sorted(map(repr, fresh.moves(event))) == sorted(map(repr, other.moves(event)))


@settings(max_examples=120, deadline=None)
@given(cases(), TRACES)
def test_what_is_for_good_stays_and_the_distance_is_a_bound(case: Case, trace: list[Event]) -> None:
    monitor = compile_rule(case.rule).monitor()
    seen = [(monitor.verdict, monitor.distance)]
    for event in trace:
        seen.append((monitor.step(event), monitor.distance))
    verdicts = [verdict for verdict, _ in seen]
    for verdict in (RV.PS, RV.PV):
        if verdict in verdicts:
            assert set(verdicts[verdicts.index(verdict) :]) == {verdict}
    for length, (_, distance) in enumerate(seen):
        ends = [later - length for later in range(length, len(seen)) if verdicts[later] in (RV.PS, RV.CS)]
        assert not ends or (distance is not None and distance <= ends[0])


@settings(max_examples=100, deadline=None)
@given(cases(), TRACES)
def test_explanations_are_about_the_slices_and_their_repairs_repair_them(case: Case, trace: list[Event]) -> None:
    automaton = compile_rule(case.rule)
    monitor = automaton.monitor()
    first: dict[Any, int] = {}
    for step, event in enumerate(trace, 1):
        monitor.step(event)
        for part in monitor.slices():
            if automaton.dfa.colours[part.state] in (RV.PS, RV.PV):
                first.setdefault(part.key, step)
    states = {part.key: part.state for part in monitor.slices()}
    keys = list(read(automaton, trace).bound)
    for key, why in zip(keys, explain(automaton, trace), strict=True):
        assert why.verdict is automaton.dfa.colours[states[key]]
        assert why.permanent_at == first.get(key)
        if why.repair is not None and why.repair.trace is not None:
            letters = read(automaton, why.repair.trace).word(key).letters
            assert automaton.dfa.accepting[run(automaton.dfa, letters)[-1]]


@settings(max_examples=50, deadline=None)
@given(cases())
def test_such_rules_survive_printing_and_pickling(case: Case) -> None:
    assert parse(to_text(case.rule)) is case.rule
    automaton = compile_rule(case.rule)
    assert pickle.loads(pickle.dumps(automaton)) is automaton


def test_only_a_check_since_the_last_payment_of_the_account_counts() -> None:
    monitor = compile_rule(OWN).monitor()
    assert isinstance(monitor, PartlyMonitor)
    for event in [check("A", "ann"), check("A", "bob"), pay("A", "ann"), pay("B", "eve")]:
        foreseen = monitor.peek(event)
        assert monitor.step(event) is foreseen
    assert [binding for binding, _ in monitor.violated] == [{"a": "B", "p": "eve"}]
    monitor = compile_rule(OWN).monitor()
    for event in [check("A", "ann"), check("A", "bob"), check("B", "bob"), pay("A", "ann")]:
        assert monitor.step(event) is RV.CS
    assert monitor.peek(pay("A", "bob")) is RV.PV, "a payment of the account came between"
    assert monitor.peek(pay("B", "bob")) is RV.CS, "it was another account"
    (way,) = monitor.enable(pay("A", "bob"))
    assert [str(wanted) for wanted in way] == ['check[account = "A", payee = "bob"]']


def test_a_slice_has_read_what_came_before_it_began() -> None:
    monitor = compile_rule("forall a, p. (!pay[account = a, payee = p]) W open[account = a]").monitor()
    monitor.step(call("open", account="A"))
    assert monitor.peek(pay("A", "ann")) is RV.CS
    assert monitor.peek(pay("B", "ann")) is RV.PV
    (way,) = monitor.enable(pay("B", "ann"))
    assert [str(wanted) for wanted in way] == ['open[account = "B"]']
    assert list(monitor.slices()) == []


def test_a_call_about_part_of_the_values_moves_every_slice_that_has_them() -> None:
    monitor = compile_rule("forall a, p. G(pay[of = a, to = p] -> (!close[of = a]) W settle[of = a, to = p])").monitor()
    for event in [call("pay", of="A", to="ann"), call("pay", of="A", to="bob"), call("pay", of="B", to="ann")]:
        monitor.step(event)
    close = call("close", of="A")
    assert len(monitor.moves(close)) == 2
    assert monitor.peek(close) is RV.PV
    assert monitor.peek(call("close", of="C")) is RV.CS
    (way,) = monitor.enable(close)
    assert [str(wanted) for wanted in way] == ['settle[of = "A", to = "ann"]', 'settle[of = "A", to = "bob"]']
    monitor.step(call("settle", of="A", to="ann"))
    assert monitor.peek(close) is RV.PV
    monitor.step(call("settle", of="A", to="bob"))
    assert monitor.step(close) is RV.CS


def test_one_call_that_helps_several_slices_is_asked_for_once() -> None:
    rule = "forall a, p. G(pay[of = a, to = p] -> (!close[of = a]) W release[of = a])"
    monitor = compile_rule(rule).monitor()
    for payee in ("ann", "bob", "eve"):
        monitor.step(call("pay", of="A", to=payee))
    (way,) = monitor.enable(call("close", of="A"))
    assert [str(wanted) for wanted in way] == ['release[of = "A"]']


def test_two_parts_together_are_known_before_the_slice_begins() -> None:
    rule = "forall a, p. ((!pay[of = a, to = p]) W open[of = a]) & ((!pay[of = a, to = p]) W know[to = p])"
    monitor = compile_rule(rule).monitor()
    monitor.step(call("open", of="A"))
    monitor.step(call("know", to="ann"))
    assert monitor.peek(call("pay", of="A", to="ann")) is RV.CS
    for account, payee in [("A", "bob"), ("B", "ann")]:
        assert monitor.peek(call("pay", of=account, to=payee)) is RV.PV


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("forall a, p. F pay[of = a]", "does not bind the variable 'p', and no other atom binds all variables"),
        ("forall a, p. F pay[of = a] & F note[to = p]", "one at least needs an equality such as 'argument = p'"),
        ("forall a, p. F pay[of = a, to = p] & note[of != a]", "does not bind the variable 'a'"),
        ("forall a, p, q. F pay[of = a, to = p] & note[of = a, by = q]", "for each of a, p, q"),
    ],
)
def test_what_begins_no_slice_is_an_error(text: str, said: str) -> None:
    with pytest.raises(FormulaError, match=said.replace("(", r"\(")):
        parse(text)


def test_examples_begin_the_slice_that_they_are_about() -> None:
    automaton = compile_rule("forall a, p. (!close[of = a]) W pay[of = a, to = p]")
    assert str(rejected_example(automaton)) == "close[of = a], pay[of = a, to = p]"
    opened = compile_rule("forall a, p. (!pay[of = a, to = p]) W open[of = a]")
    assert str(accepted_example(opened)) == "open[of = a], pay[of = a, to = p]"
    assert str(rejected_example(opened)) == "pay[of = a, to = p]"


def test_a_picture_names_the_places_where_they_tell_atoms_apart() -> None:
    chart = chart_of(compile_rule(OWN))
    assert chart.caption == "for each account a and payee p"
    assert ("pay[account = a]",) in [edge.short for edge in chart.edges]
    whole = chart_of(compile_rule(OWN.replace("!pay[account = a]", "!pay[account = a, payee = p]")))
    assert ("pay",) in [edge.short for edge in whole.edges]


def test_such_a_rule_in_words() -> None:
    assert english("forall a, p. (!pay[account = a, payee = p]) W open[account = a]") == (
        "For each account a and payee p: `pay` with account a and payee p may not happen before `open` with account a."
    )


def test_copies_that_both_moved_on_begin_slices_of_their_own() -> None:
    closed = "forall a, p. G(pay[account = a, payee = p] -> F close[account = a]) & absence(3, stop)"
    monitor = compile_rule(closed).monitor()
    monitor.step(pay("A", "ann"))
    twin = monitor.fork()
    for each in (monitor, twin):
        each.step(call("stop"))
    monitor.step(pay("A", "bob"))
    twin.step(call("close", account="A"))
    assert [part.key for part, _ in twin.moves(call("close", account="A"))] == [("A", "ann")]
    fresh = compile_rule(closed).monitor()
    for event in (pay("A", "ann"), call("stop"), call("close", account="A")):
        fresh.step(event)
    assert fresh.snapshot() == twin.snapshot()


def test_a_rule_is_not_kept_for_good_while_a_slice_could_begin_badly() -> None:
    monitor = compile_rule("forall a, p. ((!close[account = a]) U stop) | !F pay[account = a, payee = p]").monitor()
    twin = monitor.fork()
    assert twin.step(call("stop")) is RV.PS
    monitor.step(call("close", account="A"))
    assert monitor.step(call("stop")) is RV.CS
    assert monitor.peek(pay("B", "ann")) is RV.CS
    assert monitor.step(pay("A", "ann")) is RV.PV


def test_an_event_that_gives_a_tuple_and_a_part_of_it_is_one_step() -> None:
    automaton = compile_rule("forall a, p. absence(2, pay[account = a, payee = p]) & F pay[account = a]")
    word = read(automaton, [pay("A", "ann"), pay("A", "bob")]).word(("A", "ann"))
    assert (word.begun, word.steps) == (1, (1, 2))
    assert len(set(word.letters)) == 2
