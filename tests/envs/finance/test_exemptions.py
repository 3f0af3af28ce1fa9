"""Small payments: what needs no approval, what uses it up, and what the rules make of it."""

from typing import Any

import pytest

from lexgym.core import Event
from lexgym.envs.domain import Domain
from lexgym.oracles.ltlf import RuleSet, ToolSignature
from lexgym.tools.database import Database

ANNA, BEN = "CUS-000001", "CUS-000002"
CURRENT, SAVINGS = "IE00LEXG99001700000000", "IE01LEXG99001700000001"
RULES = ("dynamic-linking", "one-approval-one-payment", "low-value-exemption", "low-value-count", "recurring-payments")
TRUSTED = "BEN-000003"


def about(amount: int, payee_id: str = "BEN-000001") -> dict[str, Any]:
    return {"customer_id": ANNA, "payee_id": payee_id, "amount": amount}


def check(amount: int, payee_id: str = "BEN-000001") -> tuple[str, dict[str, Any]]:
    return "check_low_value_exemption", about(amount, payee_id)


def approve(amount: int, payee_id: str = "BEN-000001") -> tuple[str, dict[str, Any]]:
    return "confirm_sca", about(amount, payee_id)


def pay(amount: int, payee_id: str = "BEN-000001") -> tuple[str, dict[str, Any]]:
    return "initiate_payment", {**about(amount, payee_id), "account": CURRENT, "reference": "Kiosk"}


def order(amount: int, payee_id: str = "BEN-000001") -> tuple[str, dict[str, Any]]:
    return "create_standing_order", {**about(amount, payee_id), "account": CURRENT, "day": 9}


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    signature = {
        tool.name: ToolSignature({p.name: p.schema for p in tool.parameters}, tool.result_schema)
        for tool in domain.tools.values()
    }
    return RuleSet([rule for rule in domain.rules if rule.id in RULES], signature)


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


def answers(events: list[Event]) -> list[tuple[str, int, int]]:
    return [
        (event.result["reason"], event.result["payments"], event.result["spent"])
        for event in events
        if event.name == "check_low_value_exemption"
    ]


def test_over_a_hundred_euros_in_all_is_too_much(run: Any) -> None:
    events = run(*[pay(2_500)] * 4, check(2_500), pay(1), check(1))
    assert answers(events) == [("within the limits", 4, 10_000), ("over 100 euros since the last approval", 5, 10_001)]


def test_more_than_five_in_a_row_are_too_many(run: Any) -> None:
    events = run(*[pay(100)] * 5, check(100), pay(100), check(100))
    assert answers(events) == [("within the limits", 5, 500), ("over five payments in a row", 6, 600)]


def test_an_approval_begins_the_count_anew_and_the_payment_it_is_for_does_not_count(run: Any) -> None:
    events = run(*[pay(100)] * 6, approve(5_000), check(100), pay(5_000), check(100), pay(5_000), check(100))
    assert answers(events)[:2] == [("within the limits", 0, 0)] * 2
    assert answers(events)[2] == ("within the limits", 1, 5_000)


def test_a_payment_approved_before_another_approval_does_not_count(run: Any) -> None:
    events = run(approve(5_000), approve(2_000), pay(5_000), pay(2_000), check(100))
    assert answers(events) == [("within the limits", 0, 0)]


@pytest.mark.parametrize("kind", ["declined", "wrong code"])
def test_an_approval_that_failed_begins_nothing(bank: Database, run: Any, kind: str) -> None:
    change = "payments = 'decline'" if kind == "declined" else "mistypes = 1"
    bank.run(f"UPDATE sca_devices SET {change} WHERE customer_id = ?", ANNA)
    *_, asked, found = run(*[pay(100)] * 6, approve(100), check(100))
    assert asked.result["outcome"] == kind
    assert found.result["exempt"] is False


def test_logging_in_and_approving_changes_begin_nothing(run: Any) -> None:
    login = ("authenticate_customer", {"customer_id": ANNA})
    change = ("confirm_remote_action", {"customer_id": ANNA, "action": "payee list"})
    events = run(*[pay(100)] * 6, login, change, check(100))
    assert answers(events) == [("over five payments in a row", 6, 600)]


