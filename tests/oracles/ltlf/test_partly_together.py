"""Rules with atoms that bind some of the variables, together: what is called lost or forbidden is so."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, Status, ToolCall
from lexgym.oracles.ltlf import RV, RuleSet, RuleSetMonitor, compile_rule, parse, satisfies
from lexgym.oracles.ltlf.hygiene import Kind, examine
from lexgym.oracles.ltlf.partly import PartlyMonitor
from lexgym.oracles.ltlf.planning import Plan, Wanted

from .partly import Case, cases, events

RULES = (
    "forall x, a. G(pay[to = x, amount = a] -> (!pay[to = x]) S check[of = x, amount = a])",
    "forall x, a. G(pay[to = x, amount = a] -> Y((!pay[to = x]) S check[of = x, amount = a]))",
    "forall x, a. G(pay[to = x, amount = a] -> F note[of = x])",
    "forall x, a. (!pay[to = x, amount = a]) W check[of = x]",
    "forall x, a. G(check[of = x, amount = a] -> (!note[of = x]) W pay[to = x, amount = a])",
    "forall x, a. absence(2, note[of = x]) | F pay[to = x, amount = a]",
    "forall x, a. G(pay[to = x, amount = a] -> X check[amount = a])",
    "forall x, a. not_coexistence(pay[to = x, amount = a], note[of = x])",
    "forall x, a. (!pay[to = x, amount = a]) W (note[of = x] & X check[of = x, amount = a])",
    "forall x, a. G(note[of = x] -> F pay[to = x, amount = a])",
    "forall x, a. G(note[of = x] -> pay[to = x, amount = a])",
    "forall p. G(pay[to = p] -> F note[of = p])",
    "forall q. not_succession(pay[to = q], note[of = q])",
    "forall y. (!pay[to = y]) W note[of = y]",
    "forall z. (!note[of = z]) W check[of = z]",
    "forall x, a. G(pay[to = x, amount = a] -> F check[of = x, amount = a])",
    "G(stop -> G !note)",
    "absence(3, check)",
    "absence(1, pay)",
)


def call(tool: str, **arguments: Any) -> Event:
    return Event.ok(ToolCall(tool, arguments), {})


CALLS = (
    *(
        call(tool, **{place: v, "amount": a})
        for tool, place in [("pay", "to"), ("check", "of")]
        for v in "uv"
        for a in (1, 2)
    ),
    *(call("note", of=value) for value in "uv"),
    call("stop"),
)
SETS = st.lists(st.sampled_from(RULES), min_size=1, max_size=4, unique=True)
TRACES = st.lists(st.sampled_from(CALLS), max_size=7)


@settings(max_examples=200, deadline=None)
@given(SETS, TRACES)
def test_rules_are_lost_together_only_when_nothing_can_save_them(rules: list[str], trace: list[Event]) -> None:
    """If the whole trace keeps every rule, no prefix may have been called lost, nor its next call refused."""
    kept = all(satisfies(parse(rule), trace) for rule in rules)
    monitor = RuleSet(rules).monitor()
    for event in trace:
        if kept:
            assert monitor.verdict is not RV.PV
            assert not monitor.dooms(event)
            assert event.name in monitor.admissible or event.name not in monitor.rules.tools
        completion = monitor.completion()
        assert (completion is None) is (monitor.verdict is RV.PV)
        before, foreseen = monitor.snapshot(), monitor.peek(event)
        assert monitor.step(event) == foreseen
        after = monitor.snapshot()
        monitor.restore(before)
        monitor.step(event)
        assert monitor.snapshot() == after
    assert all(monitor.satisfied) is kept


@settings(max_examples=120, deadline=None)
@given(cases(), st.lists(events(), max_size=8))
def test_no_tool_is_forbidden_of_which_a_call_is_lawful(case: Case, trace: list[Event]) -> None:
    monitor = compile_rule(case.rule).monitor()
    for event in trace:
        given = event.status is Status.OK and None not in event.call.arguments.values()
        if monitor.verdict is not RV.PV and given and monitor.peek(event) is not RV.PV:
            assert event.name not in monitor.forbidden
            assert event.name in monitor.automaton.tools or None not in monitor.forbidden
        monitor.step(event)
    assert monitor.verdict is not RV.PV or not monitor.forbidden


def test_masks_of_the_motivating_rule_are_sharp() -> None:
    monitor = RuleSet(
        ["forall x, a. G(pay[to = x, amount = a] -> Y((!pay[to = x]) S check[of = x, amount = a]))"]
    ).monitor()
    assert monitor.forbidden == {"pay"}
    monitor.step(CALLS[4])
    assert monitor.forbidden == frozenset()
    monitor.step(CALLS[0])
    assert monitor.forbidden == {"pay"}
    assert monitor.completion() == []


SETS_TO_SEARCH = (
    (RULES[3], "absence(2, check)", "F pay"),
    (RULES[3], "forall y. G(check[of = y] -> F note[of = y])", "forall y. not_coexistence(note[of = y], pay[to = y])"),
    (RULES[9], "absence(1, pay)"),
    (RULES[10], "absence(2, pay)", "F note"),
    (RULES[7], RULES[2], "absence(2, note)"),
)


@pytest.mark.parametrize("rules", SETS_TO_SEARCH)
def test_no_mask_hides_a_way_to_keep_all_rules(rules: tuple[str, ...]) -> None:
    """Every trace of three calls at most that keeps all rules is one that the masks allow."""
    assert _search(RuleSet(rules).monitor(), 3)


def _search(monitor: RuleSetMonitor, left: int) -> bool:
    """Whether some calls, so many at most, end with all rules kept; each such call must be allowed."""
    kept = all(monitor.satisfied)
    for event in CALLS if left else ():
        twin = monitor.fork()
        twin.step(event)
        if _search(twin, left - 1):
            kept = True
            assert (event.name if event.name in monitor.rules.tools else None) in monitor.admissible
            assert not monitor.dooms(event)
    assert not kept or monitor.verdict is not RV.PV
    return kept


def test_a_call_that_begins_a_slice_is_asked_about_that_slice() -> None:
    rule = "forall x, a. G(pay[to = x, amount = a] -> F check[of = x, amount = a]) & absence(4, pay[to = x])"
    monitor = RuleSet([rule, "absence(1, check)"]).monitor()
    assert monitor.forbidden == {"pay", "check"}
    assert monitor.monitor(0).forbidden == frozenset()


def _calls() -> Iterator[Event]:
    values = ("u", 1, True, "new")
    for to, by, of, amount in product(values, values, values, (1, 2)):
        yield Event.ok(ToolCall("pay", {"to": to, "by": by, "of": of, "amount": amount}), {"of": "new"})
    for to, of in product(values, values):
        yield Event.ok(ToolCall("move", {"to": to, "of": of}), {"of": "new"})
    for of in values:
        for status in (Status.OK, Status.REFUSED):
            yield Event(ToolCall("lock", {"of": of}), {"of": "new"}, status)
        yield Event.ok(ToolCall("note"), {"of": of})
    for tool in ("stop", "other", "lock", "move"):
        yield Event.ok(ToolCall(tool), {"of": "new"})


EVERY = tuple(_calls())


def _matching(wanted: Wanted) -> list[Event]:
    return [event for event in EVERY if wanted.matches(event)]


@settings(max_examples=80, deadline=None)
@given(cases(), st.lists(events(), max_size=6))
def test_what_discharges_brings_its_slice_nearer(case: Case, trace: list[Event]) -> None:
    monitor = compile_rule(case.rule).monitor()
    for event in trace:
        monitor.step(event)
    automaton = monitor.automaton
    distance, asked = automaton.dfa.distance, 0
    for part in monitor.slices():
        if automaton.dfa.colours[part.state] is RV.CV:
            for wanted in Plan(automaton).first_letters(part.key, part.state):
                asked += 1
                for event in _matching(wanted):
                    after = monitor.fork()
                    after.step(event)
                    state = {other.key: other.state for other in after.slices()}[part.key]
                    assert (distance[state] or 0) == (distance[part.state] or 0) - 1
    assert len(monitor.discharge()) == asked


@settings(max_examples=100, deadline=None)
@given(cases(), st.lists(events(), max_size=6), st.lists(events(), min_size=1, max_size=3))
def test_what_enables_a_call_makes_it_lawful(case: Case, trace: list[Event], tried: list[Event]) -> None:
    """In the slices that the call is a step of; what the calls before it are in others is not foreseen."""
    monitor = compile_rule(case.rule).monitor()
    for event in trace:
        if monitor.peek(event) is not RV.PV:
            monitor.step(event)
    for event in tried:
        if not isinstance(monitor, PartlyMonitor):
            continue
        for way in monitor.enable(event)[:3]:
            assert way
            choices = [_plainest(wanted, monitor) for wanted in way]
            if all(choices):
                assert any(_lawful(monitor, calls, event) for calls in product(*choices)), way


def _plainest(wanted: Wanted, monitor: PartlyMonitor) -> list[Event]:
    """Return some of the calls that are steps of the fewest slices, since a way asks for no more than it says."""
    return sorted(_matching(wanted), key=lambda event: len(monitor.moves(event)))[:12]


def _lawful(monitor: PartlyMonitor, calls: Sequence[Event], event: Event) -> bool:
    """Whether calls leave the slices alive that an event is a step of, and the event too."""
    keys = {part.key for part, _ in monitor.moves(event)}
    twin = monitor.fork()
    for each in (*calls, event):
        twin.step(each)
        if any(twin.automaton.dfa.colours[part.state] is RV.PV for part in twin.slices() if part.key in keys):
            return False
    return True


def test_what_is_found_in_sets_of_rules_is_true_of_traces() -> None:
    """Every finding that no trace does something, against all traces of up to three calls."""
    traces = [list(trace) for length in range(4) for trace in product(CALLS, repeat=length)]
    automata = {rule: compile_rule(rule) for rule in RULES}
    kept = {rule: [automaton.accepts(trace) for trace in traces] for rule, automaton in automata.items()}
    claims = 0
    for one, other in combinations(RULES, 2):
        for finding in examine([one, other]):
            both = [t for t, a, b in zip(traces, kept[one], kept[other], strict=True) if a and b]
            match finding.kind:
                case Kind.CONFLICT:
                    assert not any(both)
                case Kind.SUBSUMED | Kind.EQUIVALENT:
                    stronger = next(rule for rule in finding.rules if rule != finding.rules[0])
                    assert all(a <= b for a, b in zip(kept[stronger], kept[finding.rules[0]], strict=True))
                case Kind.NEVER:
                    called = [tool for tool in ("pay", "check", "note", "stop") if f"`{tool}`" in finding.sentence]
                    assert not any(event.name in called for trace in both for event in trace)
                case Kind.TAUTOLOGY:
                    assert all(kept[finding.rules[0]])
                case _:
                    continue
            claims += 1
    assert claims
