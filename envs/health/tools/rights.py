"""What patients can ask for about their information: authorizations, restrictions, accountings."""

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import (
    AuthorizationId,
    Category,
    PatientId,
    RecipientId,
    UserId,
    ValidDays,
    Years,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

DAY = 86_400


class Authorization(TypedDict):
    """A patient's signed permission that an organization gets one kind of record."""

    authorization_id: str
    patient_id: str
    recipient_id: str
    category: str
    signed_on: str
    days: int
    revoked: bool
    user_id: str


class Authorizations(TypedDict):
    """The authorizations of a patient."""

    authorizations: list[Authorization]


class Restriction(TypedDict):
    """A promise to a patient that an organization does not get the patient's information."""

    restriction_id: str
    patient_id: str
    recipient_id: str
    user_id: str


class AccountingLine(TypedDict):
    """One disclosure as an accounting lists it: when, to whom, what, and for which purpose."""

    sent_on: str
    recipient: str
    record: str
    purpose: str


class Accounting(TypedDict):
    """An accounting of disclosures that a patient was given."""

    accounting_id: str
    patient_id: str
    user_id: str
    entries: list[AccountingLine]


def list_authorizations(db: Database, *, user_id: UserId, patient_id: PatientId) -> Authorizations:
    """List the authorizations that a patient has signed, for a member of staff.

    Each with its id, organization, category of records, day of signature, days of validity, and whether revoked.
    """
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    rows = db.query("SELECT * FROM authorizations WHERE patient_id = ? ORDER BY id", patient_id)
    return {"authorizations": [_authorization(row) for row in rows]}


def file_authorization(
    db: Database,
    *,
    user_id: UserId,
    patient_id: PatientId,
    recipient_id: RecipientId,
    category: Category,
    days: ValidDays,
) -> Authorization:
    """File the form by which a patient permits that an organization gets one category of the patient's records.

    Replaces one that has run out or was revoked. Returns the authorization. Refused if one is in force.
    """
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    lookup.recipient(db, recipient_id)
    old = signed(db, patient_id, recipient_id, category)
    if state(db, old) == "in force":
        raise Refused("already_in_force", f"{recipient_id} is permitted to get the {category} of {patient_id} already")
    if old:
        db.run(
            "UPDATE authorizations SET user_id = ?, days = ?, signed_at = ?, status = 'signed' WHERE id = ?",
            user_id,
            days,
            db.clock,
            old["id"],
        )
        return _authorization({**old, "user_id": user_id, "days": days, "signed_at": db.clock, "status": "signed"})
    row = {
        "id": db.new_id("authorizations"),
        "patient_id": patient_id,
        "recipient_id": recipient_id,
        "user_id": user_id,
        "category": category,
        "days": days,
        "signed_at": db.clock,
        "status": "signed",
    }
    db.insert("authorizations", **row)
    return _authorization(row)


def revoke_authorization(
    db: Database, *, user_id: UserId, patient_id: PatientId, authorization_id: AuthorizationId
) -> Authorization:
    """File a patient's letter that revokes an authorization.

    Returns the authorization. Refused if it is another patient's or was revoked before.
    """
    lookup.user(db, user_id)
    row = lookup.authorization(db, authorization_id, patient_id)
    if row["status"] == "revoked":
        raise Refused("already_revoked", f"the authorization {authorization_id} was revoked before")
    db.run("UPDATE authorizations SET status = 'revoked', user_id = ? WHERE id = ?", user_id, authorization_id)
    return _authorization({**row, "status": "revoked", "user_id": user_id})


def agree_restriction(
    db: Database, *, user_id: UserId, patient_id: PatientId, recipient_id: RecipientId
) -> Restriction:
    """Agree with a patient that an organization gets nothing of the patient's for treatment or payment.

    Returns the restriction with its new id. Refused if it has been agreed before.
    """
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    lookup.recipient(db, recipient_id)
    if db.one("SELECT 1 FROM restrictions WHERE patient_id = ? AND recipient_id = ?", patient_id, recipient_id):
        raise Refused("already_agreed", f"this restriction about {recipient_id} has been agreed before")
    restriction_id = db.new_id("restrictions")
    row = {"patient_id": patient_id, "recipient_id": recipient_id, "user_id": user_id}
    db.insert("restrictions", id=restriction_id, agreed_at=db.clock, **row)
    return {
        "restriction_id": restriction_id,
        "patient_id": patient_id,
        "recipient_id": recipient_id,
        "user_id": user_id,
    }


def issue_accounting(db: Database, *, user_id: UserId, patient_id: PatientId, years: Years) -> Accounting:
    """Give a patient the accounting of the disclosures of the last so many years.

    Returns the id of the accounting and what it lists: disclosures for public health or required by law that no
    authorization covered when they were sent, and all that were reported as gone astray.
    """
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    accounting_id = db.new_id("accountings")
    db.insert("accountings", id=accounting_id, patient_id=patient_id, user_id=user_id, years=years, given_at=db.clock)
    return {
        "accounting_id": accounting_id,
        "patient_id": patient_id,
        "user_id": user_id,
        "entries": _accountable(db, patient_id, db.clock - years * 365 * DAY),
    }


def state(db: Database, row: Row | None) -> str:
    """Return whether an authorization is in force, revoked, expired, or never signed."""
    if row is None:
        return "never signed"
    if row["status"] == "revoked":
        return "revoked"
    return "in force" if db.clock < row["signed_at"] + row["days"] * DAY else "expired"


def authorized(db: Database, patient_id: str, recipient_id: str, category: str) -> bool:
    """Return whether the patient's authorization for this organization and category of records is in force."""
    return state(db, signed(db, patient_id, recipient_id, category)) == "in force"


def signed(db: Database, patient_id: str, recipient_id: str, category: str) -> Row | None:
    """Return the authorization for this organization and category of records, whatever has become of it."""
    sql = "SELECT * FROM authorizations WHERE patient_id = ? AND recipient_id = ? AND category = ?"
    return db.one(sql, patient_id, recipient_id, category)


def _accountable(db: Database, patient_id: str, since: int) -> list[AccountingLine]:
    rows = db.query(
        "SELECT d.sent_at, d.purpose, o.name, r.category, r.title FROM disclosures d "
        "JOIN recipients o ON o.id = d.recipient_id JOIN records r ON r.id = d.record_id "
        "WHERE d.patient_id = ? AND d.sent_at > ? AND (d.id IN (SELECT disclosure_id FROM incidents) "
        "OR (d.purpose IN ('public health', 'required by law') AND d.authorized = 0)) ORDER BY d.sent_at, d.id",
        patient_id,
        since,
    )
    return [
        {
            "sent_on": lookup.date(row["sent_at"]),
            "recipient": row["name"],
            "record": f"{row['title']} ({row['category']})",
            "purpose": row["purpose"],
        }
        for row in rows
    ]


def _authorization(row: Row) -> Authorization:
    return {
        "authorization_id": row["id"],
        "patient_id": row["patient_id"],
        "recipient_id": row["recipient_id"],
        "category": row["category"],
        "signed_on": lookup.date(row["signed_at"]),
        "days": row["days"],
        "revoked": row["status"] == "revoked",
        "user_id": row["user_id"],
    }
