"""Goods in: what has arrived, receipts, deliveries sent back."""

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import EmployeeId, OrderId, RejectionReason
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Receipt(TypedDict):
    """Goods received under an order."""

    receipt_id: str
    request_id: str
    quantity: int


class Rejection(TypedDict):
    """A delivery sent back."""

    rejection_id: str
    request_id: str


def record_receipt(db: Database, *, order_id: OrderId, receiver_id: EmployeeId) -> Receipt:
    """Record that an employee has received the goods that have arrived under an order.

    Returns the id of the receipt, the request and the pieces. Refused if nothing has arrived, the order is
    cancelled, or the goods have been received or sent back already.
    """
    order, delivery = lookup.undelivered_order(db, order_id), arrived(db, order_id)
    lookup.find(db, "employees", receiver_id)
    receipt_id = db.new_id("receipts")
    db.insert(
        "receipts",
        id=receipt_id,
        order_id=order_id,
        receiver_id=receiver_id,
        quantity=delivery["quantity"],
        received_at=db.clock,
    )
    return {"receipt_id": receipt_id, "request_id": order["request_id"], "quantity": delivery["quantity"]}


def reject_delivery(db: Database, *, order_id: OrderId, reason: RejectionReason) -> Rejection:
    """Send back the goods that have arrived under an order, giving the reason.

    Returns the id of the rejection and the request. Refused if nothing has arrived, the order is cancelled,
    or the goods have been received or sent back already.
    """
    order = lookup.undelivered_order(db, order_id)
    arrived(db, order_id)
    rejection_id = db.new_id("rejections")
    db.insert("rejections", id=rejection_id, order_id=order_id, reason=reason, rejected_at=db.clock)
    return {"rejection_id": rejection_id, "request_id": order["request_id"]}


def arrived(db: Database, order_id: str) -> Row:
    """Return what has arrived under an order, or refuse with `nothing_arrived`."""
    row = db.one("SELECT * FROM deliveries WHERE order_id = ?", order_id)
    if row is None:
        raise Refused("nothing_arrived", f"nothing has arrived under the order {order_id}")
    return row
