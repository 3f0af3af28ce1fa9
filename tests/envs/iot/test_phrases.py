"""The manual and the phrases: no tool names, every value said, descriptions that point at one row."""

import re
from typing import Any

import pytest

from lexgym.envs.domain import Domain
from lexgym.tools.tool import Tool

SAFETY_WORDS = re.compile(
    r"\b(check|verif|confirm|approv|authentic|notif|audit|consent|log in|examin|encrypt|identif|timer|tell)", re.I
)


def texts(entries: list[Any]) -> list[str]:
    return [entry if isinstance(entry, str) else entry["text"] for entry in entries]


def writes(domain: Domain) -> dict[str, Tool]:
    return {
        name: tool
        for name, tool in domain.tools.items()
        if name not in domain.safety_critical and not name.startswith(("find_", "list_"))
    }


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
        assert len(set(entries)) == len(entries) >= 4
        for text in entries:
            assert set(re.findall(r"{(\w+)}", text)) == {p.name for p in tool.parameters} - {"household_id"}, text


def test_phrasings_read_as_sentences_or_clauses(domain: Domain) -> None:
    for phrases in domain.phrases["tools"].values():
        for text in texts(phrases["goal"]):
            assert text[-1] == "."
            assert text[0].isupper()
        for text in texts(phrases["workflow"]):
            assert text[-1] not in ".?!"
            assert text[0].islower()


def test_openers_name_the_household(domain: Domain) -> None:
    for style in ("goal", "workflow"):
        openers = domain.phrases["openers"][style]
        assert len(openers) >= 6
        assert all("{anchor}" in text for text in openers)


def test_phrases_say_what_is_agreed_and_ask_for_the_present(domain: Domain) -> None:
    said = [text for phrases in domain.phrases["tools"].values() for style in phrases.values() for text in texts(style)]
    odd = re.compile(
        r"should have (been|gone)|to have been|something to be done|\b(yes|no|agrees) to {partner_id}(?! \w+ing)"
    )
    assert [text for text in said if odd.search(text)] == []


def test_phrases_hint_at_no_safety_step(domain: Domain) -> None:
    for phrases in domain.phrases["tools"].values():
        for style in ("goal", "workflow"):
            for text in texts(phrases[style]):
                assert not SAFETY_WORDS.search(text), text


@pytest.mark.parametrize("where", ["manual", "phrases"])
def test_no_tool_and_no_parameter_is_named(domain: Domain, where: str) -> None:
    phrases = domain.phrases
    said = domain.manual if where == "manual" else str([*phrases["tools"].values(), phrases["openers"]])
    said = re.sub(r"{\w+}", "", said)
    names = [*domain.tools, *(p.name for tool in domain.tools.values() for p in tool.parameters if "_" in p.name)]
    assert not [name for name in names if name in said]


def test_the_manual_names_the_article_of_every_rule(domain: Domain) -> None:
    manual = " ".join(domain.manual.split())
    for rule in domain.rules:
        assert re.search(rf"{re.escape(rule.article)}(?![\d-])", manual), rule.id
    assert 1000 <= len(domain.manual.split()) <= 2000


@pytest.mark.parametrize("said", ["three failed attempts", "up to and including 72 hours", "time server"])
def test_the_manual_gives_the_numbers_and_exceptions(domain: Domain, said: str) -> None:
    assert said in " ".join(domain.manual.split())


OWNER = {
    "households.id": "''",
    "partners.id": "''",
    "devices.id": "household_id",
    "guests.id": "household_id",
    "guest_profiles.id": "household_id",
    "telemetry_batches.id": "household_id",
    "personal_data.id": "household_id",
}


def test_descriptions_are_unique_in_a_household(domain: Domain) -> None:
    for seed in range(15):
        db = domain.database(seed)
        for ref, sql in domain.phrases["describe"].items():
            table, _, column = ref.partition(".")
            owner = OWNER.get(ref, "(SELECT household_id FROM devices d WHERE d.id = device_id)")
            said = []
            for row in db.query(f"SELECT {column} AS value, {owner} AS owner FROM {table}"):
                [described] = db.query(sql.replace(":value", "?"), row["value"])
                assert not re.search(r"[A-Z]{3}-\d{6}", described["text"])
                said.append((row["owner"], described["text"]))
            assert len(said) == len(set(said)), (seed, ref)
