"""Why a verdict is so: against brute force on every short trace, and on rules that people write."""

from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, Status, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import (
    DFA,
    RV,
    Formula,
    compile,  # noqa: A004
    compile_rule,
    satisfies,
)
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.explanation import explain, repair
from lexgym.oracles.ltlf.explanation.relevance import read, relevant, run, settled
from lexgym.oracles.ltlf.explanation.repair import Script

from .strategies import RULES, compose, events, sliced

TEXTS = [
    "G(a -> F b)",
    "!((!a) U b)",
    "G(a -> X b)",
    "G(b -> Y a)",
    "F[<=1] a & G(a -> F[<=2] b)",
    "absence(2, a)",
    "exactly(2, a)",
    "existence(3, a)",
    "alternate_response(a, b)",
    "alternate_succession(a, b)",
    "not_chain_succession(a, b)",
    "co_existence(a, b)",
    "not_coexistence(a, b)",
    "init(a) & end(b)",
    "F(a & X(b & X(!a & !b)))",
    "(a & X a) | (b & X(b & X(b & last)))",
    "WX true & !a",
    "G(a <-> last)",
]
WORDS = [word for length in range(8) for word in product((0, 1, 2), repeat=length)]
SMALL = st.recursive(st.sampled_from([s.Atom("a"), s.Atom("b"), s.Last()]), compose, max_leaves=5)
STEPS = (frozenset({"other"}), frozenset({"a"}), frozenset({"b"}))
TRACES = st.lists(st.sampled_from(STEPS), max_size=6)


def automaton_of(formula: Formula | str) -> Any:
    """Compile a formula so that letter 1 is `a`, 2 is `b`, and 0 any other event, whatever it names."""
    return compile(f"((a | b) | true) & ({formula})")


@cache
def neighbours() -> dict[tuple[int, ...], set[tuple[int, ...]]]:
    """Return, for each short word, the words that one edit makes of it."""
    found: dict[tuple[int, ...], set[tuple[int, ...]]] = {word: set() for word in WORDS}
    for word in WORDS:
        for i in range(len(word)):
            rest = word[:i] + word[i + 1 :]
            found[word].add(rest)
            found[rest].add(word)
            found[word].update((*rest[:j], word[i], *rest[j:]) for j in range(len(word)))
    return found


def fewest_edits(dfa: DFA) -> dict[tuple[int, ...], int]:
    """Return how many edits each short word is away from an accepted one, through words of up to 7 letters."""
    away = {word: 0 for word in WORDS if dfa.accepting[run(dfa, word)[-1]]}
    queue = deque(away)
    while queue:
        word = queue.popleft()
        for other in neighbours()[word]:
            if other not in away:
                away[other] = away[word] + 1
                queue.append(other)
    return away


def applied(word: tuple[int, ...], script: Script) -> Iterator[int]:
    """Make the edits of a script, all places being those of the word as it was."""
    gone = {change.taken for change in script.changes}
    for i in range(len(word) + 1):
        yield from (change.letter for change in script.changes if change.put == i)
        yield from () if i in gone else word[i : i + 1]


def smallest_cause(dfa: DFA, word: tuple[int, ...]) -> tuple[int, ...]:
    """Try every set of kept letters, the smallest first."""
    cut = settled(dfa, word)
    part = word if cut is None else word[:cut]
    real = run(dfa, part)
    causes = []
    for size in range(len(part) + 1):
        for kept in combinations(range(len(part)), size):
            states = run(dfa, [letter if i in kept else 0 for i, letter in enumerate(part)])
            if dfa.colours[states[-1]] is dfa.colours[real[-1]]:
                off = max((i for i in range(len(states)) if states[i] != real[i]), default=-1)
                causes.append((off, kept))
        if causes:
            return min(causes)[1]
    raise AssertionError("keeping everything keeps the verdict")


def check_repair(dfa: DFA, word: tuple[int, ...], fewest: int | None) -> None:
    script = repair.repair(dfa, word, range(3))
    if dfa.distance[0] is None:
        assert script is None
        return
    assert script is not None
    assert script.shortest
    assert tuple(applied(word, script)) == script.word
    assert dfa.accepting[run(dfa, script.word)[-1]]
    for change in script.changes:
        assert change.taken is None or word[change.taken] == change.letter
    if len(word) + len(script.changes) <= 7:  # brute force passes through words of up to 7 letters
        assert len(script.changes) == fewest
    else:
        assert fewest is None or len(script.changes) <= fewest


@pytest.mark.parametrize("text", TEXTS)
def test_no_cause_is_smaller_and_no_repair_shorter(text: str) -> None:
    dfa = automaton_of(text).dfa
    away = fewest_edits(dfa)
    for word in WORDS[: 1 + 3 + 9 + 27 + 81 + 243]:
        assert relevant(dfa, word) == smallest_cause(dfa, word), word
        check_repair(dfa, word, away.get(word))


