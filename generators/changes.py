"""What a business call changed, so that two requests of one episode do not contradict each other.

changes(before, after, call)        # {("cards", ("CRD-000004",))}
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database

RowKey: TypeAlias = tuple[str, tuple[Any, ...]]
Rows: TypeAlias = Mapping[RowKey, dict[str, Any]]


def rows(domain: Domain, db: Database) -> Rows:
    """Return every business row by table and primary key."""
    return {
        (table, tuple(row[column] for column in domain.schema.tables[table].key)): row
        for table, entries in db.dump(domain.business).items()
        for row in entries
    }


def changes(before: Rows, after: Rows, call: ToolCall) -> set[RowKey]:
    """Return the rows added, removed or set to something; running totals, such as balances, do not count."""
    said = set(map(str, call.arguments.values()))
    return {
        key
        for key in before.keys() | after.keys()
        if key not in before or key not in after or _set(before[key], after[key], said)
    }


def _set(old: dict[str, Any], new: dict[str, Any], said: set[str]) -> bool:
    changed = [new[column] for column in new if new[column] != old[column]]
    return any(not isinstance(value, int) or str(value) in said for value in changed)
