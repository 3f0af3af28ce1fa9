"""The interfaces of devices: what is open on them, and opening and closing it."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import HouseholdId, InterfaceId
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Interface(TypedDict):
    """A network, logical or debug interface of a device."""

    interface_id: str
    device_id: str
    name: str
    kind: Literal["network", "logical", "debug"]
    enabled: bool


class Interfaces(TypedDict):
    """The interfaces of a household's devices."""

    interfaces: list[Interface]


class Need(TypedDict):
    """Whether a service that the household uses needs an interface, and which."""

    needed: bool
    used_by: str | None


def list_interfaces(db: Database, *, household_id: HouseholdId) -> Interfaces:
    """List the interfaces of a household's devices: id, device, name, kind, and whether it is enabled."""
    lookup.household(db, household_id)
    rows = db.query(
        "SELECT i.* FROM interfaces i JOIN devices d ON d.id = i.device_id WHERE d.household_id = ? ORDER BY i.id",
        household_id,
    )
    return {"interfaces": [_interface(row) for row in rows]}


def enable_interface(db: Database, *, household_id: HouseholdId, interface_id: InterfaceId) -> Interface:
    """Enable an interface of a device.

    Returns the interface with its device and kind. Refused if it is not this household's or is enabled.
    """
    return _switch(db, household_id, interface_id, "enabled")


def disable_interface(db: Database, *, household_id: HouseholdId, interface_id: InterfaceId) -> Interface:
    """Disable an interface of a device.

    Returns the interface with its device and kind. Refused if it is not this household's or is disabled.
    """
    return _switch(db, household_id, interface_id, "disabled")


def check_interface(db: Database, *, interface_id: InterfaceId) -> Need:
    """Say whether any service that the household uses needs an interface.

    Returns `needed`, and the service that uses it.
    """
    lookup.interface(db, interface_id)
    [row] = db.query("SELECT used_by FROM interface_uses WHERE interface_id = ?", interface_id)
    return {"needed": row["used_by"] is not None, "used_by": row["used_by"]}


def _switch(db: Database, household_id: str, interface_id: str, status: str) -> Interface:
    row = lookup.interface(db, interface_id, household_id)
    if row["status"] == status:
        raise Refused("unchanged", f"the interface {interface_id} is {status} already")
    db.run("UPDATE interfaces SET status = ? WHERE id = ?", status, interface_id)
    return _interface({**row, "status": status})


def _interface(row: Row) -> Interface:
    return {
        "interface_id": row["id"],
        "device_id": row["device_id"],
        "name": row["name"],
        "kind": row["kind"],
        "enabled": row["status"] == "enabled",
    }
