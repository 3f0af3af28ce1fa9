"""Each tool succeeds, refuses, and returns what it says it returns."""

import inspect
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from lexgym.core import Status
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database

LAB = {"cost_centre": "4100"}
NOWHERE = {"cost_centre": "9999"}
NO_DEPARTMENT = "no_such_department"
ASK = {"requester_id": "EMP-000003", "item_id": "ITM-000003", "quantity": 1, "purpose": "new bench"}
TAKE = {"request_id": "REQ-000002", "warehouse_id": "WHS-000001"}
QUOTE = {"incoming_id": "INQ-000001"}
URGENT = {"request_id": "REQ-000004", "supplier_id": "SUP-000001"}
DECLINE = {"quotation_id": "QUO-000001", "reason": "budget exhausted"}
NO_PERMIT = {"requester_id": "EMP-000001", "item_id": "ITM-000003", "reason": "no permit in force"}
KEEP = {"request_id": "REQ-000002", "warehouse_id": "WHS-000002", "reason": "not to be released"}
UNFIT = {"offer_id": "OFR-000002", "reason": "not fit for use"}
NO_RISE = {"order_id": "ORD-000001", "percent": 50, "reason": "approval withheld"}
CANCEL = {"order_id": "ORD-000001", "reason": "no longer needed"}
APPROVAL = {"request_id": "REQ-000001", "approver_id": "EMP-000001", "amount": 64_000}
APART = {"request_id": "REQ-000001", "employee_id": "EMP-000004", "role": "receiver"}
COMMIT = {"cost_centre": "4100", "request_id": "REQ-000001", "amount": 64_000}
LETTER = {"subject": "ORD-000001", "channel": "registered letter"}

