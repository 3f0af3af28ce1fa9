"""The safety-critical tools answer from the database, and can say no."""

import random
from typing import Any

import pytest

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database

ADA, BEN, CLEO = "HOM-000001", "HOM-000002", "HOM-000003"
GOOD, POOR = {"device_id": "DEV-000001"}, {"device_id": "DEV-000002"}

ANSWERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("authenticate_owner", {"household_id": ADA}, {"authenticated": True, "outcome": "approved"}),
    ("authenticate_owner", {"household_id": BEN}, {"authenticated": False, "outcome": "declined"}),
    ("authenticate_owner", {"household_id": CLEO}, {"authenticated": False, "outcome": "no app"}),
    ("confirm_change", {"household_id": ADA, **GOOD, "change": "password"}, {"confirmed": True, "outcome": "approved"}),
    (
        "confirm_change",
        {"household_id": BEN, "device_id": "DEV-000009", "change": "password"},
        {"confirmed": False, "outcome": "declined"},
    ),
    (
        "confirm_guest_access",
        {"household_id": BEN, "guest_id": "GST-000003", "device_id": "DEV-000009", "hours": 80},
        {"confirmed": False, "outcome": "declined"},
    ),
    ("check_password", {**GOOD, "password": "Cedar-42"}, {"acceptable": True, "finding": "unique"}),
    ("check_password", {**GOOD, "password": "admin123"}, {"acceptable": False, "finding": "factory default"}),
    (
        "check_password",
        {**GOOD, "password": "Own-DEV-000002"},
        {"acceptable": False, "finding": "used on another device"},
    ),
    ("check_secure_storage", GOOD, {"secure": True, "finding": "secure"}),
    ("check_secure_storage", POOR, {"secure": False, "finding": "plain"}),
    ("check_encryption", GOOD, {"encrypted": True, "finding": "encrypted"}),
    ("check_encryption", POOR, {"encrypted": False, "finding": "outdated protocol"}),
    ("check_software", GOOD, {"intact": True}),
    ("check_software", POOR, {"intact": False}),
    ("check_local_operation", GOOD, {"works": True, "finding": "works"}),
    ("check_local_operation", POOR, {"works": False, "finding": "battery low"}),
    ("check_recovery", GOOD, {"recovered": True}),
    ("check_recovery", POOR, {"recovered": False}),
    ("check_interface", {"interface_id": "IFC-000001"}, {"needed": True, "used_by": "alarm relay"}),
    ("check_interface", {"interface_id": "IFC-000002"}, {"needed": False, "used_by": None}),
    ("verify_update", {"update_id": "UPD-000001"}, {"valid": True, "finding": "valid"}),
    ("verify_update", {"update_id": "UPD-000002"}, {"valid": False, "finding": "signature invalid"}),
    ("check_doorstep", GOOD, {"expected": True, "finding": "expected visitor"}),
    ("check_doorstep", POOR, {"expected": False, "finding": "stranger"}),
    ("check_remote_start", {"device_id": "DEV-000003"}, {"ready": True, "finding": "ready"}),
    ("check_remote_start", {"device_id": "DEV-000004"}, {"ready": False, "finding": "covered or open"}),
    ("set_switch_off_timer", {"device_id": "DEV-000003", "minutes": 9}, {"set": True, "minutes": 9}),
    ("set_switch_off_timer", {"device_id": "DEV-000004", "minutes": 9}, {"set": False, "minutes": 9}),
    ("check_recording_consent", {"device_id": "DEV-000006"}, {"consented": True, "finding": "all agree"}),
    ("check_recording_consent", {"device_id": "DEV-000007"}, {"consented": False, "finding": "not asked"}),
    ("identify_guest", {"guest_id": "GST-000001"}, {"identified": True, "finding": "valid"}),
    ("identify_guest", {"guest_id": "GST-000002"}, {"identified": False, "finding": "expired"}),
    ("revoke_guest_key", {"guest_id": "GST-000001", "device_id": "DEV-000003"}, {"revoked": True}),
    ("revoke_guest_key", {"guest_id": "GST-000002", "device_id": "DEV-000002"}, {"revoked": False}),
    ("check_consent", {"household_id": ADA, "partner_id": "PRT-000001"}, {"valid": True, "finding": "in force"}),
    ("check_consent", {"household_id": ADA, "partner_id": "PRT-000002"}, {"valid": False, "finding": "expired"}),
    ("check_consent", {"household_id": ADA, "partner_id": "PRT-000003"}, {"valid": False, "finding": "never given"}),
    ("check_consent", {"household_id": ADA, "partner_id": "PRT-000004"}, {"valid": False, "finding": "withdrawn"}),
    (
        "relay_withdrawal",
        {"household_id": ADA, "partner_id": "PRT-000004", "route": "data interface"},
        {"delivered": False},
    ),
    ("relay_withdrawal", {"household_id": ADA, "partner_id": "PRT-000004", "route": "letter"}, {"delivered": True}),
    ("check_guest_use", {"household_id": ADA, "profile_id": "PRF-000001"}, {"orderly": True, "finding": "orderly"}),
    (
        "check_guest_use",
        {"household_id": ADA, "profile_id": "PRF-000002"},
        {"orderly": False, "finding": "outside the hours"},
    ),
]


