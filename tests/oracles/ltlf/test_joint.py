"""Questions about rules together, against the one automaton of their conjunction."""

import copy
import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import Event, Rule, Status, ToolCall
from lexgym.oracles.ltlf import (
    RV,
    RuleSet,
    RuleSetMonitor,
    ToolSignature,
    compile,  # noqa: A004
    compile_rule,
    satisfies,
)
from lexgym.oracles.ltlf.joint.groups import common_names
from lexgym.oracles.ltlf.parser import parse
from lexgym.oracles.ltlf.product import MAX_NODES

SAMPLE = Path(__file__).parents[2] / "data" / "ltlf"
SHARED = Path(__file__).parents[3].parent / "shared" / "ltlf"

NAMES = ("a", "b", "c", "d")
TEMPLATES = (
    "response({0}, {1})",
    "precedence({0}, {1})",
    "succession({0}, {1})",
    "alternate_response({0}, {1})",
    "chain_response({0}, {1})",
    "not_succession({0}, {1})",
    "not_coexistence({0}, {1})",
    "existence(2, {0})",
    "absence(2, {0})",
    "responded_existence({0}, {1})",
    "end({0})",
    "F[<=2] {0}",
)


def call(tool: str, status: Status = Status.OK, /, **arguments: Any) -> Event:
    return Event(ToolCall(tool, arguments), {}, status)


def ok(tool: str | None) -> Event:
    return call(tool or "anything else")


@pytest.mark.parametrize(
    "folder",
    [
        pytest.param(SAMPLE, id="sample"),
        pytest.param(
            SHARED, id="shared", marks=pytest.mark.skipif(not SHARED.exists(), reason="no shared corpus here")
        ),
    ],
)
def test_joint_verdicts_and_admissible_calls_of_the_corpus(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "joint.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows
    for row in rows:
        monitor = RuleSet(row["rules"]).monitor()
        verdicts, admissible = [], []
        for name in [None, *row["trace"]]:
            if name is not None:
                monitor.step(ok(name))
            verdicts.append(monitor.verdict.name)
            known = monitor.admissible
            admissible.append(
                [n for n in (*row["props"], "other") if (n if n in monitor.rules.tools else None) in known]
            )
        assert (verdicts, admissible) == (row["rv_joint"], row["admissible_next"]), row["id"]


@st.composite
def rule_sets(draw: st.DrawFn) -> list[str]:
    pairs = st.permutations(NAMES).map(lambda names: names[:2])
    return draw(
        st.lists(st.builds(lambda t, p: t.format(*p), st.sampled_from(TEMPLATES), pairs), min_size=1, max_size=5)
    )


@settings(max_examples=150, deadline=None)
@given(rule_sets(), st.lists(st.sampled_from([*NAMES, None]), max_size=6))
def test_rules_together_are_their_conjunction(rules: list[str], trace: list[str | None]) -> None:
    monitor = RuleSet(rules).monitor()
    dfa = compile(" & ".join(f"({rule})" for rule in rules)).dfa
    automaton = compile(" & ".join(f"({rule})" for rule in rules))
    state = 0
    for step in [*trace, "end"]:
        assert monitor.verdict is dfa.colours[state]
        after = {
            name: dfa.colours[dfa.rows[state][automaton.column({name or "anything else"})]]
            for name in (*monitor.rules.tools, None)
        }
        assert monitor.admissible == {name for name, colour in after.items() if colour is not RV.PV}
        completion = monitor.completion()
        assert (None if completion is None else len(completion)) == dfa.distance[state]
        twin = monitor.fork()
        for wanted in completion or ():
            event = ok(wanted.tool)
            assert wanted.matches(event)
            twin.step(event)
        assert completion is None or all(twin.satisfied)
        if step != "end":
            monitor.step(ok(step))
            state = dfa.rows[state][automaton.column({step or "anything else"})]


GUARDED = (
    "G(pay[amount > 5] -> F note)",
    "G(pay[amount > 9] -> X note)",
    "absence(1, pay[amount > 7])",
    "(!pay[amount > 2]) W check[result.ok]",
    'G(pay[status = "refused"] -> F note[kind = "refusal"])',
    'G(note[kind = "refusal"] -> F pay[amount <= 5])',
    "not_succession(note, pay[amount = 3])",
    "F pay[amount = 6]",
)


@st.composite
def guarded_events(draw: st.DrawFn) -> Event:
    tool = draw(st.sampled_from(["pay", "note", "check", "other"]))
    arguments: dict[str, Any] = {}
    if tool == "pay":
        arguments["amount"] = draw(st.sampled_from([1, 3, 6, 8, 10]))
    if tool == "note":
        arguments["kind"] = draw(st.sampled_from(["refusal", "other"]))
    status = draw(st.sampled_from([Status.OK, Status.OK, Status.REFUSED]))
    return Event(ToolCall(tool, arguments), {"ok": draw(st.booleans())}, status)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(GUARDED), min_size=1, max_size=5, unique=True), st.lists(guarded_events(), max_size=8))
