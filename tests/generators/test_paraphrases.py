"""Leaks in other words: how many of 60 sentences a domain are found, which the check was not tuned on, and what is not.

The files `tuning-….txt` are those on which the check was chosen; a sentence there tells nothing about how good it is.
"""

from pathlib import Path

import pytest

from lexgym.envs.registry import domain_names, load_domain
from lexgym.generators.leaks import LeakCheck
from lexgym.generators.pairs import pairs
from lexgym.generators.phrases import STYLES, entries
from lexgym.generators.values import filled

FOLDER = Path(__file__).parent / "paraphrases"

FOUND = {"finance": 37, "health": 30, "iot": 48, "procurement": 39}
"""Of 60 each, when this was written."""

FALSE = {"finance": 1, "health": 2, "iot": 1, "procurement": 1}
"""Of 20 each; "The customer is on the line about a card and two payments" is one."""


def sentences(name: str) -> tuple[list[str], list[str]]:
    leaks, _, benign = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").partition("# benign\n")
    return leaks.splitlines()[1:], benign.splitlines()


def check(name: str) -> LeakCheck:
    domain = load_domain(name)
    return LeakCheck(domain, domain.phrases["tools"].keys() - domain.safety_critical, domain.safety_critical, ())


@pytest.mark.parametrize("name", FOUND)
def test_leaks_in_other_words_are_found_as_often_as_is_said(name: str) -> None:
    leaks, benign = sentences(name)
    assert (len(leaks), len(benign)) == (60, 20)
    found = check(name)
    assert sum(bool(found.find(text)) for text in leaks) >= FOUND[name]
    assert sum(bool(found.find(text)) for text in benign) <= FALSE[name]


def test_none_of_them_is_among_those_for_tuning() -> None:
    for name in FOUND:
        tuned = {text for part in sentences(f"tuning-{name}") for text in part}
        assert not tuned & {text for part in sentences(name) for text in part}


def test_two_words_tell_what_neither_tells_alone() -> None:
    text = "Make the payee's bank say if the holder is called that."
    assert [leak.why for leak in check("finance").find(text)] == [
        "tell in one sentence of the safety tool verify_payee"
    ]
    assert not check("finance").find("Make the payee's bank happy. The holder is called that.")
    assert not check("finance").find("- the payee's bank\n- the holder")


def test_only_pairs_of_masked_tools_tell() -> None:
    domain, text = load_domain("finance"), "Make the payee's bank say if the holder is called that."
    assert not LeakCheck(domain, {"initiate_payment"}, {"notify_customer"}, ()).find(text)
    assert LeakCheck(domain, {"initiate_payment"}, {"verify_payee"}, ()).find(text)


@pytest.mark.parametrize("name", domain_names())
def test_no_phrase_of_the_business_has_a_telling_pair(name: str) -> None:
    domain, known = load_domain(name), pairs(name)
    assert {tool for tools in known.values() for tool in tools} == domain.safety_critical
    assert len(known) > 100
    found = check(name)
    for tool in domain.phrases["tools"]:
        for style in STYLES:
            for entry in entries(domain, tool, style):
                assert not list(found._of_pairs(filled(entry.text))), entry.text