@settings(max_examples=60, deadline=None)
@given(SMALL, st.lists(st.sampled_from((0, 1, 2)), max_size=5).map(tuple))
def test_causes_and_repairs_of_formulas_nobody_chose(formula: Formula, word: tuple[int, ...]) -> None:
    dfa = automaton_of(formula).dfa
    assert relevant(dfa, word) == smallest_cause(dfa, word)
    check_repair(dfa, word, fewest_edits(dfa).get(word))


@settings(max_examples=200, deadline=None)
@given(SMALL, TRACES)
def test_an_explanation_of_a_plain_trace(formula: Formula, trace: list[frozenset[str]]) -> None:
    automaton = compile(formula)
    monitor = automaton.monitor()
    verdicts = [monitor.verdict, *(monitor.step(step) for step in trace)]
    (found,) = explain(automaton, trace)
    assert found.verdict is verdicts[-1]
    assert found.permanent_at == next((i for i, v in enumerate(verdicts) if v in (RV.PS, RV.PV)), None)
    blanked = [step if i in found.relevant else frozenset() for i, step in enumerate(trace, 1)]
    assert explain(automaton, blanked[: found.permanent_at])[0].verdict is found.verdict
    assert str(found)
    if found.repair is None:
        assert satisfies(formula, trace) or automaton.word() is None
    else:
        assert found.repair.trace is not None
        assert not satisfies(formula, trace)
        assert satisfies(formula, found.repair.trace)


@settings(max_examples=200, deadline=None)
@given(RULES, st.lists(events(), max_size=7))
def test_an_explanation_of_each_slice(body: Formula, trace: list[Event]) -> None:
    automaton = compile_rule(sliced(body))
    monitor = automaton.monitor()
    first: dict[Any, int] = {}
    for step, event in enumerate(trace, 1):
        monitor.step(event)
        for part in monitor.slices():
            if automaton.dfa.colours[part.state] in (RV.PS, RV.PV):
                first.setdefault(part.key, step)
    keys = list(read(automaton, trace).bound)
    states = {part.key: part.state for part in monitor.slices()}
    found = explain(automaton, trace)
    assert set(keys) == set(states)
    for key, why in zip(keys, found, strict=True):
        assert why.verdict is automaton.dfa.colours[states[key]]
        assert why.binding == automaton.binding(key)
        assert why.permanent_at == first.get(key)
        possible = not automaton.dfa.accepting[states[key]] and automaton.dfa.distance[0] is not None
        assert (why.repair is not None) is possible


def call(name: str, status: Status = Status.OK, result: Any = None, **arguments: Any) -> Event:
    return Event(ToolCall(name, arguments), result, status)


def names(trace: Any) -> list[str]:
    return [event.name for event in trace]


PAY = "forall p. (!pay[payee = p]) W confirm[payee = p]"


def test_a_payment_before_its_confirmation() -> None:
    trace = [call("confirm", payee="P1"), call("look"), call("pay", payee="P1"), call("pay", payee="P2"), call("look")]
    settled_, broken = explain(compile_rule(PAY), trace)
    assert (settled_.verdict, settled_.permanent_at, settled_.relevant, settled_.repair) == (RV.PS, 1, (1,), None)
    assert str(settled_) == 'for p = "P1": satisfied for good at step 1 `confirm`'
    assert (broken.verdict, broken.permanent_at, broken.relevant) == (RV.PV, 4, (4,))
    assert str(broken) == (
        'for p = "P2": violated for good at step 4 `pay`; shortest repair: insert `confirm[payee = "P2"]` before step 4'
    )
    assert broken.repair is not None
    assert broken.repair.trace == (*trace[:3], call("confirm", payee="P2"), *trace[3:])
    assert explain(compile_rule(PAY), broken.repair.trace)[1].repair is None
    assert explain(compile_rule(PAY), [call("look")]) == []


@pytest.mark.parametrize(
    ("text", "trace", "expected"),
    [
        ("G(a -> F b)", "", "satisfied so far"),
        ("G(a -> F b)", "a b c", "satisfied so far"),
        (
            "G(a -> F b)",
            "a b a a",
            "violated so far; step 3 matters; shortest repair: insert `b` at the end",
        ),
        ("F a", "c", "violated so far; shortest repair: insert `a` at the end"),
        (
            "G(a -> G !b)",
            "a c b",
            "violated for good at step 3 `b`; steps 1 and 3 matter; shortest repair: move step 1 `a` to the end",
        ),
        (
            "absence(3, a)",
            "a a b a",
            "violated for good at step 4 `a`; steps 1, 2 and 4 matter; shortest repair: delete step 4 `a`",
        ),
        ("absence(2, a)", "c a", "satisfied so far"),
        ("G(a -> X b)", "a b", "satisfied so far"),
        ("G !a & (F b -> F c)", "b c", "satisfied so far"),
        ("X F(b & last)", "c b", "satisfied so far; step 2 matters"),
        (
            "!((!a) U b)",
            "b a",
            "violated for good at step 1 `b`; shortest repair: insert `a` before step 1",
        ),
        ("F(a & X b)", "", "violated so far; shortest repair: insert `a` at the end and insert `b` at the end"),
        ("F !a", "", "violated so far; shortest repair: insert `any other event` at the end"),
        ("F a", "c a", "satisfied for good at step 2 `a`"),
        ("F(a & !a)", "a b", "violated for good: nothing can satisfy it"),
        ("a | !a", "a", "satisfied for good, whatever happens"),
    ],
)
def test_what_is_said(text: str, trace: str, expected: str) -> None:
    (found,) = explain(compile(text), [{name} for name in trace.split()])
    assert str(found) == expected


