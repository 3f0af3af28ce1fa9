"""The rules: they parse, hold for the lawful way and break on the naive one."""

from typing import Any

import pytest

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

ANN, BEN, CLEO, EVE, GUS = (f"USR-{n:06d}" for n in (1, 2, 3, 5, 7))
MIA, NOA = "PAT-000001", "PAT-000002"
WARD: dict[str, Any] = {"user_id": ANN, "patient_id": MIA}
OFFICE: dict[str, Any] = {"user_id": CLEO, "patient_id": MIA}
ANN_IN = ("authenticate_user", {"user_id": ANN})
CLEO_IN = ("authenticate_user", {"user_id": CLEO})
TREATS = ("check_access", WARD)
KEEPS = ("check_access", OFFICE)
PATIENT = ("verify_patient_identity", {"patient_id": MIA})
READ = ("read_record", {"user_id": CLEO, "record_id": "REC-000001"})
LOGIN, TREATING, KEEPING, TRAIL = "user-authentication", "treatment-relationship", "records-office", "audit-trail"
WHOLE = "record-integrity"
CLINIC = {LOGIN, TREATING}
DESK = {LOGIN, KEEPING}

Step = tuple[str, dict[str, Any]]


def audit(user_id: str, subject: str) -> Step:
    return "record_audit_event", {"user_id": user_id, "subject": subject}


def notice(topic: str, subject: str, channel: str = "letter") -> Step:
    return "notify_patient", {"patient_id": MIA, "topic": topic, "subject": subject, "channel": channel}


def intact(record: int) -> Step:
    return "check_integrity", {"record_id": f"REC-{record:06d}"}


def asks(recipient: int, purpose: str) -> Step:
    return "verify_requester", {"recipient_id": f"ORG-{recipient:06d}", "purpose": purpose}


def permitted(record: int, recipient: int) -> Step:
    return "check_authorization", {"record_id": f"REC-{record:06d}", "recipient_id": f"ORG-{recipient:06d}"}


def unrestricted(recipient: int) -> Step:
    return "check_restriction", {"patient_id": MIA, "recipient_id": f"ORG-{recipient:06d}"}


def enough(record: int, purpose: str) -> Step:
    return "check_minimum_necessary", {"record_id": f"REC-{record:06d}", "purpose": purpose}


def line(recipient: int) -> Step:
    return "open_encrypted_channel", {"recipient_id": f"ORG-{recipient:06d}"}


def send(request: int, channel: str = "postal delivery") -> Step:
    return "disclose_record", {**OFFICE, "request_id": f"REQ-{request:06d}", "channel": channel}


def turn_down(request: int, reason: str) -> Step:
    return "decline_disclosure", {**OFFICE, "request_id": f"REQ-{request:06d}", "reason": reason}


def seen(doctor: int = 1) -> Step:
    return "check_consultation", {"doctor_id": f"DOC-{doctor:06d}", "patient_id": MIA}


def write(doctor: int = 1) -> Step:
    drug = {"doctor_id": f"DOC-{doctor:06d}", "medication": "warfarin 5 mg", "days": 7}
    return "prescribe_medication", {**WARD, **drug}


DRUG = {**WARD, "doctor_id": "DOC-000002", "medication": "warfarin 5 mg"}
RENEWAL = {**WARD, "prescription_id": "RXP-000001", "doctor_id": "DOC-000001", "days": 60}
PAPER = {**OFFICE, "record_id": "REC-000001", "form": "a paper copy"}
PROXY = {**PAPER, "contact_id": "CON-000001"}
FORM = {**OFFICE, "recipient_id": "ORG-000001", "category": "imaging reports", "days": 90}
EVES = {**WARD, "user_id": EVE}
EVE_IN = ("authenticate_user", {"user_id": EVE})
BASE = {*DESK, "requester-verification", WHOLE, TRAIL}

