"""The manual and the phrases: no tool names, every value said, descriptions that point at one row."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import lexgym.envs.health
from lexgym.envs.domain import Domain
from lexgym.tools.tool import Tool

SAFETY_WORDS = re.compile(
    r"\b(check|verif|confirm|approv|authentic|notif|audit|authoriz|seal|encrypt|privacy|review|assess)", re.IGNORECASE
)
WHERE = Path(next(iter(lexgym.envs.health.__path__)))


def writes(domain: Domain) -> dict[str, Tool]:
    reading = re.compile("^(find|get|list|read)_")
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
        values = {p.name for p in tool.parameters} - {"patient_id"}
        texts = domain.phrases["tools"][name][style]
        assert len(set(texts)) >= 5, name
        for text in texts:
            assert set(re.findall(r"{(\w+)}", text)) == values, text
            assert not SAFETY_WORDS.search(re.sub(r"{\w+}", "", text)), text


def test_phrasings_read_as_sentences_or_clauses(domain: Domain) -> None:
    for phrases in domain.phrases["tools"].values():
        for text in phrases["goal"]:
            assert text[-1] in ".?!"
            assert text[0].isupper() or text[0] == "{"
        for text in phrases["workflow"]:
            assert text[-1] not in ".?!"
            assert text[0].islower()


def test_openers_name_the_patient(domain: Domain) -> None:
    for style in ("goal", "workflow"):
        openers = domain.phrases["openers"][style]
        assert len(openers) >= 6
        assert all("{anchor}" in text for text in openers)


@pytest.mark.parametrize("where", ["manual", "phrases"])
def test_no_tool_and_no_parameter_is_named(domain: Domain, where: str) -> None:
    phrases = domain.phrases
    said = domain.manual if where == "manual" else str([*phrases["tools"].values(), phrases["openers"]])
    said = re.sub(r"{\w+}", "", said)
    names = [*domain.tools, *(p.name for tool in domain.tools.values() for p in tool.parameters if "_" in p.name)]
    assert not [name for name in names if name in said]


def test_the_manual_names_the_article_of_every_rule(domain: Domain) -> None:
    manual = re.sub(r"\s+", " ", domain.manual)
    assert not [rule.id for rule in domain.rules if rule.article not in manual]
    assert 1000 <= len(domain.manual.split()) <= 2000


def test_every_refusal_names_tools_arguments_and_reasons_that_exist(domain: Domain) -> None:
    declared: dict[str, Any] = tomllib.loads((WHERE / "domain.toml").read_text())["refusals"]
    for name, entry in declared.items():
        known = {p.name for p in domain.tools[name].parameters}
        asked = {p.name: p for p in domain.tools[entry["tool"]].parameters}
        assert set(asked) - known == {"reason"}
        assert set(entry["reasons"]) <= domain.safety_critical
        assert set(entry["reasons"].values()) <= set(asked["reason"].schema["enum"])


def test_descriptions_are_unique_for_a_patient(domain: Domain) -> None:
    for seed in range(20):
        db = domain.database(seed)
        for ref, sql in domain.phrases["describe"].items():
            table, _, column = ref.partition(".")
            owner = "patient_id" if "patient_id" in domain.schema.tables[table].columns else "''"
            said = []
            for row in db.query(f"SELECT {column} AS value, {owner} AS owner FROM {table}"):
                [described] = db.query(sql.replace(":value", "?"), row["value"])
                assert described["text"]
                assert not re.search(r"[A-Z]{3}-\d{6}", described["text"])
                said.append((row["owner"], described["text"]))
            assert len(said) == len(set(said)), (seed, ref)
