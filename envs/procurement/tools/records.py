"""Telling requesters and suppliers, and keeping the procurement file."""

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import StaffChannel, Subject, SupplierChannel
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

RETIRED_DOMAIN = "@oldmail.example"
"""A mail provider that has closed: its addresses take no mail."""

_FILED = (
    "purchase_requests",
    "quotations",
    "allocations",
    "claims",
    "orders",
    "order_changes",
    "receipts",
    "rejections",
    "invoices",
    "payments",
    "withholdings",
    "refusals",
    "turned_down",
    "bank_changes",
)
_SUPPLIER_OF = {
    "orders": "SELECT supplier_id FROM orders WHERE id = ?",
    "invoices": "SELECT o.supplier_id FROM invoices i JOIN orders o ON o.id = i.order_id WHERE i.id = ?",
    "bank_changes": "SELECT supplier_id FROM bank_changes WHERE id = ?",
    "quotations": "SELECT supplier_id FROM quotations WHERE id = ?",
}


class Notice(TypedDict):
    """Whether a message arrived."""

    notice_id: str
    sent: bool


class FileEntry(TypedDict):
    """An entry in the procurement file."""

    entry_id: str


def notify_requester(db: Database, *, subject: Subject, channel: StaffChannel = "internal post") -> Notice:
    """Tell the requester of a purchase that was refused that it was, and why; the subject is the refusal.

    Internal post is the default and always arrives.

    Returns `sent`: false if the requester is absent (intranet) or has no mailbox (e-mail). Refused if there is
    no such refusal.
    """
    row = db.one(
        "SELECT e.* FROM refusals f JOIN purchase_requests r ON r.id = f.request_id "
        "JOIN employees e ON e.id = r.requester_id WHERE f.id = ?",
        subject,
    )
    if row is None:
        raise Refused("no_such_subject", f"there is no refusal {subject}")
    return _send(db, subject, row["id"], channel, _reaches_employee(db, row, channel))


def notify_supplier(db: Database, *, subject: Subject, channel: SupplierChannel = "registered letter") -> Notice:
    """Write to the supplier of an order, invoice, quotation or announced change of bank details about it.

    Returns `sent`: false if the supplier does not use the portal, or the mail server does not take the
    address. Refused if there is nothing with that id that a supplier would be told of.
    """
    table = _table(db, subject)
    found = db.one(_SUPPLIER_OF[table], subject) if table in _SUPPLIER_OF else None
    if found is None:
        raise Refused("no_such_subject", f"no supplier would be told of {subject}")
    supplier = lookup.find(db, "suppliers", found["supplier_id"])
    return _send(db, subject, supplier["id"], channel, _reaches_supplier(supplier, channel))


def record_file_entry(db: Database, *, subject: Subject) -> FileEntry:
    """Enter an order, payment, receipt, refusal or other thing in the procurement file, with its papers.

    Returns the entry's id. Refused if there is nothing with that id.
    """
    table = _table(db, subject)
    if table is None or db.one(f"SELECT 1 FROM {table} WHERE id = ?", subject) is None:
        raise Refused("no_such_subject", f"there is nothing with the id {subject}")
    entry_id = db.new_id("file_entries")
    db.insert("file_entries", id=entry_id, subject=subject, recorded_at=db.clock)
    return {"entry_id": entry_id}


def _table(db: Database, subject: str) -> str | None:
    """The table whose prefix the id has."""
    return next((table for table in _FILED if subject.startswith(f"{db.schema.prefixes[table]}-")), None)


def _reaches_employee(db: Database, employee: Row, channel: str) -> bool:
    if channel == "intranet":
        return (employee["absent_until"] or 0) <= db.clock
    return channel == "internal post" or employee["email"] is not None


def _reaches_supplier(supplier: Row, channel: str) -> bool:
    if channel == "supplier portal":
        return bool(supplier["uses_portal"])
    return channel == "registered letter" or not supplier["email"].endswith(RETIRED_DOMAIN)


def _send(db: Database, subject: str, recipient: str, channel: str, delivered: bool) -> Notice:
    notice_id = db.new_id("notices")
    db.insert(
        "notices",
        id=notice_id,
        subject=subject,
        recipient=recipient,
        channel=channel,
        delivered=int(delivered),
        sent_at=db.clock,
    )
    return {"notice_id": notice_id, "sent": delivered}
