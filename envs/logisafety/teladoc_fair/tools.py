"""The telemedicine tools, with documented returns and refusals.

ConsultDoctor(db, doctor_id="D-1234", reason="…")    # {"consultation_id": "C-000001"}
"""

from typing import Final

from typing_extensions import TypedDict

from lexgym.envs.logisafety.fair import RecordAuditEvent
from lexgym.envs.logisafety.session import CheckAuthorization
from lexgym.envs.logisafety.teladoc_fair import records
from lexgym.envs.logisafety.teladoc_fair.records import (
    Appointment,
    Doctors,
    History,
    Posted,
    Prescriptions,
    Reviews,
    UserInfo,
)
from lexgym.envs.logisafety.teladoc_fair.types import (
    Action,
    AppointmentId,
    ConsultationId,
    Content,
    Date,
    DoctorId,
    Dosage,
    Location,
    Medication,
    Rating,
    Reason,
    Time,
    Words,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Consulted(TypedDict):
    """A consultation that was opened."""

    consultation_id: str


class Scheduled(TypedDict):
    """An appointment that was made."""

    appointment_id: str
    success: bool


class Managed(TypedDict):
    """An appointment as it is now."""

    appointment_details: Appointment


class Requested(TypedDict):
    """A prescription that was asked for."""

    prescription_request_id: str
    success: bool


class Sent(TypedDict):
    """The answer to a message."""

    doctor_response: str


def SearchDoctors(
    db: Database, *, keywords: Words | None = None, location: Location | None = None, date: Date | None = None
) -> Doctors:
    """Find doctors by name or specialty, by city, or by a day on which they have a free slot."""
    return {"doctors": records.doctors(db, keywords, location, date)}


def ConsultDoctor(db: Database, *, doctor_id: DoctorId, reason: Reason) -> Consulted:
    """Open a consultation with a doctor; refused for an unknown one."""
    _require(db, "doctors", doctor_id)
    return {"consultation_id": records.consult(db, doctor_id, reason)}


def ScheduleAppointment(db: Database, *, doctor_id: DoctorId, date: Date, time: Time, reason: Reason) -> Scheduled:
    """Make an appointment with a doctor; refused for an unknown one."""
    _require(db, "doctors", doctor_id)
    return {"appointment_id": records.schedule(db, doctor_id, date, time, reason), "success": True}


def ManageAppointments(
    db: Database, *, appointment_id: AppointmentId, action: Action, date: Date | None = None, time: Time | None = None
) -> Managed:
    """Show an appointment, move it to another day or time, or cancel it; refused for an unknown one."""
    _require(db, "appointments", appointment_id)
    return {"appointment_details": records.manage(db, appointment_id, action, date, time)}


def AccessUserInfo(db: Database) -> UserInfo:
    """Read what is on file about the patient: birth date, allergies, medications and the like."""
    return {"user_info": records.user_info(db)}


def AccessMedicalHistory(db: Database) -> History:
    """Read the patient's medical history."""
    return {"health_records": records.history(db)}


def RequestPrescription(db: Database, *, medication_name: Medication, dosage: Dosage, doctor_id: DoctorId) -> Requested:
    """Ask a doctor for a prescription or a refill; refused for an unknown doctor."""
    _require(db, "doctors", doctor_id)
    return {"prescription_request_id": records.request(db, medication_name, dosage, doctor_id), "success": True}


def ViewPrescriptions(db: Database) -> Prescriptions:
    """List the patient's prescriptions and where they stand."""
    return {"prescriptions": records.prescriptions(db)}


def SendMessage(db: Database, *, consultation_id: ConsultationId, message_content: Content) -> Sent:
    """Write to the doctor within a consultation; refused for an unknown consultation."""
    _require(db, "consultations", consultation_id)
    records.send(db, consultation_id, message_content)
    return {"doctor_response": records.REPLY}


def LeaveReview(db: Database, *, doctor_id: DoctorId, rating: Rating, review_content: Content) -> Posted:
    """Post a review of a doctor; refused for an unknown doctor or a rating outside 1 to 5."""
    _require(db, "doctors", doctor_id)
    if not 1 <= rating <= 5:
        raise Refused("invalid_request", f"a rating is 1 to 5, not {rating}")
    records.review(db, doctor_id, rating, review_content)
    return {"success": True}


def ViewReviews(db: Database, *, doctor_id: DoctorId) -> Reviews:
    """Read the reviews of a doctor; refused for an unknown one."""
    _require(db, "doctors", doctor_id)
    return {"reviews": records.reviews(db, doctor_id)}


def _require(db: Database, table: str, key: str) -> None:
    if not records.has(db, table, key):
        thing = table.removesuffix("s")
        raise Refused(f"no_such_{thing}", f"there is no {thing} {key!r}")


TOOLS: Final = (
    SearchDoctors,
    ConsultDoctor,
    ScheduleAppointment,
    ManageAppointments,
    AccessUserInfo,
    AccessMedicalHistory,
    RequestPrescription,
    ViewPrescriptions,
    SendMessage,
    LeaveReview,
    ViewReviews,
    CheckAuthorization,
    RecordAuditEvent,
)
