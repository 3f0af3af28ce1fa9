"""Declare templates: every published name means its published formula."""

import json
import re
from pathlib import Path

import pytest

from lexgym.errors import FormulaSyntaxError, StateLimitExceeded
from lexgym.oracles.ltlf import compile, counterexample, parse, to_text  # noqa: A004
from lexgym.oracles.ltlf.declare import MAX_COUNT, NAMES
from lexgym.oracles.ltlf.plain import Events

HERE = Path(__file__).parents[2] / "data" / "ltlf"
SHARED = Path(__file__).parents[3].parent / "shared" / "ltlf"


def published() -> dict[str, str]:
    """Return the published formula of every template that the data names."""
    rows = [json.loads(line) for line in (HERE / "templates.jsonl").read_text(encoding="utf-8").splitlines()]
    found = {row["template"]: row["formula"] for row in rows}
    if SHARED.exists():
        for line in (SHARED / "entailments.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found |= {row["f"]: row["formula_f"], row["g"]: row["formula_g"]}
        for line in (SHARED / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["group"] == "declare" and "[" not in row["template"]:
                found[row["template"]] = row["formula"]
    return found


def same(one: str, two: str) -> bool:
    alphabets: tuple[Events, ...] = ("single", "multi")
    return all(
        counterexample(left, right, events) is None for events in alphabets for left, right in ((one, two), (two, one))
    )


@pytest.mark.parametrize(("template", "formula"), published().items())
def test_templates_by_their_published_names(template: str, formula: str) -> None:
    assert same(re.sub(r"Or(?=\()", "", template), formula)


MEANINGS = {
    "absence": ("absence(3, a)", "!F(a & X F(a & X F a))"),
    "alternate_precedence": ("alternate_precedence(a, b)", "((!b) W a) & G(b -> WX((!b) W a))"),
    "alternate_response": ("alternate_response(a, b)", "G(a -> X((!a) U b))"),
    "alternate_succession": (
        "alternate_succession(a, b)",
        "G(a -> X((!a) U b)) & ((!b) W a) & G(b -> WX((!b) W a))",
    ),
    "at_least": ("at_least(2, a)", "F(a & X F a)"),
    "at_most": ("at_most(1, a)", "G(a -> WX G !a)"),
    "between": ("between(1, 2, a)", "F a & !F(a & X F(a & X F a))"),
    "bounded_response": ("bounded_response(2, a, b)", "G(a -> (b | X(b | X b)))"),
    "chain_precedence": ("chain_precedence(a, b)", "G(X b -> a) & !b"),
    "chain_precedence_lax": ("chain_precedence_lax(a, b)", "G(X b -> a)"),
    "chain_response": ("chain_response(a, b)", "G(a -> X b)"),
    "chain_response_weak": ("chain_response_weak(a, b)", "G(a -> WX b)"),
    "chain_succession": ("chain_succession(a, b)", "G(a <-> X b) & !b"),
    "chain_succession_lax": ("chain_succession_lax(a, b)", "G(a <-> X b)"),
    "choice": ("choice(a, b)", "F a | F b"),
    "coexistence": ("coexistence(a, b)", "F a <-> F b"),
    "end": ("end(a)", "F(a & WX false)"),
    "exactly": ("exactly(1, a)", "F a & G(a -> WX G !a)"),
    "exclusive_choice": ("exclusive_choice(a, b)", "(F a & !F b) | (F b & !F a)"),
    "existence": ("existence(2, a)", "F(a & X F a)"),
    "init": ("init(a)", "a"),
    "instruction_adherence": ("instruction_adherence(a, b)", "G(a -> F b)"),
    "not_chain_precedence": ("not_chain_precedence(a, b)", "G(X b -> !a)"),
    "not_chain_response": ("not_chain_response(a, b)", "G(a -> !X b)"),
    "not_chain_response_weak": ("not_chain_response_weak(a, b)", "G(a -> WX !b)"),
    "not_chain_succession": ("not_chain_succession(a, b)", "G(a -> !X b)"),
    "not_chain_succession_weak": ("not_chain_succession_weak(a, b)", "G(a -> WX !b)"),
    "not_coexistence": ("not_coexistence(a, b)", "!(F a & F b)"),
    "not_precedence": ("not_precedence(a, b)", "G(F b -> !a)"),
    "not_precedence_strict": ("not_precedence_strict(a, b)", "G(a -> WX G !b)"),
    "not_responded_existence": ("not_responded_existence(a, b)", "F a -> !F b"),
    "not_response": ("not_response(a, b)", "G(a -> G !b)"),
    "not_response_strict": ("not_response_strict(a, b)", "G(a -> WX G !b)"),
    "not_succession": ("not_succession(a, b)", "G(a -> G !b)"),
    "not_succession_strict": ("not_succession_strict(a, b)", "G(a -> WX G !b)"),
    "operational_restriction": ("operational_restriction(a, b)", "!((!a) U b)"),
    "participation": ("participation(a)", "F a"),
    "persistence": ("persistence(a)", "F G a"),
    "precedence": ("precedence(a, b)", "(!b) W a"),
    "precedence_strict": ("precedence_strict(a, b)", "a R !b"),
    "responded_existence": ("responded_existence(a, b)", "F a -> F b"),
    "response": ("response(a, b)", "G(a -> F b)"),
    "response_strict": ("response_strict(a, b)", "G(a -> X F b)"),
    "succession": ("succession(a, b)", "G(a -> F b) & ((!b) W a)"),
}


def test_every_template_has_a_meaning_here() -> None:
    assert sorted(MEANINGS) == sorted(NAMES)


@pytest.mark.parametrize(("template", "formula"), MEANINGS.values(), ids=list(MEANINGS))
def test_meanings(template: str, formula: str) -> None:
    assert same(template, formula)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Existence(a)", "existence(1, a)"),
        ("Existence2(a)", "existence(2, a)"),
        ("existence(a, 2)", "existence(2, a)"),
        ("AtLeastOne(a)", "at_least(1, a)"),
        ("at_least2(a)", "at_least(2, a)"),
        ("Absence(a)", "absence(1, a)"),
        ("Absence3(a)", "absence(3, a)"),
        ("ABSENCE_2(a)", "absence(2, a)"),
        ("at_most_one(a)", "at_most(1, a)"),
        ("AtMost2(a)", "at_most(2, a)"),
        ("Uniqueness(a)", "at_most(1, a)"),
        ("Exactly1(a)", "exactly(1, a)"),
        ("exactly_one(a)", "exactly(1, a)"),
        ("Participation(a)", "existence(1, a)"),
        ("Init(a)", "init(a)"),
        ("Last(a)", "end(a)"),
        ("RespondedExistence(a, b)", "responded_existence(a, b)"),
        ("co_existence(a, b)", "coexistence(a, b)"),
        ("co-existence(a, b)", "coexistence(a, b)"),
        ("ExclusiveChoice(a, b)", "exclusive_choice(a, b)"),
        ("altresponse(a, b)", "alternate_response(a, b)"),
        ("AltPrecedence(a, b)", "alternate_precedence(a, b)"),
        ("CHAIN_SUCCESSION(a, b)", "chain_succession(a, b)"),
        ("NotCoExistence(a, b)", "not_coexistence(a, b)"),
        ("noncoexistence(a, b)", "not_coexistence(a, b)"),
        ("not-chain-response(a, b)", "not_chain_response(a, b)"),
        ("nonchainsuccession(a, b)", "not_chain_succession(a, b)"),
        ("BoundedResponse3(a, b)", "bounded_response(3, a, b)"),
        ("ChainResponseW(a, b)", "chain_response_weak(a, b)"),
        ("PrecedenceRV(a, b)", "precedence_strict(a, b)"),
    ],
)
def test_names_as_people_write_them(written: str, name: str) -> None:
    assert parse(written) is parse(name)


