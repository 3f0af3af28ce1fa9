"""The language: what parses, what is refused, and how."""

import pickle

import pytest

from lexgym.errors import FormulaError, FormulaSyntaxError, StateLimitExceeded
from lexgym.oracles import ltlf
from lexgym.oracles.ltlf import compile, compile_rule, parse, satisfies, to_text  # noqa: A004


def test_the_public_names() -> None:
    assert ltlf.__all__ == [
        "DFA",
        "RV",
        "Automaton",
        "Batch",
        "BatchMonitor",
        "Explanation",
        "Formula",
        "Monitor",
        "RuleAutomaton",
        "RuleMonitor",
        "RuleSet",
        "RuleSetMonitor",
        "Signature",
        "ToolSignature",
        "Wanted",
        "compile",
        "compile_rule",
        "counterexample",
        "entails",
        "explain",
        "parse",
        "satisfies",
        "to_text",
    ]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a -> b -> c", "a -> (b -> c)"),
        ("a | b & c", "a | (b & c)"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a & b U c", "a & (b U c)"),
        ("!a U b", "(!a) U b"),
        ("a U b U c", "a U (b U c)"),
        ("a && b || c => d", "((a & b) | c) -> d"),
        ("a <=> b", "a <-> b"),
        ("NOT a IMPLIES NEXT b", "!a -> X b"),
        ("ALWAYS(a IMPLIES EVENTUALLY (b OR c AND d))", "G(a -> F(b | (c & d)))"),
        ("(NOT a) UNTIL b", "!a U b"),
        ("N a", "WX a"),
        ("a[x == 1, y > 2]", "a[x = 1 and y > 2]"),
        ("a[x = null, y != null]", "a[x is null, y is not null]"),
        ("a[args.x = 1]", "a[x = 1]"),
        ("a[x = 5.0, y = 12.50, z in [-0.5, -2.0]]", "a[x = 5, y = 12.5, z in [-0.50, -2]]"),
        ('"a" & "b.c"', "a & b.c"),
        ("forall p. pay[p = p]", "forall p. pay[args.p = p]"),
    ],
)
def test_readings(text: str, same: str) -> None:
    assert parse(text) is parse(same)


@pytest.mark.parametrize(
    "text",
    [
        "Fa & Xa & truely & lastname & G1",
        "X.y & F.x & true.x & not.x",
        "überweisung.sofort & 转账",
        '"X" & "a b" & "F(a)" & "\\"" & "hyphen-ated" & X a',
        'a[x in ["p", "q"], y not in [1, -2, true], z is not null]',
        'a[!(x = 1 or y = 2) and (x = 3 or z), result.a.b contains "c", s startswith "t"]',
        'a[(x + 1) * 2 - y >= -z, status != "ok"]',
        "a[x > 12.5, y in [-0.1, 0.0000001, 12345678901234567890.123], -x < -(-0.5)]",
        "a[args.status = 1, args.result = 2, args.in = 3, args.not]",
        "forall x, y. a[p = x, q = y, r != x] -> F[<=3] G[<=0] b",
        "(a <-> b) <-> (c -> d) -> e",
        "(a & b) & c",
        "Y a & O b & H c & (a S b) & last & true & false",
    ],
)
def test_printing_round_trips(text: str) -> None:
    formula = parse(text)
    assert parse(to_text(formula)) is formula
    assert pickle.loads(pickle.dumps(formula)) is formula


