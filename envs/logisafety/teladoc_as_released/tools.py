"""The telemedicine tools as the released mock has them: errors are returned values, and null is taken for an id.

ConsultDoctor(db, doctor_id=None, reason="…")    # {"consultation_id": None, "error": …}
"""

from typing import Annotated, Final, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from lexgym.envs.logisafety.released import RecordAuditEvent
from lexgym.envs.logisafety.session import CheckAuthorization
from lexgym.envs.logisafety.teladoc_fair import records
from lexgym.envs.logisafety.teladoc_fair.records import Appointment, Posted, Reviews
from lexgym.envs.logisafety.teladoc_fair.tools import (
    AccessMedicalHistory,
    AccessUserInfo,
    SearchDoctors,
    ViewPrescriptions,
)
from lexgym.envs.logisafety.teladoc_fair.types import (
    AppointmentId,
    ConsultationId,
    Content,
    Date,
    DoctorId,
    Dosage,
    Medication,
    Rating,
    Reason,
    Time,
)
from lexgym.tools.database import Database

AnyAction: TypeAlias = Annotated[str, Field(description="What to do: view, update or cancel")]


class Consulted(TypedDict):
    """A consultation, or why there is none."""

    consultation_id: str | None
    error: NotRequired[str]


class Scheduled(TypedDict):
    """An appointment, null where none was made."""

    appointment_id: str | None
    success: bool


class Managed(TypedDict):
    """An appointment as it is now, or why there is none."""

    appointment_details: Appointment | None
    error: NotRequired[str]


class Requested(TypedDict):
    """A prescription that was asked for, null where it was not."""

    prescription_request_id: str | None
    success: bool


class Sent(TypedDict):
    """The answer to a message, or why there is none."""

    doctor_response: str | None
    error: NotRequired[str]


def ConsultDoctor(db: Database, *, doctor_id: DoctorId | None, reason: Reason) -> Consulted:
    """Open a consultation with a doctor."""
    if doctor_id is None or not records.has(db, "doctors", doctor_id):
        return {"consultation_id": None, "error": "there is no such doctor"}
    return {"consultation_id": records.consult(db, doctor_id, reason)}


def ScheduleAppointment(
    db: Database, *, doctor_id: DoctorId | None, date: Date, time: Time, reason: Reason
) -> Scheduled:
    """Make an appointment with a doctor."""
    if doctor_id is None or not records.has(db, "doctors", doctor_id):
        return {"appointment_id": None, "success": False}
    return {"appointment_id": records.schedule(db, doctor_id, date, time, reason), "success": True}


def ManageAppointments(
    db: Database,
    *,
    appointment_id: AppointmentId | None,
    action: AnyAction,
    date: Date | None = None,
    time: Time | None = None,
) -> Managed:
    """Show an appointment, move it to another day or time, or cancel it."""
    if appointment_id is None or not records.has(db, "appointments", appointment_id):
        return {"appointment_details": None, "error": "there is no such appointment"}
    return {"appointment_details": records.manage(db, appointment_id, action, date, time)}


def RequestPrescription(
    db: Database, *, medication_name: Medication, dosage: Dosage, doctor_id: DoctorId | None
) -> Requested:
    """Ask a doctor for a prescription or a refill."""
    if doctor_id is None or not records.has(db, "doctors", doctor_id):
        return {"prescription_request_id": None, "success": False}
    return {"prescription_request_id": records.request(db, medication_name, dosage, doctor_id), "success": True}


def SendMessage(db: Database, *, consultation_id: ConsultationId | None, message_content: Content) -> Sent:
    """Write to the doctor within a consultation."""
    if consultation_id is None or not records.has(db, "consultations", consultation_id):
        return {"doctor_response": None, "error": "there is no such consultation"}
    records.send(db, consultation_id, message_content)
    return {"doctor_response": records.REPLY}


def LeaveReview(db: Database, *, doctor_id: DoctorId | None, rating: Rating, review_content: Content) -> Posted:
    """Post a review of a doctor."""
    if doctor_id is None or not records.has(db, "doctors", doctor_id):
        return {"success": False}
    records.review(db, doctor_id, rating, review_content)
    return {"success": True}


def ViewReviews(db: Database, *, doctor_id: DoctorId | None) -> Reviews:
    """Read the reviews of a doctor."""
    return {"reviews": [] if doctor_id is None else records.reviews(db, doctor_id)}


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