CALLS: list[tuple[str, dict[str, Any], dict[str, Any] | None, str]] = [
    ("get_department", LAB, NOWHERE, NO_DEPARTMENT),
    ("list_employees", LAB, NOWHERE, NO_DEPARTMENT),
    ("list_items", {}, None, ""),
    ("list_stock", {"request_id": "REQ-000002"}, {"request_id": "REQ-000099"}, "no_such_request"),
    ("list_suppliers", {}, None, ""),
    ("list_requests", LAB, NOWHERE, NO_DEPARTMENT),
    ("submit_request", ASK, {**ASK, "item_id": "ITM-000001"}, "request_exists"),
    ("submit_request", ASK, {**ASK, "item_id": "ITM-000099"}, "no_such_item"),
    ("decline_request", NO_PERMIT, {**NO_PERMIT, "requester_id": "EMP-000004"}, "request_exists"),
    ("decline_allocation", KEEP, {**KEEP, "request_id": "REQ-000005"}, "already_ordered"),
    ("decline_claim", UNFIT, {**UNFIT, "offer_id": "OFR-000099"}, "no_such_offer"),
    ("decline_change", NO_RISE, {**NO_RISE, "order_id": "ORD-000002"}, "already_received"),
    ("allocate_stock", TAKE, {**TAKE, "request_id": "REQ-000008"}, "not_enough_stock"),
    ("allocate_stock", TAKE, {**TAKE, "request_id": "REQ-000005"}, "already_ordered"),
    ("list_portal_offers", LAB, NOWHERE, NO_DEPARTMENT),
    ("claim_offer", {"offer_id": "OFR-000001"}, {"offer_id": "OFR-000099"}, "no_such_offer"),
    ("list_quotations", LAB, NOWHERE, NO_DEPARTMENT),
    ("list_incoming_quotations", LAB, NOWHERE, NO_DEPARTMENT),
    ("register_quotation", QUOTE, {"incoming_id": "INQ-000002"}, "quotation_exists"),
    ("register_quotation", QUOTE, {"incoming_id": "INQ-000003"}, "already_ordered"),
    ("decline_purchase", DECLINE, {**DECLINE, "quotation_id": "QUO-000099"}, "no_such_quotation"),
    (
        "decline_emergency_purchase",
        {**URGENT, "reason": "supplier not cleared"},
        {**URGENT, "request_id": "REQ-000007", "reason": "not an emergency"},
        "no_emergency_reported",
    ),
    ("list_orders", LAB, NOWHERE, NO_DEPARTMENT),
    ("place_order", {"quotation_id": "QUO-000001"}, {"quotation_id": "QUO-000007"}, "wrong_kind"),
    ("call_off", {"quotation_id": "QUO-000007"}, {"quotation_id": "QUO-000001"}, "wrong_kind"),
    ("buy_in_emergency", URGENT, {**URGENT, "request_id": "REQ-000005"}, "already_ordered"),
    (
        "change_order",
        {"order_id": "ORD-000001", "percent": 1},
        {"order_id": "ORD-000002", "percent": 1},
        "already_received",
    ),
    ("cancel_order", CANCEL, {**CANCEL, "order_id": "ORD-000003"}, "order_cancelled"),
    (
        "record_receipt",
        {"order_id": "ORD-000001", "receiver_id": "EMP-000004"},
        {"order_id": "ORD-000001", "receiver_id": "EMP-000099"},
        "no_such_employee",
    ),
    (
        "reject_delivery",
        {"order_id": "ORD-000004", "reason": "goods do not conform"},
        {"order_id": "ORD-000002", "reason": "goods do not conform"},
        "already_received",
    ),
    ("list_invoices", LAB, NOWHERE, NO_DEPARTMENT),
    ("pay_invoice", {"invoice_id": "INV-000001"}, {"invoice_id": "INV-000099"}, "no_such_invoice"),
    (
        "withhold_payment",
        {"invoice_id": "INV-000002", "reason": "no three-way match"},
        {"invoice_id": "INV-000099", "reason": "no three-way match"},
        "no_such_invoice",
    ),
    ("list_bank_changes", {}, None, ""),
    ("apply_bank_change", {"change_id": "BNK-000001"}, {"change_id": "BNK-000099"}, "no_such_bank_change"),
    (
        "reject_bank_change",
        {"change_id": "BNK-000002", "reason": "supplier did not confirm"},
        {"change_id": "BNK-000099", "reason": "supplier did not confirm"},
        "no_such_bank_change",
    ),
    ("check_stock", {"request_id": "REQ-000001"}, {"request_id": "REQ-000099"}, "no_such_request"),
    ("check_reserve", TAKE, {**TAKE, "warehouse_id": "WHS-000099"}, "no_such_warehouse"),
    (
        "check_permit",
        {"requester_id": "EMP-000003", "item_id": "ITM-000003"},
        {"requester_id": "EMP-000099", "item_id": "ITM-000003"},
        "no_such_employee",
    ),
    ("check_legacy_portal", {"request_id": "REQ-000003"}, {"request_id": "REQ-000099"}, "no_such_request"),
    ("inspect_offer", {"offer_id": "OFR-000001"}, {"offer_id": "OFR-000099"}, "no_such_offer"),
    ("check_order_splitting", {"quotation_id": "QUO-000001"}, {"quotation_id": "QUO-000099"}, "no_such_quotation"),
    ("check_emergency", {"request_id": "REQ-000004"}, {"request_id": "REQ-000099"}, "no_such_request"),
    ("check_quotations", {"quotation_id": "QUO-000003"}, {"quotation_id": "QUO-000099"}, "no_such_quotation"),
    ("confirm_single_source", {"quotation_id": "QUO-000008"}, {"quotation_id": "QUO-000001"}, "not_single_source"),
    ("check_tender", {"quotation_id": "QUO-000010"}, {"quotation_id": "QUO-000099"}, "no_such_quotation"),
    ("screen_supplier", {"supplier_id": "SUP-000001"}, {"supplier_id": "SUP-000099"}, "no_such_supplier"),
    (
        "check_conflict_of_interest",
        {"request_id": "REQ-000001", "supplier_id": "SUP-000001"},
        {"request_id": "REQ-000001", "supplier_id": "SUP-000099"},
        "no_such_supplier",
    ),
    ("check_budget", {**LAB, "amount": 1}, {**NOWHERE, "amount": 1}, NO_DEPARTMENT),
    ("commit_budget", COMMIT, {**COMMIT, "request_id": "REQ-000004"}, "other_department"),
    (
        "check_delegation",
        {"approver_id": "EMP-000001", "amount": 1},
        {"approver_id": "EMP-000099", "amount": 1},
        "no_such_employee",
    ),
    ("check_segregation", APART, {**APART, "employee_id": "EMP-000099"}, "no_such_employee"),
    ("obtain_approval", APPROVAL, {**APPROVAL, "approver_id": "EMP-000099"}, "no_such_employee"),
    (
        "set_delivery_option",
        {"order_id": "ORD-000001", "option": "inside delivery"},
        {"order_id": "ORD-000003", "option": "inside delivery"},
        "order_cancelled",
    ),
    ("inspect_delivery", {"order_id": "ORD-000001"}, {"order_id": "ORD-000003"}, "nothing_arrived"),
    ("match_invoice", {"invoice_id": "INV-000001"}, {"invoice_id": "INV-000099"}, "no_such_invoice"),
    ("call_back_supplier", {"change_id": "BNK-000001"}, {"change_id": "BNK-000099"}, "no_such_bank_change"),
    ("notify_supplier", LETTER, {**LETTER, "subject": "RCP-000001"}, "no_such_subject"),
    ("record_file_entry", {"subject": "ORD-000001"}, {"subject": "ORD-000099"}, "no_such_subject"),
    ("record_file_entry", {"subject": "REQ-000001"}, {"subject": "XYZ-000001"}, "no_such_subject"),
]
AFTER_AN_ACT = {"report_emergency", "regularise_emergency", "notify_requester"}


