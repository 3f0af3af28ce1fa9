"""Standing orders: the same amount to the same payee every month."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import AccountNumber, Amount, CustomerId, DayOfMonth, PayeeId, StandingOrderId
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class StandingOrder(TypedDict):
    """A standing order; the amount in cents."""

    standing_order_id: str
    account: str
    payee_id: str
    amount: int
    day: int
    status: Literal["active", "cancelled"]


class StandingOrders(TypedDict):
    """The standing orders of a customer."""

    standing_orders: list[StandingOrder]


def list_standing_orders(db: Database, *, customer_id: CustomerId) -> StandingOrders:
    """List a customer's standing orders: id, account, payee id, amount in cents, day of the month and status."""
    lookup.customer(db, customer_id)
    rows = db.query("SELECT * FROM standing_orders WHERE customer_id = ? ORDER BY id", customer_id)
    return {"standing_orders": [_entry(row) for row in rows]}


def create_standing_order(
    db: Database,
    *,
    customer_id: CustomerId,
    account: AccountNumber,
    payee_id: PayeeId,
    amount: Amount,
    day: DayOfMonth,
) -> StandingOrder:
    """Set up a monthly payment from an account to one of the customer's saved payees.

    Returns the standing order with its new id; nothing is booked now. Refused if the account is closed,
    the payee is not on this customer's list, or the payee already gets one from the customer on that day.
    """
    lookup.customer(db, customer_id)
    lookup.account(db, account)
    lookup.payee(db, payee_id, customer_id)
    if db.one(
        "SELECT 1 FROM standing_orders WHERE customer_id = ? AND payee_id = ? AND day = ? AND status = 'active'",
        customer_id,
        payee_id,
        day,
    ):
        raise Refused("standing_order_exists", f"the payee {payee_id} already gets a standing order on day {day}")
    row = {
        "id": db.new_id("standing_orders"),
        "customer_id": customer_id,
        "account": account,
        "payee_id": payee_id,
        "amount": amount,
        "day": day,
        "status": "active",
        "created_at": db.clock,
    }
    db.insert("standing_orders", **row)
    return _entry(row)


def change_standing_order(
    db: Database, *, customer_id: CustomerId, standing_order_id: StandingOrderId, amount: Amount
) -> StandingOrder:
    """Change the monthly amount of an active standing order.

    Returns the standing order after the change. Refused if it is not this customer's, is cancelled, or
    already has that amount.
    """
    row = lookup.standing_order(db, standing_order_id, customer_id)
    if row["amount"] == amount:
        raise Refused("unchanged", f"the standing order {standing_order_id} already has this amount")
    db.run("UPDATE standing_orders SET amount = ? WHERE id = ?", amount, standing_order_id)
    return _entry({**row, "amount": amount})


def cancel_standing_order(
    db: Database, *, customer_id: CustomerId, standing_order_id: StandingOrderId
) -> StandingOrder:
    """Cancel an active standing order, so that no further payment is made under it.

    Returns the standing order. Refused if it is not this customer's or is already cancelled.
    """
    row = lookup.standing_order(db, standing_order_id, customer_id)
    db.run("UPDATE standing_orders SET status = 'cancelled' WHERE id = ?", standing_order_id)
    return _entry({**row, "status": "cancelled"})


def _entry(row: Row) -> StandingOrder:
    return {
        "standing_order_id": row["id"],
        "account": row["account"],
        "payee_id": row["payee_id"],
        "amount": row["amount"],
        "day": row["day"],
        "status": row["status"],
    }
