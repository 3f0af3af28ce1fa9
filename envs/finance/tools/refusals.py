"""What the bank refuses to do, on record: payment orders, third parties' access, claims."""

from typing import Any

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import (
    AccessRefusal,
    AccountNumber,
    Amount,
    ClaimRefusal,
    CustomerId,
    DayOfMonth,
    OrderRefusal,
    PayeeId,
    ProviderId,
    StandingOrderRefusal,
    TransactionId,
)
from lexgym.tools.database import Database


class Refusal(TypedDict):
    """A refusal on record."""

    refusal_id: str
    reason: str


class PaymentRefusal(TypedDict):
    """A refused payment on record, and whether the payee is on the customer's trusted list."""

    refusal_id: str
    reason: str
    payee_trusted: bool


def decline_order(
    db: Database,
    *,
    customer_id: CustomerId,
    account: AccountNumber,
    payee_id: PayeeId,
    amount: Amount,
    reason: OrderRefusal,
) -> PaymentRefusal:
    """Put on record that the bank refuses a payment that a customer ordered, with the reason; no money moves.

    Returns the id of the refusal, and whether the payee is on the customer's trusted list. Refused if the account or
    the payee does not exist.
    """
    lookup.account(db, account)
    trusted = lookup.payee(db, payee_id, customer_id)["standing"] == "trusted"
    refusal = _record(db, customer_id, reason, account=account, payee_id=payee_id, amount=amount)
    return {"refusal_id": refusal["refusal_id"], "reason": reason, "payee_trusted": trusted}


def decline_standing_order(
    db: Database,
    *,
    customer_id: CustomerId,
    account: AccountNumber,
    payee_id: PayeeId,
    amount: Amount,
    day: DayOfMonth,
    reason: StandingOrderRefusal,
) -> Refusal:
    """Put on record that the bank refuses to set up a standing order, with the reason.

    Returns the id of the refusal. Refused if the account or the payee does not exist.
    """
    lookup.account(db, account)
    lookup.payee(db, payee_id, customer_id)
    return _record(db, customer_id, reason, account=account, payee_id=payee_id, amount=amount, day=day)


def decline_data_access(
    db: Database, *, customer_id: CustomerId, provider_id: ProviderId, reason: AccessRefusal
) -> Refusal:
    """Put on record that the bank keeps a third-party provider from a customer's account data, with the reason.

    A consent that the customer has given stays as it is. Returns the id of the refusal. Refused if the
    provider is unknown.
    """
    lookup.provider(db, provider_id)
    return _record(db, customer_id, reason, provider_id=provider_id)


def decline_claim(
    db: Database, *, customer_id: CustomerId, transaction_id: TransactionId, reason: ClaimRefusal
) -> Refusal:
    """Put on record that the bank does not refund a debit that a customer claims back as unauthorised.

    Returns the id of the refusal. Refused if the transaction is not on an account of this customer, or is
    a credit.
    """
    lookup.debit(db, transaction_id, customer_id)
    return _record(db, customer_id, reason, transaction_id=transaction_id)


def _record(db: Database, customer_id: str, reason: str, **about: Any) -> Refusal:
    lookup.customer(db, customer_id)
    refusal_id = db.new_id("refusals")
    db.insert("refusals", id=refusal_id, customer_id=customer_id, reason=reason, refused_at=db.clock, **about)
    return {"refusal_id": refusal_id, "reason": reason}
