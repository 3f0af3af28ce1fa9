"""The state of the smart lock as tools read and change it, in both profiles."""

from typing import Any

from typing_extensions import TypedDict

from lexgym.envs.logisafety.ids import new_id
from lexgym.tools.database import Database


class Guest(TypedDict):
    """Somebody who may be let in."""

    guest_id: str
    guest_name: str
    guest_email: str
    has_access: bool


class Entry(TypedDict):
    """Somebody who was let in."""

    guest_id: str
    guest_name: str
    guest_email: str
    access_time: str


def status(db: Database) -> str:
    """Return `locked` or `unlocked`."""
    row = db.one("SELECT status FROM lock")
    return str(row["status"]) if row else "locked"


def turn(db: Database, to: str) -> None:
    """Lock or unlock the door."""
    db.run("UPDATE lock SET status = ?", to)


def guests(db: Database, name_keyword: str) -> list[Guest]:
    """Return the guests with this in their name, whatever the case."""
    rows = db.query("SELECT guest_id, guest_name, guest_email, has_access FROM guests ORDER BY rowid")
    return [_guest(row) for row in rows if name_keyword.lower() in row["guest_name"].lower()]


def known(db: Database, guest_ids: list[str]) -> list[str]:
    """Return those of the ids that are a guest's."""
    return [one for one in guest_ids if db.one("SELECT 1 FROM guests WHERE guest_id = ?", one)]


def add(db: Database, guest_name: str, guest_email: str) -> str:
    """Add a guest without access and return the id; as released, an id that was drawn twice is given twice."""
    found = new_id(db, "guests")
    change = "guest_name = excluded.guest_name, guest_email = excluded.guest_email, has_access = 0"
    insert = f"INSERT INTO guests VALUES (?, ?, ?, 0) ON CONFLICT (guest_id) DO UPDATE SET {change}"
    db.run(insert, found, guest_name, guest_email)
    return found


def delete(db: Database, guest_ids: list[str]) -> bool:
    """Remove the guests that there are; whether there was one."""
    return sum(db.run("DELETE FROM guests WHERE guest_id = ?", one) for one in guest_ids) > 0


def grant(db: Database, guest_ids: list[str]) -> bool:
    """Let the guests in that there are; whether there was one."""
    return sum(db.run("UPDATE guests SET has_access = 1 WHERE guest_id = ?", one) for one in guest_ids) > 0


def revoke(db: Database, guest_ids: list[str]) -> bool:
    """Let the guests in no longer; whether one of them had access."""
    change = "UPDATE guests SET has_access = 0 WHERE guest_id = ? AND has_access = 1"
    return sum(db.run(change, one) for one in guest_ids) > 0


def generate(db: Database, start_time: str, end_time: str) -> str:
    """Make an access code and return it."""
    found = new_id(db, "access_codes")
    db.insert("access_codes", code=found, start_time=start_time, end_time=end_time, is_active=1)
    return found


def disable(db: Database, access_code: str) -> bool:
    """Make an access code useless; whether it was in use."""
    return db.run("UPDATE access_codes SET is_active = 0 WHERE code = ? AND is_active = 1", access_code) > 0


def _guest(row: dict[str, Any]) -> Guest:
    return {
        "guest_id": row["guest_id"],
        "guest_name": row["guest_name"],
        "guest_email": row["guest_email"],
        "has_access": bool(row["has_access"]),
    }
