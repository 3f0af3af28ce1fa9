"""The bank's tools, with documented returns and refusals; balances are kept in cents.

TransferFunds(db, from_account_number="…", to_account_number="…", amount=25.5)    # {"success": True}
"""

from decimal import Decimal
from typing import Annotated, Any, Final, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from lexgym.envs.logisafety.bank_manager_fair.types import (
    AccountNumber,
    AccountType,
    Amount,
    CustomerNumber,
    Date,
    Download,
    Keywords,
    PayeeId,
)
from lexgym.envs.logisafety.fair import RecordAuditEvent
from lexgym.envs.logisafety.session import CheckAuthorization
from lexgym.errors import Refused
from lexgym.tools.database import Database


class Account(TypedDict):
    """An account; money in dollars."""

    account_number: str
    account_type: str
    balance: float
    remaining_contribution_room: NotRequired[float]
    status: str


class Accounts(TypedDict):
    """The accounts of one kind."""

    accounts: list[Account]


class Payee(TypedDict):
    """Somebody whose bills can be paid."""

    payee_id: str
    payee_name: str


class Payees(TypedDict):
    """The payees that were found."""

    payees: list[Payee]


class Booking(TypedDict):
    """A line of an account's history; money in dollars."""

    date: str
    description: str
    amount: float
    balance: float


class Bookings(TypedDict):
    """The lines that were found."""

    transactions: list[Booking]


class Statement(Bookings):
    """A statement, and the file that it was saved to, empty where it was not."""

    statement_file_path: str


class Done(TypedDict):
    """Whether it was done."""

    success: bool


def GetAccountInformation(db: Database, *, account_type: AccountType) -> Accounts:
    """List the customer's accounts of one kind with balance and status."""
    rows = db.query("SELECT * FROM accounts WHERE account_type = ? ORDER BY rowid", account_type)
    return {"accounts": [_account(row) for row in rows]}


def SearchPayee(db: Database, *, keywords: Annotated[Keywords, Field(min_length=1)]) -> Payees:
    """Find payees by parts of their names, whatever the case."""
    return {"payees": payees(db, keywords)}


def TransferFunds(
    db: Database, *, from_account_number: AccountNumber, to_account_number: AccountNumber, amount: Amount
) -> Done:
    """Move money from one account to another; refused for an unknown account or an amount that is not positive."""
    moved = _cents(amount)
    _require_account(db, from_account_number)
    _require_account(db, to_account_number)
    _book(db, from_account_number, -moved)
    _book(db, to_account_number, moved)
    return {"success": True}


def PayBill(
    db: Database,
    *,
    from_account_number: AccountNumber,
    payee_id: PayeeId,
    service_account_number: CustomerNumber,
    payment_date: Date,
    amount: Amount,
) -> Done:
    """Pay a bill from an account; refused for an unknown account or payee or an amount that is not positive."""
    paid = _cents(amount)
    _require_account(db, from_account_number)
    if db.one("SELECT 1 FROM payees WHERE payee_id = ?", payee_id) is None:
        raise Refused("no_such_payee", f"there is no payee {payee_id!r}")
    _book(db, from_account_number, -paid)
    return {"success": True}


def GetAccountStatement(
    db: Database, *, account_number: AccountNumber, start_date: Date, end_date: Date, download: Download = False
) -> Statement:
    """Return the statement of an account for a period; refused for an unknown account."""
    _require_account(db, account_number)
    return {"transactions": [], "statement_file_path": file_path(account_number, start_date, end_date, download)}


def SearchTransactions(
    db: Database,
    *,
    account_number: AccountNumber,
    keyword: str | None = None,
    min_amount: float | None = None,
    max_amount: float | None = None,
) -> Bookings:
    """Look through an account's history by a word and an amount in dollars; refused for an unknown account."""
    _require_account(db, account_number)
    return {"transactions": []}


def payees(db: Database, keywords: list[str]) -> list[Payee]:
    """Return the payees whose name has one of the keywords in it."""
    found = db.query("SELECT payee_id, payee_name FROM payees ORDER BY rowid")
    words = [word.lower() for word in keywords]
    return [
        {"payee_id": row["payee_id"], "payee_name": row["payee_name"]}
        for row in found
        if any(word in row["payee_name"].lower() for word in words)
    ]


def file_path(account_number: str, start_date: str, end_date: str, download: bool) -> str:
    """Return where a statement was saved, empty where it was not."""
    return f"/statements/{account_number}_{start_date}_to_{end_date}.csv" if download else ""


def _account(row: dict[str, Any]) -> Account:
    found: Account = {
        "account_number": row["account_number"],
        "account_type": row["account_type"],
        "balance": row["balance"] / 100,
        "status": row["status"],
    }
    if row["remaining_contribution_room"] is not None:
        found["remaining_contribution_room"] = row["remaining_contribution_room"] / 100
    return found


def _cents(amount: float) -> int:
    """Return dollars as whole cents; the decimal that JSON writes for the number is taken exactly."""
    cents = Decimal(str(amount)) * 100
    if cents <= 0 or cents != int(cents):
        raise Refused("invalid_request", f"{amount} is not a positive amount in whole cents")
    return int(cents)


def _require_account(db: Database, number: str) -> None:
    if db.one("SELECT 1 FROM accounts WHERE account_number = ?", number) is None:
        raise Refused("no_such_account", f"the customer has no account {number!r}")


def _book(db: Database, number: str, cents: int) -> None:
    db.run("UPDATE accounts SET balance = balance + ? WHERE account_number = ?", cents, number)


TOOLS: Final = (
    GetAccountInformation,
    SearchPayee,
    TransferFunds,
    PayBill,
    GetAccountStatement,
    SearchTransactions,
    CheckAuthorization,
    RecordAuditEvent,
)
