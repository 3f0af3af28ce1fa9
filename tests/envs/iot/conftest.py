"""Three small homes with known rows, and a way to run calls in them."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.iot.tools.fingerprints import fingerprint
from lexgym.envs.judge import signature
from lexgym.envs.registry import load_domain
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

ADA, BEN, CLEO = "HOM-000001", "HOM-000002", "HOM-000003"
DAY = 86_400
GOOD = {
    "storage": "secure",
    "channel": "encrypted",
    "software": "intact",
    "telemetry": "normal",
    "local_operation": "works",
    "recovery": "recovered",
    "key_store": "reachable",
}
BAD = {
    "storage": "plain",
    "channel": "outdated protocol",
    "software": "changed",
    "telemetry": "failed logins",
    "local_operation": "battery low",
    "recovery": "stuck",
    "key_store": "unreachable",
}
DEVICES = (
    (ADA, "lock", "Haven Lock S2", "hall", True),
    (ADA, "lock", "Haven Lock S2", "garage", False),
    (ADA, "heater", "Sirocco Fan", "bathroom", True),
    (ADA, "heater", "Calor Panel W", "study", False),
    (ADA, "oven", "Ember 60", "kitchen", True),
    (ADA, "camera", "Kestrel Cam 3", "nursery", True),
    (ADA, "camera", "Kestrel Cam 3", "driveway", False),
    (ADA, "speaker", "Murmur One", "attic", False),
    (BEN, "lock", "Haven Lock S2", "hall", True),
)
"""Owner, kind, model, room, and whether checks find it in order."""

Run: TypeAlias = Callable[..., list[Event]]


@pytest.fixture(scope="session")
def domain() -> Domain:
    return load_domain("iot")


@pytest.fixture(scope="session")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


@pytest.fixture
def home(domain: Domain) -> Database:
    """Ada approves prompts, Ben declines them and has a dead e-mail address, Cleo has no app."""
    db = Database(domain.schema, clock=domain.clock)
    for owner, street, email in (
        ("Ada", "Quay 1", "a@inbox.example"),
        ("Ben", "Quay 2", "b@oldpost.example"),
        ("Cleo", "Quay 3", "c@inbox.example"),
    ):
        row = {"surname": "Walsh", "city": "Cork", "phone": "+353123456789", "owner": owner, "street": street}
        db.insert("households", id=db.new_id("households"), email=email, **row)
    for household_id, answer in ((ADA, "approve"), (BEN, "decline")):
        answers = {"login": answer, "changes": answer, "guests": answer}
        db.insert("owner_apps", household_id=household_id, **answers, mistypes=0, failed_attempts=0)
    db.insert("factory_passwords", model="Haven Lock S2", fingerprint=fingerprint("admin123"))
    for owner, kind, model, room, good in DEVICES:
        _device(db, owner, kind, model, room, good)
    _details(db)
    _people(db)
    _third_parties(db)
    return db


def _device(db: Database, owner: str, kind: str, model: str, room: str, good: bool) -> None:
    device_id = db.new_id("devices")
    connection = "restricted" if kind == "speaker" or room == "hall" else "full"
    place = {"household_id": owner, "kind": kind, "model": model, "room": room, "connection": connection}
    db.insert("devices", id=device_id, firmware="1.0.0", **place)
    found: dict[str, Any] = dict(GOOD if good else BAD)
    if kind == "lock":
        found["doorstep"] = "expected visitor" if good else "stranger"
        db.insert("locks", device_id=device_id, state="locked")
    elif kind == "camera":
        found["recording"] = "all agree" if good else "not asked"
        placement = "indoors" if room == "nursery" else "outdoors"
        db.insert("cameras", device_id=device_id, placement=placement, state="off")
    elif kind in ("oven", "heater"):
        found |= {"remote_start": "ready" if good else "covered or open", "timer": "works" if good else "none"}
        extra = {"control": "timer" if room == "bathroom" else "thermostat"} if kind == "heater" else {}
        db.insert(f"{kind}s", device_id=device_id, state="off", **extra)
    db.insert("device_conditions", device_id=device_id, **found)
    db.insert("passwords", device_id=device_id, fingerprint=fingerprint(f"Own-{device_id}"), changed_at=0)


def _details(db: Database) -> None:
    for device_id, security, interrupts, finding in (
        ("DEV-000001", 1, 1, "valid"),
        ("DEV-000002", 0, 0, "signature invalid"),
        ("DEV-000003", 1, 0, "valid"),
        ("DEV-000009", 1, 0, "valid"),
    ):
        update_id = db.new_id("updates")
        effect = {"security": security, "interrupts": interrupts, "status": "available", "fixes": "stale keys"}
        db.insert("updates", id=update_id, device_id=device_id, version="1.1.0", **effect)
        db.insert("update_packages", update_id=update_id, finding=finding)
    for device_id, name, kind, status, used_by in (
        ("DEV-000001", "SSH", "network", "disabled", "alarm relay"),
        ("DEV-000002", "SSH", "network", "disabled", None),
        ("DEV-000001", "UART console", "debug", "disabled", "alarm relay"),
        ("DEV-000003", "UPnP", "network", "enabled", None),
        ("DEV-000009", "SSH", "network", "disabled", "alarm relay"),
    ):
        interface_id = db.new_id("interfaces")
        db.insert("interfaces", id=interface_id, device_id=device_id, name=name, kind=kind, status=status)
        db.insert("interface_uses", interface_id=interface_id, used_by=used_by)
    what = {"household_id": ADA, "device_id": "DEV-000006", "category": "video clips", "items": 12}
    db.insert("personal_data", id=db.new_id("personal_data"), **what)


def _people(db: Database) -> None:
    for owner, last_name, document in (
        (ADA, "Borg", "valid"),
        (ADA, "Costa", "expired"),
        (BEN, "Borg", "valid"),
    ):
        guest_id = db.new_id("guests")
        db.insert("guests", id=guest_id, household_id=owner, first_name="Eva", last_name=last_name, phone="+353111111")
        db.insert("guest_identities", guest_id=guest_id, document=document)
    for guest_id, device_id in (("GST-000001", "DEV-000003"), ("GST-000002", "DEV-000002")):
        profile = {"guest_id": guest_id, "device_id": device_id, "hours": 24, "granted_at": db.clock}
        db.insert("guest_profiles", id=db.new_id("guest_profiles"), household_id=ADA, **profile)
    db.insert("guest_uses", guest_id="GST-000001", device_id="DEV-000003", finding="orderly")
    db.insert("guest_uses", guest_id="GST-000002", device_id="DEV-000002", finding="outside the hours")


def _third_parties(db: Database) -> None:
    for name, state in (("Brightmeter", "open"), ("Homely Ads", "open"), ("Voxwerk", "open"), ("Grid & Green", "down")):
        partner_id = db.new_id("partners")
        db.insert("partners", id=partner_id, name=name, purpose="advice")
        db.insert("partner_interfaces", partner_id=partner_id, state=state)
    for partner_id, age, status in (
        ("PRT-000001", 5, "given"),
        ("PRT-000002", 200, "given"),
        ("PRT-000004", 5, "withdrawn"),
    ):
        where = {"household_id": ADA, "partner_id": partner_id, "days": 90, "status": status}
        db.insert("consents", id=db.new_id("consents"), granted_at=db.clock - age * DAY, **where)


@pytest.fixture
def run(domain: Domain, home: Database) -> Run:
    """Run calls and return their events."""

    def calls(*wanted: tuple[str, dict[str, Any]]) -> list[Event]:
        events = []
        for step, (name, arguments) in enumerate(wanted, start=1):
            home.clock += domain.tick
            events.append(domain.tools.execute(home, domain.tools.parse(ToolCall(name, arguments)), step=step))
        return events

    return calls
