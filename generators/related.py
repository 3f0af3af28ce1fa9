"""Which rows belong to the person an episode is about: foreign keys followed to the anchor.

keys(domain, db, "payees.id", "CUS-000002")     # the payees of that customer, sorted

Rows that a shared table lets the person use, such as accounts under a mandate, belong as well.
"""

import random
from functools import cache
from typing import Any

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.spaces import draw
from lexgym.errors import MalformedCall
from lexgym.tools.database import Database
from lexgym.tools.tables import Schema


def keys(domain: Domain, db: Database, column: str, focus: Any) -> list[Any]:
    """Return the values of a column in rows that lead to the anchor row; all values where none can."""
    if column == domain.anchor:
        return [focus]
    table, _, name = column.partition(".")
    where = _condition(domain.schema.sql, domain.anchor, domain.shared, column)
    parameters = [focus] * where.count("?")
    return [row["value"] for row in db.query(f"SELECT {name} AS value FROM {table}{where} ORDER BY 1", *parameters)]


def draw_call(domain: Domain, db: Database, name: str, focus: Any, rng: random.Random) -> ToolCall | None:
    """Return a random call of a tool about the anchor row's own things; None where it has none of the kind."""
    arguments: dict[str, Any] = {}
    for parameter in domain.tools[name].parameters:
        if not parameter.required and rng.random() < 0.5:
            continue
        if parameter.ref is None:
            arguments[parameter.name] = draw(domain, parameter, rng)
            continue
        options = keys(domain, db, parameter.ref.column, focus)
        if not options:
            return None
        key = rng.choice(options)
        arguments[parameter.name] = [key] if parameter.schema.get("type") == "array" else key
    try:
        return domain.tools.parse(ToolCall(name, arguments))
    except MalformedCall:
        return None


@cache
def _condition(schema_sql: str, anchor: str, shared: tuple[str, ...], column: str) -> str:
    schema = Schema(schema_sql)
    table, _, name = column.partition(".")
    ways = [_search(schema, table, anchor, frozenset())]
    if not ways[0]:
        return ""
    for link in shared:
        references = schema.tables[link].references
        owner = next(own for own, target in references.items() if target == anchor)
        ways += [
            f"{name} IN (SELECT {own} FROM {link} WHERE {owner} = ?)"
            for own, target in references.items()
            if target == column
        ]
    return f" WHERE {' OR '.join(ways)}"


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
