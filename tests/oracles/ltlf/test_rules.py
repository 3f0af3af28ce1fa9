"""Rules over events: slices, monitors, what to do next, and sets of rules."""

from typing import Any

import pytest

from lexgym.core import Event, Rule, Status, ToolCall
from lexgym.errors import FormulaError, FormulaSyntaxError, SignatureError, StateLimitExceeded
from lexgym.oracles.ltlf import (
    RV,
    RuleMonitor,
    RuleSet,
    ToolSignature,
    Wanted,
    compile,  # noqa: A004
    compile_rule,
    counterexample,
    entails,
    satisfies,
)

CONFIRM = "forall p, a. (!pay[payee = p, amount = a]) W confirm[payee = p, amount = a]"
NOTIFY = 'forall t. G(debit[to = t] -> F notify[to = t, channel = "sms"])'
CHECK = "!((!check[result.authorized]) U pay)"


def call(name: str, step: int = 0, result: Any = None, status: Status = Status.OK, **arguments: Any) -> Event:
    return Event(ToolCall(name, arguments), result, status, step)


def fed(text: str, *events: Event) -> RuleMonitor:
    monitor = compile_rule(text).monitor()
    for event in events:
        monitor.step(event)
    return monitor


def texts(ways: list[list[Wanted]]) -> list[list[str]]:
    return [[wanted.text for wanted in way] for way in ways]


def test_a_confirmation_counts_for_its_own_amount_and_payee_only() -> None:
    monitor = fed(CONFIRM, call("confirm", 1, payee="x", amount=5))
    assert monitor.verdict is RV.CS
    assert monitor.peek(call("pay", payee="x", amount=5)) is RV.CS
    assert monitor.peek(call("pay", payee="x", amount=6)) is RV.PV
    assert monitor.peek(call("pay", payee="x", amount=True)) is RV.PV
    assert monitor.peek(call("pay", status=Status.REFUSED, payee="y", amount=6)) is RV.CS
    assert monitor.step(call("pay", 2, payee="y", amount=5)) is RV.PV
    assert monitor.step(call("confirm", 3, payee="y", amount=5)) is RV.PV
    assert monitor.violated == [({"p": "y", "a": 5}, 2)]
    assert monitor.enable(call("pay", payee="x", amount=5)) == []


def test_true_and_one_and_its_text_are_three_tuples() -> None:
    monitor = fed(
        "forall x. G(a[v = x] -> F b[v = x])", *(call("a", i, v=v) for i, v in enumerate((1, True, "1", [1], 1.0), 1))
    )
    assert monitor.open == [({"x": 1}, 1), ({"x": True}, 2), ({"x": "1"}, 3), ({"x": [1]}, 4)]
    monitor.step(call("b", 6, v=True))
    assert [binding["x"] for binding, _ in monitor.open] == [1, "1", [1]]


def test_a_slice_that_begins_late_has_seen_the_unbound_events() -> None:
    text = "forall x. !((!login) U pay[to = x])"
    assert fed(text, call("login"), call("pay", to=1)).verdict is RV.PS
    assert fed(text, call("pay", to=1), call("login")).verdict is RV.PV
    assert fed("forall x. G(a[e = x] -> X b[e = x])", call("a", e=1), call("noise"), call("b", e=1)).verdict is RV.PV
    assert fed("forall x. G(a[e = x] -> X b[e = x])", call("a", e=1), call("a", e=2), call("b", e=1)).verdict is RV.CV


def test_an_event_can_be_in_two_slices() -> None:
    monitor = fed("forall x. absence(2, move[source = x] | move[target = x])", call("move", 1, source="p", target="q"))
    assert monitor.verdict is RV.CS
    assert monitor.step(call("move", 2, source="q", target="r")) is RV.PV
    assert monitor.violated == [({"x": "q"}, 2)]


def test_an_event_can_match_several_atoms_of_its_slice() -> None:
    text = "forall x. F(pay[to = x] & pay[to = x, amount > 1])"
    assert fed(text, call("pay", to="p", amount=2)).verdict is RV.CS
    assert fed(text, call("pay", to="p", amount=1)).verdict is RV.CV


def test_a_call_bound_to_nothing_is_a_step_of_every_slice() -> None:
    text = "forall x. F(pay[n = 2] & O pay[to = x, n = 1])"
    monitor = fed(text, call("pay", to="p", n=1), call("pay", to="q", n=1))
    assert monitor.verdict is RV.CV
    assert monitor.step(call("pay", to="p", n=2)) is RV.CS


