"""Which rows belong to the person an episode is about: foreign keys followed to the anchor.

keys(domain, db, "payees.id", "CUS-000002")     # the payees of that customer, sorted
"""

from functools import lru_cache
from typing import Any

from lexgym.envs.domain import Domain
from lexgym.tools.database import Database
from lexgym.tools.tables import Schema


def keys(domain: Domain, db: Database, column: str, focus: Any) -> list[Any]:
    """Return the values of a column in rows that lead to the anchor row; all values where none can."""
    table, _, name = column.partition(".")
    if column == domain.anchor:
        return [focus]
    path = _path(domain.schema, table, domain.anchor)
    where, parameters = (f" WHERE {path}", (focus,)) if path else ("", ())
    return [row["value"] for row in db.query(f"SELECT {name} AS value FROM {table}{where} ORDER BY 1", *parameters)]


@lru_cache(maxsize=256)
def _path_cached(schema_sql: str, table: str, anchor: str) -> str:
    return _search(Schema(schema_sql), table, anchor, frozenset())


def _path(schema: Schema, table: str, anchor: str) -> str:
    return _path_cached(schema.sql, table, anchor)


def _search(schema: Schema, table: str, anchor: str, seen: frozenset[str]) -> str:
    """Return the condition under which a row of the table belongs to the anchor, empty if none can."""
    references = schema.tables[table].references
    for column, target in sorted(references.items()):
        if target == anchor:
            return f"{column} = ?"
    for column, target in sorted(references.items()):
        owner, _, key = target.partition(".")
        if owner not in seen and owner != table:
            inner = _search(schema, owner, anchor, seen | {table})
            if inner:
                return f"{column} IN (SELECT {key} FROM {owner} WHERE {inner})"
    return ""
