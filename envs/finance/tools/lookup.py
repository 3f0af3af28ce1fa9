"""Finding the rows that a call names, or refusing: no such row, or a row of somebody else."""

from datetime import UTC, datetime

from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

DAY = 86_400


def customer(db: Database, customer_id: str) -> Row:
    """Return the customer, or refuse with `no_such_customer`."""
    row = db.one("SELECT * FROM customers WHERE id = ?", customer_id)
    if row is None:
        raise Refused("no_such_customer", f"there is no customer {customer_id}")
    return row


def account(db: Database, number: str) -> Row:
    """Return the open account, or refuse with `no_such_account` or `account_closed`."""
    row = db.one("SELECT * FROM accounts WHERE number = ?", number)
    if row is None:
        raise Refused("no_such_account", f"there is no account {number} at this bank")
    if row["status"] == "closed":
        raise Refused("account_closed", f"the account {number} is closed")
    return row


def spent_today(db: Database, number: str) -> int:
    """Return the cents that payments have taken from an account today, transfers between own accounts aside."""
    [row] = db.query(
        "SELECT coalesce(sum(amount), 0) AS cents FROM payments "
        "WHERE account = ? AND payee_id IS NOT NULL AND created_at >= ?",
        number,
        db.clock // DAY * DAY,
    )
    cents: int = row["cents"]
    return cents


def payee(db: Database, payee_id: str, customer_id: str | None = None) -> Row:
    """Return the payee, or refuse with `no_such_payee` if there is none or it is on another customer's list."""
    row = db.one("SELECT * FROM payees WHERE id = ?", payee_id)
    if row is None or customer_id not in (None, row["customer_id"]):
        owner = f" of customer {customer_id}" if customer_id else ""
        raise Refused("no_such_payee", f"there is no payee {payee_id}{owner}")
    return row


def card(db: Database, card_id: str, customer_id: str) -> Row:
    """Return the card, or refuse with `no_such_card`."""
    row = db.one("SELECT * FROM cards WHERE id = ? AND customer_id = ?", card_id, customer_id)
    if row is None:
        raise Refused("no_such_card", f"there is no card {card_id} of customer {customer_id}")
    return row


def card_ending(db: Database, last_four: str, customer_id: str) -> Row:
    """Return the card by the end of its number, or refuse with `no_such_card`."""
    row = db.one("SELECT * FROM cards WHERE last_four = ? AND customer_id = ?", last_four, customer_id)
    if row is None:
        raise Refused("no_such_card", f"there is no card of customer {customer_id} that ends in {last_four}")
    return row


def phone(db: Database, phone_id: str, customer_id: str) -> Row:
    """Return the phone entry, or refuse with `no_such_phone`."""
    row = db.one("SELECT * FROM phones WHERE id = ? AND customer_id = ?", phone_id, customer_id)
    if row is None:
        raise Refused("no_such_phone", f"there is no phone {phone_id} of customer {customer_id}")
    return row


def consent(db: Database, consent_id: str, customer_id: str) -> Row:
    """Return the consent, or refuse with `no_such_consent`."""
    row = db.one("SELECT * FROM consents WHERE id = ? AND customer_id = ?", consent_id, customer_id)
    if row is None:
        raise Refused("no_such_consent", f"there is no consent {consent_id} of customer {customer_id}")
    return row


def standing_order(db: Database, standing_order_id: str, customer_id: str) -> Row:
    """Return the active standing order, or refuse with `no_such_standing_order` or `already_cancelled`."""
    row = db.one("SELECT * FROM standing_orders WHERE id = ? AND customer_id = ?", standing_order_id, customer_id)
    if row is None:
        raise Refused(
            "no_such_standing_order", f"there is no standing order {standing_order_id} of customer {customer_id}"
        )
    if row["status"] == "cancelled":
        raise Refused("already_cancelled", f"the standing order {standing_order_id} is cancelled")
    return row


def provider(db: Database, provider_id: str) -> Row:
    """Return the third-party provider, or refuse with `no_such_provider`."""
    row = db.one("SELECT * FROM providers WHERE id = ?", provider_id)
    if row is None:
        raise Refused("no_such_provider", f"there is no provider {provider_id}")
    return row


def debit(db: Database, transaction_id: str, customer_id: str | None = None) -> Row:
    """Return a debit and its account's holder, or refuse with `no_such_transaction` or `not_a_debit`."""
    row = db.one(
        "SELECT t.*, a.customer_id FROM transactions t JOIN accounts a ON a.number = t.account WHERE t.id = ?",
        transaction_id,
    )
    if row is None or customer_id not in (None, row["customer_id"]):
        owner = f" on an account of customer {customer_id}" if customer_id else ""
        raise Refused("no_such_transaction", f"there is no transaction {transaction_id}{owner}")
    if row["amount"] > 0:
        raise Refused("not_a_debit", f"the transaction {transaction_id} put money on the account")
    return row


def date(seconds: int) -> str:
    """Return the day of a time as an ISO date."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