def test_guarded_rules_together_are_their_conjunction(rules: list[str], trace: list[Event]) -> None:
    monitor = RuleSet(rules).monitor()
    alone = [compile_rule(rule).monitor() for rule in rules]
    joint = compile_rule(" & ".join(f"({rule})" for rule in rules)).monitor()
    for number, event in enumerate(trace, 1):
        event = Event(event.call, event.result, event.status, step=number)
        doomed = monitor.verdict is not RV.PV and monitor.fork().peek(event) == () and monitor.dooms(event)
        foreseen = monitor.peek(event)
        before = monitor.snapshot()
        assert monitor.step(event) == foreseen
        after = monitor.snapshot()
        monitor.restore(before)
        monitor.step(event)
        assert monitor.snapshot() == after
        assert hash(monitor.snapshot()) == hash(after)
        for index, state in enumerate(alone):
            state.step(event)
            mine = monitor.monitor(index)
            assert (mine.verdict, mine.distance, mine.open, mine.violated) == (
                state.verdict,
                state.distance,
                state.open,
                state.violated,
            )
        assert monitor.verdict is joint.step(event)
        if doomed:
            assert monitor.verdict is RV.PV


SLICED = (
    "forall p. G(pay[to = p] -> F note[of = p])",
    "forall x, a. (!pay[to = x, amount = a]) W check[of = x, amount = a]",
    "forall q. G(note[of = q] -> F pay[to = q])",
    "forall q. not_succession(pay[to = q], note[of = q])",
    "forall p. absence(2, note[of = p])",
    "G(stop -> G !note)",
    "forall p. G(pay[to = p] -> !X stop)",
    "forall p. G(stop -> F check[of = p])",
    "forall y. (!pay[to = y]) W note[of = y]",
    "forall z. (!note[of = z]) W check[of = z]",
    "forall x, a. G(pay[to = x, amount = a] -> F check[of = x, amount = a])",
)


@st.composite
def sliced_events(draw: st.DrawFn) -> Event:
    tool = draw(st.sampled_from(["pay", "note", "check", "stop"]))
    value = draw(st.sampled_from(["u", "v"]))
    if tool == "pay":
        return call("pay", to=value, amount=draw(st.sampled_from([1, 2])))
    if tool == "check":
        return call("check", of=value, amount=draw(st.sampled_from([1, 2])))
    return call("note", of=value) if tool == "note" else call("stop")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(SLICED), min_size=1, max_size=4, unique=True), st.lists(sliced_events(), max_size=7))
def test_sliced_rules_are_lost_together_only_when_nothing_can_save_them(rules: list[str], trace: list[Event]) -> None:
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
        monitor.step(event)
    assert all(monitor.satisfied) is kept


def test_a_circle_of_responses_is_lost_at_its_first_call() -> None:
    monitor = RuleSet(["G(a -> F b)", "G(c -> F d)", "G(b -> F a)"]).monitor()
    assert monitor.dooms(ok("a"))
    assert not monitor.dooms(ok("c"))
    assert monitor.admissible == {"c", "d", None}
    assert monitor.step(ok("a")) == ()
    assert monitor.verdicts == (RV.CV, RV.CS, RV.CS)
    assert monitor.verdict is RV.PV
    assert monitor.doomed == ((0, 2),)
    assert monitor.admissible == frozenset()
    assert monitor.completion() is None


