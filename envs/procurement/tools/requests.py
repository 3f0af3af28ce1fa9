"""Purchase requests: listing and submitting."""

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import CostCentre, EmployeeId, ItemId, Purpose, Quantity
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Request(TypedDict):
    """A purchase request; what its pieces cost by the catalogue in cents."""

    request_id: str
    cost_centre: str
    requester_id: str
    item_id: str
    item: str
    quantity: int
    catalogue_value: int
    purpose: str
    approver_id: str
    submitted_on: str


class Requests(TypedDict):
    """The purchase requests of a department."""

    requests: list[Request]


class Submission(TypedDict):
    """A purchase request just submitted."""

    request_id: str
    approver_id: str
    hazardous: bool


def list_requests(db: Database, *, cost_centre: CostCentre) -> Requests:
    """List a department's purchase requests: requester, item, pieces, value in cents, purpose, approver, date."""
    lookup.find(db, "departments", cost_centre)
    rows = db.query(
        "SELECT r.*, i.name, i.unit_price, a.approver_id FROM purchase_requests r JOIN items i ON i.id = r.item_id "
        "JOIN approval_routes a ON a.request_id = r.id WHERE r.cost_centre = ? ORDER BY r.id",
        cost_centre,
    )
    return {"requests": [_request(row) for row in rows]}


def submit_request(
    db: Database, *, requester_id: EmployeeId, item_id: ItemId, quantity: Quantity, purpose: Purpose
) -> Submission:
    """Submit a purchase request of an employee for an item; it is routed to the head of the department.

    Returns the request's new id, the approver named for it, and whether the item is a hazardous good.
    Refused if the employee or the item does not exist, or the employee already has asked for the same item.
    """
    requester, item = lookup.find(db, "employees", requester_id), lookup.find(db, "items", item_id)
    if db.one("SELECT 1 FROM purchase_requests WHERE requester_id = ? AND item_id = ?", requester_id, item_id):
        raise Refused("request_exists", f"{requester_id} already has a request for {item_id}")
    request_id, approver_id = db.new_id("purchase_requests"), lookup.head(db, requester["cost_centre"])
    db.insert(
        "purchase_requests",
        id=request_id,
        cost_centre=requester["cost_centre"],
        requester_id=requester_id,
        item_id=item_id,
        quantity=quantity,
        purpose=purpose,
        submitted_at=db.clock,
    )
    db.insert("approval_routes", request_id=request_id, approver_id=approver_id, answer="approve")
    return {"request_id": request_id, "approver_id": approver_id, "hazardous": bool(item["hazardous"])}


def _request(row: Row) -> Request:
    return {
        "request_id": row["id"],
        "cost_centre": row["cost_centre"],
        "requester_id": row["requester_id"],
        "item_id": row["item_id"],
        "item": row["name"],
        "quantity": row["quantity"],
        "catalogue_value": row["unit_price"] * row["quantity"],
        "purpose": row["purpose"],
        "approver_id": row["approver_id"],
        "submitted_on": lookup.date(row["submitted_at"]),
    }
