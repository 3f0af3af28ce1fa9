"""A small clinic with known rows, and a way to run calls on it."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.health.tools import lookup
from lexgym.envs.registry import load_domain
from lexgym.tools.database import Database

ANN, BEN, CLEO, DAN, EVE, FINN, GUS = (f"USR-{n:06d}" for n in range(1, 8))
MIA, NOA = "PAT-000001", "PAT-000002"
DAY = 86_400

Run: TypeAlias = Callable[..., list[Event]]


@pytest.fixture(scope="session")
def domain() -> Domain:
    return load_domain("health")


@pytest.fixture
def clinic(domain: Domain) -> Database:
    """Ann and Ben treat Mia, Ben's PIN is wrong, Cleo is a records clerk, Finn has left, Gus lacks clearance."""
    db = Database(domain.schema, clock=domain.clock)
    _staff(db)
    _patients(db)
    _records(db)
    _organizations(db)
    _requests(db)
    _past(db)
    return db


def _add(db: Database, table: str, **values: Any) -> None:
    db.insert(table, id=db.new_id(table), **values)


def _staff(db: Database) -> None:
    for first, role, pin, until, last_day, status in (
        ("Ann", "physician", "right", 100, None, "active"),
        ("Ben", "nurse", "wrong", 100, "2026-03-20", "active"),
        ("Cleo", "records clerk", "right", 100, None, "active"),
        ("Dan", "billing clerk", "right", 100, None, "active"),
        ("Eve", "physician", "right", 100, None, "active"),
        ("Finn", "nurse", "right", 100, "2026-03-01", "closed"),
        ("Gus", "nurse", "right", -1, None, "active"),
    ):
        _add(
            db, "users", first_name=first, last_name="Park", role=role, unit="ward 3", last_day=last_day, status=status
        )
        user_id = f"USR-{db.sequences['users']:06d}"
        db.insert("credentials", user_id=user_id, pin=pin, mistypes=0, failed_attempts=0)
        db.insert("clearances", user_id=user_id, until=db.clock + until * DAY)
    for user_id in (ANN, EVE):
        _add(db, "doctors", user_id=user_id, specialty="neurology")
    _add(db, "sessions", user_id=BEN, started_at=db.clock)


def _patients(db: Database) -> None:
    for first, agreed, triage, state in (("Mia", 0, "emergency", "matches"), ("Noa", 1, "urgent", "expired")):
        row = {"birth_date": "1980-01-01", "address": "1 Mill Road, Salem MA 01970", "address_by": CLEO}
        _add(
            db, "patients", first_name=first, last_name="Cho", email_agreed=agreed, portal=agreed, triage=triage, **row
        )
        db.insert("patient_documents", patient_id=f"PAT-{db.sequences['patients']:06d}", kind="passport", state=state)
    for patient_id, name, power, until in (
        (MIA, "Lea Cho", "health care proxy", None),
        (MIA, "Tim Cho", "none", None),
        (NOA, "Kim Cho", "guardian", db.clock - 1),
    ):
        _add(db, "contacts", patient_id=patient_id, name=name, relation="sister", power=power, until=until)
    for user_id, status in ((ANN, "active"), (BEN, "active"), (FINN, "ended")):
        _add(db, "care_team", patient_id=MIA, user_id=user_id, since=db.clock, status=status, changed_by=CLEO)
    for patient_id, doctor, kind, status, age in (
        (MIA, 1, "in person", "held", 10),
        (MIA, 2, "by phone", "held", 10),
        (NOA, 1, "in person", "held", 800),
        (NOA, 2, "in person", "booked", None),
    ):
        _add(
            db,
            "consultations",
            patient_id=patient_id,
            doctor_id=f"DOC-{doctor:06d}",
            kind=kind,
            status=status,
            held_at=None if age is None else db.clock - age * DAY,
            booked_for="2026-05-05" if age is None else None,
            booked_by=EVE if age is None else None,
        )
    for medication, status in (("metformin 500 mg", "active"), ("ramipril 5 mg", "cancelled")):
        drug: dict[str, Any] = {"doctor_id": "DOC-000001", "user_id": ANN, "medication": medication, "days": 30}
        _add(db, "prescriptions", patient_id=MIA, status=status, written_at=db.clock, **drug)


