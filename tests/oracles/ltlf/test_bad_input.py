"""Bad input: a clear error at parse or compile time, or a right answer; never a hang or a wrong verdict."""

from typing import Any

import pytest

from lexgym.core import Event, ToolCall
from lexgym.errors import FormulaError, FormulaSyntaxError, SignatureError, StateLimitExceeded
from lexgym.oracles.ltlf import ToolSignature, compile, compile_rule, parse, satisfies, to_text  # noqa: A004

MANY = 10_000


@pytest.mark.parametrize("text", [None, b"a", 5, ["a"], {"a": 1}])
def test_what_is_no_text(text: Any) -> None:
    with pytest.raises(FormulaError, match="a formula is text, not"):
        parse(text)


@pytest.mark.parametrize(
    "text", ["", " \n\t", "()", "\0", "a\0b", "\ud800", "\ufeffa", "a\u200bb", "a[\u2028", '"a\nb"']
)
def test_emptiness_and_odd_characters(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match="expected") as caught:
        parse(text)
    assert caught.value.column is not None


@pytest.mark.parametrize(
    "text",
    [
        " & ".join(["a", "b"] * (MANY // 2)),
        " | ".join(["a", "!a"] * (MANY // 2)),
        "a & (" * MANY + "b" + ")" * MANY,
        "(" * MANY + "b" + ") & a" * MANY,
        " -> ".join(["a"] * MANY),
        " U ".join(["a"] * MANY),
        "(a <-> " * MANY + "b" + ")" * MANY,
        "!" * MANY + "a",
        "X " * MANY + "a",
        "WX ! " * MANY + "a",
        "F(a & " * MANY + "b" + ")" * MANY,
        "coexistence(" * 1_000 + "a" + ", b)" * 1_000,
        "(" * 1_000 + "a" + ")" * 1_000,
        "(" * 100_000 + "a" + ")" * 100_000,
        "a[" + "(" * 100_000 + "x" + ")" * 100_000 + "]",
        "a[" + " and ".join(["x > 1"] * MANY) + "]",
        "a[" + " or ".join(f"x = {i}" for i in range(MANY)) + "]",
        "a[x in [" + ", ".join(map(str, range(MANY))) + "]]",
        'a[x = "' + "y" * 500_000 + '"]',
        '"' + "a" * 500_000 + '"',
    ],
)
def test_size_and_depth_parse_print_and_are_judged(text: str) -> None:
    formula = parse(text)
    assert parse(to_text(formula)) is formula
    assert satisfies(formula, []) in (True, False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(" * 100_000, "the '\\(' at column 100000 is never closed"),
        ("(" * 1_000 + "a" + ")" * 999, "the '\\(' at column 1 is never closed"),
        ("a" + ")" * 100_000, "the '\\)' at column 2 closes nothing"),
        ("a[" * 100_000, "expected"),
        ("& " * MANY, "expected a formula"),
        ("a " * MANY, "expected an operator"),
        (" <-> ".join(["a"] * MANY), "a chain of <-> needs parentheses"),
        (" U a W ".join(["a"] * 1_000), "U and W side by side need parentheses"),
        ("a[" + "!" * MANY + "x]", "nests deeper than 50"),
        ("a[" + "-" * MANY + "x > 1]", "nests deeper than 50"),
        ("a[" + " + ".join(["x"] * MANY) + " > 1]", "nests deeper than 50"),
        ("a" * 1_000_001, "1000001 characters, the limit is 1000000"),
        ("a[x = " + "9" * 31 + "]", "a number of 31 digits; at most 30"),
        ("a[x = 0." + "9" * 500_000 + "]", "digits; at most 30"),
        ("F[<=999999999] a", "the bound 999999999 is above 10000"),
        ("F[<=" + "9" * 5_000 + "] a", "a number of 5000 digits"),
        ("exactly(" + "9" * 25 + ", a)", "counts up to 200"),
        ("exclusive_choice(" * 40 + "a" + ", b)" * 40, "written out, the formula has more than 1000000"),
        ("exactly(200, " * 4 + "a" + ")" * 4, "written out"),
        ("alternate_succession(" * 12 + "a" + ", b)" * 12, "written out"),
        ("Q" * 100_000 + "(a)", "no template 'QQQ"),
        ("forall x, x. a[p = x]", "names a variable twice"),
        ("G(a & forall x. b[p = x])", "forall stands only at the very beginning"),
        ("forall x. forall y. a[p = x, q = y]", "forall stands only at the very beginning"),
    ],
)
def test_refused_when_it_is_parsed(text: str, words: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=words) as caught:
        parse(text)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text",
    [
        "X " * MANY + "a",
        "Y " * MANY + "a",
        "a S " * MANY + "b",
        "F[<=10000] a",
        "F[<=100] G[<=100] " * 5 + "a",
        "G[<=100](a -> F[<=100](b & F[<=100] c))",
        "exactly(200, exactly(200, a))",
        " & ".join(f"G(a{i} -> F b{i})" for i in range(30)),
        " & ".join(f"a{i}" for i in range(MANY)),
    ],
)
def test_refused_when_it_is_compiled(text: str) -> None:
    with pytest.raises(StateLimitExceeded):
        compile(text, max_states=5_000)


def test_limits_on_letters() -> None:
    with pytest.raises(StateLimitExceeded, match="the limit is 4096"):
        compile(" & ".join(f"a{i}" for i in range(30)), "multi")
    with pytest.raises(StateLimitExceeded, match="the guards of 'a' make more than 4096 letters"):
        compile_rule(" & ".join(f"a[x{i} = 1]" for i in range(30)))


SIGNATURE = {"pay": ToolSignature({"amount": {"type": "integer"}, "payee": {"type": "string"}}, {})}


@pytest.mark.parametrize(
    "guard",
    ["payee > 5", 'amount > "5"', 'amount = "5"', 'amount in [1, "2"]', "payee + 1 = 2", "amount startswith payee"],
)
def test_kinds_that_do_not_meet(guard: str) -> None:
    with pytest.raises(SignatureError, match="column"):
        parse(f"pay[{guard}]", SIGNATURE)


@pytest.mark.parametrize("guard", ["payee > 5", 'amount > "5"', "payee + 1 = 2", "amount startswith payee"])
def test_without_a_signature_they_are_noticed_when_an_event_comes(guard: str) -> None:
    rule = compile_rule(f"F pay[{guard}]").monitor()
    with pytest.raises(FormulaError, match="step 3, pay"):
        rule.step(Event.ok(ToolCall("pay", {"amount": 6, "payee": "x"}), None, step=3))


def test_literals_that_do_not_meet_are_noticed_at_once() -> None:
    with pytest.raises(SignatureError, match="cannot be compared"):
        parse('a["x" < 5]')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pay[nothing = 1]", "no argument 'nothing'"),
        ("pay[payee = p]", "no argument 'p', and no forall at the beginning binds it"),
        ("forall p. pay[payee = q]", "no argument 'q'"),
        ("forall p. pay[payee != p]", "does not bind the variable 'p'"),
        ("forall p. pay", "no atom uses the variable 'p'"),
        ("refund", "no tool 'refund'; known: pay"),
        ("P" * 100_000, "no tool 'PPP"),
    ],
)
def test_names_that_do_not_exist(text: str, words: str) -> None:
    with pytest.raises(FormulaError, match=words) as caught:
        parse(text, SIGNATURE)
    assert len(str(caught.value)) < 400


NAMES = [
    "Transfer.Funds", "Fa", "truely", "lastname", "X.y", "_x", "überweisung", "转账", "a1.2",
    "X", "U", "last", "true", "forall", "NOT", "in", "null", "result", "status", "precedence",
    "a b", "a-b", 'say "hi"', "back\\slash", "\n", "\0", "", "F(a)", "a[x = 1]", "🙂", "\u200b", "\ud800", "x" * 1_000,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_tool_name_is_usable(name: str) -> None:
    from lexgym.oracles.ltlf.syntax import Always, And, Atom, Eventually, Next, Not

    formula = Always(And((Not(Atom(name)), Next(Atom(name)), Eventually(Atom("other")))))
    assert parse(to_text(formula)) is formula
    assert compile(Eventually(Atom(name))).accepts([{"other"}, {name}])
    monitor = compile_rule(Eventually(Atom(name))).monitor()
    monitor.step(Event.ok(ToolCall(name, {}), None))
    assert monitor.satisfied
    assert parse(to_text(Atom(name)), {name: ToolSignature()}) is Atom(name)
