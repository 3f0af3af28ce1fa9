import json
import random
import re
from collections import Counter
from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from lexgym.agents.draw import NothingFits, draw, fits
from lexgym.agents.patterns import UnsupportedPattern, draw_pattern
from lexgym.agents.random_agent import RandomAgent
from lexgym.agents.sightings import Sightings
from lexgym.core import FINISH, Status, Task, ToolCall
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import EpisodeError
from lexgym.tools.database import Database
from lexgym.tools.toolbox import Toolbox

from .toy import TASK, TOOLBOX, play


def everything(
    db: Database,
    *,
    account: Annotated[str, Field(pattern=r"^[A-Z]{2}\d{2}(?:-[a-f0-9]{4}){2,3}$")],
    day: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")],
    moment: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")],
    memo: Annotated[str, Field(min_length=40, max_length=45)],
    amount: Annotated[int, Field(gt=0, le=1_000)],
    step: Annotated[int, Field(ge=-20, lt=20, multiple_of=5)],
    share: Annotated[float, Field(ge=0.25, lt=0.5)],
    urgent: bool,
    kind: Literal["sepa", "instant"],
    only: Literal["one"],
    tags: Annotated[list[Annotated[str, Field(pattern="^[a-z]+$")]], Field(min_length=1, max_length=3)],
    note: Annotated[str, Field(max_length=5)] | None = None,
    limit: int = 3,
) -> bool:
    """Take one of everything."""
    return True


EVERYTHING = Toolbox.of([everything])


def make_calls(task: Task, result: str = "") -> list[ToolCall]:
    agent = RandomAgent()
    agent.begin(task)
    calls = [agent.act({"instruction": task.instruction, "result": result, "step": step}) for step in range(16)]
    return calls[: [call.name for call in calls].index(FINISH)]


@given(st.integers(), st.text(max_size=60))
@settings(max_examples=40)
def test_every_call_is_valid_and_the_seed_decides(seed: int, instruction: str) -> None:
    task = Task(instruction, EVERYTHING.schemas, "", seed)
    calls = make_calls(task)
    for call in calls:
        EVERYTHING[call.name].validate(call.arguments)
    assert calls == make_calls(task)


def test_other_seeds_make_other_calls() -> None:
    assert len({str(make_calls(Task("", EVERYTHING.schemas, "", seed))) for seed in range(20)}) > 15


@pytest.mark.parametrize("domain", domain_names())
def test_its_calls_are_valid_in_every_domain(domain: str) -> None:
    toolbox = load_domain(domain).tools
    names = set()
    for seed in range(30):
        for call in make_calls(
            Task('Pay 12.50 EUR to "Anna Lang" (BEN-0001) on 2026-03-16.', toolbox.schemas, "", seed)
        ):
            toolbox[call.name].validate(call.arguments)
            names.add(call.name)
    assert names == set(toolbox)


def test_it_plays_with_the_values_it_is_told() -> None:
    task = Task(TASK.instruction, TOOLBOX.schemas, "")
    events = [event for seed in range(50) for event in play(RandomAgent(), replace(task, seed=seed))]
    told = Counter(event.arguments["account"] == "A-1" for event in events if event.name == "get_balance")
    assert told[True] / told.total() > 0.7
    assert Status.INVALID not in {event.status for event in events}


def test_it_is_uniform_over_tools_and_stops() -> None:
    lengths, names = Counter[int](), Counter[str]()
    for seed in range(300):
        calls = make_calls(Task("Account A-1.", TOOLBOX.schemas, "", seed))
        lengths[len(calls)] += 1
        names.update(call.name for call in calls)
    assert max(lengths) == 15
    assert 0.5 < lengths[15] / 300 < 0.75
    assert abs(names["get_balance"] / names.total() - 0.5) < 0.05


def test_it_prefers_what_results_name_alike() -> None:
    result = json.dumps({"status": "ok", "result": {"items": [{"account": "ZZ99-aaaa-bbbb"}]}})
    accounts = Counter(call.arguments["account"] for call in make_calls(Task("", EVERYTHING.schemas, "", 1), result))
    assert accounts.most_common(1)[0][0] == "ZZ99-aaaa-bbbb"


def test_a_tool_that_cannot_be_called_is_passed_over() -> None:
    impossible = {
        "type": "function",
        "function": {
            "name": "impossible",
            "parameters": {"properties": {"x": {"type": "integer", "minimum": 2, "maximum": 1}}, "required": ["x"]},
        },
    }
    assert make_calls(Task("", (impossible,), "")) == []
    optional = {"type": "function", "function": {**impossible["function"], "parameters": {"properties": {"x": {}}}}}  # type: ignore[dict-item]
    assert {str(call) for call in make_calls(Task("", (optional,), "", 3))} == {"impossible()"}


