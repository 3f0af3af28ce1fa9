"""The hidden state of an episode: a real SQLite database in memory.

    >>> db = Database(Schema("CREATE TABLE accounts (number TEXT PRIMARY KEY, balance INTEGER NOT NULL) STRICT;"))
    >>> db.insert("accounts", number="A-1", balance=100)
    >>> db.one("SELECT balance FROM accounts WHERE number = ?", "A-1")
    {'balance': 100}

Besides its tables a database has the episode's own `clock` (seconds since 1970-01-01) and the
sequences that new ids are allocated from. Both belong to snapshots; neither is part of the state hash.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from lexgym.tools.tables import Schema

Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A whole database as bytes, with its clock and sequences."""

    data: bytes
    clock: int
    sequences: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Mark:
    """The Python side of a savepoint."""

    clock: int
    sequences: Mapping[str, int]


class Database:
    """SQLite in memory with transactions, snapshots and canonical dumps."""

    def __init__(self, schema: Schema, *, clock: int = 0) -> None:
        self.schema = schema
        self.clock = clock
        self._sequences: Mapping[str, int] = {}
        self._marks: list[_Mark] = []
        self._base: Snapshot | None = None
        self._connection = _connect()
        self._connection.deserialize(schema.empty)

    # Reading and writing

    def query(self, sql: str, *parameters: Any) -> list[Row]:
        """Return all rows as dicts."""
        cursor = self._connection.execute(sql, parameters)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def one(self, sql: str, *parameters: Any) -> Row | None:
        """Return the first row, or None."""
        cursor = self._connection.execute(sql, parameters)
        row = cursor.fetchone()
        if row is None:
            return None
        return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}

    def run(self, sql: str, *parameters: Any) -> int:
        """Execute a statement and return the number of rows it changed."""
        return self._connection.execute(sql, parameters).rowcount

    def insert(self, table: str, **values: Any) -> None:
        """Insert one row."""
        columns = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values()))

    def new_id(self, table: str) -> str:
        """Allocate the next id of a table, such as `PAY-000017`; the schema names the prefix."""
        number = self._sequences.get(table, 0) + 1
        self._sequences = {**self._sequences, table: number}
        return f"{self.schema.prefixes[table]}-{number:06d}"

    @property
    def written(self) -> int:
        """The number of rows written so far, undone or not."""
        return self._connection.total_changes

    # Transactions

    def begin(self) -> None:
        """Open a savepoint; savepoints nest."""
        self._connection.execute(f"SAVEPOINT s{len(self._marks)}")
        self._marks.append(_Mark(self.clock, self._sequences))

    def commit(self) -> None:
        """Keep what happened since the innermost savepoint."""
        self._connection.execute(f"RELEASE s{len(self._marks) - 1}")
        self._marks.pop()

    def rollback(self) -> None:
        """Undo what happened since the innermost savepoint, and close it."""
        mark = self._marks.pop()
        name = f"s{len(self._marks)}"
        self._connection.execute(f"ROLLBACK TO {name}")
        self._connection.execute(f"RELEASE {name}")
        self.clock, self._sequences = mark.clock, mark.sequences

    # Copies

    def snapshot(self) -> Snapshot:
        """Return the whole state; no savepoint may be open."""
        self._require_no_savepoint("snapshot")
        self._leave_base()
        return Snapshot(self._connection.serialize(), self.clock, self._sequences)

    def restore(self, snapshot: Snapshot) -> None:
        """Return to a snapshot; no savepoint may be open.

        Returning to the same snapshot again is a rollback. For another one the connection is new, since
        SQLite's prepared statements do not survive `deserialize`.
        """
        self._require_no_savepoint("restore")
        if self._base is snapshot:
            self._connection.execute("ROLLBACK TO base")
        else:
            self._connection.close()
            self._connection = _connect()
            self._connection.deserialize(snapshot.data)
            self._connection.execute("SAVEPOINT base")
            self._base = snapshot
        self.clock, self._sequences = snapshot.clock, snapshot.sequences

    def fork(self) -> "Database":
        """Return an independent copy; no savepoint may be open."""
        copy = Database(self.schema)
        copy.restore(self.snapshot())
        return copy

    def close(self) -> None:
        """Free the memory; a second call does nothing."""
        self._connection.close()

    # Canonical forms

    def dump(self, tables: Iterable[str] | None = None) -> dict[str, list[Row]]:
        """Return the rows of each table, sorted by primary key."""
        return {
            name: self.query(self.schema.tables[name].select)
            for name in sorted(self.schema.tables if tables is None else tables)
        }

    def load(self, rows: Mapping[str, Iterable[Row]], sequences: Mapping[str, int] | None = None) -> None:
        """Fill an empty database from a dump; foreign keys are checked at the end."""
        with self._connection:  # commits at the end, rolls back when something fails
            self._connection.execute("BEGIN")
            self._connection.execute("PRAGMA defer_foreign_keys = ON")
            for table, entries in rows.items():
                for row in entries:
                    self.insert(table, **row)
        self._sequences = dict(sequences or {})

    @property
    def sequences(self) -> dict[str, int]:
        """The last number given out per table."""
        return dict(self._sequences)

    def state_hash(self, tables: Iterable[str] | None = None) -> str:
        """Return the SHA-256 of the canonical dump; clock and sequences are not part of it."""
        text = json.dumps(self.dump(tables), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def save(self, path: str | Path) -> None:
        """Write a file that any SQLite browser opens, with clock and sequences in table `_episode`."""
        self._leave_base()
        target = sqlite3.connect(path)
        try:
            self._connection.backup(target)
            target.execute("CREATE TABLE _episode (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT")
            entries = {"clock": self.clock, **{f"sequence {k}": v for k, v in sorted(self._sequences.items())}}
            target.executemany("INSERT INTO _episode VALUES (?, ?)", entries.items())
            target.commit()
        finally:
            target.close()

    def _leave_base(self) -> None:
        """Commit to what happened since `restore`, so that it can be serialised."""
        if self._base is not None:
            self._connection.execute("RELEASE base")
            self._base = None

    def _require_no_savepoint(self, what: str) -> None:
        """SQLite serialises what is committed, so an open savepoint would be silently left out."""
        if self._marks:
            raise RuntimeError(f"{what}: {len(self._marks)} savepoint(s) are open; commit or roll back first")


def _connect() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=512, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection
