"""Checks before a record leaves the clinic: who asks, on what ground, how much, over which line."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup, rights
from lexgym.envs.health.tools.types import PatientId, Purpose, RecipientId, RecordId
from lexgym.tools.database import Database

ENTITLED = {
    "treatment": ("hospital",),
    "payment": ("health plan",),
    "public health": ("health department",),
    "required by law": ("court", "health department"),
    "other": ("hospital", "health plan", "health department", "court", "law firm", "employer", "life insurer"),
}
"""Which kinds of organization can ask for records for which purpose."""


class Requester(TypedDict):
    """Whether an organization is who it says, and can ask for this purpose."""

    verified: bool
    finding: Literal["established", "call-back failed", "not entitled for this purpose"]


class AuthorizationCheck(TypedDict):
    """Whether a patient's authorization covers a record and an organization now."""

    valid: bool
    finding: str
    patient_id: str
    category: str


class RestrictionCheck(TypedDict):
    """Whether nothing agreed with a patient stands in the way."""

    clear: bool


class Necessity(TypedDict):
    """Whether a record is no more than a purpose needs."""

    within: bool
    category: str


class Channel(TypedDict):
    """Whether the line to an organization is encrypted now."""

    encrypted: bool
    cipher: str


def verify_requester(db: Database, *, recipient_id: RecipientId, purpose: Purpose) -> Requester:
    """Call an organization back on a known number: is it who it says, and can it ask for records for this purpose?

    Returns `verified`, and the finding: established, call-back failed, or not entitled for this purpose.
    """
    row = lookup.recipient(db, recipient_id)
    if row["identity"] != "established":
        return {"verified": False, "finding": "call-back failed"}
    if row["kind"] not in ENTITLED[purpose]:
        return {"verified": False, "finding": "not entitled for this purpose"}
    return {"verified": True, "finding": "established"}


def check_authorization(db: Database, *, record_id: RecordId, recipient_id: RecipientId) -> AuthorizationCheck:
    """Say whether the patient has signed an authorization that lets this organization have this record now.

    Returns `valid`, the finding (in force, revoked, expired, never signed), the patient and the category of the
    record. An authorization covers the one category of records that it names.
    """
    record = lookup.record(db, record_id)
    lookup.recipient(db, recipient_id)
    finding = rights.state(db, rights.signed(db, record["patient_id"], recipient_id, record["category"]))
    return {
        "valid": finding == "in force",
        "finding": finding,
        "patient_id": record["patient_id"],
        "category": record["category"],
    }


def check_restriction(db: Database, *, patient_id: PatientId, recipient_id: RecipientId) -> RestrictionCheck:
    """Say whether the clinic has agreed with the patient to keep the patient's information from this organization.

    Returns `clear`: true if nothing has been agreed.
    """
    lookup.patient(db, patient_id)
    lookup.recipient(db, recipient_id)
    found = db.one("SELECT 1 FROM restrictions WHERE patient_id = ? AND recipient_id = ?", patient_id, recipient_id)
    return {"clear": found is None}


def check_minimum_necessary(db: Database, *, record_id: RecordId, purpose: Purpose) -> Necessity:
    """Compare a record with the clinic's protocol of what a purpose needs.

    Returns `within`, and the category of the record. For treatment, for what the law requires, and for other
    purposes there is no limit.
    """
    category = lookup.record(db, record_id)["category"]
    found = db.one("SELECT 1 FROM protocols WHERE purpose = ? AND category = ?", purpose, category)
    return {"within": found is not None or purpose not in ("payment", "public health"), "category": category}


def open_encrypted_channel(db: Database, *, recipient_id: RecipientId) -> Channel:
    """Open a line to an organization and negotiate encryption.

    Returns `encrypted`, and the cipher: none if the organization has no key, expired if its certificate has run out.
    """
    lookup.recipient(db, recipient_id)
    row = db.one("SELECT cipher, until FROM channels WHERE recipient_id = ?", recipient_id)
    if row is None:
        return {"encrypted": False, "cipher": "none"}
    if row["until"] <= db.clock:
        return {"encrypted": False, "cipher": "expired"}
    return {"encrypted": True, "cipher": row["cipher"]}
