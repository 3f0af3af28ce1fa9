"""What must not be read out of a text: the careful sides of the grammar, on the prose of an aquarium."""

import json

import pytest

from lexgym.errors import ExtractionError
from lexgym.generators.extraction.bounds import amounts
from lexgym.generators.extraction.candidates import Candidate
from lexgym.generators.extraction.document import read_regulation
from lexgym.generators.extraction.extracting import extracted, summary
from lexgym.generators.extraction.grammar_route import read_offline
from lexgym.generators.extraction.outcomes import meaning
from lexgym.generators.extraction.toolset import Card, read_tools, signature_of
from lexgym.oracles.ltlf import compile_rule

from .museum import FLAG, tool

KEEPER = {"type": "string", "enum": ["diver", "keeper"]}
AQUARIUM = [
    tool(
        "feed_tank",
        "Feed the fish of a tank.",
        {},
        tank_id="string",
        food_g={"type": "integer", "description": "Food in grams"},
    ),
    tool(
        "open_sluice",
        "Open the sluice of a tank.",
        {},
        tank_id="string",
        flow={"type": "integer", "description": "Flow in litres"},
    ),
    tool("move_fish", "Move a fish to another tank.", {}, tank_id="string", weight_kg="number", helper=KEEPER),
    tool("scan_tank", "Scan a tank.", {"parasites": FLAG}, tank_id="string"),
    tool("test_water", "Test the water of a tank.", {"approved": FLAG}, tank_id="string"),
    tool("drain_tank", "Drain a tank.", {"leak": FLAG}, tank_id="string"),
    tool("call_diver", "Call a diver to a tank.", {}, tank_id="string"),
    tool("show_tank", "Show a tank to the visitors.", {}, tank_id="string"),
    tool("cover_tank", "Cover a tank.", {}, tank_id="string"),
]


def cards() -> dict[str, Card]:
    return read_tools(json.dumps(AQUARIUM), "aquarium.json")


def read(text: str) -> list[Candidate]:
    found = read_offline(text, cards())
    for candidate in found:
        if candidate.kept:
            compile_rule(candidate.formula, signature_of(cards()))
    return found


def only(text: str) -> Candidate:
    (candidate,) = read(text)
    return candidate


@pytest.mark.parametrize(
    ("flag", "name", "description", "means"),
    [
        ("approved", "test_water", "", True),
        ("up_to_date", "test_water", "True if all is in order", True),
        ("no_leak", "test_water", "", True),
        ("drained", "drain_tank", "", True),
        ("legible", "read_label", "", True),
        ("parasites", "scan_tank", "", None),
        ("infected", "scan_tank", "", False),
        ("not_valid", "scan_tank", "", None),
        ("invalid", "scan_tank", "", False),
        ("odd", "scan_tank", "True if it may not be used", None),
    ],
)
def test_what_an_answer_means(flag: str, name: str, description: str, means: bool | None) -> None:
    schema = {"type": "boolean", "description": description}
    assert meaning(Card(name, "", {}, {"properties": {flag: schema}}, frozenset())) is means


@pytest.mark.parametrize(
    ("text", "check", "remark"),
    [
        ("A tank may be shown only after the water has been tested.", "test_water[tank_id = t, result.approved]", ""),
        (
            "A tank may be shown only after the tank has been scanned.",
            "scan_tank[tank_id = t]",
            "whether scan_tank has to answer `parasites` is not said; the rule asks for the call alone",
        ),
        (
            "Before a tank is shown, scan the tank for parasites.",
            "scan_tank[tank_id = t]",
            "whether scan_tank has to answer `parasites` is not said; the rule asks for the call alone",
        ),
        (
            "Before a tank is shown, verify by a scan that the tank has no parasites.",
            "scan_tank[tank_id = t, result.parasites = false]",
            "",
        ),
        ("Before a tank is shown, drain the tank.", "drain_tank[tank_id = t]", ""),
    ],
)
def test_only_a_good_answer_is_asked_for(text: str, check: str, remark: str) -> None:
    candidate = only(text)
    assert (candidate.formula.partition(" W ")[2], candidate.why) == (check, remark)


