"""Requests that the operator declines, put on record with the reason."""

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import (
    DeviceId,
    DeviceRefusal,
    GuestId,
    GuestRefusal,
    HouseholdId,
    InterfaceId,
    InterfaceRefusal,
    PartnerId,
    ProfileId,
    ProfileRefusal,
    SharingRefusal,
    UpdateId,
    UpdateRefusal,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database

_KINDS = {
    "nobody expected at the door": ("lock",),
    "not ready for remote operation": ("heater", "oven"),
    "no switch-off timer": ("heater", "oven"),
    "no consent to recording": ("camera",),
}
"""Reasons that only concern devices of some kinds."""


class Refusal(TypedDict):
    """A request on record as declined."""

    refusal_id: str
    reason: str


def decline_device_request(
    db: Database, *, household_id: HouseholdId, device_id: DeviceId, reason: DeviceRefusal
) -> Refusal:
    """Put on record that a request to work or change a device is declined, with the reason; nothing else happens.

    Returns the id of the declined request. Refused if the device is not this household's, or the reason
    concerns another kind of device.
    """
    kind = lookup.device(db, device_id, household_id)["kind"]
    if kind not in _KINDS.get(reason, (kind,)):
        raise Refused("wrong_kind", f"{device_id} is a {kind}: {reason!r} is no reason there")
    return _decline(db, household_id, reason, device_id=device_id)


def decline_update(db: Database, *, household_id: HouseholdId, update_id: UpdateId, reason: UpdateRefusal) -> Refusal:
    """Put on record that the request to install an update is declined, with the reason; nothing is installed.

    Returns the id of the declined request. Refused if the update is not for a device of this household.
    """
    lookup.update(db, update_id, household_id)
    return _decline(db, household_id, reason, update_id=update_id)


def decline_interface(
    db: Database, *, household_id: HouseholdId, interface_id: InterfaceId, reason: InterfaceRefusal
) -> Refusal:
    """Put on record that the request to enable an interface is declined, with the reason; it stays as it is.

    Returns the id of the declined request. Refused if the interface is not on a device of this household.
    """
    lookup.interface(db, interface_id, household_id)
    return _decline(db, household_id, reason, interface_id=interface_id)


def decline_guest_access(
    db: Database, *, household_id: HouseholdId, guest_id: GuestId, device_id: DeviceId, reason: GuestRefusal
) -> Refusal:
    """Put on record that the request to let a guest work a device is declined, with the reason.

    Returns the id of the declined request. Refused if guest or device are not this household's.
    """
    lookup.guest(db, guest_id, household_id)
    lookup.device(db, device_id, household_id)
    return _decline(db, household_id, reason, guest_id=guest_id, device_id=device_id)


def decline_profile_deletion(
    db: Database, *, household_id: HouseholdId, profile_id: ProfileId, reason: ProfileRefusal
) -> Refusal:
    """Put on record that the request to delete a guest's profile is declined, with the reason; it stays.

    Returns the id of the declined request. Refused if there is no such profile in this household.
    """
    row = lookup.profile(db, profile_id, household_id)
    return _decline(db, household_id, reason, guest_id=row["guest_id"], device_id=row["device_id"])


def decline_data_sharing(
    db: Database, *, household_id: HouseholdId, device_id: DeviceId, partner_id: PartnerId, reason: SharingRefusal
) -> Refusal:
    """Put on record that the request to hand a device's data to a third party is declined, with the reason.

    Returns the id of the declined request. Refused if the device is not this household's.
    """
    lookup.device(db, device_id, household_id)
    lookup.partner(db, partner_id)
    return _decline(db, household_id, reason, device_id=device_id, partner_id=partner_id)


def _decline(db: Database, household_id: str, reason: str, **what: str) -> Refusal:
    lookup.household(db, household_id)
    refusal_id = db.new_id("refusals")
    db.insert("refusals", id=refusal_id, household_id=household_id, **what, reason=reason, refused_at=db.clock)
    return {"refusal_id": refusal_id, "reason": reason}
