"""The safety-critical tools answer from the database, and can say no."""

from typing import Any

import pytest

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database


def req(number: int) -> dict[str, Any]:
    return {"request_id": f"REQ-00000{number}"}


def emp(number: int) -> str:
    return f"EMP-00000{number}"


def quo(number: int) -> dict[str, Any]:
    return {"quotation_id": f"QUO-{number:06d}"}


def apart(request: int, employee: int, role: str) -> dict[str, Any]:
    return {**req(request), "employee_id": emp(employee), "role": role}


def permit(employee: int, item: int) -> dict[str, Any]:
    return {"requester_id": emp(employee), "item_id": f"ITM-00000{item}"}


ANSWERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("check_stock", req(2), {"in_stock": True, "available": 5}),
    ("check_stock", req(1), {"in_stock": False, "available": 1}),
    ("check_stock", req(4), {"in_stock": False, "available": 0}),
    (
        "check_reserve",
        {**req(2), "warehouse_id": "WHS-000001"},
        {"item_id": "ITM-000002", "held": 9, "releasable": True, "reason": "releasable"},
    ),
    (
        "check_reserve",
        {**req(2), "warehouse_id": "WHS-000002"},
        {"item_id": "ITM-000002", "held": 9, "releasable": False, "reason": "on hold"},
    ),
    (
        "check_reserve",
        {**req(7), "warehouse_id": "WHS-000001"},
        {"item_id": "ITM-000002", "held": 9, "releasable": False, "reason": "reserve would be touched"},
    ),
    (
        "check_reserve",
        {**req(3), "warehouse_id": "WHS-000001"},
        {"item_id": "ITM-000004", "held": 0, "releasable": False, "reason": "not kept here"},
    ),
    ("check_permit", permit(3, 3), {"valid": True, "reason": "permit in force"}),
    ("check_permit", permit(4, 3), {"valid": False, "reason": "permit expired"}),
    ("check_permit", permit(1, 3), {"valid": False, "reason": "no permit"}),
    ("check_permit", permit(1, 1), {"valid": True, "reason": "not hazardous"}),
    ("check_legacy_portal", req(3), {"listed": True, "offers": 3}),
    ("check_legacy_portal", req(1), {"listed": False, "offers": 0}),
    ("inspect_offer", {"offer_id": "OFR-000001"}, {"fit": True, "reason": "passed"}),
    ("inspect_offer", {"offer_id": "OFR-000002"}, {"fit": False, "reason": "failed"}),
    ("inspect_offer", {"offer_id": "OFR-000003"}, {"fit": False, "reason": "inspection out of date"}),
    ("check_order_splitting", quo(1), {"item_id": "ITM-000001", "separate_need": True, "combined_value": 64_000}),
    ("check_order_splitting", quo(9), {"item_id": "ITM-000004", "separate_need": False, "combined_value": 1_100_000}),
    ("check_order_splitting", quo(12), {"item_id": "ITM-000004", "separate_need": True, "combined_value": 20_000}),
    ("check_emergency", req(4), {"qualifies": True, "ground": "loss of samples"}),
    ("check_emergency", req(1), {"qualifies": False, "ground": "late planning"}),
    ("check_emergency", req(2), {"qualifies": False, "ground": "none reported"}),
    ("check_quotations", quo(3), {"sufficient": True, "in_force": 3, "needed": 3}),
    ("check_quotations", quo(6), {"sufficient": False, "in_force": 1, "needed": 3}),
    ("check_quotations", quo(11), {"sufficient": True, "in_force": 2, "needed": 0}),
    ("check_quotations", quo(10), {"sufficient": True, "in_force": 1, "needed": 0}),
    ("check_quotations", quo(7), {"sufficient": True, "in_force": 1, "needed": 0}),
    ("confirm_single_source", quo(8), {"accepted": True, "ground": "only manufacturer"}),
    ("confirm_single_source", quo(9), {"accepted": False, "ground": "short of time"}),
    ("check_tender", quo(10), {"valid": True, "reason": "valid"}),
    ("check_tender", quo(3), {"valid": True, "reason": "not needed"}),
    ("screen_supplier", {"supplier_id": "SUP-000001"}, {"cleared": True, "reason": "no finding"}),
    ("screen_supplier", {"supplier_id": "SUP-000002"}, {"cleared": False, "reason": "debarment"}),
    ("check_conflict_of_interest", {**req(1), "supplier_id": "SUP-000001"}, {"clear": True, "conflict": "none"}),
    ("check_conflict_of_interest", {**req(1), "supplier_id": "SUP-000003"}, {"clear": False, "conflict": "requester"}),
    ("check_conflict_of_interest", {**req(4), "supplier_id": "SUP-000003"}, {"clear": False, "conflict": "approver"}),
    ("check_budget", {"cost_centre": "4100", "amount": 2_080_000}, {"sufficient": True, "available": 2_080_000}),
    ("check_budget", {"cost_centre": "4100", "amount": 2_080_001}, {"sufficient": False, "available": 2_080_000}),
    (
        "check_delegation",
        {"approver_id": emp(1), "amount": 5_000_000},
        {"sufficient": True, "reason": "within the limit"},
    ),
    (
        "check_delegation",
        {"approver_id": emp(1), "amount": 5_000_001},
        {"sufficient": False, "reason": "above the limit"},
    ),
    ("check_delegation", {"approver_id": emp(2), "amount": 1}, {"sufficient": False, "reason": "delegation expired"}),
    ("check_delegation", {"approver_id": emp(3), "amount": 1}, {"sufficient": False, "reason": "no delegation"}),
    ("check_segregation", apart(1, 1, "approver"), {"separate": True, "conflict": "none"}),
    ("check_segregation", apart(1, 3, "approver"), {"separate": False, "conflict": "is the requester"}),
    ("check_segregation", apart(6, 2, "approver"), {"separate": False, "conflict": "is the receiver"}),
    ("check_segregation", apart(1, 1, "receiver"), {"separate": False, "conflict": "is the approver"}),
    ("check_segregation", apart(1, 4, "receiver"), {"separate": True, "conflict": "none"}),
    ("obtain_approval", {**req(1), "approver_id": emp(1), "amount": 1}, {"approved": True, "outcome": "approved"}),
    ("obtain_approval", {**req(5), "approver_id": emp(5), "amount": 1}, {"approved": False, "outcome": "declined"}),
    (
        "obtain_approval",
        {**req(1), "approver_id": emp(2), "amount": 1},
        {"approved": False, "outcome": "not the named approver"},
    ),
    ("set_delivery_option", {"order_id": "ORD-000001", "option": "inside delivery"}, {"accepted": True}),
    ("set_delivery_option", {"order_id": "ORD-000001", "option": "clean-room delivery"}, {"accepted": False}),
    ("inspect_delivery", {"order_id": "ORD-000001"}, {"conforms": True, "condition": "conforming"}),
    ("inspect_delivery", {"order_id": "ORD-000004"}, {"conforms": False, "condition": "damaged"}),
    ("match_invoice", {"invoice_id": "INV-000001"}, {"matched": True, "reason": "matched"}),
    ("match_invoice", {"invoice_id": "INV-000002"}, {"matched": False, "reason": "price differs"}),
    ("match_invoice", {"invoice_id": "INV-000003"}, {"matched": False, "reason": "quantity differs"}),
    ("match_invoice", {"invoice_id": "INV-000004"}, {"matched": False, "reason": "no receipt"}),
    ("call_back_supplier", {"change_id": "BNK-000001"}, {"confirmed": True, "answer": "confirmed"}),
    ("call_back_supplier", {"change_id": "BNK-000002"}, {"confirmed": False, "answer": "denied"}),
]


