"""What has happened to purchase requests before the episode: stock, offers, quotations, orders, goods, invoices."""

import random

from lexgym.envs.procurement import names
from lexgym.envs.procurement.pools import iban, price, purpose
from lexgym.envs.procurement.tools import lookup
from lexgym.tools.database import Database, Row

DAY = 86_400


def add_request(db: Database, rng: random.Random, cost_centre: str, *, plain: bool) -> None:
    """Add a purchase request at some stage, from new to invoiced; a plain one is new and without a flaw."""
    stages = ("new", "stock", "portal", "incident", "ordered", "delivered", "invoiced")
    stage = "new" if plain else rng.choices(stages, (24, 17, 20, 26, 3, 18, 15))[0]
    flaw = "" if plain else rng.choice(("", "", "", "", "approver", "answer"))
    lab = db.query("SELECT kind FROM departments WHERE cost_centre = ?", cost_centre)[0]["kind"] == "integration lab"
    if stage == "portal" and not lab:
        stage = "stock"
    request = _request(db, rng, cost_centre, urgent=stage == "incident")
    _route(db, rng, request, flaw)
    _stock(db, rng, request, enough=stage == "stock")
    if stage == "new" or (stage in ("stock", "portal") and rng.random() < 0.25):
        _quotations(db, rng, request, plain=plain)
    if stage in ("new", "incident"):
        _invite(db, rng, request)
    if stage == "portal":
        _offer(db, rng, request)
    middling = _middling(_item(db, request), request["quantity"])
    if stage == "incident" or (stage in ("new", "stock") and middling and rng.random() < 0.35):
        ground = rng.choice(names.INCIDENTS if stage == "incident" else names.NO_INCIDENTS)
        db.insert("incidents", request_id=request["id"], ground=ground)
    if stage == "new" and not plain and rng.random() < 0.75:
        _sibling(db, rng, request)
    if stage in ("ordered", "delivered", "invoiced"):
        _order(db, rng, request, stage)


def _request(db: Database, rng: random.Random, cost_centre: str, *, urgent: bool) -> Row:
    """A request of somebody who is not the head, for an item that this person has not asked for yet.

    An urgent one is, like those on which quotations come in, for equipment of a few thousand euros.
    """
    people = db.query("SELECT id FROM employees WHERE cost_centre = ? ORDER BY id", cost_centre)[1:]
    items = {row["id"]: row["name"] for row in db.query("SELECT id, name FROM items ORDER BY id")}
    asked = {
        (row["requester_id"], row["item_id"]) for row in db.query("SELECT requester_id, item_id FROM purchase_requests")
    }
    pairs = [(p["id"], i) for p in people for i in items if (p["id"], i) not in asked]
    pairs = [pair for pair in pairs if not urgent or _middling(items[pair[1]], 1)] or pairs
    wanted = {item_id for _, item_id in asked}
    requester_id, item_id = rng.choice([pair for pair in pairs if pair[1] not in wanted] or pairs)
    pieces = [n for n in (1, 1, 2, 2, 3, 4, 5, 6) if not urgent or n == 1 or _middling(items[item_id], n)]
    row = {
        "id": db.new_id("purchase_requests"),
        "cost_centre": cost_centre,
        "requester_id": requester_id,
        "item_id": item_id,
        "quantity": rng.choice(pieces),
        "purpose": purpose(rng, names.kind(items[item_id])),
        "submitted_at": db.clock - rng.randint(2, 40) * DAY,
    }
    db.insert("purchase_requests", **row)
    return row


def _middling(item: str, quantity: int) -> bool:
    """Whether so many pieces cost what somebody might quote or pay at once in the episode."""
    return 600 <= names.price(item) * quantity <= 12_000


def _item(db: Database, request: Row) -> str:
    return str(db.query("SELECT name FROM items WHERE id = ?", request["item_id"])[0]["name"])


def _route(db: Database, rng: random.Random, request: Row, flaw: str) -> None:
    """Name an approver: the head, or with the flaw somebody whose approval cannot count."""
    people = db.query("SELECT * FROM employees WHERE cost_centre = ? ORDER BY id", request["cost_centre"])
    approver_id = people[0]["id"]
    if flaw == "approver":
        approver_id = rng.choice((*[request["requester_id"]] * 3, people[1]["id"], people[-1]["id"]))
    answer = "decline" if flaw == "answer" else "approve"
    db.insert("approval_routes", request_id=request["id"], approver_id=approver_id, answer=answer)