def test_a_circle_within_one_slice_is_seen_and_others_go_free() -> None:
    rules = RuleSet(["forall p. G(pay[to = p] -> F note[of = p])", "forall q. G(note[of = q] -> F pay[to = q])"])
    assert common_names(rules.automata)[0] == common_names(rules.automata)[1]
    monitor = rules.monitor()
    assert monitor.dooms(call("pay", to="u"))
    assert monitor.admissible == {None}
    assert "pay" in monitor.forbidden
    monitor.step(call("pay", to="u"))
    assert monitor.doomed == ((0, 1),)


def test_a_shortest_completion_lets_one_call_serve_several_rules() -> None:
    monitor = RuleSet(["G(a -> F (b | c))", "G(a -> F (c | d))", "G(c -> F e)", "precedence(e, c)"]).monitor()
    monitor.step(ok("a"))
    completion = monitor.completion()
    assert completion is not None
    assert len(completion) == 2  # b and d; c would need an e before and after it
    assert {wanted.tool for wanted in completion} == {"b", "d"}


def test_guards_that_exclude_each_other_are_seen_together() -> None:
    monitor = RuleSet(["F pay[amount > 9]", "absence(1, pay[amount > 5])"]).monitor()
    assert monitor.verdict is RV.PV
    assert RuleSet(["F pay[amount > 9]", "absence(1, pay[amount < 5])"]).monitor().verdict is RV.CV
    signature = {"pay": ToolSignature({"amount": {"type": "integer"}}, required=frozenset({"amount"}))}
    bought = RuleSet(["absence(1, pay[amount > 5])", "absence(1, pay[amount <= 5])"], signature).monitor()
    assert bought.forbidden == {"pay"}, "each allows some payment, together they allow none"


def test_where_any_call_is_a_step_every_other_tool_is_forbidden_too() -> None:
    monitor = RuleSet(["chain_response(a, b)", "absence(3, c)"]).monitor()
    monitor.step(ok("a"))
    assert monitor.forbidden == {"a", "c", None}
    assert monitor.admissible == {"b"}
    sliced = RuleSet(["forall p. G(pay[to = p] -> X note[of = p])", "absence(3, c)"]).monitor()
    sliced.step(call("pay", to="u"))
    assert {"c", None} <= sliced.forbidden


def test_a_call_whose_narrower_slice_is_settled_is_not_forbidden_for_new_values() -> None:
    rules = [
        "forall u. (!act[user = u]) W login[user = u]",
        "forall u, t. G(act[user = u, thing = t] -> F log[user = u, thing = t])",
        "forall u, t. (!log[user = u, thing = t]) W act[user = u, thing = t]",
    ]
    monitor = RuleSet(rules).monitor()
    assert not RuleSet(rules).groups[-1].joint.harmonious
    assert monitor.forbidden == {"act", "log"}
    monitor.step(call("login", user="u"))
    assert monitor.forbidden == {"log"}
    monitor.step(call("act", user="u", thing="x"))
    assert monitor.forbidden == frozenset()
    monitor.step(call("log", user="u", thing="x"))
    assert monitor.forbidden == frozenset()


def test_completion_covers_every_slice() -> None:
    monitor = RuleSet(["forall p. G(pay[to = p] -> F note[of = p])", "F stop"]).monitor()
    for value in ("u", "v"):
        monitor.step(call("pay", to=value))
    completion = monitor.completion()
    assert completion is not None
    assert sorted(map(str, completion)) == ['note[of = "u"]', 'note[of = "v"]', "stop"]


def test_twenty_open_obligations_are_completed_without_a_search_through_their_subsets() -> None:
    rules = [f"G(start -> F t{i})" for i in range(20)]
    monitor = RuleSet(rules).monitor()
    monitor.step(ok("start"))
    assert sorted(str(wanted) for wanted in monitor.completion() or ()) == sorted(f"t{i}" for i in range(20))


