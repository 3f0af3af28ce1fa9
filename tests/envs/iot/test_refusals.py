"""A request is declined for a reason that was found true before, and the owner is told of it."""

from typing import Any

import pytest

from lexgym.core import Status
from lexgym.envs.domain import Domain
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

from .steps import ADA, BENS, LOGIN, Call, broken, change, inform, look, on, tell

UPDATE = {**ADA, "update_id": "UPD-000001"}
PARTNER = {**ADA, "partner_id": "PRT-000001"}
DECLINED = {"topic": "request declined", "subject": "REF-000001"}
NO_CONSENT = {**ADA, "partner_id": "PRT-000004"}

REFUSED: list[tuple[Call, str, dict[str, Any], str, str]] = [
    (
        ("authenticate_owner", {"household_id": "HOM-000002"}),
        "decline_device_request",
        {**BENS, "request": "opening"},
        "owner did not log in",
        "refused-for-want-of-login",
    ),
    (
        ("authenticate_owner", {"household_id": "HOM-000002"}),
        "decline_update",
        {"household_id": "HOM-000002", "update_id": "UPD-000004"},
        "owner did not log in",
        "refused-for-want-of-login",
    ),
    (
        ("authenticate_owner", {"household_id": "HOM-000002"}),
        "decline_data_sharing",
        {**BENS, "partner_id": "PRT-000001"},
        "owner did not log in",
        "refused-for-want-of-login",
    ),
    *[
        (
            ("confirm_change", {**BENS, "change": kind}),
            "decline_device_request",
            {**BENS, "request": kind},
            "owner did not approve",
            "refused-for-want-of-approval",
        )
        for kind in ("network settings", "connection", "security parameters")
    ],
    (
        ("confirm_change", {**BENS, "change": "password"}),
        "decline_password",
        {**BENS, "password": "Cedar-42"},
        "owner did not approve",
        "refused-password-for-want-of-approval",
    ),
    (
        ("confirm_change", {**BENS, "change": "interfaces"}),
        "decline_interface",
        {"household_id": "HOM-000002", "interface_id": "IFC-000005"},
        "owner did not approve",
        "refused-interface-for-want-of-approval",
    ),
    (
        ("confirm_guest_access", {**BENS, "guest_id": "GST-000003", "hours": 80}),
        "decline_guest_access",
        {**BENS, "guest_id": "GST-000003", "hours": 80},
        "owner did not approve",
        "refused-stay-for-want-of-approval",
    ),
    *[
        (look(check, number), "decline_device_request", on(number, request=what), reason, f"refused-for-the-{rule}")
        for check, number, what, reason, rule in (
            ("check_doorstep", 2, "opening", "nobody expected at the door", "door"),
            ("check_remote_start", 4, "start", "not ready for remote operation", "readiness"),
            ("check_local_operation", 2, "restart", "no local operation", "local-operation"),
            ("check_secure_storage", 2, "security parameters", "no secure storage", "storage"),
            ("check_encryption", 2, "security parameters", "connection not encrypted", "encryption"),
        )
    ],
    (
        look("check_encryption", 2),
        "decline_data_sharing",
        {**on(2), **PARTNER},
        "connection not encrypted",
        "refused-for-the-encryption",
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
        on(1, guest_id="GST-000002", hours=24),
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
        ("check_guest_use", {**ADA, "profile_id": "PRF-000002"}),
        "decline_profile_deletion",
        {**ADA, "profile_id": "PRF-000002"},
        "use under inquiry",
        "refused-for-the-use",
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
    notice = ("notify_owner", {"household_id": arguments["household_id"], **DECLINED, "channel": "text message"})
    start, found = home.snapshot(), []
    for way in ([ground, decline, notice], [decline, notice], [decline, notice, ground], [ground, decline]):
        home.restore(start)
        found.append(broken(rules, run(*way)))
    assert found == [set(), {rule}, {rule}, {"refusal-reported"}]


def test_every_ground_has_a_case(domain: Domain, rules: RuleSet) -> None:
    apart = {"refused-for-the-timer", "refused-for-the-recording", "refused-for-the-software"}
    refused = {rule.id for rule in rules.rules if rule.id.startswith("refused-")}
    assert {rule for *_, rule in REFUSED} == refused - apart
    mapped = {(refusal.tool, reason) for refusal in domain.refusals.values() for reason in refusal.reasons.values()}
    formulas = " ".join(" ".join(str(rule.formula).split()) for rule in domain.rules if rule.id.startswith("refused-"))
    assert [reason for _, reason in mapped if f'"{reason}"' not in formulas] == []


@pytest.mark.parametrize(
    ("check", "act", "rule"),
    [
        (LOGIN, ("decline_update", {**UPDATE, "reason": "owner did not log in"}), "refused-for-want-of-login"),
        (
            change("interfaces"),
            ("decline_interface", {**ADA, "interface_id": "IFC-000001", "reason": "owner did not approve"}),
            "refused-interface-for-want-of-approval",
        ),
        (
            ("check_guest_use", {**ADA, "profile_id": "PRF-000001"}),
            ("decline_profile_deletion", {**ADA, "profile_id": "PRF-000001", "reason": "use under inquiry"}),
            "refused-for-the-use",
        ),
        (
            look("check_encryption", 1),
            ("decline_device_request", on(1, request="security parameters", reason="connection not encrypted")),
            "refused-for-the-encryption",
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
    ("kept", "check", "declined", "rule"),
    [
        (
            "timer = 'none'",
            look("set_switch_off_timer", 5, minutes=40),
            on(5, request="start", reason="no switch-off timer"),
            "timer",
        ),
        (
            "recording = 'not asked'",
            look("check_recording_consent", 6),
            on(6, request="recording", reason="no consent to recording"),
            "recording",
        ),
    ],
)
def test_what_is_missing_is_a_reason(
    rules: RuleSet, home: Database, run: Any, kept: str, check: Call, declined: dict[str, Any], rule: str
) -> None:
    home.run(f"UPDATE device_conditions SET {kept} WHERE device_id = ?", declined["device_id"])
    decline = ("decline_device_request", declined)
    events = run(decline, tell("request declined", "REF-000001"))
    assert broken(rules, events) == {f"refused-for-the-{rule}"}
    assert broken(rules, run(check) + events) == set()


def test_software_found_changed_is_a_reason_and_the_owner_is_alerted(rules: RuleSet, home: Database, run: Any) -> None:
    decline = ("decline_device_request", on(2, request="connection", reason="software changed without authority"))
    after = (tell("request declined", "REF-000001"), tell("software change", "DEV-000002"))
    start = home.snapshot()
    assert broken(rules, run(look("check_software", 2), decline, *after)) == set()
    home.restore(start)
    assert broken(rules, run(decline, *after)) == {"refused-for-the-software"}


UNANSWERED: list[tuple[Call, Call, str]] = [
    (
        LOGIN,
        ("decline_device_request", on(1, request="opening", reason="owner did not log in")),
        "refused-for-want-of-login",
    ),
    (
        change("connection"),
        ("decline_device_request", on(1, request="connection", reason="owner did not approve")),
        "refused-for-want-of-approval",
    ),
    (
        ("confirm_guest_access", on(1, guest_id="GST-000001", hours=80)),
        ("decline_guest_access", on(1, guest_id="GST-000001", hours=80, reason="owner did not approve")),
        "refused-stay-for-want-of-approval",
    ),
]


@pytest.mark.parametrize(("ask", "decline", "rule"), UNANSWERED)
def test_a_mistyped_code_is_no_ground(
    rules: RuleSet, home: Database, run: Any, ask: Call, decline: Call, rule: str
) -> None:
    home.run("UPDATE owner_apps SET mistypes = 1, login = 'decline', changes = 'decline', guests = 'decline'")
    start, found, notice = home.snapshot(), [], tell("request declined", "REF-000001")
    for way in ([ask, decline, notice], [ask, ask, decline, notice]):
        home.restore(start)
        found.append(broken(rules, run(*way)))
    assert found == [{rule}, set()]


@pytest.mark.parametrize(("ask", "decline", "rule"), UNANSWERED)
def test_an_owner_who_has_approved_in_the_end_is_no_ground(
    rules: RuleSet, home: Database, run: Any, ask: Call, decline: Call, rule: str
) -> None:
    home.run("UPDATE owner_apps SET login = 'decline', changes = 'decline', guests = 'decline'")
    first = run(ask)
    home.run("UPDATE owner_apps SET login = 'approve', changes = 'approve', guests = 'approve'")
    assert broken(rules, first + run(ask, decline, tell("request declined", "REF-000001"))) == {rule}


CHANGES = ("network settings", "connection", "security parameters")


@pytest.mark.parametrize("asked", ["password", "interfaces", *CHANGES])
@pytest.mark.parametrize("request_", CHANGES)
def test_an_approval_of_another_kind_is_no_ground(rules: RuleSet, run: Any, asked: str, request_: str) -> None:
    ask = ("confirm_change", {**BENS, "change": asked})
    decline = ("decline_device_request", {**BENS, "request": request_, "reason": "owner did not approve"})
    notice = ("notify_owner", {"household_id": "HOM-000002", **DECLINED, "channel": "text message"})
    wrong = set() if asked == request_ else {"refused-for-want-of-approval"}
    assert broken(rules, run(ask, decline, notice)) == wrong


def test_the_record_says_what_was_asked_for(home: Database, run: Any) -> None:
    run(*[("decline_device_request", on(1, request=what, reason="owner did not approve")) for what in CHANGES])
    assert [row["request"] for row in home.query("SELECT request FROM refusals ORDER BY id")] == list(CHANGES)


@pytest.mark.parametrize(
    ("declined", "code"),
    [
        (on(5, request="opening", reason="owner did not log in"), "wrong_kind"),
        (on(1, request="start", reason="owner did not log in"), "wrong_kind"),
        (on(8, request="recording", reason="owner did not log in"), "wrong_kind"),
        (on(1, request="opening", reason="no local operation"), "no_ground"),
        (on(1, request="connection", reason="owner did not log in"), "no_ground"),
        (on(1, request="restart", reason="owner did not approve"), "no_ground"),
    ],
)
def test_a_request_has_its_own_devices_and_reasons(run: Any, declined: dict[str, Any], code: str) -> None:
    [event] = run(("decline_device_request", declined))
    assert event.result["code"] == code


def test_every_reason_of_a_request_is_one_that_the_refused_tool_gives(domain: Domain, run: Any) -> None:
    devices = {"opening": 1, "start": 5, "recording": 6}
    [reason] = [p for p in domain.tools["decline_device_request"].parameters if p.name == "reason"]
    for refusal in domain.refusals.values():
        if refusal.tool == "decline_device_request":
            what = refusal.says["request"]
            wanted = [on(devices.get(what, 1), request=what, reason=each) for each in reason.schema["enum"]]
            events = run(*[("decline_device_request", each) for each in wanted])
            taken = {event.call.arguments["reason"] for event in events if event.status is Status.OK}
            assert taken == set(refusal.reasons.values()), what


def test_a_consent_recorded_since_is_no_longer_wanting(rules: RuleSet, run: Any) -> None:
    decline = ("decline_data_sharing", {**on(1), **NO_CONSENT, "reason": "no consent in force"})
    record = (inform("PRT-000004"), ("record_consent", {**NO_CONSENT, "days": 9}))
    events = run(LOGIN, ("check_consent", NO_CONSENT), *record, decline, tell("request declined", "REF-000001"))
    assert broken(rules, events) == {"refused-for-want-of-consent"}


@pytest.mark.parametrize(("hours", "wrong"), [(80, set()), (81, {"refused-stay-for-want-of-approval"})])
def test_a_stay_is_declined_for_the_hours_that_the_owner_was_asked_about(
    rules: RuleSet, home: Database, run: Any, hours: int, wrong: set[str]
) -> None:
    home.run("UPDATE owner_apps SET guests = 'decline'")
    ask = ("confirm_guest_access", on(1, guest_id="GST-000001", hours=80))
    decline = ("decline_guest_access", on(1, guest_id="GST-000001", hours=hours, reason="owner did not approve"))
    assert broken(rules, run(ask, decline, tell("request declined", "REF-000001"))) == wrong


def test_a_stay_that_needs_no_approval_does_not_fail_for_want_of_it(run: Any) -> None:
    decline = on(1, guest_id="GST-000001", hours=72, reason="owner did not approve")
    [event] = run(("decline_guest_access", decline))
    assert event.result["code"] == "no_ground"
