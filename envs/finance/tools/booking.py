"""Bookings: the only way that a balance changes."""

from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


def book(
    db: Database, account: str, amount: int, counterparty: str, description: str, payment_id: str | None = None
) -> str:
    """Book an amount in cents (negative for a debit) and return the transaction's id."""
    transaction_id = db.new_id("transactions")
    db.insert(
        "transactions",
        id=transaction_id,
        account=account,
        amount=amount,
        counterparty=counterparty,
        description=description,
        payment_id=payment_id,
        booked_at=db.clock,
    )
    db.run("UPDATE accounts SET balance = balance + ? WHERE number = ?", amount, account)
    return transaction_id


def require_funds(account: Row, amount: int) -> int:
    """Return the balance after a debit, or refuse with `insufficient_funds`."""
    left: int = account["balance"] - amount
    if left < 0:
        raise Refused("insufficient_funds", f"the balance is {account['balance']} cents, the order {amount} cents")
    return left
