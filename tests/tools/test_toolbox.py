"""One call is one transaction: it happens wholly, or it leaves no trace but its event."""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexgym.core import FINISH, UNPARSED, Status, ToolCall
from lexgym.errors import DomainError, MalformedCall, Refused
from lexgym.tools.database import Database
from lexgym.tools.tables import Schema
from lexgym.tools.tool import Tool
from lexgym.tools.toolbox import FINISH_SCHEMA, Toolbox

SCHEMA = Schema("CREATE TABLE payments (id TEXT PRIMARY KEY, cents INTEGER NOT NULL) STRICT;", {"payments": "PAY"})


def pay(db: Database, *, cents: int, memo: str = "") -> dict[str, str]:
    """Pay cents; above 100 the balance is too low; 13 meets a bug."""
    number = db.new_id("payments")
    db.insert("payments", id=number, cents=cents)
    db.clock += 5
    if cents > 100:
        raise Refused("no_funds", "the balance is too low")
    if cents == 13:
        raise ZeroDivisionError(memo)
    return {"id": number}


def list_payments(db: Database) -> list[str]:
    """List the payments."""
    return [row["id"] for row in db.query("SELECT id FROM payments ORDER BY id")]


TOOLBOX = Toolbox.of([pay, list_payments])


@pytest.fixture
def db() -> Iterator[Database]:
    """An empty database."""
    with closing(Database(SCHEMA, clock=1_000)) as database:
        yield database


def state(db: Database) -> tuple[Any, ...]:
    db.snapshot()  # raises if a savepoint is open
    return db.state_hash(), db.clock, db.sequences


def test_a_toolbox_is_a_mapping() -> None:
    assert list(TOOLBOX) == ["pay", "list_payments"]
    assert len(TOOLBOX) == 2
    assert TOOLBOX["pay"].function is pay
    assert "finish" not in TOOLBOX


def test_names_are_unique_and_finish_is_taken() -> None:
    def finish(db: Database) -> None:
        """End."""

    with pytest.raises(DomainError, match="already a tool named 'pay'"):
        Toolbox.of([pay, pay])
    with pytest.raises(DomainError, match="already a tool named 'finish'"):
        Toolbox([Tool.of(finish)])


def test_schemas_end_with_finish() -> None:
    assert [schema["function"]["name"] for schema in TOOLBOX.schemas] == ["pay", "list_payments", FINISH]
    assert TOOLBOX.schemas[-1] is FINISH_SCHEMA


def test_a_call_that_works(db: Database) -> None:
    event = TOOLBOX.attempt(db, '{"name": "pay", "arguments": {"cents": 5}}', step=3)
    assert event is not None
    assert (event.status, event.result, event.step) == (Status.OK, {"id": "PAY-000001"}, 3)
    assert event.clock == db.clock == 1_005
    assert event.arguments == {"cents": 5, "memo": ""}
    assert db.query("SELECT * FROM payments") == [{"id": "PAY-000001", "cents": 5}]
    state(db)


def test_a_refused_call_leaves_nothing(db: Database) -> None:
    before = state(db)
    event = TOOLBOX.attempt(db, ToolCall("pay", {"cents": 101}), step=1)
    assert event is not None
    assert event.status is Status.REFUSED
    assert event.result == {"code": "no_funds", "message": "the balance is too low"}
    assert event.clock == 1_000
    assert state(db) == before


def test_a_bug_propagates_and_leaves_nothing(db: Database) -> None:
    before = state(db)
    with pytest.raises(ZeroDivisionError, match="our fault"):
        TOOLBOX.attempt(db, ToolCall("pay", {"cents": 13, "memo": "our fault"}), step=1)
    assert state(db) == before


def test_a_call_inside_a_savepoint_can_be_undone(db: Database) -> None:
    before = state(db)
    db.begin()
    TOOLBOX.execute(db, ToolCall("pay", {"cents": 5}), step=1)
    TOOLBOX.execute(db, ToolCall("pay", {"cents": 500}), step=2)
    assert TOOLBOX.execute(db, ToolCall("list_payments", {}), step=3).result == ["PAY-000001"]
    db.rollback()
    assert state(db) == before


@pytest.mark.parametrize("action", ['{"name": "finish"}', {"name": FINISH, "arguments": {"why": 1}}, ToolCall(FINISH)])
def test_finish_is_no_event(db: Database, action: object) -> None:
    assert TOOLBOX.parse(action) == ToolCall(FINISH, {})
    assert TOOLBOX.attempt(db, action, step=1) is None


@pytest.mark.parametrize(
    ("name", "hint"), [("pya", "did you mean 'pay'?"), ("finsh", "did you mean 'finish'?"), ("zzzz", "known: finish")]
)
def test_an_unknown_tool_is_told_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(MalformedCall) as caught:
        TOOLBOX.parse({"name": name, "arguments": {}})
    assert caught.value.code == "unknown_tool"
    assert hint in caught.value.message


@pytest.mark.parametrize(
    ("action", "code", "name"),
    [
        ("pay, please", "syntax", UNPARSED),
        (None, "syntax", UNPARSED),
        ({"name": "pay", "arguments": [5]}, "syntax", UNPARSED),
        ('{"name": "pay", "arguments": {"cents": NaN}}', "syntax", UNPARSED),
        ({"name": "p\ud800y" * 90, "arguments": {}}, "unknown_tool", None),
        ({"name": "pay", "arguments": {"cents": "5"}}, "bad_arguments", "pay"),
        ({"name": "pay", "arguments": {"cents": 10**40}}, "bad_arguments", "pay"),
        ({"name": "pay", "arguments": {"cents": float("inf")}}, "bad_arguments", "pay"),
        ({"name": "pay", "arguments": {"cents": 5, "memo": "\udfff"}}, "bad_arguments", "pay"),
        ({"name": "pay", "arguments": {"cents": 5, "\udfff": 1}}, "bad_arguments", "pay"),
        ({"name": "pay", "arguments": {"cents": {"a": [{}] * 1_000}}}, "bad_arguments", "pay"),
    ],
)
def test_mistakes_become_invalid_events(db: Database, action: object, code: str, name: str | None) -> None:
    before = state(db)
    event = TOOLBOX.attempt(db, action, step=2)
    assert event is not None
    assert (event.status, event.result["code"], event.step, event.clock) == (Status.INVALID, code, 2, 1_000)
    assert name is None or event.name == name
    log = json.dumps([event.name, dict(event.arguments), event.result], allow_nan=False, ensure_ascii=False)
    assert len(log.encode()) < 3_000
    assert state(db) == before


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(ANYTHING, ANYTHING)
def test_whatever_is_sent_an_event_with_a_json_echo_comes_back(cents: Any, memo: Any) -> None:
    with closing(Database(SCHEMA)) as db:
        event = TOOLBOX.attempt(
            db, {"name": "pay", "arguments": {"cents": cents if cents != 13 else 14, "memo": memo}}, step=1
        )
        assert event is not None
        assert json.dumps([dict(event.arguments), event.result], allow_nan=False, ensure_ascii=False).encode()
        assert len(db.query("SELECT * FROM payments")) == (event.status is Status.OK)
        state(db)
