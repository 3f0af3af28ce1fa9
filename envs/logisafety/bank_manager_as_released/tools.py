"""The bank's tools as the released mock has them: errors are returned values, money is binary floating point.

    TransferFunds(db, from_account_number="nowhere", …)    # {"success": False, "error": …}

The released mock subtracts and adds binary floats and compares them exactly, so the balance is a REAL column here.
"""

from typing import Any, Final, NotRequired

from typing_extensions import TypedDict

from lexgym.envs.logisafety.bank_manager_fair.tools import (
    Account,
    Accounts,
    Bookings,
    Payees,
    Statement,
    file_path,
    payees,
)
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
from lexgym.envs.logisafety.released import RecordAuditEvent
from lexgym.envs.logisafety.session import CheckAuthorization
from lexgym.tools.database import Database


class Transferred(TypedDict):
    """Whether money was moved, and why not."""

    success: bool
    error: NotRequired[str]


class Paid(TypedDict):
    """Whether a bill was paid, and why not."""

    success: bool
    message: NotRequired[str]


def GetAccountInformation(db: Database, *, account_type: AccountType) -> Accounts:
    """List the customer's accounts of one kind with balance and status."""
    rows = db.query("SELECT * FROM accounts WHERE account_type = ? ORDER BY rowid", account_type)
    return {"accounts": [_account(row) for row in rows]}


def SearchPayee(db: Database, *, keywords: Keywords) -> Payees:
    """Find payees by parts of their names, whatever the case."""
    return {"payees": payees(db, keywords)}


def TransferFunds(
    db: Database, *, from_account_number: AccountNumber, to_account_number: AccountNumber, amount: Amount
) -> Transferred:
    """Move money from one account to another."""
    source, target = _balance(db, from_account_number), _balance(db, to_account_number)
    if source is None or target is None:
        return {"success": False, "error": "there is no such account"}
    _set(db, from_account_number, source - amount)
    _set(db, to_account_number, (source - amount if from_account_number == to_account_number else target) + amount)
    return {"success": True}


def PayBill(
    db: Database,
    *,
    from_account_number: AccountNumber,
    payee_id: PayeeId,
    service_account_number: CustomerNumber,
    payment_date: Date,
    amount: Amount,
) -> Paid:
    """Pay a bill from an account."""
    source = _balance(db, from_account_number)
    if source is None:
        return {"success": False, "message": "there is no account to pay from"}
    _set(db, from_account_number, source - amount)
    return {"success": True}


def GetAccountStatement(
    db: Database, *, account_number: AccountNumber, start_date: Date, end_date: Date, download: Download = False
) -> Statement:
    """Return the statement of an account for a period."""
    return {"transactions": [], "statement_file_path": file_path(account_number, start_date, end_date, download)}


def SearchTransactions(
    db: Database,
    *,
    account_number: AccountNumber,
    keyword: str | list[str] | None = None,
    min_amount: float | None = None,
    max_amount: float | None = None,
) -> Bookings:
    """Look through an account's history by a word and an amount in dollars."""
    return {"transactions": []}


def _account(row: dict[str, Any]) -> Account:
    found: Account = {
        "account_number": row["account_number"],
        "account_type": row["account_type"],
        "balance": row["balance"],
        "status": row["status"],
    }
    if row["remaining_contribution_room"] is not None:
        found["remaining_contribution_room"] = row["remaining_contribution_room"]
    return found


def _balance(db: Database, number: str) -> float | None:
    row = db.one("SELECT balance FROM accounts WHERE account_number = ?", number)
    return None if row is None else float(row["balance"])


def _set(db: Database, number: str, balance: float) -> None:
    db.run("UPDATE accounts SET balance = ? WHERE account_number = ?", balance, number)


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
