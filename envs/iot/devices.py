"""The devices of the sampled households: what stands where, what state it is in, what checks find."""

import random
from typing import Any

from lexgym.envs.iot import names
from lexgym.envs.iot.tools.fingerprints import fingerprint
from lexgym.tools.database import Database

DAY = 86_400
BAD = 0.22
"""How often a condition is one that a check objects to."""


def add_devices(db: Database, rng: random.Random, households: list[str]) -> None:
    """Give each household five to seven devices, two of one model in two rooms."""
    factory = _factory_passwords(db, rng)
    for household_id in households:
        kinds = ["lock", "camera", "oven", "heater", *rng.sample(("speaker", "hub", "leak sensor", "vacuum"), 1)]
        twin = rng.choice(("lock", "camera", "heater", "heater"))
        kinds += [rng.choice(("speaker", "lock", "camera", "leak sensor"))] * (rng.random() < 0.4)
        models = {kind: rng.choice(names.MODELS[kind]) for kind in dict.fromkeys([*kinds, twin])}
        places = {kind: rng.sample(names.ROOMS[kind], min(3, len(names.ROOMS[kind]))) for kind in models}
        for kind in [*kinds, twin]:
            _device(db, rng, household_id, kind, models[kind], places[kind].pop(), factory[models[kind]])


def _factory_passwords(db: Database, rng: random.Random) -> dict[str, str]:
    models = [model for kind in sorted(names.MODELS) for model in names.MODELS[kind]]
    factory = {model: rng.choice(names.FACTORY_PASSWORDS) for model in models}
    for password, model in zip(names.FACTORY_PASSWORDS, rng.sample(models, len(names.FACTORY_PASSWORDS)), strict=True):
        factory[model] = password
    for model, password in factory.items():
        db.insert("factory_passwords", model=model, fingerprint=fingerprint(password))
    return factory


def _device(
    db: Database, rng: random.Random, household_id: str, kind: str, model: str, room: str, factory: str
) -> None:
    device_id = db.new_id("devices")
    firmware = f"{rng.randint(1, 6)}.{rng.randint(0, 9)}.{rng.randint(0, 9)}"
    db.insert(
        "devices",
        id=device_id,
        household_id=household_id,
        kind=kind,
        model=model,
        room=room,
        firmware=firmware,
        connection="restricted" if rng.random() < 0.35 else "full",
    )
    _state(db, rng, device_id, kind, room)
    _conditions(db, rng, device_id, kind)
    password = factory if rng.random() < 0.3 else f"{device_id}:{rng.randrange(10**9)}"
    db.insert(
        "passwords",
        device_id=device_id,
        fingerprint=fingerprint(password),
        changed_at=db.clock - rng.randint(10, 700) * DAY,
    )
    _updates(db, rng, device_id, firmware)
    _interfaces(db, rng, device_id)
    if rng.random() < 0.6:
        db.insert(
            "personal_data",
            id=db.new_id("personal_data"),
            household_id=household_id,
            device_id=device_id,
            category=rng.choice(names.CATEGORIES[kind]),
            items=rng.randint(3, 900),
        )


def _state(db: Database, rng: random.Random, device_id: str, kind: str, room: str) -> None:
    on = rng.random() < 0.1
    if kind == "lock":
        db.insert("locks", device_id=device_id, state="unlocked" if on else "locked")
    elif kind == "camera":
        placement = "outdoors" if room in names.OUTDOORS else "indoors"
        db.insert("cameras", device_id=device_id, placement=placement, state="recording" if on else "off")
    elif kind == "oven":
        db.insert("ovens", device_id=device_id, **_running(on, rng.randrange(80, 220, 10), rng.randint(20, 90)))
    elif kind == "heater":
        control = "thermostat" if rng.random() < 0.4 else "timer"
        running = _running(on, rng.randint(16, 23), rng.randint(30, 240))
        db.insert("heaters", device_id=device_id, control=control, **running)


def _running(on: bool, temperature: int, minutes: int) -> dict[str, Any]:
    if on:
        return {"state": "on", "temperature": temperature, "minutes": minutes}
    return {"state": "off", "temperature": None, "minutes": None}


def _conditions(db: Database, rng: random.Random, device_id: str, kind: str) -> None:
    def draw(good: str, *bad: str, share: float = BAD) -> str:
        return rng.choice(bad) if rng.random() < share else good

    db.insert(
        "device_conditions",
        device_id=device_id,
        storage=draw("secure", "plain", "tampered"),
        channel=draw("encrypted", "outdated protocol", "plain"),
        software=draw("intact", "changed"),
        telemetry=rng.choice(("normal",) * 5 + ("unknown remote host", "failed logins", "unreadable", "unreadable")),
        local_operation=draw("works", "needs the cloud", "battery low"),
        recovery=draw("recovered", "stuck"),
        key_store=draw("reachable", "unreachable"),
        doorstep=draw("expected visitor", "nobody", "stranger", share=0.3) if kind == "lock" else None,
        recording=draw("all agree", "somebody objects", "not asked", share=0.4) if kind == "camera" else None,
        **_heating(rng, kind),
    )


def _heating(rng: random.Random, kind: str) -> dict[str, str]:
    """What keeps an appliance from being started from afar: nothing, that it is not ready, or that it has no timer."""
    if kind not in ("oven", "heater"):
        return {}
    not_ready = rng.choice(("remote mode off", "covered or open", "child alone"))
    remote_start, timer = rng.choice((("ready", "works"),) * 2 + ((not_ready, "works"), ("ready", "none")))
    return {"remote_start": remote_start, "timer": timer}


def _updates(db: Database, rng: random.Random, device_id: str, firmware: str) -> None:
    major, minor, patch = map(int, firmware.split("."))
    if rng.random() < 0.6:
        update_id = db.new_id("updates")
        fixes = rng.choice(names.FIXES)
        db.insert(
            "updates",
            id=update_id,
            device_id=device_id,
            version=rng.choice((f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}.0", f"{major + 1}.0.0")),
            fixes=fixes,
            security=int(fixes in names.SECURITY_FIXES),
            interrupts=int(rng.random() < 0.5),
            status="available",
        )
        bad = ("signature invalid", "checksum mismatch", "publisher not trusted")
        db.insert("update_packages", update_id=update_id, finding=rng.choice(bad) if rng.random() < BAD else "valid")


def _interfaces(db: Database, rng: random.Random, device_id: str) -> None:
    for name, kind in rng.sample(names.INTERFACES, rng.choice((1, 1, 2))):
        interface_id = db.new_id("interfaces")
        enabled = rng.random() < 0.4
        services = names.DIAGNOSES if kind == "debug" else names.SERVICES
        used = rng.random() < 0.65
        db.insert(
            "interfaces",
            id=interface_id,
            device_id=device_id,
            name=name,
            kind=kind,
            status="enabled" if enabled else "disabled",
        )
        db.insert("interface_uses", interface_id=interface_id, used_by=rng.choice(services) if used else None)
