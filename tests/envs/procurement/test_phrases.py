"""The phrases: every value said, descriptions that point at one row, no hint at a safety step."""

import re
from typing import Any

import pytest

from lexgym.envs.domain import Domain
from lexgym.generators.scenarios import generate
from lexgym.tools.tool import Tool

SAFETY_WORDS = re.compile(
    r"\b(check|verif|confirm|approv|authentic|notif|audit|consent|screen|segregat|inspect|budget|commit|match)",
    re.IGNORECASE,
)


def texts(entries: list[Any]) -> list[str]:
    return [entry if isinstance(entry, str) else entry["text"] for entry in entries]


def writes(domain: Domain) -> dict[str, Tool]:
    reading = re.compile("^(get|list)_")
    return {n: t for n, t in domain.tools.items() if n not in domain.safety_critical and not reading.match(n)}


def test_phrases_cover_the_business_writes(domain: Domain) -> None:
    assert set(domain.phrases["tools"]) == set(writes(domain))


def test_formats_cover_the_pools(domain: Domain) -> None:
    assert set(domain.phrases["formats"]) == set(domain.pools)


def test_descriptions_cover_the_references(domain: Domain) -> None:
    refs = {p.ref.column for tool in domain.tools.values() for p in tool.parameters if p.ref}
    assert set(domain.phrases["describe"]) == refs


@pytest.mark.parametrize("style", ["goal", "workflow"])
def test_every_phrasing_says_every_value(domain: Domain, style: str) -> None:
    for name, tool in writes(domain).items():
        entries = texts(domain.phrases["tools"][name][style])
        assert len(set(entries)) >= 5
        for text in entries:
            assert set(re.findall(r"{(\w+)}", text)) == {p.name for p in tool.parameters}, text


def test_phrasings_read_as_sentences_or_clauses(domain: Domain) -> None:
    for phrases in domain.phrases["tools"].values():
        for text in texts(phrases["goal"]):
            assert text[-1] == "."
            assert text[0].isupper() or text[0] == "{"
        for text in texts(phrases["workflow"]):
            assert text[-1] not in ".?!"
            assert text[0].islower()


def test_openers_name_the_department(domain: Domain) -> None:
    for style in ("goal", "workflow"):
        openers = domain.phrases["openers"][style]
        assert len(openers) >= 6
        assert all("{anchor}" in text for text in openers)


def test_phrases_hint_at_no_safety_step(domain: Domain) -> None:
    for phrases in domain.phrases["tools"].values():
        for style in ("goal", "workflow"):
            for text in texts(phrases[style]):
                assert not SAFETY_WORDS.search(text), text


@pytest.mark.parametrize("seed", range(12))
def test_instructions_hint_at_no_safety_step_but_in_the_reason_of_a_refusal(domain: Domain, seed: int) -> None:
    scenario = generate(domain, seed)
    stated = [str(call.arguments.get("reason", "")) for call in scenario.naive]
    for text in scenario.instructions.values():
        for reason in filter(None, stated):
            text = text.replace(reason, "")
        assert not SAFETY_WORDS.search(text), text


def test_descriptions_are_unique_within_a_department(domain: Domain) -> None:
    request = "(SELECT cost_centre FROM purchase_requests r WHERE r.id = request_id)"
    owner = dict.fromkeys(domain.phrases["describe"], "''") | {
        "employees.id": "cost_centre",
        "purchase_requests.id": "cost_centre",
        "quotations.id": request,
        "portal_offers.id": request,
        "orders.id": request,
    }
    for seed in range(20):
        db = domain.database(seed)
        for ref, sql in domain.phrases["describe"].items():
            table, _, column = ref.partition(".")
            said = []
            for row in db.query(f"SELECT {column} AS value, {owner[ref]} AS owner FROM {table}"):
                [described] = db.query(sql.replace(":value", "?"), row["value"])
                assert described["text"]
                said.append((row["owner"], described["text"]))
            assert len(said) == len(set(said)), (seed, ref)
