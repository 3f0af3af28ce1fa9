"""Telling customers, and keeping the audit log."""

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import Channel, CustomerId, Subject, Topic
from lexgym.errors import Refused
from lexgym.tools.database import Database

RETIRED_DOMAIN = "@oldpost.example"
"""A mail provider that has closed: its addresses take no mail."""

_TABLES = ("payments", "standing_orders", "cards", "disputes", "refusals", "consents", "data_shares", "payees")


class Notification(TypedDict):
    """Whether a message reached the customer."""

    notification_id: str
    sent: bool


class AuditEntry(TypedDict):
    """An entry in the audit log, and the customer it stands under."""

    audit_id: str
    customer_id: str


def notify_customer(
    db: Database, *, customer_id: CustomerId, topic: Topic, subject: Subject, channel: Channel
) -> Notification:
    """Send a customer a message about a thing of the customer's: a blocked card, a refused order, or another.

    Returns `sent`: false if the customer has no device with the app or has turned its messages off, or if the
    mail server does not take the address.
    Refused if the thing does not exist or is another customer's.
    """
    lookup.customer(db, customer_id)
    if _owner(db, subject) != customer_id:
        raise Refused("no_such_subject", f"customer {customer_id} has nothing with the id {subject}")
    delivered = _reaches(db, customer_id, channel)
    notification_id = db.new_id("notifications")
    db.insert(
        "notifications",
        id=notification_id,
        customer_id=customer_id,
        topic=topic,
        subject=subject,
        channel=channel,
        delivered=int(delivered),
        sent_at=db.clock,
    )
    return {"notification_id": notification_id, "sent": delivered}


def record_audit_event(db: Database, *, subject: Subject) -> AuditEntry:
    """Write an entry about a payment, dispute, refused order, card or other thing into the audit log.

    Returns the entry's id, and whose thing it is about. Refused if there is nothing with that id.
    """
    owner = _owner(db, subject)
    if owner is None:
        raise Refused("no_such_subject", f"there is nothing with the id {subject}")
    audit_id = db.new_id("audit_log")
    db.insert("audit_log", id=audit_id, customer_id=owner, subject=subject, recorded_at=db.clock)
    return {"audit_id": audit_id, "customer_id": owner}


def _owner(db: Database, subject: str) -> str | None:
    """The customer of the row with this id; the prefix says in which table it is."""
    for table in _TABLES:
        if subject.startswith(f"{db.schema.prefixes[table]}-"):
            row = db.one(f"SELECT customer_id FROM {table} WHERE id = ?", subject)
            return row["customer_id"] if row else None
    return None


def _reaches(db: Database, customer_id: str, channel: str) -> bool:
    if channel == "app":
        return bool(db.query("SELECT 1 FROM sca_devices WHERE customer_id = ? AND messages = 'on'", customer_id))
    if channel == "e-mail":
        return not lookup.customer(db, customer_id)["email"].endswith(RETIRED_DOMAIN)
    return True
