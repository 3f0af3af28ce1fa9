"""Records handed to patients and to those who act for them."""

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.refusals import Refusal, refuse
from lexgym.envs.health.tools.types import (
    ContactId,
    CopyDenial,
    Form,
    PatientId,
    RecordId,
    SharingRefusal,
    UserId,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Contact(TypedDict):
    """A relative or representative of a patient."""

    contact_id: str
    name: str
    relation: str


class Contacts(TypedDict):
    """The relatives and representatives of a patient."""

    contacts: list[Contact]


class Copy(TypedDict):
    """A copy of a record that was handed out."""

    copy_id: str
    patient_id: str
    record_id: str
    category: str
    form: str
    user_id: str


def list_contacts(db: Database, *, user_id: UserId, patient_id: PatientId) -> Contacts:
    """List a patient's relatives and representatives for a member of staff: id, name and relation."""
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    rows = db.query("SELECT * FROM contacts WHERE patient_id = ? ORDER BY id", patient_id)
    return {"contacts": [{"contact_id": row["id"], "name": row["name"], "relation": row["relation"]} for row in rows]}


def give_patient_copy(db: Database, *, user_id: UserId, patient_id: PatientId, record_id: RecordId, form: Form) -> Copy:
    """Hand a patient a copy of one of the patient's chart records, in the form asked for.

    Returns the id of the copy. Refused if the record is another patient's, or the patient has got this record already.
    """
    lookup.user(db, user_id)
    record = lookup.record(db, record_id, patient_id)
    return _hand_out(db, user_id, record, None, form)


def deny_patient_copy(
    db: Database, *, user_id: UserId, patient_id: PatientId, record_id: RecordId, reason: CopyDenial
) -> Refusal:
    """Deny a patient the copy of a chart record that the patient asked for, and put the reason on record.

    To psychotherapy notes there is no right of access. Returns the id of the refusal. Refused if the record is another
    patient's, or if that is the reason and it holds no such notes, or another one and it does.
    """
    record = lookup.record(db, record_id, patient_id)
    _require_truth(record, reason)
    return refuse(db, "copy", user_id, patient_id, reason, {"record_id": record_id})


def share_with_representative(
    db: Database,
    *,
    user_id: UserId,
    patient_id: PatientId,
    contact_id: ContactId,
    record_id: RecordId,
    form: Form,
) -> Copy:
    """Hand a copy of a chart record to a relative or representative of the patient, in the form asked for.

    Returns the id of the copy. Refused if record or person is not of this patient, or this person has got it
    already.
    """
    lookup.user(db, user_id)
    lookup.contact(db, contact_id, patient_id)
    record = lookup.record(db, record_id, patient_id)
    return _hand_out(db, user_id, record, contact_id, form)


def decline_sharing(
    db: Database,
    *,
    user_id: UserId,
    patient_id: PatientId,
    contact_id: ContactId,
    record_id: RecordId,
    reason: SharingRefusal,
) -> Refusal:
    """Put on record that a relative or representative does not get a chart record of the patient, with the reason.

    To psychotherapy notes there is no right of access. Returns the id of the refusal. Refused if record or person is
    not of this patient, or if that is the reason and the record holds no such notes, or another one and it does.
    """
    lookup.contact(db, contact_id, patient_id)
    _require_truth(lookup.record(db, record_id, patient_id), reason)
    about = {"record_id": record_id, "contact_id": contact_id}
    return refuse(db, "sharing", user_id, patient_id, reason, about)


def _require_truth(record: Row, reason: str) -> None:
    kept = record["category"] == "psychotherapy notes"
    if kept == (reason != "no right of access"):
        raise Refused("not_the_reason", f"{record['id']} holds {'' if kept else 'no '}psychotherapy notes")


def _hand_out(db: Database, user_id: str, record: Row, contact_id: str | None, form: str) -> Copy:
    if db.one("SELECT 1 FROM copies WHERE record_id = ? AND contact_id IS ?", record["id"], contact_id):
        raise Refused("already_given", f"this person has got a copy of {record['id']} already")
    copy_id = db.new_id("copies")
    db.insert(
        "copies",
        id=copy_id,
        patient_id=record["patient_id"],
        record_id=record["id"],
        contact_id=contact_id,
        user_id=user_id,
        form=form,
        given_at=db.clock,
    )
    return {
        "copy_id": copy_id,
        "patient_id": record["patient_id"],
        "record_id": record["id"],
        "category": record["category"],
        "form": form,
        "user_id": user_id,
    }