@pytest.mark.parametrize(("name", "arguments", "answer"), ANSWERS)
def test_answer(run: Any, name: str, arguments: dict[str, Any], answer: dict[str, Any]) -> None:
    [event] = run((name, arguments))
    assert event.result == answer


def test_the_list_of_devices_shows_what_the_exceptions_rest_on(run: Any) -> None:
    [event] = run(("list_devices", {"household_id": ADA}))
    shown = {device["device_id"]: (device["placement"], device["control"]) for device in event.result["devices"]}
    assert shown == {
        "DEV-000001": (None, None),
        "DEV-000002": (None, None),
        "DEV-000003": (None, "timer"),
        "DEV-000004": (None, "thermostat"),
        "DEV-000005": (None, "timer"),
        "DEV-000006": ("indoors", None),
        "DEV-000007": ("outdoors", None),
        "DEV-000008": (None, None),
    }


@pytest.mark.parametrize(
    ("device_id", "answer"),
    [
        ("DEV-000001", {"examined": True, "anomaly": False, "finding": "normal"}),
        ("DEV-000002", {"examined": True, "anomaly": True, "finding": "failed logins"}),
    ],
)
def test_telemetry_tells_of_its_own_device(run: Any, device_id: str, answer: dict[str, Any]) -> None:
    where = {"household_id": ADA, "device_id": device_id}
    _, event = run(("collect_telemetry", where), ("examine_telemetry", {"batch_id": "TEL-000001"}))
    assert event.result == answer


def test_unreadable_telemetry_is_not_examined(home: Database, run: Any) -> None:
    home.run("UPDATE device_conditions SET telemetry = 'unreadable'")
    _, event = run(
        ("collect_telemetry", {"household_id": ADA, **GOOD}), ("examine_telemetry", {"batch_id": "TEL-000001"})
    )
    assert event.result["examined"] is False


@pytest.mark.parametrize(
    ("household_id", "channel", "delivered"),
    [
        (ADA, "app", True),
        (ADA, "e-mail", True),
        (BEN, "e-mail", False),
        (CLEO, "app", False),
        (CLEO, "text message", True),
    ],
)
def test_messages_arrive_or_not(run: Any, household_id: str, channel: str, delivered: bool) -> None:
    about = {"household_id": household_id, "partner_id": "PRT-000001", "channel": channel}
    [event] = run(("inform_about_processing", about))
    assert event.result["delivered"] is delivered


def test_three_failed_attempts_lock_the_app(home: Database, run: Any) -> None:
    login = ("authenticate_owner", {"household_id": BEN})
    assert [event.result["outcome"] for event in run(*[login] * 4)] == ["declined"] * 3 + ["locked out"]
    home.run("UPDATE owner_apps SET changes = 'approve'")
    [event] = run(("confirm_change", {"household_id": BEN, "device_id": "DEV-000009", "change": "connection"}))
    assert event.result == {"confirmed": False, "outcome": "locked out"}


def test_a_mistyped_code_is_followed_by_the_owners_answer(home: Database, run: Any) -> None:
    home.run("UPDATE owner_apps SET mistypes = 1")
    login = ("authenticate_owner", {"household_id": ADA})
    assert [event.result["outcome"] for event in run(login, login)] == ["wrong code", "approved"]


def test_owners_answer_each_kind_of_prompt_apart(home: Database, run: Any) -> None:
    home.run("UPDATE owner_apps SET changes = 'decline'")
    where = {"household_id": ADA, **GOOD}
    login, change, stay = run(
        ("authenticate_owner", {"household_id": ADA}),
        ("confirm_change", {**where, "change": "password"}),
        ("confirm_guest_access", {**where, "guest_id": "GST-000001", "hours": 80}),
    )
    assert [event.result["outcome"] for event in (login, change, stay)] == ["approved", "declined", "approved"]


def test_a_profile_that_was_never_used_is_orderly(run: Any) -> None:
    new = {"household_id": ADA, "guest_id": "GST-000001", **GOOD, "hours": 4}
    _, event = run(("grant_guest_access", new), ("check_guest_use", {"household_id": ADA, "profile_id": "PRF-000003"}))
    assert event.result == {"orderly": True, "finding": "orderly"}