def _records(db: Database) -> None:
    for patient_id, category, title, seal, origin in (
        (MIA, "laboratory results", "Lipid panel", "fine", "this clinic"),
        (MIA, "progress notes", "Admission note", "changed", "this clinic"),
        (MIA, "psychotherapy notes", "Session notes on sleep", "fine", "this clinic"),
        (NOA, "billing statements", "Ambulance bill", "fine", "this clinic"),
        (MIA, "billing statements", "Imaging charges", "fine", "elsewhere"),
    ):
        row: dict[str, Any] = {"category": category, "title": title, "content": "fine", "origin": origin, "revision": 1}
        _add(db, "records", patient_id=patient_id, author_id=ANN, created_at=db.clock, **row)
        db.insert(
            "record_seals", record_id=f"REC-{db.sequences['records']:06d}", revision=1, digest=lookup.digest(seal)
        )
    for patient_id, record, view, status in (
        (MIA, 1, "agrees", "open"),
        (MIA, 3, "agrees", "open"),
        (MIA, 5, "agrees", "open"),
        (NOA, 4, "accurate and complete", "open"),
        (MIA, 2, "agrees", "denied"),
    ):
        _add(
            db,
            "amendment_requests",
            patient_id=patient_id,
            record_id=f"REC-{record:06d}",
            wish="the left side",
            author_view=view,
            status=status,
            denial_reason="accurate and complete" if status == "denied" else None,
            answered_by=CLEO if status == "denied" else None,
            received_at=db.clock,
        )


def _organizations(db: Database) -> None:
    for name, kind, identity, until in (
        ("Hudson General Hospital", "hospital", "established", 90),
        ("Hudson Health Plan", "health plan", "established", None),
        ("Hudson Legal Partners", "law firm", "call-back failed", None),
        ("Hudson Shipyard", "employer", "established", -1),
        ("Hudson Public Health Office", "health department", "established", 90),
        ("Hudson District Court", "court", "established", 90),
    ):
        _add(db, "recipients", name=name, kind=kind, identity=identity)
        if until is not None:
            recipient_id = f"ORG-{db.sequences['recipients']:06d}"
            db.insert("channels", recipient_id=recipient_id, cipher="TLS 1.3", until=db.clock + until * DAY)
    for purpose, category in (("payment", "billing statements"), ("public health", "laboratory results")):
        db.insert("protocols", purpose=purpose, category=category)


def _requests(db: Database) -> None:
    for record, recipient, purpose, status in (
        (1, 1, "treatment", "open"),
        (5, 2, "payment", "open"),
        (1, 4, "other", "open"),
        (1, 5, "public health", "open"),
        (3, 1, "treatment", "open"),
        (3, 6, "required by law", "open"),
        (2, 6, "required by law", "answered"),
        (2, 1, "treatment", "open"),
        (5, 3, "other", "open"),
        (1, 2, "payment", "open"),
        (5, 1, "treatment", "open"),
        (1, 3, "treatment", "open"),
    ):
        _add(
            db,
            "release_requests",
            patient_id=MIA,
            record_id=f"REC-{record:06d}",
            recipient_id=f"ORG-{recipient:06d}",
            purpose=purpose,
            status=status,
            received_at=db.clock,
        )
    for recipient, category, age, status in (
        (4, "laboratory results", 10, "signed"),
        (3, "laboratory results", 100, "signed"),
        (4, "imaging reports", 10, "revoked"),
        (1, "psychotherapy notes", 10, "signed"),
    ):
        row = {"recipient_id": f"ORG-{recipient:06d}", "category": category, "days": 90, "status": status}
        _add(db, "authorizations", patient_id=MIA, user_id=CLEO, signed_at=db.clock - age * DAY, **row)
    _add(db, "restrictions", patient_id=MIA, user_id=CLEO, recipient_id="ORG-000003", agreed_at=db.clock)


def _past(db: Database) -> None:
    for record, recipient, purpose, state in (
        (1, 5, "public health", "opened"),
        (5, 2, "payment", "returned unopened"),
        (2, 1, "treatment", "unreadable without a key"),
    ):
        row = {"record_id": f"REC-{record:06d}", "recipient_id": f"ORG-{recipient:06d}", "purpose": purpose}
        sent = {"channel": "postal delivery", "authorized": 0, "sent_at": db.clock - DAY}
        _add(db, "disclosures", patient_id=MIA, user_id=CLEO, **sent, **row)
        db.insert("handling", disclosure_id=f"DIS-{db.sequences['disclosures']:06d}", state=state)
    _add(db, "incidents", patient_id=MIA, user_id=CLEO, disclosure_id="DIS-000003", reported_at=db.clock)
    _add(db, "emergency_accesses", patient_id=NOA, user_id=EVE, situation="seizure", opened_at=db.clock)


@pytest.fixture
def run(domain: Domain, clinic: Database) -> Run:
    """Run calls on the clinic and return their events."""

    def calls(*wanted: tuple[str, dict[str, Any]]) -> list[Event]:
        return _events(domain, clinic, wanted)

    return calls


def _events(domain: Domain, clinic: Database, wanted: Sequence[tuple[str, dict[str, Any]]]) -> list[Event]:
    events = []
    for step, (name, arguments) in enumerate(wanted, start=1):
        clinic.clock += domain.tick
        events.append(domain.tools.execute(clinic, domain.tools.parse(ToolCall(name, arguments)), step=step))
    return events
