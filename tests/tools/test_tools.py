"""Calls, schemas, transactions and the database."""

import json
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field
from typing_extensions import TypedDict

from lexgym.core import Status, ToolCall
from lexgym.errors import DomainError, MalformedCall, Refused
from lexgym.tools.calls import clip, parse_call
from lexgym.tools.database import Database
from lexgym.tools.tables import Schema
from lexgym.tools.tool import Ref, Tool
from lexgym.tools.toolbox import Toolbox

SCHEMA = Schema(
    """
    CREATE TABLE accounts (number TEXT PRIMARY KEY, balance INTEGER NOT NULL CHECK (balance >= 0)) STRICT;
    CREATE TABLE notes (
        id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (number), text TEXT NOT NULL
    ) STRICT;
    """,
    {"notes": "NOTE"},
)


class Balance(TypedDict):
    balance: int


def take(
    db: Database,
    *,
    account: Annotated[str, Ref("accounts.number"), Field(description="which account")],
    amount: Annotated[int, Field(ge=1)],
    kind: Literal["cash", "card"] = "cash",
    memo: Annotated[str, Field(max_length=5)] | None = None,
) -> Balance:
    """Take money from an account.

    The amount is in cents."""
    row = db.one("SELECT balance FROM accounts WHERE number = ?", account)
    if row is None:
        raise Refused("no_such_account", f"no account {account}")
    db.insert("notes", id=db.new_id("notes"), account=account, text=memo or kind)
    if row["balance"] < amount:
        raise Refused("no_funds", "too little")
    db.run("UPDATE accounts SET balance = balance - ? WHERE number = ?", amount, account)
    if amount == 13:
        raise ZeroDivisionError
    return {"balance": row["balance"] - amount}


TOOLS = Toolbox.of([take])
GOOD = {"account": "A", "amount": 5}


@pytest.fixture
def db() -> Database:
    made = Database(SCHEMA, clock=100)
    made.insert("accounts", number="A", balance=50)
    return made


@pytest.mark.parametrize(
    "form",
    [
        ToolCall("take", GOOD),
        {"name": "take", "arguments": GOOD},
        {"name": "take", "arguments": json.dumps(GOOD)},
        {"name": "take", "args": GOOD, "id": "1", "type": "tool_call"},
        {"type": "function", "id": "1", "function": {"name": "take", "arguments": json.dumps(GOOD)}},
        SimpleNamespace(function=SimpleNamespace(name="take", arguments=json.dumps(GOOD))),
        json.dumps({"name": "take", "arguments": GOOD}),
    ],
)
def test_every_form_is_read(form: Any) -> None:
    assert parse_call(form) == ToolCall("take", GOOD)


@pytest.mark.parametrize(
    ("form", "match"),
    [
        ("{", "not JSON at column"),
        ('{"name": "x", "arguments": {"a": Infinity}}', "Infinity"),
        ("[" * 10_000, "recursion"),
        ("x" * 200_000, "the limit is"),
        ('{"name": "x", "arguments": {"a": ' + "9" * 5_000 + "}}", "not usable JSON"),
        ({"arguments": {}}, "no tool name"),
        ({"name": 3}, "no tool name"),
        ({"name": "x", "arguments": [1]}, "not an object"),
        (7, "not a tool call"),
    ],
)
def test_malformed_calls_say_what_is_wrong(form: Any, match: str) -> None:
    with pytest.raises(MalformedCall, match=match) as caught:
        parse_call(form)
    assert caught.value.code == "syntax"


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"account": "A"}, "'amount' is missing"),
        ({**GOOD, "acount": "A"}, "did you mean 'account'"),
        ({**GOOD, "amount": "5"}, "amount"),
        ({**GOOD, "amount": True}, "amount"),
        ({**GOOD, "amount": 5.0}, "amount"),
        ({**GOOD, "amount": float("nan")}, "amount"),
        ({**GOOD, "amount": 2**63}, "out of range"),
        ({**GOOD, "amount": 0}, "greater than or equal to 1"),
        ({**GOOD, "account": "\ud800"}, "account"),
        ({**GOOD, "account": "x" * 3_000}, "at most 2000"),
        ({**GOOD, "kind": "crypto"}, "kind"),
        ({**GOOD, "memo": "too long"}, "at most 5"),
    ],
)
def test_arguments_that_do_not_fit(arguments: dict[str, Any], match: str, db: Database) -> None:
    before = db.state_hash()
    event = TOOLS.attempt(db, {"name": "take", "arguments": arguments}, step=1)
    assert event is not None
    assert event.status is Status.INVALID
    assert match in event.result["message"]
    json.dumps([event.arguments, event.result], allow_nan=False).encode()
    assert db.state_hash() == before