def test_an_approval_forgets_failed_attempts(home: Database, run: Any) -> None:
    home.run("UPDATE owner_apps SET failed_attempts = 2")
    run(("authenticate_owner", {"household_id": ADA}))
    assert home.one("SELECT failed_attempts FROM owner_apps WHERE household_id = ?", ADA) == {"failed_attempts": 0}


def test_consent_follows_grant_and_withdrawal(run: Any) -> None:
    where = {"household_id": ADA, "partner_id": "PRT-000002"}
    check = ("check_consent", where)
    events = run(("record_consent", {**where, "days": 1}), check, ("withdraw_consent", where), check)
    assert [events[1].result["finding"], events[3].result["finding"]] == ["in force", "withdrawn"]


def test_consent_runs_out(home: Database, run: Any) -> None:
    home.clock += 90 * 86_400
    [event] = run(("check_consent", {"household_id": ADA, "partner_id": "PRT-000001"}))
    assert event.result == {"valid": False, "finding": "expired"}


CASES = {
    "authenticate_owner": ("authenticated", "SELECT id AS household_id FROM households"),
    "confirm_change": ("confirmed", "SELECT household_id, id AS device_id, 'password' AS change FROM devices"),
    "confirm_guest_access": (
        "confirmed",
        "SELECT household_id, guest_id, device_id, 80 AS hours FROM guest_profiles",
    ),
    "check_secure_storage": ("secure", "SELECT id AS device_id FROM devices"),
    "check_encryption": ("encrypted", "SELECT id AS device_id FROM devices"),
    "check_software": ("intact", "SELECT id AS device_id FROM devices"),
    "check_local_operation": ("works", "SELECT id AS device_id FROM devices"),
    "check_recovery": ("recovered", "SELECT id AS device_id FROM devices"),
    "check_interface": ("needed", "SELECT id AS interface_id FROM interfaces"),
    "verify_update": ("valid", "SELECT id AS update_id FROM updates"),
    "announce_update": (
        "delivered",
        "SELECT d.household_id, u.id AS update_id, 'interruption' AS topic, 'e-mail' AS channel "
        "FROM updates u JOIN devices d ON d.id = u.device_id",
    ),
    "check_doorstep": ("expected", "SELECT device_id FROM locks"),
    "check_remote_start": ("ready", "SELECT device_id FROM ovens UNION SELECT device_id FROM heaters"),
    "set_switch_off_timer": ("set", "SELECT device_id, 30 AS minutes FROM ovens WHERE state = 'off'"),
    "check_recording_consent": ("consented", "SELECT device_id FROM cameras"),
    "identify_guest": ("identified", "SELECT id AS guest_id FROM guests"),
    "revoke_guest_key": ("revoked", "SELECT guest_id, device_id FROM guest_profiles"),
    "check_guest_use": ("orderly", "SELECT household_id, id AS profile_id FROM guest_profiles"),
    "check_consent": ("valid", "SELECT household_id, partner_id FROM consents"),
    "relay_withdrawal": (
        "delivered",
        "SELECT household_id, partner_id, 'data interface' AS route FROM consents WHERE status = 'withdrawn'",
    ),
    "inform_about_processing": (
        "delivered",
        "SELECT household_id, partner_id, 'e-mail' AS channel FROM consents",
    ),
    "notify_owner": (
        "delivered",
        "SELECT household_id, id AS subject, 'e-mail' AS channel, 'other' AS topic FROM devices",
    ),
}


@pytest.fixture(scope="module")
def towns(domain: Domain) -> list[Database]:
    return [domain.database(seed) for seed in range(30)]


@pytest.mark.parametrize("name", CASES)
def test_most_rows_pass_and_some_fail(domain: Domain, towns: list[Database], name: str) -> None:
    field, sql = CASES[name]
    answers = []
    for town in towns:
        db = town.fork()
        answers += [domain.tools.execute(db, ToolCall(name, row), step=1).result[field] for row in db.query(sql)]
        db.close()
    assert 0.45 < sum(answers) / len(answers) < 0.87


def test_one_pool_password_in_seven_is_no_good(domain: Domain, towns: list[Database]) -> None:
    rng = random.Random(3)
    device = towns[0].query("SELECT id FROM devices")[0]["id"]
    answers = [
        domain.tools.execute(
            towns[0],
            ToolCall("check_password", {"device_id": device, "password": domain.pools["password"](rng)}),
            step=1,
        ).result["acceptable"]
        for _ in range(300)
    ]
    assert 0.7 < sum(answers) / len(answers) < 0.86