def test_act_before_begin_is_out_of_order() -> None:
    with pytest.raises(EpisodeError, match=r"begin\(task\)"):
        RandomAgent().act({"instruction": "", "result": "", "step": 0})


def test_sightings_hold_what_an_instruction_tells() -> None:
    seen = Sightings("Pay 1,250.50 EUR from DE89370400440532013000 to \"Anna Lang\" on 2025-03-04, ref 'rent' to u_17.")
    expected = ["Anna Lang", "rent", "DE89370400440532013000", "2025-03-04", "u_17", 1250, 125050]
    assert [value for value in expected if value not in seen.of("x")] == []


def test_sightings_read_results_by_key() -> None:
    seen = Sightings("")
    seen.hear('{"result": [{"payee": {"id": "P-7", "ok": true, "n": 1, "none": null}}, {"id": "P-8"}]}')
    seen.hear("no JSON")
    seen.hear("[" * 100_000)
    assert seen.of("payee_id") == seen.of("id") == ["P-8", "P-7"]
    assert (seen.of("ok"), seen.of("n"), seen.of("none")) == ([True], [1], [])


def test_a_flood_of_values_is_bounded() -> None:
    seen = Sightings(" ".join(f"a{n}" for n in range(10_000)))
    seen.hear(json.dumps({"id": list(range(10_000))}))
    assert len(seen.of("id")) <= 400


@pytest.mark.parametrize(
    "pattern",
    [
        r"^A-\d+$",
        "^(GET|PUT|[a-c]{2,})$",
        r"^[^\W_]x?y*z+?$",
        r"\Aabc\.\w{3}\z",
        r"^[\d\-]{4}$",
        "^[]a]$",
        "^.{3}$",
        r"^[a\-z]+$",
        "^$",
    ],
)
def test_patterns_are_drawn(pattern: str) -> None:
    for seed in range(30):
        try:
            text = draw_pattern(pattern, random.Random(seed))
        except UnsupportedPattern:
            assert pattern.startswith(r"^[^\W")
        else:
            assert re.search(pattern.replace(r"\z", r"\Z"), text)


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "a{x}", "[b-a]", "(a", "a)", "[a", "\\", "a{9999}", "[^ -~]"])
def test_what_is_not_covered_is_said(pattern: str) -> None:
    with pytest.raises(UnsupportedPattern):
        draw_pattern(pattern, random.Random(0))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^(?=x)y$"},
        {"type": "string", "pattern": r"\p{L}"},
        {"type": "string", "minLength": 5, "maxLength": 4},
        {"type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 7},
        {"type": "array", "items": {"type": "boolean"}, "minItems": 3, "uniqueItems": True},
        {"anyOf": [{"type": "object"}, {"type": "string", "pattern": "^(?=x)y$"}]},
    ],
)
def test_nothing_is_drawn_that_does_not_fit(schema: dict[str, Any]) -> None:
    with pytest.raises(NothingFits):
        draw(schema, random.Random(0))


def test_a_value_that_was_seen_serves_where_none_can_be_made() -> None:
    schema = {"type": "string", "pattern": "^(?=x)[x-z]+$"}
    assert {draw(schema, random.Random(seed), ["no", "xyz"]) for seed in range(30)} == {"xyz"}


scalar_schemas = st.one_of(
    st.builds(
        lambda a, b: {"type": "integer", "minimum": min(a, b), "maximum": max(a, b)}, *[st.integers(-99, 99)] * 2
    ),
    st.builds(lambda a, b: {"type": "number", "minimum": a, "maximum": a + b}, st.floats(-9, 9), st.floats(0, 9)),
    st.builds(lambda a, b: {"type": "string", "minLength": a, "maxLength": a + b}, *[st.integers(0, 60)] * 2),
    st.sampled_from([{"type": "boolean"}, {"type": "null"}, {"const": 3}, {"type": "string", "format": "date"}]),
    st.lists(st.integers() | st.text() | st.none(), min_size=1).map(lambda options: {"enum": options}),
)
schemas = scalar_schemas | st.one_of(
    st.lists(scalar_schemas, min_size=1, max_size=3).map(lambda options: {"anyOf": options}),
    st.builds(
        lambda items, least: {"type": "array", "items": items, "minItems": least}, scalar_schemas, st.integers(0, 3)
    ),
)


@given(schemas, st.integers(), st.lists(st.integers() | st.text() | st.booleans() | st.floats()))
def test_whatever_is_drawn_fits(schema: dict[str, Any], seed: int, seen: list[Any]) -> None:
    value = draw(schema, random.Random(seed), seen)
    assert fits(schema, value)
    assert draw(schema, random.Random(seed), seen) == value