def test_open_slices_name_the_event_that_opened_them() -> None:
    monitor = fed(
        NOTIFY, call("debit", 1, to="p"), call("other", 2), call("debit", 3, to="q"), call("debit", 4, to="p")
    )
    assert monitor.open == [({"t": "p"}, 1), ({"t": "q"}, 3)]
    assert monitor.distance == 2
    assert [(w.tool, w.equalities, w.text) for w in monitor.discharge()] == [
        ("notify", {"to": to, "channel": "sms"}, f'notify[to = "{to}", channel = "sms"]') for to in ("p", "q")
    ]
    first = monitor.discharge()[0]
    assert first.matches(call("notify", to="p", channel="sms"))
    assert not first.matches(call("notify", to="q", channel="sms"))
    assert not first.matches(call("notify", to="p", channel="post"))
    monitor.step(call("notify", 5, to="p", channel="sms"))
    assert monitor.open == [({"t": "q"}, 3)]
    monitor.step(call("debit", 6, to="p"))
    assert monitor.open == [({"t": "p"}, 6), ({"t": "q"}, 3)]


def test_existence_is_open_from_the_start() -> None:
    monitor = fed("existence(2, a)")
    assert (monitor.verdict, monitor.open, monitor.distance) == (RV.CV, [({}, 0)], 2)
    monitor.step(call("a", 1))
    assert (monitor.open, monitor.distance) == ([({}, 1)], 1)
    assert monitor.step(call("a", 2)) is RV.PS
    assert (monitor.open, monitor.distance, monitor.discharge()) == ([], 0, [])


def test_a_lost_rule_has_no_distance_and_forbids_nothing_more() -> None:
    monitor = fed(CHECK, call("pay", 3))
    assert (monitor.verdict, monitor.distance, monitor.forbidden) == (RV.PV, None, frozenset())
    assert monitor.violated == [({}, 3)]
    assert monitor.enable(call("pay")) == []


def test_what_unlocks_a_call() -> None:
    monitor = fed(CHECK)
    assert monitor.forbidden == {"pay"}
    assert texts(monitor.enable(call("pay"))) == [["check[result.authorized]"]]
    wanted = monitor.enable(call("pay"))[0][0]
    assert wanted.matches(call("check", result={"authorized": True}))
    assert not wanted.matches(call("check", result={"authorized": False}))
    monitor.step(call("check", result={"authorized": False}))
    assert monitor.forbidden == {"pay"}
    monitor.step(call("check", result={"authorized": True}))
    assert (monitor.forbidden, monitor.enable(call("pay"))) == (frozenset(), [])


def test_what_unlocks_a_call_in_its_slice() -> None:
    monitor = fed(CONFIRM)
    assert monitor.forbidden == {"pay"}
    (way,) = monitor.enable(call("pay", payee="x", amount=7))
    assert [(w.tool, w.equalities) for w in way] == [("confirm", {"payee": "x", "amount": 7})]
    monitor.step(call("confirm", payee="x", amount=7))
    assert monitor.forbidden == frozenset()
    assert texts(monitor.enable(call("pay", payee="x", amount=8))) == [['confirm[payee = "x", amount = 8]']]
    assert monitor.verdict is RV.CS


def test_longer_ways_and_no_way() -> None:
    steps = fed("!((!(b & O a)) U pay)")
    assert texts(steps.enable(call("pay"))) == [["a", "b"]]
    assert texts(fed("G !pay").enable(call("pay"))) == []
    assert fed("G !pay").forbidden == {"pay"}
    assert texts(
        fed("forall x. G(move[source = x] -> O open[id = x]) & G(move[target = x] -> O open[id = x])").enable(
            call("move", source="p", target="q")
        )
    ) == [['open[id = "p"]', 'open[id = "q"]']]


def test_another_call_is_offered_only_when_nothing_else_helps() -> None:
    assert texts(fed("WX true & !a").enable(call("a"))) == [["any other call"]]
    assert [w.text for w in fed("F !a").discharge()] == ["any other call"]


def test_guarded_calls_are_forbidden_only_if_every_call_is() -> None:
    assert fed("!((!check) U pay[amount > 100])").forbidden == frozenset()
    assert (
        fed("!((!check) U (pay[amount > 100] | pay[amount <= 100]))").forbidden == frozenset()
    )  # amount may be missing
    assert fed('!((!check) U pay[status = "ok"])').forbidden == {"pay"}
    assert fed('!((!check) U pay[status = "refused"])').forbidden == frozenset()


def test_a_sliced_call_is_forbidden_unless_some_value_is_free() -> None:
    text = "forall x. G(close[id = x] -> G !use[id = x])"
    monitor = fed(text, call("close", id=1))
    assert monitor.forbidden == frozenset()
    assert monitor.peek(call("use", id=1)) is RV.PV
    assert fed("forall x. absence(1, use[id = x])").forbidden == {"use"}
    assert fed("forall x. G(use[id = x] -> G !stop)", call("use", id=1)).forbidden == {"stop"}