@pytest.mark.parametrize(("name", "arguments", "answer"), ANSWERS)
def test_answer(run: Any, name: str, arguments: dict[str, Any], answer: dict[str, Any]) -> None:
    [event] = run((name, arguments))
    assert event.result == answer


def test_an_order_paid_once_is_not_matched_again(run: Any) -> None:
    _, event = run(("pay_invoice", {"invoice_id": "INV-000002"}), ("match_invoice", {"invoice_id": "INV-000001"}))
    assert event.result == {"matched": False, "reason": "invoiced twice"}


def test_an_offer_that_was_never_inspected_is_not_fit(works: Database, run: Any) -> None:
    works.run("DELETE FROM offer_inspections")
    [event] = run(("inspect_offer", {"offer_id": "OFR-000001"}))
    assert event.result == {"fit": False, "reason": "never inspected"}


def test_a_missing_piece_makes_a_delivery_incomplete(works: Database, run: Any) -> None:
    works.run("UPDATE deliveries SET quantity = 1 WHERE order_id = 'ORD-000001'")
    [event] = run(("inspect_delivery", {"order_id": "ORD-000001"}))
    assert event.result == {"conforms": False, "condition": "incomplete"}


def test_old_orders_are_not_added_up(works: Database, run: Any) -> None:
    works.run("UPDATE orders SET ordered_at = ordered_at - 2592000")
    [event] = run(("check_order_splitting", quo(9)))
    assert event.result == {"item_id": "ITM-000004", "separate_need": True, "combined_value": 300_000}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE tenders SET bids = 2", "too few bids"),
        ("UPDATE tenders SET published_at = closes_at - 20 * 86400", "open for too short a time"),
        ("UPDATE tenders SET closes_at = closes_at + 10 * 86400", "still open"),
        ("DELETE FROM tenders", "no tender"),
    ],
)
def test_a_tender_that_is_not_valid(works: Database, run: Any, change: str, reason: str) -> None:
    works.run(change)
    [event] = run(("check_tender", quo(10)))
    assert event.result == {"valid": False, "reason": reason}


