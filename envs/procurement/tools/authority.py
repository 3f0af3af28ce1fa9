"""Money and authority: budget, commitment, delegation, segregation of duties, approval."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import Amount, CostCentre, EmployeeId, RequestId, Role
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

Outcome: TypeAlias = Literal["approved", "declined", "absent", "not the named approver"]
Conflict: TypeAlias = Literal["none", "is the requester", "is the approver", "is the receiver"]


class BudgetCheck(TypedDict):
    """Whether an amount is left in the budget; what is left in cents."""

    sufficient: bool
    available: int


class Commitment(TypedDict):
    """An amount just committed, and what was left of the budget before it, in cents."""

    commitment_id: str
    available_before: int


class DelegationCheck(TypedDict):
    """Whether an approver may approve an amount, and why not."""

    sufficient: bool
    reason: Literal["within the limit", "above the limit", "delegation expired", "no delegation"]


class Segregation(TypedDict):
    """Whether an employee may take on a role, and which role of the employee forbids it."""

    separate: bool
    conflict: Conflict


class Approval(TypedDict):
    """Whether an approver approved."""

    approved: bool
    outcome: Outcome


def check_budget(db: Database, *, cost_centre: CostCentre, amount: Amount) -> BudgetCheck:
    """Say whether an amount in cents is left in a department's budget.

    Payments, open orders and commitments have been deducted. Returns `sufficient`, and what is left in cents.
    """
    left = available(db, lookup.find(db, "departments", cost_centre))
    return {"sufficient": amount <= left, "available": left}


def commit_budget(db: Database, *, cost_centre: CostCentre, request_id: RequestId, amount: Amount) -> Commitment:
    """Commit an amount in cents of a department's budget to a request.

    Returns the id of the commitment, and what was left of the budget before it, in cents. Refused if the request is
    another department's.
    """
    left = available(db, lookup.find(db, "departments", cost_centre))
    request = lookup.find(db, "purchase_requests", request_id)
    if request["cost_centre"] != cost_centre:
        raise Refused("other_department", f"the request {request_id} belongs to {request['cost_centre']}")
    commitment_id = db.new_id("commitments")
    row = {"request_id": request_id, "cost_centre": cost_centre, "amount": amount, "committed_at": db.clock}
    db.insert("commitments", id=commitment_id, **row)
    return {"commitment_id": commitment_id, "available_before": left}


def check_delegation(db: Database, *, approver_id: EmployeeId, amount: Amount) -> DelegationCheck:
    """Say whether an employee's delegation of authority is in force and covers an amount in cents.

    Returns `sufficient`, and the reason: within the limit, above the limit, delegation expired or no delegation.
    """
    lookup.find(db, "employees", approver_id)
    row = db.one("SELECT * FROM delegations WHERE employee_id = ?", approver_id)
    if row is None:
        return {"sufficient": False, "reason": "no delegation"}
    if row["valid_until"] <= db.clock:
        return {"sufficient": False, "reason": "delegation expired"}
    if amount > row["limit_cents"]:
        return {"sufficient": False, "reason": "above the limit"}
    return {"sufficient": True, "reason": "within the limit"}


def check_segregation(db: Database, *, request_id: RequestId, employee_id: EmployeeId, role: Role) -> Segregation:
    """Say whether an employee may be approver or receiver of a request, having no other role in it.

    Returns `separate`, and the conflict: none, is the requester, is the approver or is the receiver.
    """
    request = lookup.find(db, "purchase_requests", request_id)
    lookup.find(db, "employees", employee_id)
    conflict = _conflict(db, request, employee_id, role)
    return {"separate": conflict == "none", "conflict": conflict}


def obtain_approval(db: Database, *, request_id: RequestId, approver_id: EmployeeId, amount: Amount) -> Approval:
    """Ask an approver to approve that a request costs an amount in cents.

    Returns `approved`, and the outcome: approved, declined, absent or not the named approver.
    """
    lookup.find(db, "purchase_requests", request_id)
    approver = lookup.find(db, "employees", approver_id)
    route = db.query("SELECT * FROM approval_routes WHERE request_id = ?", request_id)[0]
    outcome: Outcome = "approved" if route["answer"] == "approve" else "declined"
    if approver_id != route["approver_id"]:
        outcome = "not the named approver"
    elif (approver["absent_until"] or 0) > db.clock:
        outcome = "absent"
    db.insert(
        "approvals",
        id=db.new_id("approvals"),
        request_id=request_id,
        approver_id=approver_id,
        amount=amount,
        outcome=outcome,
        asked_at=db.clock,
    )
    return {"approved": outcome == "approved", "outcome": outcome}


def available(db: Database, department: Row) -> int:
    """Return what is left of a department's budget in cents: less payments, unpaid orders, commitments."""
    cost_centre = department["cost_centre"]
    [ordered] = db.query(
        "SELECT coalesce(sum(o.amount), 0) AS cents FROM orders o JOIN purchase_requests r ON r.id = o.request_id "
        "WHERE r.cost_centre = ? AND o.status = 'open' AND NOT EXISTS "
        "(SELECT 1 FROM invoices i JOIN payments p ON p.invoice_id = i.id WHERE i.order_id = o.id)",
        cost_centre,
    )
    [committed] = db.query(
        "SELECT coalesce(sum(amount), 0) AS cents FROM commitments c WHERE cost_centre = ? AND NOT EXISTS "
        "(SELECT 1 FROM orders o WHERE o.request_id = c.request_id AND o.status = 'open')",
        cost_centre,
    )
    left: int = department["budget"] - department["paid"] - ordered["cents"] - committed["cents"]
    return max(0, left)


def _conflict(db: Database, request: Row, employee_id: str, role: str) -> Conflict:
    if request["requester_id"] == employee_id:
        return "is the requester"
    if role == "receiver":
        named = "SELECT 1 FROM approval_routes WHERE request_id = ? AND approver_id = ?"
        if db.one(named, request["id"], employee_id):
            return "is the approver"
    received = "SELECT 1 FROM receipts c JOIN orders o ON o.id = c.order_id WHERE o.request_id = ? AND receiver_id = ?"
    if role == "approver" and db.one(received, request["id"], employee_id):
        return "is the receiver"
    return "none"
