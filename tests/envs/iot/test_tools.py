"""Each tool succeeds, refuses, and returns what it says it returns."""

import inspect
import tomllib
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from lexgym.core import Status
from lexgym.envs import iot
from lexgym.envs.domain import Domain
from lexgym.envs.iot.tools.fingerprints import fingerprint
from lexgym.tools.database import Database

ADAS = {"household_id": "HOM-000001"}
NOWHERE = {"household_id": "HOM-000999"}
NO_HOME = "no_such_household"
HALL, GARAGE, BENS = ({**ADAS, "device_id": f"DEV-00000{n}"} for n in (1, 2, 9))
STRANGE = {"device_id": "DEV-000999"}
NO_DEVICE = "no_such_device"
PARTNER = {**ADAS, "partner_id": "PRT-000001"}
OTHER_PARTNER = {**ADAS, "partner_id": "PRT-000003"}
UNKNOWN_PARTNER = {**ADAS, "partner_id": "PRT-000009"}
BAKE = {**ADAS, "device_id": "DEV-000005", "temperature": 180, "minutes": 40}
HEAT = {**ADAS, "device_id": "DEV-000003", "temperature": 21, "minutes": 40}
STAY = {**ADAS, "guest_id": "GST-000001", "device_id": "DEV-000001", "hours": 24}

