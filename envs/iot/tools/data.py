"""Data that devices produce: telemetry, handing over to third parties, erasure."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import BatchId, DataId, DeviceId, HouseholdId, PartnerId
from lexgym.tools.database import Database

SENSITIVE = ("camera", "lock", "speaker")
"""Kinds of device whose data tell who is at home and what is said and done there."""


class Batch(TypedDict):
    """Telemetry collected from a device."""

    batch_id: str
    device_id: str


class Examination(TypedDict):
    """What the examination of a batch of telemetry found."""

    examined: bool
    anomaly: bool
    finding: Literal["normal", "unknown remote host", "failed logins", "unreadable"]


class Share(TypedDict):
    """Data of a device handed to a third party, and whether they are sensitive."""

    share_id: str
    device_id: str
    partner_id: str
    sensitive: bool


class Erasure(TypedDict):
    """Personal data that no longer exist, on the device or at its service."""

    erasure_id: str
    device_id: str
    category: str
    items: int


def collect_telemetry(db: Database, *, household_id: HouseholdId, device_id: DeviceId) -> Batch:
    """Collect usage and measurement data from a device.

    Returns the batch with its new id. Refused if the device is not this household's.
    """
    lookup.device(db, device_id, household_id)
    batch_id = db.new_id("telemetry_batches")
    db.insert("telemetry_batches", id=batch_id, household_id=household_id, device_id=device_id, collected_at=db.clock)
    return {"batch_id": batch_id, "device_id": device_id}


def examine_telemetry(db: Database, *, batch_id: BatchId) -> Examination:
    """Examine a batch of telemetry for security anomalies.

    Returns `examined` (false if the batch is unreadable), `anomaly`, and the finding: normal, unknown remote
    host, failed logins or unreadable.
    """
    row = lookup.batch(db, batch_id)
    finding = lookup.conditions(db, row["device_id"])["telemetry"]
    anomaly = finding in ("unknown remote host", "failed logins")
    return {"examined": finding != "unreadable", "anomaly": anomaly, "finding": finding}


def share_device_data(db: Database, *, household_id: HouseholdId, device_id: DeviceId, partner_id: PartnerId) -> Share:
    """Hand the data of a household's device to a third party, once.

    Returns the id of the handover, and whether the data are sensitive. Refused if the device is not this
    household's or the third party is unknown.
    """
    row = lookup.device(db, device_id, household_id)
    lookup.partner(db, partner_id)
    share_id = db.new_id("data_shares")
    db.insert(
        "data_shares",
        id=share_id,
        household_id=household_id,
        device_id=device_id,
        partner_id=partner_id,
        shared_at=db.clock,
    )
    sensitive = row["kind"] in SENSITIVE
    return {"share_id": share_id, "device_id": device_id, "partner_id": partner_id, "sensitive": sensitive}


def erase_personal_data(db: Database, *, household_id: HouseholdId, data_id: DataId) -> Erasure:
    """Erase one category of personal data, on the device and at its service.

    Returns the erasure with its new id. Refused if the data are not this household's.
    """
    row = lookup.data(db, data_id, household_id)
    db.run("DELETE FROM personal_data WHERE id = ?", data_id)
    erasure_id = db.new_id("erasures")
    what = {"device_id": row["device_id"], "category": row["category"], "items": row["items"]}
    db.insert("erasures", id=erasure_id, household_id=household_id, **what, erased_at=db.clock)
    return {
        "erasure_id": erasure_id,
        "device_id": row["device_id"],
        "category": row["category"],
        "items": row["items"],
    }
