"""The chart of a patient: reading it, adding to it, and where the patient lives."""

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import Address, Category, NoteText, NoteTitle, PatientId, RecordId, UserId
from lexgym.errors import Refused
from lexgym.tools.database import Database


class CareTeamMember(TypedDict):
    """A physician or nurse who treats a patient now; a physician is in the register of doctors as well."""

    user_id: str
    doctor_id: str | None
    name: str
    role: str


class PatientDetails(TypedDict):
    """A patient with the contact details on file and the care team."""

    patient_id: str
    name: str
    birth_date: str
    address: str
    care_team: list[CareTeamMember]


class RecordEntry(TypedDict):
    """A record as the chart's table of contents shows it."""

    record_id: str
    category: str
    title: str
    created_on: str
    author_id: str


class RecordList(TypedDict):
    """The records of a patient."""

    records: list[RecordEntry]


class RecordText(TypedDict):
    """A record opened for reading; `own` says whether the reader wrote it."""

    record_id: str
    patient_id: str
    category: str
    title: str
    content: str
    revision: int
    author_id: str
    own: bool


class Addendum(TypedDict):
    """Something added to a record, and the revision that the record has now."""

    addendum_id: str
    patient_id: str
    record_id: str
    revision: int


class NewRecord(TypedDict):
    """A record that was added."""

    record_id: str
    patient_id: str
    category: str


def get_patient_details(db: Database, *, user_id: UserId, patient_id: PatientId) -> PatientDetails:
    """Read a patient's name, birth date, mailing address and care team for a member of staff."""
    lookup.user(db, user_id)
    return _details(db, patient_id)


def list_records(db: Database, *, user_id: UserId, patient_id: PatientId) -> RecordList:
    """List a patient's chart records for a member of staff: id, category, title, date and author, not the text."""
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    rows = db.query("SELECT * FROM records WHERE patient_id = ? ORDER BY id", patient_id)
    return {
        "records": [
            {
                "record_id": row["id"],
                "category": row["category"],
                "title": row["title"],
                "created_on": lookup.date(row["created_at"]),
                "author_id": row["author_id"],
            }
            for row in rows
        ]
    }


def read_record(db: Database, *, user_id: UserId, record_id: RecordId) -> RecordText:
    """Open a chart record for a member of staff: patient, category, text, revision, author.

    `own` says whether this member of staff wrote it.
    """
    lookup.user(db, user_id)
    row = lookup.record(db, record_id)
    return {
        "record_id": record_id,
        "patient_id": row["patient_id"],
        "category": row["category"],
        "title": row["title"],
        "content": row["content"],
        "revision": row["revision"],
        "author_id": row["author_id"],
        "own": row["author_id"] == user_id,
    }


def add_chart_entry(
    db: Database, *, user_id: UserId, patient_id: PatientId, title: NoteTitle, text: NoteText
) -> NewRecord:
    """Add a progress note to a patient's chart, written by a member of staff.

    Returns the id of the new record. Refused if the patient already has a record with this title.
    """
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    if db.one("SELECT 1 FROM records WHERE patient_id = ? AND title = ? COLLATE NOCASE", patient_id, title):
        raise Refused("record_exists", f"patient {patient_id} already has a record called {title!r}")
    record_id = db.new_id("records")
    category: Category = "progress notes"
    db.insert(
        "records",
        id=record_id,
        patient_id=patient_id,
        author_id=user_id,
        category=category,
        title=title,
        content=text,
        revision=1,
        origin="this clinic",
        created_at=db.clock,
    )
    return {"record_id": record_id, "patient_id": patient_id, "category": category}


def add_addendum(
    db: Database, *, user_id: UserId, patient_id: PatientId, record_id: RecordId, text: NoteText
) -> Addendum:
    """Add an addendum by a member of staff to a chart record: the text is appended as a new revision.

    Returns the id of the addendum and the revision. Refused if the record is another patient's, or the member of staff
    is neither physician nor nurse.
    """
    lookup.clinician(db, user_id)
    record = lookup.record(db, record_id, patient_id)
    addendum_id, revision = db.new_id("addenda"), record["revision"] + 1
    db.insert(
        "addenda",
        id=addendum_id,
        patient_id=patient_id,
        record_id=record_id,
        user_id=user_id,
        text=text,
        written_at=db.clock,
    )
    content = f"{record['content']} [Addendum: {text}]"
    db.run("UPDATE records SET content = ?, revision = ? WHERE id = ?", content, revision, record_id)
    return {"addendum_id": addendum_id, "patient_id": patient_id, "record_id": record_id, "revision": revision}


def change_mailing_address(db: Database, *, user_id: UserId, patient_id: PatientId, address: Address) -> PatientDetails:
    """Replace the address that the clinic writes to a patient at.

    Returns the details after the change. Refused if the address is already on file.
    """
    lookup.user(db, user_id)
    if lookup.patient(db, patient_id)["address"] == address:
        raise Refused("unchanged", f"{address} is already on file for {patient_id}")
    db.run("UPDATE patients SET address = ?, address_by = ? WHERE id = ?", address, user_id, patient_id)
    return _details(db, patient_id)


def _details(db: Database, patient_id: str) -> PatientDetails:
    row = lookup.patient(db, patient_id)
    team = db.query(
        "SELECT u.*, d.id AS doctor_id FROM users u JOIN care_team c ON c.user_id = u.id "
        "LEFT JOIN doctors d ON d.user_id = u.id WHERE c.patient_id = ? AND c.status = 'active' ORDER BY u.id",
        patient_id,
    )
    return {
        "patient_id": patient_id,
        "name": lookup.full_name(row),
        "birth_date": row["birth_date"],
        "address": row["address"],
        "care_team": [
            {
                "user_id": member["id"],
                "doctor_id": member["doctor_id"],
                "name": lookup.full_name(member),
                "role": member["role"],
            }
            for member in team
        ],
    }