def _stock(db: Database, rng: random.Random, request: Row, *, enough: bool) -> None:
    """Put the item into warehouses: with enough, one can release it; else too little, reserved or on hold."""
    warehouses = [row["id"] for row in db.query("SELECT id FROM warehouses ORDER BY id")]
    item_id, wanted = request["item_id"], request["quantity"]
    for index, warehouse_id in enumerate(rng.sample(warehouses, 2)):
        known = db.one("SELECT 1 FROM stock WHERE warehouse_id = ? AND item_id = ?", warehouse_id, item_id)
        if known or (not enough and rng.random() < 0.4):
            continue
        plenty = enough and (index == 0 or rng.random() < 0.7)
        kind = "plenty" if plenty else rng.choice(("little", "reserved", "on hold"))
        quantity = {"little": rng.randint(0, max(0, wanted - 1))}.get(kind, wanted + rng.randint(0, 9))
        reserve = max(0, quantity - wanted - rng.randint(0, 1)) if plenty else rng.randint(quantity, quantity + 3)
        db.insert(
            "stock",
            warehouse_id=warehouse_id,
            item_id=item_id,
            quantity=quantity,
            reserve=0 if kind == "on hold" else reserve,
            on_hold=int(kind == "on hold"),
        )


def _quotations(db: Database, rng: random.Random, request: Row, *, plain: bool) -> None:
    """Quotations at nearly the same price, mostly as many as the value band needs."""
    cents = price(rng, _item(db, request), request["quantity"])
    pair, short = rng.random(), not plain and rng.random() < 0.6
    basis = "competitive" if pair < 0.48 else "single source" if pair < 0.68 else "framework"
    needed = 3 if lookup.band(cents) > 1 else 1
    count = 1 if basis != "competitive" else needed - 1 if short and needed > 1 else needed + rng.choice((0, 0, 1))
    suppliers = _suppliers(db, request, unobjectionable=plain)
    for index, supplier_id in enumerate(rng.sample(suppliers, min(len(suppliers), max(1, count)))):
        stale = short and needed == 1 and basis == "competitive"
        ground = rng.choice(names.GROUNDS if plain or rng.random() < 0.5 else names.NO_GROUNDS)
        db.insert(
            "quotations",
            id=db.new_id("quotations"),
            request_id=request["id"],
            supplier_id=supplier_id,
            amount=cents + index * (cents // 40 + 100 * rng.randint(1, 9)),
            basis=basis,
            ground=ground if basis == "single source" else None,
            valid_until=db.clock + (-rng.randint(1, 20) if stale else rng.randint(4, 60)) * DAY,
        )
    if lookup.band(cents) == 3 and basis == "competitive":
        _tender(db, rng, request)


def _suppliers(db: Database, request: Row, *, unobjectionable: bool) -> list[str]:
    """All suppliers, or those on no list in which neither requester nor approver has an interest."""
    sql = "SELECT id FROM suppliers ORDER BY id"
    if unobjectionable:
        sql = (
            "SELECT id FROM suppliers s WHERE NOT EXISTS (SELECT 1 FROM watch_list w WHERE w.supplier_id = s.id) "
            "AND NOT EXISTS (SELECT 1 FROM interests n WHERE n.supplier_id = s.id AND n.employee_id IN "
            "(SELECT requester_id FROM purchase_requests WHERE id = ?1 "
            "UNION SELECT approver_id FROM approval_routes WHERE request_id = ?1)) ORDER BY id"
        )
    return [row["id"] for row in db.query(sql, *([request["id"]] if unobjectionable else []))]


def _invite(db: Database, rng: random.Random, request: Row) -> None:
    """Invite a few suppliers that have not quoted yet to a middling request with competition."""
    quoted = db.query("SELECT supplier_id, basis FROM quotations WHERE request_id = ?", request["id"])
    if _middling(_item(db, request), request["quantity"]) and all(row["basis"] == "competitive" for row in quoted):
        suppliers = [row["id"] for row in db.query("SELECT id FROM suppliers ORDER BY id")]
        open_ones = [supplier_id for supplier_id in suppliers if supplier_id not in {r["supplier_id"] for r in quoted}]
        for supplier_id in rng.sample(open_ones, rng.randint(2, 3)):
            db.insert("invitations", request_id=request["id"], supplier_id=supplier_id)


def _tender(db: Database, rng: random.Random, request: Row) -> None:
    days, age = rng.choice((25, 30, 40)), rng.randint(3, 15)
    if rng.random() < 0.2:
        days, age = rng.choice(((12, 5), (30, -6)))
    db.insert(
        "tenders",
        request_id=request["id"],
        published_at=db.clock - (age + days) * DAY,
        closes_at=db.clock - age * DAY,
        bids=rng.choice((2, 3, 4, 4, 5, 6)),
    )


def _offer(db: Database, rng: random.Random, request: Row) -> None:
    for _ in range(rng.choice((1, 1, 2))):
        offer_id = db.new_id("portal_offers")
        db.insert(
            "portal_offers",
            id=offer_id,
            request_id=request["id"],
            serial_number=f"{rng.choice('ABCDEFGHKLMNPRSTUVWXYZ')}{rng.randint(1000, 9999)}-{offer_id[-2:]}",
            previous_user=rng.choice(names.PREVIOUS_USERS),
        )
        if rng.random() < 0.9:
            days = -rng.randint(3, 200) if rng.random() < 0.15 else rng.randint(20, 500)
            db.insert(
                "offer_inspections",
                offer_id=offer_id,
                passed=int(rng.random() < 0.88),
                valid_until=db.clock + days * DAY,
            )


def _sibling(db: Database, rng: random.Random, request: Row) -> None:
    """A recent order of the same department for the same item, just below a band's end."""
    [lowest] = db.query("SELECT min(amount) AS cents FROM quotations WHERE request_id = ?", request["id"])
    people = db.query(
        "SELECT id FROM employees e WHERE cost_centre = ? AND NOT EXISTS "
        "(SELECT 1 FROM purchase_requests r WHERE r.requester_id = e.id AND r.item_id = ?) ORDER BY id",
        request["cost_centre"],
        request["item_id"],
    )
    band, item = lookup.band(lowest["cents"]), _item(db, request)
    value = lookup.BANDS[band] - lowest["cents"] + 10_000 if band < 3 else 0
    if people and value >= 60 * names.price(item):
        twin = {**request, "id": db.new_id("purchase_requests"), "requester_id": rng.choice(people)["id"]}
        twin["quantity"] = max(1, round(value / names.price(item) / 100))
        db.insert("purchase_requests", **{**twin, "purpose": purpose(rng, names.kind(item))})
        _route(db, rng, twin, "")
        _order(db, rng, twin, "ordered", value=value, age=rng.randint(1, 25))


def _order(
    db: Database, rng: random.Random, request: Row, stage: str, value: int | None = None, age: int | None = None
) -> None:
    order_id, value = db.new_id("orders"), value or price(rng, _item(db, request), request["quantity"])
    supplier_id = rng.choice(db.query("SELECT id FROM suppliers ORDER BY id"))["id"]
    placed = db.clock - (age or rng.randint(3, 75)) * DAY
    db.insert(
        "orders",
        id=order_id,
        request_id=request["id"],
        supplier_id=supplier_id,
        emergency=0,
        amount=value,
        quantity=request["quantity"],
        status="open",
        ordered_at=placed,
    )
    if stage == "delivered":
        _delivery(db, rng, order_id, request["quantity"])
    if stage == "invoiced":
        _invoice(db, rng, request, order_id, value)


def _delivery(db: Database, rng: random.Random, order_id: str, quantity: int) -> None:
    condition = "conforming" if rng.random() < 0.75 else rng.choice(("damaged", "wrong item"))
    arrived = max(1, quantity - 1) if rng.random() < 0.1 else quantity
    db.insert("deliveries", order_id=order_id, condition=condition, quantity=arrived)


def _invoice(db: Database, rng: random.Random, request: Row, order_id: str, value: int) -> None:
    """Goods received, and one or two invoices: right, too high, for other pieces, before the goods, or twice."""
    quantity, flaw = request["quantity"], rng.choice(("", "", "", "", "price", "quantity", "receipt", "twice", "twice"))
    people = db.query("SELECT id FROM employees WHERE cost_centre = ? ORDER BY id", request["cost_centre"])[1:]
    receivers = [row["id"] for row in people if row["id"] != request["requester_id"]]
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
    for supplier_id in rng.sample(suppliers, rng.choice((0, 1, 1, 1))):
        change_id = db.new_id("bank_changes")
        db.insert(
            "bank_changes",
            id=change_id,
            supplier_id=supplier_id,
            iban=iban(rng),
            announced_at=db.clock - rng.randint(0, 12) * DAY,
            status="pending",
        )
        answer = "confirmed" if rng.random() < 0.68 else rng.choice(("denied", "no reply"))
        db.insert("call_backs", change_id=change_id, answer=answer)
