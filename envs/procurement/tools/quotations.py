"""Quotations: listing, registering, and turning a purchase down."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.authority import available
from lexgym.envs.procurement.tools.needs import check_legacy_portal, check_order_splitting, check_stock
from lexgym.envs.procurement.tools.sourcing import check_quotations
from lexgym.envs.procurement.tools.types import (
    CostCentre,
    EmergencyRefusalReason,
    IncomingId,
    QuotationId,
    RefusalReason,
    RequestId,
    SupplierId,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

DAY = 86_400


class Quotation(TypedDict):
    """A supplier's quotation for a request; the amount in cents."""

    quotation_id: str
    request_id: str
    supplier_id: str
    supplier: str
    amount: int
    basis: Literal["competitive", "single source", "framework"]
    valid_until: str


class Quotations(TypedDict):
    """The quotations for the requests of a department."""

    quotations: list[Quotation]


class IncomingQuotation(TypedDict):
    """A written quotation that has come in; the amount in cents, and for how many days it will run."""

    incoming_id: str
    request_id: str
    supplier_id: str
    supplier: str
    amount: int
    days: int
    registered: bool


class IncomingQuotations(TypedDict):
    """Written quotations that have come in for the requests of a department."""

    incoming: list[IncomingQuotation]


class Registration(TypedDict):
    """A quotation just registered; the amount in cents."""

    quotation_id: str
    amount: int
    valid_until: str


class PurchaseRefusal(TypedDict):
    """A purchase on a quotation on record as refused: whose it would have been, at which price in cents.

    `holds` is false where something done since has removed the reason.
    """

    refusal_id: str
    request_id: str
    cost_centre: str
    approver_id: str
    supplier_id: str
    amount: int
    basis: Literal["competitive", "single source", "framework"]
    reason: str
    holds: bool


class EmergencyRefusal(TypedDict):
    """An emergency purchase on record as refused, and its price in cents; `holds` as for other purchases."""

    refusal_id: str
    amount: int
    reason: str
    holds: bool


def list_quotations(db: Database, *, cost_centre: CostCentre) -> Quotations:
    """List the quotations for a department's requests: request, supplier, amount in cents, basis, validity."""
    lookup.find(db, "departments", cost_centre)
    rows = db.query(
        "SELECT q.*, s.name FROM quotations q JOIN suppliers s ON s.id = q.supplier_id "
        "JOIN purchase_requests r ON r.id = q.request_id WHERE r.cost_centre = ? ORDER BY q.id",
        cost_centre,
    )
    return {
        "quotations": [
            {
                "quotation_id": row["id"],
                "request_id": row["request_id"],
                "supplier_id": row["supplier_id"],
                "supplier": row["name"],
                "amount": row["amount"],
                "basis": row["basis"],
                "valid_until": lookup.date(row["valid_until"]),
            }
            for row in rows
        ]
    }


def list_incoming_quotations(db: Database, *, cost_centre: CostCentre) -> IncomingQuotations:
    """List what suppliers have quoted in writing for a department's requests, and whether it is registered yet."""
    lookup.find(db, "departments", cost_centre)
    rows = db.query(
        "SELECT n.*, s.name, q.id AS quotation FROM incoming_quotations n JOIN suppliers s ON s.id = n.supplier_id "
        "JOIN purchase_requests r ON r.id = n.request_id LEFT JOIN quotations q ON q.request_id = n.request_id "
        "AND q.supplier_id = n.supplier_id WHERE r.cost_centre = ? ORDER BY n.id",
        cost_centre,
    )
    return {
        "incoming": [
            {
                "incoming_id": row["id"],
                "request_id": row["request_id"],
                "supplier_id": row["supplier_id"],
                "supplier": row["name"],
                "amount": row["amount"],
                "days": row["days"],
                "registered": row["quotation"] is not None,
            }
            for row in rows
        ]
    }


def register_quotation(db: Database, *, incoming_id: IncomingId) -> Registration:
    """Register a competitive written quotation that has come in from a supplier for a request.

    Returns its new id, the amount in cents and the last day. Refused if the request has been met or ordered, or
    the supplier has a registered quotation for it already.
    """
    received = lookup.find(db, "incoming_quotations", incoming_id)
    request_id, supplier_id = received["request_id"], received["supplier_id"]
    lookup.open_request(db, request_id)
    if db.one("SELECT 1 FROM quotations WHERE request_id = ? AND supplier_id = ?", request_id, supplier_id):
        raise Refused("quotation_exists", f"{supplier_id} already has a quotation for {request_id}")
    quotation_id, valid_until = db.new_id("quotations"), db.clock + received["days"] * DAY
    db.insert(
        "quotations",
        id=quotation_id,
        request_id=request_id,
        supplier_id=supplier_id,
        amount=received["amount"],
        basis="competitive",
        valid_until=valid_until,
    )
    return {"quotation_id": quotation_id, "amount": received["amount"], "valid_until": lookup.date(valid_until)}