CALLS: list[tuple[str, dict[str, Any], dict[str, Any] | None, str]] = [
    ("find_households", {"surname": "walsh"}, None, ""),
    ("list_devices", ADAS, NOWHERE, NO_HOME),
    ("list_personal_data", ADAS, NOWHERE, NO_HOME),
    ("list_updates", ADAS, NOWHERE, NO_HOME),
    ("list_interfaces", ADAS, NOWHERE, NO_HOME),
    ("list_guests", ADAS, NOWHERE, NO_HOME),
    ("list_guest_profiles", ADAS, NOWHERE, NO_HOME),
    ("list_partners", {}, None, ""),
    ("unlock_door", HALL, {**ADAS, "device_id": "DEV-000003"}, "wrong_kind"),
    ("unlock_door", HALL, BENS, NO_DEVICE),
    ("start_heating", HEAT, {**HEAT, "device_id": "DEV-000001"}, "wrong_kind"),
    ("start_oven", BAKE, {**BAKE, "device_id": "DEV-000003"}, "wrong_kind"),
    ("start_camera", {**ADAS, "device_id": "DEV-000006"}, HALL, "wrong_kind"),
    ("set_device_password", {**HALL, "password": "Cedar-42"}, {**HALL, "password": "Own-DEV-000001"}, "unchanged"),
    (
        "change_network_setting",
        {**HALL, "setting": "DNS server", "host": "dns1.citynet.example"},
        {**BENS, "setting": "DNS server", "host": "dns1.citynet.example"},
        NO_DEVICE,
    ),
    ("connect_device", HALL, GARAGE, "unchanged"),
    ("isolate_device", GARAGE, HALL, "unchanged"),
    ("restart_device", HALL, BENS, NO_DEVICE),
    (
        "store_parameter",
        {**HALL, "parameter": "Wi-Fi key", "vault_entry": "KV-0001"},
        {**BENS, "parameter": "Wi-Fi key", "vault_entry": "KV-0001"},
        NO_DEVICE,
    ),
    (
        "enable_interface",
        {**ADAS, "interface_id": "IFC-000001"},
        {**ADAS, "interface_id": "IFC-000004"},
        "unchanged",
    ),
    (
        "disable_interface",
        {**ADAS, "interface_id": "IFC-000004"},
        {**ADAS, "interface_id": "IFC-000009"},
        "no_such_interface",
    ),
    ("install_update", {**ADAS, "update_id": "UPD-000001"}, {**ADAS, "update_id": "UPD-000004"}, "no_such_update"),
    ("collect_telemetry", HALL, BENS, NO_DEVICE),
    ("grant_guest_access", STAY, {**STAY, "device_id": "DEV-000003"}, "profile_exists"),
    ("grant_guest_access", STAY, {**STAY, "guest_id": "GST-000003"}, "no_such_guest"),
    (
        "delete_guest_profile",
        {**ADAS, "profile_id": "PRF-000001"},
        {"household_id": "HOM-000002", "profile_id": "PRF-000001"},
        "no_such_profile",
    ),
    ("record_consent", {**OTHER_PARTNER, "days": 90}, {**PARTNER, "days": 90}, "already_given"),
    (
        "record_consent",
        {**ADAS, "partner_id": "PRT-000002", "days": 90},
        {**OTHER_PARTNER, **NOWHERE, "days": 90},
        NO_HOME,
    ),
    ("withdraw_consent", PARTNER, OTHER_PARTNER, "no_consent"),
    ("share_device_data", {**HALL, **PARTNER}, {**HALL, **UNKNOWN_PARTNER}, "no_such_partner"),
    ("erase_personal_data", {**ADAS, "data_id": "DAT-000001"}, {**ADAS, "data_id": "DAT-000009"}, "no_such_data"),
    (
        "decline_device_request",
        {**HALL, "request": "opening", "reason": "nobody expected at the door"},
        {**ADAS, "device_id": "DEV-000005", "request": "opening", "reason": "nobody expected at the door"},
        "wrong_kind",
    ),
    (
        "decline_password",
        {**HALL, "password": "admin123", "reason": "password not unique"},
        {**BENS, "password": "admin123", "reason": "password not unique"},
        NO_DEVICE,
    ),
    (
        "decline_device_request",
        {**ADAS, "device_id": "DEV-000003", "request": "start", "reason": "no switch-off timer"},
        {**ADAS, "device_id": "DEV-000004", "request": "start", "reason": "no switch-off timer"},
        "no_ground",
    ),
    (
        "decline_device_request",
        {**ADAS, "device_id": "DEV-000006", "request": "recording", "reason": "no consent to recording"},
        {**ADAS, "device_id": "DEV-000007", "request": "recording", "reason": "no consent to recording"},
        "no_ground",
    ),
    (
        "decline_interface",
        {**ADAS, "interface_id": "IFC-000003", "reason": "debug interface"},
        {**ADAS, "interface_id": "IFC-000001", "reason": "debug interface"},
        "no_ground",
    ),
    (
        "decline_interface",
        {**ADAS, "interface_id": "IFC-000001", "reason": "interface not needed"},
        {**ADAS, "interface_id": "IFC-000003", "reason": "interface not needed"},
        "no_ground",
    ),
    (
        "decline_data_sharing",
        {**HALL, **PARTNER, "reason": "connection not encrypted"},
        {**ADAS, "device_id": "DEV-000005", **PARTNER, "reason": "connection not encrypted"},
        "no_ground",
    ),
    (
        "decline_update",
        {**ADAS, "update_id": "UPD-000002", "reason": "not authentic or damaged"},
        {**ADAS, "update_id": "UPD-000004", "reason": "not authentic or damaged"},
        "no_such_update",
    ),
    (
        "decline_interface",
        {**ADAS, "interface_id": "IFC-000003", "reason": "debug interface"},
        {**ADAS, "interface_id": "IFC-000009", "reason": "debug interface"},
        "no_such_interface",
    ),
    (
        "decline_guest_access",
        {**HALL, "guest_id": "GST-000002", "hours": 80, "reason": "guest not identified"},
        {**HALL, "guest_id": "GST-000003", "hours": 80, "reason": "guest not identified"},
        "no_such_guest",
    ),
    (
        "decline_profile_deletion",
        {**ADAS, "profile_id": "PRF-000002", "reason": "key cannot be revoked"},
        {**ADAS, "profile_id": "PRF-000009", "reason": "key cannot be revoked"},
        "no_such_profile",
    ),
    (
        "decline_data_sharing",
        {**HALL, **PARTNER, "reason": "no consent in force"},
        {**HALL, **UNKNOWN_PARTNER, "reason": "no consent in force"},
        "no_such_partner",
    ),
    ("authenticate_owner", ADAS, NOWHERE, NO_HOME),
    ("confirm_change", {**HALL, "change": "password"}, {**BENS, "change": "password"}, NO_DEVICE),
    ("confirm_guest_access", STAY, {**STAY, "guest_id": "GST-000003"}, "no_such_guest"),
    (
        "check_password",
        {"device_id": "DEV-000001", "password": "Cedar-42"},
        {**STRANGE, "password": "Cedar-42"},
        NO_DEVICE,
    ),
    ("check_secure_storage", {"device_id": "DEV-000001"}, STRANGE, NO_DEVICE),
    ("check_encryption", {"device_id": "DEV-000001"}, STRANGE, NO_DEVICE),
    ("check_software", {"device_id": "DEV-000001"}, STRANGE, NO_DEVICE),
    ("check_local_operation", {"device_id": "DEV-000001"}, STRANGE, NO_DEVICE),
    ("check_recovery", {"device_id": "DEV-000001"}, STRANGE, NO_DEVICE),
    ("check_interface", {"interface_id": "IFC-000001"}, {"interface_id": "IFC-000009"}, "no_such_interface"),
    ("verify_update", {"update_id": "UPD-000001"}, {"update_id": "UPD-000009"}, "no_such_update"),
    (
        "announce_update",
        {**ADAS, "update_id": "UPD-000001", "topic": "interruption", "channel": "app"},
        {**ADAS, "update_id": "UPD-000004", "topic": "interruption", "channel": "app"},
        "no_such_update",
    ),
    ("examine_telemetry", {"batch_id": "TEL-000001"}, {"batch_id": "TEL-000009"}, "no_such_batch"),
    ("check_doorstep", {"device_id": "DEV-000001"}, {"device_id": "DEV-000003"}, "wrong_kind"),
    ("check_remote_start", {"device_id": "DEV-000003"}, {"device_id": "DEV-000001"}, "wrong_kind"),
    (
        "set_switch_off_timer",
        {"device_id": "DEV-000003", "minutes": 9},
        {"device_id": "DEV-000001", "minutes": 9},
        "wrong_kind",
    ),
    ("check_recording_consent", {"device_id": "DEV-000006"}, {"device_id": "DEV-000001"}, "wrong_kind"),
    ("identify_guest", {"guest_id": "GST-000001"}, {"guest_id": "GST-000009"}, "no_such_guest"),
    (
        "revoke_guest_key",
        {"guest_id": "GST-000001", "device_id": "DEV-000003"},
        {"guest_id": "GST-000009", "device_id": "DEV-000003"},
        "no_such_guest",
    ),
    ("check_consent", PARTNER, UNKNOWN_PARTNER, "no_such_partner"),
    (
        "inform_about_processing",
        {**PARTNER, "channel": "e-mail"},
        {**UNKNOWN_PARTNER, "channel": "e-mail"},
        "no_such_partner",
    ),
    (
        "relay_withdrawal",
        {**ADAS, "partner_id": "PRT-000004", "route": "letter"},
        {**PARTNER, "route": "letter"},
        "not_withdrawn",
    ),
    (
        "check_guest_use",
        {**ADAS, "profile_id": "PRF-000001"},
        {**ADAS, "profile_id": "PRF-000009"},
        "no_such_profile",
    ),
    (
        "notify_owner",
        {**ADAS, "topic": "other", "subject": "DEV-000001", "channel": "app"},
        {**ADAS, "topic": "other", "subject": "DEV-000009", "channel": "app"},
        "no_such_subject",
    ),
    ("record_event", {"subject": "PRF-000001"}, {"subject": "PRF-000009"}, "no_such_subject"),
]


