"""The lawful way to each business act in the small department: what comes before, what after, what is at stake."""

from typing import Any, TypeAlias

from lexgym.core import Event, Status
from lexgym.oracles.ltlf import RuleSet

Call: TypeAlias = tuple[str, dict[str, Any]]


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    monitor = rules.monitor()
    for event in events:
        assert event.status is Status.OK, event.result
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


def stock(request: int) -> Call:
    return "check_stock", {"request_id": f"REQ-00000{request}"}


def portal(request: int) -> Call:
    return "check_legacy_portal", {"request_id": f"REQ-00000{request}"}


def splitting(number: int) -> Call:
    return "check_order_splitting", quotation(number)


def screen(supplier: int) -> Call:
    return "screen_supplier", {"supplier_id": f"SUP-00000{supplier}"}


def conflict(request: int, supplier: int) -> Call:
    return "check_conflict_of_interest", {
        "request_id": f"REQ-00000{request}",
        "supplier_id": f"SUP-00000{supplier}",
    }


def money(request: int, centre: str, amount: int) -> list[Call]:
    commit = {"cost_centre": centre, "request_id": f"REQ-00000{request}", "amount": amount}
    return [("check_budget", {"cost_centre": centre, "amount": amount}), ("commit_budget", commit)]


def approval(request: int, approver: int, amount: int) -> list[Call]:
    who, what = f"EMP-00000{approver}", f"REQ-00000{request}"
    return [
        ("check_delegation", {"approver_id": who, "amount": amount}),
        ("check_segregation", {"request_id": what, "employee_id": who, "role": "approver"}),
        ("obtain_approval", {"request_id": what, "approver_id": who, "amount": amount}),
    ]


def quotation(number: int) -> dict[str, Any]:
    return {"quotation_id": f"QUO-{number:06d}"}


def order(number: int) -> Call:
    return "place_order", quotation(number)


def file(subject: str) -> Call:
    return "record_file_entry", {"subject": subject}


def supplier_told(subject: str) -> Call:
    return "notify_supplier", {"subject": subject, "channel": "registered letter"}


def requester_told(subject: str) -> Call:
    return "notify_requester", {"subject": subject, "channel": "internal post"}


NEW = "ORD-000005"
OPTION: Call = ("set_delivery_option", {"order_id": NEW, "option": "inside delivery"})
OFFICE_ORDER = [stock(8), splitting(10), screen(4), conflict(8, 4), *money(8, "5200", 6_000_000)]
LAB_ORDER = [stock(7), portal(7), splitting(3), screen(1), conflict(7, 1), *money(7, "4100", 2_000_000)]
SMALL = [stock(1), portal(1), splitting(1), screen(1), conflict(1, 1), *money(1, "4100", 64_000)]
CALL_OFF = [stock(4), screen(4), conflict(4, 4), *money(4, "5200", 200_000)]
NO_PERMIT = {"requester_id": "EMP-000001", "item_id": "ITM-000003"}
ON_HOLD = {"request_id": "REQ-000002", "warehouse_id": "WHS-000002"}
BUY = {"request_id": "REQ-000004", "supplier_id": "SUP-000001"}
ASK = {"requester_id": "EMP-000003", "item_id": "ITM-000003", "quantity": 1, "purpose": "new bench"}
RECEIVE = {"order_id": "ORD-000001", "receiver_id": "EMP-000006"}
APART: Call = ("check_segregation", {"request_id": "REQ-000005", "employee_id": "EMP-000006", "role": "receiver"})

