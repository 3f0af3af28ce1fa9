"""The safety-critical tools answer from the database, and can say no."""

from typing import Any

import pytest

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database

ANN, BEN, CLEO, DAN, EVE, FINN, GUS = (f"USR-{n:06d}" for n in range(1, 8))
MIA, NOA = "PAT-000001", "PAT-000002"


def access(user_id: str, granted: bool, ground: str, patient_id: str = MIA) -> Any:
    return "check_access", {"user_id": user_id, "patient_id": patient_id}, {"granted": granted, "ground": ground}


def seen(doctor: int, patient_id: str, held: bool, finding: str) -> Any:
    who = {"doctor_id": f"DOC-{doctor:06d}", "patient_id": patient_id}
    return "check_consultation", who, {"held": held, "finding": finding}


def requester(recipient: int, purpose: str, verified: bool, finding: str) -> Any:
    who = {"recipient_id": f"ORG-{recipient:06d}", "purpose": purpose}
    return "verify_requester", who, {"verified": verified, "finding": finding}


def amendment(number: int, amendable: bool, reason: str) -> Any:
    return "check_amendment", {"amendment_id": f"AMR-{number:06d}"}, {"amendable": amendable, "reason": reason}


ANSWERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("authenticate_user", {"user_id": ANN}, {"authenticated": True, "outcome": "accepted"}),
    ("authenticate_user", {"user_id": BEN}, {"authenticated": False, "outcome": "wrong pin"}),
    ("authenticate_user", {"user_id": FINN}, {"authenticated": False, "outcome": "account closed"}),
    access(ANN, True, "treatment relationship"),
    access(CLEO, True, "records office"),
    access(DAN, False, "role without chart access"),
    access(EVE, False, "no relationship"),
    access(EVE, True, "emergency access", NOA),
    access(FINN, False, "account closed"),
    ("check_clearance", {"member_id": EVE}, {"cleared": True, "until": "2026-06-25"}),
    ("check_clearance", {"member_id": GUS}, {"cleared": False, "until": "2026-03-16"}),
    ("check_clearance", {"member_id": FINN}, {"cleared": False, "until": "2026-06-25"}),
    seen(1, MIA, True, "seen in person"),
    seen(2, MIA, False, "by phone only"),
    seen(1, NOA, False, "more than 24 months ago"),
    seen(2, NOA, False, "not seen"),
    ("check_emergency", {"patient_id": MIA}, {"emergency": True, "triage": "emergency"}),
    ("check_emergency", {"patient_id": NOA}, {"emergency": False, "triage": "urgent"}),
    ("check_integrity", {"record_id": "REC-000001"}, {"intact": True, "finding": "seal matches"}),
    ("check_integrity", {"record_id": "REC-000002"}, {"intact": False, "finding": "content differs from seal"}),
    ("check_restriction", {"patient_id": MIA, "recipient_id": "ORG-000001"}, {"clear": True}),
    ("check_restriction", {"patient_id": MIA, "recipient_id": "ORG-000003"}, {"clear": False}),
    (
        "check_minimum_necessary",
        {"record_id": "REC-000005", "purpose": "payment"},
        {"within": True, "category": "billing statements"},
    ),
    (
        "check_minimum_necessary",
        {"record_id": "REC-000001", "purpose": "payment"},
        {"within": False, "category": "laboratory results"},
    ),
    (
        "check_minimum_necessary",
        {"record_id": "REC-000001", "purpose": "treatment"},
        {"within": True, "category": "laboratory results"},
    ),
    amendment(1, True, "author agrees"),
    amendment(2, False, "psychotherapy notes"),
    amendment(3, False, "not created here"),
    amendment(4, False, "accurate and complete"),
    requester(1, "treatment", True, "established"),
    requester(1, "payment", False, "not entitled for this purpose"),
    requester(3, "other", False, "call-back failed"),
    (
        "verify_patient_identity",
        {"patient_id": MIA},
        {"verified": True, "document": "passport", "finding": "matches"},
    ),
    (
        "verify_patient_identity",
        {"patient_id": NOA},
        {"verified": False, "document": "passport", "finding": "expired"},
    ),
    ("verify_representative", {"contact_id": "CON-000001"}, {"verified": True, "finding": "health care proxy"}),
    ("verify_representative", {"contact_id": "CON-000002"}, {"verified": False, "finding": "no power"}),
    ("verify_representative", {"contact_id": "CON-000003"}, {"verified": False, "finding": "power expired"}),
    ("open_encrypted_channel", {"recipient_id": "ORG-000001"}, {"encrypted": True, "cipher": "TLS 1.3"}),
    ("open_encrypted_channel", {"recipient_id": "ORG-000002"}, {"encrypted": False, "cipher": "none"}),
    ("open_encrypted_channel", {"recipient_id": "ORG-000004"}, {"encrypted": False, "cipher": "expired"}),
    ("end_sessions", {"member_id": BEN}, {"sessions": 1}),
]


@pytest.mark.parametrize(("name", "arguments", "answer"), ANSWERS)
def test_answer(run: Any, name: str, arguments: dict[str, Any], answer: dict[str, Any]) -> None:
    [event] = run((name, arguments))
    assert event.result == answer


@pytest.mark.parametrize(
    ("record", "recipient", "finding"),
    [(1, 4, "in force"), (1, 3, "expired"), (1, 1, "never signed"), (3, 1, "in force"), (5, 4, "never signed")],
)
def test_an_authorization_covers_one_category(run: Any, record: int, recipient: int, finding: str) -> None:
    where = {"record_id": f"REC-{record:06d}", "recipient_id": f"ORG-{recipient:06d}"}
    [event] = run(("check_authorization", where))
    assert (event.result["finding"], event.result["valid"]) == (finding, finding == "in force")