def test_a_framework_quotation_in_band_d_needs_no_tender(works: Database, run: Any) -> None:
    works.run("UPDATE quotations SET basis = 'framework' WHERE id = 'QUO-000010'")
    works.run("DELETE FROM tenders")
    [event] = run(("check_tender", quo(10)))
    assert event.result == {"valid": True, "reason": "not needed"}


def test_a_quotation_in_band_b_that_has_run_out_is_not_enough(works: Database, run: Any) -> None:
    works.run("UPDATE quotations SET amount = 100001 WHERE id = 'QUO-000011'")
    [event] = run(("check_quotations", quo(11)))
    assert event.result == {"sufficient": False, "in_force": 2, "needed": 1}


@pytest.mark.parametrize(("amount", "accepted"), [(100_000, True), (100_001, False)])
def test_in_band_a_every_ground_of_a_single_source_will_do(
    works: Database, run: Any, amount: int, accepted: bool
) -> None:
    works.run("UPDATE quotations SET amount = ? WHERE id = 'QUO-000009'", amount)
    [event] = run(("confirm_single_source", quo(9)))
    assert event.result == {"accepted": accepted, "ground": "short of time"}


def test_the_ledger_takes_more_than_the_budget_holds(run: Any) -> None:
    _, event = run(
        ("commit_budget", {"cost_centre": "4100", **req(1), "amount": 2_080_001}),
        ("check_budget", {"cost_centre": "4100", "amount": 1}),
    )
    assert event.result == {"sufficient": False, "available": 0}


def test_commitments_use_up_the_budget_until_the_order(run: Any) -> None:
    ask = ("check_budget", {"cost_centre": "4100", "amount": 1})
    commit = ("commit_budget", {"cost_centre": "4100", **req(1), "amount": 64_000})
    events = run(ask, commit, ask, ("place_order", quo(1)), ask)
    left = [event.result["available"] for event in events if event.name == "check_budget"]
    assert left == [2_080_000, 2_016_000, 2_016_000]


def test_an_absent_approver_does_not_approve(works: Database, run: Any) -> None:
    works.run("UPDATE employees SET absent_until = ? WHERE id = ?", works.clock + 86_400, emp(1))
    [event] = run(("obtain_approval", {**req(1), "approver_id": emp(1), "amount": 1}))
    assert event.result == {"approved": False, "outcome": "absent"}


def test_no_regularisation_without_report_or_ground(run: Any) -> None:
    bought = {"supplier_id": "SUP-000001"}
    events = run(
        ("buy_in_emergency", {**req(4), **bought}),
        ("regularise_emergency", {"order_id": "ORD-000005"}),
        ("report_emergency", {"order_id": "ORD-000005"}),
        ("regularise_emergency", {"order_id": "ORD-000005"}),
        ("buy_in_emergency", {**req(1), **bought}),
        ("report_emergency", {"order_id": "ORD-000006"}),
        ("regularise_emergency", {"order_id": "ORD-000006"}),
    )
    reasons = [event.result["reason"] for event in events if event.name == "regularise_emergency"]
    assert reasons == ["not reported", "regularised", "no ground"]


@pytest.mark.parametrize(
    ("order", "channel", "sent"),
    [
        (1, "supplier portal", True),
        (1, "e-mail", True),
        (4, "supplier portal", False),
        (4, "e-mail", False),
        (4, "registered letter", True),
    ],
)
def test_notice_to_a_supplier(run: Any, order: int, channel: str, sent: bool) -> None:
    [event] = run(("notify_supplier", {"subject": f"ORD-00000{order}", "channel": channel}))
    assert event.result["sent"] is sent


@pytest.mark.parametrize(
    ("quotation", "channel", "sent"),
    [
        (1, "intranet", True),
        (1, "e-mail", True),
        (6, "intranet", False),
        (6, "e-mail", False),
        (6, "internal post", True),
    ],
)
def test_notice_to_a_requester(run: Any, quotation: int, channel: str, sent: bool) -> None:
    decline = ("decline_purchase", {**quo(quotation), "reason": "order splitting"})
    _, event = run(decline, ("notify_requester", {"subject": "REF-000001", "channel": channel}))
    assert event.result["sent"] is sent


