"""Requests of patients to have a record amended."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import AmendmentDenial, AmendmentId, PatientId, UserId
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

Finding: TypeAlias = Literal["author agrees", "accurate and complete", "not created here", "psychotherapy notes"]


class AmendmentRequest(TypedDict):
    """A patient's request to have a record amended."""

    amendment_id: str
    record_id: str
    wish: str
    received_on: str
    status: Literal["open", "accepted", "denied"]


class AmendmentRequests(TypedDict):
    """The requests of a patient to have records amended."""

    amendments: list[AmendmentRequest]


class Answer(TypedDict):
    """The answer to a request to have a record amended."""

    amendment_id: str
    patient_id: str
    record_id: str
    status: Literal["accepted", "denied"]
    user_id: str


class AmendmentCheck(TypedDict):
    """Whether a record has to be amended as the patient wishes, or why not."""

    amendable: bool
    reason: Finding


def list_amendment_requests(db: Database, *, user_id: UserId, patient_id: PatientId) -> AmendmentRequests:
    """List a patient's requests to have records amended, for a member of staff: id, record, wish, day, status."""
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    rows = db.query("SELECT * FROM amendment_requests WHERE patient_id = ? ORDER BY id", patient_id)
    return {
        "amendments": [
            {
                "amendment_id": row["id"],
                "record_id": row["record_id"],
                "wish": row["wish"],
                "received_on": lookup.date(row["received_at"]),
                "status": row["status"],
            }
            for row in rows
        ]
    }


def accept_amendment(db: Database, *, user_id: UserId, patient_id: PatientId, amendment_id: AmendmentId) -> Answer:
    """Accept an open request to have a record amended: the wish is appended to the record as a new revision.

    Returns request, patient and record. Refused if the request is another patient's or has been answered.
    """
    lookup.user(db, user_id)
    row = lookup.open_amendment_request(db, amendment_id, patient_id)
    db.run(
        "UPDATE records SET content = content || ' [Amended: ' || ? || ']', revision = revision + 1 WHERE id = ?",
        row["wish"],
        row["record_id"],
    )
    db.run("UPDATE amendment_requests SET status = 'accepted', answered_by = ? WHERE id = ?", user_id, amendment_id)
    return {
        "amendment_id": amendment_id,
        "patient_id": row["patient_id"],
        "record_id": row["record_id"],
        "status": "accepted",
        "user_id": user_id,
    }


def deny_amendment(
    db: Database, *, user_id: UserId, patient_id: PatientId, amendment_id: AmendmentId, reason: AmendmentDenial
) -> Answer:
    """Deny an open request to have a record amended, with the reason; the record stays as it is.

    Returns request, patient and record. Refused if the request is another patient's or has been answered, or if the
    reason is not what its author finds.
    """
    lookup.user(db, user_id)
    row = lookup.open_amendment_request(db, amendment_id, patient_id)
    if reason != _finding(db, row):
        raise Refused("not_the_reason", f"{reason!r} is not what was found about the request {amendment_id}")
    db.run(
        "UPDATE amendment_requests SET status = 'denied', denial_reason = ?, answered_by = ? WHERE id = ?",
        reason,
        user_id,
        amendment_id,
    )
    return {
        "amendment_id": amendment_id,
        "patient_id": row["patient_id"],
        "record_id": row["record_id"],
        "status": "denied",
        "user_id": user_id,
    }


def check_amendment(db: Database, *, amendment_id: AmendmentId) -> AmendmentCheck:
    """Have the record that a patient wants amended looked into, by asking its author.

    Returns `amendable`, and the reason: author agrees, accurate and complete, not created here, or psychotherapy
    notes.
    """
    finding = _finding(db, lookup.amendment_request(db, amendment_id))
    return {"amendable": finding == "author agrees", "reason": finding}


def _finding(db: Database, request: Row) -> Finding:
    record = lookup.record(db, request["record_id"])
    if record["origin"] == "elsewhere":
        return "not created here"
    if record["category"] == "psychotherapy notes":
        return "psychotherapy notes"
    return "accurate and complete" if request["author_view"] == "accurate and complete" else "author agrees"
