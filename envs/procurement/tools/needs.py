"""Checks on the need: stock, legacy portal, permits, splitting, emergencies."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import EmployeeId, ItemId, OfferId, QuotationId, RequestId, WarehouseId
from lexgym.tools.database import Database, Row

DAY = 86_400
SPLITTING_DAYS = 30
"""Orders of a department for one item within this many days are one need (manual, section 6.8)."""

EMERGENCY_GROUNDS = ("danger to people", "loss of samples", "standstill of operations", "order of an authority")


class StockCheck(TypedDict):
    """Whether a warehouse can release what a request asks for, and the most that one can."""

    in_stock: bool
    available: int


Hindrance: TypeAlias = Literal["releasable", "on hold", "reserve would be touched", "not kept here"]


class ReserveCheck(TypedDict):
    """Whether a warehouse may release the pieces of an item, and why not; how many pieces it has."""

    item_id: str
    held: int
    releasable: bool
    reason: Hindrance


class PermitCheck(TypedDict):
    """Whether an employee may handle an item, and why not."""

    valid: bool
    reason: Literal["not hazardous", "permit in force", "permit expired", "no permit"]


class PortalCheck(TypedDict):
    """Whether the legacy portal offers equipment for a request, and how many pieces of it."""

    listed: bool
    offers: int


class OfferInspection(TypedDict):
    """Whether offered equipment is fit for use, and why not."""

    fit: bool
    reason: Literal["passed", "failed", "inspection out of date", "never inspected"]


class SplittingCheck(TypedDict):
    """Whether a purchase of an item is a need of its own; the value in cents that counts for the band."""

    item_id: str
    separate_need: bool
    combined_value: int


class EmergencyCheck(TypedDict):
    """Whether a request is an emergency, and what the control room has on it."""

    qualifies: bool
    ground: str


def check_stock(db: Database, *, request_id: RequestId) -> StockCheck:
    """Say whether some warehouse can release all that a request asks for.

    Stock on hold and reserves do not count. Returns `in_stock`, and the most that one warehouse can release.
    """
    request = lookup.find(db, "purchase_requests", request_id)
    rows = db.query("SELECT * FROM stock WHERE item_id = ? AND on_hold = 0", request["item_id"])
    available = max([0, *(row["quantity"] - row["reserve"] for row in rows)])
    return {"in_stock": available >= request["quantity"], "available": available}


def check_reserve(db: Database, *, request_id: RequestId, warehouse_id: WarehouseId) -> ReserveCheck:
    """Say whether one warehouse may release what a request asks for without touching its reserve.

    Returns the item, the pieces that the warehouse has of it, `releasable`, and the reason: releasable, on hold,
    reserve would be touched or not kept here.
    """
    request = lookup.find(db, "purchase_requests", request_id)
    lookup.find(db, "warehouses", warehouse_id)
    item_id = request["item_id"]
    row = db.one("SELECT * FROM stock WHERE warehouse_id = ? AND item_id = ?", warehouse_id, item_id)
    reason = _hindrance(row, request["quantity"])
    held = row["quantity"] if row else 0
    return {"item_id": item_id, "held": held, "releasable": reason == "releasable", "reason": reason}


def check_permit(db: Database, *, requester_id: EmployeeId, item_id: ItemId) -> PermitCheck:
    """Say whether an employee holds a permit in force for an item, as far as it is a hazardous good.

    Returns `valid`, and the reason: not hazardous, permit in force, permit expired or no permit.
    """
    lookup.find(db, "employees", requester_id)
    if not lookup.find(db, "items", item_id)["hazardous"]:
        return {"valid": True, "reason": "not hazardous"}
    row = db.one("SELECT * FROM permits WHERE employee_id = ? AND item_id = ?", requester_id, item_id)
    if row is None:
        return {"valid": False, "reason": "no permit"}
    if row["valid_until"] <= db.clock:
        return {"valid": False, "reason": "permit expired"}
    return {"valid": True, "reason": "permit in force"}


def check_legacy_portal(db: Database, *, request_id: RequestId) -> PortalCheck:
    """Search the legacy portal for used equipment that meets a request.

    Returns `listed`, and how many offers that nobody has claimed.
    """
    lookup.find(db, "purchase_requests", request_id)
    sql = (
        "SELECT 1 FROM portal_offers o WHERE request_id = ? AND NOT EXISTS (SELECT 1 FROM claims WHERE offer_id = o.id)"
    )
    offers = len(db.query(sql, request_id))
    return {"listed": offers > 0, "offers": offers}


def inspect_offer(db: Database, *, offer_id: OfferId) -> OfferInspection:
    """Look up the safety inspection of equipment that the legacy portal offers.

    Returns `fit`, and the reason: passed, failed, inspection out of date or never inspected.
    """
    lookup.find(db, "portal_offers", offer_id)
    row = db.one("SELECT * FROM offer_inspections WHERE offer_id = ?", offer_id)
    if row is None:
        return {"fit": False, "reason": "never inspected"}
    if not row["passed"]:
        return {"fit": False, "reason": "failed"}
    if row["valid_until"] <= db.clock:
        return {"fit": False, "reason": "inspection out of date"}
    return {"fit": True, "reason": "passed"}


def check_order_splitting(db: Database, *, quotation_id: QuotationId) -> SplittingCheck:
    """Say whether a quotation, with its department's recent orders for the same item, stays in its value band.

    A call-off always does. Returns the item, `separate_need`, and the combined value in cents.
    """
    quotation = lookup.find(db, "quotations", quotation_id)
    request = lookup.find(db, "purchase_requests", quotation["request_id"])
    combined = combined_value(db, quotation, request)
    separate = lookup.band(combined) == lookup.band(quotation["amount"])
    return {"item_id": request["item_id"], "separate_need": separate, "combined_value": combined}


def combined_value(db: Database, quotation: Row, request: Row) -> int:
    """Return what counts for the band in cents: a quotation's amount, with recent orders unless it is a call-off."""
    if quotation["basis"] == "framework":
        return int(quotation["amount"])
    [recent] = db.query(
        "SELECT coalesce(sum(o.amount), 0) AS cents FROM orders o JOIN purchase_requests r ON r.id = o.request_id "
        "WHERE r.cost_centre = ? AND r.item_id = ? AND r.id <> ? AND o.status = 'open' AND o.ordered_at >= ?",
        request["cost_centre"],
        request["item_id"],
        request["id"],
        db.clock - SPLITTING_DAYS * DAY,
    )
    return int(quotation["amount"] + recent["cents"])


def check_emergency(db: Database, *, request_id: RequestId) -> EmergencyCheck:
    """Ask the control room whether a request meets one of the grounds of an emergency.

    Returns `qualifies`, and the ground on record, or "none reported".
    """
    lookup.find(db, "purchase_requests", request_id)
    row = db.one("SELECT ground FROM incidents WHERE request_id = ?", request_id)
    ground = row["ground"] if row else "none reported"
    return {"qualifies": ground in EMERGENCY_GROUNDS, "ground": ground}


def _hindrance(row: Row | None, quantity: int) -> Hindrance:
    """Return what keeps a warehouse from releasing so many pieces of an item."""
    if row is None:
        return "not kept here"
    if row["on_hold"]:
        return "on hold"
    return "reserve would be touched" if row["quantity"] - row["reserve"] < quantity else "releasable"
