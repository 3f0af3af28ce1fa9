"""The manual: long, numbered without gaps, its references lead somewhere, and the rules rest on it."""

import itertools
import re
from collections import Counter

import pytest

from lexgym.envs.domain import Domain

HEADING = re.compile(r"^### (\d+)\.(\d+) (.+)$", re.MULTILINE)
REFERENCE = re.compile(r"\b[Ss]ections? ((?:\d+\.\d+(?:\(\d\))*(?:, | and | or | to )?)+)")
NUMBER = re.compile(r"(\d+\.\d+)(?:\((\d+)\))?")


@pytest.fixture(scope="module")
def sections(domain: Domain) -> dict[str, str]:
    parts = re.split(r"^### ", re.sub(r"^## .*$", "", domain.manual, flags=re.MULTILINE), flags=re.MULTILINE)[1:]
    return {part.split(" ", 1)[0]: part for part in parts}


def paragraphs(section: str) -> list[int]:
    return [int(number) for number in re.findall(r"^\((\d+)\) ", section, re.MULTILINE)]


def test_it_is_long(domain: Domain, sections: dict[str, str]) -> None:
    assert len(re.findall(r"\b[A-Za-z][\w'-]*", domain.manual)) >= 12_000
    assert len(sections) >= 60


def test_chapters_and_sections_are_numbered_without_gaps(domain: Domain) -> None:
    chapters = [int(number) for number in re.findall(r"^## (\d+)\. ", domain.manual, re.MULTILINE)]
    assert chapters == list(range(1, len(chapters) + 1))
    numbers = [(int(chapter), int(section)) for chapter, section, _ in HEADING.findall(domain.manual)]
    assert [chapter for chapter, _ in itertools.groupby(numbers, key=lambda pair: pair[0])] == chapters
    for _, group in itertools.groupby(numbers, key=lambda pair: pair[0]):
        found = [section for _, section in group]
        assert found == list(range(1, len(found) + 1))


def test_paragraphs_are_numbered_without_gaps(sections: dict[str, str]) -> None:
    for number, text in sections.items():
        assert paragraphs(text) == list(range(1, len(paragraphs(text)) + 1)), number
        assert paragraphs(text), number


def test_no_paragraph_and_no_heading_comes_twice(domain: Domain) -> None:
    bodies = [" ".join(part.split()) for part in re.split(r"\n\s*\n", domain.manual)]
    texts = Counter(re.sub(r"^\(\d+\) ", "", body) for body in bodies if not body.startswith("|"))
    assert [text for text, count in texts.items() if count > 1] == []
    titles = Counter(title for *_, title in HEADING.findall(domain.manual))
    assert max(titles.values()) == 1


def test_references_exist(domain: Domain, sections: dict[str, str]) -> None:
    text = " ".join(domain.manual.split())
    found = [match for group in REFERENCE.findall(text) for match in NUMBER.findall(group)]
    assert len(found) > 90
    for number, paragraph in found:
        assert number in sections
        assert not paragraph or int(paragraph) in paragraphs(sections[number]), (number, paragraph)
    for chapter in re.findall(r"\b[Cc]hapters? (\d+)", text):
        assert f"{chapter}.1" in sections


def test_references_in_tables_and_brackets_exist(domain: Domain, sections: dict[str, str]) -> None:
    column = re.findall(r"\| ((?:(?:Chapters? )?\d{1,2}\.\d{1,2}(?: to |, )?)+) \|$", domain.manual, re.MULTILINE)
    bracket = re.findall(r"\(((?:\d{1,2}\.\d{1,2}(?:, )?)+)\)", domain.manual)
    assert len(column) > 60
    assert len(bracket) > 10
    for number in re.findall(r"\d+\.\d+", " ".join([*column, *bracket])):
        assert number in sections


def test_every_rule_rests_on_a_paragraph(domain: Domain, sections: dict[str, str]) -> None:
    for rule in domain.rules:
        assert rule.article is not None
        match = NUMBER.fullmatch(rule.article)
        assert match, rule.id
        assert int(match[2]) in paragraphs(sections[match[1]]), rule.id
    assert len({rule.article for rule in domain.rules}) == len(domain.rules)


def test_it_is_put_together_of_sections_of_some_length(sections: dict[str, str]) -> None:
    lengths = sorted(len(text.split()) for text in sections.values())
    assert lengths[0] >= 25
    assert lengths[len(lengths) // 2] >= 80


def test_cancelling_depends_on_no_delivery_option(sections: dict[str, str]) -> None:
    assert "cancelled" not in sections["10.3"] + sections["5.5"]
    assert "delivery option" not in sections["11.4"]


def test_no_tool_and_no_parameter_is_named(domain: Domain) -> None:
    said = domain.manual + str([*domain.phrases["openers"].values()])
    names = [*domain.tools, *(p.name for tool in domain.tools.values() for p in tool.parameters if "_" in p.name)]
    assert not [name for name in names if "_" in name and name in said]


def test_every_reason_of_a_refusal_is_listed(domain: Domain, sections: dict[str, str]) -> None:
    listed = sections["15.2"].lower()
    for tool in domain.tools.values():
        for parameter in tool.parameters:
            if parameter.name == "reason" and tool.name != "cancel_order":
                reasons = parameter.schema.get("enum") or [parameter.schema["const"]]
                assert [reason for reason in reasons if reason not in listed] == []


@pytest.mark.parametrize(
    ("section", "figure"),
    [
        ("4.2", "exceeds its reserve"),
        ("6.1", "more than 10,000.00, up to 50,000.00"),
        ("6.6", "at least 21 days, and drew at least three bids"),
        ("6.8", "thirty days"),
        ("9.3", "more than 250 euros"),
        ("11.2", "10 per cent"),
        ("13.3", "2 per cent and not more than 50 euros"),
        ("14.4", "25,000 euros"),
    ],
)
def test_the_figures_that_decide_are_stated_where_they_belong(
    sections: dict[str, str], section: str, figure: str
) -> None:
    assert figure in " ".join(sections[section].split())
