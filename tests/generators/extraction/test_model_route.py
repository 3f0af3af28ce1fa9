"""The route with a model, played by a script: what it does right, and every way to answer wrong."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from lexgym.errors import AgentError, ContextExceeded
from lexgym.generators.extraction.model_route import (
    BATCH,
    FEWEST_TOOLS,
    MAX_CONSTRAINTS,
    NO_ANSWER,
    REPAIRS,
    TOO_LONG,
    ModelRoute,
)
from lexgym.generators.extraction.prompting import EXAMPLES, formulas_schema
from lexgym.generators.extraction.screening import screened

from .museum import CLIMATE, INSURANCE, POLICY, cards

GOOD = "forall m. (!lend_exhibit[museum_id = m]) W check_climate[museum_id = m, result.steady]"


def constraint(text: str = "The climate is checked before a loan.", sentence: int = 1, kind: str = "before") -> Any:
    return {"sentence": sentence, "kind": kind, "constraint": text}


def formula(text: str, number: int = 1, template: str = "operational_restriction", out_of_scope: str = "") -> Any:
    return {"constraint": number, "template": template, "formula": text, "out_of_scope": out_of_scope}


class Model:
    """Answers each question by the function for it, and keeps what it was asked."""

    def __init__(self, distil: Callable[[int], Any], draft: Callable[[int], Any], takes: int = 1_000_000) -> None:
        self._answers = {"constraints": distil, "formulas": draft}
        self._takes = takes
        self.asked: list[tuple[str, list[dict[str, str]]]] = []

    def __call__(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> str:
        (key,) = schema["properties"]
        if sum(len(message["content"]) for message in messages) > self._takes:
            raise ContextExceeded("too long")
        turn = sum(known == key for known, _ in self.asked)
        self.asked.append((key, messages))
        answer = self._answers[key](turn)
        return answer if isinstance(answer, str) else json.dumps({key: answer})

    def count(self, key: str) -> int:
        return sum(known == key for known, _ in self.asked)


def read(model: Model, text: str = CLIMATE) -> list[Any]:
    return ModelRoute(model, "toy").read(text, cards())


def test_constraints_become_formulas_with_their_place() -> None:
    model = Model(lambda turn: [constraint()], lambda turn: [formula(GOOD)])
    (found,) = read(model, f"# Policy\n\n{CLIMATE}\n")
    assert (found.formula, found.text, found.line, found.section) == (GOOD, constraint()["constraint"], 3, "Policy")
    assert (found.by, found.template, found.kept) == ("toy", "operational_restriction", True)
    assert "[1] Before an exhibit is lent" in model.asked[0][1][-1]["content"]
    assert "- check_climate(museum_id): Say whether" in model.asked[1][1][-1]["content"]


def test_a_formula_that_cannot_be_used_goes_back_with_the_suggestion() -> None:
    wrong = GOOD.replace("check_climate", "check_climat")
    model = Model(lambda turn: [constraint()], lambda turn: [formula(GOOD if turn else wrong)])
    (found,) = read(model)
    assert (found.formula, found.kept) == (GOOD, True)
    handed_back = model.asked[2][1][-1]["content"]
    assert "did you mean 'check_climate'?" in handed_back
    assert wrong in json.loads(model.asked[2][1][-2]["content"])["formulas"][0]["formula"]


def test_invented_tools_go_back_a_bounded_number_of_times() -> None:
    model = Model(lambda turn: [constraint()], lambda turn: [formula("(!teleport) W bless")])
    (found,) = read(model)
    assert not found.kept
    assert "no tool 'bless'" in found.why or "no tool 'teleport'" in found.why
    assert model.count("formulas") == REPAIRS + 1


def test_what_is_out_of_scope_is_dropped_and_said() -> None:
    model = Model(lambda turn: [constraint()], lambda turn: [formula("", out_of_scope="nothing consults the mayor")])
    (found,) = read(model)
    assert (found.kept, found.why) == (False, "no tool does it: nothing consults the mayor")


@pytest.mark.parametrize("answer", ["", "{}", '{"constraints": "none"}', "[]", "{broken", '"prose"', "[" * 5_000])
def test_an_answer_that_is_none_is_asked_for_once_more(answer: str) -> None:
    model = Model(lambda turn: answer, lambda turn: [])
    (found,) = read(model)
    assert (found.kept, found.why, model.count("constraints")) == (False, NO_ANSWER, 2)
    assert "JSON" in model.asked[1][1][-1]["content"]


def test_a_second_answer_may_do() -> None:
    model = Model(lambda turn: [constraint()] if turn else "", lambda turn: [formula(GOOD)] if turn else "")
    (found,) = read(model)
    assert found.kept


def test_no_constraints_at_all_is_an_answer() -> None:
    assert read(Model(lambda turn: [], lambda turn: [])) == []


def test_a_constraint_without_a_formula_is_not_lost() -> None:
    model = Model(lambda turn: [constraint("One."), constraint("Two.")], lambda turn: [formula(GOOD)])
    one, two = read(model)
    assert one.kept
    assert (two.kept, two.why) == (False, NO_ANSWER)


def test_the_same_rule_fifty_times_is_one_rule() -> None:
    many = [constraint(f"Rule number {n}.") for n in range(50)]
    model = Model(lambda turn: many, lambda turn: [formula(GOOD, n) for n in range(1, BATCH + 1)])
    found = read(model)
    assert len(found) == MAX_CONSTRAINTS
    kept = [candidate for candidate in screened(found, cards()) if candidate.kept]
    assert [candidate.formula for candidate in kept] == [GOOD]


def test_the_same_constraint_is_formalised_once() -> None:
    model = Model(lambda turn: [constraint("The same!"), constraint("the  same")], lambda turn: [formula(GOOD)])
    assert len(read(model)) == 1


def test_odd_entries_are_passed_over() -> None:
    odd = [3, None, {"constraint": ""}, {"constraint": 4}, {"constraint": "Fine.", "sentence": "x", "kind": 7}]
    junk = [3, {"constraint": 99, "formula": GOOD}, {"constraint": 1, "formula": GOOD, "template": "none"}]
    (found,) = read(Model(lambda turn: odd, lambda turn: junk))
    assert (found.text, found.template, found.kept) == ("Fine.", "other", True)


def test_sections_are_asked_about_one_by_one() -> None:
    model = Model(lambda turn: [], lambda turn: [])
    seen: list[tuple[int, int]] = []
    ModelRoute(model).read(POLICY, cards(), lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert model.count("constraints") == 2


def test_a_failing_server_stops_the_reading() -> None:
    def fail(turn: int) -> Any:
        raise AgentError("gone")

    with pytest.raises(AgentError, match="gone"):
        read(Model(fail, fail))


def size(*messages: dict[str, str]) -> int:
    return sum(len(message["content"]) for message in messages)


def test_what_is_too_long_is_asked_in_halves() -> None:
    whole = Model(lambda turn: [], lambda turn: [])
    read(whole, POLICY)
    most = max(size(*messages) for _, messages in whole.asked)
    parts = Model(lambda turn: [], lambda turn: [], takes=most - 1)
    assert read(parts, POLICY) == []
    assert parts.count("constraints") == whole.count("constraints") + 1
    assert [size(*messages) < most for _, messages in parts.asked] == [True] * 3


def test_fewer_constraints_and_then_fewer_tools_are_shown_where_there_is_no_room() -> None:
    def draft(turn: int) -> Any:
        return [formula(GOOD)]

    many = [constraint(f"The climate is checked before loan number {n}.") for n in range(4)]
    roomy = Model(lambda turn: many, draft)
    read(roomy)
    one = Model(lambda turn: many[:1], draft)
    read(one)
    narrow = Model(lambda turn: many, draft, takes=size(*one.asked[1][1]) - 1)
    found = read(narrow)
    assert [(each.formula, each.text) for each in found] == [(GOOD, each["constraint"]) for each in many]
    assert len({each.id for each in found}) == 4
    shown = [messages[-1]["content"].split("Constraints:")[0] for key, messages in narrow.asked if key == "formulas"]
    assert all("- check_climate(" in tools and "- lend_exhibit(" in tools for tools in shown)
    assert all(tools.count("\n- ") <= max(FEWEST_TOOLS, len(cards()) // 2) for tools in shown)


def test_what_no_question_is_short_enough_for_is_dropped_and_said() -> None:
    (found,) = read(Model(lambda turn: [constraint()], lambda turn: [], takes=10))
    assert (found.kept, found.why) == (False, TOO_LONG)
    first = Model(lambda turn: [constraint()], lambda turn: [])
    read(first)
    (found,) = read(Model(lambda turn: [constraint()], lambda turn: [], takes=size(*first.asked[0][1])))
    assert (found.kept, found.why) == (False, TOO_LONG)


def test_no_room_for_a_repair_keeps_what_there_is() -> None:
    answers = [constraint("One."), constraint("Two.")]
    drafts = [formula(GOOD), formula("(!teleport) W bless", 2)]
    first = Model(lambda turn: answers, lambda turn: drafts)
    read(first)
    one, two = read(Model(lambda turn: answers, lambda turn: drafts, takes=size(*first.asked[1][1])))
    assert one.kept
    assert "no tool" in two.why


@pytest.mark.parametrize("text", ["…", " - ", *sorted(map(str, EXAMPLES))])
def test_placeholders_and_the_example_are_no_constraints(text: str) -> None:
    (found,) = read(Model(lambda turn: [constraint(text)], lambda turn: []))
    assert (found.kept, found.why) == (False, NO_ANSWER)


def test_a_wrong_number_gives_way_to_the_sentence_with_the_same_words() -> None:
    model = Model(lambda turn: [constraint("The insurance has to be established.", 99)], lambda turn: [formula(GOOD)])
    (found,) = read(model, f"{CLIMATE}\n{INSURANCE}\n")
    assert found.line == 2


def test_the_server_can_hold_the_model_to_the_tools() -> None:
    item = formulas_schema(cards())["properties"]["formulas"]["items"]
    assert item["properties"]["tools"]["items"]["enum"] == list(cards())
    assert list(item["properties"])[:3] == ["constraint", "tools", "template"]


def test_a_tool_is_not_its_own_check() -> None:
    own = 'forall m. (!lend_exhibit[museum_id = m]) W lend_exhibit[museum_id = m, result.loan_id != "x"]'
    model = Model(lambda turn: [constraint()], lambda turn: [formula(own)])
    (found,) = read(model)
    assert not found.kept
    assert "'lend_exhibit' stands on both sides" in found.why
