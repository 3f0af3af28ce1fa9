"""What keeps records whole and emergencies and incidents in order."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import EmergencyId, IncidentId, RecordId
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Integrity(TypedDict):
    """Whether a record is as it was sealed."""

    intact: bool
    finding: Literal["seal matches", "no seal", "amended after sealing", "content differs from seal"]


class Seal(TypedDict):
    """A seal put on a record, and the revision that it is for."""

    record_id: str
    revision: int


class Review(TypedDict):
    """An emergency access put before the privacy officer."""

    review_id: str


class Assessment(TypedDict):
    """Whether an incident is a breach."""

    assessment_id: str
    breach: bool
    finding: Literal["opened", "returned unopened", "unreadable without a key"]


class IncidentFile(TypedDict):
    """An incident put on file with its outcome."""

    file_id: str


def check_integrity(db: Database, *, record_id: RecordId) -> Integrity:
    """Compare a record with its seal.

    Returns `intact`, and the finding: seal matches, no seal, amended after sealing, or content differs from seal.
    """
    record = lookup.record(db, record_id)
    seal = db.one("SELECT * FROM record_seals WHERE record_id = ?", record_id)
    if seal is None:
        return {"intact": False, "finding": "no seal"}
    if seal["revision"] != record["revision"]:
        return {"intact": False, "finding": "amended after sealing"}
    if seal["digest"] != lookup.digest(record["content"]):
        return {"intact": False, "finding": "content differs from seal"}
    return {"intact": True, "finding": "seal matches"}


def seal_record(db: Database, *, record_id: RecordId) -> Seal:
    """Seal a record as it is now, after it was written or amended.

    Returns the revision that was sealed. Refused if the content has changed since it was sealed without an amendment.
    """
    record = lookup.record(db, record_id)
    seal = db.one("SELECT * FROM record_seals WHERE record_id = ?", record_id)
    digest = lookup.digest(record["content"])
    if seal is None:
        db.insert("record_seals", record_id=record_id, revision=record["revision"], digest=digest)
    elif seal["revision"] < record["revision"]:
        db.run(
            "UPDATE record_seals SET revision = ?, digest = ? WHERE record_id = ?",
            record["revision"],
            digest,
            record_id,
        )
    elif seal["digest"] != digest:
        raise Refused("seal_broken", f"the content of {record_id} differs from its seal: ask the records manager")
    return {"record_id": record_id, "revision": record["revision"]}


def review_emergency_access(db: Database, *, emergency_id: EmergencyId) -> Review:
    """Put an emergency access before the privacy officer for review.

    Returns the id of the review.
    """
    lookup.emergency_access(db, emergency_id)
    review_id = db.new_id("emergency_reviews")
    db.insert("emergency_reviews", id=review_id, emergency_id=emergency_id, queued_at=db.clock)
    return {"review_id": review_id}


def assess_breach(db: Database, *, incident_id: IncidentId) -> Assessment:
    """Assess how likely it is that a disclosure gone astray has exposed the patient's information.

    Returns `breach`, and what became of the record: opened, returned unopened, or unreadable without a key.
    """
    incident = lookup.incident(db, incident_id)
    row = db.one("SELECT state FROM handling WHERE disclosure_id = ?", incident["disclosure_id"]) or {}
    finding = row.get("state", "opened")
    assessment_id = db.new_id("breach_assessments")
    breach = finding == "opened"
    db.insert(
        "breach_assessments",
        id=assessment_id,
        incident_id=incident_id,
        breach=int(breach),
        assessed_at=db.clock,
    )
    return {"assessment_id": assessment_id, "breach": breach, "finding": finding}


def document_incident(db: Database, *, incident_id: IncidentId) -> IncidentFile:
    """Put an incident on file: what happened, what was done about it, and how it was assessed.

    Returns the id of the file.
    """
    lookup.incident(db, incident_id)
    file_id = db.new_id("incident_files")
    db.insert("incident_files", id=file_id, incident_id=incident_id, filed_at=db.clock)
    return {"file_id": file_id}
