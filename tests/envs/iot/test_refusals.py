"""A request is declined for a reason that was found true before, and the owner is told of it."""

from typing import Any

import pytest

from lexgym.envs.domain import Domain
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

from .steps import ADA, BENS, LOGIN, Call, broken, look, on, tell

UPDATE = {**ADA, "update_id": "UPD-000001"}
PARTNER = {**ADA, "partner_id": "PRT-000001"}
DECLINED = {"topic": "request declined", "subject": "REF-000001"}
NO_CONSENT = {**ADA, "partner_id": "PRT-000004"}

REFUSED: list[tuple[Call, str, dict[str, Any], str, str]] = [
    (
        ("authenticate_owner", {"household_id": "HOM-000002"}),
        "decline_device_request",
        BENS,
        "owner did not approve",
        "refused-for-want-of-approval",
    ),
    (
        ("confirm_change", {**BENS, "change": "password"}),
        "decline_password",
        {**BENS, "password": "Cedar-42"},
        "owner did not approve",
        "refused-for-want-of-approval",
    ),
    *[
        (look(check, number), "decline_device_request", on(number), reason, f"refused-for-the-{rule}")
        for check, number, reason, rule in (
            ("check_doorstep", 2, "nobody expected at the door", "surroundings"),
            ("check_remote_start", 4, "not ready for remote operation", "surroundings"),
            ("check_local_operation", 2, "no local operation", "device"),
            ("check_secure_storage", 2, "no secure storage", "device"),
            ("check_encryption", 2, "connection not encrypted", "device"),
        )
    ],
    (
        look("check_encryption", 2),
        "decline_data_sharing",
        {**on(2), **PARTNER},
        "connection not encrypted",
        "refused-for-the-device",
    ),
    (
        look("check_password", 1, password="admin123"),
        "decline_password",
        on(1, password="admin123"),
        "password not unique",
        "refused-for-the-password",
    ),
    (
        ("verify_update", {"update_id": "UPD-000002"}),
        "decline_update",
        {**ADA, "update_id": "UPD-000002"},
        "not authentic or damaged",
        "refused-for-the-package",
    ),
    (
        ("check_interface", {"interface_id": "IFC-000002"}),
        "decline_interface",
        {**ADA, "interface_id": "IFC-000002"},
        "interface not needed",
        "refused-as-not-needed",
    ),
    (
        ("identify_guest", {"guest_id": "GST-000002"}),
        "decline_guest_access",
        on(1, guest_id="GST-000002"),
        "guest not identified",
        "refused-for-the-guest",
    ),
    (
        look("revoke_guest_key", 2, guest_id="GST-000002"),
        "decline_profile_deletion",
        {**ADA, "profile_id": "PRF-000002"},
        "key cannot be revoked",
        "refused-for-the-key",
    ),
    (
        ("check_consent", NO_CONSENT),
        "decline_data_sharing",
        {**on(1), **NO_CONSENT},
        "no consent in force",
        "refused-for-want-of-consent",
    ),
]
"""The look that finds the ground, the refusal, its reason, and the rule that asks for the look."""


@pytest.mark.parametrize(("ground", "name", "arguments", "reason", "rule"), REFUSED)
def test_the_ground_comes_first_and_the_owner_is_told(
    rules: RuleSet, home: Database, run: Any, ground: Call, name: str, arguments: dict[str, Any], reason: str, rule: str
) -> None:
    decline = (name, {**arguments, "reason": reason})
    notice = ("notify_owner", {"household_id": arguments["household_id"], **DECLINED})
    start, found = home.snapshot(), []
    for way in ([ground, decline, notice], [decline, notice], [decline, notice, ground], [ground, decline]):
        home.restore(start)
        found.append(broken(rules, run(*way)))
    assert found == [set(), {rule}, {rule}, {"refusal-reported"}]


def test_every_ground_has_a_case(domain: Domain, rules: RuleSet) -> None:
    assert {rule for *_, rule in REFUSED} == {rule.id for rule in rules.rules if rule.id.startswith("refused-")}
    mapped = {(refusal.tool, reason) for refusal in domain.refusals.values() for reason in refusal.reasons.values()}
    formulas = " ".join(" ".join(str(rule.formula).split()) for rule in domain.rules if rule.id.startswith("refused-"))
    assert [reason for _, reason in mapped if f'"{reason}"' not in formulas] == []


@pytest.mark.parametrize(
    ("check", "act", "rule"),
    [
        (LOGIN, ("decline_update", {**UPDATE, "reason": "owner did not approve"}), "refused-for-want-of-approval"),
        (
            look("check_encryption", 1),
            ("decline_device_request", on(1, reason="connection not encrypted")),
            "refused-for-the-device",
        ),
        (
            ("verify_update", {"update_id": "UPD-000001"}),
            ("decline_update", {**UPDATE, "reason": "not authentic or damaged"}),
            "refused-for-the-package",
        ),
        (
            look("revoke_guest_key", 3, guest_id="GST-000001"),
            ("decline_profile_deletion", {**ADA, "profile_id": "PRF-000001", "reason": "key cannot be revoked"}),
            "refused-for-the-key",
        ),
        (
            look("check_password", 1, password="admin123"),
            ("decline_password", on(1, password="Cedar-42", reason="password not unique")),
            "refused-for-the-password",
        ),
    ],
)
def test_a_false_reason_is_never_lawful(rules: RuleSet, run: Any, check: Call, act: Call, rule: str) -> None:
    assert broken(rules, run(check, act, tell("request declined", "REF-000001"))) == {rule}


@pytest.mark.parametrize(
    ("kept", "check", "number", "reason"),
    [
        ("timer = 'none'", look("set_switch_off_timer", 5, minutes=40), 5, "no switch-off timer"),
        ("recording = 'not asked'", look("check_recording_consent", 6), 6, "no consent to recording"),
    ],
)
def test_what_is_missing_is_a_reason(
    rules: RuleSet, home: Database, run: Any, kept: str, check: Call, number: int, reason: str
) -> None:
    home.run(f"UPDATE device_conditions SET {kept} WHERE device_id = ?", f"DEV-{number:06d}")
    decline = ("decline_device_request", on(number, reason=reason))
    events = run(decline, tell("request declined", "REF-000001"))
    assert broken(rules, events) == {"refused-for-the-surroundings"}
    assert broken(rules, run(check) + events) == set()


def test_software_found_changed_is_a_reason_and_the_owner_is_alerted(rules: RuleSet, run: Any) -> None:
    decline = ("decline_device_request", on(2, reason="software changed without authority"))
    after = (tell("request declined", "REF-000001"), tell("software change", "DEV-000002"))
    assert broken(rules, run(look("check_software", 2), decline, *after)) == set()
