"""Each tool succeeds, refuses, and returns what it says it returns."""

from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from lexgym.core import Status
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database

ANN, BEN, CLEO, DAN, EVE, FINN, GUS = (f"USR-{n:06d}" for n in range(1, 8))
MIA, NOA = "PAT-000001", "PAT-000002"
WARD: dict[str, Any] = {"user_id": ANN, "patient_id": MIA}
OFFICE: dict[str, Any] = {"user_id": CLEO, "patient_id": MIA}
NOBODY = {**WARD, "patient_id": "PAT-000099"}
NO_PATIENT = "no_such_patient"
DOCTOR = "DOC-000001"
DRUG = {**WARD, "doctor_id": DOCTOR, "medication": "warfarin 5 mg"}
RENEWAL = {**WARD, "prescription_id": "RXP-000001", "doctor_id": DOCTOR, "days": 60}
COPY = {**OFFICE, "record_id": "REC-000001"}
PAPER = {**COPY, "form": "a paper copy"}
SEND = {**OFFICE, "request_id": "REQ-000001", "channel": "postal delivery"}
FORM = {**OFFICE, "recipient_id": "ORG-000001", "category": "laboratory results", "days": 90}
NOTICE = {"patient_id": MIA, "topic": "other", "subject": "DIS-000001"}
READ = {"user_id": ANN, "record_id": "REC-000001"}
ACCOUNTING = ("issue_accounting", {**OFFICE, "years": 1})

