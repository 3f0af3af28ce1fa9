"""The grammar's rules for prose of a museum: each turn of phrase, and what it leaves alone."""

import pytest

from lexgym.core import ADHERENCE, RESTRICTION
from lexgym.generators.extraction.candidates import Candidate
from lexgym.generators.extraction.grammar_route import read_offline
from lexgym.generators.extraction.toolset import signature_of
from lexgym.oracles.ltlf import compile_rule

from .museum import CLIMATE, INSURANCE, POLICY, cards


def read(text: str) -> list[Candidate]:
    return read_offline(text, cards())


def kept(text: str) -> list[str]:
    return [candidate.formula for candidate in read(text) if candidate.kept]


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        (CLIMATE, "forall m. (!lend_exhibit[museum_id = m]) W check_climate[museum_id = m, result.steady]"),
        (
            INSURANCE,
            "forall e, m. (!lend_exhibit[exhibit_id = e, museum_id = m]) "
            "W check_insurance[exhibit_id = e, museum_id = m, result.insured]",
        ),
        (
            "An exhibit worth more than 5,000 euros is lent only after the curator has approved exactly this value.",
            "forall e, v. (!lend_exhibit[exhibit_id = e, value = v, value > 500000]) "
            "W ask_curator[exhibit_id = e, value = v, result.approved]",
        ),
        (
            "Cleaning an exhibit requires an assessment of its condition.",
            "forall e. (!clean_exhibit[exhibit_id = e]) W assess_condition[exhibit_id = e, result.sound]",
        ),
        (
            "You may photograph an exhibit only if its condition was found sound.",
            "forall e. (!photograph_exhibit[exhibit_id = e]) W assess_condition[exhibit_id = e, result.sound]",
        ),
        (
            "Before cleaning or photographing an exhibit, you must assess its condition.",
            "forall e. (!(clean_exhibit[exhibit_id = e] | photograph_exhibit[exhibit_id = e])) "
            "W assess_condition[exhibit_id = e, result.sound]",
        ),
        (
            "Assess the condition of an exhibit no later than its cleaning.",
            "forall e. (!clean_exhibit[exhibit_id = e]) W assess_condition[exhibit_id = e, result.sound]",
        ),
        (
            "An exhibit must not be cleaned unless its condition was assessed and found not sound.",
            "forall e. (!clean_exhibit[exhibit_id = e]) W assess_condition[exhibit_id = e, result.sound = false]",
        ),
    ],
)
def test_what_comes_before(sentence: str, formula: str) -> None:
    (candidate,) = read(sentence)
    assert (candidate.formula, candidate.template, candidate.why) == (formula, RESTRICTION, "")


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        (
            "After every loan, enter it in the register under its own number.",
            "forall s. G(lend_exhibit[result.loan_id = s] -> F enter_in_register[subject = s, result.entered])",
        ),
        (
            "When an exhibit is taken back, assess its condition.",
            "forall e. G(take_back_exhibit[exhibit_id = e] -> F assess_condition[exhibit_id = e])",
        ),
        (
            "Whenever a loan is refused, notify the lender that the loan was refused, naming that refusal.",
            'forall s. G(refuse_loan[result.refusal_id = s] -> F notify_lender[subject = s, topic = "loan refused", '
            "result.sent])",
        ),
        (
            "Every cleaning is entered in the register under its own number.",
            "forall s. G(clean_exhibit[result.cleaning_id = s] -> F enter_in_register[subject = s, result.entered])",
        ),
        (
            "Enter in the register, under its own number, every loan of an exhibit and every cleaning of one.",
            "forall s. G((lend_exhibit[result.loan_id = s] | clean_exhibit[result.cleaning_id = s]) "
            "-> F enter_in_register[subject = s, result.entered])",
        ),
    ],
)
def test_what_comes_after(sentence: str, formula: str) -> None:
    (candidate,) = read(sentence)
    assert (candidate.formula, candidate.template, candidate.why) == (formula, ADHERENCE, "")


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("An exhibit may be cleaned at most two times.", "forall e. absence(3, clean_exhibit[exhibit_id = e])"),
        (
            "After three failed attempts by one guard to unlock the vault, do not unlock it again for that guard.",
            "forall g. absence(4, unlock_vault[guard_id = g, result.opened = false])",
        ),
        (
            "After two failed attempts in a row by one guard to unlock the vault, do not unlock it again.",
            "forall g. G(unlock_vault[guard_id = g] -> !Y((!unlock_vault[guard_id = g, result.opened]) S "
            "(unlock_vault[guard_id = g, result.opened = false] & Y((!unlock_vault[guard_id = g, result.opened]) S "
            "unlock_vault[guard_id = g, result.opened = false]))))",
        ),
        ("Manuscripts must never be lent.", 'G !lend_exhibit[result.kind = "manuscript"]'),
    ],
)
def test_how_often(sentence: str, formula: str) -> None:
    assert kept(sentence) == [formula]


