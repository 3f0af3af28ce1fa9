"""Finding households, and seeing what is in them."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import HouseholdId, Surname
from lexgym.tools.database import Database


class Household(TypedDict):
    """A household that the operator looks after."""

    household_id: str
    surname: str
    owner: str
    street: str
    city: str


class Households(TypedDict):
    """The households found."""

    households: list[Household]


class Device(TypedDict):
    """A device in a household: where a camera looks, and what controls a heater."""

    device_id: str
    kind: str
    model: str
    room: str
    connection: str
    placement: Literal["indoors", "outdoors"] | None
    control: Literal["thermostat", "timer"] | None


class Devices(TypedDict):
    """The devices of a household."""

    devices: list[Device]


class Data(TypedDict):
    """A category of personal data that a device and its service keep."""

    data_id: str
    device_id: str
    category: str
    items: int


class PersonalData(TypedDict):
    """The personal data kept about a household."""

    data: list[Data]


def find_households(db: Database, *, surname: Surname) -> Households:
    """Find households by surname.

    Returns id, surname, owner and address of every household with that surname; an empty list if there is none.
    """
    rows = db.query("SELECT * FROM households WHERE surname = ? COLLATE NOCASE ORDER BY id", surname)
    return {
        "households": [
            {
                "household_id": row["id"],
                "surname": row["surname"],
                "owner": row["owner"],
                "street": row["street"],
                "city": row["city"],
            }
            for row in rows
        ]
    }


def list_devices(db: Database, *, household_id: HouseholdId) -> Devices:
    """List a household's devices: id, kind, model, room, connection, placement of cameras, control of heating.

    The connection is full or restricted. The placement (indoors or outdoors) is null for all but cameras. The
    control of a heater is thermostat, or timer if only a switch-off timer could end its heating, as for every
    oven; null for all others.
    """
    lookup.household(db, household_id)
    rows = db.query(
        "SELECT d.*, c.placement, h.control FROM devices d LEFT JOIN cameras c ON c.device_id = d.id "
        "LEFT JOIN heaters h ON h.device_id = d.id WHERE d.household_id = ? ORDER BY d.id",
        household_id,
    )
    return {
        "devices": [
            {
                "device_id": row["id"],
                "kind": row["kind"],
                "model": row["model"],
                "room": row["room"],
                "connection": row["connection"],
                "placement": row["placement"],
                "control": "timer" if row["kind"] == "oven" else row["control"],
            }
            for row in rows
        ]
    }


def list_personal_data(db: Database, *, household_id: HouseholdId) -> PersonalData:
    """List the personal data that a household's devices and their services keep, by device and category."""
    lookup.household(db, household_id)
    rows = db.query("SELECT * FROM personal_data WHERE household_id = ? ORDER BY id", household_id)
    return {
        "data": [
            {
                "data_id": row["id"],
                "device_id": row["device_id"],
                "category": row["category"],
                "items": row["items"],
            }
            for row in rows
        ]
    }
