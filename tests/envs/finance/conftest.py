"""A small bank with known rows, and a way to run calls on it."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.registry import load_domain
from lexgym.tools.database import Database

ANNA, BEN, CLEO = "CUS-000001", "CUS-000002", "CUS-000003"
CURRENT, SAVINGS, OTHER, CLOSED = (f"IE0{n}LEXG9900170000000{n}" for n in range(4))
DAY = 86_400

Run: TypeAlias = Callable[..., list[Event]]


@pytest.fixture(scope="session")
def domain() -> Domain:
    return load_domain("finance")


@pytest.fixture
def bank(domain: Domain) -> Database:
    """Anna has two accounts and approves prompts, Ben declines them, Cleo has no device."""
    db = Database(domain.schema, clock=domain.clock)
    for first, email in (("Anna", "a@inbox.example"), ("Ben", "b@oldpost.example"), ("Cleo", "c@inbox.example")):
        row = {"birth_date": "1980-01-01", "city": "Cork", "email": email}
        customer_id = db.new_id("customers")
        db.insert("customers", id=customer_id, first_name=first, last_name="Walsh", **row)
        phone = {"customer_id": customer_id, "kind": "mobile", "number": "+353123456789"}
        db.insert("phones", id=db.new_id("phones"), **phone)
    for number, owner, kind, status in (
        (CURRENT, ANNA, "current", "open"),
        (SAVINGS, ANNA, "savings", "open"),
        (OTHER, BEN, "current", "open"),
        (CLOSED, ANNA, "current", "closed"),
    ):
        db.insert(
            "accounts", number=number, customer_id=owner, kind=kind, balance=0, daily_limit=100_000, status=status
        )
    for customer_id, answer in ((ANNA, "approve"), (BEN, "decline")):
        answers = {
            "login": answer,
            "payments": answer,
            "changes": answer,
            "messages": "on",
            "mistyped": "payments",
            "mistypes": 0,
        }
        db.insert("sca_devices", customer_id=customer_id, model="Pixel 8", failed_attempts=0, **answers)
    _payees(db)
    _bookings(db)
    _cards(db)
    _mandates(db)
    _third_parties(db)
    return db


def _payees(db: Database) -> None:
    for owner, name, iban, holder, standing in (
        (ANNA, "Aurora Energie AG", "DE89370400440532013000", "Aurora Energie AG", "ordinary"),
        (ANNA, "Lumen Fitness BV", "NL91ABNA0417164300", "Somebody Else", "ordinary"),
        (ANNA, "Hanna Borg", "BE68539007547034", "Hanna Borg", "trusted"),
        (BEN, "Aurora Energie SA", "FR1420041010050500013M02606", "Aurora Energie SA", "ordinary"),
    ):
        payee_id = db.new_id("payees")
        db.insert("payees", id=payee_id, customer_id=owner, name=name, iban=iban, holder=holder, standing=standing)
    db.insert("risk_flags", id=db.new_id("risk_flags"), payee_id="BEN-000002", reason="reported by a victim")


def _bookings(db: Database) -> None:
    for number, amount, age in (
        (CURRENT, 200_000, 500),
        (SAVINGS, 50_000, 500),
        (OTHER, 90_000, 500),
        (CURRENT, -1_999, 10),
        (CURRENT, -2_999, 450),
        (CURRENT, -3_999, 20),
    ):
        db.insert(
            "transactions",
            id=db.new_id("transactions"),
            account=number,
            amount=amount,
            counterparty="Vinyl Kiosk",
            description="Card payment",
            booked_at=db.clock - age * DAY,
        )
        db.run("UPDATE accounts SET balance = balance + ? WHERE number = ?", amount, number)
    for number, status in (("TRX-000006", "refunded"),):
        db.insert(
            "disputes",
            id=db.new_id("disputes"),
            customer_id=ANNA,
            transaction_id=number,
            status=status,
            reported_at=db.clock,
        )


def _cards(db: Database) -> None:
    for owner, last_four, reason in ((ANNA, "1111", None), (ANNA, "2222", "lost"), (BEN, "3333", None)):
        db.insert(
            "cards",
            id=db.new_id("cards"),
            customer_id=owner,
            account=CURRENT if owner == ANNA else OTHER,
            kind="debit",
            last_four=last_four,
            limit_cents=50_000,
            status="blocked" if reason else "active",
            block_reason=reason,
        )
    for status in ("active", "cancelled"):
        db.insert(
            "standing_orders",
            id=db.new_id("standing_orders"),
            customer_id=ANNA,
            account=CURRENT,
            payee_id="BEN-000001",
            amount=5_000,
            day=3,
            status=status,
            created_at=db.clock,
        )


def _mandates(db: Database) -> None:
    for number, other, power, expires_at in (
        (OTHER, ANNA, "dispose", db.clock - 1),
        (CURRENT, BEN, "view", None),
        (CURRENT, CLEO, "dispose", db.clock + DAY),
    ):
        db.insert(
            "mandates", id=db.new_id("mandates"), account=number, customer_id=other, power=power, expires_at=expires_at
        )


def _third_parties(db: Database) -> None:
    for name, authorisation in (("Saldo Express", "registered"), ("Cashlens", "withdrawn"), ("Ledgerly", "registered")):
        db.insert("providers", id=db.new_id("providers"), name=name, country="IE", authorisation=authorisation)
    for provider_id, age in (("TPP-000001", 5), ("TPP-000002", 200)):
        db.insert(
            "consents",
            id=db.new_id("consents"),
            customer_id=ANNA,
            provider_id=provider_id,
            days=90,
            granted_at=db.clock - age * DAY,
            status="granted",
        )


@pytest.fixture
def run(domain: Domain, bank: Database) -> Run:
    """Run calls on the bank and return their events."""

    def calls(*wanted: tuple[str, dict[str, Any]]) -> list[Event]:
        return _events(domain, bank, wanted)

    return calls


def _events(domain: Domain, bank: Database, wanted: Sequence[tuple[str, dict[str, Any]]]) -> list[Event]:
    events = []
    for step, (name, arguments) in enumerate(wanted, start=1):
        bank.clock += domain.tick
        events.append(domain.tools.execute(bank, domain.tools.parse(ToolCall(name, arguments)), step=step))
    return events
