"""The three toolkits: the quirks of the released mock, and what the fair profile has instead."""

import random
from typing import Any

import pytest

from lexgym.core import Event, Rule, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import oracle_of
from lexgym.envs.planner import Planner
from lexgym.envs.registry import domain_names, load_domain, toolkit_names
from lexgym.errors import DomainError
from lexgym.generators.logisafety.states import new_ids, queue, state, tables
from lexgym.tools.database import Database

from .made import REGULATIONS, STATES, final


def opened(toolkit: str, profile: str) -> tuple[Domain, Database]:
    domain = load_domain(f"logisafety-{toolkit}_{profile}")
    rows = tables(toolkit, STATES[toolkit], "here", cents=profile == "fair")
    if profile == "as_released":
        rows["new_ids"] = queue(new_ids(toolkit, rows, tables(toolkit, final(toolkit), "there", cents=False)))
    db = Database(domain.schema)
    db.load(rows)
    return domain, db


def call(toolkit: str, profile: str, *calls: tuple[str, dict[str, Any]]) -> tuple[list[Event], Database]:
    domain, db = opened(toolkit, profile)
    events = [domain.tools.attempt(db, ToolCall(name, given), step=1) for name, given in calls]
    return [event for event in events if event is not None], db


def test_toolkits_are_loaded_by_name_and_are_no_domains() -> None:
    assert len(toolkit_names()) == 6
    assert not set(toolkit_names()) & set(domain_names())
    with pytest.raises(DomainError, match="did you mean 'logisafety-teladoc_fair'"):
        load_domain("logisafety-teladoc_fare")
    with pytest.raises(DomainError, match="has no population of its own"):
        load_domain("logisafety-teladoc_fair").database(0)


@pytest.mark.parametrize("name", toolkit_names())
def test_every_tool_says_what_it_does_and_what_it_returns(name: str) -> None:
    domain = load_domain(name)
    assert domain.safety_critical == {"CheckAuthorization", "RecordAuditEvent"}
    for tool in domain.tools.values():
        assert tool.description.endswith(".")
        assert tool.result_schema
        assert all("description" in str(parameter.schema) for parameter in tool.parameters if parameter.required)


@pytest.mark.parametrize("toolkit", REGULATIONS)
def test_states_come_back_as_they_were(toolkit: str) -> None:
    for whole in (STATES[toolkit], final(toolkit)):
        _, _db = opened(toolkit, "as_released")
        rows = tables(toolkit, whole, "here", cents=False)
        shown = state(toolkit, rows)
        assert {part: value for part, value in shown.items() if value} == {p: v for p, v in whole.items() if v}


def test_money_is_exact_in_cents_and_inexact_as_released() -> None:
    pay = {
        "from_account_number": "111-2222-3333",
        "payee_id": "P-012345",
        "service_account_number": "7",
        "payment_date": "2026-01-02",
    }
    balance = "SELECT balance FROM accounts WHERE account_number = '111-2222-3333'"
    _, db = call("bank_manager", "as_released", ("PayBill", {**pay, "amount": 10.1}))
    assert db.one(balance) == {"balance": 20.3 - 10.1} != {"balance": 10.2}
    _, db = call("bank_manager", "fair", ("PayBill", {**pay, "amount": 10.1}))
    assert db.one(balance) == {"balance": 1020}
    for amount in (-1, 0, 0.001):
        [event], _ = call("bank_manager", "fair", ("PayBill", {**pay, "amount": amount}))
        assert event.status is Status.REFUSED


def test_errors_are_values_as_released_and_refusals_in_the_fair_profile() -> None:
    unknown = {"from_account_number": "x", "to_account_number": "y", "amount": 1.0}
    [event], _ = call("bank_manager", "as_released", ("TransferFunds", unknown))
    assert event.status is Status.OK
    assert event.result["success"] is False
    [event], _ = call("bank_manager", "fair", ("TransferFunds", unknown))
    assert event.status is Status.REFUSED
    assert event.result["code"] == "no_such_account"
    for arguments in ({"doctor_id": None, "reason": "itch"}, {"doctor_id": "D-1", "reason": "itch"}):
        [event], _ = call("teladoc", "as_released", ("ConsultDoctor", arguments))
        assert event.result["consultation_id"] is None
        assert event.result["error"]
        [event], _ = call("teladoc", "fair", ("ConsultDoctor", arguments))
        assert event.status is not Status.OK


def test_money_moves_from_one_account_to_the_other() -> None:
    move = {"from_account_number": "111-2222-3333", "to_account_number": "444-5555-0666", "amount": 0.3}
    for profile in ("fair", "as_released"):
        [_, first, second], _ = call(
            "bank_manager",
            profile,
            ("TransferFunds", move),
            ("GetAccountInformation", {"account_type": "savings"}),
            ("GetAccountInformation", {"account_type": "checking"}),
        )
        assert (first.result["accounts"][0]["balance"], second.result["accounts"][0]["balance"]) == (20.0, 1.3)


def test_new_ids_are_those_of_the_reference_first() -> None:
    guest = ("AddGuest", {"guest_name": "Di", "guest_email": "d@x.org"})
    events, db = call("smart_lock", "as_released", guest, guest, guest)
    ids = [event.result for event in events]
    assert ids[0] == "guest_5"
    assert len(set(ids)) == 3
    assert ids == [event.result for event in call("smart_lock", "as_released", guest, guest, guest)[0]]
    assert len(db.dump(["guests"])["guests"]) == 4


