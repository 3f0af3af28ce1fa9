"""States of the benchmark as tables, and tables as states.

    rows = tables("smart_lock", state, cents=False)      # {"guests": [{"guest_id": "guest_1", …}], "lock": …}
    state("smart_lock", rows)                            # {"guests": {"guest_1": {…}}, "lock": {…}, …}

A state is the nested JSON that the benchmark keeps: `{"guests": {"guest_1": {"guest_id": "guest_1", …}}, …}`.
"""

import json
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, TypeAlias

from lexgym.errors import CheckoutError, near_miss

Rows: TypeAlias = dict[str, list[dict[str, Any]]]

FIELDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "bank_manager": {
        "accounts": ("account_number", "account_type", "balance", "status"),
        "payees": ("payee_id", "payee_name"),
    },
    "teladoc": {
        "doctors": ("doctor_id", "name", "specialty", "location"),
        "appointments": ("appointment_id", "doctor_id", "date", "time", "reason", "status"),
        "consultations": ("consultation_id", "doctor_id", "reason"),
        "prescriptions": ("prescription_request_id", "medication_name", "dosage", "status", "doctor_id"),
    },
    "smart_lock": {
        "guests": ("guest_id", "guest_name", "guest_email", "has_access"),
        "access_codes": ("code", "start_time", "end_time", "is_active"),
    },
}
"""The tables of each toolkit whose rows are objects under their id, which is the first field."""

APART: Mapping[str, tuple[str, ...]] = {
    "bank_manager": (),
    "teladoc": ("user_info", "reviews"),
    "smart_lock": ("lock",),
}
"""The parts of a state that are of another form."""

OPTIONAL = {"accounts": ("remaining_contribution_room",), "consultations": ("messages",)}
MONEY = ("balance", "remaining_contribution_room")
FLAGS = ("has_access", "is_active")

MOST = 10**12
"""Largest amount that is read, in dollars."""


def tables(toolkit: str, found: Mapping[str, Any], where: str, *, cents: bool) -> Rows:
    """Return a state as rows, money in cents where asked; raise `CheckoutError` for what no table has a place for."""
    known = (*FIELDS[toolkit], *APART[toolkit], "audit_logs")
    for name in found:
        if name not in known:
            raise CheckoutError(f"{where}: no table for {name!r}{near_miss(name, known)}")
    rows: Rows = {"audit_logs": _audit_logs(found, where)}
    for table, fields in FIELDS[toolkit].items():
        rows[table] = [
            _row(table, fields, key, entry, where, cents=cents) for key, entry in _entries(found, table, where)
        ]
    try:
        rows |= _APART[toolkit](found)
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckoutError(f"{where}: a state of {toolkit} of another form: {error}") from None
    for table, held in rows.items():
        for name, value in (pair for row in held for pair in row.items()):
            if not _storable(value):
                raise CheckoutError(f"{where}: {table} has {str(value)[:40]!r} as {name!r}, which no column holds")
    return rows