def test_the_monitor_forks_and_goes_back() -> None:
    for text in (CHECK, NOTIFY):
        monitor = fed(text)
        start = monitor.snapshot()
        hash(start)
        twin = monitor.fork()
        for event in (call("pay", 1), call("debit", 2, to="p")):
            twin.step(event)
        assert monitor.snapshot() == start
        changed = twin.snapshot()
        assert changed != start
        twin.restore(start)
        assert (twin.verdict, twin.snapshot()) == (monitor.verdict, start)
        monitor.restore(changed)
        assert monitor.verdict in (RV.PV, RV.CV)


def rule_set(*formulas: str) -> RuleSet:
    return RuleSet([Rule(f"r{i}", formula, "") for i, formula in enumerate(formulas)])


def test_a_set_says_which_rules_an_event_violates() -> None:
    monitor = rule_set(CHECK, NOTIFY, "G !pay", "G(a -> X b)").monitor()
    assert monitor.forbidden == {"pay"}
    assert monitor.peek(call("pay", 1)) == (0, 2)
    assert monitor.verdicts == (RV.CS, RV.CS, RV.CS, RV.CS)
    start = monitor.snapshot()
    assert monitor.step(call("pay", 1)) == (0, 2)
    assert monitor.step(call("pay", 2)) == monitor.peek(call("pay", 2)) == ()
    assert (monitor.satisfied, monitor.distance) == ((False, True, False, True), None)
    monitor.restore(start)
    assert (monitor.verdicts, monitor.distance) == ((RV.CS,) * 4, 0)
    monitor.step(call("a", 1))
    twin = monitor.fork()
    assert twin.step(call("unmentioned", 2)) == (3,)
    assert monitor.satisfied == (True, True, True, False)
    assert monitor.distance == 1
    middle = monitor.snapshot()
    assert monitor.step(call("debit", 3, to="p")) == (3,)
    monitor.restore(middle)
    assert monitor.snapshot() == middle
    assert monitor.satisfied == (True, True, True, False)


def test_a_set_gives_the_verdicts_of_its_rules() -> None:
    formulas = (CHECK, NOTIFY, CONFIRM, "F[<=2] check", "G(pay -> Y check)")
    monitor, singles = rule_set(*formulas).monitor(), [compile_rule(f).monitor() for f in formulas]
    trace = [
        call("debit", 1, to=1),
        call("noise", 2),
        call("check", 3, result={"authorized": True}),
        call("pay", 4, payee="x", amount=1),
        call("notify", 5, to=1, channel="sms"),
    ]
    for event in trace:
        monitor.step(event)
        for single in singles:
            single.step(event)
        assert monitor.verdicts == tuple(single.verdict for single in singles)
        monitor.restore(monitor.snapshot())


def test_a_rule_that_cannot_be_used_is_named() -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        rule_set("G a", "G(a -> ")
    assert any("'r1'" in note for note in caught.value.__notes__)
    with pytest.raises(SignatureError):
        RuleSet([Rule("r", "G !pya", "")], {"pay": ToolSignature()})


def test_compiling_is_cached() -> None:
    assert compile_rule(CHECK) is compile_rule(CHECK)


@pytest.mark.parametrize("bad", [None, b"F a", 3, ["F a"], object()])
def test_what_is_no_formula_is_refused_everywhere(bad: Any) -> None:
    for use in (compile, compile_rule, lambda it: satisfies(it, []), lambda it: RuleSet([it])):
        with pytest.raises(FormulaError, match="formula"):
            use(bad)


@pytest.mark.parametrize(
    ("one", "other"), [(1e23, 10**23), (5.0, 5), (2.5, 2.5), (float("nan"), float("nan")), ([1, {"a": 2}],) * 2]
)
def test_equal_values_are_one_slice(one: Any, other: Any) -> None:
    rule = compile_rule("forall x. G(open[id = x] -> F close[id = x])")
    monitor = rule.monitor()
    monitor.step(Event.ok(ToolCall("open", {"id": one}), None))
    assert monitor.verdict is RV.CV
    assert monitor.step(Event.ok(ToolCall("close", {"id": other}), None)) is RV.CS


def test_values_that_differ_in_type_are_several_slices() -> None:
    monitor = compile_rule("forall x. G(open[id = x] -> F close[id = x])").monitor()
    for value in (1, True, "1", "true", [1], ["1"], 0.5, "0.5"):
        monitor.step(Event.ok(ToolCall("open", {"id": value}), None))
    assert len(monitor.open) == 8
    assert [values["x"] for values, _ in monitor.open] == [1, True, "1", "true", [1], ["1"], 0.5, "0.5"]


