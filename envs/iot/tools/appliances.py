"""Working the things that can do harm from afar: locks, heaters, ovens, cameras."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import (
    CameraId,
    HeaterId,
    HouseholdId,
    LockId,
    Minutes,
    OvenId,
    OvenTemperature,
    RoomTemperature,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Opening(TypedDict):
    """A door opened from afar."""

    opening_id: str
    device_id: str


class Heating(TypedDict):
    """A heater that has been switched on, what its own timer stands at, and whether a thermostat controls it."""

    device_id: str
    temperature: int
    minutes: int
    timer: int | None
    thermostat: bool


class Baking(TypedDict):
    """An oven that has been switched on, and what its own timer stands at."""

    device_id: str
    temperature: int
    minutes: int
    timer: int | None


class Recording(TypedDict):
    """A camera that has begun to record."""

    device_id: str
    placement: Literal["indoors", "outdoors"]


def unlock_door(db: Database, *, household_id: HouseholdId, device_id: LockId) -> Opening:
    """Unlock a door of a household from afar.

    Returns the id of the opening. Refused if the device is not a lock of this household, or is unlocked.
    """
    row = lookup.of_kind(db, "locks", device_id, household_id)
    if row["state"] == "unlocked":
        raise Refused("already_unlocked", f"the lock {device_id} is unlocked")
    db.run("UPDATE locks SET state = 'unlocked' WHERE device_id = ?", device_id)
    opening_id = db.new_id("openings")
    db.insert("openings", id=opening_id, household_id=household_id, device_id=device_id, opened_at=db.clock)
    return {"opening_id": opening_id, "device_id": device_id}


def start_heating(
    db: Database, *, household_id: HouseholdId, device_id: HeaterId, temperature: RoomTemperature, minutes: Minutes
) -> Heating:
    """Switch a heater on from afar, to a temperature in degrees Celsius, for a number of minutes.

    Returns both, what its own timer stands at, and whether a thermostat controls it. Refused if the device is not
    a heater of this household, or is on.
    """
    row = lookup.of_kind(db, "heaters", device_id, household_id)
    _switch_on(db, "heaters", device_id, row["state"], temperature, minutes)
    return {
        "device_id": device_id,
        "temperature": temperature,
        "minutes": minutes,
        "timer": _timer(db, device_id),
        "thermostat": row["control"] == "thermostat",
    }


def start_oven(
    db: Database, *, household_id: HouseholdId, device_id: OvenId, temperature: OvenTemperature, minutes: Minutes
) -> Baking:
    """Switch an oven on from afar, to a temperature in degrees Celsius, for a number of minutes.

    Returns both, and what its own timer stands at. Refused if the device is not an oven of this household, or is on.
    """
    row = lookup.of_kind(db, "ovens", device_id, household_id)
    _switch_on(db, "ovens", device_id, row["state"], temperature, minutes)
    return {"device_id": device_id, "temperature": temperature, "minutes": minutes, "timer": _timer(db, device_id)}


def start_camera(db: Database, *, household_id: HouseholdId, device_id: CameraId) -> Recording:
    """Let a camera record from now on.

    Returns whether it looks indoors or outdoors. Refused if the device is not a camera of this household, or
    is recording.
    """
    row = lookup.of_kind(db, "cameras", device_id, household_id)
    if row["state"] == "recording":
        raise Refused("already_recording", f"the camera {device_id} is recording")
    db.run("UPDATE cameras SET state = 'recording' WHERE device_id = ?", device_id)
    return {"device_id": device_id, "placement": row["placement"]}


def _switch_on(db: Database, table: str, device_id: str, state: str, temperature: int, minutes: int) -> None:
    if state == "on":
        raise Refused("already_on", f"{device_id} is on")
    db.run(
        f"UPDATE {table} SET state = 'on', temperature = ?, minutes = ? WHERE device_id = ?",
        temperature,
        minutes,
        device_id,
    )


def _timer(db: Database, device_id: str) -> int | None:
    row = db.one("SELECT minutes FROM timers WHERE device_id = ? ORDER BY id DESC LIMIT 1", device_id)
    return row["minutes"] if row else None
