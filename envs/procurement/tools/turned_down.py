"""What is turned down apart from purchases: requests, releases from a warehouse, claims, additions to orders."""

from typing import Any

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.needs import check_stock
from lexgym.envs.procurement.tools.orders import raised
from lexgym.envs.procurement.tools.types import (
    AllocationRefusalReason,
    ChangeRefusalReason,
    ClaimRefusalReason,
    EmployeeId,
    ItemId,
    OfferId,
    OrderId,
    Percent,
    RequestId,
    RequestRefusalReason,
    WarehouseId,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database


class TurnedDown(TypedDict):
    """Something on record as turned down, and why."""

    refusal_id: str
    reason: str


class ClaimTurnedDown(TypedDict):
    """A claim on record as turned down, and the request; `holds` is false where its reason has gone since."""

    refusal_id: str
    request_id: str
    reason: str
    holds: bool


class ChangeTurnedDown(TypedDict):
    """An addition on record as turned down: request, named approver, the value that it would have led to in cents."""

    refusal_id: str
    request_id: str
    approver_id: str
    amount: int
    over_tolerance: bool
    emergency: bool
    reason: str


def decline_request(
    db: Database, *, requester_id: EmployeeId, item_id: ItemId, reason: RequestRefusalReason
) -> TurnedDown:
    """Put on record that a purchase request of an employee for an item is not submitted, with the reason.

    Returns the id of the refusal. Refused if the employee already has asked for the same item, or this was declined.
    """
    lookup.find(db, "employees", requester_id)
    lookup.find(db, "items", item_id)
    if db.one("SELECT 1 FROM purchase_requests WHERE requester_id = ? AND item_id = ?", requester_id, item_id):
        raise Refused("request_exists", f"{requester_id} already has a request for {item_id}")
    return {"refusal_id": _record(db, reason, requester_id=requester_id, item_id=item_id), "reason": reason}


def decline_allocation(
    db: Database, *, request_id: RequestId, warehouse_id: WarehouseId, reason: AllocationRefusalReason
) -> TurnedDown:
    """Put on record that a request is not met from a warehouse, with the reason; the goods stay there.

    Returns the id of the refusal. Refused if the request has been met or ordered already, or this was declined.
    """
    lookup.open_request(db, request_id)
    lookup.find(db, "warehouses", warehouse_id)
    return {"refusal_id": _record(db, reason, request_id=request_id, warehouse_id=warehouse_id), "reason": reason}


def decline_claim(db: Database, *, offer_id: OfferId, reason: ClaimRefusalReason) -> ClaimTurnedDown:
    """Put on record that equipment on the legacy portal is not claimed, with the reason.

    Returns the id of the refusal, the request, and whether the reason holds now as far as stock goes. Refused if the
    request has been met or ordered already, or this was declined.
    """
    request_id = lookup.find(db, "portal_offers", offer_id)["request_id"]
    lookup.open_request(db, request_id)
    return {
        "refusal_id": _record(db, reason, offer_id=offer_id),
        "request_id": request_id,
        "reason": reason,
        "holds": reason != "item in stock" or check_stock(db, request_id=request_id)["in_stock"],
    }


def decline_change(
    db: Database, *, order_id: OrderId, percent: Percent, reason: ChangeRefusalReason
) -> ChangeTurnedDown:
    """Put on record that the value of an open order is not raised by so many per cent, with the reason.

    Returns the id of the refusal, the request with its named approver, the value that the order would have had in
    cents, whether the rise is above the tolerance, and whether the order is an emergency purchase. Refused if the order
    is cancelled, its goods have been received or sent back, or this was declined.
    """
    order = lookup.undelivered_order(db, order_id)
    amount, over = raised(order, percent)
    [named] = db.query("SELECT approver_id FROM approval_routes WHERE request_id = ?", order["request_id"])
    return {
        "refusal_id": _record(db, reason, order_id=order_id, percent=percent),
        "request_id": order["request_id"],
        "approver_id": named["approver_id"],
        "amount": amount,
        "over_tolerance": over,
        "emergency": bool(order["emergency"]),
        "reason": reason,
    }


def _record(db: Database, reason: str, **about: Any) -> str:
    conditions = " AND ".join(f"{column} = ?" for column in about)
    if db.one(f"SELECT 1 FROM turned_down WHERE {conditions}", *about.values()):
        raise Refused("already_declined", f"this has been declined: {', '.join(map(str, about.values()))}")
    refusal_id = db.new_id("turned_down")
    db.insert("turned_down", id=refusal_id, **about, reason=reason, turned_down_at=db.clock)
    return refusal_id
