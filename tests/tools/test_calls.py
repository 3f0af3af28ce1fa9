"""Every form of a tool call that agents produce is read, and nothing hostile gets further than `MalformedCall`."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages.tool import tool_call
from openai.types.chat.chat_completion_message_function_tool_call import ChatCompletionMessageFunctionToolCall

from lexgym.core import ToolCall
from lexgym.errors import MalformedCall
from lexgym.tools.calls import MAX_TEXT, clip, parse_call

ARGUMENTS = {"account": "A-1", "amount": 2500}
TEXT = json.dumps(ARGUMENTS)
CALL = ToolCall("pay", ARGUMENTS)
OPENAI = {"id": "call_1", "type": "function", "function": {"name": "pay", "arguments": TEXT}}
LANGCHAIN = tool_call(name="pay", args=ARGUMENTS, id="call_1")

FORMS: dict[str, Any] = {
    "ToolCall": CALL,
    "dict": {"name": "pay", "arguments": ARGUMENTS},
    "dict with JSON arguments": {"name": "pay", "arguments": TEXT},
    "OpenAI dict": OPENAI,
    "OpenAI object": ChatCompletionMessageFunctionToolCall.model_validate(OPENAI),
    "object like OpenAI's": SimpleNamespace(function=SimpleNamespace(name="pay", arguments=ARGUMENTS)),
    "LangChain dict": LANGCHAIN,
    "text": json.dumps({"name": "pay", "arguments": ARGUMENTS}),
    "text of an OpenAI dict": json.dumps(OPENAI),
    "text of a LangChain dict": json.dumps(LANGCHAIN),
}

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_same_call(form: str) -> None:
    assert parse_call(FORMS[form]) == CALL


@pytest.mark.parametrize("arguments", [None, "", "  ", "{}", {}])
def test_no_arguments_in_any_form(arguments: object) -> None:
    assert parse_call({"name": "pay", "arguments": arguments}) == ToolCall("pay", {})


def test_missing_arguments_are_none() -> None:
    assert parse_call('{"name": "pay"}') == ToolCall("pay", {})


def test_the_arguments_are_copied_from_a_dict() -> None:
    given_arguments = {"account": "A-1"}
    call = parse_call({"name": "pay", "arguments": given_arguments})
    given_arguments["account"] = "A-2"
    assert call.arguments == {"account": "A-1"}


@pytest.mark.parametrize(
    ("action", "part"),
    [
        (None, "NoneType"),
        (7, "int"),
        ([], "list"),
        (b"{}", "bytes"),
        ("", "not JSON at column 1"),
        ("I will pay now.", "not JSON at column 1"),
        ('{"name": "pay", ', "not JSON at column"),
        ("[1, 2]", "list"),
        ("null", "NoneType"),
        ('"text"', "a str is not a tool call"),  # not unwrapped twice
        ("{}", "no tool name"),
        ({"name": "", "arguments": {}}, "no tool name"),
        ({"name": 3, "arguments": {}}, "no tool name"),
        ({"function": {"arguments": "{}"}}, "no tool name"),
        ({"name": "pay", "arguments": [1]}, "are a list"),
        ({"name": "pay", "arguments": "[1]"}, "are a list"),
        ({"name": "pay", "arguments": "null, please"}, "not JSON at column 5"),
        ({"name": "pay", "args": 4}, "are a int"),
    ],
)
def test_what_is_no_call_says_why(action: object, part: str) -> None:
    with pytest.raises(MalformedCall) as caught:
        parse_call(action)
    assert caught.value.code == "syntax"
    assert part in caught.value.message


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_json_has_no_such_numbers(number: str) -> None:
    for action in (
        f'{{"name": "pay", "arguments": {{"amount": {number}}}}}',
        {"name": "p", "arguments": f"[{number}]"},
    ):
        with pytest.raises(MalformedCall, match="is not a JSON number"):
            parse_call(action)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_is_malformed_not_a_crash(opening: str) -> None:
    with pytest.raises(MalformedCall):
        parse_call(opening * (MAX_TEXT // len(opening)))
    with pytest.raises(MalformedCall):
        parse_call({"name": "pay", "arguments": opening * (MAX_TEXT // len(opening))})


def test_text_over_the_limit_is_not_read() -> None:
    frame = '{"name": "pay", "arguments": {"memo": ""}}'
    parse_call(frame.replace('""', '"' + "x" * (MAX_TEXT - len(frame)) + '"'))
    with pytest.raises(MalformedCall, match="100,001 characters"):
        parse_call(frame.replace('""', '"' + "x" * (MAX_TEXT - len(frame) + 1) + '"'))


def test_an_integer_too_long_to_convert_is_malformed() -> None:
    with pytest.raises(MalformedCall, match="not usable JSON"):
        parse_call('{"name": "pay", "arguments": {"amount": ' + "9" * 5_000 + "}}")


def test_a_lone_surrogate_cannot_spoil_the_message() -> None:
    with pytest.raises(MalformedCall) as caught:
        parse_call({"name": "\ud800", "arguments": 3})
    assert caught.value.message.encode()


@settings(deadline=None)
@given(JSON_VALUES)
def test_any_json_is_a_call_or_malformed(value: Any) -> None:
    for action in (value, json.dumps(value), {"name": "pay", "arguments": value}):
        try:
            call = parse_call(action)
        except MalformedCall:
            continue
        assert call.name
        assert isinstance(call.arguments, dict)


@settings(deadline=None)
@given(JSON_VALUES)
def test_clip_is_finite_printable_json(value: Any) -> None:
    text = json.dumps(clip(value, 40), allow_nan=False, ensure_ascii=False)
    assert text.encode()


def test_clip_cuts_what_is_long_deep_or_strange() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert clip("x" * 50, 10) == "x" * 10 + "… (50 characters)"
    assert clip(10**30) == "<integer of 100 bits>"
    assert clip("\ud800") == "\\ud800"
    assert clip(float("nan")) == "nan"
    assert clip(deep) == ["<list of 1>"]
    assert clip({"a": {"b": [1]}, "c": {"d": 1}}) == {"a": "<dict of 1>", "c": {"d": 1}}
    assert clip(list(range(50))) == list(range(20))
    assert clip(object()) == "<object>"
    while deep:
        deep = deep[0]
