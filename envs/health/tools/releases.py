"""Requests of organizations for records: answering them, declining them, and disclosures that went astray."""

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup, rights
from lexgym.envs.health.tools.refusals import refuse
from lexgym.envs.health.tools.types import (
    DisclosureId,
    DisclosureRefusal,
    PatientId,
    RequestId,
    Transmission,
    UserId,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class ReleaseRequest(TypedDict):
    """A request of an organization for one record of a patient."""

    request_id: str
    recipient_id: str
    record_id: str
    purpose: str
    received_on: str
    status: str


class ReleaseRequests(TypedDict):
    """The requests for a patient's records."""

    requests: list[ReleaseRequest]


class DisclosureEntry(TypedDict):
    """A record that was sent to an organization."""

    disclosure_id: str
    record_id: str
    recipient_id: str
    purpose: str
    sent_on: str
    user_id: str


class Disclosures(TypedDict):
    """What was sent of a patient's records."""

    disclosures: list[DisclosureEntry]


class Disclosure(TypedDict):
    """A record that has just been sent."""

    disclosure_id: str
    patient_id: str
    record_id: str
    category: str
    recipient_id: str
    purpose: str
    authorized: bool
    user_id: str


class DeclinedRequest(TypedDict):
    """A request for a record that was declined."""

    refusal_id: str
    record_id: str
    recipient_id: str
    purpose: str
    reason: str


class Incident(TypedDict):
    """A disclosure reported as gone astray."""

    incident_id: str
    patient_id: str
    disclosure_id: str
    user_id: str


def list_release_requests(db: Database, *, user_id: UserId, patient_id: PatientId) -> ReleaseRequests:
    """List the requests of organizations for a patient's records, for a member of staff.

    Each with its id, the ids of organization and record, the purpose, the day it came in, and its status.
    """
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    rows = db.query("SELECT * FROM release_requests WHERE patient_id = ? ORDER BY id", patient_id)
    return {
        "requests": [
            {
                "request_id": row["id"],
                "recipient_id": row["recipient_id"],
                "record_id": row["record_id"],
                "purpose": row["purpose"],
                "received_on": lookup.date(row["received_at"]),
                "status": row["status"],
            }
            for row in rows
        ]
    }


def list_disclosures(db: Database, *, user_id: UserId, patient_id: PatientId) -> Disclosures:
    """List the records of a patient that were sent to organizations, for a member of staff."""
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    rows = db.query("SELECT * FROM disclosures WHERE patient_id = ? ORDER BY id", patient_id)
    return {
        "disclosures": [
            {
                "disclosure_id": row["id"],
                "record_id": row["record_id"],
                "recipient_id": row["recipient_id"],
                "purpose": row["purpose"],
                "sent_on": lookup.date(row["sent_at"]),
                "user_id": row["user_id"],
            }
            for row in rows
        ]
    }


def disclose_record(
    db: Database, *, user_id: UserId, patient_id: PatientId, request_id: RequestId, channel: Transmission
) -> Disclosure:
    """Answer an open request by sending the record that it names to the organization that asked.

    Returns the id of the disclosure; patient, record, category, organization and purpose; and `authorized`: whether an
    authorization of the patient for it is in force. Refused if the request is about another patient, or has been
    answered or declined.
    """
    lookup.user(db, user_id)
    request = lookup.open_release_request(db, request_id, patient_id)
    record = lookup.record(db, request["record_id"])
    authorized = rights.authorized(db, patient_id, request["recipient_id"], record["category"])
    disclosure_id = db.new_id("disclosures")
    db.insert(
        "disclosures",
        id=disclosure_id,
        patient_id=patient_id,
        record_id=request["record_id"],
        recipient_id=request["recipient_id"],
        user_id=user_id,
        purpose=request["purpose"],
        channel=channel,
        authorized=int(authorized),
        sent_at=db.clock,
    )
    db.run("UPDATE release_requests SET status = 'answered' WHERE id = ?", request_id)
    return {
        "disclosure_id": disclosure_id,
        "patient_id": patient_id,
        "record_id": request["record_id"],
        "category": record["category"],
        "recipient_id": request["recipient_id"],
        "purpose": request["purpose"],
        "authorized": authorized,
        "user_id": user_id,
    }


def decline_disclosure(
    db: Database, *, user_id: UserId, patient_id: PatientId, request_id: RequestId, reason: DisclosureRefusal
) -> DeclinedRequest:
    """Decline an open request of an organization for a record, and put the reason on record; nothing is sent.

    Returns the id of the refusal, and record, organization and purpose of the request. Refused if the request is about
    another patient, has been answered or declined, or the reason is no ground to decline a request for this purpose.
    """
    request = lookup.open_release_request(db, request_id, patient_id)
    _require_ground(db, request, reason)
    about = {"record_id": request["record_id"], "recipient_id": request["recipient_id"]}
    refusal = refuse(db, "disclosure", user_id, patient_id, reason, about)
    db.run("UPDATE release_requests SET status = 'declined' WHERE id = ?", request_id)
    return {
        "refusal_id": refusal["refusal_id"],
        "record_id": request["record_id"],
        "recipient_id": request["recipient_id"],
        "purpose": request["purpose"],
        "reason": reason,
    }


def report_misdirected_disclosure(
    db: Database, *, user_id: UserId, patient_id: PatientId, disclosure_id: DisclosureId
) -> Incident:
    """Report that a record which was sent reached somebody whom it was not meant for.

    Returns the incident with its new id. Refused if the disclosure is another patient's or has been reported
    before.
    """
    lookup.user(db, user_id)
    lookup.disclosure(db, disclosure_id, patient_id)
    if db.one("SELECT 1 FROM incidents WHERE disclosure_id = ?", disclosure_id):
        raise Refused("already_reported", f"the disclosure {disclosure_id} has been reported before")
    incident_id = db.new_id("incidents")
    db.insert(
        "incidents",
        id=incident_id,
        patient_id=patient_id,
        disclosure_id=disclosure_id,
        user_id=user_id,
        reported_at=db.clock,
    )
    return {"incident_id": incident_id, "patient_id": patient_id, "disclosure_id": disclosure_id, "user_id": user_id}


def _require_ground(db: Database, request: Row, reason: str) -> None:
    """Refuse a reason that keeps nothing back: a permission not needed, a restriction on other purposes."""
    purpose, category = request["purpose"], lookup.record(db, request["record_id"])["category"]
    needed = purpose == "other" or (category == "psychotherapy notes" and purpose != "required by law")
    given = rights.authorized(db, request["patient_id"], request["recipient_id"], category)
    grounds = {
        "no permission of the patient": needed and not given,
        "restriction agreed with the patient": purpose in ("treatment", "payment"),
        "more than the purpose needs": purpose in ("payment", "public health") and not given,
    }
    if not grounds.get(reason, True):
        raise Refused("not_the_reason", f"{reason!r} is no ground to decline the request {request['id']}")
