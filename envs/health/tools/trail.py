"""Telling patients, the accounting of disclosures, and the audit log."""

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import DisclosureId, NoticeChannel, PatientId, Subject, Topic, UserId
from lexgym.errors import Refused
from lexgym.tools.database import Database

_TABLES = (
    "prescriptions",
    "disclosures",
    "copies",
    "emergency_accesses",
    "care_team",
    "refusals",
    "incidents",
    "amendment_requests",
    "authorizations",
    "restrictions",
    "accountings",
    "records",
    "consultations",
)


class Notice(TypedDict):
    """Whether a message reached the patient."""

    notice_id: str
    sent: bool


class AccountingEntry(TypedDict):
    """A disclosure entered in the accounting."""

    entry_id: str


class AuditEntry(TypedDict):
    """An entry in the audit log."""

    audit_id: str


def notify_patient(
    db: Database, *, patient_id: PatientId, topic: Topic, subject: Subject, channel: NoticeChannel = "letter"
) -> Notice:
    """Send a patient a message about a thing of the patient's: an incident, an amendment, a denial, or another.

    It goes by letter unless another way is asked for. Returns `sent`: false if the patient has not agreed to e-mail, or
    does not use the portal. Refused if the thing does not exist or is another patient's.
    """
    row = lookup.patient(db, patient_id)
    if _owner(db, subject) != patient_id:
        raise Refused("no_such_subject", f"patient {patient_id} has nothing with the id {subject}")
    reached = {"letter": 1, "e-mail": row["email_agreed"], "portal": row["portal"]}[channel]
    notice_id = db.new_id("notices")
    db.insert(
        "notices",
        id=notice_id,
        patient_id=patient_id,
        subject=subject,
        topic=topic,
        channel=channel,
        delivered=reached,
        sent_at=db.clock,
    )
    return {"notice_id": notice_id, "sent": bool(reached)}


def record_accounting_entry(db: Database, *, disclosure_id: DisclosureId) -> AccountingEntry:
    """Enter a disclosure in the accounting that the patient can ask for.

    Returns the id of the entry.
    """
    lookup.disclosure(db, disclosure_id)
    entry_id = db.new_id("accounting_entries")
    db.insert("accounting_entries", id=entry_id, disclosure_id=disclosure_id, entered_at=db.clock)
    return {"entry_id": entry_id}


def record_audit_event(db: Database, *, user_id: UserId, subject: Subject) -> AuditEntry:
    """Write into the audit log that a member of staff has acted on a thing, named by its id.

    Returns the id of the entry. Refused if there is nothing with that id.
    """
    lookup.user(db, user_id)
    if _owner(db, subject) is None and db.one("SELECT 1 FROM users WHERE id = ?", subject) is None:
        raise Refused("no_such_subject", f"there is nothing with the id {subject}")
    audit_id = db.new_id("audit_log")
    db.insert("audit_log", id=audit_id, user_id=user_id, subject=subject, recorded_at=db.clock)
    return {"audit_id": audit_id}


def _owner(db: Database, subject: str) -> str | None:
    """The patient of the row with this id; the prefix says in which table it is."""
    for table in _TABLES:
        if subject.startswith(f"{db.schema.prefixes[table]}-"):
            row = db.one(f"SELECT patient_id FROM {table} WHERE id = ?", subject)
            return row["patient_id"] if row else None
    return None