CALLS: list[tuple[str, dict[str, Any], dict[str, Any] | None, str]] = [
    ("find_patients", {"last_name": "cho"}, None, ""),
    ("list_staff", {}, None, ""),
    ("list_doctors", {}, None, ""),
    ("list_recipients", {}, None, ""),
    ("get_patient_details", WARD, NOBODY, NO_PATIENT),
    ("list_records", WARD, NOBODY, NO_PATIENT),
    ("read_record", READ, {**READ, "record_id": "X"}, "no_such_record"),
    ("list_prescriptions", WARD, {**WARD, "user_id": "USR-000099"}, "no_such_user"),
    ("list_contacts", WARD, NOBODY, NO_PATIENT),
    ("list_release_requests", WARD, NOBODY, NO_PATIENT),
    ("list_disclosures", WARD, NOBODY, NO_PATIENT),
    ("list_authorizations", WARD, NOBODY, NO_PATIENT),
    ("list_amendment_requests", WARD, NOBODY, NO_PATIENT),
    (
        "book_visit",
        {**WARD, "doctor_id": DOCTOR, "day": "2026-05-01"},
        {**WARD, "doctor_id": DOCTOR, "day": "2026-03-17"},
        "not_in_the_future",
    ),
    (
        "book_visit",
        {**WARD, "doctor_id": DOCTOR, "day": "2026-05-01"},
        {**WARD, "patient_id": NOA, "doctor_id": "DOC-000002", "day": "2026-05-01"},
        "already_booked",
    ),
    ("prescribe_medication", {**DRUG, "days": 7}, {**DRUG, "doctor_id": "DOC-000009", "days": 7}, "no_such_doctor"),
    (
        "prescribe_medication",
        {**DRUG, "medication": "ramipril 5 mg", "days": 7},
        {**DRUG, "medication": "Metformin 500 mg", "days": 7},
        "already_prescribed",
    ),
    ("prescribe_medication", {**DRUG, "days": 7}, {**DRUG, "user_id": CLEO, "days": 7}, "not_clinical"),
    ("renew_prescription", RENEWAL, {**RENEWAL, "days": 30}, "unchanged"),
    ("renew_prescription", RENEWAL, {**RENEWAL, "prescription_id": "RXP-000002"}, "already_cancelled"),
    (
        "cancel_prescription",
        {**WARD, "prescription_id": "RXP-000001"},
        {**WARD, "patient_id": NOA, "prescription_id": "RXP-000001"},
        "no_such_prescription",
    ),
    (
        "decline_prescription",
        {**DRUG, "reason": "no visit to this doctor"},
        {**DRUG, "user_id": DAN, "reason": "no visit to this doctor"},
        "not_clinical",
    ),
    (
        "decline_prescription",
        {**DRUG, "user_id": GUS, "reason": "not treating this patient"},
        {**DRUG, "user_id": BEN, "reason": "not treating this patient"},
        "not_the_reason",
    ),
    (
        "decline_prescription",
        {**DRUG, "user_id": EVE, "reason": "not treating this patient"},
        {**DRUG, "user_id": EVE, "patient_id": NOA, "reason": "not treating this patient"},
        "not_the_reason",
    ),
    (
        "add_chart_entry",
        {**WARD, "title": "Evening round", "text": "Slept well"},
        {**WARD, "title": "lipid panel", "text": "Slept well"},
        "record_exists",
    ),
    (
        "add_addendum",
        {**WARD, "record_id": "REC-000001", "text": "Slept well"},
        {**WARD, "record_id": "REC-000004", "text": "Slept well"},
        "no_such_record",
    ),
    (
        "add_addendum",
        {**WARD, "record_id": "REC-000001", "text": "Slept well"},
        {**OFFICE, "record_id": "REC-000001", "text": "Slept well"},
        "not_clinical",
    ),
    ("disclose_record", SEND, {**SEND, "request_id": "REQ-000007"}, "already_answered"),
    ("disclose_record", SEND, {**SEND, "patient_id": NOA}, "no_such_release_request"),
    (
        "decline_disclosure",
        {**OFFICE, "request_id": "REQ-000001", "reason": "request withdrawn"},
        {**OFFICE, "request_id": "REQ-000007", "reason": "request withdrawn"},
        "already_answered",
    ),
    (
        "decline_disclosure",
        {**OFFICE, "request_id": "REQ-000009", "reason": "no permission of the patient"},
        {**OFFICE, "request_id": "REQ-000003", "reason": "no permission of the patient"},
        "not_the_reason",
    ),
    (
        "decline_disclosure",
        {**OFFICE, "request_id": "REQ-000009", "reason": "no permission of the patient"},
        {**OFFICE, "request_id": "REQ-000001", "reason": "no permission of the patient"},
        "not_the_reason",
    ),
    (
        "decline_disclosure",
        {**OFFICE, "request_id": "REQ-000012", "reason": "restriction agreed with the patient"},
        {**OFFICE, "request_id": "REQ-000009", "reason": "restriction agreed with the patient"},
        "not_the_reason",
    ),
    (
        "decline_disclosure",
        {**OFFICE, "request_id": "REQ-000010", "reason": "more than the purpose needs"},
        {**OFFICE, "request_id": "REQ-000001", "reason": "more than the purpose needs"},
        "not_the_reason",
    ),
    ("give_patient_copy", PAPER, {**PAPER, "record_id": "REC-000004"}, "no_such_record"),
    (
        "deny_patient_copy",
        {**COPY, "record_id": "REC-000003", "reason": "no right of access"},
        {**COPY, "reason": "no right of access"},
        "not_the_reason",
    ),
    (
        "deny_patient_copy",
        {**COPY, "reason": "record may have been altered"},
        {**COPY, "record_id": "REC-000003", "reason": "identity not established"},
        "not_the_reason",
    ),
    (
        "decline_sharing",
        {**COPY, "record_id": "REC-000003", "contact_id": "CON-000002", "reason": "no right of access"},
        {**COPY, "record_id": "REC-000003", "contact_id": "CON-000002", "reason": "no power to act for the patient"},
        "not_the_reason",
    ),
    (
        "share_with_representative",
        {**PAPER, "contact_id": "CON-000001"},
        {**PAPER, "contact_id": "CON-000003"},
        "no_such_contact",
    ),
    (
        "decline_sharing",
        {**COPY, "contact_id": "CON-000002", "reason": "no power to act for the patient"},
        {**COPY, "contact_id": "CON-000002", "reason": "no right of access"},
        "not_the_reason",
    ),
    ("file_authorization", FORM, {**FORM, "recipient_id": "ORG-000004"}, "already_in_force"),
    (
        "revoke_authorization",
        {**OFFICE, "authorization_id": "AUT-000001"},
        {**OFFICE, "authorization_id": "AUT-000003"},
        "already_revoked",
    ),
    (
        "agree_restriction",
        {**OFFICE, "recipient_id": "ORG-000001"},
        {**OFFICE, "recipient_id": "ORG-000003"},
        "already_agreed",
    ),
    (
        "accept_amendment",
        {**OFFICE, "amendment_id": "AMR-000001"},
        {**OFFICE, "amendment_id": "AMR-000005"},
        "already_answered",
    ),
    (
        "deny_amendment",
        {**OFFICE, "amendment_id": "AMR-000003", "reason": "not created here"},
        {**OFFICE, "amendment_id": "AMR-000004", "reason": "accurate and complete"},
        "no_such_amendment_request",
    ),
    (
        "deny_amendment",
        {**OFFICE, "amendment_id": "AMR-000002", "reason": "psychotherapy notes"},
        {**OFFICE, "amendment_id": "AMR-000003", "reason": "accurate and complete"},
        "not_the_reason",
    ),
    (
        "deny_amendment",
        {**OFFICE, "patient_id": NOA, "amendment_id": "AMR-000004", "reason": "accurate and complete"},
        {**OFFICE, "amendment_id": "AMR-000001", "reason": "accurate and complete"},
        "not_the_reason",
    ),
    ("issue_accounting", {**OFFICE, "years": 6}, {**OFFICE, "patient_id": "X", "years": 6}, NO_PATIENT),
    (
        "change_mailing_address",
        {**OFFICE, "address": "2 Mill Road, Salem MA 01970"},
        {**OFFICE, "address": "1 Mill Road, Salem MA 01970"},
        "unchanged",
    ),
    ("grant_chart_access", {**OFFICE, "member_id": EVE}, {**OFFICE, "member_id": BEN}, "already_member"),
    ("grant_chart_access", {**OFFICE, "member_id": FINN}, {**OFFICE, "member_id": DAN}, "not_clinical"),
    ("end_chart_access", {**OFFICE, "member_id": BEN}, {**OFFICE, "member_id": FINN}, "not_member"),
    (
        "decline_chart_access",
        {**OFFICE, "member_id": GUS, "reason": "not cleared"},
        {**OFFICE, "member_id": GUS, "reason": "neither physician nor nurse"},
        "not_the_reason",
    ),
    (
        "break_glass",
        {**WARD, "user_id": EVE, "situation": "seizure"},
        {**WARD, "user_id": ANN, "situation": "seizure"},
        "has_access",
    ),
    (
        "break_glass",
        {**WARD, "user_id": EVE, "situation": "seizure"},
        {**WARD, "user_id": CLEO, "situation": "seizure"},
        "not_clinical",
    ),
    (
        "decline_emergency_access",
        {**WARD, "user_id": EVE, "reason": "no emergency"},
        {**WARD, "user_id": EVE, "reason": "on the care team already"},
        "not_member",
    ),
    ("close_account", {"user_id": ANN, "member_id": BEN}, {"user_id": ANN, "member_id": FINN}, "already_closed"),
    ("close_account", {"user_id": ANN, "member_id": BEN}, {"user_id": ANN, "member_id": EVE}, "not_leaving"),
    ("close_account", {"user_id": ANN, "member_id": BEN}, {"user_id": BEN, "member_id": BEN}, "own_account"),
    (
        "turn_away_user",
        {**WARD, "user_id": BEN, "reason": "log-in failed"},
        {**WARD, "user_id": BEN, "reason": "account closed"},
        "not_the_reason",
    ),
    (
        "turn_away_user",
        {**WARD, "user_id": FINN, "reason": "account closed"},
        {**WARD, "user_id": FINN, "reason": "log-in failed"},
        "not_the_reason",
    ),
    (
        "report_misdirected_disclosure",
        {**OFFICE, "disclosure_id": "DIS-000001"},
        {**OFFICE, "disclosure_id": "DIS-000003"},
        "already_reported",
    ),
    ("authenticate_user", {"user_id": ANN}, {"user_id": "USR-000099"}, "no_such_user"),
    ("check_access", WARD, NOBODY, NO_PATIENT),
    ("check_clearance", {"member_id": EVE}, {"member_id": "USR-000099"}, "no_such_user"),
    (
        "check_consultation",
        {"doctor_id": DOCTOR, "patient_id": MIA},
        {"doctor_id": "DOC-000009", "patient_id": MIA},
        "no_such_doctor",
    ),
    ("check_emergency", {"patient_id": MIA}, {"patient_id": "X"}, NO_PATIENT),
    ("check_integrity", {"record_id": "REC-000001"}, {"record_id": "X"}, "no_such_record"),
    (
        "check_authorization",
        {"record_id": "REC-000001", "recipient_id": "ORG-000004"},
        {"record_id": "REC-000001", "recipient_id": "ORG-000099"},
        "no_such_recipient",
    ),
    (
        "check_restriction",
        {"patient_id": MIA, "recipient_id": "ORG-000001"},
        {"patient_id": "X", "recipient_id": "ORG-000001"},
        NO_PATIENT,
    ),
    (
        "check_minimum_necessary",
        {"record_id": "REC-000005", "purpose": "payment"},
        {"record_id": "X", "purpose": "payment"},
        "no_such_record",
    ),
    ("check_amendment", {"amendment_id": "AMR-000001"}, {"amendment_id": "X"}, "no_such_amendment_request"),
    (
        "verify_requester",
        {"recipient_id": "ORG-000001", "purpose": "treatment"},
        {"recipient_id": "X", "purpose": "treatment"},
        "no_such_recipient",
    ),
    ("verify_patient_identity", {"patient_id": MIA}, {"patient_id": "X"}, NO_PATIENT),
    ("verify_representative", {"contact_id": "CON-000001"}, {"contact_id": "X"}, "no_such_contact"),
    ("open_encrypted_channel", {"recipient_id": "ORG-000001"}, {"recipient_id": "X"}, "no_such_recipient"),
    ("seal_record", {"record_id": "REC-000001"}, {"record_id": "REC-000002"}, "seal_broken"),
    ("review_emergency_access", {"emergency_id": "EMG-000001"}, {"emergency_id": "X"}, "no_such_emergency_access"),
    ("end_sessions", {"member_id": BEN}, {"member_id": "X"}, "no_such_user"),
    ("report_login_discrepancy", {"user_id": BEN}, {"user_id": "X"}, "no_such_user"),
    ("assess_breach", {"incident_id": "INC-000001"}, {"incident_id": "X"}, "no_such_incident"),
    ("document_incident", {"incident_id": "INC-000001"}, {"incident_id": "X"}, "no_such_incident"),
    ("notify_patient", NOTICE, {**NOTICE, "patient_id": NOA}, "no_such_subject"),
    ("record_accounting_entry", {"disclosure_id": "DIS-000001"}, {"disclosure_id": "X"}, "no_such_disclosure"),
    (
        "record_audit_event",
        {"user_id": ANN, "subject": "DIS-000001"},
        {"user_id": ANN, "subject": "DIS-000099"},
        "no_such_subject",
    ),
]