@pytest.mark.parametrize(
    "text",
    [
        "A diver must be called to the tank after the tank is drained.",
        "A diver must be called to the tank after the tank is drained, and after the dive the tank is shown.",
    ],
)
def test_what_is_owed_may_stand_before_its_trigger(text: str) -> None:
    assert only(text).formula == "forall t. G(drain_tank[tank_id = t] -> F call_diver[tank_id = t])"


def test_what_is_owed_is_asked_for_with_a_good_answer_only() -> None:
    candidate = only("After a tank is shown, drain the tank.")
    assert candidate.formula == "forall t. G(show_tank[tank_id = t] -> F drain_tank[tank_id = t])"


def test_any_name_of_an_answer_will_do() -> None:
    odd = tool("scan_tank", "Scan a tank.", {"a(b": FLAG}, tank_id="string")
    show = tool("show_tank", "Show a tank.", {}, tank_id="string")
    found = read_offline(
        "Before a tank is shown, scan the tank so that it is safe.", read_tools(json.dumps([odd, show]), "t.json")
    )
    assert [candidate.formula for candidate in found] == [
        "forall t. (!show_tank[tank_id = t]) W scan_tank[tank_id = t]"
    ]


def test_a_pronoun_means_the_noun_of_its_own_sentence() -> None:
    text = "Before a tank is drained, call the diver. No later than the showing of the tank, it must be covered."
    assert read(text)[1].formula == "forall t. (!show_tank[tank_id = t]) W cover_tank[tank_id = t]"


@pytest.mark.parametrize(
    "text",
    [
        "When a tank hums, call the diver.",
        "When a tank is drained, call the newspapers.",
        "Before a tank is drained, the tank has to be blessed.",
    ],
)
def test_one_common_word_is_no_match(text: str) -> None:
    candidate = only(text)
    assert (candidate.kept, candidate.why.partition(" what ")[0]) == (False, "no tool does")


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("More than 300 grams may be fed only after the water was tested.", "feed_tank[tank_id = t, food_g > 300]"),
        (
            "Feeding 2 kg of food or more to a tank requires a test of the water.",
            "feed_tank[tank_id = t, food_g >= 2000]",
        ),
        (
            "Fish heavier than 40 kilos are moved only after a test of the water.",
            "move_fish[tank_id = t, weight_kg > 40]",
        ),
        (
            "Where the weight is above 12 kg, a fish is moved only after the water has been tested.",
            "move_fish[tank_id = t, weight_kg > 12]",
        ),
    ],
)
def test_a_bound_is_grounded_by_its_unit(text: str, act: str) -> None:
    assert only(text).formula == f"forall t. (!{act}) W test_water[tank_id = t, result.approved]"


@pytest.mark.parametrize(
    "text",
    [
        "Fish longer than 40 centimetres are moved only after the water has been tested.",
        "After a fish of more than three years is moved, call the diver.",
        "Tanks of more than 900 litres may be shown only after the water has been tested.",
    ],
)
def test_without_its_bound_a_rule_is_not_kept(text: str) -> None:
    candidate = only(text)
    assert (candidate.kept, candidate.formula) == (False, "")
    assert candidate.why.startswith("no tool has the number that '")


def test_a_measure_is_no_number_of_times() -> None:
    for text in ("A tank may be fed at most 60 kg of food.", "A tank may be fed at most two times a day."):
        assert only(text).why.startswith("not read: ")
    assert only("A tank may be drained at most two times.").formula == "forall t. absence(3, drain_tank[tank_id = t])"


def test_a_bound_on_the_check_is_said() -> None:
    candidate = only("Before a tank is shown, the water must be tested below 20 degrees.")
    assert candidate.kept
    assert candidate.why == "'below 20 degrees' is not in the rule"


@pytest.mark.parametrize(
    ("phrase", "guards"),
    [
        ("of at most 0.5 kg", ["food_g <= 500"]),
        ("below five grams", ["food_g < 5"]),
        ("of a hundred grams or less", ["food_g <= 100"]),
        ("100 g or less", ["food_g <= 100"]),
        ("over one of the rails", []),
        ("more than three times", []),
        ("more than 0.0001 g", []),
        ("more than 3 hours", []),
    ],
)
def test_units_are_brought_to_one_another(phrase: str, guards: list[str]) -> None:
    assert amounts(cards()["feed_tank"], phrase) == guards