def test_a_step_of_several_names_and_of_none() -> None:
    (found,) = explain(compile("G(a & b -> X a)", "multi"), [{"a", "b"}, set()])
    assert (
        str(found) == "violated for good at step 2 `nothing`; step 1 matters; shortest repair: insert `a` before step 2"
    )
    (found,) = explain(compile("F(a & b)", "multi"), [{"a"}])
    assert found.repair is not None
    assert found.repair.trace == ({"a"}, {"a", "b"})


def test_an_event_that_cannot_be_made_up_is_described() -> None:
    automaton = compile_rule("!((!check[result.authorized]) U pay)")
    (found,) = explain(automaton, [call("check", result={"authorized": False}), call("pay")])
    assert found.relevant == (2,)
    assert found.repair is not None
    assert found.repair.trace is None
    (edit,) = found.repair.edits
    assert (edit.kind, edit.text, edit.step, edit.before) == ("insert", "check[result.authorized]", None, 2)
    assert edit.wanted is not None
    assert edit.wanted.matches(call("check", result={"authorized": True}))


def test_another_call_has_a_name_that_the_rule_does_not_know() -> None:
    (found,) = explain(compile_rule("F(!other & !other_)"), [])
    assert found.repair is not None
    assert found.repair.trace is not None
    assert names(found.repair.trace) == ["other__"]


def test_only_its_own_events_repair_a_slice() -> None:
    text = "forall x. G(a[e = x] -> X b[e = x]) & absence(2, b[e = x])"
    trace = [call("a", e=1), call("a", e=2), call("noise"), call("b", e=1), call("b", e=2)]
    one, two = explain(compile_rule(text), trace)
    assert (one.permanent_at, two.permanent_at) == (3, 3)
    for why, step in ((one, 4), (two, 5)):
        assert why.repair is not None
        assert [(e.kind, e.step, e.before) for e in why.repair.edits] == [("move", step, 3)]
        assert why.repair.trace is not None
        assert sorted(names(why.repair.trace)) == sorted(names(trace))


def test_a_slice_is_judged_from_the_step_that_met_its_values() -> None:
    rule = compile_rule("forall x. !((!login) U pay[to = x])")
    (found,) = explain(rule, [call("login"), call("look"), call("pay", to=1)])
    assert (found.verdict, found.permanent_at, found.relevant) == (RV.PS, 3, (1,))
    assert str(found) == "for x = 1: satisfied for good at step 3 `pay`; step 1 matters"


def test_a_call_that_did_not_succeed_does_not_matter() -> None:
    (found,) = explain(compile_rule("absence(2, a)"), [call("a"), call("a", Status.REFUSED), call("a")])
    assert (found.relevant, found.permanent_at) == ((1, 3), 3)


def test_traces_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(FormulaError, match="reads events"):
        explain(compile_rule("F a"), [{"a"}])
    with pytest.raises(FormulaError, match="reads sets"):
        explain(compile("F a"), [call("a")])


@pytest.mark.parametrize("text", TEXTS)
def test_a_search_broken_off_claims_no_more_than_it_knows(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dfa = automaton_of(text).dfa
    words = WORDS[: 1 + 3 + 9 + 27 + 81]
    exact = [repair.repair(dfa, word, range(3)) for word in words]
    monkeypatch.setattr(repair, "MAX_WORK", 0)
    for word, best in zip(words, exact, strict=True):
        quick = repair.repair(dfa, word, range(3))
        assert quick is not None
        assert best is not None
        assert dfa.accepting[run(dfa, quick.word)[-1]]
        assert tuple(applied(word, quick)) == quick.word
        assert len(quick.changes) == len(best.changes) or not quick.shortest


def test_a_question_too_large_is_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "MAX_CELLS", 50)
    (found,) = explain(compile("G(a -> X b)"), [{"a"}] * 20)
    assert (found.verdict, found.relevant, found.repair) == (RV.PV, (1,), None)
    assert str(found) == "violated for good at step 2 `a`; step 1 matters"


def test_long_traces_are_explained_in_good_time() -> None:
    trace = [{"a"}, {"b"}, {"other"}] * 1_000 + [{"a"}]
    (found,) = explain(compile("G(a -> F b)"), trace)
    assert found.relevant == (3_001,)
    assert found.repair is not None
    assert found.repair.shortest
