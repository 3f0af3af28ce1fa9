"""Transactions nest, copies are independent, and the canonical forms do not depend on how a state was reached."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lexgym.errors import DomainError
from lexgym.tools.database import Database
from lexgym.tools.tables import Schema

SQL = """
CREATE TABLE accounts (number TEXT PRIMARY KEY, balance INTEGER NOT NULL CHECK (balance >= 0)) STRICT;
CREATE TABLE payments (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (number),
    cents INTEGER NOT NULL
) STRICT;
CREATE TABLE parts (payment TEXT REFERENCES payments (id), place INTEGER, PRIMARY KEY (place, payment)) STRICT;
"""
SCHEMA = Schema(SQL, {"payments": "PAY"})


@pytest.fixture
def db() -> Iterator[Database]:
    """A database with one account."""
    with closing(Database(SCHEMA, clock=1_000)) as database:
        database.insert("accounts", number="A-1", balance=100)
        yield database


def balance(db: Database) -> int:
    row = db.one("SELECT balance FROM accounts WHERE number = 'A-1'")
    assert row is not None
    cents: int = row["balance"]
    return cents


def set_balance(db: Database, cents: int) -> None:
    assert db.run("UPDATE accounts SET balance = ? WHERE number = 'A-1'", cents) == 1


def test_rows_are_dicts(db: Database) -> None:
    assert db.query("SELECT * FROM accounts") == [{"number": "A-1", "balance": 100}]
    assert db.one("SELECT * FROM payments") is None
    assert db.run("DELETE FROM payments") == 0


def test_ids_are_counted_per_table(db: Database) -> None:
    assert [db.new_id("payments"), db.new_id("payments")] == ["PAY-000001", "PAY-000002"]
    assert db.sequences == {"payments": 2}
    with pytest.raises(KeyError):
        db.new_id("accounts")


def test_savepoints_nest(db: Database) -> None:
    db.begin()
    set_balance(db, 80)
    db.begin()
    set_balance(db, 60)
    db.begin()
    set_balance(db, 40)
    db.commit()
    assert balance(db) == 40
    db.rollback()
    assert balance(db) == 80
    db.begin()
    set_balance(db, 70)
    db.commit()
    db.commit()
    assert balance(db) == 70


def test_an_outer_rollback_undoes_an_inner_commit(db: Database) -> None:
    before = db.state_hash()
    db.begin()
    db.begin()
    set_balance(db, 1)
    db.commit()
    db.rollback()
    assert db.state_hash() == before


def test_rollback_restores_clock_and_sequences(db: Database) -> None:
    db.new_id("payments")
    db.begin()
    db.clock += 60
    db.new_id("payments")
    db.begin()
    db.clock += 60
    db.new_id("payments")
    db.rollback()
    assert (db.clock, db.sequences) == (1_060, {"payments": 2})
    db.rollback()
    assert (db.clock, db.sequences) == (1_000, {"payments": 1})
    assert db.new_id("payments") == "PAY-000002"


def test_commit_keeps_clock_and_sequences(db: Database) -> None:
    db.begin()
    db.clock += 60
    db.new_id("payments")
    db.commit()
    assert (db.clock, db.sequences) == (1_060, {"payments": 1})


def test_a_transaction_survives_a_failed_statement(db: Database) -> None:
    db.begin()
    set_balance(db, 50)
    with pytest.raises(sqlite3.IntegrityError):
        set_balance(db, -1)
    db.commit()
    assert balance(db) == 50


def test_snapshot_and_restore(db: Database) -> None:
    db.new_id("payments")
    snapshot = db.snapshot()
    before = db.state_hash()
    for cents in (1, 2):
        set_balance(db, cents)
        db.clock += 60
        db.new_id("payments")
        db.restore(snapshot)
        assert (db.state_hash(), db.clock, db.sequences) == (before, 1_000, {"payments": 1})


def test_foreign_keys_hold_also_after_restore(db: Database) -> None:
    for _ in range(2):
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            db.insert("payments", id="PAY-000001", account="nobody", cents=1)
        db.restore(db.snapshot())


def test_forks_are_independent(db: Database) -> None:
    db.new_id("payments")
    with closing(db.fork()) as fork:
        assert (fork.state_hash(), fork.clock, fork.sequences) == (db.state_hash(), db.clock, db.sequences)
        set_balance(fork, 1)
        fork.clock += 60
        fork.new_id("payments")
        assert (balance(db), db.clock, db.sequences) == (100, 1_000, {"payments": 1})
        set_balance(db, 7)
        db.new_id("payments")
        db.new_id("payments")
        assert (balance(fork), fork.sequences) == (1, {"payments": 2})


def test_a_snapshot_serves_another_database(db: Database) -> None:
    with closing(Database(SCHEMA)) as other:
        other.restore(db.snapshot())
        assert other.dump() == db.dump()


def test_copies_are_refused_inside_a_savepoint(db: Database) -> None:
    snapshot = db.snapshot()
    db.begin()
    for attempt in (db.snapshot, db.fork, lambda: db.restore(snapshot)):
        with pytest.raises(RuntimeError, match=r"1 savepoint\(s\) are open"):
            attempt()
    db.rollback()
    assert db.snapshot().clock == 1_000


def test_the_hash_is_of_the_state_alone(db: Database) -> None:
    before = db.state_hash()
    db.clock += 60
    db.new_id("payments")
    assert db.state_hash() == before
    set_balance(db, 99)
    assert db.state_hash() != before
    set_balance(db, 100)
    assert db.state_hash() == before


def test_the_hash_does_not_depend_on_the_order_of_insertion(db: Database) -> None:
    with closing(db.fork()) as fork:
        for target, order in ((db, "BCD"), (fork, "DBC")):
            for letter in order:
                target.insert("accounts", number=letter, balance=1)
        assert db.state_hash() == fork.state_hash()
        assert [row["number"] for row in fork.dump()["accounts"]] == ["A-1", "B", "C", "D"]


def test_the_hash_of_chosen_tables(db: Database) -> None:
    before = db.state_hash(["accounts"])
    db.insert("payments", id="P", account="A-1", cents=1)
    assert db.state_hash(["accounts"]) == before
    assert db.state_hash(["payments"]) != before
    assert set(db.dump(["payments"])) == {"payments"}


def test_a_dump_is_sorted_by_the_primary_key_in_its_own_order(db: Database) -> None:
    for payment in ("P-1", "P-2"):
        db.insert("payments", id=payment, account="A-1", cents=1)
    for payment, place in (("P-2", 1), ("P-1", 2), ("P-1", 1)):
        db.insert("parts", payment=payment, place=place)
    assert [(row["place"], row["payment"]) for row in db.dump()["parts"]] == [(1, "P-1"), (1, "P-2"), (2, "P-1")]


def test_dump_and_load_round_trip_whatever_the_order_of_tables(db: Database) -> None:
    db.insert("payments", id=db.new_id("payments"), account="A-1", cents=3)
    for names in (("accounts", "payments", "parts"), ("parts", "payments", "accounts")):
        dump = db.dump()
        with closing(Database(SCHEMA)) as other:
            other.load({name: dump[name] for name in names}, db.sequences)
            assert other.dump() == dump
            assert other.state_hash() == db.state_hash()
            assert other.new_id("payments") == "PAY-000002"


def test_a_dump_with_a_dangling_reference_loads_nothing() -> None:
    with closing(Database(SCHEMA)) as other:
        with pytest.raises(sqlite3.IntegrityError):
            other.load({"payments": [{"id": "P", "account": "nobody", "cents": 1}]}, {"payments": 1})
        assert (other.dump()["payments"], other.sequences) == ([], {})
        other.begin()
        other.rollback()


def test_save_writes_a_file_that_sqlite_opens(db: Database, tmp_path: Path) -> None:
    db.new_id("payments")
    path = tmp_path / "state.db"
    for cents in (100, 55):  # a second save replaces the first
        set_balance(db, cents)
        db.save(path)
        with closing(sqlite3.connect(path)) as file:
            assert file.execute("SELECT balance FROM accounts").fetchall() == [(cents,)]
            assert dict(file.execute("SELECT name, value FROM _episode")) == {"clock": 1_000, "sequence payments": 1}
    assert "_episode" not in {row["name"] for row in db.query("SELECT name FROM sqlite_schema")}


def test_columns_keep_their_types(db: Database) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT"):
        db.run("UPDATE accounts SET balance = ?", "a lot")
    with pytest.raises(sqlite3.IntegrityError, match="cannot store REAL"):
        db.run("UPDATE accounts SET balance = ?", 0.5)


def test_the_schema_is_read_from_the_sql() -> None:
    assert list(SCHEMA.tables) == ["accounts", "parts", "payments"]
    assert SCHEMA.tables["parts"].key == ("place", "payment")
    assert SCHEMA.tables["payments"].references == {"account": "accounts.number"}
    assert SCHEMA.has_column("payments.cents")
    assert not SCHEMA.has_column("payments.euros")
    assert not SCHEMA.has_column("nothing.cents")


@pytest.mark.parametrize(
    ("sql", "part"),
    [
        ("CREATE TABLE a (id TEXT PRIMARY KEY);", "'a' must be STRICT"),
        ("CREATE TABLE a (id TEXT) STRICT;", "'a' has no primary key"),
        ("CREATE TABEL a (id TEXT) STRICT;", "SQL is wrong"),
    ],
)
def test_a_wrong_schema_is_a_domain_error(sql: str, part: str) -> None:
    with pytest.raises(DomainError, match=part):
        _ = Schema(sql).tables


def test_closing_twice_does_nothing() -> None:
    database = Database(SCHEMA)
    database.close()
    database.close()
