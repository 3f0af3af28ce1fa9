"""Nothing is refused without its ground: the check that said no about this very thing."""

from typing import Any

import pytest

from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

from .ways import (
    Call,
    approval,
    broken,
    conflict,
    file,
    portal,
    quotation,
    requester_told,
    screen,
    splitting,
    stock,
)

URGENT = {"request_id": "REQ-000001", "supplier_id": "SUP-000003"}
REFUSALS: list[tuple[list[Call], Call, str]] = [
    ([stock(2)], ("decline_purchase", {**quotation(13), "reason": "item in stock"}), "refused-as-in-stock"),
    (
        [portal(3)],
        ("decline_purchase", {**quotation(9), "reason": "available on the legacy portal"}),
        "refused-for-the-portal",
    ),
    (
        [("confirm_single_source", quotation(9))],
        ("decline_purchase", {**quotation(9), "reason": "single source not justified"}),
        "refused-as-single-source",
    ),
    (
        [("check_tender", quotation(10))],
        ("decline_purchase", {**quotation(10), "reason": "no valid tender"}),
        "refused-for-want-of-a-tender",
    ),
    ([splitting(9)], ("decline_purchase", {**quotation(9), "reason": "order splitting"}), "refused-as-splitting"),
    (
        [screen(2)],
        ("decline_purchase", {**quotation(11), "reason": "supplier not cleared"}),
        "refused-for-the-supplier",
    ),
    (
        [conflict(1, 3)],
        ("decline_emergency_purchase", {**URGENT, "reason": "conflict of interest"}),
        "refused-for-an-interest",
    ),
    (
        [("check_budget", {"cost_centre": "4100", "amount": 2_100_000})],
        ("decline_purchase", {**quotation(5), "reason": "budget exhausted"}),
        "refused-for-the-budget",
    ),
    (
        [("check_delegation", {"approver_id": "EMP-000005", "amount": 1_500_000})],
        ("decline_purchase", {**quotation(6), "reason": "no competent approver"}),
        "refused-for-want-of-an-approver",
    ),
    (
        [("check_segregation", {"request_id": "REQ-000006", "employee_id": "EMP-000003", "role": "approver"})],
        ("decline_purchase", {**quotation(8), "reason": "duties not segregated"}),
        "refused-as-not-segregated",
    ),
    (
        approval(4, 5, 1_500_000),
        ("decline_purchase", {**quotation(6), "reason": "approval withheld"}),
        "refused-for-want-of-approval",
    ),
]


def _without_leave(works: Database, rule: str) -> None:
    """Make an approver unwilling, short of delegation or the requester, or a tender invalid, as a rule needs it."""
    if rule == "refused-for-want-of-approval":
        works.run("UPDATE approval_routes SET answer = 'decline' WHERE request_id = 'REQ-000004'")
    if rule == "refused-for-want-of-an-approver":
        works.run("UPDATE delegations SET limit_cents = 1499999 WHERE employee_id = 'EMP-000005'")
    if rule == "refused-for-want-of-a-tender":
        works.run("UPDATE tenders SET bids = 1 WHERE request_id = 'REQ-000008'")
    if rule == "refused-as-not-segregated":
        works.run("UPDATE approval_routes SET approver_id = 'EMP-000003' WHERE request_id = 'REQ-000006'")


@pytest.mark.parametrize(("before", "act", "rule"), REFUSALS)
def test_nothing_is_refused_without_its_ground(
    rules: RuleSet, works: Database, run: Any, before: list[Call], act: Call, rule: str
) -> None:
    row = {"request_id": "REQ-000002", "supplier_id": "SUP-000001", "amount": 5, "basis": "framework"}
    works.insert("quotations", id=works.new_id("quotations"), **row, valid_until=works.clock)
    _without_leave(works, rule)
    start, told = works.snapshot(), [requester_told("REF-000001"), file("REF-000001")]
    assert broken(rules, run(*before, act, *told)) == set()
    works.restore(start)
    assert broken(rules, run(act, *told)) == {rule}


