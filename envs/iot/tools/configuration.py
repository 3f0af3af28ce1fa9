"""Changing what a device's security depends on: passwords, network settings, connection, parameters."""

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.fingerprints import fingerprint
from lexgym.envs.iot.tools.types import (
    DeviceId,
    Host,
    HouseholdId,
    Password,
    SecurityParameter,
    Setting,
    VaultEntry,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database


class PasswordChange(TypedDict):
    """A device whose password was changed."""

    device_id: str


class NetworkSetting(TypedDict):
    """A network setting of a device after the change."""

    device_id: str
    setting: str
    host: str


class Connection(TypedDict):
    """A device's connection: full, or restricted to the operator's alarm service."""

    device_id: str
    connection: str


class Restart(TypedDict):
    """A restart of a device."""

    restart_id: str
    device_id: str


class Parameter(TypedDict):
    """A security parameter that a device holds now."""

    device_id: str
    parameter: str
    vault_entry: str


def set_device_password(
    db: Database, *, household_id: HouseholdId, device_id: DeviceId, password: Password
) -> PasswordChange:
    """Replace the password that protects a device.

    Refused if the device is not this household's or has this password already.
    """
    lookup.device(db, device_id, household_id)
    [row] = db.query("SELECT fingerprint FROM passwords WHERE device_id = ?", device_id)
    if row["fingerprint"] == fingerprint(password):
        raise Refused("unchanged", f"{device_id} has this password already")
    db.run(
        "UPDATE passwords SET fingerprint = ?, changed_at = ? WHERE device_id = ?",
        fingerprint(password),
        db.clock,
        device_id,
    )
    return {"device_id": device_id}


def change_network_setting(
    db: Database, *, household_id: HouseholdId, device_id: DeviceId, setting: Setting, host: Host
) -> NetworkSetting:
    """Point a device at another DNS server, time server, update server or remote access gateway.

    Returns the setting. Refused if the device is not this household's or uses this host already.
    """
    lookup.device(db, device_id, household_id)
    where = "WHERE device_id = ? AND setting = ?"
    row = db.one(f"SELECT host FROM network_settings {where}", device_id, setting)
    if row is None:
        db.insert("network_settings", device_id=device_id, setting=setting, host=host)
    elif row["host"] == host:
        raise Refused("unchanged", f"the {setting} of {device_id} is {host} already")
    else:
        db.run(f"UPDATE network_settings SET host = ? {where}", host, device_id, setting)
    return {"device_id": device_id, "setting": setting, "host": host}


def connect_device(db: Database, *, household_id: HouseholdId, device_id: DeviceId) -> Connection:
    """Lift the restriction of a device's connection, so that it reaches home network and internet again.

    Returns the connection. Refused if the device is not this household's or its connection is full.
    """
    return _set_connection(db, household_id, device_id, "full")


def isolate_device(db: Database, *, household_id: HouseholdId, device_id: DeviceId) -> Connection:
    """Restrict a device's connection to the operator's alarm service.

    Returns the connection. Refused if the device is not this household's or is restricted already.
    """
    return _set_connection(db, household_id, device_id, "restricted")


def restart_device(db: Database, *, household_id: HouseholdId, device_id: DeviceId) -> Restart:
    """Restart a device from afar; it loses power and network for a moment.

    Returns the id of the restart. Refused if the device is not this household's.
    """
    lookup.device(db, device_id, household_id)
    restart_id = db.new_id("restarts")
    db.insert("restarts", id=restart_id, household_id=household_id, device_id=device_id, restarted_at=db.clock)
    return {"restart_id": restart_id, "device_id": device_id}


def store_parameter(
    db: Database,
    *,
    household_id: HouseholdId,
    device_id: DeviceId,
    parameter: SecurityParameter,
    vault_entry: VaultEntry,
) -> Parameter:
    """Send a security parameter from an entry of the operator's vault to a device, which stores it.

    Replaces what the device had before. Returns what it holds now. Refused if the device is not this
    household's or has this entry already.
    """
    lookup.device(db, device_id, household_id)
    where = "WHERE device_id = ? AND parameter = ?"
    row = db.one(f"SELECT vault_entry FROM parameters {where}", device_id, parameter)
    if row is None:
        db.insert("parameters", device_id=device_id, parameter=parameter, vault_entry=vault_entry)
    elif row["vault_entry"] == vault_entry:
        raise Refused("unchanged", f"{device_id} holds {vault_entry} as its {parameter} already")
    else:
        db.run(f"UPDATE parameters SET vault_entry = ? {where}", vault_entry, device_id, parameter)
    return {"device_id": device_id, "parameter": parameter, "vault_entry": vault_entry}


def _set_connection(db: Database, household_id: str, device_id: str, connection: str) -> Connection:
    if lookup.device(db, device_id, household_id)["connection"] == connection:
        raise Refused("unchanged", f"the connection of {device_id} is {connection} already")
    db.run("UPDATE devices SET connection = ? WHERE id = ?", connection, device_id)
    return {"device_id": device_id, "connection": connection}