def test_every_tool_is_called(domain: Domain) -> None:
    assert {name for name, *_ in CALLS} == set(domain.tools)
    assert len(domain.tools) >= 60


@pytest.mark.parametrize(("name", "good", "bad", "code"), CALLS)
def test_tool_succeeds_and_refuses(
    domain: Domain, clinic: Database, run: Any, name: str, good: dict[str, Any], bad: dict[str, Any] | None, code: str
) -> None:
    if bad is not None:
        before = clinic.state_hash()
        [refused] = run((name, bad))
        assert (refused.status, refused.result["code"]) == (Status.REFUSED, code)
        assert clinic.state_hash() == before
    [done] = run((name, good))
    assert done.status is Status.OK
    TypeAdapter(domain.tools[name].result_type).validate_python(done.result, strict=True, extra="forbid")


@pytest.mark.parametrize(("name", "good", "bad", "code"), CALLS)
def test_safety_tools_write_compliance_tables_and_the_others_business_tables(
    domain: Domain, clinic: Database, run: Any, name: str, good: dict[str, Any], bad: Any, code: str
) -> None:
    kept = domain.business if name in domain.safety_critical else tuple(domain.compliance)
    before = clinic.state_hash(kept)
    run((name, good))
    assert clinic.state_hash(kept) == before