def decline_purchase(db: Database, *, quotation_id: QuotationId, reason: RefusalReason) -> PurchaseRefusal:
    """Put on record that the purchase on a quotation is refused, with the reason; nothing is ordered.

    Returns the id of the refusal, the request with cost centre and named approver, the supplier, the price in cents,
    the basis, and whether the reason holds now as far as stock, offers, quotations, orders and budget go. Refused if
    the quotation was ordered or declined already.
    """
    quotation = lookup.find(db, "quotations", quotation_id)
    if db.one("SELECT 1 FROM orders WHERE via_quotation = ? AND status = 'open'", quotation_id):
        raise Refused("already_ordered", f"the quotation {quotation_id} has been ordered")
    if db.one("SELECT 1 FROM refusals WHERE via_quotation = ?", quotation_id):
        raise Refused("already_declined", f"the quotation {quotation_id} has been declined")
    request_id, supplier_id = quotation["request_id"], quotation["supplier_id"]
    [named] = db.query("SELECT approver_id FROM approval_routes WHERE request_id = ?", request_id)
    return {
        "refusal_id": _refuse(db, request_id, supplier_id, quotation_id, reason),
        "request_id": request_id,
        "cost_centre": lookup.find(db, "purchase_requests", request_id)["cost_centre"],
        "approver_id": named["approver_id"],
        "supplier_id": supplier_id,
        "amount": quotation["amount"],
        "basis": quotation["basis"],
        "reason": reason,
        "holds": holds(db, quotation, reason),
    }


def decline_emergency_purchase(
    db: Database, *, request_id: RequestId, supplier_id: SupplierId, reason: EmergencyRefusalReason
) -> EmergencyRefusal:
    """Put on record that an emergency purchase for a request from a supplier is refused, with the reason.

    Returns the id of the refusal, the price in cents that the purchase would have had, and whether the reason holds now
    as far as stock goes. Refused if nobody
    reported an emergency for the request, it has been met or ordered, or this purchase was declined already.
    """
    request = lookup.open_request(db, request_id)
    lookup.find(db, "suppliers", supplier_id)
    if db.one("SELECT 1 FROM incidents WHERE request_id = ?", request_id) is None:
        raise Refused("no_emergency_reported", f"nobody has reported an emergency for {request_id}")
    if emergency_declined(db, request_id, supplier_id):
        raise Refused("already_declined", f"this purchase for {request_id} has been declined")
    refusal_id = _refuse(db, request_id, supplier_id, None, reason)
    return {
        "refusal_id": refusal_id,
        "amount": lookup.catalogue_value(db, request),
        "reason": reason,
        "holds": reason != "item in stock" or check_stock(db, request_id=request_id)["in_stock"],
    }


def holds(db: Database, quotation: Row, reason: str) -> bool:
    """Whether a reason not to buy on a quotation is still so; those that no act can remove are not looked at."""
    match reason:
        case "item in stock":
            return check_stock(db, request_id=quotation["request_id"])["in_stock"]
        case "available on the legacy portal":
            return check_legacy_portal(db, request_id=quotation["request_id"])["listed"]
        case "too few quotations":
            return not check_quotations(db, quotation_id=quotation["id"])["sufficient"]
        case "order splitting":
            return not check_order_splitting(db, quotation_id=quotation["id"])["separate_need"]
        case "budget exhausted":
            request = lookup.find(db, "purchase_requests", quotation["request_id"])
            left = available(db, lookup.find(db, "departments", request["cost_centre"]))
            return bool(quotation["amount"] > left)
        case _:
            return True


def emergency_declined(db: Database, request_id: str, supplier_id: str) -> bool:
    """Whether an emergency purchase for a request from a supplier is on record as refused."""
    sql = "SELECT 1 FROM refusals WHERE request_id = ? AND supplier_id = ? AND via_quotation IS NULL"
    return db.one(sql, request_id, supplier_id) is not None


def _refuse(db: Database, request_id: str, supplier_id: str, quotation_id: str | None, reason: str) -> str:
    refusal_id = db.new_id("refusals")
    db.insert(
        "refusals",
        id=refusal_id,
        request_id=request_id,
        supplier_id=supplier_id,
        via_quotation=quotation_id,
        reason=reason,
        refused_at=db.clock,
    )
    return refusal_id