def test_every_tool_is_called(domain: Domain) -> None:
    assert {name for name, *_ in CALLS} == set(domain.tools)


@pytest.fixture
def batch(run: Any) -> None:
    """A batch of telemetry that can be examined."""
    run(("collect_telemetry", HALL))


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize(("name", "good", "bad", "code"), CALLS)
def test_tool_succeeds_and_refuses(
    domain: Domain, home: Database, run: Any, name: str, good: dict[str, Any], bad: dict[str, Any] | None, code: str
) -> None:
    if bad is not None:
        before = home.state_hash()
        [refused] = run((name, bad))
        assert (refused.status, refused.result["code"]) == (Status.REFUSED, code)
        assert home.state_hash() == before
    kept = domain.business if name in domain.safety_critical else tuple(domain.compliance)
    before = home.state_hash(kept)
    [done] = run((name, good))
    assert done.status is Status.OK
    assert home.state_hash(kept) == before
    TypeAdapter(domain.tools[name].result_type).validate_python(done.result, strict=True, extra="forbid")


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("unlock_door", HALL, "already_unlocked"),
        ("start_oven", BAKE, "already_on"),
        ("start_camera", {**ADAS, "device_id": "DEV-000006"}, "already_recording"),
        ("install_update", {**ADAS, "update_id": "UPD-000001"}, "already_installed"),
        ("store_parameter", {**HALL, "parameter": "public key", "vault_entry": "KV-0001"}, "unchanged"),
        (
            "change_network_setting",
            {**HALL, "setting": "DNS server", "host": "dns1.citynet.example"},
            "unchanged",
        ),
    ],
)
def test_a_second_time_is_refused(run: Any, name: str, arguments: dict[str, Any], code: str) -> None:
    first, second = run((name, arguments), (name, arguments))
    assert (first.status, second.result["code"]) == (Status.OK, code)


