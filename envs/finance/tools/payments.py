"""Moving money: payments to payees, and transfers between a holder's accounts."""

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.booking import book, require_funds
from lexgym.envs.finance.tools.types import AccountNumber, Amount, CustomerId, PayeeId, Reference
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Payment(TypedDict):
    """An executed payment; money in cents, the balance after it, and what had left the account today before."""

    payment_id: str
    transaction_id: str
    amount: int
    balance: int
    payee_trusted: bool
    spent_before: int


class Transfer(TypedDict):
    """An executed transfer; money in cents, balances after it."""

    payment_id: str
    amount: int
    balance: int
    to_balance: int


def initiate_payment(
    db: Database,
    *,
    customer_id: CustomerId,
    account: AccountNumber,
    payee_id: PayeeId,
    amount: Amount,
    reference: Reference,
) -> Payment:
    """Execute a payment that a customer orders, from an account to one of that customer's saved payees.

    Books the debit at once. Returns the ids of payment and booking, the amount, the balance left in cents,
    whether the payee is on the customer's trusted list, and what had left the account today before it. Refused
    if the account is closed, the payee is not on this customer's list, or the balance is too low.
    """
    lookup.customer(db, customer_id)
    source = lookup.account(db, account)
    payee = lookup.payee(db, payee_id, customer_id)
    if payee["iban"] == account:
        raise Refused("same_account", "the payee's account is the account to be debited")
    balance, spent_before = require_funds(source, amount), lookup.spent_today(db, account)
    payment_id = db.new_id("payments")
    db.insert(
        "payments",
        id=payment_id,
        customer_id=customer_id,
        account=account,
        payee_id=payee_id,
        amount=amount,
        reference=reference,
        created_at=db.clock,
    )
    transaction_id = book(db, account, -amount, payee["name"], reference, payment_id)
    if db.one("SELECT 1 FROM accounts WHERE number = ? AND status = 'open'", payee["iban"]):
        payer = lookup.customer(db, source["customer_id"])
        book(db, payee["iban"], amount, f"{payer['first_name']} {payer['last_name']}", reference, payment_id)
    return {
        "payment_id": payment_id,
        "transaction_id": transaction_id,
        "amount": amount,
        "balance": balance,
        "payee_trusted": payee["standing"] == "trusted",
        "spent_before": spent_before,
    }


def transfer_between_own_accounts(
    db: Database, *, customer_id: CustomerId, account: AccountNumber, to_account: AccountNumber, amount: Amount
) -> Transfer:
    """Move money from one account to another account of the same holder at this bank, as a customer orders.

    Returns the payment id, the amount and both balances in cents. Refused if an account is closed, the two
    accounts have different holders, or the balance is too low.
    """
    lookup.customer(db, customer_id)
    source, target = lookup.account(db, account), lookup.account(db, to_account)
    if account == to_account:
        raise Refused("same_account", "both accounts are the same")
    if source["customer_id"] != target["customer_id"]:
        raise Refused("different_holders", "the two accounts do not have the same holder")
    balance = require_funds(source, amount)
    payment_id = db.new_id("payments")
    db.insert(
        "payments",
        id=payment_id,
        customer_id=customer_id,
        account=account,
        to_account=to_account,
        amount=amount,
        reference="Own transfer",
        created_at=db.clock,
    )
    book(db, account, -amount, "Own account", "Own transfer", payment_id)
    book(db, to_account, amount, "Own account", "Own transfer", payment_id)
    return {
        "payment_id": payment_id,
        "amount": amount,
        "balance": balance,
        "to_balance": target["balance"] + amount,
    }
