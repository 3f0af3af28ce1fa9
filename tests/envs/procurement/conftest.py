"""A small purchasing department with known rows, and a way to run calls on it."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.envs.registry import load_domain
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

LAB, OFFICE = "4100", "5200"
DAY = 86_400

Run: TypeAlias = Callable[..., list[Event]]

EMPLOYEES = [
    ("Hana", "Abel", LAB, "head of department", None),
    ("Leo", "Roth", LAB, "deputy head", 5),
    ("Ida", "Lind", LAB, "technician", None),
    ("Per", "Holm", LAB, "technician", None),
    ("Ruth", "Lang", OFFICE, "head of department", None),
    ("Timo", "Lang", OFFICE, "office manager", 3),
]
REQUESTS = [
    (LAB, "EMP-000003", "ITM-000001", 2, "EMP-000001", "approve"),
    (LAB, "EMP-000004", "ITM-000002", 3, "EMP-000001", "approve"),
    (LAB, "EMP-000004", "ITM-000004", 1, "EMP-000001", "approve"),
    (OFFICE, "EMP-000006", "ITM-000004", 6, "EMP-000005", "approve"),
    (OFFICE, "EMP-000006", "ITM-000003", 2, "EMP-000005", "decline"),
    (LAB, "EMP-000003", "ITM-000004", 2, "EMP-000001", "approve"),
    (LAB, "EMP-000003", "ITM-000002", 8, "EMP-000001", "approve"),
    (OFFICE, "EMP-000006", "ITM-000002", 20, "EMP-000005", "approve"),
    (LAB, "EMP-000004", "ITM-000003", 1, "EMP-000001", "approve"),
]
QUOTATIONS = [
    (1, 1, 64_000, "competitive", None, 9),
    (1, 3, 66_000, "competitive", None, 9),
    (7, 1, 2_000_000, "competitive", None, 9),
    (7, 3, 2_050_000, "competitive", None, 9),
    (7, 4, 2_100_000, "competitive", None, 9),
    (4, 1, 1_500_000, "competitive", None, 9),
    (4, 4, 200_000, "framework", None, 9),
    (6, 4, 300_000, "single source", "only manufacturer", 9),
    (3, 1, 300_000, "single source", "short of time", 9),
    (8, 4, 6_000_000, "competitive", None, 9),
    (1, 2, 61_000, "competitive", None, -1),
    (3, 4, 20_000, "framework", None, 9),
]
ORDERS = [
    (5, 1, 300_000, 2, "open", 40),
    (6, 4, 800_000, 2, "open", 10),
    (2, 3, 90_000, 3, "cancelled", 60),
    (9, 2, 120_000, 1, "open", 50),
]


@pytest.fixture(scope="session")
def domain() -> Domain:
    return load_domain("procurement")


@pytest.fixture(scope="session")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


@pytest.fixture
def works(domain: Domain) -> Database:
    """An integration lab and an office, with nine requests at different stages."""
    db = Database(domain.schema, clock=domain.clock)
    for centre, name, kind, budget in (
        (LAB, "Sensor Integration Lab", "integration lab", 3_000_000),
        (OFFICE, "Finance Office", "office", 90_000_000),
    ):
        db.insert("departments", cost_centre=centre, name=name, kind=kind, site="Northfield", budget=budget, paid=0)
    for first, last, centre, job, away in EMPLOYEES:
        absent = db.clock + away * DAY if away else None
        mail = None if first == "Timo" else f"{first.lower()}@works.example"
        person = {"first_name": first, "last_name": last, "cost_centre": centre, "job": job, "email": mail}
        db.insert("employees", id=db.new_id("employees"), **person, absent_until=absent)
    for employee_id, limit, days in (
        ("EMP-000001", 5_000_000, 9),
        ("EMP-000002", 500_000, -9),
        ("EMP-000005", 10**8, 9),
    ):
        db.insert("delegations", employee_id=employee_id, limit_cents=limit, valid_until=db.clock + days * DAY)
    _goods(db)
    _suppliers(db)
    _requests(db)
    _orders(db)
    return db


def _goods(db: Database) -> None:
    for name, price in (
        ("Vacuum pump VP-4", 290_000),
        ("Vacuum pump VP-8", 440_000),
        ("Acetone 5 l", 4_500),
        ("Office chair standard", 21_000),
    ):
        db.insert("items", id=db.new_id("items"), name=name, unit_price=price, hazardous=int("Acetone" in name))
    for name in ("Central Store", "North Depot"):
        db.insert("warehouses", id=db.new_id("warehouses"), name=name, site="Northfield")
    for warehouse, item, quantity, reserve, on_hold in ((1, 2, 9, 4, 0), (2, 2, 9, 0, 1), (1, 1, 2, 1, 0)):
        where = {"warehouse_id": f"WHS-00000{warehouse}", "item_id": f"ITM-00000{item}"}
        db.insert("stock", **where, quantity=quantity, reserve=reserve, on_hold=on_hold)
    for employee_id, days in (("EMP-000003", 9), ("EMP-000004", -9)):
        db.insert("permits", employee_id=employee_id, item_id="ITM-000003", valid_until=db.clock + days * DAY)
    for option in ("loading dock", "inside delivery"):
        db.insert("site_options", site="Northfield", option=option)


def _suppliers(db: Database) -> None:
    for name, domain, portal in (
        ("Eisvogel Vakuum GmbH", "trade", 1),
        ("Eisvogel Vakuum AG", "oldmail", 0),
        ("Orca Marine Tools Ltd", "trade", 1),
        ("Nimbus Gas NV", "trade", 0),
    ):
        row = {"country": "Germany", "iban": "DE89370400440532013000", "uses_portal": portal}
        db.insert("suppliers", id=db.new_id("suppliers"), name=name, email=f"x@{domain}.example", **row)
    db.insert("watch_list", supplier_id="SUP-000002", ground="debarment")
    for employee_id, supplier_id in (("EMP-000003", "SUP-000003"), ("EMP-000005", "SUP-000003")):
        db.insert("interests", employee_id=employee_id, supplier_id=supplier_id, nature="holds shares")
    for number, answer in ((1, "confirmed"), (2, "denied"), (3, "no reply")):
        change_id = db.new_id("bank_changes")
        row = {"supplier_id": f"SUP-00000{number}", "iban": "DE02120300000000202051", "status": "pending"}
        db.insert("bank_changes", id=change_id, announced_at=db.clock - DAY, **row)
        db.insert("call_backs", change_id=change_id, answer=answer)


def _requests(db: Database) -> None:
    for centre, requester, item, quantity, approver, answer in REQUESTS:
        request_id = db.new_id("purchase_requests")
        row = {"requester_id": requester, "item_id": item, "quantity": quantity, "purpose": "new measuring station"}
        db.insert("purchase_requests", id=request_id, cost_centre=centre, **row, submitted_at=db.clock - 50 * DAY)
        db.insert("approval_routes", request_id=request_id, approver_id=approver, answer=answer)
    for request, supplier, amount, basis, ground, days in QUOTATIONS:
        where = {"request_id": f"REQ-00000{request}", "supplier_id": f"SUP-00000{supplier}", "amount": amount}
        row = {"basis": basis, "ground": ground, "valid_until": db.clock + days * DAY}
        db.insert("quotations", id=db.new_id("quotations"), **where, **row)
    for request, supplier, amount in ((1, 4, 580_000), (1, 1, 62_000), (5, 1, 9_000)):
        row = {"request_id": f"REQ-00000{request}", "supplier_id": f"SUP-00000{supplier}", "amount": amount}
        db.insert("incoming_quotations", id=db.new_id("incoming_quotations"), **row, days=30)
    db.insert("incidents", request_id="REQ-000004", ground="loss of samples")
    db.insert("incidents", request_id="REQ-000001", ground="late planning")
    for number, (opened, closed, bids) in enumerate(((40, 5, 2), (12, 5, 3), (40, -5, 3)), start=1):
        _tender(db, number, opened, closed, bids)
    _tender(db, 8, 40, 5, 3)
    for passed, days in ((1, 9), (0, 9), (1, -9)):
        offer_id = db.new_id("portal_offers")
        row = {"serial_number": f"S-{offer_id}", "previous_user": "Building 12"}
        db.insert("portal_offers", id=offer_id, request_id="REQ-000003", **row)
        db.insert("offer_inspections", offer_id=offer_id, passed=passed, valid_until=db.clock + days * DAY)


def _tender(db: Database, request: int, opened: int, closed: int, bids: int) -> None:
    days = {"published_at": db.clock - opened * DAY, "closes_at": db.clock - closed * DAY}
    db.insert("tenders", request_id=f"REQ-00000{request}", **days, bids=bids)


def _orders(db: Database) -> None:
    for request, supplier, amount, quantity, status, age in ORDERS:
        row = {"request_id": f"REQ-00000{request}", "supplier_id": f"SUP-00000{supplier}", "amount": amount}
        row |= {"quantity": quantity, "status": status, "emergency": 0, "ordered_at": db.clock - age * DAY}
        db.insert("orders", id=db.new_id("orders"), **row)
    for order, condition, quantity in ((1, "conforming", 2), (2, "conforming", 2), (4, "damaged", 1)):
        db.insert("deliveries", order_id=f"ORD-00000{order}", condition=condition, quantity=quantity)
    received = {"receiver_id": "EMP-000002", "quantity": 2, "received_at": db.clock - DAY}
    db.insert("receipts", id=db.new_id("receipts"), order_id="ORD-000002", **received)
    for order, amount, quantity in ((2, 805_000, 2), (2, 810_000, 2), (2, 800_000, 3), (1, 300_000, 2)):
        row = {"number": "RE-1", "amount": amount, "quantity": quantity, "received_at": db.clock}
        db.insert("invoices", id=db.new_id("invoices"), order_id=f"ORD-00000{order}", **row)


@pytest.fixture
def run(domain: Domain, works: Database) -> Run:
    """Run calls on the department and return their events."""

    def calls(*wanted: tuple[str, dict[str, Any]]) -> list[Event]:
        events = []
        for step, (name, arguments) in enumerate(wanted, start=1):
            works.clock += domain.tick
            events.append(domain.tools.execute(works, domain.tools.parse(ToolCall(name, arguments)), step=step))
        return events

    return calls