def test_a_reason_needs_its_check() -> None:
    found = kept("A reason for refusing a loan is stated only after the check it rests on has come out accordingly.")
    assert found == [
        'forall e, m. (!refuse_loan[exhibit_id = e, museum_id = m, reason = "not insured"]) '
        "W check_insurance[exhibit_id = e, museum_id = m, result.insured = false]",
        'forall m. (!refuse_loan[museum_id = m, reason = "climate not steady"]) '
        "W check_climate[museum_id = m, result.steady = false]",
    ]


def test_a_list_hangs_on_its_lead_in() -> None:
    items = "- **Rooms.** Verify that the museum's climate is steady.\n- Verify its insurance."
    text = f"Before an exhibit is lent:\n\n{items}"
    found = [(c.line, c.formula.partition(" W ")[2].partition("[")[0]) for c in read(text)]
    assert found == [(3, "check_climate"), (4, "check_insurance")]


def test_the_same_goes_before_another_act() -> None:
    found = kept("Before cleaning an exhibit, assess its condition. The same goes before photographing an exhibit.")
    assert [formula.partition("[")[0] for formula in found] == [
        "forall e. (!clean_exhibit",
        "forall e. (!photograph_exhibit",
    ]


def test_what_no_tool_does_is_dropped_and_said() -> None:
    (candidate,) = read("The annual dinner must not be cancelled until the mayor has been consulted.")
    assert not candidate.kept
    assert candidate.why == "no tool does what 'the mayor has been consulted.' says"


def test_a_prohibition_of_every_call_is_dropped() -> None:
    (candidate,) = read("An exhibit must never be photographed.")
    assert (candidate.formula, candidate.kept) == ("G !photograph_exhibit", False)
    assert candidate.why == "it would forbid every call of photograph_exhibit"


@pytest.mark.parametrize(
    "sentence",
    [
        "The museum opens at nine and closes at five.",
        "A painting is an exhibit made of paint.",
        "No approval is needed for cleaning.",
        "The curator enjoys her work.",
        "Assess the condition of an exhibit before cleaning it if you can.",
        "A cleaning is complete only after the condition was assessed.",
        "Loans are entered in the register by the archive team.",
    ],
)
def test_prose_that_demands_nothing_gives_nothing(sentence: str) -> None:
    assert read(sentence) == []


def test_every_rule_of_the_policy_compiles_and_knows_its_place() -> None:
    found = read(POLICY)
    places = [(candidate.line, candidate.section[:2], candidate.citation) for candidate in found]
    assert places == [
        (5, "1.", "1"),
        (6, "1.", "1"),
        (7, "1.", "Art. 4"),
        (8, "1.", "1"),
        (12, "2.", "2"),
        (12, "2.", "2"),
        (15, "2.", "2"),
    ]
    for candidate in found:
        if candidate.kept:
            compile_rule(candidate.formula, signature_of(cards()))


def test_the_same_text_gives_the_same_candidates() -> None:
    assert read(POLICY) == read(POLICY)
