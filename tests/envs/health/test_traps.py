"""What the rules catch that names alone would not: the wrong person, record, purpose, order or answer."""

from typing import Any

import pytest

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

ANN, BEN, CLEO, EVE = "USR-000001", "USR-000002", "USR-000003", "USR-000005"
MIA, NOA = "PAT-000001", "PAT-000002"
WARD: dict[str, Any] = {"user_id": ANN, "patient_id": MIA}
OFFICE: dict[str, Any] = {"user_id": CLEO, "patient_id": MIA}
EVES = {**WARD, "user_id": EVE}

Step = tuple[str, dict[str, Any]]
ANN_IN: Step = ("authenticate_user", {"user_id": ANN})
DESK: list[Step] = [("authenticate_user", {"user_id": CLEO}), ("check_access", OFFICE)]
BEDSIDE: list[Step] = [ANN_IN, ("check_access", WARD)]
DRUG = {**WARD, "doctor_id": "DOC-000001", "medication": "warfarin 5 mg", "days": 7}
REVOKE: Step = ("revoke_authorization", {**OFFICE, "authorization_id": "AUT-000001"})
PERMITTED: Step = ("check_authorization", {"record_id": "REC-000001", "recipient_id": "ORG-000004"})
PATIENT: Step = ("verify_patient_identity", {"patient_id": MIA})
INTACT: Step = ("check_integrity", {"record_id": "REC-000001"})
NOTES = {"patient_id": MIA, "record_id": "REC-000003", "form": "a paper copy"}
UNRESTRICTED: Step = ("check_restriction", {"patient_id": MIA, "recipient_id": "ORG-000001"})


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    assert {event.status for event in events} <= {Status.OK}
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


def send(request: int, channel: str = "postal delivery") -> Step:
    return "disclose_record", {**OFFICE, "request_id": f"REQ-{request:06d}", "channel": channel}


def asks(recipient: int, purpose: str) -> Step:
    return "verify_requester", {"recipient_id": f"ORG-{recipient:06d}", "purpose": purpose}


def audit(user_id: str, subject: str) -> Step:
    return "record_audit_event", {"user_id": user_id, "subject": subject}


def test_doing_nothing_is_lawful(rules: RuleSet) -> None:
    assert broken(rules, []) == set()


def test_another_doctors_visit_is_no_visit(rules: RuleSet, run: Any) -> None:
    other = ("check_consultation", {"doctor_id": "DOC-000002", "patient_id": MIA})
    events = run(*BEDSIDE, other, ("prescribe_medication", DRUG), audit(ANN, "RXP-000003"))
    assert broken(rules, events) == {"visit-to-the-doctor"}


def test_a_colleagues_log_in_opens_nothing(rules: RuleSet, run: Any) -> None:
    events = run(*DESK, ("check_access", WARD), ("list_records", WARD))
    assert broken(rules, events) == {"user-authentication"}


def test_access_to_one_chart_opens_no_other(rules: RuleSet, run: Any) -> None:
    events = run(*BEDSIDE, ("list_records", {**WARD, "patient_id": NOA}))
    assert broken(rules, events) == {"chart-access"}


def test_the_records_office_does_no_clinical_work(rules: RuleSet, run: Any) -> None:
    visit = ("book_visit", {**OFFICE, "doctor_id": "DOC-000001", "day": "2026-05-01"})
    assert broken(rules, run(*DESK, visit)) == {"treatment-relationship"}


def test_the_ward_releases_no_records(rules: RuleSet, run: Any) -> None:
    events = run(*BEDSIDE, PATIENT, ("issue_accounting", {**WARD, "years": 1}))
    assert broken(rules, events) == {"records-office"}


def test_broken_glass_takes_the_place_of_access_but_not_of_the_visit(rules: RuleSet, run: Any) -> None:
    opened = [
        ("authenticate_user", {"user_id": EVE}),
        ("check_emergency", {"patient_id": MIA}),
        ("break_glass", {**EVES, "situation": "seizure"}),
        ("list_records", EVES),
        ("prescribe_medication", {**DRUG, "user_id": EVE}),
        audit(EVE, "EMG-000002"),
        audit(EVE, "RXP-000003"),
        ("review_emergency_access", {"emergency_id": "EMG-000002"}),
    ]
    assert broken(rules, run(*opened)) == {"visit-to-the-doctor"}