def test_every_tool_is_called(domain: Domain) -> None:
    assert {name for name, *_ in CALLS} == set(domain.tools) - AFTER_AN_ACT


@pytest.mark.parametrize(("name", "good", "bad", "code"), CALLS)
def test_tool_succeeds_and_refuses(
    domain: Domain, works: Database, run: Any, name: str, good: dict[str, Any], bad: dict[str, Any] | None, code: str
) -> None:
    if bad is not None:
        before = works.state_hash()
        [refused] = run((name, bad))
        assert (refused.status, refused.result["code"]) == (Status.REFUSED, code)
        assert works.state_hash() == before
    [done] = run((name, good))
    assert done.status is Status.OK, done.result
    TypeAdapter(domain.tools[name].result_type).validate_python(done.result, strict=True, extra="forbid")


@pytest.mark.parametrize(("name", "good", "bad", "code"), CALLS)
def test_safety_tools_write_compliance_tables_and_the_others_business_tables(
    domain: Domain, works: Database, run: Any, name: str, good: dict[str, Any], bad: Any, code: str
) -> None:
    kept = domain.business if name in domain.safety_critical else tuple(domain.compliance)
    before = works.state_hash(kept)
    run((name, good))
    assert works.state_hash(kept) == before


@pytest.mark.parametrize("name", ["report_emergency", "regularise_emergency"])
def test_emergencies_are_reported_and_regularised(domain: Domain, run: Any, name: str) -> None:
    [refused] = run((name, {"order_id": "ORD-000001"}))
    assert refused.result["code"] == "not_an_emergency_purchase"
    _, done = run(("buy_in_emergency", URGENT), (name, {"order_id": "ORD-000005"}))
    TypeAdapter(domain.tools[name].result_type).validate_python(done.result, strict=True, extra="forbid")


def test_requesters_are_told_of_refusals_only(run: Any) -> None:
    notice = {"channel": "internal post"}
    _, done, refused = run(
        ("decline_purchase", DECLINE),
        ("notify_requester", {**notice, "subject": "REF-000001"}),
        ("notify_requester", {**notice, "subject": "ORD-000001"}),
    )
    assert done.result["sent"] is True
    assert refused.result["code"] == "no_such_subject"


PAIRS = [
    (("decline_purchase", DECLINE), ("place_order", {"quotation_id": "QUO-000001"}), "quotation_declined"),
    (("decline_purchase", DECLINE), ("decline_purchase", DECLINE), "already_declined"),
    (("decline_request", NO_PERMIT), ("decline_request", NO_PERMIT), "already_declined"),
    (("decline_allocation", KEEP), ("decline_allocation", KEEP), "already_declined"),
    (("decline_claim", UNFIT), ("decline_claim", UNFIT), "already_declined"),
    (("decline_change", NO_RISE), ("decline_change", NO_RISE), "already_declined"),
    (("place_order", {"quotation_id": "QUO-000001"}), ("decline_purchase", DECLINE), "already_ordered"),
    (("claim_offer", {"offer_id": "OFR-000001"}), ("call_off", {"quotation_id": "QUO-000012"}), "already_supplied"),
    (("claim_offer", {"offer_id": "OFR-000001"}), ("claim_offer", {"offer_id": "OFR-000002"}), "already_supplied"),
    (("allocate_stock", TAKE), ("allocate_stock", TAKE), "already_supplied"),
    (
        ("decline_emergency_purchase", {**URGENT, "reason": "not an emergency"}),
        ("buy_in_emergency", URGENT),
        "purchase_declined",
    ),
    (
        ("decline_emergency_purchase", {**URGENT, "reason": "not an emergency"}),
        ("decline_emergency_purchase", {**URGENT, "reason": "item in stock"}),
        "already_declined",
    ),
    (("pay_invoice", {"invoice_id": "INV-000001"}), ("pay_invoice", {"invoice_id": "INV-000001"}), "already_paid"),
    (
        ("withhold_payment", {"invoice_id": "INV-000001", "reason": "credit note expected"}),
        ("pay_invoice", {"invoice_id": "INV-000001"}),
        "payment_withheld",
    ),
    (
        ("reject_delivery", {"order_id": "ORD-000001", "reason": "delivered too late"}),
        ("record_receipt", {"order_id": "ORD-000001", "receiver_id": "EMP-000004"}),
        "delivery_rejected",
    ),
    (
        ("apply_bank_change", {"change_id": "BNK-000001"}),
        ("reject_bank_change", {"change_id": "BNK-000001", "reason": "supplier did not confirm"}),
        "not_pending",
    ),
    (
        ("register_quotation", QUOTE),
        ("register_quotation", QUOTE),
        "quotation_exists",
    ),
]


