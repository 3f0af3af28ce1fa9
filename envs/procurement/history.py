"""What has happened before the episode: orders, goods, invoices, announced bank details."""

import random

from lexgym.envs.procurement import names
from lexgym.envs.procurement.pools import iban
from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.wants import DAY, add_request, route, staff
from lexgym.tools.database import Database, Row

CEILING = 2_500_000
"""Most cents of an emergency purchase (manual, section 14.4)."""

VALUES = ("small", "A", "B", "B", "C")


def add_orders(db: Database, rng: random.Random, cost_centre: str) -> None:
    """Add requests that have been ordered: open, delivered, invoiced; none within the last thirty days."""
    stages = ["delivered", "invoiced"] + [stage for stage in ("ordered", "delivered", "invoiced") if rng.random() < 0.5]
    for stage in stages:
        request = add_request(db, rng, cost_centre, [rng.choice(VALUES)], recent=False)
        order_id, value = order(db, rng, request, age=rng.randint(31, 75), listed=0.35 if stage == "invoiced" else 0)
        if stage != "invoiced":
            _fresh_approval(db, rng, request)
        if stage == "delivered":
            _delivery(db, rng, order_id, request["quantity"])
        if stage == "invoiced":
            _invoice(db, rng, request, order_id, value)


def _fresh_approval(db: Database, rng: random.Random, request: Row) -> None:
    """Some approvers would not approve more, and some orders now have one without a delegation that reaches."""
    chance = rng.random()
    if chance < 0.25:
        route(db, request, lookup.head(db, request["cost_centre"]), "decline")
    elif chance < 0.4:
        value = lookup.catalogue_value(db, request)
        fit = "SELECT 1 FROM delegations WHERE employee_id = ? AND valid_until > ? AND limit_cents > ?"
        people = [p for p in staff(db, request["cost_centre"]) if p != request["requester_id"]]
        unfit = [person for person in people if not db.one(fit, person, db.clock, value)]
        if unfit:
            route(db, request, rng.choice(unfit))


def add_emergency_order(db: Database, rng: random.Random, cost_centre: str) -> None:
    """Add a request that was bought in an emergency, a little below the ceiling; the goods have not come yet."""
    request = add_request(db, rng, cost_centre, ["C*", "C"], recent=False)
    value = lookup.catalogue_value(db, request)
    order_id, _ = order(db, rng, request, age=rng.randint(31, 75))
    if value <= CEILING:
        db.run("UPDATE orders SET emergency = 1, amount = ? WHERE id = ?", value, order_id)
        db.insert("incidents", request_id=request["id"], ground=rng.choice(names.INCIDENTS))


def order(db: Database, rng: random.Random, request: Row, *, age: int, listed: float = 0) -> tuple[str, int]:
    """Add an order for a request, so many days old; return its id and its value in cents.

    `listed` is the chance that the supplier stands on a list by now; of the others some may as well.
    """
    order_id, value = db.new_id("orders"), price(rng, lookup.catalogue_value(db, request))
    on_a_list = db.query("SELECT supplier_id FROM watch_list ORDER BY supplier_id")
    every = db.query("SELECT id AS supplier_id FROM suppliers ORDER BY id")
    supplier = rng.choice(on_a_list if rng.random() < listed else every)
    db.insert(
        "orders",
        id=order_id,
        request_id=request["id"],
        supplier_id=supplier["supplier_id"],
        emergency=0,
        amount=value,
        quantity=request["quantity"],
        status="open",
        ordered_at=db.clock - age * DAY,
    )
    return order_id, value


def price(rng: random.Random, cents: int) -> int:
    """Return what a supplier asks for goods of this value by the catalogue: a little less, or a little more."""
    euros = max(5, cents * rng.randint(93, 107) // 10_000)
    return euros * 100 - rng.choice((0, 0, 0, 1, 5, 10, 50))


def _delivery(db: Database, rng: random.Random, order_id: str, quantity: int) -> None:
    condition = "conforming" if rng.random() < 0.65 else rng.choice(("damaged", "wrong item"))
    arrived = max(1, quantity - 1) if rng.random() < 0.15 else quantity
    db.insert("deliveries", order_id=order_id, condition=condition, quantity=arrived)


def _invoice(db: Database, rng: random.Random, request: Row, order_id: str, value: int) -> None:
    """Goods received, and one or two invoices: right, too high, for other pieces, before the goods, or twice.

    Of two, the first has been paid, or both are open.
    """
    quantity, flaw = request["quantity"], rng.choice(("", "", "", "price", "quantity", "receipt", "twice", "both"))
    receivers = [person for person in staff(db, request["cost_centre"]) if person != request["requester_id"]]
    db.insert("deliveries", order_id=order_id, condition="conforming", quantity=quantity)
    if flaw != "receipt":
        db.insert(
            "receipts",
            id=db.new_id("receipts"),
            order_id=order_id,
            receiver_id=rng.choice(receivers),
            quantity=quantity,
            received_at=db.clock - rng.randint(1, 3) * DAY,
        )
    billed = value + max(6_000, value // 20) if flaw == "price" else value
    pieces = quantity + 1 if flaw == "quantity" else quantity
    first = _bill(db, rng, order_id, billed, pieces)
    if flaw == "twice":
        db.insert("payments", id=db.new_id("payments"), invoice_id=first, amount=billed, paid_at=db.clock - DAY)
        db.run("UPDATE departments SET paid = paid + ? WHERE cost_centre = ?", billed, request["cost_centre"])
    if flaw in ("twice", "both"):
        _bill(db, rng, order_id, billed, pieces)


def _bill(db: Database, rng: random.Random, order_id: str, cents: int, quantity: int) -> str:
    invoice_id = db.new_id("invoices")
    db.insert(
        "invoices",
        id=invoice_id,
        order_id=order_id,
        number=f"{rng.choice(('RE', 'F', 'INV', '26', 'R'))}-{rng.randint(10_000, 99_999)}",
        amount=cents,
        quantity=quantity,
        received_at=db.clock - rng.randint(0, 9) * DAY,
    )
    return invoice_id


def add_bank_changes(db: Database, rng: random.Random) -> None:
    """Changes of bank details that came in by e-mail; some are not from the supplier."""
    suppliers = [row["id"] for row in db.query("SELECT id FROM suppliers ORDER BY id")]
    for supplier_id in rng.sample(suppliers, rng.choice((0, 1, 1, 2, 2))):
        change_id = db.new_id("bank_changes")
        db.insert(
            "bank_changes",
            id=change_id,
            supplier_id=supplier_id,
            iban=iban(rng),
            announced_at=db.clock - rng.randint(0, 12) * DAY,
            status="pending",
        )
        answer = "confirmed" if rng.random() < 0.55 else rng.choice(("denied", "no reply"))
        db.insert("call_backs", change_id=change_id, answer=answer)
