"""Reading accounts and their bookings."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import AccountNumber, CustomerId
from lexgym.errors import Refused
from lexgym.tools.database import Database


class AccountEntry(TypedDict):
    """An account that a customer holds or sees; money in cents."""

    account: str
    kind: Literal["current", "savings"]
    balance: int
    daily_limit: int
    status: Literal["open", "closed"]
    relation: Literal["holder", "mandate"]


class Accounts(TypedDict):
    """The accounts of a customer."""

    accounts: list[AccountEntry]


class Booking(TypedDict):
    """A booked transaction; the amount in cents is negative for a debit."""

    transaction_id: str
    account: str
    amount: int
    counterparty: str
    description: str
    booked_on: str


class Bookings(TypedDict):
    """Bookings, newest first."""

    transactions: list[Booking]


def list_accounts(db: Database, *, customer_id: CustomerId) -> Accounts:
    """List the accounts that a customer holds, and those that the customer has a mandate on record for.

    Returns IBAN, kind, balance and daily limit for payments in cents, status, and whether the customer
    is the holder or has a mandate, whatever that mandate allows.
    """
    lookup.customer(db, customer_id)
    rows = db.query(
        "SELECT number AS account, kind, balance, daily_limit, status, 'holder' AS relation FROM accounts "
        "WHERE customer_id = ? UNION ALL "
        "SELECT a.number, a.kind, a.balance, a.daily_limit, a.status, 'mandate' FROM mandates m "
        "JOIN accounts a ON a.number = m.account WHERE m.customer_id = ? ORDER BY relation, account",
        customer_id,
        customer_id,
    )
    return {
        "accounts": [
            {
                "account": row["account"],
                "kind": row["kind"],
                "balance": row["balance"],
                "daily_limit": row["daily_limit"],
                "status": row["status"],
                "relation": row["relation"],
            }
            for row in rows
        ]
    }


def list_transactions(db: Database, *, customer_id: CustomerId, account: AccountNumber | None = None) -> Bookings:
    """List booked transactions, newest first: those of one account, or of all accounts that a customer holds.

    Returns id, account, amount in cents (negative for a debit), counterparty, description and booking date.
    Refused if an account is named that the customer neither holds nor has a mandate for.
    """
    lookup.customer(db, customer_id)
    rows = db.query(
        "SELECT t.* FROM transactions t JOIN accounts a ON a.number = t.account "
        "WHERE coalesce(t.account = ?, a.customer_id = ?) ORDER BY t.booked_at DESC, t.id DESC",
        _visible(db, customer_id, account),
        customer_id,
    )
    return {
        "transactions": [
            {
                "transaction_id": row["id"],
                "account": row["account"],
                "amount": row["amount"],
                "counterparty": row["counterparty"],
                "description": row["description"],
                "booked_on": lookup.date(row["booked_at"]),
            }
            for row in rows
        ]
    }


def _visible(db: Database, customer_id: str, account: str | None) -> str | None:
    if account is None:
        return None
    row = db.one("SELECT customer_id FROM accounts WHERE number = ?", account)
    if row is None:
        raise Refused("no_such_account", f"there is no account {account} at this bank")
    mandate = db.one("SELECT 1 FROM mandates WHERE customer_id = ? AND account = ?", customer_id, account)
    if row["customer_id"] != customer_id and mandate is None:
        raise Refused("not_visible", f"customer {customer_id} does not see the account {account}")
    return account
