"""Invoices and payments, and the bank details that payments go to."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.fulfilment import match_invoice
from lexgym.envs.procurement.tools.types import BankRejectionReason, ChangeId, CostCentre, InvoiceId, WithholdingReason
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Invoice(TypedDict):
    """A supplier's invoice; the amount in cents."""

    invoice_id: str
    order_id: str
    number: str
    supplier: str
    amount: int
    state: Literal["open", "paid", "withheld"]


class Invoices(TypedDict):
    """The invoices of a department."""

    invoices: list[Invoice]


class Payment(TypedDict):
    """A payment just made; the amount in cents."""

    payment_id: str
    order_id: str
    supplier_id: str
    amount: int


class Withholding(TypedDict):
    """A payment that is withheld, and whether order, receipt and invoice match all the same."""

    withholding_id: str
    supplier_id: str
    matched: bool


class BankChange(TypedDict):
    """A change of bank details that a supplier is said to have announced."""

    change_id: str
    supplier_id: str
    supplier: str
    iban: str
    announced_on: str
    status: Literal["pending", "applied", "rejected"]


class BankChanges(TypedDict):
    """Announced changes of bank details."""

    changes: list[BankChange]


class BankOutcome(TypedDict):
    """What became of an announced change."""

    change_id: str
    supplier_id: str
    status: Literal["applied", "rejected"]


def list_invoices(db: Database, *, cost_centre: CostCentre) -> Invoices:
    """List the invoices for a department's orders: order, number, supplier, amount in cents, and state."""
    lookup.find(db, "departments", cost_centre)
    rows = db.query(
        "SELECT i.*, s.name, iif(p.id IS NOT NULL, 'paid', iif(w.id IS NOT NULL, 'withheld', 'open')) AS state "
        "FROM invoices i JOIN orders o ON o.id = i.order_id JOIN suppliers s ON s.id = o.supplier_id "
        "JOIN purchase_requests r ON r.id = o.request_id LEFT JOIN payments p ON p.invoice_id = i.id "
        "LEFT JOIN withholdings w ON w.invoice_id = i.id WHERE r.cost_centre = ? ORDER BY i.id",
        cost_centre,
    )
    return {
        "invoices": [
            {
                "invoice_id": row["id"],
                "order_id": row["order_id"],
                "number": row["number"],
                "supplier": row["name"],
                "amount": row["amount"],
                "state": row["state"],
            }
            for row in rows
        ]
    }


def pay_invoice(db: Database, *, invoice_id: InvoiceId) -> Payment:
    """Pay a supplier's invoice in full from the department's budget.

    Returns the payment's id, the order, the supplier and the amount in cents. Refused if it is paid or withheld.
    """
    invoice = lookup.open_invoice(db, invoice_id)
    payment_id, amount = db.new_id("payments"), invoice["amount"]
    db.insert("payments", id=payment_id, invoice_id=invoice_id, amount=amount, paid_at=db.clock)
    db.run("UPDATE departments SET paid = paid + ? WHERE cost_centre = ?", amount, invoice["cost_centre"])
    return {
        "payment_id": payment_id,
        "order_id": invoice["order_id"],
        "supplier_id": invoice["supplier_id"],
        "amount": amount,
    }


def withhold_payment(db: Database, *, invoice_id: InvoiceId, reason: WithholdingReason) -> Withholding:
    """Put on record that an invoice is not paid, with the reason.

    Returns the id of the withholding, the supplier, and whether order, receipt and invoice match. Refused if the
    invoice is paid or withheld already.
    """
    invoice = lookup.open_invoice(db, invoice_id)
    withholding_id = db.new_id("withholdings")
    db.insert("withholdings", id=withholding_id, invoice_id=invoice_id, reason=reason, withheld_at=db.clock)
    matched = match_invoice(db, invoice_id=invoice_id)["matched"]
    return {"withholding_id": withholding_id, "supplier_id": invoice["supplier_id"], "matched": matched}


def list_bank_changes(db: Database) -> BankChanges:
    """List announced changes of suppliers' bank details: supplier, new IBAN, date and status."""
    rows = db.query("SELECT b.*, s.name FROM bank_changes b JOIN suppliers s ON s.id = b.supplier_id ORDER BY b.id")
    return {
        "changes": [
            {
                "change_id": row["id"],
                "supplier_id": row["supplier_id"],
                "supplier": row["name"],
                "iban": row["iban"],
                "announced_on": lookup.date(row["announced_at"]),
                "status": row["status"],
            }
            for row in rows
        ]
    }


def apply_bank_change(db: Database, *, change_id: ChangeId) -> BankOutcome:
    """Enter the bank details that a supplier has announced, so that payments go to them.

    Returns the change, the supplier and the status. Refused if the change is no longer pending.
    """
    change = _pending(db, change_id)
    db.run("UPDATE suppliers SET iban = ? WHERE id = ?", change["iban"], change["supplier_id"])
    db.run("UPDATE bank_changes SET status = 'applied' WHERE id = ?", change_id)
    return {"change_id": change_id, "supplier_id": change["supplier_id"], "status": "applied"}


def reject_bank_change(db: Database, *, change_id: ChangeId, reason: BankRejectionReason) -> BankOutcome:
    """Put on record that announced bank details are not entered, with the reason.

    Returns the change, the supplier and the status. Refused if the change is no longer pending.
    """
    change = _pending(db, change_id)
    db.run("UPDATE bank_changes SET status = 'rejected', reason = ? WHERE id = ?", reason, change_id)
    return {"change_id": change_id, "supplier_id": change["supplier_id"], "status": "rejected"}


def _pending(db: Database, change_id: str) -> Row:
    change = lookup.find(db, "bank_changes", change_id)
    if change["status"] != "pending":
        raise Refused("not_pending", f"the change {change_id} has been {change['status']}")
    return change
