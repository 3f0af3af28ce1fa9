"""Words meet where a manual and an interface mean the same, and the examples of the docstrings hold."""

import doctest
from types import ModuleType

import pytest

from lexgym.generators.extraction import conditions, phrases, words
from lexgym.generators.extraction.bounds import amounts
from lexgym.generators.extraction.conditions import asked, named_values, says
from lexgym.generators.extraction.words import stems

from .museum import cards


@pytest.mark.parametrize("module", [words, phrases, conditions])
def test_the_examples_hold(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert (result.attempted > 0, result.failed) == (True, 0)


@pytest.mark.parametrize(
    "text",
    [
        "pay paid paying payment payments",
        "refuse refusal declined denies rejected",
        "approve approval approvals approved",
        "authorise authorized authorisation authority",
        "deliver delivery deliveries delivered",
        "log_in login log-in logged in logs in",
        "lent lending loans",
        "withdrawn withdrawal cancelled terminates",
        "inspects inspection examined",
        "tell told notice informs notification",
        "check-in checked in checking in check_in",
        "verify verification verified",
        "submit submission submits",
    ],
)
def test_words_that_belong_together_have_one_stem(text: str) -> None:
    assert len(set(stems(text))) == 1


@pytest.mark.parametrize("text", ["payee payer payment", "requester request", "authentic authenticated", "lock unlock"])
def test_words_that_differ_stay_apart(text: str) -> None:
    assert len(set(stems(text))) == len(text.split())


@pytest.mark.parametrize(
    ("phrase", "guard"),
    [
        ("worth more than 5,000 euros", ["value > 500000"]),
        ("of at least 12.50 EUR", ["value >= 1250"]),
        ("up to and including 30 euros", ["value <= 3000"]),
        ("less than 100 cents", ["value < 100"]),
        ("of 5,000 euros or more", ["value >= 500000"]),
        ("no less than 5,000 euros", ["value >= 500000"]),
        ("more than 30 days", []),
        ("over the hills", []),
    ],
)
def test_amounts_become_comparisons_in_cents(phrase: str, guard: list[str]) -> None:
    assert amounts(cards()["lend_exhibit"], phrase) == guard


def test_listed_values_that_are_named() -> None:
    lend = cards()["lend_exhibit"]
    assert named_values(lend, "a painting is lent") == ['result.kind = "painting"']
    assert named_values(lend, "paintings and sculptures") == ['result.kind in ["painting", "sculpture"]']
    assert named_values(lend, "paintings, sculptures and manuscripts") == []
    assert asked(cards()["notify_lender"], "topic", "say that the loan was refused") == "loan refused"
    assert asked(cards()["notify_lender"], "topic", "write to them") is None


@pytest.mark.parametrize(
    ("flag", "phrase", "said"),
    [
        ("insured", "that it is insured", True),
        ("insured", "that it is not insured", False),
        ("insured", "neither insured nor lent", False),
        ("in_stock", "the stock is low", True),
        ("insured", "that it is safe", None),
    ],
)
def test_whether_a_phrase_says_that_a_flag_holds(flag: str, phrase: str, said: bool | None) -> None:
    assert says(flag, phrase) is said


def test_a_record_is_one_thing_and_to_record_another() -> None:
    assert stems("open a record") == stems("open_record")
    assert stems("record the loan")[:1] == stems("recorded") == stems("must record")
    assert set(stems("a record")).isdisjoint(stems("recorded"))
