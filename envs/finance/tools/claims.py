"""Transactions that a customer did not authorise: reports, the time limit, refunds."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.booking import book
from lexgym.envs.finance.tools.types import CustomerId, TransactionId
from lexgym.errors import Refused
from lexgym.tools.database import Database

CLAIM_SECONDS = 395 * 86_400
"""Thirteen months after the debit (Directive (EU) 2015/2366, Article 71(1))."""


class Dispute(TypedDict):
    """A customer's report that a transaction was not authorised."""

    dispute_id: str
    transaction_id: str
    status: Literal["open", "refunded"]


class Refund(TypedDict):
    """A refund; amount and balance of the account after it in cents."""

    dispute_id: str
    transaction_id: str
    amount: int
    balance: int


class Claim(TypedDict):
    """Whether a refund can be claimed for a transaction, and why not."""

    eligible: bool
    reason: Literal["within time limit", "time limit passed", "already refunded"]


def report_unauthorised_transaction(db: Database, *, customer_id: CustomerId, transaction_id: TransactionId) -> Dispute:
    """Put on record that a customer did not authorise a debit on one of the customer's accounts.

    Returns the dispute with its new id and status `open`. Refused if the transaction is not on an account
    of this customer, is a credit, or has been reported before.
    """
    lookup.customer(db, customer_id)
    lookup.debit(db, transaction_id, customer_id)
    if db.one("SELECT 1 FROM disputes WHERE transaction_id = ?", transaction_id):
        raise Refused("already_reported", f"the transaction {transaction_id} has been reported before")
    dispute_id = _open(db, customer_id, transaction_id, "open")
    return {"dispute_id": dispute_id, "transaction_id": transaction_id, "status": "open"}


def refund_unauthorised_transaction(db: Database, *, customer_id: CustomerId, transaction_id: TransactionId) -> Refund:
    """Give a customer the full amount of an unauthorised debit back, on the account it was taken from.

    Closes the dispute about it, or opens one as refunded. Returns the dispute id, and the amount and the new
    balance in cents. Refused if the transaction is not this customer's, is a credit, or was refunded before.
    """
    lookup.customer(db, customer_id)
    row = lookup.debit(db, transaction_id, customer_id)
    lookup.account(db, row["account"])
    dispute = db.one("SELECT id, status FROM disputes WHERE transaction_id = ?", transaction_id)
    if dispute is None:
        dispute_id = _open(db, customer_id, transaction_id, "refunded")
    elif dispute["status"] == "refunded":
        raise Refused("already_refunded", f"the transaction {transaction_id} was refunded before")
    else:
        dispute_id = dispute["id"]
        db.run("UPDATE disputes SET status = 'refunded' WHERE id = ?", dispute_id)
    book(db, row["account"], -row["amount"], row["counterparty"], f"Refund of {transaction_id}")
    return {
        "dispute_id": dispute_id,
        "transaction_id": transaction_id,
        "amount": -row["amount"],
        "balance": lookup.account(db, row["account"])["balance"],
    }


def check_claim(db: Database, *, transaction_id: TransactionId) -> Claim:
    """Say whether a debit can still be claimed as unauthorised.

    Returns `eligible`, and the reason: within the time limit of thirteen months after the debit, time limit
    passed, or already refunded. Refused if there is no such debit.
    """
    row = lookup.debit(db, transaction_id)
    if db.one("SELECT 1 FROM disputes WHERE transaction_id = ? AND status = 'refunded'", transaction_id):
        return {"eligible": False, "reason": "already refunded"}
    if db.clock - row["booked_at"] > CLAIM_SECONDS:
        return {"eligible": False, "reason": "time limit passed"}
    return {"eligible": True, "reason": "within time limit"}


def _open(db: Database, customer_id: str, transaction_id: str, status: str) -> str:
    dispute_id = db.new_id("disputes")
    db.insert(
        "disputes",
        id=dispute_id,
        customer_id=customer_id,
        transaction_id=transaction_id,
        status=status,
        reported_at=db.clock,
    )
    return dispute_id
