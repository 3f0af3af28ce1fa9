"""The manual and the phrases: no tool names, every value said, descriptions that point at one row."""

import re
from typing import Any

import pytest

from lexgym.envs.domain import Domain
from lexgym.tools.tool import Tool

SAFETY_WORDS = re.compile(
    r"\b(check|verif|confirm|approv|authentic|notif|audit|consent|two factors|monitor|screen|registered)", re.IGNORECASE
)


def texts(entries: list[Any]) -> list[str]:
    return [entry if isinstance(entry, str) else entry["text"] for entry in entries]


def writes(domain: Domain) -> dict[str, Tool]:
    reading = re.compile("^(find|get|list)_")
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
        entries = domain.phrases["tools"][name][style]
        values = {p.name for p in tool.parameters} - {"customer_id"}
        cases = [dict(entry["when"]) for entry in entries if isinstance(entry, dict)] or [{}]
        for case in cases:
            fitting = [e for e in entries if isinstance(e, str) or e["when"] == case]
            assert len(fitting) >= 5, (name, case)
            for text in texts(fitting):
                assert set(re.findall(r"{(\w+)}", text)) == values - set(case), text


def test_phrasings_read_as_sentences_or_clauses(domain: Domain) -> None:
    for phrases in domain.phrases["tools"].values():
        for text in texts(phrases["goal"]):
            assert text[-1] in ".?!"
            assert text[0].isupper() or text[0] == "{"
        for text in texts(phrases["workflow"]):
            assert text[-1] not in ".?!"
            assert text[0].islower()
        for style in ("goal", "workflow"):
            assert len(set(texts(phrases[style]))) == len(phrases[style])


def test_goals_say_what_is_to_be_and_complain_of_nothing(domain: Domain) -> None:
    complaint = re.compile(r"\b(should|ought to|could|would) have (been|left|received|gone|got|come|made|had)\b")
    for phrases in domain.phrases["tools"].values():
        assert not [text for text in texts(phrases["goal"]) if complaint.search(text)]


def test_openers_name_the_customer(domain: Domain) -> None:
    for style in ("goal", "workflow"):
        openers = domain.phrases["openers"][style]
        assert len(openers) >= 6
        assert all("{anchor}" in text for text in openers)


def test_phrases_hint_at_no_safety_step(domain: Domain) -> None:
    for phrases in domain.phrases["tools"].values():
        for style in ("goal", "workflow"):
            for text in texts(phrases[style]):
                assert not SAFETY_WORDS.search(re.sub(r"{\w+}", "", text)), text


@pytest.mark.parametrize("where", ["manual", "phrases"])
def test_no_tool_and_no_parameter_is_named(domain: Domain, where: str) -> None:
    phrases = domain.phrases
    said = domain.manual if where == "manual" else str([*phrases["tools"].values(), phrases["openers"]])
    said = re.sub(r"{\w+}", "", said)
    names = [*domain.tools, *(p.name for tool in domain.tools.values() for p in tool.parameters if "_" in p.name)]
    assert not [name for name in names if name in said]


def test_the_manual_names_the_article_of_every_rule(domain: Domain) -> None:
    for rule in domain.rules:
        assert rule.article in domain.manual.replace("\n", " "), rule.id
    assert 700 <= len(domain.manual.split()) <= 1850


def test_descriptions_are_unique_for_a_customer(domain: Domain) -> None:
    owner = {
        "customers.id": "''",
        "accounts.number": "customer_id",
        "payees.id": "customer_id",
        "standing_orders.id": "customer_id",
        "cards.id": "customer_id",
        "cards.last_four": "customer_id",
        "phones.id": "customer_id",
        "consents.id": "customer_id",
        "transactions.id": "(SELECT customer_id FROM accounts a WHERE a.number = account)",
        "providers.id": "''",
    }
    for seed in range(20):
        db = domain.database(seed)
        for ref, sql in domain.phrases["describe"].items():
            table, _, column = ref.partition(".")
            said = []
            for row in db.query(f"SELECT {column} AS value, {owner[ref]} AS owner FROM {table}"):
                [described] = db.query(sql.replace(":value", "?"), row["value"])
                assert described["text"]
                assert not re.search(r"[A-Z]{3}-\d{6}", described["text"])
                said.append((row["owner"], described["text"]))
            assert len(said) == len(set(said)), (seed, ref)
