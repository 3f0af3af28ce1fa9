"""The audit trail's tool in the profile `fair`."""

from typing_extensions import TypedDict

from lexgym.envs.logisafety.session import Events, record
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Entry(TypedDict):
    """An entry of the audit trail."""

    log_entry_id: str


def RecordAuditEvent(db: Database, *, events: Events) -> Entry:
    """Write one audit entry with everything relevant to security that was done; meant to come at the end.

    Refused without an event.
    """
    if not events:
        raise Refused("invalid_request", "there is no event to record")
    return {"log_entry_id": record(db, events)}
