"""The completeness check: what an instruction has to say, in the forms in which people say it."""

import dataclasses
from typing import Any

import pytest

from lexgym.envs.registry import domain_names, load_domain
from lexgym.generators import completeness
from lexgym.generators.completeness import Said, forms, missing
from lexgym.generators.wording import requests
from lexgym.registration import scenario
from lexgym.scenario import ReferenceStep, Scenario


@pytest.fixture(params=domain_names())
def found(request: pytest.FixtureRequest) -> Scenario:
    return scenario(request.param, 0)


def test_generated_wordings_are_complete(found: Scenario) -> None:
    for text in found.instructions.values():
        assert missing(found, text) == []


def test_a_value_that_is_left_out_is_named(found: Scenario) -> None:
    text = found.instruction("workflow")
    assert len(missing(found, "Do it.")) >= len(requests(found))
    for step in requests(found):
        for name, words in step.values.items():
            if words in text:
                left = missing(found, text.replace(words, "something"))
                assert any(f"{name} = {words!r}" in each for each in left), words


def test_a_call_that_nothing_asks_for_is_found() -> None:
    """A value that a call without words of its own puts into the target has to be said as well."""
    base = scenario("finance", 0)
    target = {**base.target, "payees": [*base.target["payees"]]}
    target["payees"] = [{**row, "name": "Quux Trading"} if i == 0 else row for i, row in enumerate(target["payees"])]
    step = ReferenceStep("rename_payee", {"name": "Quux Trading"}, False)
    unspoken = dataclasses.replace(base, target=target, reference=(*base.reference, step))
    domain, text = load_domain("finance"), base.instruction("goal")
    left = list(completeness._changed(domain, unspoken, Said(f"{text} Rename it.")))
    assert left == ["'Quux Trading' as the name in payees"]
    assert not list(completeness._changed(domain, unspoken, Said(f"{text} It is called Quux Trading now.")))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (125_000, "EUR 1,250.00"),
        (125_000, "1250 euros"),
        (125_000, "€1,250"),
        (125_050, "1,250.50 EUR"),
        (3, "the 3rd"),
        (1_773_651_600, "on 2026-03-16"),
        ("2026-03-16", "on 16 March 2026"),
        ("2026-03-16", "on March 16, 2026"),
        ("postal_delivery", "by postal delivery"),
        ("Novak Ltd", "to NOVAK  LTD."),
    ],
)
def test_people_say_values_in_many_forms(value: Any, said: str) -> None:
    assert Said(said).value(value)


@pytest.mark.parametrize(("value", "said"), [(125_000, "EUR 250.00"), (5, "15 of 50"), ("Novak", "Novakova")])
def test_a_part_of_another_word_or_number_does_not_count(value: Any, said: str) -> None:
    assert not Said(said).value(value)


def test_a_description_is_said_piece_by_piece() -> None:
    words = 'the record "Iron studies" that was sent to St. Clare\'s Hospital on 2025-10-05'
    assert Said('What St. Clare\'s Hospital got on 2025-10-05 ("Iron studies")').description(words)
    assert not Said('What St. Clare\'s Hospital got ("Iron studies")').description(words)
    assert not Said("the other phone").description("the landline number")


def test_forms_are_finite() -> None:
    assert len(set(forms(125_000))) > 10