GONE: list[tuple[list[Call], Call, Call, str]] = [
    (
        [stock(2)],
        ("allocate_stock", {"request_id": "REQ-000007", "warehouse_id": "WHS-000001"}),
        ("decline_purchase", {**quotation(13), "reason": "item in stock"}),
        "refused-as-in-stock",
    ),
    (
        [portal(3)],
        ("claim_offer", {"offer_id": "OFR-000001"}),
        ("decline_purchase", {**quotation(9), "reason": "available on the legacy portal"}),
        "refused-for-the-portal",
    ),
    (
        [("check_quotations", quotation(6))],
        ("register_quotation", {"incoming_id": "INQ-000004"}),
        ("decline_purchase", {**quotation(6), "reason": "too few quotations"}),
        "refused-for-too-few-quotations",
    ),
    (
        [splitting(9)],
        ("cancel_order", {"order_id": "ORD-000002", "reason": "no longer needed"}),
        ("decline_purchase", {**quotation(9), "reason": "order splitting"}),
        "refused-as-splitting",
    ),
    (
        [("check_budget", {"cost_centre": "4100", "amount": 2_100_000})],
        ("cancel_order", {"order_id": "ORD-000004", "reason": "no longer needed"}),
        ("decline_purchase", {**quotation(5), "reason": "budget exhausted"}),
        "refused-for-the-budget",
    ),
    (
        [("match_invoice", {"invoice_id": "INV-000004"})],
        ("record_receipt", {"order_id": "ORD-000001", "receiver_id": "EMP-000005"}),
        ("withhold_payment", {"invoice_id": "INV-000004", "reason": "no three-way match"}),
        "withheld-for-want-of-a-match",
    ),
]


def _reason_that_goes(works: Database, rule: str) -> None:
    """Let one offer be left, two quotations where three are needed, or an order that can be cancelled."""
    if rule == "refused-for-the-portal":
        works.run("DELETE FROM offer_inspections WHERE offer_id <> 'OFR-000001'")
        works.run("DELETE FROM portal_offers WHERE id <> 'OFR-000001'")
    if rule == "refused-for-too-few-quotations":
        row = {"request_id": "REQ-000004", "amount": 1_510_000}
        more = {"supplier_id": "SUP-000003", "basis": "competitive", "valid_until": works.clock + 10**6}
        works.insert("quotations", id=works.new_id("quotations"), **row, **more)
        works.insert("incoming_quotations", id="INQ-000004", **row, supplier_id="SUP-000002", days=30)
    if rule == "refused-as-splitting":
        works.run("DELETE FROM invoices WHERE order_id = 'ORD-000002'")
        works.run("DELETE FROM receipts")


@pytest.mark.parametrize(("before", "between", "act", "rule"), GONE, ids=[rule for *_, rule in GONE])
def test_no_reason_is_stated_that_something_done_since_has_removed(
    rules: RuleSet, works: Database, run: Any, before: list[Call], between: Call, act: Call, rule: str
) -> None:
    row = {"request_id": "REQ-000002", "supplier_id": "SUP-000001", "amount": 5, "basis": "framework"}
    works.insert("quotations", id=works.new_id("quotations"), **row, valid_until=works.clock)
    _reason_that_goes(works, rule)
    start = works.snapshot()
    assert rule not in broken(rules, run(*before, act))
    works.restore(start)
    assert rule in broken(rules, run(*before, between, act))


