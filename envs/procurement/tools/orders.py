"""Purchase orders: placing, buying in an emergency, changing, cancelling."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.needs import combined_value
from lexgym.envs.procurement.tools.quotations import emergency_declined
from lexgym.envs.procurement.tools.types import (
    CancelReason,
    CostCentre,
    OrderId,
    Percent,
    QuotationId,
    RequestId,
    SupplierId,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

TOLERANCE_PERCENT = 10
TOLERANCE_CENTS = 50_000
"""An order may rise by 10 per cent, and by no more than this (manual, section 11.2)."""


class OrderEntry(TypedDict):
    """A purchase order; the amount in cents."""

    order_id: str
    request_id: str
    supplier_id: str
    supplier: str
    item: str
    amount: int
    quantity: int
    status: Literal["open", "cancelled"]
    ordered_on: str


class Orders(TypedDict):
    """The purchase orders of a department."""

    orders: list[OrderEntry]


class Order(TypedDict):
    """An order just placed; the amount, and what counted for its value band, in cents."""

    order_id: str
    request_id: str
    supplier_id: str
    item_id: str
    amount: int
    combined_value: int
    basis: Literal["competitive", "single source", "framework"]
    integration_lab: bool


class EmergencyOrder(TypedDict):
    """An emergency purchase just made; its price in cents."""

    order_id: str
    item_id: str
    amount: int


class OrderChange(TypedDict):
    """A change to an order, perhaps an emergency one: its new value in cents, whether it rises above the tolerance."""

    change_id: str
    request_id: str
    amount: int
    over_tolerance: bool
    emergency: bool


class Cancellation(TypedDict):
    """A cancelled order."""

    order_id: str
    request_id: str


def list_orders(db: Database, *, cost_centre: CostCentre) -> Orders:
    """List a department's purchase orders: request, supplier, item, amount in cents, pieces, status, date."""
    lookup.find(db, "departments", cost_centre)
    rows = db.query(
        "SELECT o.*, s.name AS supplier, i.name AS item FROM orders o JOIN suppliers s ON s.id = o.supplier_id "
        "JOIN purchase_requests r ON r.id = o.request_id JOIN items i ON i.id = r.item_id "
        "WHERE r.cost_centre = ? ORDER BY o.id",
        cost_centre,
    )
    return {
        "orders": [
            {
                "order_id": row["id"],
                "request_id": row["request_id"],
                "supplier_id": row["supplier_id"],
                "supplier": row["supplier"],
                "item": row["item"],
                "amount": row["amount"],
                "quantity": row["quantity"],
                "status": row["status"],
                "ordered_on": lookup.date(row["ordered_at"]),
            }
            for row in rows
        ]
    }


def place_order(db: Database, *, quotation_id: QuotationId) -> Order:
    """Place a purchase order on a competitive or single-source quotation, with its supplier and at its price.

    Returns the order's id, request, supplier, item, amount in cents, what counted for the value band, the basis, and
    whether it is for an integration lab. Refused if the request has been met already, or the quotation was declined or
    belongs to a framework contract.
    """
    return _order(db, quotation_id, framework=False)


def call_off(db: Database, *, quotation_id: QuotationId) -> Order:
    """Call off what a request asks for under a framework contract, on a framework quotation and at its price.

    Returns the order's id, request, supplier, item, amount in cents, what counted for the value band, the basis, and
    whether it is for an integration lab. Refused if the request has been met already, or the quotation was declined or
    does not belong to a framework contract.
    """
    return _order(db, quotation_id, framework=True)


def buy_in_emergency(db: Database, *, request_id: RequestId, supplier_id: SupplierId) -> EmergencyOrder:
    """Buy what a request asks for at once from a supplier, without quotations and at the price of the catalogue.

    Returns the order's id, the item, and the amount in cents. Refused if the request has been met or ordered, or this
    purchase was declined.
    """
    request = lookup.open_request(db, request_id)
    lookup.find(db, "suppliers", supplier_id)
    if emergency_declined(db, request_id, supplier_id):
        raise Refused("purchase_declined", f"this purchase for {request_id} has been declined")
    amount = lookup.catalogue_value(db, request)
    order_id = _insert(db, request, supplier_id, amount, None, emergency=True)
    return {"order_id": order_id, "item_id": request["item_id"], "amount": amount}


def change_order(db: Database, *, order_id: OrderId, percent: Percent) -> OrderChange:
    """Raise the value of an open order by so many per cent of what it is; parts of a cent are dropped.

    Returns the id of the change, the request, the value after it in cents, whether the rise is above the tolerance,
    and whether the order is an emergency purchase. Refused if the order is cancelled, or its goods have been received
    or sent back.
    """
    order = lookup.undelivered_order(db, order_id)
    amount, over = raised(order, percent)
    change_id, addition = db.new_id("order_changes"), amount - order["amount"]
    db.insert("order_changes", id=change_id, order_id=order_id, addition=addition, changed_at=db.clock)
    db.run("UPDATE orders SET amount = ? WHERE id = ?", amount, order_id)
    return {
        "change_id": change_id,
        "request_id": order["request_id"],
        "amount": amount,
        "over_tolerance": over,
        "emergency": bool(order["emergency"]),
    }


def raised(order: Row, percent: int) -> tuple[int, bool]:
    """Return the value of an order in cents if raised by so many per cent, and whether that is above the tolerance."""
    addition: int = order["amount"] * percent // 100
    return order["amount"] + addition, percent > TOLERANCE_PERCENT or addition > TOLERANCE_CENTS


def cancel_order(db: Database, *, order_id: OrderId, reason: CancelReason) -> Cancellation:
    """Cancel an open order, giving the reason.

    Returns the order and its request. Refused if it is cancelled, or its goods have been received or sent back.
    """
    order = lookup.undelivered_order(db, order_id)
    db.run("UPDATE orders SET status = 'cancelled', cancel_reason = ? WHERE id = ?", reason, order_id)
    return {"order_id": order_id, "request_id": order["request_id"]}


def _order(db: Database, quotation_id: str, *, framework: bool) -> Order:
    quotation = lookup.find(db, "quotations", quotation_id)
    request = lookup.unsupplied_request(db, quotation["request_id"])
    if framework != (quotation["basis"] == "framework"):
        raise Refused("wrong_kind", f"the quotation {quotation_id} is a {quotation['basis']} one")
    if db.one("SELECT 1 FROM refusals WHERE via_quotation = ?", quotation_id):
        raise Refused("quotation_declined", f"the quotation {quotation_id} has been declined")
    combined = combined_value(db, quotation, request)
    order_id = _insert(db, request, quotation["supplier_id"], quotation["amount"], quotation_id, emergency=False)
    return {
        "order_id": order_id,
        "request_id": request["id"],
        "supplier_id": quotation["supplier_id"],
        "item_id": request["item_id"],
        "amount": quotation["amount"],
        "combined_value": combined,
        "basis": quotation["basis"],
        "integration_lab": lookup.find(db, "departments", request["cost_centre"])["kind"] == "integration lab",
    }


def _insert(
    db: Database, request: Row, supplier_id: str, amount: int, quotation_id: str | None, emergency: bool
) -> str:
    order_id = db.new_id("orders")
    db.insert(
        "orders",
        id=order_id,
        request_id=request["id"],
        supplier_id=supplier_id,
        via_quotation=quotation_id,
        emergency=int(emergency),
        amount=amount,
        quantity=request["quantity"],
        status="open",
        ordered_at=db.clock,
    )
    return order_id
