"""Formulas in English: templates in idiom, everything else piece by piece."""

from decimal import Decimal

import pytest

from lexgym.core import Rule
from lexgym.envs.registry import load_domain
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.english import MAX_PART, english
from lexgym.oracles.ltlf.english.phrases import condition

SENTENCES = {
    "true": "Nothing is demanded.",
    "false": "The impossible is demanded.",
    "G(a -> F b)": "Whenever `a` happens, `b` must follow.",
    "G(a -> F[<=2] b)": "Whenever `a` happens, `b` must follow within 2 steps.",
    "precedence(a, b)": "`b` may not happen before `a`.",
    "!((!a) U b)": "`b` may not happen before `a`.",
    "(!b) U a": "`a` must happen, and `b` may not happen before it.",
    "absence(a)": "`a` may never happen.",
    "G(!a)": "`a` may never happen.",
    "absence(3, a | b)": "`a` or `b` may happen at most twice.",
    "existence(a)": "`a` must happen at least once.",
    "existence(4, a)": "`a` must happen at least 4 times.",
    "exactly(2, a)": "`a` must happen exactly twice.",
    "init(a)": "The first call must be `a`.",
    "end(a)": "The last call must be `a`.",
    "choice(a, b)": "`a` or `b` must happen at least once.",
    "exclusive_choice(a, b)": "Either `a` or `b` must happen, but not both in one trace.",
    "responded_existence(a, b)": "If `a` happens at any time, `b` must happen too, before or after.",
    "coexistence(a, b)": "If `a` happens at any time, `b` must happen too, and the other way round.",
    "not_coexistence(a, b)": "`a` and `b` may not both happen in one trace.",
    "succession(a, b)": "Whenever `a` happens, `b` must follow; and `b` may not happen before `a`.",
    "alternate_response(a, b)": "Whenever `a` happens, `b` must follow, with no further `a` in between.",
    "alternate_precedence(a, b)": "Each `b` needs `a` before it, and one of its own since the last `b`.",
    "chain_response(a, b)": "Whenever `a` happens, the very next call must be `b`.",
    "chain_precedence(a, b)": "`b` may only come right after `a`.",
    "not_succession(a, b)": "Once `a` has happened, `b` may not happen any more.",
    "not_chain_succession(a, b)": "`b` may not come right after `a`.",
    "G(a -> (!c) S b)": "Whenever `a` happens, `b` must have happened before, with no `c` since.",
    "G(a -> O b | F b)": "Whenever `a` happens, `b` must have happened before or must follow.",
    "F[<=3] a": "`a` must happen within the first 4 steps.",
    "forall p. (!pay[payee = p]) W check[payee = p]": (
        "For each payee p: `pay` with payee p may not happen before `check` with payee p."
    ),
    "forall c. G(pay[c = c] -> F note[c = c])": (
        "For each c: whenever `pay` with that c happens, `note` with that c must follow."
    ),
    "forall p, a. (!pay[to = p, amount = a, amount > 3000]) W ask[to = p, amount = a, result.ok]": (
        "For each to p and amount a: `pay` with to p and amount a (above 3000) may not happen before "
        "`ask` with to p, amount a and result ok."
    ),
    "G(a -> b)": "`a` may never happen: no call is `a` and `b` at once.",
    "G(a -> b & c)": "`a` may never happen: no call is `a` and `b` and `c` at once.",
    "G(pay -> pay[amount <= 5])": "Every `pay` must be `pay` with amount at most 5.",
    "!F(a & X F(a & X F(a | b)))": "Once `a` has happened twice, `a` or `b` may not happen any more.",
    "!F(a & X F b)": "Once `a` has happened, `b` may not happen any more.",
    "!F(a & X((!c) U (a & X((!c) U (a | c)))))": (
        "Once `a` has happened twice with no `c` in between, `a` or `c` may not happen without `c` before it."
    ),
    "forall x. G(pay[result.id = x] -> F note[subject = x])": (
        "For each x (id or subject): whenever `pay` with result id x happens, `note` with subject x must follow."
    ),
    "G(pay[amount > 50000] -> F note)": "Whenever `pay` with amount above 50000 happens, `note` must follow.",
    "X a": "There is a next step, and there `a` happens.",
    "G(!(a | b) -> X last)": (
        "Whenever no call of `a` or `b` happens, there is a next step, and there the trace ends here."
    ),
}


@pytest.mark.parametrize(("text", "sentence"), SENTENCES.items())
def test_a_formula_is_said_as_people_say_it(text: str, sentence: str) -> None:
    assert english(text) == sentence


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("G(pay[amount > 5] -> F pay[amount > 3])", "must follow or be that same call"),
        ("!((!pay[amount > 5]) U pay[amount > 3])", "only after `pay` with amount above 5 in an earlier step"),
        ("(!pay[amount > 3]) W pay[amount > 5]", "(one call may be both)"),
        ("alternate_response(pay[a = 1], pay[b = 2])", "must follow in a later step"),
    ],
)
def test_where_one_call_can_be_both_the_sentence_says_what_counts(text: str, needed: str) -> None:
    assert needed in english(text)


def test_guards_are_put_in_words() -> None:
    text = (
        'G(pay[a < 1, b <= 2, c >= 3, d != 4, e in [1, "x"], f not in [2], g is null, h is not null, i contains 5, '
        'j startswith "k", !(l = true), (m = 1 or n = 2), o + 1 > p, q = r, result.sent])'
    )
    said = english(text)
    for words in (
        "a below 1",
        "b at most 2",
        "c at least 3",
        "d other than 4",
        '(e 1 or "x")',
        "some f other than 2",
        "no g",
        "some h",
        "i containing 5",
        'j starting with "k"',
        "not (l true)",
        "(either m 1 or n 2)",
        "(o + 1) above p",
        "q equal to r",
        "and result sent",
    ):
        assert words in said
    decimal = g.Compare(">", g.Field("args", ("s",)), g.Const("number", Decimal("2.5")))
    assert condition(decimal) == "s above 2.5"


def test_alike_guards_are_said_once_and_different_ones_each() -> None:
    assert english("F (a[x = 1] | b[x = 1])") == "`a` or `b` (with x 1) must happen at least once."
    assert english("F (a[x = 1] | b[x = 2])") == "`a` with x 1 or `b` with x 2 must happen at least once."


def test_depth_and_length_are_no_danger() -> None:
    assert len(english("X " * 5_000 + "a")) < 4 * MAX_PART
    assert "symbols holds" in english("(" * 400 + "a" + " U b)" * 400)
    assert "1993 further conditions hold" in english(" & ".join(f"G(a{i} -> X F b{i})" for i in range(2_000)))
    assert len(english(" | ".join(f"F a{i}" for i in range(1_000)))) < 4 * MAX_PART


@pytest.mark.parametrize("rule", load_domain("finance").rules, ids=lambda rule: rule.id)
def test_every_finance_rule_is_an_idiom(rule: Rule) -> None:
    said = english(rule.formula)
    assert said.startswith("For each ")
    assert "symbols holds" not in said
    assert "at every step" not in said