@pytest.mark.parametrize(
    ("sentence", "sign"),
    [
        ("If the scan finds parasites, the tank must not be shown.", "forbidden once something is so"),
        ("A sick fish may be moved only to the clinic.", "only to, by or for some"),
        ("Food must be given by a keeper.", "who has to do something"),
        ("Gloves should be worn.", "none of the forms"),
        ("The keys have to be in the box.", "none of the forms"),
        ("Doors must be locked within two hours.", "time is not counted"),
    ],
)
def test_a_duty_that_is_not_read_is_dropped_and_said(sentence: str, sign: str) -> None:
    candidate = only(sentence)
    assert candidate.why.startswith("not read: ")
    assert sign in candidate.why
    assert summary([candidate]) == {"not read": 1}


@pytest.mark.parametrize("sentence", ["The visitors may take pictures.", "The keepers are friendly.", "Fish are cold."])
def test_what_demands_nothing_is_not_in_the_review(sentence: str) -> None:
    assert read(sentence) == []


def test_an_exemption_that_is_about_nothing_is_said() -> None:
    assert "takes something out of a rule" in only("Section 9 shall not apply to sharks.").why


def test_no_earlier_than_is_only_after() -> None:
    candidate = only("A tank is shown no earlier than the water has been tested.")
    assert candidate.formula == "forall t. (!show_tank[tank_id = t]) W test_water[tank_id = t, result.approved]"


@pytest.mark.parametrize("data", [b"# Only a title\n", b"# A\n\n## B\n", b"```\nmust run\n```\n", b"---\n"])
def test_headings_or_code_alone_are_an_empty_text(data: bytes) -> None:
    with pytest.raises(ExtractionError, match="is empty; give a regulation in prose"):
        read_regulation(data, "t.md")
    with pytest.raises(ExtractionError, match="no deontic sentence"):
        extracted(data.decode(), cards(), read_offline)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"type": "string"}, "`parameters.type` is 'string', and has to be 'object'"),
        (
            {"properties": {"x": {"type": "strng"}}},
            "`parameters.x.type` is 'strng', no JSON type; did you mean 'string'?",
        ),
        ({"properties": {"x": {"type": ["string", "nul"]}}}, "`parameters.x.type` is 'nul', no JSON type"),
        ({"required": ["zz"]}, "`parameters.required` names 'zz', which is no property"),
        ({"required": "zz"}, "`parameters.required` is 'zz', and has to be a list of names"),
        ({"properties": {"x": {"enum": "red"}}}, "`parameters.x.enum` is 'red', and has to be a list of values"),
        ({"properties": {"x": {"enum": []}}}, "`parameters.x.enum` is [], and has to be a list of values"),
        ({"properties": {"x": {"items": {"type": "str"}}}}, "`parameters.x.items.type` is 'str', no JSON type"),
        ({"properties": {"x": {"items": 3}}}, "`parameters.x.items` is 3, and has to be a JSON schema"),
        ({"properties": {"x": {"anyOf": [{"type": "x"}]}}}, "`parameters.x.anyOf.1.type` is 'x', no JSON type"),
        ({"properties": {"x": {"anyOf": {}}}}, "`parameters.x.anyOf` is {}, and has to be a list of JSON schemas"),
        ({"properties": {"x": {"properties": 3}}}, "`parameters.x.properties` is 3, and has to map names to schemas"),
        ({"properties": {"x": {"properties": {"y": 3}}}}, "`parameters.x.y` is 3, and has to be a JSON schema"),
    ],
)
def test_a_wrong_schema_is_refused_by_tool_place_and_value(parameters: object, words: str) -> None:
    with pytest.raises(ExtractionError) as error:
        read_tools(json.dumps([{"name": "paint", "parameters": parameters}]), "tools.json")
    assert str(error.value).startswith("tools.json: entry 1, 'paint': ")
    assert words in str(error.value)


def test_a_wrong_result_is_refused_too() -> None:
    with pytest.raises(ExtractionError, match=r"'paint': `result\.ok\.type` is 'bool', no JSON type"):
        read_tools('[{"name": "paint", "result": {"properties": {"ok": {"type": "bool"}}}}]', "tools.json")