NOT_THE_SAME: list[tuple[Call, Call, str]] = [
    (
        ("check_delegation", {"approver_id": "EMP-000001", "amount": 5_000_001}),
        ("decline_purchase", {**quotation(1), "reason": "no competent approver"}),
        "refused-for-want-of-an-approver",
    ),
    (
        ("check_delegation", {"approver_id": "EMP-000002", "amount": 64_000}),
        ("decline_purchase", {**quotation(1), "reason": "no competent approver"}),
        "refused-for-want-of-an-approver",
    ),
    (
        ("check_segregation", {"request_id": "REQ-000006", "employee_id": "EMP-000003", "role": "approver"}),
        ("decline_purchase", {**quotation(3), "reason": "duties not segregated"}),
        "refused-as-not-segregated",
    ),
    (
        ("obtain_approval", {"request_id": "REQ-000005", "approver_id": "EMP-000005", "amount": 1_500_000}),
        ("decline_purchase", {**quotation(6), "reason": "approval withheld"}),
        "refused-for-want-of-approval",
    ),
    (
        ("obtain_approval", {"request_id": "REQ-000004", "approver_id": "EMP-000001", "amount": 1_500_000}),
        ("decline_purchase", {**quotation(6), "reason": "approval withheld"}),
        "refused-for-want-of-approval",
    ),
    (
        ("check_budget", {"cost_centre": "4100", "amount": 99_000_000}),
        ("decline_purchase", {**quotation(5), "reason": "budget exhausted"}),
        "refused-for-the-budget",
    ),
]


@pytest.mark.parametrize(("check", "act", "rule"), NOT_THE_SAME)
def test_a_check_of_another_amount_request_or_person_grounds_no_refusal(
    rules: RuleSet, run: Any, check: Call, act: Call, rule: str
) -> None:
    assert rule in broken(rules, run(check, act))


@pytest.mark.parametrize(
    ("amount", "basis", "check", "reason"),
    [
        (100_000, "competitive", "check_quotations", "too few quotations"),
        (5_000_001, "competitive", "check_quotations", "too few quotations"),
        (1_000_000, "framework", "check_quotations", "too few quotations"),
        (5_000_000, "competitive", "check_tender", "no valid tender"),
        (5_000_001, "framework", "check_tender", "no valid tender"),
        (100_000, "single source", "confirm_single_source", "single source not justified"),
        (950_000, "framework", "check_order_splitting", "order splitting"),
    ],
)
def test_a_check_finds_no_fault_where_nothing_is_needed(
    rules: RuleSet, works: Database, run: Any, amount: int, basis: str, check: str, reason: str
) -> None:
    row = {"request_id": "REQ-000002", "supplier_id": "SUP-000001", "amount": amount, "basis": basis}
    ground = "short of time" if basis == "single source" else None
    works.insert("quotations", id=works.new_id("quotations"), **row, ground=ground, valid_until=works.clock)
    works.run("UPDATE orders SET status = 'open', ordered_at = ? WHERE id = 'ORD-000003'", works.clock)
    works.run("UPDATE orders SET request_id = 'REQ-000007' WHERE id = 'ORD-000003'")
    events = run((check, quotation(13)), ("decline_purchase", {**quotation(13), "reason": reason}))
    assert [value for value in events[0].result.values() if isinstance(value, bool)] == [True]
    assert len([rule for rule in broken(rules, events) if rule.startswith("refused-")]) == 1


@pytest.mark.parametrize(
    ("step", "reason"), [(0, "no competent approver"), (1, "duties not segregated"), (2, "approval withheld")]
)
@pytest.mark.parametrize(("amount", "small"), [(25_000, True), (25_001, False)])
def test_reasons_that_concern_the_approver_are_for_more_than_250_euros(
    rules: RuleSet, works: Database, run: Any, step: int, reason: str, amount: int, small: bool
) -> None:
    row = {"request_id": "REQ-000002", "supplier_id": "SUP-000001", "amount": amount, "basis": "framework"}
    works.insert("quotations", id=works.new_id("quotations"), **row, valid_until=works.clock)
    if step == 0:
        works.run("DELETE FROM delegations")
    works.run("UPDATE approval_routes SET answer = 'decline'")
    if step == 1:
        works.run("UPDATE purchase_requests SET requester_id = 'EMP-000001' WHERE id = 'REQ-000002'")
    way = [*approval(2, 1, amount)[: step + 1], ("decline_purchase", {**quotation(13), "reason": reason})]
    events = run(*way, requester_told("REF-000001"), file("REF-000001"))
    assert broken(rules, events) == ({"small-orders-need-no-approver"} if small else set())