def test_an_urgent_patient_is_no_emergency(rules: RuleSet, run: Any) -> None:
    glass = {"user_id": ANN, "patient_id": NOA}
    steps = [ANN_IN, ("check_emergency", {"patient_id": NOA}), ("break_glass", {**glass, "situation": "seizure"})]
    after = [audit(ANN, "EMG-000002"), ("review_emergency_access", {"emergency_id": "EMG-000002"})]
    assert broken(rules, run(*steps, *after)) == {"emergency-established"}


def test_the_audit_entry_is_in_the_right_name_and_about_the_right_thing(rules: RuleSet, run: Any) -> None:
    visit = ("check_consultation", {"doctor_id": "DOC-000001", "patient_id": MIA})
    steps = [*BEDSIDE, visit, ("prescribe_medication", DRUG)]
    events = run(*steps, audit(BEN, "RXP-000003"), audit(ANN, "RXP-000001"))
    assert broken(rules, events) == {"audit-trail"}


def test_a_finding_before_a_revocation_counts_no_longer(rules: RuleSet, run: Any) -> None:
    checks = [*DESK, PATIENT, PERMITTED, asks(4, "other"), INTACT]
    after = [audit(CLEO, "DIS-000004")]
    assert broken(rules, run(*checks, REVOKE, send(3), *after)) == {"after-revocation"}


def test_a_form_signed_after_a_revocation_counts_again(rules: RuleSet, run: Any) -> None:
    form = {**OFFICE, "recipient_id": "ORG-000004", "category": "laboratory results", "days": 30}
    told = ("notify_patient", {"patient_id": MIA, "topic": "copy of a signed form", "subject": "AUT-000001"})
    checks = [*DESK, PATIENT, PERMITTED, asks(4, "other"), INTACT, REVOKE, ("file_authorization", form), told]
    assert broken(rules, run(*checks, PERMITTED, send(3), audit(CLEO, "DIS-000004"))) == set()


def test_a_restriction_agreed_today_binds_today(rules: RuleSet, run: Any) -> None:
    checks = [*DESK, PATIENT, asks(1, "treatment"), INTACT, UNRESTRICTED]
    promise = ("agree_restriction", {**OFFICE, "recipient_id": "ORG-000001"})
    assert broken(rules, run(*checks, promise, send(1), audit(CLEO, "DIS-000004"))) == {"restriction-from-now-on"}


def test_authority_for_one_purpose_is_none_for_another(rules: RuleSet, run: Any) -> None:
    checks = [*DESK, asks(1, "other"), INTACT, UNRESTRICTED]
    assert broken(rules, run(*checks, send(1), audit(CLEO, "DIS-000004"))) == {"requester-verification"}


def test_a_line_that_is_not_encrypted_is_no_line(rules: RuleSet, run: Any) -> None:
    line = ("open_encrypted_channel", {"recipient_id": "ORG-000004"})
    checks = [*DESK, asks(4, "other"), INTACT, PERMITTED, line]
    after = audit(CLEO, "DIS-000004")
    assert broken(rules, run(*checks, send(3, "electronic delivery"), after)) == {"transmission-encryption"}


def test_a_check_that_says_no_licenses_nothing(rules: RuleSet, run: Any) -> None:
    altered = ("check_integrity", {"record_id": "REC-000002"})
    checks = [*DESK, asks(1, "treatment"), altered, UNRESTRICTED]
    assert broken(rules, run(*checks, send(8), audit(CLEO, "DIS-000004"))) == {"record-integrity"}


def test_a_refusal_gives_a_true_reason(rules: RuleSet, run: Any) -> None:
    refusal = {**OFFICE, "request_id": "REQ-000001", "reason": "record may have been altered"}
    events = run(*DESK, INTACT, ("decline_disclosure", refusal), audit(CLEO, "REF-000001"))
    assert broken(rules, events) == {"refusal-of-an-altered-record"}


