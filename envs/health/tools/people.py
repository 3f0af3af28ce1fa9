"""Checks on patients and on those who act for them: documents, powers, visits, emergencies."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import ContactId, DoctorId, PatientId
from lexgym.tools.database import Database

VISIT_SECONDS = 730 * 86_400
"""How long a visit serves for prescriptions: 24 months."""


class Identity(TypedDict):
    """Whether the person at the desk is the patient."""

    verified: bool
    document: str
    finding: Literal["matches", "expired", "birth date differs"]


class Power(TypedDict):
    """Whether a person may act for the patient in matters of health."""

    verified: bool
    finding: Literal["guardian", "health care proxy", "no power", "power expired"]


class ConsultationCheck(TypedDict):
    """Whether a doctor has seen a patient."""

    held: bool
    finding: Literal["seen in person", "more than 24 months ago", "by phone only", "not seen"]


class Emergency(TypedDict):
    """Whether a patient is an emergency now."""

    emergency: bool
    triage: Literal["none", "urgent", "emergency"]


def verify_patient_identity(db: Database, *, patient_id: PatientId) -> Identity:
    """Compare the identity document that the person at the desk shows with what is on file for the patient.

    Returns `verified`, the document, and the finding: matches, expired, or birth date differs.
    """
    lookup.patient(db, patient_id)
    [row] = db.query("SELECT kind, state FROM patient_documents WHERE patient_id = ?", patient_id)
    return {"verified": row["state"] == "matches", "document": row["kind"], "finding": row["state"]}


def verify_representative(db: Database, *, contact_id: ContactId) -> Power:
    """Look into the papers of a patient's relative or representative: who it is, and the power to act.

    Returns `verified`, and the finding: guardian, health care proxy, no power, or power expired.
    """
    row = lookup.contact(db, contact_id)
    if row["power"] == "none":
        return {"verified": False, "finding": "no power"}
    if row["until"] is not None and row["until"] <= db.clock:
        return {"verified": False, "finding": "power expired"}
    return {"verified": True, "finding": row["power"]}


def check_consultation(db: Database, *, doctor_id: DoctorId, patient_id: PatientId) -> ConsultationCheck:
    """Say whether a doctor has seen a patient in person within the last 24 months.

    Returns `held`, and the finding: seen in person, more than 24 months ago, by phone only, or not seen. A visit that
    is booked or was missed does not count.
    """
    lookup.doctor(db, doctor_id)
    lookup.patient(db, patient_id)
    rows = db.query(
        "SELECT kind, held_at FROM consultations WHERE doctor_id = ? AND patient_id = ? AND status = 'held'",
        doctor_id,
        patient_id,
    )
    met = [row["held_at"] for row in rows if row["kind"] == "in person"]
    if not rows:
        return {"held": False, "finding": "not seen"}
    if not met:
        return {"held": False, "finding": "by phone only"}
    if max(met) <= db.clock - VISIT_SECONDS:
        return {"held": False, "finding": "more than 24 months ago"}
    return {"held": True, "finding": "seen in person"}


def check_emergency(db: Database, *, patient_id: PatientId) -> Emergency:
    """Look at the emergency board, whether a patient is an emergency now.

    Returns `emergency`, and the triage: none, urgent or emergency. Urgent is not an emergency.
    """
    row = lookup.patient(db, patient_id)
    return {"emergency": row["triage"] == "emergency", "triage": row["triage"]}