def test_trusted_payees_count_and_own_transfers_and_other_customers_do_not(bank: Database, run: Any) -> None:
    move = {"customer_id": ANNA, "account": CURRENT, "to_account": SAVINGS, "amount": 9_000}
    theirs = {**pay(2_000)[1], "customer_id": BEN, "payee_id": "BEN-000004"}
    events = run(
        pay(10_001, TRUSTED), ("transfer_between_own_accounts", move), ("initiate_payment", theirs), check(100)
    )
    assert answers(events) == [("over 100 euros since the last approval", 1, 10_001)]


LAWFUL: list[list[tuple[str, dict[str, Any]]]] = [
    [check(2_000), pay(2_000)],
    [approve(2_000), pay(2_000)],
    [check(2_000), pay(2_000), check(2_000), pay(2_000)],
    [approve(5_000), pay(5_000), check(2_000), pay(2_000)],
    [pay(2_000, TRUSTED), pay(2_000, TRUSTED)],
    [check(2_000), pay(9_000, TRUSTED), check(2_000), pay(2_000)],
    [approve(1_800), approve(8_000), pay(8_000), pay(1_800)],
    [approve(1_800), approve(8_000), pay(1_800), pay(8_000)],
    [approve(1_800), pay(9_000, TRUSTED), pay(1_800)],
    [approve(2_500), check(2_500), pay(2_500), order(2_500)],
    [approve(2_500), order(2_500), check(2_500), pay(2_500)],
    [approve(2_500), check(2_500), pay(2_500), pay(2_500)],
    [approve(2_500), pay(2_500), approve(2_500), order(2_500)],
    [approve(2_500, TRUSTED), pay(2_500, TRUSTED), order(2_500, TRUSTED)],
]
UNLAWFUL: list[tuple[list[tuple[str, dict[str, Any]]], set[str]]] = [
    ([pay(3_000)], {"low-value-exemption"}),
    ([pay(3_001)], {"dynamic-linking"}),
    ([check(3_001), pay(3_001)], {"dynamic-linking"}),
    ([check(2_000), pay(2_001)], {"low-value-exemption"}),
    ([check(2_000, "BEN-000002"), pay(2_000)], {"low-value-exemption"}),
    ([check(2_000), pay(2_000), pay(2_000)], {"low-value-count"}),
    ([check(2_000), check(900), pay(2_000), pay(900)], {"low-value-count"}),
    ([check(2_000), pay(9_000, TRUSTED), pay(2_000)], {"low-value-count"}),
    ([approve(2_000), pay(2_000), pay(2_000)], {"low-value-count"}),
    ([approve(5_000), pay(5_000), pay(5_000)], {"one-approval-one-payment"}),
    ([check(900), check(2_000), pay(900), check(900), pay(2_000)], {"low-value-count"}),
    ([check(900), check(2_000), pay(900), check(2_000, "BEN-000002"), pay(2_000)], {"low-value-count"}),
    ([check(900), check(2_000), pay(900), approve(900), pay(2_000)], {"low-value-count"}),
    ([approve(2_500), check(2_500), pay(2_500), pay(2_500), pay(2_500)], {"low-value-count"}),
    ([approve(2_500), pay(2_500), order(2_500)], {"one-approval-one-payment"}),
    ([approve(2_500), order(2_500), pay(2_500)], {"low-value-count"}),
    ([approve(2_500), check(2_500), pay(2_500), pay(2_500), order(2_500)], {"one-approval-one-payment"}),
]


@pytest.mark.parametrize("calls", LAWFUL)
def test_lawful(rules: RuleSet, run: Any, calls: list[Any]) -> None:
    assert broken(rules, run(*calls)) == set()


@pytest.mark.parametrize(("calls", "at_fault"), UNLAWFUL)
def test_unlawful(rules: RuleSet, run: Any, calls: list[Any], at_fault: set[str]) -> None:
    assert broken(rules, run(*calls)) == at_fault


@pytest.mark.parametrize(("way", "at_fault"), [(check(100), {"low-value-exemption"}), (approve(100), set())])
def test_where_the_limit_is_used_up_only_an_approval_will_do(
    rules: RuleSet, run: Any, way: Any, at_fault: set[str]
) -> None:
    run(*[pay(2_900)] * 4)
    assert broken(rules, run(way, pay(100))) == at_fault


@pytest.mark.parametrize("wrong", [approve(101), approve(100, "BEN-000002")])
def test_where_the_limit_is_used_up_another_amount_or_payee_is_no_approval(
    rules: RuleSet, run: Any, wrong: Any
) -> None:
    run(*[pay(2_900)] * 4)
    assert broken(rules, run(wrong, pay(100))) == {"low-value-exemption"}