def test_literals_of_different_types_make_different_atoms() -> None:
    assert len({parse(f"a[x = {value}]") for value in ("1", "true", '"1"', '"true"')}) == 4


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "the formula is empty"),
        ("F(a", 4, "ends too early"),
        ("F a)", 4, "unexpected"),
        ("a b", 3, "unexpected 'b'"),
        ("a ? b", 3, "unexpected"),
        ("a & & b", 5, "unexpected"),
        ("Q(a, b)", 1, "no template"),
        ("precedance(a, b)", 1, "did you mean 'precedence'"),
        ("precedence(a)", 1, "takes"),
        ("a U b W c", 7, "parentheses"),
        ("(a R b) M c S d", 13, "parentheses"),
        ("a <-> b <-> c", 9, "parentheses"),
        ("F[<=99999] a", 5, "above"),
        ("G a[y, x < null]", 8, "is null"),
        ("a[5]", 1, "comparison"),
        ("a[y, (x = 1) < 2]", 6, "cannot be compared"),
        ("a[x = 1.]", 7, "a number is written"),
        ("G(a & forall x. b[p = x])", 14, "only at the very beginning"),
        ("forall x, x. a[p = x]", 1, "twice"),
        ("a[x = " + "9" * 5000 + "]", 7, "digits"),
        ("a[" + "!" * 1000 + "x]", 1, "nests deeper"),
        ("a[" + "+".join(["x"] * 1000) + " > 3]", 1, "nests deeper"),
    ],
)
def test_syntax_errors_point_at_the_place(text: str, column: int, words: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=words) as caught:
        parse(text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a formula"),
        ("F(a", r"expected '\)'; the '\(' at column 2 is never closed"),
        ("(a))", r"the '\)' at column 4 closes nothing"),
        ("a[(x = 1]", r"the '\(' at column 3 is not closed before the '\]' at column 9"),
        ('a[x = "(", y', r"the '\[' at column 2 is never closed"),
        ("a[x = 5", "expected 'and', ',' or ']'"),
        ("a[x in [1 2]]", "expected ',' or ']'"),
        ("a[x in (1)]", r"expected '\['"),
        ("a[]", "expected a condition such as amount > 5"),
        ("a[x = ]", "expected a value"),
        ("a[x is 5]", "expected 'null' or 'not null'"),
        ("forall x: a", "expected ',' or '.'"),
        ("forall . a", "expected a variable"),
        ("F[<5] a", r"a bound is written F\[<=5\]"),
        ("F[<=n] a", "expected a whole number"),
        ("a U[<=3] b", "only F and G take a bound"),
        ("a AND THEN b", "there is no operator THEN: write a & X F b"),
        ("a UNLESS b", "there is no operator UNLESS: write W"),
        ("NEVER a", "there is no operator NEVER: write G !a"),
        ("exists x. a", "only forall"),
        ("a =>> b", "there is no operator '=>>'; did you mean '=>'"),
        ("a --> b", "write -> for -->"),
        ("~a", "write ! for ~"),
        ("[]a", r"write G for \[\]"),
        ("a ∧ b", "write & for ∧"),
        ("G(X)", 'X is an operator; a tool of that name is written "X"'),
        ("check-auth", 'a name with a hyphen is quoted: "check-auth"'),
        ("amount > 5", r"a condition stands in brackets after the tool, as in pay\[amount > 5\]"),
        ("open account", "a name with spaces is quoted"),
        ("a[x = 'y']", "double quotes"),
        ('a[x = "y]', "no closing quote"),
        ("a[x = 1e5]", "a number is written 12 or 0.5"),
        ("5 & a", "a number is no formula"),
    ],
)
def test_syntax_errors_say_what_was_expected_and_the_way_out(text: str, words: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=words):
        parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("forall x. a", "no atom uses the variable 'x'"),
        ("forall x, y. a[p = x]", r"a\[p = x\] does not bind the variable 'y'"),
        ("forall x. a[p = x] -> b[q != x]", r"b\[q != x\] does not bind the variable 'x'"),
        ("forall x. a[p = x or q = x]", "does not bind"),
    ],
)
def test_variables_must_be_bound_by_every_atom_that_mentions_them(text: str, words: str) -> None:
    with pytest.raises(FormulaError, match=words):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1000 + "a" + ")" * 1000,
        "!" * 10_000 + "a",
        "X " * 3_000 + "a",
        " & ".join(["a", "b"] * 5_000),
        " -> ".join(["F a", "b"] * 5_000),
        "F(a & " * 200 + "b" + ")" * 200,
        "a[" + "(" * 1000 + "x" + ")" * 1000 + "]",
        "G(a -> F[<=500] b)",
    ],
)
def test_size_and_depth_are_no_danger(text: str) -> None:
    formula = parse(text)
    assert parse(to_text(formula)) is formula
    assert repr(formula)
    monitor = compile_rule(formula).monitor()
    assert monitor.satisfied is satisfies(formula, [])


@pytest.mark.parametrize(
    "text",
    [
        "X " * 10_000 + "a",
        "Y " * 10_000 + "a",
        "F(a & " * 10_000 + "b" + ")" * 10_000,
        " U ".join(["a", "b"] * 5_000),
        " & ".join(f"G(a{i} -> F b{i})" for i in range(30)),
        " & ".join(f"a{i}" for i in range(10_000)),
        "F(a & " + "X " * 20 + "b)",
    ],
)
def test_what_is_too_large_is_refused(text: str) -> None:
    with pytest.raises(StateLimitExceeded):
        compile(text, max_states=5_000)


def test_limits_can_be_set() -> None:
    with pytest.raises(StateLimitExceeded, match="more than 3 states"):
        compile("X X X X a", max_states=3)
    with pytest.raises(StateLimitExceeded, match="the limit is 4"):
        compile("a | b | c", "multi", max_letters=4)


def test_wide_conjunctions_are_composed() -> None:
    assert len(compile(" & ".join(f"!((!c) U a{i})" for i in range(64)))) == 3
    assert len(compile(" & ".join(f"G(a{i} -> F b)" for i in range(64)))) == 2
    assert len(compile(" & ".join(f"G(a{i} -> F b{i})" for i in range(8)))) == 256
    assert len(compile("G(a -> F[<=50] b)")) == 52
    assert len(compile("G(a -> G[<=50] !b)")) == 52


def test_steps_and_formulas_that_do_not_fit() -> None:
    automaton = compile("a U b")
    with pytest.raises(FormulaError, match="events='multi'"):
        automaton.accepts([{"a", "b"}])
    with pytest.raises(FormulaError, match="not the string"):
        automaton.accepts(["ab"])
    with pytest.raises(FormulaError, match="compile_rule"):
        compile("a[x = 1]")
    with pytest.raises(FormulaError, match="needs events"):
        satisfies(parse("a[x = 1]"), [{"a"}])
    with pytest.raises(FormulaError, match="'single' or 'multi'"):
        compile("a", "both")  # type: ignore[arg-type]


def test_words_and_counterexamples() -> None:
    assert compile("F(a & X b)").word() == [frozenset("a"), frozenset("b")]
    assert compile("a & !a").word() is None
    assert compile("!last", "multi").word() is not None
    assert satisfies(parse("last"), []) is satisfies(parse("WX false"), []) is True
