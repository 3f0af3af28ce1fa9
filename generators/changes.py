"""What a business call changed, so that two requests of one episode do not contradict each other.

    changes(before, after, call)        # {("cards", ("CRD-000004",))}

A row is *set* when it is added or removed, when text changes, when a number becomes one that the call names,
and when a flag (0 or 1) flips. Every other number is a running total, such as a balance: that it moved is an
effect of the call, but two calls may move it.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database

RowKey: TypeAlias = tuple[str, tuple[Any, ...]]
Rows: TypeAlias = Mapping[RowKey, dict[str, Any]]

_FLAG = {0, 1}


def rows(domain: Domain, db: Database) -> Rows:
    """Return every business row by table and primary key, without the columns that are not compared."""
    volatile = [column.partition(".") for column in domain.volatile]
    found = {}
    for name in domain.business:
        table = domain.schema.tables[name]
        unseen = {column for owner, _, column in volatile if owner == name}
        for row in db.query(table.select):
            key = tuple([row[column] for column in table.key])
            found[name, key] = {column: row[column] for column in row if column not in unseen} if unseen else row
    return found


def changes(before: Rows, after: Rows, call: ToolCall) -> set[RowKey]:
    """Return the rows that were set; empty where the call only moved totals, or nothing."""
    said = {int(value) if isinstance(value, bool) else value for value in call.arguments.values() if _scalar(value)}
    return {
        key
        for key in before.keys() | after.keys()
        if key not in before or key not in after or _set(before[key], after[key], said)
    }


def ended(before: Rows, after: Rows) -> set[Any]:
    """Return the keys of the rows that were removed, or whose status changed: accounts closed, orders cancelled."""
    return {
        key[0]
        for table, key in before
        if (table, key) not in after or before[table, key].get("status") != after[table, key].get("status")
    }


def named(call: ToolCall) -> set[Any]:
    """Return the texts that a call is given, and so the keys of the rows that it is about."""
    lists = [value if isinstance(value, list) else [value] for value in call.arguments.values()]
    return {value for values in lists for value in values if isinstance(value, str)}


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int)


def _set(old: dict[str, Any], new: dict[str, Any], said: set[Any]) -> bool:
    if old == new:
        return False
    pairs = [(old[column], new[column]) for column in new if new[column] != old[column]]
    return any(not isinstance(now, int) or now in said or {was, now} == _FLAG for was, now in pairs)