def test_the_lock_returns_bare_values_as_released_and_fields_in_the_fair_profile() -> None:
    for name, arguments, bare, field in (
        ("CheckLockStatus", {}, "unlocked", "lock_status"),
        ("LockDoor", {}, True, "success"),
        ("ViewAccessHistory", {"start_time": "a", "end_time": "b"}, [], "access_history"),
        ("RevokeGuestAccess", {"guest_ids": ["guest_9"]}, False, "success"),
    ):
        [event], _ = call("smart_lock", "as_released", (name, arguments))
        assert event.result == bare
        [event], _ = call("smart_lock", "fair", (name, arguments))
        assert event.result == {field: bare}


def test_codes_and_guests_that_there_are_not() -> None:
    for name, arguments in (
        ("RevokeTemporaryAccessCode", {"access_code": "1"}),
        ("DeleteGuest", {"guest_ids": ["guest_1", "guest_9"]}),
        ("GrantGuestAccess", {"guest_ids": ["guest_1"], "permanent": False}),
    ):
        [event], _ = call("smart_lock", "fair", (name, arguments))
        assert event.status is Status.REFUSED
        [event], _ = call("smart_lock", "as_released", (name, arguments))
        assert event.status is Status.OK


def test_an_appointment_is_moved_and_shows_in_the_history() -> None:
    book = {"doctor_id": "D-0404", "date": "2026-01-02", "time": "09:00", "reason": "itch"}
    move = {"appointment_id": "A-0001", "action": "update", "time": "10:00"}
    [_, moved, history, _, reviews], _ = call(
        "teladoc",
        "as_released",
        ("ScheduleAppointment", book),
        ("ManageAppointments", move),
        ("AccessMedicalHistory", {}),
        ("LeaveReview", {"doctor_id": "D-0404", "rating": 4, "review_content": "Fine."}),
        ("ViewReviews", {"doctor_id": "D-0404"}),
    )
    details = moved.result["appointment_details"]
    assert (details["date"], details["time"], details["status"]) == ("2026-01-02", "10:00", "updated")
    assert [record["appointment_id"] for record in history.result["health_records"]] == ["A-0001"]
    assert [review["rating"] for review in reviews.result["reviews"]] == [4]


@pytest.mark.parametrize("toolkit", ["teladoc", "smart_lock"])
def test_as_released_the_tables_are_those_of_the_fair_profile_and_the_new_ids(toolkit: str) -> None:
    fair, released = (load_domain(f"logisafety-{toolkit}_{profile}").schema.sql for profile in ("fair", "as_released"))
    assert released.startswith(fair)
    assert released[len(fair) :].count("CREATE TABLE") == 1


LOCK = "logisafety-smart_lock_fair"


def plan(formula: str, *calls: tuple[str, dict[str, Any]], sparing: bool = True) -> list[ToolCall]:
    """Return what a planner makes of calls under one rule, what is still owed at the end included."""
    domain, db = opened("smart_lock", "fair")
    monitor, past = oracle_of(LOCK, (Rule("one", formula, ""),)).compiled.monitor(), list[Event]()
    planner = Planner(domain, random.Random(0), sparing=sparing)
    for name, given in calls:
        past += planner.lawful(db, monitor, ToolCall(name, given), past) or []
    past += planner.discharge(db, monitor, past) or []
    return [event.call for event in past]


def test_what_has_to_be_contained_is_given() -> None:
    asked = 'RecordAuditEvent[events contains "OPENED", events contains "SHUT"]'
    assert plan(f"F {asked}") == [ToolCall("RecordAuditEvent", {"events": ["OPENED", "SHUT"]})]


def test_of_calls_that_would_do_one_that_changes_nothing_is_made() -> None:
    rule = "NOT ((NOT (AddGuest OR SearchGuests)) UNTIL GrantGuestAccess)"
    grant = ("GrantGuestAccess", {"guest_ids": ["guest_1"], "permanent": True})
    assert [call.name for call in plan(rule, grant)] == ["SearchGuests", "GrantGuestAccess"]
    assert [call.name for call in plan(rule, grant, sparing=False)] == ["AddGuest", "GrantGuestAccess"]


def test_a_sparing_planner_makes_no_facts_up() -> None:
    assert [call.name for call in plan("F SearchGuests")] == ["SearchGuests"]
    assert plan("F AddGuest") == []
    assert [call.name for call in plan("F AddGuest", sparing=False)] == ["AddGuest"]


def test_a_sparing_planner_takes_a_text_from_the_call_it_serves_and_from_no_other() -> None:
    times = {"start_time": "2026-01-01T00:00:00", "end_time": "2026-01-02T00:00:00"}
    view = ("ViewAccessHistory", times)
    code = ToolCall("GenerateTemporaryAccessCode", times)
    assert plan("(!ViewAccessHistory) W GenerateTemporaryAccessCode", view) == [code, ToolCall(*view)]
    assert plan("(!LockDoor) W GenerateTemporaryAccessCode", view, ("LockDoor", {})) == [ToolCall(*view)]
