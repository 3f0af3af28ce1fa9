"""The open purchase requests of a department: some can be met lawfully, to each of the others one check says no.

Which ones a department has is drawn anew for each; none has them all.
"""

import random

from lexgym.envs.procurement import names
from lexgym.envs.procurement.history import order, price
from lexgym.envs.procurement.pools import purpose
from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.wants import DAY, PIECES, add_request, route, staff
from lexgym.tools.database import Database, Row

BOTH = ("competitive", "framework")


def add_open_requests(db: Database, rng: random.Random, cost_centre: str, *, lab: bool, rich: bool) -> None:
    """Add the open requests of a department; only a rich one has any of more than 50,000 euros."""
    if rng.random() < 0.7:
        _split(db, rng, cost_centre)
    _plain(db, rng, cost_centre)
    _framework(db, rng, cost_centre, rich)
    _large(db, rng, cost_centre, rich)
    _in_stock(db, rng, cost_centre, lab)
    _urgent(db, rng, cost_centre)
    if lab and rng.random() < 0.9:
        _on_the_portal(db, rng, cost_centre)
    if rng.random() < 0.7:
        _single_source(db, rng, cost_centre, rich)
    for add in (_unfit_approver, _own_request, _unwilling, _too_few):
        if rng.random() < 0.7:
            add(db, rng, cost_centre)
    _false_alarms(db, rng, cost_centre)


def suppliers(db: Database, request: Row, kind: str = "clear") -> list[str]:
    """Return suppliers by what stands against them for a request: nothing, an interest, or a list."""
    listed = {row["supplier_id"] for row in db.query("SELECT supplier_id FROM watch_list")}
    interested = {
        row["supplier_id"]
        for row in db.query(
            "SELECT supplier_id FROM interests WHERE employee_id = ?1 OR employee_id IN "
            "(SELECT approver_id FROM approval_routes WHERE request_id = ?2)",
            request["requester_id"],
            request["id"],
        )
    }
    every = [row["id"] for row in db.query("SELECT id FROM suppliers ORDER BY id")]
    against = {"clear": (False, False), "interest": (False, True), "listed": (True, False)}[kind]
    return [supplier for supplier in every if (supplier in listed, supplier in interested) == against]


