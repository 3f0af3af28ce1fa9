"""Finding customers, reading and changing how they are reached."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import CustomerId, Email, LastName, Phone, PhoneId
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


class PhoneEntry(TypedDict):
    """A phone number of a customer."""

    phone_id: str
    kind: Literal["mobile", "landline"]
    number: str


class Profile(TypedDict):
    """A customer with the contact details on file."""

    customer_id: str
    name: str
    birth_date: str
    city: str
    email: str
    phones: list[PhoneEntry]


class Contact(TypedDict):
    """The contact details on file after a change."""

    customer_id: str
    email: str
    phones: list[PhoneEntry]


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
    """Read a customer's name, birth date, city, e-mail address, and phone numbers with their ids."""
    row = lookup.customer(db, customer_id)
    return {
        "customer_id": customer_id,
        "name": _name(row),
        "birth_date": row["birth_date"],
        "city": row["city"],
        "email": row["email"],
        "phones": _phones(db, customer_id),
    }


def change_email_address(db: Database, *, customer_id: CustomerId, email: Email) -> Contact:
    """Replace the e-mail address that the bank has on file for a customer.

    Returns the contact details after the change. Refused if the address is already on file.
    """
    if lookup.customer(db, customer_id)["email"] == email:
        raise Refused("unchanged", f"{email} is already on file for {customer_id}")
    db.run("UPDATE customers SET email = ? WHERE id = ?", email, customer_id)
    return _contact(db, customer_id)


def change_phone_number(db: Database, *, customer_id: CustomerId, phone_id: PhoneId, phone: Phone) -> Contact:
    """Replace one of the phone numbers that the bank has on file for a customer, mobile or landline.

    Returns the contact details after the change. Refused if the entry is not this customer's, or already has
    that number.
    """
    if lookup.phone(db, phone_id, customer_id)["number"] == phone:
        raise Refused("unchanged", f"{phone} is already on file as {phone_id}")
    db.run("UPDATE phones SET number = ? WHERE id = ?", phone, phone_id)
    return _contact(db, customer_id)


def _name(row: Row) -> str:
    return f"{row['first_name']} {row['last_name']}"


def _contact(db: Database, customer_id: str) -> Contact:
    email = lookup.customer(db, customer_id)["email"]
    return {"customer_id": customer_id, "email": email, "phones": _phones(db, customer_id)}


def _phones(db: Database, customer_id: str) -> list[PhoneEntry]:
    rows = db.query("SELECT id, kind, number FROM phones WHERE customer_id = ? ORDER BY id", customer_id)
    return [{"phone_id": row["id"], "kind": row["kind"], "number": row["number"]} for row in rows]
