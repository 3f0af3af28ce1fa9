"""What a patient's chart holds before the episode: care team, visits, records, requests, permissions."""

import random

from lexgym.envs.health import clinical, names
from lexgym.envs.health.tools import lookup
from lexgym.tools.database import Database, Row

DAY = 86_400
CATEGORIES = (
    "laboratory results",
    "laboratory results",
    "imaging reports",
    "progress notes",
    "progress notes",
    "immunization records",
    "billing statements",
    "billing statements",
)
PURPOSES = {
    "hospital": ("treatment", "treatment", "treatment", "other"),
    "health plan": ("payment", "payment", "payment", "other"),
    "health department": ("public health", "public health", "required by law"),
    "court": ("required by law",),
}
TROUBLES = {
    "treatment": ("restriction",) * 4,
    "payment": ("restriction",) * 4 + ("excess",) * 5,
    "public health": ("excess",) * 5,
    "other": ("permission",) * 4,
    "required by law": (),
}
"""What may stand in the way of a request for a purpose, besides a record that is altered or a wrong purpose."""


def add_chart(db: Database, rng: random.Random, patient_id: str) -> None:
    """Give a patient a past."""
    staff = db.query("SELECT * FROM users WHERE role IN ('physician', 'nurse') ORDER BY id")
    team = rng.sample(staff, rng.choice((4, 5, 5)))
    ended = rng.choice((1, 1, 2))
    for index, member in enumerate(team):
        team_id = db.new_id("care_team")
        db.insert(
            "care_team",
            id=team_id,
            patient_id=patient_id,
            user_id=member["id"],
            since=_time(db, rng.randint(3, 200)),
            status="ended" if index < ended else "active",
            changed_by=clerk(db, team_id),
        )
    _contacts(db, rng, patient_id)
    _visits(db, rng, patient_id)
    records = _records(db, rng, patient_id, team)
    _requests(db, rng, patient_id, records)
    _past_disclosures(db, rng, patient_id, records)
    _permissions(db, rng, patient_id)


def clerk(db: Database, row_id: str) -> str:
    """Return the records clerk in whose name a row of the past was made; they took turns."""
    clerks = db.query("SELECT id FROM users WHERE role = 'records clerk' ORDER BY id")
    return str(clerks[int(row_id[-6:]) % len(clerks)]["id"])


def _contacts(db: Database, rng: random.Random, patient_id: str) -> None:
    last = lookup.patient(db, patient_id)["last_name"]
    first_names = rng.sample(names.FIRST_NAMES, rng.choice((1, 2, 2)))
    relations = rng.sample(names.RELATIONS, len(names.RELATIONS))
    for first in first_names:
        relation = next(word for word in relations if names.fits(first, word))
        relations.remove(relation)
        power = rng.choice(("none", "health care proxy", "health care proxy", "health care proxy", "guardian"))
        dated = power != "none" and rng.random() < 0.35
        db.insert(
            "contacts",
            id=db.new_id("contacts"),
            patient_id=patient_id,
            name=f"{first} {last if rng.random() < 0.7 else rng.choice(names.LAST_NAMES)}",
            relation=relation,
            power=power,
            until=db.clock + rng.choice((-200, -12, 90, 400)) * DAY if dated else None,
        )


def _visits(db: Database, rng: random.Random, patient_id: str) -> None:
    doctors = db.query("SELECT * FROM doctors ORDER BY id")
    active = iter(rng.sample(clinical.MEDICATIONS, len(doctors)))
    for doctor in doctors:
        manner = rng.choice(("in person",) * 5 + ("by phone", "missed", "long ago", "never"))
        if manner != "never":
            age = rng.randint(760, 1500) if manner == "long ago" else rng.randint(2, 600)
            db.insert(
                "consultations",
                id=db.new_id("consultations"),
                patient_id=patient_id,
                doctor_id=doctor["id"],
                kind="by phone" if manner == "by phone" else "in person",
                status="missed" if manner == "missed" else "held",
                held_at=None if manner == "missed" else _time(db, age),
            )
        if rng.random() < 0.6:
            db.insert(
                "prescriptions",
                id=db.new_id("prescriptions"),
                patient_id=patient_id,
                doctor_id=doctor["id"],
                user_id=doctor["user_id"],
                medication=next(active),
                days=rng.choice((14, 30, 60, 90)),
                status="cancelled" if rng.random() < 0.15 else "active",
                written_at=_time(db, rng.randint(1, 80)),
            )


def _records(db: Database, rng: random.Random, patient_id: str, team: list[Row]) -> list[Row]:
    """Some records are no longer as they were sealed; some came from elsewhere."""
    kinds = rng.sample(CATEGORIES, rng.randint(4, 6)) + ["psychotherapy notes"] * (rng.random() < 0.7)
    rng.shuffle(kinds)
    titles: set[str] = set()
    for category in kinds:
        title = rng.choice([title for title in clinical.titles(category) if title not in titles])
        titles.add(title)
        record_id, content = db.new_id("records"), clinical.text(rng, category)
        db.insert(
            "records",
            id=record_id,
            patient_id=patient_id,
            author_id=rng.choice(team)["id"],
            category=category,
            title=title,
            content=content,
            revision=1,
            origin="elsewhere" if rng.random() < 0.15 else "this clinic",
            created_at=_time(db, rng.randint(4, 700)),
        )
        sealed = clinical.text(rng, category) + " " if rng.random() < 0.22 else content
        db.insert("record_seals", record_id=record_id, revision=1, digest=lookup.digest(sealed))
    records = db.query("SELECT * FROM records WHERE patient_id = ? ORDER BY id", patient_id)
    for record in rng.sample(records, rng.choice((1, 2, 2))):
        db.insert(
            "amendment_requests",
            id=db.new_id("amendment_requests"),
            patient_id=patient_id,
            record_id=record["id"],
            wish=clinical.wish(rng),
            author_view=rng.choice(("agrees", "agrees", "agrees", "accurate and complete")),
            status="open",
            received_at=_time(db, rng.randint(1, 40)),
        )
    return records


