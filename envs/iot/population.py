"""A seeded neighbourhood: four households with devices, guests, updates, consents and personal data.

Two households share a surname, each has two devices of one model in two rooms and two guests with one first
name. About one condition in five is bad, owners decline, mistype, are locked out or have no app, and some
consents have run out, so that checks can say no.
"""

import random

from lexgym.envs.iot import names
from lexgym.envs.iot.devices import BAD, add_devices
from lexgym.envs.iot.pools import POOLS, phone
from lexgym.envs.iot.tools.messages import RETIRED_DOMAIN
from lexgym.tools.database import Database

__all__ = ["POOLS", "populate"]

DAY = 86_400
HOUSEHOLDS = 4
DECLINES = {"login": 0.16, "changes": 0.2, "guests": 0.3}
"""How often owners decline each kind of prompt; guests are asked about only after a login."""


def populate(db: Database, rng: random.Random) -> None:
    """Fill an empty database."""
    db.begin()
    households = _households(db, rng)
    add_devices(db, rng, households)
    for household_id in households:
        _guests(db, rng, household_id)
        _profiles(db, rng, household_id)
    _consents(db, rng, households)
    db.commit()


def _households(db: Database, rng: random.Random) -> list[str]:
    surnames = rng.sample(names.SURNAMES, HOUSEHOLDS - 1)
    surnames.insert(rng.randrange(HOUSEHOLDS), surnames[0])
    owners = rng.sample(names.FIRST_NAMES, HOUSEHOLDS)
    streets = rng.sample(names.STREETS, HOUSEHOLDS)
    households = []
    for surname, owner, street in zip(surnames, owners, streets, strict=True):
        household_id = db.new_id("households")
        households.append(household_id)
        domain = RETIRED_DOMAIN if rng.random() < 0.2 else f"@{rng.choice(names.MAIL_DOMAINS)}"
        db.insert(
            "households",
            id=household_id,
            surname=surname,
            owner=owner,
            street=f"{street} {rng.randint(1, 99)}",
            city=rng.choice(names.CITIES),
            email=f"{names.ascii_name(f'{owner} {surname}')}{rng.randint(1, 99)}{domain}",
            phone=phone(rng),
        )
    _apps(db, rng, households)
    return households


def _apps(db: Database, rng: random.Random, households: list[str]) -> None:
    """One owner in twelve has no app and one in sixteen is locked out; one in four mistypes the code first."""
    for household_id in households:
        if rng.random() < 1 / 12:
            continue
        answers = {kind: "decline" if rng.random() < share else "approve" for kind, share in DECLINES.items()}
        db.insert(
            "owner_apps",
            household_id=household_id,
            **answers,
            mistypes=rng.randint(1, 2) if rng.random() < 0.25 else 0,
            failed_attempts=3 if rng.random() < 1 / 16 else 0,
        )


def _guests(db: Database, rng: random.Random, household_id: str) -> None:
    """Three or four guests, two of them with one first name."""
    count = rng.choice((3, 3, 4))
    firsts = rng.sample(names.FIRST_NAMES, count - 1)
    firsts.insert(rng.randrange(count), firsts[0])
    for first, last in zip(firsts, rng.sample(names.SURNAMES, count), strict=True):
        guest_id = db.new_id("guests")
        db.insert("guests", id=guest_id, household_id=household_id, first_name=first, last_name=last, phone=phone(rng))
        document = rng.choice(("expired", "name differs")) if rng.random() < BAD else "valid"
        db.insert("guest_identities", guest_id=guest_id, document=document)


def _profiles(db: Database, rng: random.Random, household_id: str) -> None:
    """Two or three profiles: guests of one name on one device, or one guest on two devices."""
    guests = [row["id"] for row in db.query("SELECT id FROM guests WHERE household_id = ? ORDER BY id", household_id)]
    devices = [row["id"] for row in db.query("SELECT id FROM devices WHERE household_id = ? ORDER BY id", household_id)]
    pairs = [(guest_id, device_id) for guest_id in guests for device_id in devices]
    for guest_id, device_id in sorted(rng.sample(pairs, rng.randint(2, 3))):
        db.insert(
            "guest_profiles",
            id=db.new_id("guest_profiles"),
            household_id=household_id,
            guest_id=guest_id,
            device_id=device_id,
            hours=rng.choice((4, 12, 24, 36, 48, 72, 120, 168)),
            granted_at=db.clock - rng.randint(1, 90) * 3600,
        )
        use = rng.choice(("outside the hours", "forced attempts")) if rng.random() < BAD else "orderly"
        db.insert("guest_uses", guest_id=guest_id, device_id=device_id, finding=use)


def _consents(db: Database, rng: random.Random, households: list[str]) -> None:
    partners = []
    for name, purpose in rng.sample(names.PARTNERS, 4):
        partners.append(db.new_id("partners"))
        db.insert("partners", id=partners[-1], name=name, purpose=purpose)
        state = "down" if rng.random() < 0.3 else "open"
        db.insert("partner_interfaces", partner_id=partners[-1], state=state)
    for household_id in households:
        for partner_id in sorted(rng.sample(partners, 3)):
            days = rng.choice((90, 180, 365))
            age = rng.randint(1, 80) if rng.random() < 0.8 else rng.randint(days + 1, days + 200)
            db.insert(
                "consents",
                id=db.new_id("consents"),
                household_id=household_id,
                partner_id=partner_id,
                days=days,
                granted_at=db.clock - age * DAY,
                status="withdrawn" if rng.random() < 0.12 else "given",
            )