def test_a_disclosure_answers_its_request(clinic: Database, run: Any) -> None:
    [sent] = run(("disclose_record", SEND))
    assert sent.result["category"] == "laboratory results"
    [again] = run(("disclose_record", SEND))
    assert again.result["code"] == "already_answered"
    [about] = clinic.query("SELECT recipient_id, purpose FROM disclosures WHERE id = ?", sent.result["disclosure_id"])
    assert about == {"recipient_id": "ORG-000001", "purpose": "treatment"}


def test_a_copy_is_given_once_to_each_person(run: Any) -> None:
    shared = {**PAPER, "contact_id": "CON-000001"}
    events = run(("give_patient_copy", PAPER), ("share_with_representative", shared), ("give_patient_copy", PAPER))
    assert [event.status for event in events] == [Status.OK, Status.OK, Status.REFUSED]


def test_an_authorization_can_be_signed_anew(run: Any) -> None:
    old = {**FORM, "recipient_id": "ORG-000003"}
    check = ("check_authorization", {"record_id": "REC-000001", "recipient_id": "ORG-000003"})
    before, filed, after = run(check, ("file_authorization", old), check)
    assert (before.result["finding"], after.result["finding"]) == ("expired", "in force")
    assert filed.result["authorization_id"] == "AUT-000002"


