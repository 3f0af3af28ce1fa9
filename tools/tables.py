"""What a database's tables look like: columns, keys, and which ids an episode may generate.

>>> Schema("CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;").tables["payees"].key
('id',)
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lexgym.errors import DomainError


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its columns in order, its primary key, and its foreign keys (column → `table.column`)."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    references: Mapping[str, str]

    @property
    def select(self) -> str:
        """The statement that returns all rows in canonical order."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name} ORDER BY {', '.join(self.key)}"


@dataclass(frozen=True)
class Schema:
    """The SQL text of a domain's schema, read once; `prefixes` names the id prefix of each table.

    Raises `DomainError` where the SQL is wrong, a table is not STRICT, or has no primary key.
    """

    sql: str
    prefixes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def empty(self) -> bytes:
        """An empty database with these tables, serialised."""
        connection = sqlite3.connect(":memory:")
        try:
            connection.executescript(self.sql)
            return connection.serialize()
        except sqlite3.Error as error:
            raise DomainError(f"the schema's SQL is wrong: {error}") from None
        finally:
            connection.close()

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Every table by name."""
        connection = sqlite3.connect(":memory:")
        try:
            connection.deserialize(self.empty)
            listing = connection.execute("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'").fetchall()
            names = [(name, strict) for name, strict in listing if not name.startswith("sqlite_")]
            for name, strict in names:
                if not strict:
                    raise DomainError(f"table {name!r} must be STRICT")
            return {name: _table(connection, name) for name, _ in sorted(names)}
        finally:
            connection.close()

    def has_column(self, column: str) -> bool:
        """Whether `table.column` exists."""
        table, _, name = column.partition(".")
        return table in self.tables and name in self.tables[table].columns


def _table(connection: sqlite3.Connection, name: str) -> Table:
    info = connection.execute(f"PRAGMA table_info({name})").fetchall()
    key = tuple(column for _, column, _, _, _, rank in sorted(info, key=lambda row: row[5]) if rank)
    if not key:
        raise DomainError(f"table {name!r} has no primary key")
    foreign = connection.execute(f"PRAGMA foreign_key_list({name})").fetchall()
    references = {row[3]: f"{row[2]}.{row[4] or 'rowid'}" for row in foreign}
    return Table(name, tuple(row[1] for row in info), key, references)