def test_settings_and_parameters_are_replaced(home: Database, run: Any) -> None:
    setting = {**HALL, "setting": "DNS server"}
    key = {**HALL, "parameter": "public key"}
    run(
        ("change_network_setting", {**setting, "host": "dns1.citynet.example"}),
        ("change_network_setting", {**setting, "host": "dns2.citynet.example"}),
        ("store_parameter", {**key, "vault_entry": "KV-0001"}),
        ("store_parameter", {**key, "vault_entry": "KV-0002"}),
    )
    assert [row["host"] for row in home.query("SELECT host FROM network_settings")] == ["dns2.citynet.example"]
    assert [row["vault_entry"] for row in home.query("SELECT vault_entry FROM parameters")] == ["KV-0002"]


def test_a_password_is_kept_as_a_fingerprint_only(home: Database, run: Any) -> None:
    run(("set_device_password", {**HALL, "password": "Cedar-42"}))
    assert home.one("SELECT fingerprint FROM passwords WHERE device_id = 'DEV-000001'") == {
        "fingerprint": fingerprint("Cedar-42")
    }
    assert "Cedar-42" not in str(home.dump())


def test_an_update_changes_its_device_only(home: Database, run: Any) -> None:
    run(("install_update", {**ADAS, "update_id": "UPD-000001"}))
    rows = home.query("SELECT id FROM devices WHERE firmware = '1.1.0'")
    assert [row["id"] for row in rows] == ["DEV-000001"]


def test_erased_data_are_gone_and_on_record(home: Database, run: Any) -> None:
    [event] = run(("erase_personal_data", {**ADAS, "data_id": "DAT-000001"}))
    assert event.result["items"] == 12
    assert not home.query("SELECT 1 FROM personal_data")
    assert home.query("SELECT id FROM erasures") == [{"id": event.result["erasure_id"]}]


def test_nothing_can_be_noted_about_an_unknown_kind_of_thing(run: Any) -> None:
    [event] = run(("record_event", {"subject": "XYZ-000001"}))
    assert event.result["code"] == "no_such_subject"


def test_results_are_typed_dicts(domain: Domain) -> None:
    for tool in domain.tools.values():
        assert get_type_hints(tool.result_type), tool.name
        assert tool.result_type.__module__ == inspect.getmodule(tool.function).__name__  # type: ignore[union-attr]


def test_every_refusable_tool_and_its_decline_share_arguments(domain: Domain) -> None:
    meta = tomllib.loads((Path(iot.__path__[0]) / "domain.toml").read_text(encoding="utf-8"))
    for name, entry in meta["refusals"].items():
        have = {p.name for p in domain.tools[name].parameters}
        decline = {p.name: p for p in domain.tools[entry["tool"]].parameters}
        assert set(decline) - have == {"reason", *entry.get("says", {})}, name
        assert set(entry["reasons"]) <= domain.safety_critical
        assert set(entry["reasons"].values()) <= set(decline["reason"].schema["enum"]), name
        assert entry["tool"].startswith("decline_")


def test_every_reason_has_a_ground_and_a_failed_login_is_another_one_than_a_failed_approval(domain: Domain) -> None:
    asked = {
        "authenticate_owner": "owner did not log in",
        "confirm_change": "owner did not approve",
        "confirm_guest_access": "owner did not approve",
    }
    for refusal in domain.refusals.values():
        wanted = {check: asked[check] for check in refusal.reasons if check in asked}
        assert wanted.items() <= refusal.reasons.items()
    for name in {refusal.tool for refusal in domain.refusals.values()}:
        declines = [refusal for refusal in domain.refusals.values() if refusal.tool == name]
        given = {reason for refusal in declines for reason in refusal.grounds.values()}
        [reason] = [p for p in domain.tools[name].parameters if p.name == "reason"]
        assert set(reason.schema["enum"]) == given
