"""Finding customers, reading and changing how they are reached."""

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import CustomerId, Email, LastName, Phone
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class CustomerEntry(TypedDict):
    """A customer as the index shows one."""

    customer_id: str
    name: str
    birth_date: str
    city: str


class CustomerIndex(TypedDict):
    """The customers found."""

    customers: list[CustomerEntry]


class Profile(TypedDict):
    """A customer with the contact details on file."""

    customer_id: str
    name: str
    birth_date: str
    city: str
    email: str
    phone: str


class Contact(TypedDict):
    """The contact details on file after a change."""

    customer_id: str
    email: str
    phone: str


def find_customers(db: Database, *, last_name: LastName) -> CustomerIndex:
    """Find customers by last name.

    Returns id, full name, birth date and city of everyone with that name; an empty list if nobody has it.
    """
    rows = db.query(
        "SELECT * FROM customers WHERE last_name = ? COLLATE NOCASE ORDER BY id",
        last_name,
    )
    return {
        "customers": [
            {"customer_id": row["id"], "name": _name(row), "birth_date": row["birth_date"], "city": row["city"]}
            for row in rows
        ]
    }


def get_customer_profile(db: Database, *, customer_id: CustomerId) -> Profile:
    """Read a customer's name, birth date, city, e-mail address and phone number."""
    row = lookup.customer(db, customer_id)
    return {
        "customer_id": customer_id,
        "name": _name(row),
        "birth_date": row["birth_date"],
        "city": row["city"],
        "email": row["email"],
        "phone": row["phone"],
    }


def change_email_address(db: Database, *, customer_id: CustomerId, email: Email) -> Contact:
    """Replace the e-mail address that the bank has on file for a customer.

    Returns the contact details after the change. Refused if the address is already on file.
    """
    return _change(db, customer_id, "email", email)


def change_phone_number(db: Database, *, customer_id: CustomerId, phone: Phone) -> Contact:
    """Replace the phone number that the bank has on file for a customer.

    Returns the contact details after the change. Refused if the number is already on file.
    """
    return _change(db, customer_id, "phone", phone)


def _name(row: Row) -> str:
    return f"{row['first_name']} {row['last_name']}"


def _change(db: Database, customer_id: str, column: str, value: str) -> Contact:
    row = lookup.customer(db, customer_id)
    if row[column] == value:
        raise Refused("unchanged", f"{value} is already on file for {customer_id}")
    db.run(f"UPDATE customers SET {column} = ? WHERE id = ?", value, customer_id)
    changed = lookup.customer(db, customer_id)
    return {"customer_id": customer_id, "email": changed["email"], "phone": changed["phone"]}
