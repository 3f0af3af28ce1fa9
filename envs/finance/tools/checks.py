"""Checks before money moves: authority over the account, payee, limit, monitoring."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import AccountNumber, Amount, CustomerId, PayeeId
from lexgym.tools.database import Database

UNUSUAL = 150_000
"""Cents above which a payment to a payee that was never paid before is unusual."""


class Authority(TypedDict):
    """Whether a customer may dispose of an account, and on what ground or why not."""

    authorized: bool
    ground: Literal["holder", "mandate", "view only", "mandate expired", "none"]


class PayeeMatch(TypedDict):
    """Whether a payee's name is the one that the payee's bank has for the IBAN."""

    matched: bool


class LimitCheck(TypedDict):
    """Whether an amount fits the daily limit; what has left the account today and what is left, in cents."""

    within_limit: bool
    spent: int
    remaining: int


class Screening(TypedDict):
    """Whether monitoring lets a payment through, and why not."""

    cleared: bool
    reason: Literal["no finding", "payee reported for fraud", "unusual amount for a new payee"]


def check_authorization(db: Database, *, customer_id: CustomerId, account: AccountNumber) -> Authority:
    """Say whether a customer may dispose of an account, as its holder or under a mandate that is in force.

    Returns `authorized`, and the ground: holder, mandate, view only, mandate expired or none.
    """
    lookup.customer(db, customer_id)
    if lookup.account(db, account)["customer_id"] == customer_id:
        return {"authorized": True, "ground": "holder"}
    mandate = db.one("SELECT * FROM mandates WHERE account = ? AND customer_id = ?", account, customer_id)
    if mandate is None:
        return {"authorized": False, "ground": "none"}
    if mandate["expires_at"] is not None and mandate["expires_at"] <= db.clock:
        return {"authorized": False, "ground": "mandate expired"}
    if mandate["power"] == "view":
        return {"authorized": False, "ground": "view only"}
    return {"authorized": True, "ground": "mandate"}


def verify_payee(db: Database, *, payee_id: PayeeId) -> PayeeMatch:
    """Ask the payee's bank whether the name of a saved payee is the name of the holder of its IBAN.

    Returns `matched`.
    """
    row = lookup.payee(db, payee_id)
    return {"matched": row["name"].casefold() == row["holder"].casefold()}


def check_spending_limit(db: Database, *, account: AccountNumber, amount: Amount) -> LimitCheck:
    """Say whether an amount in cents, with what left the account today, stays within its daily limit for payments.

    Transfers between a holder's accounts do not count. Returns `within_limit`, what has left the account today and
    what may still leave it, in cents.
    """
    row = lookup.account(db, account)
    spent = lookup.spent_today(db, account)
    remaining = max(0, row["daily_limit"] - spent)
    return {"within_limit": amount <= remaining, "spent": spent, "remaining": remaining}


def screen_payment(db: Database, *, account: AccountNumber, payee_id: PayeeId, amount: Amount) -> Screening:
    """Run an intended payment through transaction monitoring.

    Returns `cleared`, and the reason: no finding, payee reported for fraud, or unusual amount for a new payee.
    """
    lookup.account(db, account)
    lookup.payee(db, payee_id)
    if db.one("SELECT 1 FROM risk_flags WHERE payee_id = ?", payee_id):
        return {"cleared": False, "reason": "payee reported for fraud"}
    if amount > UNUSUAL and not db.one("SELECT 1 FROM payments WHERE payee_id = ?", payee_id):
        return {"cleared": False, "reason": "unusual amount for a new payee"}
    return {"cleared": True, "reason": "no finding"}