def state(toolkit: str, rows: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return rows, money in dollars, as the benchmark's state; a doctor without reviews is not in it."""
    found: dict[str, Any] = {
        table: {row[fields[0]]: _shown(row) for row in rows[table]} for table, fields in FIELDS[toolkit].items()
    }
    if "audit_logs" in rows:
        found["audit_logs"] = {
            row["log_entry_id"]: {"log_entry_id": row["log_entry_id"], "events": json.loads(row["events"])}
            for row in rows["audit_logs"]
        }
    if toolkit == "smart_lock":
        found["lock"] = {"status": rows["lock"][0]["status"]}
    if toolkit == "teladoc":
        found["user_info"] = {row["field"]: json.loads(row["value"]) for row in rows["user_info"]}
        for row in found["consultations"].values():
            row["messages"] = [
                {"sender": message["sender"], "content": message["content"]}
                for message in rows["messages"]
                if message["consultation_id"] == row["consultation_id"]
            ]
        found["reviews"] = {}
        for row in rows["reviews"]:
            shown = {key: value for key, value in row.items() if key not in ("doctor_id", "place")}
            found["reviews"].setdefault(row["doctor_id"], []).append(shown)
    return found


def new_ids(toolkit: str, initial: Rows, target: Rows) -> dict[str, list[str]]:
    """Return, for each table, the ids that the target has and the initial state has not, sorted."""
    found = {}
    for table, key in {
        **{name: fields[0] for name, fields in FIELDS[toolkit].items()},
        "audit_logs": "log_entry_id",
    }.items():
        known = {row[key] for row in initial.get(table, ())}
        found[table] = sorted(row[key] for row in target[table] if row[key] not in known)
    return {table: ids for table, ids in found.items() if ids}


def queue(ids: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """Return the rows of the table from which the released mock's new ids are taken."""
    return [
        {"kind": table, "place": place, "id": each, "taken": 0}
        for table, waiting in sorted(ids.items())
        for place, each in enumerate(waiting, 1)
    ]


def _entries(found: Mapping[str, Any], table: str, where: str) -> list[tuple[str, Mapping[str, Any]]]:
    entries = found.get(table, {})
    if not isinstance(entries, Mapping) or not all(isinstance(entry, Mapping) for entry in entries.values()):
        raise CheckoutError(f"{where}: {table!r} is not a mapping from ids to objects")
    return list(entries.items())


def _row(
    table: str, fields: tuple[str, ...], key: str, entry: Mapping[str, Any], where: str, *, cents: bool
) -> dict[str, Any]:
    optional = OPTIONAL.get(table, ())
    if set(entry) - {*fields, *optional} or set(fields) - set(entry):
        raise CheckoutError(f"{where}: {table} {key!r} has the fields {', '.join(entry)}, not {', '.join(fields)}")
    if entry[fields[0]] != key:
        raise CheckoutError(f"{where}: {table} {key!r} says that it is {entry[fields[0]]!r}")
    row = {name: entry.get(name) for name in (*fields, *(name for name in optional if name != "messages"))}
    return {name: _stored(name, value, f"{where}: {table} {key!r}", cents) for name, value in row.items()}


def _stored(name: str, value: Any, where: str, cents: bool) -> Any:
    if name in FLAGS:
        if not isinstance(value, bool):
            raise CheckoutError(f"{where}: {name!r} is {str(value)[:40]!r}, neither true nor false")
        return int(value)
    if name not in MONEY or (value is None and name in OPTIONAL["accounts"]):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > MOST:
        raise CheckoutError(f"{where}: {name!r} is {str(value)[:40]!r}, not an amount of dollars up to {MOST:,}")
    return int((Decimal(str(value)) * 100).quantize(Decimal(1), ROUND_HALF_EVEN)) if cents else float(value)


def _storable(value: Any) -> bool:
    return value is None or isinstance(value, str | float) or (isinstance(value, int) and abs(value) < 2**63)


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: bool(value) if name in FLAGS else value
        for name, value in row.items()
        if value is not None or name != "remaining_contribution_room"
    }


def _audit_logs(found: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    rows = []
    for key, log in _entries(found, "audit_logs", where):
        events = log.get("events")
        if not isinstance(events, list) or not all(isinstance(event, str) for event in events):
            raise CheckoutError(
                f"{where}: audit log {key!r} has {str(events)[:40]!r} as its events, not a list of texts"
            )
        rows.append({"log_entry_id": key, "events": json.dumps(events)})
    return rows


def _lock(found: Mapping[str, Any]) -> Rows:
    return {"lock": [{"id": 1, "status": found["lock"]["status"]}]}


def _clinic(found: Mapping[str, Any]) -> Rows:
    return {
        "user_info": [{"field": key, "value": json.dumps(value)} for key, value in found["user_info"].items()],
        "messages": [
            {"consultation_id": key, "place": place, "sender": message["sender"], "content": message["content"]}
            for key, consultation in found.get("consultations", {}).items()
            for place, message in enumerate(consultation.get("messages", ()), 1)
        ],
        "reviews": [
            {
                "doctor_id": doctor,
                "place": place,
                "reviewer_name": review["reviewer_name"],
                "rating": review["rating"],
                "review_content": review["review_content"],
            }
            for doctor, reviews in found.get("reviews", {}).items()
            for place, review in enumerate(reviews, 1)
        ],
    }


_APART: Mapping[str, Callable[[Mapping[str, Any]], Rows]] = {
    "bank_manager": lambda found: {},
    "teladoc": _clinic,
    "smart_lock": _lock,
}