def test_where_the_shortest_completion_is_hard_to_find_another_is_given() -> None:
    rules = [f"G(start -> F t{i})" for i in range(20)] + ["G(t3 -> F t4)", "precedence(t5, t6)"]
    monitor = RuleSet(rules).monitor()
    monitor.step(ok("start"))
    completion = monitor.completion()
    assert completion is not None
    assert 20 <= len(completion) <= 22
    for wanted in completion:
        monitor.step(ok(wanted.tool))
    assert all(monitor.satisfied)


def test_one_machine_steps_all_plain_rules_as_each_alone_would() -> None:
    rng = random.Random(7)
    rules = [rng.choice(TEMPLATES).format(*rng.sample(NAMES, 2)) for _ in range(16)]
    monitor, alone = RuleSet(rules).monitor(), [compile_rule(rule).monitor() for rule in rules]
    for step in range(1, 300):
        event = Event(ToolCall(rng.choice([*NAMES, "other"]), {}), None, rng.choice(list(Status)), step=step)
        before = [state.verdict for state in alone]
        lost = [i for i, state in enumerate(alone) if state.step(event) is RV.PV and before[i] is not RV.PV]
        assert list(monitor.step(event)) == lost
        assert monitor.verdicts == tuple(state.verdict for state in alone)
        assert monitor.distances == tuple(state.distance for state in alone)


def test_rules_may_be_given_as_text_formula_or_rule() -> None:
    rules = RuleSet(["F a", parse("F b"), Rule("third", "F c", "c must come")])
    assert [rule.id for rule in rules.rules] == ["F a", "F b", "third"]
    assert isinstance(rules.monitor(), RuleSetMonitor)


def test_an_empty_set_keeps_everything() -> None:
    monitor = RuleSet([]).monitor()
    assert monitor.step(ok("a")) == ()
    assert (monitor.verdict, monitor.distance) == (RV.PS, 0)
    assert monitor.admissible == {None}
    assert monitor.completion() == []


def test_a_mask_knows_of_values_that_only_some_rules_have_met() -> None:
    rules = RuleSet(
        [
            "forall c. (!refuse[who = c]) W login[who = c]",
            "forall c. (!tell[who = c]) W login[who = c]",
            "forall c, x. G(refuse[who = c, result.id = x] -> F tell[who = c, about = x])",
        ]
    )
    monitor = rules.monitor()
    assert monitor.forbidden == {"refuse", "tell"}
    monitor.step(Event.ok(ToolCall("login", {"who": "A"}), None, step=1))
    assert monitor.forbidden == set()


def test_what_is_forbidden_does_not_depend_on_who_asked_before() -> None:
    for rules, trace in (
        (["absence(a)", "G(a -> F d) & G(c -> X b)"], "ac"),
        (["absence(a)", "(!b) W (c | (a & b))"], "ac"),
        (["G(a -> F b)", "G(b -> F a)", "absence(2, c)", "G(c -> X d)"], "cabdc"),
    ):
        asked, silent = RuleSet(rules).monitor(), RuleSet(rules).monitor()
        for name in trace:
            for monitor in (asked, silent):
                monitor.step(ok(name))
            token = asked.snapshot()
            before = asked.forbidden
            asked.restore(token)
            assert asked.forbidden == before
        assert asked.forbidden == silent.forbidden


def test_arguments_that_need_not_be_given_are_not_taken_for_granted() -> None:
    monitor = RuleSet(["a[amount is null]", "G(a[amount > 9] -> F b)"]).monitor()
    assert monitor.admissible == {"a"}
    [wanted] = monitor.completion() or []
    assert wanted.matches(call("a"))


def test_a_long_walk_does_not_keep_every_state() -> None:
    rules = RuleSet([f"G(a{i} -> F b{i})" for i in range(20)])
    monitor, rng = rules.monitor(), random.Random(3)
    for _ in range(60_000):
        monitor.step(ok(f"{rng.choice('ab')}{rng.randrange(20)}"))
    seen, stack = set(), [rules.product.start]
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            stack += [target for target, _, _ in node.values()]
    assert len(seen) <= 2 * MAX_NODES


def test_a_rule_whose_slices_are_all_born_satisfied_is_satisfied_for_good() -> None:
    for text, verdict in (
        ("F pay[to = p]", RV.PS),
        ("Y true | F pay[to = p]", RV.PS),
        ("G(stop -> F pay[to = p])", RV.CS),
    ):
        assert compile_rule(f"forall p. {text}").monitor().verdict is verdict