def _requests(db: Database, rng: random.Random, patient_id: str, records: list[Row]) -> None:
    """Half of the requests can be met; each of the others has one thing that stands in the way."""
    recipients = db.query("SELECT * FROM recipients ORDER BY id")
    for recipient in rng.sample(recipients, rng.choice((6, 7))):
        purpose = rng.choice(PURPOSES.get(recipient["kind"], ("other",)))
        trouble = rng.choice(("",) * 5 + ("altered", "altered", "entitlement", *TROUBLES[purpose]))
        if recipient["identity"] != "established":
            trouble = "identity"
        if trouble == "entitlement":
            purpose = "payment" if recipient["kind"] != "health plan" else "treatment"
        record = _asked_for(db, rng, records, purpose, trouble)
        if record is None:
            continue
        db.insert(
            "release_requests",
            id=db.new_id("release_requests"),
            patient_id=patient_id,
            record_id=record["id"],
            recipient_id=recipient["id"],
            purpose=purpose,
            status="open",
            received_at=_time(db, rng.randint(0, 25)),
        )
        if purpose == "other" or record["category"] == "psychotherapy notes":
            _authorize(db, rng, patient_id, recipient["id"], record["category"], valid=trouble != "permission")
        if trouble == "restriction" and purpose in ("treatment", "payment"):
            agreed_at, restriction_id = _time(db, rng.randint(5, 300)), db.new_id("restrictions")
            row = {"patient_id": patient_id, "recipient_id": recipient["id"], "agreed_at": agreed_at}
            db.insert("restrictions", id=restriction_id, user_id=clerk(db, restriction_id), **row)


def _asked_for(db: Database, rng: random.Random, records: list[Row], purpose: str, trouble: str) -> Row | None:
    """The record that is asked for: whole and needed for the purpose, unless that is the trouble."""
    seals = {row["record_id"]: row["digest"] for row in db.query("SELECT record_id, digest FROM record_seals")}
    needed = {row["category"] for row in db.query("SELECT category FROM protocols WHERE purpose = ?", purpose)}
    permitted = {"psychotherapy notes"}  # every request for them has an authorization that lifts the limit
    fitting = [
        record
        for record in records
        if (seals[record["id"]] == lookup.digest(record["content"])) != (trouble == "altered")
        and (not needed or (record["category"] in needed | permitted) != (trouble == "excess"))
    ]
    return rng.choice(fitting) if fitting else None


def _authorize(
    db: Database, rng: random.Random, patient_id: str, recipient_id: str, category: str, *, valid: bool
) -> None:
    days = rng.choice((90, 180, 365))
    flaw = None if valid else rng.choice(("expired", "revoked", "never signed"))
    if flaw == "never signed":
        return
    authorization_id = db.new_id("authorizations")
    db.insert(
        "authorizations",
        id=authorization_id,
        patient_id=patient_id,
        recipient_id=recipient_id,
        user_id=clerk(db, authorization_id),
        category=category,
        days=days,
        signed_at=_time(db, rng.randint(days + 1, days + 200) if flaw == "expired" else rng.randint(1, days - 5)),
        status="revoked" if flaw == "revoked" else "signed",
    )


def _past_disclosures(db: Database, rng: random.Random, patient_id: str, records: list[Row]) -> None:
    recipients = db.query("SELECT * FROM recipients ORDER BY id")
    for recipient, record in zip(rng.sample(recipients, 2), rng.sample(records, 2), strict=True):
        disclosure_id = db.new_id("disclosures")
        purpose = rng.choice(PURPOSES.get(recipient["kind"], ("other",)))
        needed = purpose == "other" or (record["category"] == "psychotherapy notes" and purpose != "required by law")
        db.insert(
            "disclosures",
            id=disclosure_id,
            patient_id=patient_id,
            record_id=record["id"],
            recipient_id=recipient["id"],
            user_id=clerk(db, disclosure_id),
            purpose=purpose,
            channel=rng.choice(("electronic delivery", "postal delivery")),
            authorized=int(needed or rng.random() < 0.15),
            sent_at=_time(db, rng.randint(3, 900)),
        )
        state = rng.choice(("opened", "opened", "returned unopened", "unreadable without a key"))
        db.insert("handling", disclosure_id=disclosure_id, state=state)


def _permissions(db: Database, rng: random.Random, patient_id: str) -> None:
    """A permission that nobody needs today."""
    recipient = rng.choice(db.query("SELECT id FROM recipients ORDER BY id"))
    category = rng.choice(("laboratory results", "imaging reports", "billing statements"))
    if not db.one(
        "SELECT 1 FROM authorizations WHERE patient_id = ? AND recipient_id = ? AND category = ?",
        patient_id,
        recipient["id"],
        category,
    ):
        _authorize(db, rng, patient_id, recipient["id"], category, valid=rng.random() < 0.7)


def _time(db: Database, age: int) -> int:
    """The clock so many days ago, an hour before the episode begins."""
    return db.clock - age * DAY - 3600
