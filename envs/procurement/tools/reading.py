"""Reading master data: departments, people, catalogue, warehouses, suppliers."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import CostCentre, RequestId
from lexgym.tools.database import Database


class Department(TypedDict):
    """A department and its head; annual budget and what was paid from it in cents."""

    cost_centre: str
    name: str
    kind: Literal["integration lab", "laboratory", "workshop", "office"]
    site: str
    head_id: str
    budget: int
    paid: int


class Employee(TypedDict):
    """An employee of a department."""

    employee_id: str
    name: str
    job: str
    absent: bool


class Employees(TypedDict):
    """The employees of a department."""

    employees: list[Employee]


class Item(TypedDict):
    """An item of the catalogue; the price of one piece in cents."""

    item_id: str
    name: str
    unit_price: int
    hazardous: bool


class Items(TypedDict):
    """The catalogue."""

    items: list[Item]


class StockEntry(TypedDict):
    """What lies in a warehouse."""

    warehouse_id: str
    warehouse: str
    site: str
    quantity: int


class Stock(TypedDict):
    """Where the item of a request lies."""

    item_id: str
    stock: list[StockEntry]


class Supplier(TypedDict):
    """A supplier in the register."""

    supplier_id: str
    name: str
    country: str


class Suppliers(TypedDict):
    """All suppliers in the register."""

    suppliers: list[Supplier]


def get_department(db: Database, *, cost_centre: CostCentre) -> Department:
    """Return a department: name, kind, site, head, annual budget and what was paid from it, in cents."""
    row = lookup.find(db, "departments", cost_centre)
    return {
        "cost_centre": row["cost_centre"],
        "name": row["name"],
        "kind": row["kind"],
        "site": row["site"],
        "head_id": lookup.head(db, cost_centre),
        "budget": row["budget"],
        "paid": row["paid"],
    }


def list_employees(db: Database, *, cost_centre: CostCentre) -> Employees:
    """List the employees of a department: id, name, job, and whether the employee is absent today."""
    lookup.find(db, "departments", cost_centre)
    rows = db.query("SELECT * FROM employees WHERE cost_centre = ? ORDER BY id", cost_centre)
    return {
        "employees": [
            {
                "employee_id": row["id"],
                "name": f"{row['first_name']} {row['last_name']}",
                "job": row["job"],
                "absent": (row["absent_until"] or 0) > db.clock,
            }
            for row in rows
        ]
    }


def list_items(db: Database) -> Items:
    """List the catalogue: id, name and unit price in cents of each item, and whether it is a hazardous good."""
    rows = db.query("SELECT * FROM items ORDER BY id")
    return {
        "items": [
            {
                "item_id": row["id"],
                "name": row["name"],
                "unit_price": row["unit_price"],
                "hazardous": bool(row["hazardous"]),
            }
            for row in rows
        ]
    }


def list_stock(db: Database, *, request_id: RequestId) -> Stock:
    """List in which warehouses the item of a request lies: id, name, site, and how many pieces there are."""
    request = lookup.find(db, "purchase_requests", request_id)
    rows = db.query(
        "SELECT s.*, w.name, w.site FROM stock s JOIN warehouses w ON w.id = s.warehouse_id "
        "WHERE s.item_id = ? ORDER BY w.id",
        request["item_id"],
    )
    return {
        "item_id": request["item_id"],
        "stock": [
            {
                "warehouse_id": row["warehouse_id"],
                "warehouse": row["name"],
                "site": row["site"],
                "quantity": row["quantity"],
            }
            for row in rows
        ],
    }


def list_suppliers(db: Database) -> Suppliers:
    """List the suppliers in the register: id, name and country."""
    rows = db.query("SELECT * FROM suppliers ORDER BY id")
    return {"suppliers": [{"supplier_id": row["id"], "name": row["name"], "country": row["country"]} for row in rows]}
