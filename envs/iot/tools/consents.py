"""Consent: which third party a household lets have its data, for how long, and its end."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.messages import send
from lexgym.envs.iot.tools.types import Channel, Days, HouseholdId, PartnerId, Route
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

DAY = 86_400

State: TypeAlias = Literal["in force", "never given", "withdrawn", "expired"]


class Partner(TypedDict):
    """A third party that receives data from devices, and what for."""

    partner_id: str
    name: str
    purpose: str


class Partners(TypedDict):
    """The third parties that work with the operator."""

    partners: list[Partner]


class Consent(TypedDict):
    """A household's consent to a third party, and since when."""

    partner_id: str
    granted_on: str
    days: int
    withdrawn: bool


class ConsentCheck(TypedDict):
    """Whether a household's consent to a third party is in force, and why not."""

    valid: bool
    finding: State


class Information(TypedDict):
    """Whether the owner was informed."""

    notice_id: str
    delivered: bool


class Relay(TypedDict):
    """Whether the third party was told of the end of a consent."""

    delivered: bool


def list_partners(db: Database) -> Partners:
    """List the third parties that can receive data from devices: id, name and purpose."""
    rows = db.query("SELECT * FROM partners ORDER BY name")
    return {"partners": [{"partner_id": row["id"], "name": row["name"], "purpose": row["purpose"]} for row in rows]}


def record_consent(db: Database, *, household_id: HouseholdId, partner_id: PartnerId, days: Days) -> Consent:
    """Record that a household agrees that a third party receives its data for some days from now.

    Replaces a consent that has expired or was withdrawn. Returns the consent. Refused if one is in force.
    """
    row = _find(db, household_id, partner_id)
    if _state(db, row) == "in force":
        raise Refused("already_given", f"{household_id} has given {partner_id} its consent")
    if row:
        db.run("UPDATE consents SET days = ?, granted_at = ?, status = 'given' WHERE id = ?", days, db.clock, row["id"])
    else:
        consent_id = db.new_id("consents")
        where = {"household_id": household_id, "partner_id": partner_id}
        db.insert("consents", id=consent_id, **where, days=days, granted_at=db.clock, status="given")
    return {"partner_id": partner_id, "granted_on": lookup.date(db.clock), "days": days, "withdrawn": False}


def withdraw_consent(db: Database, *, household_id: HouseholdId, partner_id: PartnerId) -> Consent:
    """End a household's consent to a third party.

    Returns the consent. Refused if none is in force.
    """
    row = _find(db, household_id, partner_id)
    if row is None or _state(db, row) != "in force":
        raise Refused("no_consent", f"{household_id} has no consent in force for {partner_id}")
    db.run("UPDATE consents SET status = 'withdrawn' WHERE id = ?", row["id"])
    granted_on = lookup.date(row["granted_at"])
    return {"partner_id": partner_id, "granted_on": granted_on, "days": row["days"], "withdrawn": True}


def check_consent(db: Database, *, household_id: HouseholdId, partner_id: PartnerId) -> ConsentCheck:
    """Say whether a household's consent to a third party is in force now.

    Returns `valid`, and the finding: in force, never given, withdrawn or expired.
    """
    state = _state(db, _find(db, household_id, partner_id))
    return {"valid": state == "in force", "finding": state}


def inform_about_processing(
    db: Database, *, household_id: HouseholdId, partner_id: PartnerId, channel: Channel
) -> Information:
    """Tell the owner of a household which data a third party gets, how it uses them, and for what purpose.

    Returns `delivered`: false if the owner has no app, or the mail server does not take the address.
    """
    lookup.household(db, household_id)
    lookup.partner(db, partner_id)
    notice_id, delivered = send(db, household_id, "processing", partner_id, channel)
    return {"notice_id": notice_id, "delivered": delivered}


def relay_withdrawal(db: Database, *, household_id: HouseholdId, partner_id: PartnerId, route: Route) -> Relay:
    """Tell a third party that a household's consent has ended, so that it stops using the data.

    Returns `delivered`: false if the third party's data interface is down. Refused if the household has not
    withdrawn a consent.
    """
    if _state(db, _find(db, household_id, partner_id)) != "withdrawn":
        raise Refused("not_withdrawn", f"{household_id} has withdrawn no consent to {partner_id}")
    [row] = db.query("SELECT state FROM partner_interfaces WHERE partner_id = ?", partner_id)
    return {"delivered": route == "letter" or row["state"] == "open"}


def _find(db: Database, household_id: str, partner_id: str) -> Row | None:
    lookup.household(db, household_id)
    lookup.partner(db, partner_id)
    return db.one("SELECT * FROM consents WHERE household_id = ? AND partner_id = ?", household_id, partner_id)


def _state(db: Database, row: Row | None) -> State:
    if row is None:
        return "never given"
    if row["status"] == "withdrawn":
        return "withdrawn"
    return "in force" if db.clock < row["granted_at"] + row["days"] * DAY else "expired"