def quote(
    db: Database,
    rng: random.Random,
    request: Row,
    basis: str = "competitive",
    *,
    kind: str = "clear",
    count: int | None = None,
    stale: bool = False,
    ground: str | None = None,
) -> None:
    """Add quotations of suppliers that have none for the request yet, by default as many as the band needs."""
    quoted = {r["supplier_id"] for r in db.query("SELECT * FROM quotations WHERE request_id = ?", request["id"])}
    free = [supplier for supplier in suppliers(db, request, kind) if supplier not in quoted]
    cents = price(rng, lookup.catalogue_value(db, request))
    if count is None:
        count = 3 if basis == "competitive" and lookup.band(cents) >= 2 else 1
    for index, supplier_id in enumerate(rng.sample(free, min(len(free), count))):
        db.insert(
            "quotations",
            id=db.new_id("quotations"),
            request_id=request["id"],
            supplier_id=supplier_id,
            amount=cents + index * (cents // 40 + 100 * rng.randint(1, 9)),
            basis=basis,
            ground=ground,
            valid_until=db.clock + (-rng.randint(1, 20) if stale else rng.randint(4, 60)) * DAY,
        )


def _both(db: Database, rng: random.Random, request: Row) -> None:
    """Quotations to order on and to call off on, or only one of the two."""
    kinds = rng.choice((BOTH, BOTH, BOTH, BOTH[:1], BOTH[1:]))
    for basis in kinds:
        quote(db, rng, request, basis)


def _rivals(db: Database, rng: random.Random, request: Row, basis: str) -> None:
    """Add quotations of suppliers that may not be dealt with."""
    for kind in ("listed", "interest"):
        if rng.random() < 0.65:
            quote(db, rng, request, basis, kind=kind, count=1)


def _await(db: Database, rng: random.Random, request: Row) -> None:
    """Let written quotations come in from suppliers that have none on file yet."""
    free = db.query(
        "SELECT id FROM suppliers s WHERE NOT EXISTS "
        "(SELECT 1 FROM quotations q WHERE q.request_id = ? AND q.supplier_id = s.id) ORDER BY id",
        request["id"],
    )
    for supplier in rng.sample(free, min(len(free), rng.randint(1, 2))):
        db.insert(
            "incoming_quotations",
            id=db.new_id("incoming_quotations"),
            request_id=request["id"],
            supplier_id=supplier["id"],
            amount=price(rng, lookup.catalogue_value(db, request)),
            days=rng.choice((14, 21, 30, 45, 60, 90)),
        )


def _plain(db: Database, rng: random.Random, cost_centre: str) -> None:
    request = add_request(db, rng, cost_centre, rng.choice((["small"], ["A"], ["B"], ["B"], ["C"])))
    quote(db, rng, request)
    _rivals(db, rng, request, "competitive")
    if rng.random() < 0.35:
        quote(db, rng, request, count=1, stale=True)
    _await(db, rng, request)


def _framework(db: Database, rng: random.Random, cost_centre: str, rich: bool) -> None:
    values = ["small", "A", "B", "C", "D"] if rich else ["small", "A", "B", "C"]
    request = add_request(db, rng, cost_centre, values)
    quote(db, rng, request, "framework")
    _rivals(db, rng, request, "framework")


def _large(db: Database, rng: random.Random, cost_centre: str, rich: bool) -> None:
    """The dearest requests: in a rich department with or without a valid tender, in others often beyond the budget."""
    if rich:
        for valid in rng.choice(([False], [False], [False, True], [True])):
            request = add_request(db, rng, cost_centre, ["D"])
            quote(db, rng, request)
            _tender(db, rng, request, valid=valid)
    else:
        request = add_request(db, rng, cost_centre, ["C+"])
        for basis in BOTH:
            quote(db, rng, request, basis)
    if rng.random() < 0.8:
        _report(db, rng, request, names.INCIDENTS)


def _in_stock(db: Database, rng: random.Random, cost_centre: str, lab: bool) -> None:
    for chance in rng.choice(((0.9,), (0.8, 0.3), (0.8, 0.3))):
        request = add_request(db, rng, cost_centre, ["small", "A", "B"], stocked=True)
        if rng.random() < 0.4:
            _for_the_same_shelf(db, rng, request)
        if lab and rng.random() < 0.25:
            _offer(db, rng, request)
        if rng.random() < chance:
            _both(db, rng, request)
        if rng.random() < chance:
            _report(db, rng, request, names.INCIDENTS)


def _for_the_same_shelf(db: Database, rng: random.Random, request: Row) -> None:
    """A colleague asks for the same item as well; a warehouse may bear both requests, or only either."""
    asked = "SELECT 1 FROM purchase_requests WHERE requester_id = ? AND item_id = ?"
    people = [p for p in staff(db, request["cost_centre"]) if not db.one(asked, p, request["item_id"])]
    if not people:
        return
    item = lookup.find(db, "items", request["item_id"])
    twin = {**request, "id": db.new_id("purchase_requests"), "requester_id": rng.choice(people)}
    twin["quantity"] = rng.choice(PIECES)
    twin["purpose"] = purpose(rng, names.kind(item["name"]))
    twin["submitted_at"] = db.clock - rng.randint(2, 40) * DAY
    db.insert("purchase_requests", **twin)
    route(db, twin, lookup.head(db, request["cost_centre"]))


def _urgent(db: Database, rng: random.Random, cost_centre: str) -> None:
    for _ in range(rng.choice((1, 2, 2))):
        request = add_request(db, rng, cost_centre, ["A", "B", "B", "C"])
        _report(db, rng, request, names.INCIDENTS)
        if rng.random() < 0.4:
            _await(db, rng, request)


def _on_the_portal(db: Database, rng: random.Random, cost_centre: str) -> None:
    request = add_request(db, rng, cost_centre, ["A", "B", "B", "C"])
    for _ in range(rng.choice((1, 1, 2))):
        _offer(db, rng, request)
    for basis in BOTH:
        quote(db, rng, request, basis)


def _offer(db: Database, rng: random.Random, request: Row) -> None:
    """Offer used equipment for a request; most of it is fit."""
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
        row = {"passed": int(rng.random() < 0.88), "valid_until": db.clock + days * DAY}
        db.insert("offer_inspections", offer_id=offer_id, **row)


def _unfit_approver(db: Database, rng: random.Random, cost_centre: str) -> None:
    """The approver has no delegation in force, or one that does not reach."""
    request = add_request(db, rng, cost_centre, ["B"])
    value = lookup.catalogue_value(db, request)
    fit = "SELECT 1 FROM delegations WHERE employee_id = ? AND valid_until > ? AND limit_cents * 2 > ?"
    people = [p for p in staff(db, cost_centre) if p != request["requester_id"] and not db.one(fit, p, db.clock, value)]
    if people:
        route(db, request, rng.choice(people))
    _both(db, rng, request)


def _own_request(db: Database, rng: random.Random, cost_centre: str) -> None:
    """The head is both requester and approver."""
    _both(db, rng, add_request(db, rng, cost_centre, ["A", "B", "C"], by_head=True))


def _unwilling(db: Database, rng: random.Random, cost_centre: str) -> None:
    request = add_request(db, rng, cost_centre, ["A", "B", "C"])
    route(db, request, lookup.head(db, cost_centre), "decline")
    _both(db, rng, request)


def _single_source(db: Database, rng: random.Random, cost_centre: str, rich: bool) -> None:
    request = add_request(db, rng, cost_centre, ["A", "B", "B", "D"] if rich else ["A", "B", "B", "C"])
    quote(db, rng, request, "single source", ground=rng.choice(names.GROUNDS))
    quote(db, rng, request, "single source", ground=rng.choice(names.NO_GROUNDS))


def _too_few(db: Database, rng: random.Random, cost_centre: str) -> None:
    request = add_request(db, rng, cost_centre, ["C"])
    quote(db, rng, request, count=rng.choice((1, 2)))
    _await(db, rng, request)


def _split(db: Database, rng: random.Random, cost_centre: str) -> None:
    """A request near the end of its band, whose item a colleague has had ordered lately."""
    request = add_request(db, rng, cost_centre, ["A+", "B+"])
    item = lookup.find(db, "items", request["item_id"])
    quote(db, rng, request)
    lowest = min(r["amount"] for r in db.query("SELECT amount FROM quotations WHERE request_id = ?", request["id"]))
    people = [person for person in staff(db, cost_centre) if person != request["requester_id"]]
    missing = lookup.BANDS[lookup.band(lowest)] - lowest
    twin = {**request, "id": db.new_id("purchase_requests"), "requester_id": rng.choice(people)}
    twin["purpose"] = purpose(rng, names.kind(item["name"]))
    twin["quantity"] = missing * 100 // (item["unit_price"] * 92) + 1
    age = rng.randint(1, 25)
    twin["submitted_at"] = db.clock - (age + rng.randint(3, 20)) * DAY
    db.insert("purchase_requests", **twin)
    route(db, twin, lookup.head(db, cost_centre))
    order(db, rng, twin, age=age)


def _tender(db: Database, rng: random.Random, request: Row, *, valid: bool) -> None:
    """The tender for a request: valid, or none, too short, still running, or with too few bids."""
    days, age, bids = rng.choice((25, 30, 40)), rng.randint(3, 15), rng.choice((3, 4, 5, 6))
    if not valid:
        days, age, bids = rng.choice(((12, 5, 4), (30, -6, 3), (30, 9, 2), (25, 4, 1)))
        if rng.random() < 0.25:
            return
    published, closes = db.clock - (age + days) * DAY, db.clock - age * DAY
    db.insert("tenders", request_id=request["id"], published_at=published, closes_at=closes, bids=bids)


def _false_alarms(db: Database, rng: random.Random, cost_centre: str) -> None:
    """Somebody calls two requests an emergency that are none."""
    quiet = db.query(
        "SELECT * FROM purchase_requests r WHERE cost_centre = ? "
        "AND NOT EXISTS (SELECT 1 FROM incidents WHERE request_id = r.id) "
        "AND NOT EXISTS (SELECT 1 FROM orders WHERE request_id = r.id) ORDER BY id",
        cost_centre,
    )
    for request in rng.sample(quiet, min(len(quiet), 2)):
        _report(db, rng, request, names.NO_INCIDENTS)


def _report(db: Database, rng: random.Random, request: Row, grounds: tuple[str, ...]) -> None:
    db.insert("incidents", request_id=request["id"], ground=rng.choice(grounds))
