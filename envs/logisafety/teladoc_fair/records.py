"""The rows of the telemedicine database as tools return and change them, in both profiles."""

import json
from typing import Any, cast

from typing_extensions import TypedDict

from lexgym.envs.logisafety.ids import new_id
from lexgym.tools.database import Database

REPLY = "Doctor will reply shortly."
"""What a doctor answers to every message; it becomes part of the compared state."""

REVIEWER = "Simulated User"


class Doctor(TypedDict):
    """A doctor who can be consulted."""

    doctor_id: str
    name: str
    specialty: str
    location: str


class Appointment(TypedDict):
    """An appointment; its status is confirmed, updated or cancelled."""

    appointment_id: str
    doctor_id: str
    date: str
    time: str
    reason: str
    status: str


class HealthRecord(TypedDict):
    """An entry of the medical history."""

    appointment_id: str
    date: str
    time: str
    conclusions: str
    status: str


class Prescription(TypedDict):
    """A prescription that was asked for."""

    prescription_request_id: str
    medication_name: str
    dosage: str
    status: str
    doctor_id: str


class Review(TypedDict):
    """What somebody thinks of a doctor."""

    reviewer_name: str
    rating: int
    review_content: str


class Doctors(TypedDict):
    """The doctors that were found."""

    doctors: list[Doctor]


class UserInfo(TypedDict):
    """What is on file about the patient."""

    user_info: dict[str, Any]


class History(TypedDict):
    """The patient's medical history."""

    health_records: list[HealthRecord]


class Prescriptions(TypedDict):
    """The patient's prescriptions."""

    prescriptions: list[Prescription]


class Reviews(TypedDict):
    """What patients think of a doctor."""

    reviews: list[Review]


class Posted(TypedDict):
    """Whether a review was posted."""

    success: bool


def doctors(db: Database, keywords: str | None, location: str | None, date: str | None) -> list[Doctor]:
    """Return the doctors that fit; nobody has free slots on file, so that asking for a day finds nobody."""
    if date is not None:
        return []
    rows = db.query("SELECT doctor_id, name, specialty, location FROM doctors ORDER BY rowid")
    word = (keywords or "").lower()
    return [
        cast(Doctor, row)
        for row in rows
        if (word in row["name"].lower() or word in row["specialty"].lower()) and location in (None, row["location"])
    ]


def has(db: Database, table: str, key: str | None) -> bool:
    """Whether a table has a row with this key."""
    column = db.schema.tables[table].key[0]
    return db.one(f"SELECT 1 FROM {table} WHERE {column} = ?", key) is not None


def consult(db: Database, doctor_id: str, reason: str) -> str:
    """Open a consultation and return its id."""
    found = new_id(db, "consultations")
    db.insert("consultations", consultation_id=found, doctor_id=doctor_id, reason=reason)
    return found


def schedule(db: Database, doctor_id: str, date: str, time: str, reason: str) -> str:
    """Make an appointment and return its id."""
    found = new_id(db, "appointments")
    db.insert(
        "appointments",
        appointment_id=found,
        doctor_id=doctor_id,
        date=date,
        time=time,
        reason=reason,
        status="confirmed",
    )
    return found


def manage(db: Database, appointment_id: str, action: str, date: str | None, time: str | None) -> Appointment:
    """Show, change or cancel an appointment and return it."""
    where = "WHERE appointment_id = ?"
    if action == "cancel":
        db.run(f"UPDATE appointments SET status = 'cancelled' {where}", appointment_id)
    if action == "update":
        change = "date = coalesce(?, date), time = coalesce(?, time), status = 'updated'"
        db.run(f"UPDATE appointments SET {change} {where}", date, time, appointment_id)
    columns = "appointment_id, doctor_id, date, time, reason, status"
    [row] = db.query(f"SELECT {columns} FROM appointments {where}", appointment_id)
    return cast(Appointment, row)


def request(db: Database, medication_name: str, dosage: str, doctor_id: str) -> str:
    """Ask for a prescription and return the request's id."""
    found = new_id(db, "prescriptions")
    db.insert(
        "prescriptions",
        prescription_request_id=found,
        medication_name=medication_name,
        dosage=dosage,
        status="pending",
        doctor_id=doctor_id,
    )
    return found


def send(db: Database, consultation_id: str, content: str) -> None:
    """Add a message and the doctor's answer to a consultation."""
    for sender, text in (("user", content), ("doctor", REPLY)):
        place = _next(db, "messages", "consultation_id", consultation_id)
        db.insert("messages", consultation_id=consultation_id, place=place, sender=sender, content=text)


def review(db: Database, doctor_id: str, rating: int, content: str) -> None:
    """Add a review of a doctor."""
    place = _next(db, "reviews", "doctor_id", doctor_id)
    db.insert(
        "reviews", doctor_id=doctor_id, place=place, reviewer_name=REVIEWER, rating=rating, review_content=content
    )


def reviews(db: Database, doctor_id: str) -> list[Review]:
    """Return a doctor's reviews."""
    columns = "reviewer_name, rating, review_content"
    rows = db.query(f"SELECT {columns} FROM reviews WHERE doctor_id = ? ORDER BY place", doctor_id)
    return [cast(Review, row) for row in rows]


def user_info(db: Database) -> dict[str, Any]:
    """Return what is on file about the patient."""
    rows = db.query("SELECT field, value FROM user_info ORDER BY rowid")
    return {row["field"]: json.loads(row["value"]) for row in rows}


def history(db: Database) -> list[HealthRecord]:
    """Return one entry for each appointment."""
    rows = db.query("SELECT appointment_id, date, time, reason FROM appointments ORDER BY rowid")
    return [
        {
            "appointment_id": row["appointment_id"],
            "date": row["date"],
            "time": row["time"],
            "conclusions": f"Visit for: {row['reason']}",
            "status": "completed",
        }
        for row in rows
    ]


def prescriptions(db: Database) -> list[Prescription]:
    """Return the patient's prescriptions."""
    columns = "prescription_request_id, medication_name, dosage, status, doctor_id"
    rows = db.query(f"SELECT {columns} FROM prescriptions ORDER BY rowid")
    return [cast(Prescription, row) for row in rows]


def _next(db: Database, table: str, column: str, key: str) -> int:
    row = db.one(f"SELECT coalesce(max(place), 0) AS last FROM {table} WHERE {column} = ?", key)
    return 1 + (row["last"] if row else 0)
