"""Purchase requests before the episode: who asks for how many pieces of what, and who is to approve it."""

import random
from collections.abc import Sequence

from lexgym.envs.procurement import names
from lexgym.envs.procurement.pools import purpose
from lexgym.envs.procurement.tools import lookup
from lexgym.tools.database import Database, Row

DAY = 86_400
PIECES = (1, 1, 2, 2, 3, 4, 5, 6)
VALUES = {
    "small": (20, 200),
    "A": (300, 800),
    "A+": (600, 800),
    "B": (1_150, 8_500),
    "B+": (6_500, 8_500),
    "C": (11_600, 18_000),
    "C*": (21_500, 24_900),
    "C+": (26_000, 42_000),
    "D": (58_000, 160_000),
}
"""What all the pieces of a request cost by the catalogue, in euros: well inside the value bands of the manual."""


def add_request(
    db: Database,
    rng: random.Random,
    cost_centre: str,
    values: Sequence[str],
    *,
    stocked: bool = False,
    by_head: bool = False,
    recent: bool = True,
) -> Row:
    """Add a request of one of these values, with an approver, and return it.

    It is for an item that can be had from a warehouse, or for one that cannot, and that the department has not
    ordered lately; by somebody who has not asked for the item yet; and, with `recent`, not older than 40 days.
    """
    requester_id, item, quantity = _choose(db, rng, cost_centre, values, stocked, by_head)
    days = rng.randint(2, 40) if recent else rng.randint(78, 120)
    row = {
        "id": db.new_id("purchase_requests"),
        "cost_centre": cost_centre,
        "requester_id": requester_id,
        "item_id": item["id"],
        "quantity": quantity,
        "purpose": purpose(rng, names.kind(item["name"])),
        "submitted_at": db.clock - days * DAY,
    }
    db.insert("purchase_requests", **row)
    route(db, row, lookup.head(db, cost_centre))
    return row


def route(db: Database, request: Row, approver_id: str, answer: str = "approve") -> None:
    """Name the approver of a request, and what this approver will say."""
    db.run("DELETE FROM approval_routes WHERE request_id = ?", request["id"])
    db.insert("approval_routes", request_id=request["id"], approver_id=approver_id, answer=answer)


def staff(db: Database, cost_centre: str) -> list[str]:
    """Return the employees of a department but its head, the deputy first."""
    rows = db.query("SELECT id FROM employees WHERE cost_centre = ? ORDER BY id", cost_centre)
    return [row["id"] for row in rows][1:]


def _choose(
    db: Database, rng: random.Random, cost_centre: str, values: Sequence[str], stocked: bool, by_head: bool
) -> tuple[str, Row, int]:
    """Choose requester, item and pieces, of the first of the values, in random order, that there is."""
    people = [lookup.head(db, cost_centre)] if by_head else staff(db, cost_centre)
    asked = {(r["requester_id"], r["item_id"]) for r in db.query("SELECT * FROM purchase_requests")}
    wanted = {item_id for person, item_id in asked if person in (*people, lookup.head(db, cost_centre))}
    items = [item for item in _items(db, cost_centre, stocked) if any((p, item["id"]) not in asked for p in people)]
    fitting: list[tuple[Row, int]] = []
    for value in (*rng.sample(values, len(values)), "A", "B", "C", "small", "C+", "D"):
        low, high = VALUES[value]
        fitting = [(i, n) for i in items for n in sorted({*PIECES}) if low * 100 <= i["unit_price"] * n <= high * 100]
        if fitting:
            break
    item, _ = rng.choice([pair for pair in fitting if pair[0]["id"] not in wanted] or fitting)
    pieces = [n for n in PIECES if (item, n) in fitting]
    return rng.choice([p for p in people if (p, item["id"]) not in asked]), item, rng.choice(pieces)


def _items(db: Database, cost_centre: str, stocked: bool) -> list[Row]:
    """The items that a warehouse can release in some number, or those that none can."""
    rows = db.query(
        "SELECT i.*, EXISTS "
        "(SELECT 1 FROM stock s WHERE s.item_id = i.id AND on_hold = 0 AND quantity > reserve) AS held "
        "FROM items i WHERE NOT EXISTS (SELECT 1 FROM orders o JOIN purchase_requests r ON r.id = o.request_id "
        "WHERE r.cost_centre = ? AND r.item_id = i.id AND o.ordered_at > ?) ORDER BY i.id",
        cost_centre,
        db.clock - 30 * DAY,
    )
    return [row for row in rows if row["held"] == stocked]
