"""What the arguments of the telemedicine tools hold."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lexgym.tools.tool import Ref

DoctorId: TypeAlias = Annotated[str, Ref("doctors.doctor_id"), Field(description="Id of a doctor: D-XXXX")]
AppointmentId: TypeAlias = Annotated[
    str, Ref("appointments.appointment_id"), Field(description="Id of one of the patient's appointments")
]
ConsultationId: TypeAlias = Annotated[
    str, Ref("consultations.consultation_id"), Field(description="Id of one of the patient's consultations")
]
Words: TypeAlias = Annotated[str, Field(description="Part of the doctor's name or specialty")]
Location: TypeAlias = Annotated[str, Field(description="City of the practice")]
Date: TypeAlias = Annotated[str, Field(description="Day as YYYY-MM-DD")]
Time: TypeAlias = Annotated[str, Field(description="Time of day as HH:MM")]
Reason: TypeAlias = Annotated[str, Field(description="What the patient wants to be seen for")]
Action: TypeAlias = Annotated[Literal["view", "update", "cancel"], Field(description="What to do with the appointment")]
Rating: TypeAlias = Annotated[int, Field(description="Stars, 1 to 5")]
Content: TypeAlias = Annotated[str, Field(description="The text itself")]
Medication: TypeAlias = Annotated[str, Field(description="Name of the medication")]
Dosage: TypeAlias = Annotated[str, Field(description="Strength or dose, such as 10mg")]