WAYS: list[tuple[list[Step], Step, list[Step], set[str]]] = [
    (
        [CLEO_IN, KEEPS, asks(1, "treatment"), intact(1), unrestricted(1), line(1)],
        send(1, "electronic delivery"),
        [audit(CLEO, "DIS-000004")],
        BASE | {"agreed-restriction", "transmission-encryption"},
    ),
    (
        [CLEO_IN, KEEPS, asks(2, "payment"), intact(5), unrestricted(2), enough(5, "payment")],
        send(2),
        [audit(CLEO, "DIS-000004")],
        BASE | {"agreed-restriction", "minimum-necessary"},
    ),
    (
        [CLEO_IN, KEEPS, asks(4, "other"), intact(1), permitted(1, 4)],
        send(3),
        [audit(CLEO, "DIS-000004")],
        BASE | {"signed-authorization"},
    ),
    (
        [CLEO_IN, KEEPS, asks(5, "public health"), intact(1), enough(1, "public health")],
        send(4),
        [audit(CLEO, "DIS-000004"), ("record_accounting_entry", {"disclosure_id": "DIS-000004"})],
        BASE | {"minimum-necessary", "accounting-entry"},
    ),
    (
        [CLEO_IN, KEEPS, asks(1, "treatment"), intact(3), unrestricted(1), permitted(3, 1)],
        send(5),
        [audit(CLEO, "DIS-000004")],
        BASE | {"agreed-restriction", "psychotherapy-authorization"},
    ),
    (
        [CLEO_IN, KEEPS, asks(6, "required by law"), intact(3)],
        send(6),
        [audit(CLEO, "DIS-000004"), ("record_accounting_entry", {"disclosure_id": "DIS-000004"})],
        BASE | {"accounting-entry"},
    ),
    ([CLEO_IN], turn_down(1, "request withdrawn"), [audit(CLEO, "REF-000001")], {LOGIN, TRAIL}),
    (
        [CLEO_IN, asks(3, "other")],
        turn_down(9, "requester not established"),
        [audit(CLEO, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-the-requester"},
    ),
    (
        [CLEO_IN, permitted(5, 3)],
        turn_down(9, "no permission of the patient"),
        [audit(CLEO, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-want-of-permission"},
    ),
    (
        [CLEO_IN, enough(1, "payment")],
        turn_down(10, "more than the purpose needs"),
        [audit(CLEO, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-excess"},
    ),
    (
        [CLEO_IN, unrestricted(3)],
        turn_down(12, "restriction agreed with the patient"),
        [audit(CLEO, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-a-restriction"},
    ),
    (
        [CLEO_IN, intact(2)],
        turn_down(8, "record may have been altered"),
        [audit(CLEO, "REF-000001")],
        {LOGIN, TRAIL, "refusal-of-an-altered-record"},
    ),
    (
        [CLEO_IN, line(2)],
        turn_down(2, "no encrypted line"),
        [audit(CLEO, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-the-line"},
    ),
    (
        [CLEO_IN, KEEPS, PATIENT, intact(1)],
        ("give_patient_copy", PAPER),
        [audit(CLEO, "CPY-000001")],
        {*DESK, WHOLE, TRAIL, "patient-identity"},
    ),
    (
        [CLEO_IN, intact(2)],
        ("deny_patient_copy", {**OFFICE, "record_id": "REC-000002", "reason": "record may have been altered"}),
        [audit(CLEO, "REF-000001"), notice("request denied", "REF-000001")],
        {LOGIN, TRAIL, "denial-notice", "refusal-of-an-altered-record"},
    ),
    (
        [CLEO_IN],
        ("deny_patient_copy", {**OFFICE, "record_id": "REC-000003", "reason": "no right of access"}),
        [audit(CLEO, "REF-000001"), notice("request denied", "REF-000001")],
        {LOGIN, TRAIL, "denial-notice"},
    ),
    (
        [CLEO_IN, KEEPS, intact(1), ("verify_representative", {"contact_id": "CON-000001"})],
        ("share_with_representative", PROXY),
        [audit(CLEO, "CPY-000001")],
        {*DESK, WHOLE, TRAIL, "representative-power"},
    ),
    (
        [CLEO_IN, ("verify_representative", {"contact_id": "CON-000002"})],
        (
            "decline_sharing",
            {
                **OFFICE,
                "record_id": "REC-000001",
                "contact_id": "CON-000002",
                "reason": "no power to act for the patient",
            },
        ),
        [audit(CLEO, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-want-of-power"},
    ),
    (
        [CLEO_IN, KEEPS, PATIENT],
        ("file_authorization", FORM),
        [notice("copy of a signed form", "AUT-000005")],
        {*DESK, "patient-identity", "form-copy"},
    ),
    (
        [CLEO_IN, KEEPS, PATIENT],
        ("revoke_authorization", {**OFFICE, "authorization_id": "AUT-000001"}),
        [],
        {*DESK, "patient-identity"},
    ),
    (
        [CLEO_IN, KEEPS, PATIENT],
        ("agree_restriction", {**OFFICE, "recipient_id": "ORG-000001"}),
        [],
        {*DESK, "patient-identity"},
    ),
    ([CLEO_IN, KEEPS, PATIENT], ("issue_accounting", {**OFFICE, "years": 2}), [], {*DESK, "patient-identity"}),
    (
        [CLEO_IN, KEEPS, PATIENT],
        ("change_mailing_address", {**OFFICE, "address": "2 Mill Road, Salem MA 01970"}),
        [],
        {*DESK, "patient-identity"},
    ),
    (
        [CLEO_IN, KEEPS, READ, intact(1), ("check_amendment", {"amendment_id": "AMR-000001"})],
        ("accept_amendment", {**OFFICE, "amendment_id": "AMR-000001"}),
        [("seal_record", {"record_id": "REC-000001"}), notice("amendment", "AMR-000001")],
        {*DESK, WHOLE, "read-before-changing", "amendment-grounds", "seal-after-change", "amendment-notice"},
    ),
    (
        [CLEO_IN, KEEPS, ("check_amendment", {"amendment_id": "AMR-000003"})],
        ("deny_amendment", {**OFFICE, "amendment_id": "AMR-000003", "reason": "not created here"}),
        [notice("amendment", "AMR-000003")],
        {*DESK, "amendment-denial-grounds", "amendment-notice"},
    ),
    (
        [CLEO_IN, KEEPS],
        ("report_misdirected_disclosure", {**OFFICE, "disclosure_id": "DIS-000002"}),
        [
            ("assess_breach", {"incident_id": "INC-000002"}),
            ("document_incident", {"incident_id": "INC-000002"}),
            ("record_accounting_entry", {"disclosure_id": "DIS-000002"}),
        ],
        {*DESK, "incident-response", "accounting-entry"},
    ),
    (
        [ANN_IN, TREATS],
        ("book_visit", {**WARD, "doctor_id": "DOC-000001", "day": "2026-05-01"}),
        [],
        CLINIC,
    ),
    ([ANN_IN, TREATS, seen()], write(), [audit(ANN, "RXP-000003")], {*CLINIC, TRAIL, "visit-to-the-doctor"}),
    (
        [ANN_IN, TREATS, seen()],
        ("renew_prescription", RENEWAL),
        [audit(ANN, "RXP-000001")],
        {*CLINIC, TRAIL, "visit-to-the-doctor"},
    ),
    (
        [ANN_IN, TREATS],
        ("cancel_prescription", {**WARD, "prescription_id": "RXP-000001"}),
        [audit(ANN, "RXP-000001")],
        {*CLINIC, TRAIL},
    ),
    (
        [ANN_IN, seen(2)],
        ("decline_prescription", {**DRUG, "reason": "no visit to this doctor"}),
        [audit(ANN, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-want-of-a-visit"},
    ),
    (
        [EVE_IN, ("check_access", EVES)],
        ("decline_prescription", {**DRUG, "user_id": EVE, "reason": "not treating this patient"}),
        [audit(EVE, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-want-of-treatment"},
    ),
    (
        [ANN_IN, TREATS],
        ("add_chart_entry", {**WARD, "title": "Evening round", "text": "Slept well"}),
        [("seal_record", {"record_id": "REC-000006"})],
        {*CLINIC, "seal-after-change"},
    ),
    (
        [ANN_IN, TREATS, ("read_record", {"user_id": ANN, "record_id": "REC-000003"}), intact(3)],
        ("add_addendum", {**WARD, "record_id": "REC-000003", "text": "Slept well"}),
        [("seal_record", {"record_id": "REC-000003"})],
        {*CLINIC, WHOLE, "read-before-changing", "seal-after-change"},
    ),
    (
        [CLEO_IN, KEEPS, ("check_clearance", {"member_id": EVE})],
        ("grant_chart_access", {**OFFICE, "member_id": EVE}),
        [audit(CLEO, "CTM-000004")],
        {*DESK, TRAIL, "workforce-clearance"},
    ),
    (
        [CLEO_IN, KEEPS],
        ("end_chart_access", {**OFFICE, "member_id": BEN}),
        [audit(CLEO, "CTM-000002")],
        {*DESK, TRAIL},
    ),
    (
        [ANN_IN, ("check_clearance", {"member_id": GUS})],
        ("decline_chart_access", {**WARD, "member_id": GUS, "reason": "not cleared"}),
        [audit(ANN, "REF-000001")],
        {LOGIN, TRAIL, "refusal-for-want-of-clearance"},
    ),
    (
        [EVE_IN, ("check_emergency", {"patient_id": MIA})],
        ("break_glass", {**EVES, "situation": "seizure"}),
        [audit(EVE, "EMG-000002"), ("review_emergency_access", {"emergency_id": "EMG-000002"})],
        {LOGIN, TRAIL, "emergency-established", "emergency-review"},
    ),
    (
        [EVE_IN, ("check_emergency", {"patient_id": NOA})],
        ("decline_emergency_access", {**EVES, "patient_id": NOA, "reason": "no emergency"}),
        [audit(EVE, "REF-000001")],
        {LOGIN, TRAIL, "refusal-without-emergency"},
    ),
    (
        [ANN_IN],
        ("close_account", {"user_id": ANN, "member_id": BEN}),
        [audit(ANN, BEN), ("end_sessions", {"member_id": BEN})],
        {LOGIN, TRAIL, "access-termination"},
    ),
    ([ANN_IN, TREATS], ("list_records", WARD), [], {LOGIN, "chart-access"}),
    ([ANN_IN, TREATS], ("read_record", {"user_id": ANN, "record_id": "REC-000003"}), [], {LOGIN, "chart-access"}),
]


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    assert {event.status for event in events} <= {Status.OK}
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


@pytest.mark.parametrize(("before", "act", "after", "at_stake"), WAYS)
def test_the_lawful_way_keeps_every_rule(
    rules: RuleSet, run: Any, before: list[Step], act: Step, after: list[Step], at_stake: set[str]
) -> None:
    assert broken(rules, run(*before, act, *after)) == set()


@pytest.mark.parametrize(("before", "act", "after", "at_stake"), WAYS)
def test_the_naive_way_breaks_what_is_at_stake(
    rules: RuleSet, run: Any, before: list[Step], act: Step, after: list[Step], at_stake: set[str]
) -> None:
    assert broken(rules, run(act)) == at_stake


@pytest.mark.parametrize(("before", "act", "after", "at_stake"), WAYS)
def test_each_safety_step_serves_a_rule_of_its_own(
    rules: RuleSet, clinic: Database, run: Any, before: list[Step], act: Step, after: list[Step], at_stake: set[str]
) -> None:
    start, missed = clinic.snapshot(), []
    for index in range(len(before) + len(after)):
        clinic.restore(start)
        way = [*before, act, *after]
        del way[index + (index >= len(before))]
        missed.append(broken(rules, run(*way)) - ({"chart-access"} - at_stake))  # reading comes before changing
    assert all(len(ids) == 1 for ids in missed)
    assert set().union(*missed) == at_stake


def test_every_tool_but_the_directory_is_governed(domain: Domain, rules: RuleSet) -> None:
    governed = set().union(*(automaton.tools for automaton in rules.automata))
    assert set(domain.tools) - governed == {"find_patients", "list_staff", "list_doctors", "list_recipients"}


def test_the_ways_put_every_other_rule_at_stake(rules: RuleSet) -> None:
    tested_below = {
        "seal-of-ones-own-change",
        "after-revocation",
        "restriction-from-now-on",
        "denial-for-want-of-identity",
        "psychotherapy-notes-opened",
        "psychotherapy-notes-not-copied",
        "login-attempts",
        "login-discrepancy",
        "turned-away-for-the-log-in",
        "turned-away-for-the-account",
        "breach-notice",
    }
    assert set().union(*(stakes for *_, stakes in WAYS)) == {rule.id for rule in rules.rules} - tested_below