VERDICTS = {
    "check_stock": "in_stock",
    "check_reserve": "releasable",
    "check_permit": "valid",
    "check_legacy_portal": "listed",
    "inspect_offer": "fit",
    "check_order_splitting": "separate_need",
    "check_emergency": "qualifies",
    "check_quotations": "sufficient",
    "confirm_single_source": "accepted",
    "check_tender": "valid",
    "screen_supplier": "cleared",
    "check_conflict_of_interest": "clear",
    "check_budget": "sufficient",
    "check_delegation": "sufficient",
    "check_segregation": "separate",
    "obtain_approval": "approved",
    "set_delivery_option": "accepted",
    "inspect_delivery": "conforms",
    "match_invoice": "matched",
    "call_back_supplier": "confirmed",
    "regularise_emergency": "regularised",
    "notify_requester": "sent",
    "notify_supplier": "sent",
}
RECORDS = {"commit_budget", "report_emergency", "record_file_entry"}
"""Safety steps that leave something behind and have no answer."""

OPEN = "JOIN purchase_requests r ON r.id = q.request_id"
CASES = {
    "check_stock": "SELECT id AS request_id FROM purchase_requests r WHERE NOT EXISTS "
    "(SELECT 1 FROM orders o WHERE o.request_id = r.id)",
    "check_reserve": "SELECT r.id AS request_id, s.warehouse_id FROM purchase_requests r "
    "JOIN stock s ON s.item_id = r.item_id",
    "check_permit": "SELECT e.id AS requester_id, i.id AS item_id FROM employees e, items i WHERE i.hazardous = 1",
    "check_legacy_portal": "SELECT r.id AS request_id FROM purchase_requests r JOIN departments d "
    "ON d.cost_centre = r.cost_centre WHERE d.kind = 'integration lab' "
    "AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.request_id = r.id)",
    "inspect_offer": "SELECT id AS offer_id FROM portal_offers",
    "check_order_splitting": "SELECT id AS quotation_id FROM quotations WHERE basis <> 'framework'",
    "check_emergency": "SELECT request_id FROM incidents",
    "check_quotations": "SELECT id AS quotation_id FROM quotations WHERE basis = 'competitive' "
    "AND amount BETWEEN 100001 AND 5000000",
    "confirm_single_source": "SELECT id AS quotation_id FROM quotations WHERE basis = 'single source'",
    "check_tender": "SELECT id AS quotation_id FROM quotations WHERE basis = 'competitive' AND amount > 5000000",
    "screen_supplier": "SELECT id AS supplier_id FROM suppliers",
    "check_conflict_of_interest": "SELECT r.id AS request_id, s.id AS supplier_id "
    "FROM purchase_requests r, suppliers s",
    "check_budget": f"SELECT r.cost_centre, q.amount FROM quotations q {OPEN}",
    "check_delegation": "SELECT a.approver_id, q.amount FROM quotations q "
    "JOIN approval_routes a ON a.request_id = q.request_id",
    "check_segregation": "SELECT r.id AS request_id, e.id AS employee_id, 'receiver' AS role "
    "FROM purchase_requests r JOIN employees e ON e.cost_centre = r.cost_centre",
    "obtain_approval": "SELECT request_id, approver_id, 30000 AS amount FROM approval_routes",
    "set_delivery_option": "SELECT id AS order_id, 'inside delivery' AS option FROM orders o "
    "WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE order_id = o.id)",
    "inspect_delivery": "SELECT order_id FROM deliveries d WHERE NOT EXISTS "
    "(SELECT 1 FROM receipts r WHERE r.order_id = d.order_id)",
    "match_invoice": "SELECT id AS invoice_id FROM invoices i WHERE NOT EXISTS "
    "(SELECT 1 FROM payments WHERE invoice_id = i.id)",
    "call_back_supplier": "SELECT id AS change_id FROM bank_changes",
    "notify_supplier": "SELECT id AS subject, 'e-mail' AS channel FROM orders",
}


@pytest.fixture(scope="module")
def populations(domain: Domain) -> list[Database]:
    return [domain.database(seed) for seed in range(50)]


@pytest.mark.parametrize("name", CASES)
def test_every_check_can_say_yes_and_no(domain: Domain, populations: list[Database], name: str) -> None:
    said = {True: 0, False: 0}
    for db in populations:
        answers = set()
        for row in db.query(CASES[name]):
            db.begin()
            answers.add(domain.tools.execute(db, ToolCall(name, row), step=1).result[VERDICTS[name]])
            db.rollback()
        for answer in answers:
            said[answer] += 1
    assert min(said.values()) >= len(populations) / 3, said


def test_every_safety_tool_but_a_mere_record_has_one_verdict(domain: Domain) -> None:
    assert VERDICTS.keys() | RECORDS == domain.safety_critical
    for name in domain.safety_critical:
        fields = domain.tools[name].result_schema["properties"]
        found = [key for key, field in fields.items() if field["type"] == "boolean"]
        assert found == ([VERDICTS[name]] if name in VERDICTS else [])
