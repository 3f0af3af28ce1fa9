"""Visits and prescriptions."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.refusals import Refusal, refuse
from lexgym.envs.health.tools.types import (
    DoctorId,
    Medication,
    PatientId,
    PrescriptionId,
    PrescriptionRefusal,
    SupplyDays,
    UserId,
    VisitDate,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Prescription(TypedDict):
    """A prescription of a patient by a doctor."""

    prescription_id: str
    patient_id: str
    doctor_id: str
    user_id: str
    medication: str
    days: int
    status: Literal["active", "cancelled"]


class Prescriptions(TypedDict):
    """The prescriptions of a patient."""

    prescriptions: list[Prescription]


class Visit(TypedDict):
    """A visit that was booked."""

    visit_id: str
    doctor_id: str
    day: str
    user_id: str


def list_prescriptions(db: Database, *, user_id: UserId, patient_id: PatientId) -> Prescriptions:
    """List a patient's prescriptions for a member of staff: id, doctor, medication, days of supply, status."""
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    rows = db.query("SELECT * FROM prescriptions WHERE patient_id = ? ORDER BY id", patient_id)
    return {"prescriptions": [_entry(row) for row in rows]}


def book_visit(db: Database, *, user_id: UserId, patient_id: PatientId, doctor_id: DoctorId, day: VisitDate) -> Visit:
    """Book a visit of a patient to a doctor on a day to come.

    Returns the id of the visit. Refused if the day is not in the future, or if the patient has a visit to this
    doctor booked already.
    """
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    lookup.doctor(db, doctor_id)
    if day <= lookup.date(db.clock):
        raise Refused("not_in_the_future", f"{day} is not a day to come")
    if db.one(
        "SELECT 1 FROM consultations WHERE patient_id = ? AND doctor_id = ? AND status = 'booked'",
        patient_id,
        doctor_id,
    ):
        raise Refused("already_booked", f"patient {patient_id} has a visit to {doctor_id} booked already")
    visit_id = db.new_id("consultations")
    db.insert(
        "consultations",
        id=visit_id,
        patient_id=patient_id,
        doctor_id=doctor_id,
        kind="in person",
        status="booked",
        booked_for=day,
        booked_by=user_id,
    )
    return {"visit_id": visit_id, "doctor_id": doctor_id, "day": day, "user_id": user_id}


def prescribe_medication(
    db: Database,
    *,
    user_id: UserId,
    patient_id: PatientId,
    doctor_id: DoctorId,
    medication: Medication,
    days: SupplyDays,
) -> Prescription:
    """Enter a new prescription by a doctor for a patient, on behalf of the member of staff who enters it.

    Returns the prescription with its new id. Refused if the patient has an active prescription of this medication, or
    the member of staff is neither physician nor nurse.
    """
    lookup.clinician(db, user_id)
    lookup.patient(db, patient_id)
    lookup.doctor(db, doctor_id)
    if db.one(
        "SELECT 1 FROM prescriptions WHERE patient_id = ? AND medication = ? COLLATE NOCASE AND status = 'active'",
        patient_id,
        medication,
    ):
        raise Refused("already_prescribed", f"patient {patient_id} already has an active prescription of {medication}")
    row = {
        "id": db.new_id("prescriptions"),
        "patient_id": patient_id,
        "doctor_id": doctor_id,
        "user_id": user_id,
        "medication": medication,
        "days": days,
        "status": "active",
        "written_at": db.clock,
    }
    db.insert("prescriptions", **row)
    return _entry(row)


def renew_prescription(
    db: Database,
    *,
    user_id: UserId,
    patient_id: PatientId,
    prescription_id: PrescriptionId,
    doctor_id: DoctorId,
    days: SupplyDays,
) -> Prescription:
    """Renew an active prescription for some more days, under the name of a doctor, who becomes its prescriber.

    Returns the prescription after the change. Refused if it is another patient's or cancelled, if
    doctor and days are unchanged, or if the member of staff is neither physician nor nurse.
    """
    lookup.clinician(db, user_id)
    row = lookup.prescription(db, prescription_id, patient_id)
    lookup.doctor(db, doctor_id)
    if (row["doctor_id"], row["days"]) == (doctor_id, days):
        raise Refused("unchanged", f"the prescription {prescription_id} is for {days} days by {doctor_id} already")
    db.run(
        "UPDATE prescriptions SET doctor_id = ?, user_id = ?, days = ? WHERE id = ?",
        doctor_id,
        user_id,
        days,
        prescription_id,
    )
    return _entry({**row, "doctor_id": doctor_id, "user_id": user_id, "days": days})


def cancel_prescription(
    db: Database, *, user_id: UserId, patient_id: PatientId, prescription_id: PrescriptionId
) -> Prescription:
    """Cancel an active prescription, so that no pharmacy fills it any more.

    Returns the prescription. Refused if it is another patient's or cancelled already, or if the member of staff is
    neither physician nor nurse.
    """
    lookup.clinician(db, user_id)
    row = lookup.prescription(db, prescription_id, patient_id)
    db.run("UPDATE prescriptions SET status = 'cancelled', user_id = ? WHERE id = ?", user_id, prescription_id)
    return _entry({**row, "status": "cancelled", "user_id": user_id})


def decline_prescription(
    db: Database,
    *,
    user_id: UserId,
    patient_id: PatientId,
    doctor_id: DoctorId,
    medication: Medication,
    reason: PrescriptionRefusal,
) -> Refusal:
    """Put on record that a prescription by a doctor for a patient is not written, with the reason.

    Returns the id of the refusal. Refused if the member of staff is neither physician nor nurse, or the reason is that
    this person does not treat the patient and it is not so, or emergency access was opened.
    """
    lookup.clinician(db, user_id)
    lookup.doctor(db, doctor_id)
    allowed = lookup.on_team(db, patient_id, user_id) or lookup.has_emergency_access(db, patient_id, user_id)
    if reason == "not treating this patient" and allowed:
        raise Refused("not_the_reason", f"{user_id} may do clinical work on {patient_id}")
    return refuse(db, "prescription", user_id, patient_id, reason, {"doctor_id": doctor_id, "medication": medication})


def _entry(row: Row) -> Prescription:
    return {
        "prescription_id": row["id"],
        "patient_id": row["patient_id"],
        "doctor_id": row["doctor_id"],
        "user_id": row["user_id"],
        "medication": row["medication"],
        "days": row["days"],
        "status": row["status"],
    }
