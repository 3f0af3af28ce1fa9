"""A typed function becomes a schema and a validator: flat, strict, and helpful about mistakes."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from lexgym.errors import DomainError, MalformedCall
from lexgym.tools.database import Database
from lexgym.tools.tool import MAX_STRING, Parameter, Pool, Ref, Tool


class Payment(TypedDict):
    """What a payment returns."""

    id: str


Account = Annotated[str, Field(description="The account number"), Ref("accounts.number")]


def pay(
    db: Database,
    *,
    account: Account,
    amount: Annotated[int, Field(gt=0)],
    channel: Literal["web", "phone"] = "web",
    tags: Annotated[list[str], Field(max_length=2)] = [],  # noqa: B006
    memo: Annotated[str, Pool("memos")] | None = None,
    rate: float = 1.0,
    urgent: bool = False,
) -> Payment:
    """Pay an amount in cents.

    The payment is booked at once.
    """
    return {"id": f"{account}{amount}{channel}{tags}{memo}{rate}{urgent}"}


TOOL = Tool.of(pay)
NEEDED: dict[str, Any] = {"account": "A-1", "amount": 5}


def parameter(name: str) -> Parameter:
    return next(p for p in TOOL.parameters if p.name == name)


def message(**arguments: Any) -> str:
    with pytest.raises(MalformedCall) as caught:
        TOOL.validate(arguments)
    assert caught.value.code == "bad_arguments"
    assert caught.value.message.startswith("pay: ")
    assert caught.value.message.encode()
    return caught.value.message


def test_name_and_description_come_from_the_function() -> None:
    assert TOOL.name == "pay"
    assert TOOL.description == "Pay an amount in cents.\n\nThe payment is booked at once."


def test_plain_schema() -> None:
    schema = TOOL.openai()["function"]["parameters"]
    assert TOOL.openai()["type"] == "function"
    assert "strict" not in TOOL.openai()["function"]
    assert schema["required"] == ["account", "amount"]
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert list(properties) == ["account", "amount", "channel", "tags", "memo", "rate", "urgent"]
    assert properties["account"] == {"type": "string", "description": "The account number", "maxLength": MAX_STRING}
    assert properties["amount"] == {"type": "integer", "exclusiveMinimum": 0}
    assert properties["channel"] == {"type": "string", "enum": ["web", "phone"]}
    assert properties["rate"] == {"type": "number"}
    assert properties["urgent"] == {"type": "boolean"}


def test_strict_schema_has_all_required_and_optional_nullable() -> None:
    function = TOOL.openai(strict_mode=True)["function"]
    schema = function["parameters"]
    assert function["strict"] is True
    assert schema["required"] == list(schema["properties"])
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert properties["account"] == {"type": "string", "description": "The account number"}
    assert properties["amount"] == {"type": "integer"}
    assert properties["channel"] == {"type": ["string", "null"], "enum": ["web", "phone", None]}
    assert properties["urgent"] == {"type": ["boolean", "null"]}
    assert properties["tags"]["type"] == ["array", "null"]
    assert properties["tags"]["items"] == {"type": "string"}
    assert {"type": "null"} in properties["memo"]["anyOf"]
    assert TOOL.openai()["function"]["parameters"]["required"] == ["account", "amount"]  # the plain one is untouched


def test_result_schema() -> None:
    assert TOOL.result_schema["properties"]["id"]["type"] == "string"


def test_where_values_come_from() -> None:
    assert parameter("account").ref == Ref("accounts.number")
    assert Ref("accounts.number").table == "accounts"
    assert parameter("memo").pool == Pool("memos")
    assert parameter("amount").ref is None
    assert [p.name for p in TOOL.parameters if p.required] == ["account", "amount"]


def test_a_list_of_references_is_a_reference() -> None:
    def close(db: Database, *, accounts: list[Account]) -> None:
        """Close accounts."""

    assert Tool.of(close).parameters[0].ref == Ref("accounts.number")


def test_valid_arguments_come_with_their_defaults() -> None:
    rest: dict[str, Any] = {"channel": "web", "tags": [], "memo": None, "rate": 1.0, "urgent": False}
    assert TOOL.validate(NEEDED) == {**NEEDED, **rest}
    assert TOOL.validate({**NEEDED, "channel": "phone", "tags": ["a"], "rate": 2}) == {
        **NEEDED,
        **rest,
        "channel": "phone",
        "tags": ["a"],
        "rate": 2.0,
    }


def test_a_default_list_is_not_shared() -> None:
    TOOL.validate(NEEDED)["tags"].append("x")
    assert TOOL.validate(NEEDED)["tags"] == []


def test_null_for_an_optional_argument_counts_as_absent() -> None:
    nulls = dict.fromkeys(("channel", "tags", "memo", "rate", "urgent"))
    assert TOOL.validate({**NEEDED, **nulls}) == TOOL.validate(NEEDED)


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"account": None}, "account = None"),
        ({"account": 7}, "account = 7"),
        ({"account": "x" * (MAX_STRING + 1)}, "(2,001 characters)"),
        ({"account": "\ud800"}, "account = "),
        ({"account": ["A-1"]}, "account = ['A-1']"),
        ({"amount": "5"}, "amount = '5'"),
        ({"amount": 5.0}, "amount = 5.0"),
        ({"amount": True}, "amount = True"),
        ({"amount": 0}, "amount = 0"),
        ({"amount": 2**63}, "out of range"),
        ({"amount": 10**400}, "amount = "),
        ({"channel": "post"}, "channel = 'post'"),
        ({"tags": "a"}, "tags = 'a'"),
        ({"tags": ["a", 1]}, "tags.1 = 1"),
        ({"tags": ["a", "b", "c"]}, "tags = "),
        ({"urgent": 1}, "urgent = 1"),
        ({"amonut": 5}, "no argument 'amonut'; did you mean 'amount'?"),
        ({"\ud800": 5}, "ud800"),
        ({"": 5}, "no argument ''"),
    ],
)
def test_wrong_arguments_are_explained(changes: dict[str, Any], part: str) -> None:
    assert part in message(**{**NEEDED, **changes})


def test_missing_arguments_are_named() -> None:
    assert "argument 'amount' is missing" in message(account="A-1")


def test_at_most_three_mistakes_are_listed() -> None:
    assert message(a=1, b=2, c=3, d=4, e=5).count(";") <= 6
    assert len(message(**{f"x{i}": "y" * 500 for i in range(200)})) < 2_000


def test_deep_arguments_are_explained_without_recursion() -> None:
    deep: list[Any] = []
    for _ in range(50_000):
        deep = [deep]
    assert "account = " in message(**{**NEEDED, "account": deep})
    while deep:
        deep = deep[0]


class Money(TypedDict):
    """An amount with its currency."""

    cents: int


def nested(db: Database, *, money: Money) -> None:
    """Pay."""


def mapping(db: Database, *, money: dict[str, int]) -> None:
    """Pay."""


def lists(db: Database, *, money: list[list[int]]) -> None:
    """Pay."""


def anything(db: Database, *, money: Any) -> None:
    """Pay."""


def list_of_objects(db: Database, *, money: list[Money] | None = None) -> None:
    """Pay."""


@pytest.mark.parametrize("function", [nested, mapping, lists, anything, list_of_objects])
def test_parameters_must_be_flat(function: Callable[..., Any]) -> None:
    with pytest.raises(DomainError, match="'money' is not flat"):
        Tool.of(function)


def test_a_tool_needs_docstring_return_type_keyword_only_and_types() -> None:
    def bare(db: Database) -> None: ...

    def no_return(db: Database):  # type: ignore[no-untyped-def]
        """Do it."""

    def positional(db: Database, amount: int) -> None:
        """Do it."""

    def untyped(db: Database, *, amount) -> None:  # type: ignore[no-untyped-def]
        """Do it."""

    for function, part in (
        (bare, "no docstring"),
        (no_return, "no return type"),
        (positional, "must be keyword-only"),
        (untyped, "'amount' has no type"),
    ):
        with pytest.raises(DomainError, match=part):
            Tool.of(function)