@pytest.mark.parametrize(
    ("patient_id", "subject", "channel", "sent"),
    [
        (MIA, "DIS-000001", "letter", True),
        (MIA, "DIS-000001", "e-mail", False),
        (MIA, "DIS-000001", "portal", False),
        (NOA, "EMG-000001", "e-mail", True),
        (NOA, "EMG-000001", "portal", True),
    ],
)
def test_notice_arrives_or_not(run: Any, patient_id: str, subject: str, channel: str, sent: bool) -> None:
    notice = {"patient_id": patient_id, "topic": "other", "subject": subject, "channel": channel}
    [event] = run(("notify_patient", notice))
    assert event.result["sent"] is sent


def test_a_closed_account_opens_nothing(run: Any) -> None:
    closing = ("close_account", {"user_id": ANN, "member_id": BEN})
    check = ("check_access", {"user_id": BEN, "patient_id": MIA})
    before, _, after = run(check, closing, check)
    assert (before.result["granted"], after.result["ground"]) == (True, "account closed")


def test_access_follows_the_care_team(run: Any) -> None:
    check = ("check_access", {"user_id": EVE, "patient_id": MIA})
    change = {"user_id": ANN, "member_id": EVE, "patient_id": MIA}
    events = run(("grant_chart_access", change), check, ("end_chart_access", change), check)
    assert [events[1].result["ground"], events[3].result["ground"]] == [
        "treatment relationship",
        "relationship ended",
    ]


def test_a_booked_visit_is_not_a_visit(run: Any) -> None:
    visit = {"user_id": ANN, "patient_id": NOA, "doctor_id": "DOC-000001", "day": "2026-04-02"}
    who = {"doctor_id": "DOC-000001", "patient_id": NOA}
    _, event = run(("book_visit", visit), ("check_consultation", who))
    assert event.result["held"] is False


def test_an_authorization_runs_out(clinic: Database, run: Any) -> None:
    clinic.clock += 80 * 86_400
    [event] = run(("check_authorization", {"record_id": "REC-000001", "recipient_id": "ORG-000004"}))
    assert event.result["finding"] == "expired"


@pytest.mark.parametrize(("disclosure", "breach"), [(1, True), (2, False), (3, False)])
def test_a_breach_is_what_was_opened(clinic: Database, run: Any, disclosure: int, breach: bool) -> None:
    clinic.run("UPDATE incidents SET disclosure_id = ?", f"DIS-{disclosure:06d}")
    [event] = run(("assess_breach", {"incident_id": "INC-000001"}))
    assert event.result["breach"] is breach


VERDICTS = {
    "authenticate_user": "authenticated",
    "check_access": "granted",
    "check_clearance": "cleared",
    "check_consultation": "held",
    "check_emergency": "emergency",
    "check_integrity": "intact",
    "check_authorization": "valid",
    "check_restriction": "clear",
    "check_minimum_necessary": "within",
    "check_amendment": "amendable",
    "verify_requester": "verified",
    "verify_patient_identity": "verified",
    "verify_representative": "verified",
    "open_encrypted_channel": "encrypted",
    "assess_breach": "breach",
    "notify_patient": "sent",
}
CASES = {
    "authenticate_user": "SELECT id AS user_id FROM users",
    "check_access": "SELECT u.id AS user_id, p.id AS patient_id FROM users u, patients p",
    "check_clearance": "SELECT id AS member_id FROM users",
    "check_consultation": "SELECT d.id AS doctor_id, p.id AS patient_id FROM doctors d, patients p",
    "check_emergency": "SELECT id AS patient_id FROM patients",
    "check_integrity": "SELECT id AS record_id FROM records",
    "check_authorization": "SELECT record_id, recipient_id FROM release_requests WHERE purpose = 'other'",
    "check_restriction": "SELECT patient_id, recipient_id FROM release_requests "
    "WHERE purpose IN ('treatment', 'payment')",
    "check_minimum_necessary": "SELECT record_id, purpose FROM release_requests "
    "WHERE purpose IN ('payment', 'public health')",
    "check_amendment": "SELECT id AS amendment_id FROM amendment_requests",
    "verify_requester": "SELECT recipient_id, purpose FROM release_requests",
    "verify_patient_identity": "SELECT id AS patient_id FROM patients",
    "verify_representative": "SELECT id AS contact_id FROM contacts",
    "open_encrypted_channel": "SELECT id AS recipient_id FROM recipients",
    "notify_patient": "SELECT patient_id, id AS subject, 'e-mail' AS channel, 'other' AS topic FROM disclosures",
}


@pytest.mark.parametrize("name", CASES)
def test_some_rows_pass_and_some_fail(domain: Domain, name: str) -> None:
    answers = []
    for seed in range(30):
        db = domain.database(seed)
        for row in db.query(CASES[name]):
            answers.append(domain.tools.execute(db, ToolCall(name, row), step=1).result[VERDICTS[name]])
    assert 0.3 < sum(answers) / len(answers) < 0.85


def test_every_check_has_one_verdict_and_what_cannot_say_no_has_none(domain: Domain) -> None:
    always = {
        "seal_record",
        "review_emergency_access",
        "end_sessions",
        "report_login_discrepancy",
        "document_incident",
        "record_accounting_entry",
        "record_audit_event",
    }
    assert {*VERDICTS, *always} == domain.safety_critical
    for name in domain.safety_critical:
        fields = domain.tools[name].result_schema["properties"]
        assert [field["type"] for field in fields.values()].count("boolean") == (name in VERDICTS)
