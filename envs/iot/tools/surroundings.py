"""Checks of what is around an appliance before it is worked from afar, and the timer that ends it."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import CameraId, DeviceId, LockId, Minutes
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Doorstep(TypedDict):
    """Whether someone whom the household expects stands at the door, and who else does."""

    expected: bool
    finding: Literal["expected visitor", "nobody", "stranger"]


class RemoteStart(TypedDict):
    """Whether an appliance may be switched on from afar now, and why not."""

    ready: bool
    finding: Literal["ready", "remote mode off", "covered or open", "child alone"]


class Timer(TypedDict):
    """Whether the appliance will switch itself off."""

    set: bool
    minutes: int


class RecordingConsent(TypedDict):
    """Whether everybody in view of a camera has agreed to be recorded."""

    consented: bool
    finding: Literal["all agree", "somebody objects", "not asked"]


def check_doorstep(db: Database, *, device_id: LockId) -> Doorstep:
    """Look through the bell camera at a lock and compare who stands there with whom the household expects.

    Returns `expected`, and the finding: expected visitor, nobody or stranger.
    """
    lookup.of_kind(db, "locks", device_id)
    finding = lookup.conditions(db, device_id)["doorstep"]
    return {"expected": finding == "expected visitor", "finding": finding}


def check_remote_start(db: Database, *, device_id: DeviceId) -> RemoteStart:
    """Say whether a heater or an oven is set by hand for remote operation, free around it, and not left to a child.

    Returns `ready`, and the finding: ready, remote mode off, covered or open, or child alone. Refused if the
    device does not heat.
    """
    finding = lookup.conditions(db, device_id)["remote_start"]
    if finding is None:
        raise Refused("wrong_kind", f"{device_id} is neither a heater nor an oven")
    return {"ready": finding == "ready", "finding": finding}


def set_switch_off_timer(db: Database, *, device_id: DeviceId, minutes: Minutes) -> Timer:
    """Set the timer in a heater or an oven that switches it off after a number of minutes.

    Returns `set`: false if the appliance has no such timer. Refused if the device does not heat, or is on: its timer
    runs by then.
    """
    timer = lookup.conditions(db, device_id)["timer"]
    if timer is None:
        raise Refused("wrong_kind", f"{device_id} is neither a heater nor an oven")
    if _runs(db, device_id):
        raise Refused("already_on", f"{device_id} is on: its timer can be set only before")
    if timer == "works":
        db.insert("timers", id=db.new_id("timers"), device_id=device_id, minutes=minutes, set_at=db.clock)
    return {"set": timer == "works", "minutes": minutes}


def check_recording_consent(db: Database, *, device_id: CameraId) -> RecordingConsent:
    """Say whether everybody who lives or stays in view of a camera has agreed to be recorded by it.

    Returns `consented`, and the finding: all agree, somebody objects or not asked.
    """
    lookup.of_kind(db, "cameras", device_id)
    finding = lookup.conditions(db, device_id)["recording"]
    return {"consented": finding == "all agree", "finding": finding}


def _runs(db: Database, device_id: str) -> bool:
    heating = "SELECT device_id, state FROM heaters UNION SELECT device_id, state FROM ovens"
    return db.one(f"SELECT 1 FROM ({heating}) WHERE device_id = ? AND state = 'on'", device_id) is not None