def test_monitors_can_be_pickled_and_copied() -> None:
    monitor = RuleSet([*SLICED, *GUARDED]).monitor()
    for event in (call("pay", to="u", amount=2), call("note", of="u"), call("stop")):
        monitor.step(event)
    for twin in (pickle.loads(pickle.dumps(monitor)), copy.copy(monitor), copy.deepcopy(monitor)):
        assert twin.snapshot() == monitor.snapshot()
        before = monitor.snapshot()
        twin.step(call("pay", to="v", amount=1))
        assert monitor.snapshot() == before != twin.snapshot()


def test_rules_with_too_many_guards_to_look_at_together_are_looked_at_alone() -> None:
    rules = RuleSet(
        [*(f"G(pay[a{i} = 1] -> F pay[b{i} = 1])" for i in range(8)), "absence(2, pay)", "G(pay -> WX !stop)"]
    )
    monitor = rules.monitor()
    assert rules.undecided == (tuple(range(10)),)
    assert monitor.forbidden == frozenset()
    assert monitor.step(call("pay", a0=1)) == ()
    assert monitor.forbidden == {"pay", "stop"}
    assert monitor.verdict is RV.CV
    assert not monitor.dooms(call("look"))
    assert [wanted.tool for wanted in monitor.completion() or ()] == ["pay"]
    assert monitor.step(call("pay", b0=1)) == (8,)


def test_an_argument_counts_as_given_only_where_the_tool_requires_it() -> None:
    rules = ["absence(1, pay[amount > 5])", "absence(1, pay[amount <= 5])"]
    for required, forbidden in ((frozenset({"amount"}), {"pay"}), (frozenset(), set())):
        signature = {"pay": ToolSignature({"amount": {"type": "integer"}}, required=required)}
        monitor = RuleSet(rules, signature).monitor()
        assert monitor.forbidden == forbidden
        if not required:
            assert monitor.step(call("pay")) == ()


def test_what_is_broken_already_is_not_broken_once_more() -> None:
    login = "forall h. (!(act[h = h] | other[h = h])) W login[h = h]"
    owed = "forall h, p. G(act[h = h, p = p] -> F share[h = h, p = p])"
    over = "forall h, p. G(stop[h = h, p = p] -> G !share[h = h, p = p])"
    rules = RuleSet([login, owed, over])
    assert all(rules.together.values())  # they are looked at together
    monitor = rules.monitor()
    assert {"act", "other"} <= monitor.forbidden
    monitor.step(call("other", h=1))
    assert not {"act", "other"} & monitor.forbidden
    assert "act" not in monitor.fork().forbidden


ONE_OR_TWO = st.sampled_from([None, 1, 2])
WITH_VALUES = (
    "forall x. (!a[v = x]) W b[v = x]",
    "forall x. G(a[v = x] -> F c[v = x])",
    "forall x. absence(2, b[v = x])",
    "forall x, y. G(a[v = x, w = y] -> (!b[v = x, w = y]) W c[v = x, w = y])",
    "forall x. G(a[v = x] -> WX !d)",
    "G(d -> F a)",
    "absence(2, a)",
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(WITH_VALUES), min_size=1, max_size=4, unique=True),
    st.lists(st.tuples(st.sampled_from([*NAMES, "e"]), ONE_OR_TWO, ONE_OR_TWO), min_size=1, max_size=8),
)
def test_looking_ahead_is_what_a_step_of_a_copy_shows(
    rules: list[str], calls: list[tuple[str, int | None, int | None]]
) -> None:
    monitor = RuleSet(rules).monitor()
    for name, v, w in calls:
        event = call(name, v=v, w=w)
        for part in monitor.monitors:
            copy = part.fork()
            assert part.peek(event) is copy.step(event)
        twin, before, verdicts = monitor.fork(), set(monitor.doomed), monitor.verdicts
        lost = twin.step(event)
        assert set(monitor.peek(event)) == set(lost)
        assert monitor.dooms(event) is bool(set(twin.doomed) - before)
        assert monitor.verdicts == verdicts, "nothing was read"
        monitor.step(event)