ORDERED = {
    "stock-before-purchase",
    "supplier-screening",
    "conflict-of-interest",
    "amount-committed",
    "procurement-file",
}
LAB = {"legacy-portal-first", "delivery-option"}
APPROVED = {"amount-approved"}
WAYS: dict[str, tuple[list[Call], Call, list[Call], set[str]]] = {
    "band A": (
        [*SMALL, *approval(1, 1, 64_000)],
        order(1),
        [file(NEW), OPTION],
        ORDERED | LAB | APPROVED | {"no-order-splitting"},
    ),
    "band C": (
        [*LAB_ORDER, ("check_quotations", quotation(3)), *approval(7, 1, 2_000_000)],
        order(3),
        [file(NEW), OPTION],
        ORDERED | LAB | APPROVED | {"no-order-splitting", "competition-by-band"},
    ),
    "tender": (
        [*OFFICE_ORDER, ("check_tender", quotation(10)), *approval(8, 5, 6_000_000)],
        order(10),
        [file(NEW)],
        ORDERED | APPROVED | {"no-order-splitting", "tender-in-band-d"},
    ),
    "call-off": (
        [*CALL_OFF, *approval(4, 5, 200_000)],
        ("call_off", quotation(7)),
        [file(NEW)],
        ORDERED | APPROVED,
    ),
    "emergency": (
        [stock(4), screen(1), conflict(4, 1), ("check_emergency", {"request_id": "REQ-000004"})],
        ("buy_in_emergency", BUY),
        [("report_emergency", {"order_id": NEW}), ("regularise_emergency", {"order_id": NEW}), file(NEW)],
        (ORDERED - {"amount-committed"}) | {"emergency-ground", "emergency-regularisation"},
    ),
    "request": (
        [],
        ("submit_request", {**ASK, "requester_id": "EMP-000001", "item_id": "ITM-000004"}),
        [file("REQ-000010")],
        {"procurement-file"},
    ),
    "hazardous request": (
        [("check_permit", {"requester_id": "EMP-000003", "item_id": "ITM-000003"})],
        ("submit_request", ASK),
        [file("REQ-000010")],
        {"hazardous-goods-permit", "procurement-file"},
    ),
    "stock": (
        [("check_reserve", {"request_id": "REQ-000002", "warehouse_id": "WHS-000001"})],
        ("allocate_stock", {"request_id": "REQ-000002", "warehouse_id": "WHS-000001"}),
        [file("ALC-000001")],
        {"release-from-warehouse", "procurement-file"},
    ),
    "portal": (
        [stock(3), ("inspect_offer", {"offer_id": "OFR-000001"})],
        ("claim_offer", {"offer_id": "OFR-000001"}),
        [file("CLM-000001")],
        {"stock-before-claim", "fit-for-use", "procurement-file"},
    ),
    "quotation": (
        [],
        (
            "register_quotation",
            {"incoming_id": "INQ-000001"},
        ),
        [file("QUO-000013")],
        {"procurement-file"},
    ),
    "small change": (
        [],
        ("change_order", {"order_id": "ORD-000001", "percent": 10}),
        [supplier_told("ORD-000001"), file("CHG-000001")],
        {"supplier-told", "procurement-file"},
    ),
    "large change": (
        approval(9, 1, 138_000),
        ("change_order", {"order_id": "ORD-000004", "percent": 15}),
        [supplier_told("ORD-000004"), file("CHG-000001")],
        {"change-approval", "supplier-told", "procurement-file"},
    ),
    "cancellation": (
        [],
        ("cancel_order", {"order_id": "ORD-000001", "reason": "no longer needed"}),
        [supplier_told("ORD-000001")],
        {"supplier-told"},
    ),
    "receipt": (
        [
            ("inspect_delivery", {"order_id": "ORD-000001"}),
            ("check_segregation", {"request_id": "REQ-000005", "employee_id": "EMP-000002", "role": "receiver"}),
        ],
        ("record_receipt", {"order_id": "ORD-000001", "receiver_id": "EMP-000002"}),
        [file("RCP-000002")],
        {"inspection-at-receipt", "receiver-apart", "procurement-file"},
    ),
    "rejection": (
        [("inspect_delivery", {"order_id": "ORD-000004"})],
        ("reject_delivery", {"order_id": "ORD-000004", "reason": "goods do not conform"}),
        [supplier_told("ORD-000004")],
        {"supplier-told", "sent-back-as-nonconforming"},
    ),
    "payment": (
        [("match_invoice", {"invoice_id": "INV-000001"}), screen(4)],
        ("pay_invoice", {"invoice_id": "INV-000001"}),
        [file("PMT-000001")],
        {"three-way-match", "supplier-screening", "procurement-file"},
    ),
    "withholding": (
        [("match_invoice", {"invoice_id": "INV-000002"})],
        ("withhold_payment", {"invoice_id": "INV-000002", "reason": "no three-way match"}),
        [supplier_told("INV-000002")],
        {"supplier-told", "withheld-for-want-of-a-match"},
    ),
    "bank change": (
        [("call_back_supplier", {"change_id": "BNK-000001"})],
        ("apply_bank_change", {"change_id": "BNK-000001"}),
        [file("BNK-000001")],
        {"bank-details-call-back", "procurement-file"},
    ),
    "rejected bank change": (
        [("call_back_supplier", {"change_id": "BNK-000002"})],
        ("reject_bank_change", {"change_id": "BNK-000002", "reason": "supplier did not confirm"}),
        [supplier_told("BNK-000002")],
        {"supplier-told", "rejected-as-unconfirmed"},
    ),
    "refusal": (
        [("check_quotations", quotation(6))],
        ("decline_purchase", {**quotation(6), "reason": "too few quotations"}),
        [requester_told("REF-000001"), file("REF-000001")],
        {"refusal-told-and-filed", "refused-for-too-few-quotations"},
    ),
    "declined request": (
        [("check_permit", NO_PERMIT)],
        ("decline_request", {**NO_PERMIT, "reason": "no permit in force"}),
        [file("DEC-000001")],
        {"refused-for-want-of-a-permit", "procurement-file"},
    ),
    "declined allocation": (
        [("check_reserve", ON_HOLD)],
        ("decline_allocation", {**ON_HOLD, "reason": "not to be released"}),
        [file("DEC-000001")],
        {"refused-as-not-releasable", "procurement-file"},
    ),
    "declined claim": (
        [("inspect_offer", {"offer_id": "OFR-000002"})],
        ("decline_claim", {"offer_id": "OFR-000002", "reason": "not fit for use"}),
        [file("DEC-000001")],
        {"refused-as-unfit", "procurement-file"},
    ),
    "declined change": (
        approval(5, 5, 450_000),
        ("decline_change", {"order_id": "ORD-000001", "percent": 50, "reason": "approval withheld"}),
        [file("DEC-000001")],
        {"refused-for-want-of-approval", "procurement-file"},
    ),
    "refused emergency": (
        [("check_emergency", {"request_id": "REQ-000001"})],
        (
            "decline_emergency_purchase",
            {"request_id": "REQ-000001", "supplier_id": "SUP-000001", "reason": "not an emergency"},
        ),
        [requester_told("REF-000001"), file("REF-000001")],
        {"refusal-told-and-filed", "refused-as-no-emergency"},
    ),
}