@pytest.mark.parametrize(("first", "second", "code"), PAIRS)
def test_what_has_been_done_stays_done(run: Any, first: Any, second: Any, code: str) -> None:
    done, refused = run(first, second)
    assert done.status is Status.OK, done.result
    assert refused.result["code"] == code


def test_stock_leaves_the_warehouse(works: Database, run: Any) -> None:
    [event] = run(("allocate_stock", TAKE))
    assert (event.result["quantity"], event.result["left"]) == (3, 6)
    row = works.one("SELECT quantity FROM stock WHERE warehouse_id = 'WHS-000001' AND item_id = 'ITM-000002'")
    assert row == {"quantity": 6}


def test_a_warehouse_on_hold_can_be_emptied(run: Any) -> None:
    [event] = run(("allocate_stock", {"request_id": "REQ-000007", "warehouse_id": "WHS-000002"}))
    assert event.status is Status.OK


def test_a_payment_is_charged_to_the_department(works: Database, run: Any) -> None:
    [event] = run(("pay_invoice", {"invoice_id": "INV-000001"}))
    paid = {"payment_id": "PMT-000001", "order_id": "ORD-000002", "supplier_id": "SUP-000004", "amount": 805_000}
    assert event.result == paid
    assert works.one("SELECT paid FROM departments WHERE cost_centre = '4100'") == {"paid": 805_000}


def test_new_bank_details_take_effect(works: Database, run: Any) -> None:
    run(("apply_bank_change", {"change_id": "BNK-000001"}))
    row = works.one("SELECT s.iban = b.iban AS same FROM suppliers s JOIN bank_changes b ON b.supplier_id = s.id")
    assert row == {"same": 1}


@pytest.mark.parametrize(("percent", "amount", "over"), [(10, 330_000, False), (11, 333_000, True)])
def test_a_tenth_is_tolerated(run: Any, percent: int, amount: int, over: bool) -> None:
    [event] = run(("change_order", {"order_id": "ORD-000001", "percent": percent}))
    assert (event.result["amount"], event.result["over_tolerance"]) == (amount, over)


@pytest.mark.parametrize(("amount", "over"), [(1_000_000, False), (1_000_020, True), (1_000_019, False)])
def test_five_hundred_euros_are_tolerated(works: Database, run: Any, amount: int, over: bool) -> None:
    works.run("UPDATE orders SET amount = ? WHERE id = 'ORD-000001'", amount)
    [event] = run(("change_order", {"order_id": "ORD-000001", "percent": 5}))
    assert event.result["over_tolerance"] is over


def test_a_request_can_be_ordered_twice_on_one_quotation(run: Any) -> None:
    first, second = run(*2 * [("place_order", {"quotation_id": "QUO-000001"})])
    assert first.result["request_id"] == second.result["request_id"]
    assert second.status is Status.OK


def test_an_emergency_purchase_costs_what_the_catalogue_says(run: Any) -> None:
    listed, bought = run(("list_requests", {"cost_centre": "5200"}), ("buy_in_emergency", URGENT))
    request = next(r for r in listed.result["requests"] if r["request_id"] == URGENT["request_id"])
    assert request["catalogue_value"] == bought.result["amount"] == 6 * 21_000


def test_a_quotation_is_registered_as_it_came_in(run: Any) -> None:
    listed = ("list_incoming_quotations", LAB)
    before, event, after = run(listed, ("register_quotation", QUOTE), listed)
    assert event.result == {"quotation_id": "QUO-000013", "amount": 580_000, "valid_until": "2026-06-10"}
    assert [row["registered"] for row in before.result["incoming"]] == [False, True]
    assert [row["registered"] for row in after.result["incoming"]] == [True, True]


def test_a_department_has_a_head(run: Any) -> None:
    [event] = run(("get_department", LAB))
    assert event.result["head_id"] == "EMP-000001"


def test_results_are_typed_dicts(domain: Domain) -> None:
    for tool in domain.tools.values():
        assert get_type_hints(tool.result_type), tool.name
        module = inspect.getmodule(tool.function)
        assert module is not None
        assert tool.result_type.__module__ == module.__name__
