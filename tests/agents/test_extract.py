import json
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexgym.agents.extract import extract_call
from lexgym.agents.json_scan import spans

CALL = {"name": "pay", "arguments": {"to": "A-1", "cents": 5, "memo": 'a "b" {c}'}}
TEXT = json.dumps(CALL)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"Sure!\n```json\n{TEXT}\n```\nDone.",
        f"```\n{TEXT}\n```",
        f"I'd call {{it}} so: {TEXT}. It's \"fine\" {{",
        f'{{"oops" {TEXT}',
        f'{{ "thought": "x", {TEXT}',
        f"{{broken: {TEXT}, more}}",
        f'{{"first": {TEXT}, then nothing',
        f'"{TEXT}',
        f'{{"Note: " {{" {TEXT}',
        json.dumps({"function": CALL}),
        json.dumps({"type": "function", "function": {"name": "pay", "arguments": CALL["arguments"]}}),
        json.dumps({"tool_calls": [{"function": CALL}]}),
        json.dumps({"call": CALL}),
        json.dumps([CALL, {"name": "other", "arguments": {}}]),
        json.dumps({"thought": "I pay", **CALL}, indent=2),
        json.dumps({"tool": "pay", "args": CALL["arguments"]}),
        json.dumps({"function": "pay", "parameters": CALL["arguments"]}),
        f'<think>maybe {{"name": "other", "arguments": {{}}}}</think>{TEXT}',
        f"<think>{TEXT}</think> Yes.",
        f'{{"name": "x", "arguments": {{"n": {"9" * 5000}}}}} {TEXT}',
        f'{{"name": "\\uZZZZ", "arguments": {{}}}} {TEXT}',
        json.dumps({"name": "pay", "parameters": {"type": "object", "properties": {"to": {}}}}) + TEXT,
    ],
)
def test_the_call_is_found(text: str) -> None:
    assert extract_call(text) == CALL


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "{}",
        "[]",
        "{{}}",
        '{"name": "pay"}',
        '{"arguments": {}}',
        '{"name": 1, "arguments": {}}',
        "{'name': 'a'}",
    ],
)
def test_what_is_no_call_is_none(text: str) -> None:
    assert extract_call(text) is None


def test_arguments_may_be_text() -> None:
    assert extract_call('{"name": "pay", "arguments": "{\\"a\\": 1}"}') == {"name": "pay", "arguments": '{"a": 1}'}


def test_a_name_alone_counts_only_for_a_known_tool() -> None:
    text = 'Dear {"name": "Anna"}: {"name": "finish"}'
    assert extract_call(text, ["finish"]) == {"name": "finish", "arguments": {}}
    assert extract_call('{"name": "finish", "arguments": [1]}', ["finish"]) is None


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
objects = st.dictionaries(
    st.text(), st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
prose = st.text().filter(lambda text: "{" not in text)


@given(prose, objects, st.text(), st.booleans())
def test_any_call_in_any_prose_is_found(before: str, arguments: dict[str, Any], after: str, ascii_only: bool) -> None:
    call = {"name": "pay", "arguments": arguments}
    text = before + json.dumps(call, ensure_ascii=ascii_only) + after
    if "</think>" not in text:
        found = extract_call(text)
        assert found == call or set(arguments) >= {"type", "properties"}


@given(st.text(alphabet='{}[]":,\\a1 '))
def test_spans_agree_with_the_standard_parser(text: str) -> None:
    found = list(spans(text))
    for start, end in found:
        json.loads(text[start:end])
    assert all(end <= start for (_, end), (start, _) in pairwise(found))
    assert bool(found) == any(_decodes(text, start) for start, mark in enumerate(text) if mark == "{")


def _decodes(text: str, start: int) -> bool:
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        return False
    return bool(value)


SIZE = 1_000_000
HOSTILE = {
    "braces": "{" * SIZE,
    "nested": '{"a":' * (SIZE // 5),
    "nested lists": '{"a":[' * (SIZE // 6),
    "nested then a string": '{"a":' * (SIZE // 10) + '"' + "x" * (SIZE // 2),
    "open strings": '{"' * (SIZE // 2),
    "braces in a string": '{"' + "{" * SIZE,
    "escapes": '{"' + "\\" * SIZE,
    "escaped quotes": '{"\\"' * (SIZE // 4),
    "empty objects": "{}" * (SIZE // 2),
    "objects in a broken one": '{"a":[' + "{}," * (SIZE // 3),
    "spaces": "{" + " " * SIZE,
    "spaced braces": "{ " * (SIZE // 2),
    "digits": '{"a":' + "9" * SIZE,
    "deep whole": '{"a":' * (SIZE // 12) + "1" + "}" * (SIZE // 12),
    "strings out of step": '{"a":"{"b":"' * (SIZE // 12),
    "keys": '{"a":1,' * (SIZE // 7),
    "think": "</think>{" * (SIZE // 9),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_megabyte_of_anything_is_read_in_linear_time(text: str) -> None:
    start = time.process_time()
    extract_call(text)
    assert time.process_time() - start < 5
