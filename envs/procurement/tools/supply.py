"""Meeting a request without buying: from a warehouse, or from the legacy portal."""

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import CostCentre, OfferId, RequestId, WarehouseId
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Allocation(TypedDict):
    """Stock given to a request; the pieces that the warehouse had before it, and those left."""

    allocation_id: str
    item_id: str
    quantity: int
    held_before: int
    left: int


class Offer(TypedDict):
    """Used equipment that the legacy portal offers for a request."""

    offer_id: str
    request_id: str
    item: str
    serial_number: str
    previous_user: str
    claimed: bool


class Offers(TypedDict):
    """Offers of the legacy portal to a department."""

    offers: list[Offer]


class Claim(TypedDict):
    """Equipment claimed on the legacy portal."""

    claim_id: str
    request_id: str


def allocate_stock(db: Database, *, request_id: RequestId, warehouse_id: WarehouseId) -> Allocation:
    """Meet a request from a warehouse: all the pieces asked for leave that warehouse's stock.

    Returns the id of the allocation, the item, the pieces given, those there before and those left. Refused if the
    request has been met or ordered already, or the warehouse does not have that many.
    """
    request = lookup.open_request(db, request_id)
    lookup.find(db, "warehouses", warehouse_id)
    item_id, quantity = request["item_id"], request["quantity"]
    row = db.one("SELECT * FROM stock WHERE warehouse_id = ? AND item_id = ?", warehouse_id, item_id)
    held: int = row["quantity"] if row else 0
    left = held - quantity
    if left < 0:
        raise Refused("not_enough_stock", f"{warehouse_id} has {held} of {quantity} pieces of {item_id}")
    db.run("UPDATE stock SET quantity = ? WHERE warehouse_id = ? AND item_id = ?", left, warehouse_id, item_id)
    allocation_id = db.new_id("allocations")
    db.insert(
        "allocations",
        id=allocation_id,
        request_id=request_id,
        warehouse_id=warehouse_id,
        quantity=quantity,
        allocated_at=db.clock,
    )
    return {
        "allocation_id": allocation_id,
        "item_id": item_id,
        "quantity": quantity,
        "held_before": held,
        "left": left,
    }


def list_portal_offers(db: Database, *, cost_centre: CostCentre) -> Offers:
    """List what the legacy portal offers for the requests of a department, and whether it has been claimed."""
    lookup.find(db, "departments", cost_centre)
    rows = db.query(
        "SELECT o.*, i.name, c.id AS claim FROM portal_offers o JOIN purchase_requests r ON r.id = o.request_id "
        "JOIN items i ON i.id = r.item_id LEFT JOIN claims c ON c.offer_id = o.id WHERE r.cost_centre = ? "
        "ORDER BY o.id",
        cost_centre,
    )
    return {
        "offers": [
            {
                "offer_id": row["id"],
                "request_id": row["request_id"],
                "item": row["name"],
                "serial_number": row["serial_number"],
                "previous_user": row["previous_user"],
                "claimed": row["claim"] is not None,
            }
            for row in rows
        ]
    }


def claim_offer(db: Database, *, offer_id: OfferId) -> Claim:
    """Claim equipment on the legacy portal for the request that it is offered for, which is thereby met.

    Returns the id of the claim and the request. Refused if the request has been met or ordered already.
    """
    offer = lookup.find(db, "portal_offers", offer_id)
    lookup.open_request(db, offer["request_id"])
    claim_id = db.new_id("claims")
    db.insert("claims", id=claim_id, offer_id=offer_id, claimed_at=db.clock)
    return {"claim_id": claim_id, "request_id": offer["request_id"]}
