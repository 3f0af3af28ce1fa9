"""Tools files, review files and rules files: what is written is read again, what is wrong is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from lexgym.envs.domain import read_rules
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import ExtractionError
from lexgym.generators.extraction.candidates import Candidate, Status
from lexgym.generators.extraction.grammar_route import read_offline
from lexgym.generators.extraction.review_file import Review, read_review, write_review, write_rules
from lexgym.generators.extraction.toolset import cards_of, read_tools, signature_of

from .museum import POLICY, TOOLS, cards


def test_the_rules_file_is_what_read_rules_takes(tmp_path: Path) -> None:
    found = read_offline(POLICY, cards())
    path = tmp_path / "deep" / "rules.yaml"
    assert write_rules(path, found, 'Loans policy: "the" one') == 6
    rules = read_rules(path.read_text(encoding="utf-8"), str(path))
    assert [(r.id, r.formula, r.text) for r in rules] == [(c.id, c.formula, c.text) for c in found if c.kept]
    assert {rule.regulation for rule in rules} == {'Loans policy: "the" one'}
    assert list(tmp_path.rglob(".*")) == []


def test_a_review_file_round_trips(tmp_path: Path) -> None:
    review = Review("Policy", "museum.json", tuple(read_offline(POLICY, cards())), {"model": "m", "requests": 3})
    path = tmp_path / "rules.review.jsonl"
    write_review(path, review)
    assert read_review(path) == review


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "is no review file"),
        (["{}"], "is no review file"),
        (["{"], "line 1 is no JSON"),
        (['{"format": "lexgym-review-1"}', "[]"], "line 2: expected a candidate"),
        (
            ['{"format": "lexgym-review-1"}', '{"id": "a", "formul": ""}'],
            "unknown field 'formul'; did you mean 'formula'",
        ),
        (['{"format": "lexgym-review-1"}', '{"id": "a", "line": "1"}'], "line is int, not '1'"),
        (['{"format": "lexgym-review-1"}', '{"id": "a", "status": "keept"}'], "did you mean 'kept'"),
        (['{"format": "lexgym-review-1"}', '{"formula": "F a"}'], "a candidate has an id"),
        (['{"format": "lexgym-review-1"}', '{"id": "a"}', '{"id": "a"}'], "id 'a' is used twice"),
    ],
)
def test_a_review_file_that_is_none_is_refused(tmp_path: Path, lines: list[str], words: str) -> None:
    path = tmp_path / "rules.review.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ExtractionError) as error:
        read_review(path)
    assert words in str(error.value)


def test_a_candidate_leaves_out_what_says_nothing() -> None:
    candidate = Candidate("a", "F x", "Text.", 3, "1", status=Status.DROPPED, why="because")
    assert candidate.to_json() == {
        "id": "a", "formula": "F x", "text": "Text.", "line": 3, "section": "1", "template": "other",
        "status": "dropped", "why": "because", "by": "grammar",
    }  # fmt: skip


@pytest.mark.parametrize("envelope", [lambda t: t, lambda t: [{"type": "function", "function": x} for x in t]])
def test_tools_are_read_with_and_without_the_envelope(envelope: Any) -> None:
    found = read_tools(json.dumps(envelope(TOOLS)), "x")
    assert (list(found), found["check_climate"].flag) == ([tool["name"] for tool in TOOLS], "steady")
    assert read_tools(json.dumps({"tools": envelope(TOOLS)}), "x").keys() == found.keys()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "tools.json is no JSON"),
        ("{}", "tools.json lists no tools"),
        ("[]", "tools.json lists no tools"),
        ("[3]", "entry 1 is no tool schema with a name"),
        ('[{"name": "two words"}]', "a tool's name is a word such as 'pay_invoice', not 'two words'"),
        ('[{"name": "a"}, {"name": "a"}]', "two tools are called 'a'"),
        (
            '[{"name": "a", "parameters": []}, {"name": "b", "parameters": [1]}]',
            "`parameters` of 'b' is no JSON schema",
        ),
        ('[{"name": "a", "parameters": {"properties": {"x": 3}}}]', "'x' of 'a' has no JSON schema but 3"),
        ('[{"name": "a", "parameters": {"properties": {"x": {"$ref": "#/$defs/y"}}}}]', "a $ref of 'a' points nowhere"),
    ],
)
def test_a_tools_file_that_is_wrong_is_refused(text: str, words: str) -> None:
    with pytest.raises(ExtractionError) as error:
        read_tools(text, "tools.json")
    assert words in str(error.value)


@pytest.mark.parametrize("name", domain_names())
def test_every_domain_has_cards_that_make_a_signature(name: str) -> None:
    domain = load_domain(name)
    found = cards_of(domain)
    assert list(found) == list(domain.tools)
    assert signature_of(found).keys() == found.keys()
