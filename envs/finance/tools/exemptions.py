"""Payments that need no approval because they are small, as long as few of them were made since the last approval."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import Amount, CustomerId, PayeeId
from lexgym.tools.database import Database

LOW_VALUE = 3_000
"""Most cents of one payment (Delegated Regulation (EU) 2018/389, Article 16(a))."""

MOST_CENTS = 10_000
"""Most cents of all earlier payments since the last approval (Article 16(b))."""

MOST_PAYMENTS = 5
"""Most earlier payments since the last approval (Article 16(c))."""

Reason: TypeAlias = Literal[
    "within the limits", "over 30 euros", "over 100 euros since the last approval", "over five payments in a row"
]


class Exemption(TypedDict):
    """Whether a payment needs no approval because it is small; number and cents of those since the last approval."""

    exempt: bool
    reason: Reason
    payments: int
    spent: int


def check_low_value_exemption(db: Database, *, customer_id: CustomerId, payee_id: PayeeId, amount: Amount) -> Exemption:
    """Say whether an intended payment is exempt from the customer's approval because it is small.

    It is if it is not over 30 euros, and if what the customer has paid since last approving a payment is not over
    100 euros in all and not over five payments. Payments that were approved themselves do not count, nor do transfers
    between a holder's accounts. Returns `exempt` and the reason, and number and cents of the payments that count.
    Refused if the payee is not on this customer's list.
    """
    lookup.customer(db, customer_id)
    lookup.payee(db, payee_id, customer_id)
    amounts = _since_the_last_approval(db, customer_id)
    reason = _reason(amount, amounts)
    return {
        "exempt": reason == "within the limits",
        "reason": reason,
        "payments": len(amounts),
        "spent": sum(amounts),
    }


def _reason(amount: int, earlier: list[int]) -> Reason:
    if amount > LOW_VALUE:
        return "over 30 euros"
    if sum(earlier) > MOST_CENTS:
        return "over 100 euros since the last approval"
    return "over five payments in a row" if len(earlier) > MOST_PAYMENTS else "within the limits"


def _since_the_last_approval(db: Database, customer_id: str) -> list[int]:
    """The amounts of a customer's payments since the last approval, without those that were approved themselves."""
    amounts: list[int] = []
    approved: list[tuple[str, int]] = []
    for row in db.query(_HISTORY, customer_id, customer_id):
        this = (row["payee_id"], row["amount"])
        if row["approval"]:
            approved.append(this)
            amounts.clear()
        elif this in approved:
            approved.remove(this)
        else:
            amounts.append(row["amount"])
    return amounts


_HISTORY = """
    SELECT payee_id, amount, sent_at AS at, id, 1 AS approval FROM challenges
    WHERE customer_id = ? AND purpose = 'payment' AND outcome = 'approved'
    UNION ALL
    SELECT payee_id, amount, created_at, id, 0 FROM payments WHERE customer_id = ? AND payee_id IS NOT NULL
    ORDER BY at, approval DESC, id
"""
