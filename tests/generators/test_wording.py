"""The deterministic writer: registers, connectives, order, and what a domain may add."""

import dataclasses
import random
from collections.abc import Mapping
from typing import Any

import pytest

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import DomainError
from lexgym.generators import phrases
from lexgym.generators.phrases import Register, registers
from lexgym.generators.wording import Spoken, requests, speak_all, write
from lexgym.registration import scenario

ANCHOR = "Anna Novak (born 1984-02-11)"
CARD = {"card_id": "the debit card ending in 1234"}
PHONE = {"phone_id": "the mobile number", "phone": "+43 660 1"}


def steps(*, free: bool = True) -> list[Spoken]:
    return [
        Spoken(ToolCall("unblock_card", {"card_id": "CRD-000001"}), CARD, free),
        Spoken(ToolCall("change_phone_number", {"phone_id": "PHN-1", "phone": "+43 660 1"}), PHONE, free),
        Spoken(ToolCall("change_card_limit", {"card_id": "CRD-000001"}), {**CARD, "limit": "EUR 500.00"}, free),
    ]


def written(count: int, *, free: bool = True) -> list[dict[str, str]]:
    domain = load_domain("finance")
    return [write(domain, steps(free=free), ANCHOR, random.Random(seed)) for seed in range(count)]


def test_the_same_seed_gives_the_same_words() -> None:
    assert written(20) == written(20)


def test_hundreds_of_wordings_of_one_request_differ() -> None:
    found = written(300)
    for style in ("goal", "workflow"):
        assert len({each[style] for each in found}) > 297
        assert len({each[style].split(ANCHOR)[0] for each in found}) > 20


def places(text: str) -> list[int]:
    return [text.index("+43 660 1"), text.index("EUR 500.00")]


def test_steps_keep_their_order_and_free_wishes_do_not() -> None:
    found = written(60)
    assert all(places(each["workflow"]) == sorted(places(each["workflow"])) for each in found)
    turned = [places(each["goal"]) != sorted(places(each["goal"])) for each in found]
    assert 10 < sum(turned) < 50
    assert all(places(each["goal"]) == sorted(places(each["goal"])) for each in written(60, free=False))


def test_a_request_about_what_another_one_makes_is_not_free() -> None:
    domain = load_domain("finance")
    db = domain.database(1)
    order = db.one("SELECT * FROM standing_orders WHERE status = 'active' ORDER BY id LIMIT 1")
    assert order is not None
    call = {"customer_id": order["customer_id"], "standing_order_id": order["id"]}
    change = ToolCall("change_standing_order", {**call, "amount": order["amount"] + 1_00})
    cancel = ToolCall("cancel_standing_order", call)
    assert [step.free for step in speak_all(domain, db, [change, cancel])] == [True, False]


def test_what_is_asked_for_is_spoken_of_as_when_it_was_written() -> None:
    for name in domain_names():
        found = scenario(name, 0)
        for step in requests(found):
            for value in step.values.values():
                assert all(value.casefold() in text.casefold() for text in found.instructions.values())


def with_registers(own: Mapping[str, Any]) -> Domain:
    domain = load_domain("finance")
    return dataclasses.replace(domain, name="finance", phrases={**domain.phrases, "registers": own})


def built(own: Mapping[str, Any]) -> dict[str, Register]:
    return phrases.build_registers(with_registers(own))


def test_a_domain_adds_to_registers_and_brings_its_own() -> None:
    known = built({"plain": {"goal": {"open": ["From the branch: {anchor}."]}}})
    assert {"From the branch: {anchor}.", "This one is about {anchor}."} <= set(known["plain"].part("goal", "open"))
    own = built(
        {"fax": {"layout": "list", "goal": {"open": ["Fax, {anchor}:"]}, "workflow": {"open": ["Do, {anchor}:"]}}}
    )
    assert own["fax"].listed
    assert own["fax"].part("goal", "open") == ("Fax, {anchor}:",)
    assert own["fax"].part("goal", "close") == ("",)


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"plain": {"gaol": {}}}, "register 'plain' has no 'gaol'; did you mean 'goal'"),
        ({"plain": {"goal": {"opne": []}}}, "register 'plain' has no 'opne'; did you mean 'open'"),
        ({"fax": {"layout": "list"}}, "register 'fax' needs an `open` for the goal wording"),
    ],
)
def test_a_wrong_register_is_named(own: Mapping[str, Any], message: str) -> None:
    with pytest.raises(DomainError) as caught:
        built(own)
    assert message in str(caught.value)


def test_every_opener_says_whom_it_is_about() -> None:
    for name in domain_names():
        for register in registers(load_domain(name)).values():
            for style in phrases.STYLES:
                assert all("{anchor}" in text for text in register.part(style, "open"))
