"""Who there is: patients by name, staff, doctors, organizations outside the clinic."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import LastName
from lexgym.tools.database import Database


class PatientEntry(TypedDict):
    """A patient as the index shows one."""

    patient_id: str
    name: str
    birth_date: str


class PatientIndex(TypedDict):
    """The patients found."""

    patients: list[PatientEntry]


class StaffEntry(TypedDict):
    """A member of staff."""

    user_id: str
    name: str
    role: Literal["physician", "nurse", "records clerk", "billing clerk"]
    unit: str


class StaffList(TypedDict):
    """Everyone who has or had a user account."""

    staff: list[StaffEntry]


class DoctorEntry(TypedDict):
    """A doctor of the clinic, with the user account that the doctor has."""

    doctor_id: str
    user_id: str
    name: str
    specialty: str


class DoctorList(TypedDict):
    """The register of doctors."""

    doctors: list[DoctorEntry]


class RecipientEntry(TypedDict):
    """An organization outside the clinic."""

    recipient_id: str
    name: str
    kind: str


class RecipientList(TypedDict):
    """The directory of organizations."""

    recipients: list[RecipientEntry]


def find_patients(db: Database, *, last_name: LastName) -> PatientIndex:
    """Find patients by last name.

    Returns id, full name and birth date of everyone with that name; an empty list if nobody has it.
    """
    rows = db.query("SELECT * FROM patients WHERE last_name = ? COLLATE NOCASE ORDER BY id", last_name)
    return {
        "patients": [
            {"patient_id": row["id"], "name": lookup.full_name(row), "birth_date": row["birth_date"]} for row in rows
        ]
    }


def list_staff(db: Database) -> StaffList:
    """List the members of staff, also former ones: user id, name, role and unit."""
    rows = db.query("SELECT * FROM users ORDER BY id")
    return {
        "staff": [
            {"user_id": row["id"], "name": lookup.full_name(row), "role": row["role"], "unit": row["unit"]}
            for row in rows
        ]
    }


def list_doctors(db: Database) -> DoctorList:
    """List the clinic's doctors: doctor id, the user id of the same person, name and specialty."""
    rows = db.query(
        "SELECT d.id, d.user_id, d.specialty, u.first_name, u.last_name FROM doctors d "
        "JOIN users u ON u.id = d.user_id ORDER BY d.id"
    )
    return {
        "doctors": [
            {
                "doctor_id": row["id"],
                "user_id": row["user_id"],
                "name": f"Dr. {lookup.full_name(row)}",
                "specialty": row["specialty"],
            }
            for row in rows
        ]
    }


def list_recipients(db: Database) -> RecipientList:
    """List the organizations outside the clinic that records are sent to: id, name and kind."""
    rows = db.query("SELECT * FROM recipients ORDER BY name")
    return {"recipients": [{"recipient_id": row["id"], "name": row["name"], "kind": row["kind"]} for row in rows]}