def test_a_wanted_decimal_is_an_argument_that_json_can_carry() -> None:
    [wanted] = compile_rule("F pay[amount = 12.5]").monitor().discharge()
    assert wanted.equalities == {"amount": 12.5}
    assert wanted.matches(Event.ok(ToolCall("pay", dict(wanted.equalities)), None))


def test_a_result_that_is_always_there_is_one_thing_or_the_other() -> None:
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    rules = ["absence(1, look[result.ok])", "absence(1, look[result.ok = false])"]
    assert RuleSet(rules, {"look": ToolSignature({}, schema)}).monitor().forbidden == {"look"}
    assert RuleSet(rules, {"look": ToolSignature({}, {**schema, "required": []})}).monitor().forbidden == frozenset()
    nullable = {"ok": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}}
    assert RuleSet(rules, {"look": ToolSignature({}, {**schema, "properties": nullable})}).monitor().forbidden == set()


def test_rules_over_very_many_tools_compile_or_are_refused() -> None:
    assert len(compile_rule(" & ".join(f"G(a{i} -> F b)" for i in range(800))).dfa) == 2
    with pytest.raises(StateLimitExceeded, match="4096"):
        compile_rule(" & ".join(f"F a{i}" for i in range(5_000)))


@pytest.mark.parametrize("step", [{"a"}, "a", None, ToolCall("a")])
def test_a_step_that_is_no_event_is_refused(step: Any) -> None:
    for monitor in (
        compile_rule("F a").monitor(),
        compile_rule("forall x. F a[v = x]").monitor(),
        RuleSet(["F a"]).monitor(),
    ):
        with pytest.raises(FormulaError, match="is an Event"):
            monitor.step(step)


def test_a_rule_set_is_not_one_rule() -> None:
    with pytest.raises(FormulaError, match=r"write \[rule\]"):
        RuleSet("F a")
    assert repr(RuleSet(["F a"])) == "<RuleSet of 1 rules over 1 tools>"
    assert repr(RuleSet(["F a"]).monitor()) == "<RuleSetMonitor of 1 rules: CV>"
    assert repr(compile_rule("F a").monitor()) == "<PlainMonitor of 'F a': CV>"


def test_a_signature_is_made_of_tool_signatures() -> None:
    with pytest.raises(SignatureError, match="ToolSignature"):
        compile_rule("F a", {"a": {"arguments": {}}})  # type: ignore[dict-item]


@pytest.mark.parametrize("trace", ["pay", ["pay"], [{"pay": False}], [{1}], [None], [ToolCall("pay")], None])
def test_the_reference_refuses_what_is_no_trace(trace: Any) -> None:
    with pytest.raises(FormulaError, match=r"not|holds"):
        satisfies("F a", trace)


def test_guarded_formulas_are_compared() -> None:
    assert entails("absence(1, pay[amount > 5])", "absence(1, pay[amount > 9])")
    assert counterexample("absence(1, pay[amount > 9])", "absence(1, pay[amount > 5])") == [
        frozenset({"pay[amount > 5]"})
    ]
    with pytest.raises(FormulaError, match="examine"):
        entails("forall x. F a[v = x]", "F a")
    with pytest.raises(FormulaError, match="single"):
        counterexample("F a[v = 1]", "F a", "multi")


def test_a_rule_accepts_traces() -> None:
    rule = compile_rule("forall x. G(open[id = x] -> F close[id = x])")
    assert rule.accepts([call("open", id=1), call("close", id=1)])
    assert not rule.accepts([call("open", id=1), call("close", id=2)])


def test_numbers_inside_values_are_equal_as_numbers() -> None:
    assert fed("F pay[a = b]", call("pay", a={"x": 1, "y": [2]}, b={"y": [2.0], "x": 1.0})).satisfied
    assert not fed("F pay[a = b]", call("pay", a=[1], b=[True])).satisfied
    deep: Any = 1
    other: Any = 1.0
    for _ in range(10_000):
        deep, other = [deep], [other]
    assert fed("F pay[a = b]", call("pay", a=deep, b=other)).satisfied
    assert fed("forall x. G(open[id = x] -> F close[id = x])", call("open", id=deep), call("close", id=other)).satisfied


def test_errors_show_the_place() -> None:
    with pytest.raises(FormulaSyntaxError, match=r"side by side need parentheses \(column 7\)") as caught:
        compile_rule("a U b S c")
    assert caught.value.__notes__ == ["  a U b S c\n        ^"]
    with pytest.raises(FormulaSyntaxError, match="the formula is empty"):
        compile_rule("  ")
