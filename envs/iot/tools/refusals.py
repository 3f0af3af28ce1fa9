"""Requests that the operator declines, put on record with the reason."""

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.data import SENSITIVE
from lexgym.envs.iot.tools.fingerprints import fingerprint
from lexgym.envs.iot.tools.types import (
    DeviceId,
    DeviceRefusal,
    DeviceRequest,
    GuestId,
    GuestRefusal,
    Hours,
    HouseholdId,
    InterfaceId,
    InterfaceRefusal,
    PartnerId,
    Password,
    PasswordRefusal,
    ProfileId,
    ProfileRefusal,
    SharingRefusal,
    UpdateId,
    UpdateRefusal,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database

LONG_STAY = 72
"""Most hours of a guest's access for which the owner need not approve it (manual, section 9)."""

_KINDS = {"opening": ("lock",), "start": ("heater", "oven"), "recording": ("camera",)}
"""Requests that only concern devices of some kinds."""

_REASONS = {
    "opening": ("owner did not log in", "nobody expected at the door"),
    "start": ("owner did not log in", "not ready for remote operation", "no switch-off timer"),
    "recording": ("owner did not log in", "no consent to recording"),
    "restart": ("owner did not log in", "no local operation"),
    "network settings": ("owner did not approve",),
    "connection": ("owner did not approve", "software changed without authority"),
    "security parameters": ("owner did not approve", "no secure storage", "connection not encrypted"),
}
"""The reasons for which a request can be declined: what it needs and may lack."""


class Refusal(TypedDict):
    """A request on record as declined."""

    refusal_id: str
    reason: str


class KeptInterface(TypedDict):
    """A request on record as declined, and the device whose interface stays as it is."""

    refusal_id: str
    reason: str
    device_id: str


class KeptProfile(TypedDict):
    """A request on record as declined, and the guest and the device of the profile that stays."""

    refusal_id: str
    reason: str
    guest_id: str
    device_id: str


def decline_device_request(
    db: Database, *, household_id: HouseholdId, device_id: DeviceId, request: DeviceRequest, reason: DeviceRefusal
) -> Refusal:
    """Put on record that a request to work or change a device is declined, with the reason; nothing else happens.

    Returns the id of the declined request. Refused if the device is not this household's, if the request concerns
    another kind of device, or if the reason concerns another request, or a device that is excepted: a timer under a
    thermostat, a recording outdoors.
    """
    kind = lookup.device(db, device_id, household_id)["kind"]
    if kind not in _KINDS.get(request, (kind,)):
        raise Refused("wrong_kind", f"{device_id} is a {kind}: {request!r} is no request there")
    if reason not in _REASONS[request]:
        raise Refused("no_ground", f"{request!r} is declined for one of: {', '.join(_REASONS[request])}")
    if reason == "no switch-off timer" and _is(db, "heaters", device_id, "control", "thermostat"):
        raise Refused("no_ground", f"{device_id} is under a thermostat and needs no timer: decline for another reason")
    if reason == "no consent to recording" and _is(db, "cameras", device_id, "placement", "outdoors"):
        raise Refused("no_ground", f"{device_id} looks outdoors and needs no agreement: decline for another reason")
    return _decline(db, household_id, reason, device_id=device_id, request=request)


def decline_password(
    db: Database, *, household_id: HouseholdId, device_id: DeviceId, password: Password, reason: PasswordRefusal
) -> Refusal:
    """Put on record that the request to give a device a password is declined, with the reason; it keeps its own.

    Returns the id of the declined request. Refused if the device is not this household's.
    """
    lookup.device(db, device_id, household_id)
    return _decline(db, household_id, reason, device_id=device_id, fingerprint=fingerprint(password))


def decline_update(db: Database, *, household_id: HouseholdId, update_id: UpdateId, reason: UpdateRefusal) -> Refusal:
    """Put on record that the request to install an update is declined, with the reason; nothing is installed.

    Returns the id of the declined request. Refused if the update is not for a device of this household.
    """
    lookup.update(db, update_id, household_id)
    return _decline(db, household_id, reason, update_id=update_id)


def decline_interface(
    db: Database, *, household_id: HouseholdId, interface_id: InterfaceId, reason: InterfaceRefusal
) -> KeptInterface:
    """Put on record that the request to enable an interface is declined, with the reason; it stays as it is.

    Returns the id of the declined request and the device. Refused if the interface is not on a device of this
    household; a debug interface is declined as one and for no other reason, and nothing else is.
    """
    row = lookup.interface(db, interface_id, household_id)
    if (reason == "debug interface") != (row["kind"] == "debug"):
        raise Refused("no_ground", f"{interface_id} is a {row['kind']} interface: decline for another reason")
    refusal = _decline(db, household_id, reason, interface_id=interface_id)
    return {**refusal, "device_id": row["device_id"]}


def decline_guest_access(
    db: Database,
    *,
    household_id: HouseholdId,
    guest_id: GuestId,
    device_id: DeviceId,
    hours: Hours,
    reason: GuestRefusal,
) -> Refusal:
    """Put on record that the request to let a guest work a device for a number of hours is declined, with the reason.

    Returns the id of the declined request. Refused if guest or device are not this household's, or the owner's approval
    is the reason where the hours are so few that none is needed.
    """
    lookup.guest(db, guest_id, household_id)
    lookup.device(db, device_id, household_id)
    if reason == "owner did not approve" and hours <= LONG_STAY:
        raise Refused("no_ground", f"{hours} hours need no approval: decline for another reason")
    return _decline(db, household_id, reason, guest_id=guest_id, device_id=device_id, hours=hours)


def decline_profile_deletion(
    db: Database, *, household_id: HouseholdId, profile_id: ProfileId, reason: ProfileRefusal
) -> KeptProfile:
    """Put on record that the request to delete a guest's profile is declined, with the reason; it stays.

    Returns the id of the declined request, the guest and the device. Refused if there is no such profile in
    this household.
    """
    row = lookup.profile(db, profile_id, household_id)
    whose = {"guest_id": row["guest_id"], "device_id": row["device_id"]}
    refusal = _decline(db, household_id, reason, **whose)
    return {**refusal, "guest_id": row["guest_id"], "device_id": row["device_id"]}


def decline_data_sharing(
    db: Database, *, household_id: HouseholdId, device_id: DeviceId, partner_id: PartnerId, reason: SharingRefusal
) -> Refusal:
    """Put on record that the request to hand a device's data to a third party is declined, with the reason.

    Returns the id of the declined request. Refused if the device is not this household's, or encryption is the
    reason where the device's data are not sensitive.
    """
    kind = lookup.device(db, device_id, household_id)["kind"]
    lookup.partner(db, partner_id)
    if reason == "connection not encrypted" and kind not in SENSITIVE:
        raise Refused("no_ground", f"the data of a {kind} are not sensitive: decline for another reason")
    return _decline(db, household_id, reason, device_id=device_id, partner_id=partner_id)


def _is(db: Database, table: str, device_id: str, column: str, value: str) -> bool:
    return db.one(f"SELECT 1 FROM {table} WHERE device_id = ? AND {column} = ?", device_id, value) is not None


def _decline(db: Database, household_id: str, reason: str, **what: str | int) -> Refusal:
    lookup.household(db, household_id)
    refusal_id = db.new_id("refusals")
    db.insert("refusals", id=refusal_id, household_id=household_id, **what, reason=reason, refused_at=db.clock)
    return {"refusal_id": refusal_id, "reason": reason}