def test_not_before_a_template_negates_it() -> None:
    assert parse("not succession(a, b)") is parse("!succession(a, b)")
    assert not same("not succession(a, b)", "not_succession(a, b)")


@pytest.mark.parametrize("name", NAMES)
def test_arguments_may_be_any_formula_and_printing_round_trips(name: str) -> None:
    template, formula = MEANINGS[name]
    left, right = "(p | q[x > 1.5])", "X (r & p)"
    wide = parse(re.sub(r"\bb\b", right, re.sub(r"\ba\b", left, template)))
    assert parse(to_text(wide)) is wide
    if name not in ("alternate_succession", "succession"):
        plain = [re.sub(r"\bb\b", "(r | p)", re.sub(r"\ba\b", "(p | q)", text)) for text in (template, formula)]
        assert same(*plain)


def test_counting_from_none_to_the_limit() -> None:
    assert same("at_least(0, a)", "true")
    assert same("at_most(0, a)", "G !a")
    assert same("exactly(0, a)", "absence(1, a)")
    assert same("between(0, 0, a)", "absence(a)")
    assert same("between(2, 2, a)", "exactly(2, a)")
    assert len(compile("absence(200, a)")) == 201
    assert len(compile("between(100, 200, a | b)")) == 202
    for count in (0, 1, 3):
        accepted = [n for n in range(6) if compile(f"exactly({count}, a)").accepts([{"a"}, set()] * n)]
        assert accepted == [count]


def test_counting_is_refused_beyond_the_limits_of_the_engine() -> None:
    with pytest.raises(StateLimitExceeded):
        compile("exactly(200, a)", max_states=100)
    with pytest.raises(FormulaSyntaxError, match="written out"):
        parse("exactly(200, " * 4 + "a" + ")" * 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exactly(a)", r"exactly takes \(n, a\), a number and a formula; 1 formula was given"),
        ("exactly(1, 2, a)", "2 numbers and 1 formula were given"),
        ("Exactly2(3, a)", r"takes \(n, a\)"),
        (f"at_most({MAX_COUNT + 1}, a)", f"up to {MAX_COUNT}, not {MAX_COUNT + 1}"),
        ("at_most(" + "9" * 30 + ", a)", "counts up to"),
        ("absence(0, a)", r"at least 1; never is absence\(1, a\)"),
        ("between(3, 2, a)", "never true"),
        ("between(3, a)", r"takes \(m, n, a\)"),
        ("bounded_response(a, b)", r"takes \(n, a, b\)"),
        ("init(a, b)", r"takes \(a\), one formula; 2 formulas"),
        ("response(a)", r"takes \(a, b\), two formulas; 1 formula"),
        ("response(2, a, b)", "1 number and 2 formulas were given"),
        ("Response2(a, b)", "no template 'Response2'; did you mean 'response'"),
        ("chain_respons(a, b)", "did you mean 'chain_response'"),
        ("Chain Response(a, b)", r"the template is written chain_response\(…\)"),
        ("Not Chain Response(a, b)", r"the template is written not_chain_response\(…\)"),
    ],
)
def test_what_does_not_fit_says_the_form(text: str, words: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=words):
        parse(text)