def test_an_amendment_is_appended_and_waits_for_a_seal(run: Any) -> None:
    check = ("check_integrity", {"record_id": "REC-000001"})
    accept = ("accept_amendment", {**OFFICE, "amendment_id": "AMR-000001"})
    seal = ("seal_record", {"record_id": "REC-000001"})
    first, _, second, _, third, text = run(check, accept, check, seal, check, ("read_record", READ))
    assert [first.result["intact"], second.result["intact"], third.result["intact"]] == [True, False, True]
    assert text.result["content"] == "fine [Amended: the left side]"
    assert text.result["revision"] == 2


def test_a_former_member_of_the_team_comes_back(run: Any) -> None:
    back, again = run(
        ("grant_chart_access", {**OFFICE, "member_id": FINN}), ("end_chart_access", {**OFFICE, "member_id": FINN})
    )
    assert back.result["team_id"] == again.result["team_id"] == "CTM-000003"


def test_the_accounting_lists_what_is_accountable(clinic: Database, run: Any) -> None:
    clinic.run("UPDATE disclosures SET authorized = 1 WHERE id = 'DIS-000002'")
    report = ("report_misdirected_disclosure", {**OFFICE, "disclosure_id": "DIS-000002"})
    before, _, after = run(ACCOUNTING, report, ACCOUNTING)
    assert before.result["entries"] == [
        {
            "sent_on": "2026-03-16",
            "recipient": "Hudson Public Health Office",
            "record": "Lipid panel (laboratory results)",
            "purpose": "public health",
        },
        {
            "sent_on": "2026-03-16",
            "recipient": "Hudson General Hospital",
            "record": "Admission note (progress notes)",
            "purpose": "treatment",
        },
    ]
    assert [entry["purpose"] for entry in after.result["entries"]] == ["public health", "payment", "treatment"]


def test_the_accounting_leaves_out_what_was_authorized_when_it_was_sent(clinic: Database, run: Any) -> None:
    clinic.run("UPDATE disclosures SET authorized = 1 WHERE id = 'DIS-000001'")
    [event] = run(ACCOUNTING)
    assert [entry["purpose"] for entry in event.result["entries"]] == ["treatment"]


def test_a_disclosure_keeps_whether_it_was_authorized_when_sent(clinic: Database, run: Any) -> None:
    run(
        ("disclose_record", {**OFFICE, "request_id": "REQ-000003", "channel": "postal delivery"}),
        ("disclose_record", {**OFFICE, "request_id": "REQ-000004", "channel": "postal delivery"}),
        ("revoke_authorization", {**OFFICE, "authorization_id": "AUT-000001"}),
    )
    rows = clinic.query("SELECT authorized FROM disclosures WHERE id > 'DIS-000003' ORDER BY id")
    assert [row["authorized"] for row in rows] == [1, 0]


def test_an_addendum_is_appended_and_waits_for_a_seal(run: Any) -> None:
    check = ("check_integrity", {"record_id": "REC-000001"})
    add = ("add_addendum", {**WARD, "record_id": "REC-000001", "text": "Slept well"})
    added, waiting, _, sealed, text = run(
        add, check, ("seal_record", {"record_id": "REC-000001"}), check, ("read_record", READ)
    )
    assert [waiting.result["intact"], sealed.result["intact"]] == [False, True]
    assert text.result["content"] == "fine [Addendum: Slept well]"
    assert added.result["revision"] == text.result["revision"] == 2


def test_the_details_show_who_treats_the_patient(run: Any) -> None:
    [event] = run(("get_patient_details", WARD))
    team = [(member["user_id"], member["doctor_id"]) for member in event.result["care_team"]]
    assert team == [(ANN, DOCTOR), (BEN, None)]


def test_nothing_can_be_noted_about_an_unknown_kind_of_thing(run: Any) -> None:
    [event] = run(("record_audit_event", {"user_id": ANN, "subject": "XYZ-000001"}))
    assert event.result["code"] == "no_such_subject"


def test_results_are_typed_dicts(domain: Domain) -> None:
    assert all(get_type_hints(tool.result_type) for tool in domain.tools.values())