def test_null_for_an_optional_argument_counts_as_absent() -> None:
    values = TOOLS["take"].validate({**GOOD, "kind": None, "memo": None})
    assert values == {**GOOD, "kind": "cash", "memo": None}


def test_schemas() -> None:
    plain = TOOLS["take"].openai()["function"]
    assert plain["description"].startswith("Take money from an account.")
    assert plain["parameters"]["required"] == ["account", "amount"]
    assert plain["parameters"]["properties"]["account"]["description"] == "which account"
    strict = TOOLS["take"].openai(strict_mode=True)["function"]
    assert strict["strict"] is True
    assert strict["parameters"]["required"] == ["account", "amount", "kind", "memo"]
    assert None in strict["parameters"]["properties"]["kind"]["enum"]
    assert TOOLS["take"].result_schema["properties"]["balance"]["type"] == "integer"
    assert TOOLS["take"].parameters[0].ref == Ref("accounts.number")


def test_functions_that_are_no_tools() -> None:
    def nested(db: Database, *, data: dict[str, int]) -> int:
        """Do."""
        return 1

    def positional(db: Database, data: int) -> int:
        """Do."""
        return 1

    def silent(db: Database) -> int:
        return 1

    for function, match in ((nested, "not flat"), (positional, "keyword-only"), (silent, "no docstring")):
        with pytest.raises(DomainError, match=match):
            Tool.of(function)
    with pytest.raises(DomainError, match="already"):
        Toolbox.of([take, take])


def test_a_call_happens_wholly_or_not_at_all(db: Database) -> None:
    event = TOOLS.execute(db, TOOLS.parse({"name": "take", "arguments": GOOD}), step=1)
    assert (event.status, event.result) == (Status.OK, {"balance": 45})
    before, sequences = db.state_hash(), db.sequences
    refused = TOOLS.execute(db, TOOLS.parse({"name": "take", "arguments": {**GOOD, "amount": 99}}), step=2)
    assert refused.result["code"] == "no_funds"
    with pytest.raises(ZeroDivisionError):
        TOOLS.execute(db, TOOLS.parse({"name": "take", "arguments": {**GOOD, "amount": 13}}), step=3)
    assert (db.state_hash(), db.sequences) == (before, sequences)


def test_savepoints_nest_and_restore_clock_and_sequences(db: Database) -> None:
    before = db.dump()
    db.begin()
    db.clock, first = 200, db.new_id("notes")
    db.insert("notes", id=first, account="A", text="x")
    db.begin()
    db.insert("notes", id=db.new_id("notes"), account="A", text="y")
    db.rollback()
    assert len(db.query("SELECT * FROM notes")) == 1
    for forbidden in (db.snapshot, db.fork):
        with pytest.raises(RuntimeError, match="savepoint"):
            forbidden()
    db.rollback()
    assert (db.dump(), db.clock, db.sequences) == (before, 100, {})
    assert first == "NOTE-000001"


def test_forks_and_snapshots_are_independent(db: Database) -> None:
    snapshot, fork = db.snapshot(), db.fork()
    db.run("UPDATE accounts SET balance = 1")
    assert fork.one("SELECT balance FROM accounts") == {"balance": 50}
    for _ in range(3):
        db.restore(snapshot)
        db.insert("notes", id=db.new_id("notes"), account="A", text="t")
        with pytest.raises(sqlite3.IntegrityError):
            db.insert("notes", id="N", account="nobody", text="t")
    assert db.state_hash() != fork.state_hash()
    db.restore(snapshot)
    assert db.state_hash() == fork.state_hash()


