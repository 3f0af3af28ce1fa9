"""A seeded clinic: staff, doctors, patients and the organizations around it; `history` fills the charts.

Two patients share a last name, and so do two members of staff. Some staff mistype or forget their PIN or have left,
some training has run out, some documents do not match, some organizations are not who they say or have no key.
"""

import random

from lexgym.envs.health import names
from lexgym.envs.health.history import add_chart, clerk
from lexgym.envs.health.pools import POOLS
from lexgym.envs.health.tools import lookup
from lexgym.tools.database import Database

__all__ = ["POOLS", "populate"]

DAY = 86_400
KINDS = ("hospital", "hospital", "health plan", "health plan", "health department", "court")
OTHERS = ("law firm", "employer", "life insurer")
ROLES = ("physician",) * 3 + ("nurse",) * 4 + ("records clerk",) * 5 + ("billing clerk",)


def populate(db: Database, rng: random.Random) -> None:
    """Fill an empty database."""
    db.begin()
    _staff(db, rng)
    _recipients(db, rng)
    _protocols(db, rng)
    for patient_id in _patients(db, rng):
        add_chart(db, rng, patient_id)
    db.commit()


def _staff(db: Database, rng: random.Random) -> None:
    roles = list(ROLES)
    last_names = rng.sample(names.LAST_NAMES, len(roles) - 1)
    last_names.insert(rng.randrange(len(roles)), rng.choice(last_names))
    specialties = iter(rng.sample(names.SPECIALTIES, roles.count("physician")))
    people = rng.sample(range(len(roles)), 4)
    gone, forgetful = people[:2], people[2:]
    stale, leaving = rng.sample(range(len(roles)), 4), [*gone, *rng.sample(range(len(roles)), 3)]
    rng.shuffle(roles)
    for index, (first, last) in enumerate(zip(rng.sample(names.FIRST_NAMES, len(roles)), last_names, strict=True)):
        user_id, role = db.new_id("users"), roles[index]
        db.insert(
            "users",
            id=user_id,
            first_name=first,
            last_name=last,
            role=role,
            unit=rng.choice(names.UNITS) if role in ("physician", "nurse") else "records office",
            last_day=lookup.date(db.clock + rng.randint(0, 12) * DAY) if index in leaving else None,
            status="closed" if index in gone else "active",
        )
        pin, mistypes = "wrong" if index in forgetful else "right", rng.choice((0,) * 5 + (1, 2, 3))
        db.insert("credentials", user_id=user_id, pin=pin, mistypes=mistypes, failed_attempts=0)
        age = rng.choice((-30, -4)) if index in stale else rng.randint(20, 300)
        db.insert("clearances", user_id=user_id, until=db.clock + age * DAY)
        if rng.random() < 0.5:
            db.insert("sessions", id=db.new_id("sessions"), user_id=user_id, started_at=db.clock - 3600)
        if role == "physician":
            db.insert("doctors", id=db.new_id("doctors"), user_id=user_id, specialty=next(specialties))


def _recipients(db: Database, rng: random.Random) -> None:
    """Nearly the same names: the first hospital and the first health plan are named after one place."""
    kinds = [*KINDS, *rng.sample(OTHERS, 2)]
    shared, doubtful = names.place(rng), rng.randrange(len(kinds))
    keyless = rng.sample(range(len(kinds)), 3)
    taken: set[str] = set()
    for index, kind in enumerate(kinds):
        name = names.organization(rng, kind, shared if index in (0, 2) else None)
        while name in taken:
            name = names.organization(rng, kind)
        taken.add(name)
        recipient_id = db.new_id("recipients")
        identity = "call-back failed" if index == doubtful else "established"
        db.insert("recipients", id=recipient_id, name=name, kind=kind, identity=identity)
        cipher, expired = rng.choice(("TLS 1.2", "TLS 1.3", "S/MIME")), index in keyless and rng.random() < 0.5
        if index not in keyless or expired:
            until = db.clock + (-rng.randint(1, 60) if expired else rng.randint(10, 400)) * DAY
            db.insert("channels", recipient_id=recipient_id, cipher=cipher, until=until)


def _protocols(db: Database, rng: random.Random) -> None:
    allowed = {
        "payment": ["billing statements", *rng.sample(("progress notes", "imaging reports", "laboratory results"), 2)],
        "public health": ["immunization records", "laboratory results"],
    }
    for purpose, categories in allowed.items():
        for category in categories:
            db.insert("protocols", purpose=purpose, category=category)


def _patients(db: Database, rng: random.Random) -> list[str]:
    count = rng.randint(5, 7)
    last_names = rng.sample(names.LAST_NAMES, count - 1)
    last_names.insert(rng.randrange(count), last_names[0])
    triage = ["emergency"] * 2 + ["urgent"]
    triage += ["none"] * (count - len(triage))
    rng.shuffle(triage)
    patients = []
    for index, (first, last) in enumerate(zip(rng.sample(names.FIRST_NAMES, count), last_names, strict=True)):
        patient_id = db.new_id("patients")
        patients.append(patient_id)
        db.insert(
            "patients",
            id=patient_id,
            first_name=first,
            last_name=last,
            birth_date=f"{rng.randint(1934, 2006)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
            address=names.address(rng),
            address_by=clerk(db, patient_id),
            email_agreed=int(rng.random() < 0.5),
            portal=int(rng.random() < 0.6),
            triage=triage[index],
        )
        state = "matches" if rng.random() < 0.76 else rng.choice(("expired", "birth date differs"))
        db.insert("patient_documents", patient_id=patient_id, kind=rng.choice(names.DOCUMENTS), state=state)
    return patients
