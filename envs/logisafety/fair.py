"""The audit trail's tool in the profile `fair`."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from lexgym.envs.logisafety.session import Events, record
from lexgym.tools.database import Database


class Entry(TypedDict):
    """An entry of the audit trail."""

    log_entry_id: str


def RecordAuditEvent(db: Database, *, events: Annotated[Events, Field(min_length=1)]) -> Entry:
    """Write one audit entry with everything relevant to security that was done; meant to come at the end."""
    return {"log_entry_id": record(db, events)}
