"""Software updates: what is available, whether a package can be trusted, telling the user, installing."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.messages import send
from lexgym.envs.iot.tools.types import Channel, HouseholdId, UpdateId, UpdateTopic
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Update(TypedDict):
    """An update that is available for a device."""

    update_id: str
    device_id: str
    version: str
    fixes: str
    security: bool
    interrupts: bool


class Updates(TypedDict):
    """The updates that are available for a household's devices."""

    updates: list[Update]


class Installation(TypedDict):
    """An installed update: whether it closes a security hole, and whether the device was out of use meanwhile."""

    update_id: str
    device_id: str
    version: str
    security: bool
    interrupts: bool


class PackageCheck(TypedDict):
    """Whether an update package is authentic and undamaged, and why not."""

    valid: bool
    finding: Literal["valid", "signature invalid", "checksum mismatch", "publisher not trusted"]


class Announcement(TypedDict):
    """Whether the user was told about an update."""

    notice_id: str
    delivered: bool


def list_updates(db: Database, *, household_id: HouseholdId) -> Updates:
    """List the updates that are available for a household's devices: what they fix, whether they interrupt."""
    lookup.household(db, household_id)
    rows = db.query(
        "SELECT u.* FROM updates u JOIN devices d ON d.id = u.device_id "
        "WHERE d.household_id = ? AND u.status = 'available' ORDER BY u.id",
        household_id,
    )
    return {
        "updates": [
            {
                "update_id": row["id"],
                "device_id": row["device_id"],
                "version": row["version"],
                "fixes": row["fixes"],
                "security": row["security"] == 1,
                "interrupts": row["interrupts"] == 1,
            }
            for row in rows
        ]
    }


def install_update(db: Database, *, household_id: HouseholdId, update_id: UpdateId) -> Installation:
    """Install an available update on its device, over the network.

    Returns the device, the new version, whether it is a security update, and whether the device was out of
    use meanwhile. Refused if the update is not for a device of this household or is installed.
    """
    row = lookup.update(db, update_id, household_id)
    if row["status"] == "installed":
        raise Refused("already_installed", f"the update {update_id} is installed")
    db.run("UPDATE updates SET status = 'installed' WHERE id = ?", update_id)
    db.run("UPDATE devices SET firmware = ? WHERE id = ?", row["version"], row["device_id"])
    return {
        "update_id": update_id,
        "device_id": row["device_id"],
        "version": row["version"],
        "security": row["security"] == 1,
        "interrupts": row["interrupts"] == 1,
    }


def verify_update(db: Database, *, update_id: UpdateId) -> PackageCheck:
    """Check the signature of an update package against the maker's key, and its checksum.

    Returns `valid`, and the finding: valid, signature invalid, checksum mismatch or publisher not trusted.
    """
    lookup.update(db, update_id)
    [row] = db.query("SELECT finding FROM update_packages WHERE update_id = ?", update_id)
    return {"valid": row["finding"] == "valid", "finding": row["finding"]}


def announce_update(
    db: Database,
    *,
    household_id: HouseholdId,
    update_id: UpdateId,
    topic: UpdateTopic,
    channel: Channel,
) -> Announcement:
    """Tell the owner of a household about an update: which risks it mitigates, or that it interrupts the device.

    Returns `delivered`: false if the owner has no app, or the mail server does not take the address. Refused
    if the update is not for a device of this household.
    """
    lookup.update(db, update_id, household_id)
    notice_id, delivered = send(db, household_id, topic, update_id, channel)
    return {"notice_id": notice_id, "delivered": delivered}