def test_returning_to_a_snapshot_keeps_nothing(db: Database, tmp_path: Path) -> None:
    db.insert("notes", id=db.new_id("notes"), account="A", text="kept")
    snapshot, wanted = db.snapshot(), db.dump()
    for number in range(6):
        db.restore(snapshot)
        assert (db.dump(), db.sequences, db.clock) == (wanted, {"notes": 1}, 100)
        db.begin()
        db.run("DELETE FROM notes")
        db.commit()
        db.begin()
        db.insert("accounts", number="B", balance=number)
        db.rollback()
        TOOLS.execute(db, TOOLS.parse({"name": "take", "arguments": GOOD}), step=1)
        changed = db.dump()
        if number % 2:
            assert db.fork().dump() == changed == db.dump()
        if number == 4:
            db.save(tmp_path / "middle.sqlite")
            opened = sqlite3.connect(tmp_path / "middle.sqlite")
            assert opened.execute("SELECT text FROM notes").fetchall() == [("cash",)]
            opened.close()
    with pytest.raises(sqlite3.OperationalError):
        Database(SCHEMA).load({"accounts": [{"nonsense": 1}]})


def test_dump_and_load(db: Database) -> None:
    db.insert("notes", id=db.new_id("notes"), account="A", text="ü")
    copy = Database(SCHEMA)
    copy.load(db.dump(), db.sequences)
    assert copy.state_hash() == db.state_hash()
    assert copy.new_id("notes") == "NOTE-000002"
    broken = Database(SCHEMA)
    with pytest.raises(sqlite3.IntegrityError):
        broken.load({"notes": [{"id": "N", "account": "nobody", "text": ""}]})
    assert broken.dump() == {"accounts": [], "notes": []}


def test_a_saved_file_opens_anywhere(db: Database, tmp_path: Path) -> None:
    db.save(tmp_path / "episode.sqlite")
    opened = sqlite3.connect(tmp_path / "episode.sqlite")
    assert opened.execute("SELECT * FROM accounts").fetchall() == [("A", 50)]
    assert opened.execute("SELECT value FROM _episode WHERE name = 'clock'").fetchone() == (100,)
    opened.close()


@pytest.mark.parametrize(
    ("sql", "match"),
    [
        ("CREATE TABLE a (id TEXT PRIMARY KEY);", "STRICT"),
        ("CREATE TABLE a (id TEXT) STRICT;", "primary key"),
        ("CREATE TABEL a;", "wrong"),
    ],
)
def test_schemas_that_are_refused(sql: str, match: str) -> None:
    with pytest.raises(DomainError, match=match):
        _ = Schema(sql).tables


def test_clip_makes_anything_printable() -> None:
    value = clip({"a": [[1]], "b": float("inf"), "c": "\ud800" * 999, "d": 2**999, "e": object()})
    assert len(json.dumps(value, allow_nan=False)) < 600


def test_integers_in_lists_and_infinite_numbers_are_refused() -> None:
    def tally(db: Database, *, counts: list[int], rate: float = 1.0) -> int:
        """Add up."""
        return sum(counts)

    tool = Tool.of(tally)
    assert tool.validate({"counts": [1, 2]}) == {"counts": [1, 2], "rate": 1.0}
    for wrong in ({"counts": [2**70]}, {"counts": [], "rate": float("nan")}, {"counts": [], "rate": float("inf")}):
        with pytest.raises(MalformedCall):
            tool.validate(wrong)


def test_names_that_pydantic_keeps_are_refused() -> None:
    def clone(db: Database, *, copy: int) -> int:
        """Do."""
        return copy

    def hidden(db: Database, *, _x: int) -> int:
        """Do."""
        return _x

    for function in (clone, hidden):
        with pytest.raises(DomainError, match="keeps for itself"):
            Tool.of(function)


def test_a_commit_that_fails_is_undone() -> None:
    schema = Schema(
        """
        CREATE TABLE a (id TEXT PRIMARY KEY) STRICT;
        CREATE TABLE b (id TEXT PRIMARY KEY, a TEXT REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
        """
    )
    db = Database(schema)

    def dangle(db: Database) -> int:
        """Leave a dangling reference."""
        db.insert("b", id="1", a="nobody")
        return 1

    before = db.state_hash()
    with pytest.raises(sqlite3.IntegrityError):
        Toolbox.of([dangle]).execute(db, ToolCall("dangle", {}), step=1)
    assert db.state_hash() == before
    assert db.fork().state_hash() == before
    with pytest.raises(OverflowError):
        db.load({"a": [{"id": 2**70}]})
    assert db.snapshot().data
