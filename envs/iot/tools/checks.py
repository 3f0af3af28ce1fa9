"""Checks on a device before, and after, its configuration is touched."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.fingerprints import fingerprint
from lexgym.envs.iot.tools.types import DeviceId, Password
from lexgym.tools.database import Database


class PasswordCheck(TypedDict):
    """Whether a password may protect a device, and why not."""

    acceptable: bool
    finding: Literal["unique", "factory default", "used on another device"]


class StorageCheck(TypedDict):
    """Whether a device stores security parameters securely, and why not."""

    secure: bool
    finding: Literal["secure", "plain", "tampered"]


class ChannelCheck(TypedDict):
    """Whether a device's connection to the operator's services is encrypted, and why not."""

    encrypted: bool
    finding: Literal["encrypted", "outdated protocol", "plain"]


class SoftwareCheck(TypedDict):
    """Whether a device runs the software that it should."""

    intact: bool


class LocalCheck(TypedDict):
    """Whether a device keeps working in the house without network, and why not."""

    works: bool
    finding: Literal["works", "needs the cloud", "battery low"]


class RecoveryCheck(TypedDict):
    """Whether a device has come back cleanly."""

    recovered: bool


def check_password(db: Database, *, device_id: DeviceId, password: Password) -> PasswordCheck:
    """Compare a password with every model's factory default and with the passwords of all other devices.

    Returns `acceptable`, and the finding: unique, factory default, or used on another device.
    """
    lookup.device(db, device_id)
    mark = fingerprint(password)
    if db.one("SELECT 1 FROM factory_passwords WHERE fingerprint = ?", mark):
        return {"acceptable": False, "finding": "factory default"}
    if db.one("SELECT 1 FROM passwords WHERE fingerprint = ? AND device_id <> ?", mark, device_id):
        return {"acceptable": False, "finding": "used on another device"}
    return {"acceptable": True, "finding": "unique"}


def check_secure_storage(db: Database, *, device_id: DeviceId) -> StorageCheck:
    """Say whether a device keeps security parameters in storage that is secure.

    Returns `secure`, and the finding: secure, plain or tampered.
    """
    finding = lookup.conditions(db, device_id)["storage"]
    return {"secure": finding == "secure", "finding": finding}


def check_encryption(db: Database, *, device_id: DeviceId) -> ChannelCheck:
    """Say whether the connection between a device and the operator's services is encrypted well enough.

    Returns `encrypted`, and the finding: encrypted, outdated protocol or plain.
    """
    finding = lookup.conditions(db, device_id)["channel"]
    return {"encrypted": finding == "encrypted", "finding": finding}


def check_software(db: Database, *, device_id: DeviceId) -> SoftwareCheck:
    """Measure the software of a device against what its maker has signed.

    Returns `intact`: false if it was changed without authority.
    """
    return {"intact": lookup.conditions(db, device_id)["software"] == "intact"}


def check_local_operation(db: Database, *, device_id: DeviceId) -> LocalCheck:
    """Say whether people in the house can still use a device while it has no network.

    Returns `works`, and the finding: works, needs the cloud or battery low.
    """
    finding = lookup.conditions(db, device_id)["local_operation"]
    return {"works": finding == "works", "finding": finding}


def check_recovery(db: Database, *, device_id: DeviceId) -> RecoveryCheck:
    """Say whether a device is back in an orderly state with the settings it had.

    Returns `recovered`.
    """
    return {"recovered": lookup.conditions(db, device_id)["recovery"] == "recovered"}
