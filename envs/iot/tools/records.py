"""Telling owners, and keeping the event log."""

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.messages import send
from lexgym.envs.iot.tools.types import Channel, HouseholdId, Subject, Topic
from lexgym.errors import Refused
from lexgym.tools.database import Database

_TABLES = (
    "devices",
    "openings",
    "restarts",
    "telemetry_batches",
    "guest_profiles",
    "consents",
    "data_shares",
    "erasures",
    "refusals",
)


class Notice(TypedDict):
    """Whether a message reached the owner."""

    notice_id: str
    delivered: bool


class Entry(TypedDict):
    """An entry in the event log."""

    entry_id: str


def notify_owner(
    db: Database, *, household_id: HouseholdId, topic: Topic, subject: Subject, channel: Channel
) -> Notice:
    """Send the owner of a household a message about a thing of the household's: a device, an erasure, or another.

    Returns `delivered`: false if the owner has no app, or the mail server does not take the address. Refused
    if the thing does not exist or is another household's.
    """
    lookup.household(db, household_id)
    if _household_of(db, subject) != household_id:
        raise Refused("no_such_subject", f"household {household_id} has nothing with the id {subject}")
    notice_id, delivered = send(db, household_id, topic, subject, channel)
    return {"notice_id": notice_id, "delivered": delivered}


def record_event(db: Database, *, subject: Subject) -> Entry:
    """Write an entry about an opening, a guest's profile, a handover of data or another thing into the event log.

    Returns the entry's id. Refused if there is nothing with that id.
    """
    household_id = _household_of(db, subject)
    if household_id is None:
        raise Refused("no_such_subject", f"there is nothing with the id {subject}")
    entry_id = db.new_id("event_log")
    db.insert("event_log", id=entry_id, household_id=household_id, subject=subject, recorded_at=db.clock)
    return {"entry_id": entry_id}


def _household_of(db: Database, subject: str) -> str | None:
    """The household of the row with this id; the prefix says in which table it is."""
    for table in _TABLES:
        if subject.startswith(f"{db.schema.prefixes[table]}-"):
            row = db.one(f"SELECT household_id FROM {table} WHERE id = ?", subject)
            return row["household_id"] if row else None
    return None
