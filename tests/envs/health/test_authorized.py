"""What the patient has authorized: exempt from the limit of a purpose and from the accounting, unless gone astray."""

from typing import Any

import pytest

from lexgym.core import Event
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

MIA, CLEO = "PAT-000001", "USR-000003"
OFFICE: dict[str, Any] = {"user_id": CLEO, "patient_id": MIA}
DAY = 86_400


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


def authorize(clinic: Database, recipient: int, category: str, age: int = 10) -> None:
    """Have a form of 90 days signed so many days ago."""
    row = {"patient_id": MIA, "recipient_id": f"ORG-{recipient:06d}", "category": category}
    dates = {"days": 90, "signed_at": clinic.clock - age * DAY, "status": "signed"}
    clinic.insert("authorizations", id=clinic.new_id("authorizations"), user_id=CLEO, **row, **dates)


def ask(clinic: Database, record: int, recipient: int, purpose: str) -> str:
    """Put in a request and return its number."""
    request_id = clinic.new_id("release_requests")
    about = {"record_id": f"REC-{record:06d}", "recipient_id": f"ORG-{recipient:06d}", "purpose": purpose}
    clinic.insert("release_requests", id=request_id, patient_id=MIA, status="open", received_at=clinic.clock, **about)
    return request_id


def way(request_id: str, record: int, recipient: int, purpose: str) -> list[tuple[str, dict[str, Any]]]:
    """Every step that a release needs, but for the limit of the purpose and the accounting."""
    key, organization = f"REC-{record:06d}", f"ORG-{recipient:06d}"
    return [
        ("authenticate_user", {"user_id": CLEO}),
        ("check_access", OFFICE),
        ("verify_requester", {"recipient_id": organization, "purpose": purpose}),
        ("check_integrity", {"record_id": key}),
        ("check_restriction", {"patient_id": MIA, "recipient_id": organization}),
        ("check_authorization", {"record_id": key, "recipient_id": organization}),
        ("disclose_record", {**OFFICE, "request_id": request_id, "channel": "postal delivery"}),
        ("record_audit_event", {"user_id": CLEO, "subject": "DIS-000004"}),
    ]


@pytest.mark.parametrize(("age", "stakes"), [(10, set()), (100, {"minimum-necessary", "psychotherapy-authorization"})])
def test_psychotherapy_notes_go_out_for_payment_with_an_authorization_in_force(
    rules: RuleSet, clinic: Database, run: Any, age: int, stakes: set[str]
) -> None:
    authorize(clinic, 2, "psychotherapy notes", age)
    request_id = ask(clinic, 3, 2, "payment")
    assert broken(rules, run(*way(request_id, 3, 2, "payment"))) == stakes


@pytest.mark.parametrize(("age", "stakes"), [(10, set()), (100, {"minimum-necessary", "accounting-entry"})])
def test_what_is_authorized_needs_no_limit_and_no_accounting(
    rules: RuleSet, clinic: Database, run: Any, age: int, stakes: set[str]
) -> None:
    authorize(clinic, 5, "billing statements", age)
    request_id = ask(clinic, 5, 5, "public health")
    assert broken(rules, run(*way(request_id, 5, 5, "public health"))) == stakes


def test_what_is_authorized_is_accounted_for_when_it_goes_astray(rules: RuleSet, clinic: Database, run: Any) -> None:
    authorize(clinic, 5, "billing statements")
    request_id = ask(clinic, 5, 5, "public health")
    steps = way(request_id, 5, 5, "public health")
    report = ("report_misdirected_disclosure", {**OFFICE, "disclosure_id": "DIS-000004"})
    assert "accounting-entry" in broken(rules, run(*steps, report))


def test_psychotherapy_notes_need_a_new_finding_after_a_revocation(rules: RuleSet, clinic: Database, run: Any) -> None:
    patient = ("verify_patient_identity", {"patient_id": MIA})
    revoke = ("revoke_authorization", {**OFFICE, "authorization_id": "AUT-000004"})
    *checks, send, audit = way("REQ-000005", 3, 1, "treatment")
    assert broken(rules, run(*checks, patient, revoke, send, audit)) == {"after-revocation"}


def test_a_record_that_is_authorized_is_not_declined_as_too_much(clinic: Database, run: Any) -> None:
    decline = {**OFFICE, "request_id": "REQ-000010", "reason": "more than the purpose needs"}
    authorize(clinic, 2, "laboratory results")
    [event] = run(("decline_disclosure", decline))
    assert event.result["code"] == "not_the_reason"
