"""The audit trail's tool in the profile `as_released`."""

from typing_extensions import TypedDict

from lexgym.envs.logisafety.session import Events, record
from lexgym.tools.database import Database


class Entry(TypedDict):
    """An entry of the audit trail."""

    log_entry_id: str
    success: bool


def RecordAuditEvent(db: Database, *, events: Events) -> Entry:
    """Write one audit entry with everything relevant to security that was done; meant to come at the end."""
    return {"log_entry_id": record(db, events), "success": True}
