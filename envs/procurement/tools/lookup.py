"""Finding the rows that a call names, or refusing: no such row, or a row that is closed."""

from datetime import UTC, datetime

from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

BANDS = (100_000, 1_000_000, 5_000_000)
"""Upper ends, in cents, of value bands A, B and C (manual, section 6.1); band D is above."""


def find(db: Database, table: str, key: str) -> Row:
    """Return the row of a table with this key, or refuse with `no_such_…`."""
    column = db.schema.tables[table].key[0]
    row = db.one(f"SELECT * FROM {table} WHERE {column} = ?", key)
    if row is None:
        name = _NAMES[table]
        raise Refused(f"no_such_{name.replace(' ', '_')}", f"there is no {name} {key}")
    return row


def open_request(db: Database, request_id: str) -> Row:
    """Return a request that nothing has met yet, or refuse with `already_supplied` or `already_ordered`."""
    row = unsupplied_request(db, request_id)
    if order := db.one("SELECT id FROM orders WHERE request_id = ? AND status = 'open'", request_id):
        raise Refused("already_ordered", f"there is an order for the request {request_id}: {order['id']}")
    return row


def unsupplied_request(db: Database, request_id: str) -> Row:
    """Return a request that was met neither from a warehouse nor from the legacy portal, or refuse."""
    row = find(db, "purchase_requests", request_id)
    if db.one("SELECT 1 FROM allocations WHERE request_id = ?", request_id) or db.one(
        "SELECT 1 FROM claims c JOIN portal_offers o ON o.id = c.offer_id WHERE o.request_id = ?", request_id
    ):
        raise Refused("already_supplied", f"the request {request_id} has been met already")
    return row


def open_order(db: Database, order_id: str) -> Row:
    """Return an order that still runs, or refuse with `order_cancelled`."""
    row = find(db, "orders", order_id)
    if row["status"] == "cancelled":
        raise Refused("order_cancelled", f"the order {order_id} is cancelled")
    return row


def undelivered_order(db: Database, order_id: str) -> Row:
    """Return an order with neither receipt nor rejection, or refuse."""
    row = open_order(db, order_id)
    if db.one("SELECT 1 FROM receipts WHERE order_id = ?", order_id):
        raise Refused("already_received", f"the goods of {order_id} have been received")
    if db.one("SELECT 1 FROM rejections WHERE order_id = ?", order_id):
        raise Refused("delivery_rejected", f"the delivery of {order_id} was sent back")
    return row


def open_invoice(db: Database, invoice_id: str) -> Row:
    """Return an invoice with its supplier and cost centre that is neither paid nor withheld, or refuse."""
    find(db, "invoices", invoice_id)
    if db.one("SELECT 1 FROM payments WHERE invoice_id = ?", invoice_id):
        raise Refused("already_paid", f"the invoice {invoice_id} has been paid")
    if db.one("SELECT 1 FROM withholdings WHERE invoice_id = ?", invoice_id):
        raise Refused("payment_withheld", f"payment of the invoice {invoice_id} is withheld")
    [row] = db.query(
        "SELECT i.*, o.supplier_id, r.cost_centre FROM invoices i JOIN orders o ON o.id = i.order_id "
        "JOIN purchase_requests r ON r.id = o.request_id WHERE i.id = ?",
        invoice_id,
    )
    return row


def head(db: Database, cost_centre: str) -> str:
    """Return the head of a department, who is its first employee."""
    rows = db.query("SELECT id FROM employees WHERE cost_centre = ? ORDER BY id LIMIT 1", cost_centre)
    return str(rows[0]["id"])


def catalogue_value(db: Database, request: Row) -> int:
    """Return what the pieces that a request asks for cost by the catalogue, in cents."""
    value: int = find(db, "items", request["item_id"])["unit_price"] * request["quantity"]
    return value


def band(amount: int) -> int:
    """Return the value band of an amount in cents: 0 (A) to 3 (D)."""
    return sum(amount > limit for limit in BANDS)


def date(seconds: int) -> str:
    """Return the day of a time as an ISO date."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


_NAMES = {
    "bank_changes": "bank change",
    "departments": "department",
    "employees": "employee",
    "incoming_quotations": "incoming quotation",
    "invoices": "invoice",
    "items": "item",
    "orders": "order",
    "portal_offers": "offer",
    "purchase_requests": "request",
    "quotations": "quotation",
    "suppliers": "supplier",
    "warehouses": "warehouse",
}