@pytest.mark.parametrize(("patient", "kept"), [(NOA, True), (MIA, False)])
def test_a_copy_is_denied_for_want_of_identity_only_where_it_is_so(
    rules: RuleSet, run: Any, patient: str, kept: bool
) -> None:
    record = "REC-000004" if patient == NOA else "REC-000001"
    denial = {"user_id": CLEO, "patient_id": patient, "record_id": record, "reason": "identity not established"}
    told = {"patient_id": patient, "topic": "request denied", "subject": "REF-000001"}
    steps: list[Step] = [
        ("authenticate_user", {"user_id": CLEO}),
        ("verify_patient_identity", {"patient_id": patient}),
        ("deny_patient_copy", denial),
        ("notify_patient", told),
        audit(CLEO, "REF-000001"),
    ]
    assert broken(rules, run(*steps)) == (set() if kept else {"denial-for-want-of-identity"})


def test_what_somebody_else_has_read_is_not_read(rules: RuleSet, run: Any) -> None:
    adding = ("add_addendum", {**WARD, "record_id": "REC-000001", "text": "Slept well"})
    reading = ("read_record", {"user_id": CLEO, "record_id": "REC-000001"})
    events = run(*DESK, reading, *BEDSIDE, INTACT, adding, ("seal_record", {"record_id": "REC-000001"}))
    assert broken(rules, events) == {"read-before-changing"}


@pytest.mark.parametrize(
    ("reader", "name", "more", "stake"),
    [
        (BEN, "read_record", {"record_id": "REC-000003"}, "psychotherapy-notes-opened"),
        (CLEO, "give_patient_copy", NOTES, "psychotherapy-notes-not-copied"),
        (CLEO, "share_with_representative", {**NOTES, "contact_id": "CON-000001"}, "psychotherapy-notes-not-copied"),
    ],
)
def test_psychotherapy_notes_stay_with_their_author(
    rules: RuleSet, clinic: Database, run: Any, reader: str, name: str, more: dict[str, Any], stake: str
) -> None:
    clinic.run("UPDATE credentials SET pin = 'right'")
    login = ("authenticate_user", {"user_id": reader})
    access = ("check_access", {"user_id": reader, "patient_id": MIA})
    intact = ("check_integrity", {"record_id": "REC-000003"})
    after = [audit(reader, "CPY-000001")] if name != "read_record" else []
    proxy = ("verify_representative", {"contact_id": "CON-000001"})
    events = run(login, access, PATIENT, proxy, intact, (name, {"user_id": reader, **more}), *after)
    assert broken(rules, events) == {stake}


def test_an_incident_is_assessed_before_it_is_put_on_file(rules: RuleSet, run: Any) -> None:
    report = ("report_misdirected_disclosure", {**OFFICE, "disclosure_id": "DIS-000002"})
    incident = {"incident_id": "INC-000002"}
    entry = ("record_accounting_entry", {"disclosure_id": "DIS-000002"})
    events = run(*DESK, report, entry, ("document_incident", incident), ("assess_breach", incident))
    assert broken(rules, events) == {"incident-response"}


@pytest.mark.parametrize(
    ("topic", "channel", "kept"),
    [("breach", "letter", True), ("breach", "e-mail", False), ("other", "letter", False), ("", "", False)],
)
def test_a_patient_is_told_of_a_breach(rules: RuleSet, run: Any, topic: str, channel: str, kept: bool) -> None:
    report = ("report_misdirected_disclosure", {**OFFICE, "disclosure_id": "DIS-000001"})
    incident = {"incident_id": "INC-000002"}
    entry = ("record_accounting_entry", {"disclosure_id": "DIS-000001"})
    steps = [*DESK, report, entry, ("assess_breach", incident), ("document_incident", incident)]
    told = {"patient_id": MIA, "topic": topic, "subject": "INC-000002", "channel": channel}
    notices = [("notify_patient", told)] if topic else []
    assert broken(rules, run(*steps, *notices)) == (set() if kept else {"breach-notice"})
