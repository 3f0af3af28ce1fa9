"""What the parameters of the tools hold: keys of tables, and values with their units and ranges."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lexgym.tools.tool import Pool, Ref

UserId: TypeAlias = Annotated[
    str, Ref("users.id"), Field(description="User id of the member of staff you act for, such as USR-000001")
]
MemberId: TypeAlias = Annotated[
    str, Ref("users.id"), Field(description="User id of the member of staff it is about, such as USR-000002")
]
PatientId: TypeAlias = Annotated[str, Ref("patients.id"), Field(description="Patient id, such as PAT-000001")]
DoctorId: TypeAlias = Annotated[
    str, Ref("doctors.id"), Field(description="Id of the doctor in the register of doctors, such as DOC-000001")
]
ContactId: TypeAlias = Annotated[
    str, Ref("contacts.id"), Field(description="Id of a relative or representative of a patient, such as CON-000001")
]
RecordId: TypeAlias = Annotated[str, Ref("records.id"), Field(description="Id of a chart record, such as REC-000001")]
PrescriptionId: TypeAlias = Annotated[
    str, Ref("prescriptions.id"), Field(description="Id of a prescription, such as RXP-000001")
]
RecipientId: TypeAlias = Annotated[
    str, Ref("recipients.id"), Field(description="Id of an organization outside the clinic, such as ORG-000001")
]
RequestId: TypeAlias = Annotated[
    str, Ref("release_requests.id"), Field(description="Id of a request for a record, such as REQ-000001")
]
DisclosureId: TypeAlias = Annotated[
    str, Ref("disclosures.id"), Field(description="Id of a disclosure, such as DIS-000001")
]
AuthorizationId: TypeAlias = Annotated[
    str, Ref("authorizations.id"), Field(description="Id of a signed authorization, such as AUT-000001")
]
AmendmentId: TypeAlias = Annotated[
    str, Ref("amendment_requests.id"), Field(description="Id of a request to amend a record, such as AMR-000001")
]
EmergencyId: TypeAlias = Annotated[
    str, Ref("emergency_accesses.id"), Field(description="Id of an emergency access, such as EMG-000001")
]
IncidentId: TypeAlias = Annotated[str, Ref("incidents.id"), Field(description="Id of an incident, such as INC-000001")]

LastName: TypeAlias = Annotated[
    str, Pool("last_name"), Field(min_length=1, max_length=60, description="Last name, in full; case does not matter")
]
Address: TypeAlias = Annotated[
    str, Pool("address"), Field(min_length=8, max_length=120, description="Street, city, state and ZIP code")
]
Medication: TypeAlias = Annotated[
    str, Pool("medication"), Field(min_length=3, max_length=80, description="Name and strength of the medication")
]
SupplyDays: TypeAlias = Annotated[
    int, Pool("supply_days"), Field(ge=1, le=90, description="How many days the supply lasts, 1 to 90")
]
VisitDate: TypeAlias = Annotated[
    str, Pool("visit_date"), Field(pattern=r"^20[0-9]{2}-[01][0-9]-[0-3][0-9]$", description="Day as YYYY-MM-DD")
]
NoteText: TypeAlias = Annotated[
    str, Pool("note"), Field(min_length=4, max_length=300, description="What the entry says, as it was dictated")
]
NoteTitle: TypeAlias = Annotated[
    str, Pool("note_title"), Field(min_length=3, max_length=80, description="Heading of the entry")
]
ValidDays: TypeAlias = Annotated[
    int, Pool("valid_days"), Field(ge=1, le=730, description="How many days it is valid from today, 1 to 730")
]
Years: TypeAlias = Annotated[int, Pool("years"), Field(ge=1, le=6, description="How many years back, 1 to 6")]
Situation: TypeAlias = Annotated[
    str, Pool("situation"), Field(min_length=4, max_length=200, description="What the emergency is, as told")
]
Subject: TypeAlias = Annotated[
    str,
    Pool("subject"),
    Field(
        pattern=r"^[A-Z]{3}-[0-9]{6}$",
        description="Id of the thing that it is about: a disclosure, copy, prescription, incident or other row",
    ),
]

Category: TypeAlias = Annotated[
    Literal[
        "laboratory results",
        "imaging reports",
        "progress notes",
        "immunization records",
        "billing statements",
        "psychotherapy notes",
    ],
    Field(description="Kind of record"),
]
Purpose: TypeAlias = Annotated[
    Literal["treatment", "payment", "public health", "required by law", "other"],
    Field(description="What the record is asked for"),
]
Transmission: TypeAlias = Annotated[
    Literal["electronic delivery", "postal delivery"],
    Field(description="How the record is sent: over the network or on paper by post"),
]
Form: TypeAlias = Annotated[Literal["a paper copy", "an electronic file"], Field(description="The form of the copy")]
Topic: TypeAlias = Annotated[
    Literal["breach", "amendment", "request denied", "copy of a signed form", "other"],
    Field(description="What the message is about"),
]
NoticeChannel: TypeAlias = Annotated[
    Literal["letter", "e-mail", "portal"],
    Field(description="How it is sent; e-mail and portal need the patient's agreement, a letter always arrives"),
]
DisclosureRefusal: TypeAlias = Annotated[
    Literal[
        "requester not established",
        "no permission of the patient",
        "restriction agreed with the patient",
        "more than the purpose needs",
        "record may have been altered",
        "no encrypted line",
        "request withdrawn",
    ],
    Field(description="Why the record is not disclosed"),
]
CopyDenial: TypeAlias = Annotated[
    Literal["identity not established", "no right of access", "record may have been altered"],
    Field(description="Why the patient does not get the copy"),
]
SharingRefusal: TypeAlias = Annotated[
    Literal["no power to act for the patient", "no right of access", "record may have been altered"],
    Field(description="Why the record is not shared"),
]
PrescriptionRefusal: TypeAlias = Annotated[
    Literal["no visit to this doctor", "not treating this patient"],
    Field(description="Why the prescription is not written"),
]
AmendmentDenial: TypeAlias = Annotated[
    Literal["accurate and complete", "not created here", "psychotherapy notes"],
    Field(description="Why the record is not amended"),
]
EmergencyRefusal: TypeAlias = Annotated[
    Literal["no emergency", "on the care team already"], Field(description="Why emergency access is not opened")
]
ChartAccessRefusal: TypeAlias = Annotated[
    Literal["not cleared", "neither physician nor nurse"], Field(description="Why access to the chart is not given")
]
DeskRefusal: TypeAlias = Annotated[
    Literal["log-in failed", "account closed"],
    Field(description="Why nothing is done for the member of staff"),
]
