"""Checks on what follows an order: delivery, goods in, invoices, bank details, emergencies."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.needs import check_emergency
from lexgym.envs.procurement.tools.receiving import arrived
from lexgym.envs.procurement.tools.types import ChangeId, DeliveryOption, InvoiceId, OrderId
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

PRICE_PERCENT, PRICE_CENTS = 2, 5_000
"""An invoice may exceed the order by 2 per cent, and by no more than this (manual, section 13.3)."""


Condition: TypeAlias = Literal["conforming", "damaged", "wrong item", "incomplete"]


class DeliverySetting(TypedDict):
    """Whether the site takes deliveries in this way."""

    accepted: bool


class DeliveryInspection(TypedDict):
    """Whether the goods are what was ordered, and what they are."""

    conforms: bool
    condition: Condition


class Match(TypedDict):
    """Whether order, receipt and invoice agree, and where they do not."""

    matched: bool
    reason: Literal["matched", "no receipt", "quantity differs", "price differs", "invoiced twice"]


class CallBack(TypedDict):
    """What a supplier said on the number that was on file."""

    confirmed: bool
    answer: Literal["confirmed", "denied", "no reply"]


class EmergencyReport(TypedDict):
    """A report just written."""

    report_id: str


class Regularisation(TypedDict):
    """Whether an emergency purchase was approved afterwards, and why not."""

    regularised: bool
    reason: Literal["regularised", "not reported", "no ground"]


def set_delivery_option(db: Database, *, order_id: OrderId, option: DeliveryOption = "loading dock") -> DeliverySetting:
    """Agree how the goods of an order reach the laboratory.

    Every site takes deliveries at its loading dock, the default. Returns `accepted`: false if the department's
    site does not take them in the way chosen. Refused if the order is cancelled, or its goods have been
    received or sent back.
    """
    order = lookup.undelivered_order(db, order_id)
    [place] = db.query(
        "SELECT d.site FROM purchase_requests r JOIN departments d ON d.cost_centre = r.cost_centre WHERE r.id = ?",
        order["request_id"],
    )
    accepted = db.one("SELECT 1 FROM site_options WHERE site = ? AND option = ?", place["site"], option) is not None
    instruction = {"id": db.new_id("delivery_instructions"), "order_id": order_id, "option": option}
    db.insert("delivery_instructions", **instruction, accepted=int(accepted), set_at=db.clock)
    return {"accepted": accepted}


def inspect_delivery(db: Database, *, order_id: OrderId) -> DeliveryInspection:
    """Inspect the goods that have arrived under an order.

    Returns `conforms`, and the condition: conforming, damaged, wrong item or incomplete. Refused if nothing
    has arrived.
    """
    order, delivery = lookup.find(db, "orders", order_id), arrived(db, order_id)
    incomplete = delivery["condition"] == "conforming" and delivery["quantity"] < order["quantity"]
    condition: Condition = "incomplete" if incomplete else delivery["condition"]
    return {"conforms": condition == "conforming", "condition": condition}


def match_invoice(db: Database, *, invoice_id: InvoiceId) -> Match:
    """Match an invoice with its order and the receipt of the goods.

    Returns `matched`, and the reason: matched, no receipt, quantity differs, price differs or invoiced twice.
    """
    invoice = lookup.find(db, "invoices", invoice_id)
    reason = _mismatch(db, invoice)
    return {"matched": reason == "matched", "reason": reason}


def call_back_supplier(db: Database, *, change_id: ChangeId) -> CallBack:
    """Call a supplier about announced bank details, on the number that was on file before.

    Returns `confirmed`, and the answer: confirmed, denied or no reply.
    """
    lookup.find(db, "bank_changes", change_id)
    row = db.query("SELECT answer FROM call_backs WHERE change_id = ?", change_id)[0]
    return {"confirmed": row["answer"] == "confirmed", "answer": row["answer"]}


def report_emergency(db: Database, *, order_id: OrderId) -> EmergencyReport:
    """Report an emergency purchase to the head of purchasing.

    Returns the report's id. Refused if the order is not an emergency purchase.
    """
    _emergency(db, order_id)
    return {"report_id": _write(db, order_id, "reported")}


def regularise_emergency(db: Database, *, order_id: OrderId) -> Regularisation:
    """Have an emergency purchase that has been reported approved afterwards.

    Returns `regularised`, and the reason: regularised, not reported or no ground. Refused if the order is
    not an emergency purchase.
    """
    order = _emergency(db, order_id)
    reason: Literal["regularised", "not reported", "no ground"] = "regularised"
    if not db.one("SELECT 1 FROM emergency_reports WHERE order_id = ? AND stage = 'reported'", order_id):
        reason = "not reported"
    elif not check_emergency(db, request_id=order["request_id"])["qualifies"]:
        reason = "no ground"
    _write(db, order_id, "regularised" if reason == "regularised" else "not regularised")
    return {"regularised": reason == "regularised", "reason": reason}


def _mismatch(
    db: Database, invoice: Row
) -> Literal["matched", "no receipt", "quantity differs", "price differs", "invoiced twice"]:
    order = lookup.find(db, "orders", invoice["order_id"])
    receipt = db.one("SELECT quantity FROM receipts WHERE order_id = ?", order["id"])
    if receipt is None:
        return "no receipt"
    if receipt["quantity"] != invoice["quantity"]:
        return "quantity differs"
    above = invoice["amount"] - order["amount"]
    if above * 100 > order["amount"] * PRICE_PERCENT or above > PRICE_CENTS:
        return "price differs"
    twin = "SELECT 1 FROM invoices i JOIN payments p ON p.invoice_id = i.id WHERE i.order_id = ? AND i.id <> ?"
    return "invoiced twice" if db.one(twin, order["id"], invoice["id"]) else "matched"


def _emergency(db: Database, order_id: str) -> Row:
    order = lookup.find(db, "orders", order_id)
    if not order["emergency"]:
        raise Refused("not_an_emergency_purchase", f"the order {order_id} is no emergency purchase")
    return order


def _write(db: Database, order_id: str, stage: str) -> str:
    report_id = db.new_id("emergency_reports")
    db.insert("emergency_reports", id=report_id, order_id=order_id, stage=stage, written_at=db.clock)
    return report_id
