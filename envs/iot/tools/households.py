"""Finding households, and seeing what is in them."""

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
    """A device in a household."""

    device_id: str
    kind: str
    model: str
    room: str
    connection: str


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
    """List a household's devices: id, kind, model, room, and whether the connection is full or restricted."""
    lookup.household(db, household_id)
    rows = db.query("SELECT * FROM devices WHERE household_id = ? ORDER BY id", household_id)
    return {
        "devices": [
            {
                "device_id": row["id"],
                "kind": row["kind"],
                "model": row["model"],
                "room": row["room"],
                "connection": row["connection"],
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
