"""Guests of a household: who they are, and what they may work, on which device and for how long."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import DeviceId, GuestId, Hours, HouseholdId, ProfileId
from lexgym.errors import Refused
from lexgym.tools.database import Database

UseFinding: TypeAlias = Literal["orderly", "outside the hours", "forced attempts"]


class Guest(TypedDict):
    """A guest whom a household has named."""

    guest_id: str
    name: str
    phone: str


class Guests(TypedDict):
    """The guests of a household."""

    guests: list[Guest]


class Profile(TypedDict):
    """A guest's profile on one device; hours count from when it was granted."""

    profile_id: str
    guest_id: str
    device_id: str
    hours: int


class Profiles(TypedDict):
    """The profiles of guests on a household's devices."""

    profiles: list[Profile]


class Identification(TypedDict):
    """Whether a guest is the person named, and why not."""

    identified: bool
    finding: Literal["valid", "expired", "name differs"]


class Use(TypedDict):
    """Whether a guest has used a device as agreed, and what else was seen."""

    orderly: bool
    finding: UseFinding


class Revocation(TypedDict):
    """Whether a device has dropped a guest's key."""

    revoked: bool


def list_guests(db: Database, *, household_id: HouseholdId) -> Guests:
    """List the guests whom a household has named: id, name and phone number."""
    lookup.household(db, household_id)
    rows = db.query("SELECT * FROM guests WHERE household_id = ? ORDER BY id", household_id)
    return {
        "guests": [
            {"guest_id": row["id"], "name": f"{row['first_name']} {row['last_name']}", "phone": row["phone"]}
            for row in rows
        ]
    }


def list_guest_profiles(db: Database, *, household_id: HouseholdId) -> Profiles:
    """List the profiles that guests have on a household's devices: id, guest, device and hours."""
    lookup.household(db, household_id)
    rows = db.query("SELECT * FROM guest_profiles WHERE household_id = ? ORDER BY id", household_id)
    return {
        "profiles": [
            {
                "profile_id": row["id"],
                "guest_id": row["guest_id"],
                "device_id": row["device_id"],
                "hours": row["hours"],
            }
            for row in rows
        ]
    }


def grant_guest_access(
    db: Database, *, household_id: HouseholdId, guest_id: GuestId, device_id: DeviceId, hours: Hours
) -> Profile:
    """Let a guest work a device of a household for a number of hours from now.

    Returns the profile with its new id. Refused if guest or device are not this household's, or the guest has
    a profile on the device.
    """
    lookup.guest(db, guest_id, household_id)
    lookup.device(db, device_id, household_id)
    if db.one("SELECT 1 FROM guest_profiles WHERE guest_id = ? AND device_id = ?", guest_id, device_id):
        raise Refused("profile_exists", f"the guest {guest_id} has a profile on {device_id}")
    profile_id = db.new_id("guest_profiles")
    db.insert(
        "guest_profiles",
        id=profile_id,
        household_id=household_id,
        guest_id=guest_id,
        device_id=device_id,
        hours=hours,
        granted_at=db.clock,
    )
    return {"profile_id": profile_id, "guest_id": guest_id, "device_id": device_id, "hours": hours}


def delete_guest_profile(db: Database, *, household_id: HouseholdId, profile_id: ProfileId) -> Profile:
    """Delete a guest's profile on a device from the household's records.

    Returns what the profile was. Refused if there is no such profile in this household.
    """
    row = lookup.profile(db, profile_id, household_id)
    db.run("DELETE FROM guest_profiles WHERE id = ?", profile_id)
    return {
        "profile_id": profile_id,
        "guest_id": row["guest_id"],
        "device_id": row["device_id"],
        "hours": row["hours"],
    }


def identify_guest(db: Database, *, guest_id: GuestId) -> Identification:
    """Compare a guest's identity document with the name that the household has given.

    Returns `identified`, and the finding: valid, expired or name differs.
    """
    lookup.guest(db, guest_id)
    [row] = db.query("SELECT document FROM guest_identities WHERE guest_id = ?", guest_id)
    return {"identified": row["document"] == "valid", "finding": row["document"]}


def revoke_guest_key(db: Database, *, guest_id: GuestId, device_id: DeviceId) -> Revocation:
    """Make a device drop the key by which a guest works it.

    Returns `revoked`: false if the device's key store cannot be reached.
    """
    lookup.guest(db, guest_id)
    revoked = lookup.conditions(db, device_id)["key_store"] == "reachable"
    db.insert(
        "key_revocations",
        id=db.new_id("key_revocations"),
        guest_id=guest_id,
        device_id=device_id,
        revoked=int(revoked),
        sent_at=db.clock,
    )
    return {"revoked": revoked}


def check_guest_use(db: Database, *, household_id: HouseholdId, profile_id: ProfileId) -> Use:
    """Look through what a device has recorded of its use under a guest's profile.

    Returns `orderly`, and the finding: orderly, outside the hours, or forced attempts. Refused if there is no
    such profile in this household.
    """
    profile = lookup.profile(db, profile_id, household_id)
    row = db.one(
        "SELECT finding FROM guest_uses WHERE guest_id = ? AND device_id = ?", profile["guest_id"], profile["device_id"]
    )
    finding: UseFinding = row["finding"] if row else "orderly"
    return {"orderly": finding == "orderly", "finding": finding}
