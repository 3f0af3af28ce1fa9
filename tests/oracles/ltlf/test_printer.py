"""Formulas and calls in words: no doubt about what belongs together, nothing that goes without saying."""

import pytest

from lexgym.core import Event, ToolCall
from lexgym.oracles.ltlf import RuleSet, compile_rule, parse
from lexgym.oracles.ltlf.asked import call_text, few
from lexgym.oracles.ltlf.examples import accepted_example, rejected_example
from lexgym.oracles.ltlf.guards import Guard
from lexgym.oracles.ltlf.syntax import Atom

PRINTED = {
    "!a U b": "(!a) U b",
    "F a W !b": "(F a) W (!b)",
    "a U b & c": "(a U b) & c",
    "a U b -> c": "(a U b) -> c",
    "a & b | c": "(a & b) | c",
    "a & b -> c | d": "a & b -> c | d",
    "a -> b -> c": "a -> (b -> c)",
    "(a -> b) <-> c": "(a -> b) <-> c",
    "a U b U c": "a U (b U c)",
    "G (a -> F b)": "G(a -> F b)",
    "! (a & b)": "!(a & b)",
    "X F[<=2] (a | b)": "X F[<=2](a | b)",
    "forall x. !pay[to = x] W ask[to = x]": "forall x. (!pay[to = x]) W ask[to = x]",
    "exactly(0, a)": "!F a",
    "between(0, 1, a)": "!F(a & X F a)",
    "F pay[!(a = 1)]": "F pay[!(a = 1)]",
    "F pay[!(a in [1])]": "F pay[!(a in [1])]",
    "F pay[!result.ok, !!result.ok]": "F pay[!result.ok, !!result.ok]",
    "F pay[a = 1 and b = 2 or c = 3]": "F pay[(a = 1 and b = 2) or c = 3]",
    "F pay[(a = 1 or b = 2), c = 3]": "F pay[(a = 1 or b = 2), c = 3]",
}


@pytest.mark.parametrize(("text", "printed"), PRINTED.items())
def test_a_formula_is_printed_so_that_it_reads_right(text: str, printed: str) -> None:
    assert str(parse(text)) == printed
    assert parse(printed) is parse(text)


def guard(text: str) -> Guard | None:
    atom = parse(f"pay[{text}]")
    assert isinstance(atom, Atom)
    return atom.guard


@pytest.mark.parametrize(
    ("held", "denied", "text"),
    [
        (['action = "card"'], ['action = "mail"'], 'pay[action = "card"]'),
        (['action = "card", result.ok'], ['action = "mail", result.ok'], 'pay[action = "card", result.ok]'),
        (["to = 1"], ["to = 1, amount > 1000"], "pay[to = 1, amount <= 1000]"),
        ([], ["amount > 1000"], "pay[amount <= 1000]"),
        ([], ["amount > 1000, to = 1"], "pay[!(amount > 1000 and to = 1)]"),
        (["amount > 9", "amount > 5"], [], "pay[amount > 9]"),
        (["amount > 5, amount >= 5", "amount < 9"], ["amount >= 8"], "pay[amount > 5, amount < 8]"),
        (["amount = 7", "amount > 5"], ["amount > 9"], "pay[amount = 7]"),
        (['kind = "a"', 'kind in ["a", "b"]'], [], 'pay[kind = "a"]'),
        ([], ['kind in ["a"]', "x is null", "!(y = 1)"], 'pay[kind not in ["a"], x is not null, y = 1]'),
        ([], ["result.ok = false"], "pay[result.ok = true]"),
        (["result.ok"], ["result.ok = false, to = 1"], "pay[result.ok]"),
        ([], ["result.ok"], "pay[!result.ok]"),
        (['name = "a"'], ["name > 5"], 'pay[name = "a", name <= 5]'),
        (["amount + 1 > 5"], ["amount + 1 > 9"], "pay[amount + 1 > 5, amount + 1 <= 9]"),
        ([], [], "pay"),
    ],
)
def test_what_a_call_must_be_is_said_in_few_words(held: list[str], denied: list[str], text: str) -> None:
    assert call_text("pay", few(map(guard, held), map(guard, denied))) == text


def test_a_bound_is_turned_round_exactly_only_where_the_value_is_there() -> None:
    assert call_text("pay", few([], [guard("amount > 5")], exact=True)) == "pay[!(amount > 5)]"
    assert call_text("pay", few([guard("amount < 9")], [guard("amount > 5")], exact=True)) == "pay[amount <= 5]"
    assert call_text("pay", few([guard("to = 1")], [guard("amount > 5")], exact=True)) == "pay[to = 1, !(amount > 5)]"


def test_a_wanted_call_says_no_more_than_it_must() -> None:
    rules = RuleSet(
        [
            'forall c. (!set[id = c]) W ask[id = c, action = "card"]',
            'forall c. (!mail[id = c]) W ask[id = c, action = "mail"]',
            "G(pay[amount > 5000] -> F note)",
            "G(note -> F pay)",
        ]
    )
    monitor = rules.monitor()
    monitor.step(Event.ok(ToolCall("note"), None, step=1))
    assert [str(call) for call in monitor.completion() or []] == ["pay[amount <= 5000]"]
    (way,) = monitor.monitor(0).enable(Event.ok(ToolCall("set", {"id": 1}), None, step=2))
    assert [str(wanted) for wanted in way] == ['ask[id = 1, action = "card"]']
    assert len(way[0].own) == 1


@pytest.mark.parametrize(
    ("formula", "keeps", "breaks"),
    [
        ("G(a -> F b)", "a, b", "a"),
        ("G(a -> WX G !b)", "b, a", "a, b"),
        ("F a -> F b", "a, b", "a"),
        ("G(a -> O b)", "b, a", "a"),
        ("(!pay) W check", "check, pay", "pay"),
    ],
)
def test_examples_show_the_trigger(formula: str, keeps: str, breaks: str) -> None:
    automaton = compile_rule(formula)
    assert (str(accepted_example(automaton)), str(rejected_example(automaton))) == (keeps, breaks)
