"""Finding the rows that a call names, or refusing: no such row, one of another patient, or in the wrong state."""

import hashlib
from datetime import UTC, datetime

from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

CLINICAL = ("physician", "nurse")
"""The roles that treat patients."""


def _row(db: Database, table: str, what: str, key: str, patient_id: str | None = None) -> Row:
    row = db.one(f"SELECT * FROM {table} WHERE id = ?", key)
    if row is None or patient_id not in (None, row.get("patient_id")):
        owner = f" of patient {patient_id}" if patient_id else ""
        raise Refused(f"no_such_{what.replace(' ', '_')}", f"there is no {what} {key}{owner}")
    return row


def user(db: Database, user_id: str) -> Row:
    """Return the member of staff, or refuse with `no_such_user`."""
    return _row(db, "users", "user", user_id)


def clinician(db: Database, user_id: str) -> Row:
    """Return the physician or nurse, or refuse with `no_such_user` or `not_clinical`."""
    row = user(db, user_id)
    if row["role"] not in CLINICAL:
        raise Refused("not_clinical", f"{user_id} is neither physician nor nurse")
    return row


def patient(db: Database, patient_id: str) -> Row:
    """Return the patient, or refuse with `no_such_patient`."""
    return _row(db, "patients", "patient", patient_id)


def doctor(db: Database, doctor_id: str) -> Row:
    """Return the doctor, or refuse with `no_such_doctor`."""
    return _row(db, "doctors", "doctor", doctor_id)


def contact(db: Database, contact_id: str, patient_id: str | None = None) -> Row:
    """Return the relative or representative, or refuse with `no_such_contact`."""
    return _row(db, "contacts", "contact", contact_id, patient_id)


def record(db: Database, record_id: str, patient_id: str | None = None) -> Row:
    """Return the chart record, or refuse with `no_such_record`."""
    return _row(db, "records", "record", record_id, patient_id)


def recipient(db: Database, recipient_id: str) -> Row:
    """Return the organization, or refuse with `no_such_recipient`."""
    return _row(db, "recipients", "recipient", recipient_id)


def disclosure(db: Database, disclosure_id: str, patient_id: str | None = None) -> Row:
    """Return the disclosure, or refuse with `no_such_disclosure`."""
    return _row(db, "disclosures", "disclosure", disclosure_id, patient_id)


def incident(db: Database, incident_id: str) -> Row:
    """Return the incident, or refuse with `no_such_incident`."""
    return _row(db, "incidents", "incident", incident_id)


def emergency_access(db: Database, emergency_id: str) -> Row:
    """Return the emergency access, or refuse with `no_such_emergency_access`."""
    return _row(db, "emergency_accesses", "emergency access", emergency_id)


def amendment_request(db: Database, amendment_id: str, patient_id: str | None = None) -> Row:
    """Return the request to amend a record, or refuse with `no_such_amendment_request`."""
    return _row(db, "amendment_requests", "amendment request", amendment_id, patient_id)


def open_amendment_request(db: Database, amendment_id: str, patient_id: str) -> Row:
    """Return the open request to amend a record, or refuse, also with `already_answered`."""
    row = amendment_request(db, amendment_id, patient_id)
    if row["status"] != "open":
        raise Refused("already_answered", f"the amendment request {amendment_id} has been {row['status']}")
    return row


def open_release_request(db: Database, request_id: str, patient_id: str) -> Row:
    """Return the open request for a record, or refuse with `no_such_release_request` or `already_answered`."""
    row = _row(db, "release_requests", "release request", request_id, patient_id)
    if row["status"] != "open":
        raise Refused("already_answered", f"the request {request_id} has been {row['status']}")
    return row


def prescription(db: Database, prescription_id: str, patient_id: str) -> Row:
    """Return the active prescription, or refuse with `no_such_prescription` or `already_cancelled`."""
    row = _row(db, "prescriptions", "prescription", prescription_id, patient_id)
    if row["status"] == "cancelled":
        raise Refused("already_cancelled", f"the prescription {prescription_id} is cancelled")
    return row


def authorization(db: Database, authorization_id: str, patient_id: str) -> Row:
    """Return the signed authorization, or refuse with `no_such_authorization`."""
    return _row(db, "authorizations", "authorization", authorization_id, patient_id)


def on_team(db: Database, patient_id: str, user_id: str) -> bool:
    """Return whether a member of staff is on a patient's care team now."""
    sql = "SELECT 1 FROM care_team WHERE patient_id = ? AND user_id = ? AND status = 'active'"
    return db.one(sql, patient_id, user_id) is not None


def has_emergency_access(db: Database, patient_id: str, user_id: str) -> bool:
    """Return whether a patient's chart was opened to a member of staff in an emergency."""
    sql = "SELECT 1 FROM emergency_accesses WHERE patient_id = ? AND user_id = ?"
    return db.one(sql, patient_id, user_id) is not None


def full_name(row: Row) -> str:
    """Return first and last name of a user or patient."""
    return f"{row['first_name']} {row['last_name']}"


def digest(content: str) -> str:
    """Return the seal of a record's content."""
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def date(seconds: int) -> str:
    """Return the day of a time as an ISO date."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
