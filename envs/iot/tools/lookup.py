"""Finding the rows that a call names, or refusing: no such row, or a row of another household."""

from datetime import UTC, datetime

from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


def household(db: Database, household_id: str) -> Row:
    """Return the household, or refuse with `no_such_household`."""
    return _row(db, "households", household_id, "household")


def device(db: Database, device_id: str, household_id: str | None = None) -> Row:
    """Return the device, or refuse with `no_such_device` if there is none or it is another household's."""
    return _row(db, "devices", device_id, "device", household_id)


def of_kind(db: Database, table: str, device_id: str, household_id: str | None = None) -> Row:
    """Return what the table of one kind of device says of it, or refuse with `wrong_kind`."""
    device(db, device_id, household_id)
    row = db.one(f"SELECT * FROM {table} WHERE device_id = ?", device_id)
    if row is None:
        raise Refused("wrong_kind", f"{device_id} is not one of the {table}")
    return row


def update(db: Database, update_id: str, household_id: str | None = None) -> Row:
    """Return the update, or refuse with `no_such_update`."""
    return _of_device(db, "updates", update_id, "update", household_id)


def interface(db: Database, interface_id: str, household_id: str | None = None) -> Row:
    """Return the interface, or refuse with `no_such_interface`."""
    return _of_device(db, "interfaces", interface_id, "interface", household_id)


def guest(db: Database, guest_id: str, household_id: str | None = None) -> Row:
    """Return the guest, or refuse with `no_such_guest`."""
    return _row(db, "guests", guest_id, "guest", household_id)


def profile(db: Database, profile_id: str, household_id: str) -> Row:
    """Return the guest's profile, or refuse with `no_such_profile`."""
    return _row(db, "guest_profiles", profile_id, "profile", household_id)


def batch(db: Database, batch_id: str) -> Row:
    """Return the batch of telemetry, or refuse with `no_such_batch`."""
    return _row(db, "telemetry_batches", batch_id, "batch")


def data(db: Database, data_id: str, household_id: str) -> Row:
    """Return the category of personal data, or refuse with `no_such_data`."""
    return _row(db, "personal_data", data_id, "data", household_id)


def partner(db: Database, partner_id: str) -> Row:
    """Return the third party, or refuse with `no_such_partner`."""
    return _row(db, "partners", partner_id, "partner")


def conditions(db: Database, device_id: str) -> Row:
    """Return what can be found out about a device, or refuse with `no_such_device`."""
    device(db, device_id)
    return db.query("SELECT * FROM device_conditions WHERE device_id = ?", device_id)[0]


def date(seconds: int) -> str:
    """Return the day of a time as an ISO date."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _row(db: Database, table: str, key: str, what: str, household_id: str | None = None) -> Row:
    row = db.one(f"SELECT * FROM {table} WHERE id = ?", key)
    if row is None or household_id not in (None, row.get("household_id")):
        owner = f" of household {household_id}" if household_id else ""
        raise Refused(f"no_such_{what}", f"there is no {what} {key}{owner}")
    return row


def _of_device(db: Database, table: str, key: str, what: str, household_id: str | None) -> Row:
    row = db.one(f"SELECT t.*, d.household_id FROM {table} t JOIN devices d ON d.id = t.device_id WHERE t.id = ?", key)
    if row is None or household_id not in (None, row["household_id"]):
        owner = f" of household {household_id}" if household_id else ""
        raise Refused(f"no_such_{what}", f"there is no {what} {key}{owner}")
    return row
