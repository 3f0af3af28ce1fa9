"""The payee list of a customer."""

from typing_extensions import TypedDict

from lexgym.envs.finance.iban import is_iban
from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import CustomerId, Iban, PayeeId, PayeeName
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Payee(TypedDict):
    """A payee on a customer's list."""

    payee_id: str
    name: str
    iban: str
    trusted: bool


class Payees(TypedDict):
    """The payee list of a customer."""

    payees: list[Payee]


def list_payees(db: Database, *, customer_id: CustomerId) -> Payees:
    """List the payees that a customer has saved: id, name, IBAN, and whether the customer marked them as trusted."""
    lookup.customer(db, customer_id)
    rows = db.query("SELECT * FROM payees WHERE customer_id = ? ORDER BY name", customer_id)
    return {"payees": [_payee(row) for row in rows]}


def add_payee(db: Database, *, customer_id: CustomerId, name: PayeeName, iban: Iban) -> Payee:
    """Save a new payee on a customer's list, not marked as trusted.

    Returns the payee with its new id. Refused if the IBAN's check digits are wrong, or if the customer
    already has a payee with this name or this IBAN.
    """
    lookup.customer(db, customer_id)
    if not is_iban(iban):
        raise Refused("invalid_iban", f"the check digits of {iban} are wrong")
    if db.one("SELECT 1 FROM payees WHERE customer_id = ? AND (name = ? OR iban = ?)", customer_id, name, iban):
        raise Refused("payee_exists", f"customer {customer_id} already has a payee with this name or IBAN")
    payee_id = db.new_id("payees")
    holder = _holder(db, iban) or name
    db.insert("payees", id=payee_id, customer_id=customer_id, name=name, iban=iban, holder=holder, standing="ordinary")
    return {"payee_id": payee_id, "name": name, "iban": iban, "trusted": False}


def set_payee_trusted(db: Database, *, customer_id: CustomerId, payee_id: PayeeId, trusted: bool) -> Payee:
    """Put a saved payee on the customer's list of trusted beneficiaries (true) or take it off (false).

    Returns the payee. Refused if the payee is not on this customer's list or nothing would change.
    """
    lookup.customer(db, customer_id)
    row = lookup.payee(db, payee_id, customer_id)
    standing = "trusted" if trusted else "ordinary"
    if row["standing"] == standing:
        raise Refused("unchanged", f"the payee {payee_id} is {'already' if trusted else 'not'} trusted")
    db.run("UPDATE payees SET standing = ? WHERE id = ?", standing, payee_id)
    change = {"customer_id": customer_id, "payee_id": payee_id, "standing": standing, "changed_at": db.clock}
    db.insert("trust_changes", id=db.new_id("trust_changes"), **change)
    return _payee({**row, "standing": standing})


def _payee(row: Row) -> Payee:
    trusted = row["standing"] == "trusted"
    return {"payee_id": row["id"], "name": row["name"], "iban": row["iban"], "trusted": trusted}


def _holder(db: Database, iban: str) -> str | None:
    """The holder's name as the payee's bank has it, where this bank has met the IBAN before."""
    row = db.one("SELECT holder FROM payees WHERE iban = ? ORDER BY id", iban) or db.one(
        "SELECT c.first_name || ' ' || c.last_name AS holder FROM accounts a "
        "JOIN customers c ON c.id = a.customer_id WHERE a.number = ?",
        iban,
    )
    return row["holder"] if row else None
