"""What has happened on a customer's accounts before the episode: bookings, payments, standing orders, disputes."""

import random

from lexgym.envs.finance import names
from lexgym.tools.database import Database, Row

DAY = 86_400


def add_history(db: Database, rng: random.Random, customer_id: str) -> None:
    """Book some weeks of everyday life on each open account of a customer."""
    payees = db.query("SELECT * FROM payees WHERE customer_id = ? ORDER BY id", customer_id)
    for account in db.query(
        "SELECT * FROM accounts WHERE customer_id = ? AND status = 'open' ORDER BY kind, number", customer_id
    ):
        if account["kind"] == "savings":
            _book(db, account["number"], rng.randint(8, 240) * 10_000, "Own account", "Savings", rng.randint(60, 400))
        else:
            _current(db, rng, account["number"], payees)


def _current(db: Database, rng: random.Random, number: str, payees: list[Row]) -> None:
    _book(db, number, rng.randint(5, 30) * 10_000, "Own account", "Opening balance", rng.randint(500, 900))
    _book(db, number, rng.randint(1600, 4900) * 100, rng.choice(names.EMPLOYERS), "Salary February", 17)
    merchants = rng.sample(names.MERCHANTS, rng.randint(2, 4))
    for index, merchant in enumerate(merchants):
        late = index == 0 and rng.random() < 0.5
        age = rng.randint(400, 480) if late else rng.randint(1, 70)
        _book(db, number, -rng.randint(390, 9900), merchant, "Card payment", age)
    for payee in payees[: rng.randint(1, 2)]:
        _pay(db, rng, number, payee)
    if rng.random() < 0.7:
        _standing_order(db, rng, number, rng.choice(payees))
    if rng.random() < 0.3:
        _dispute(db, rng, number)


def _pay(db: Database, rng: random.Random, number: str, payee: Row) -> None:
    amount, reference = rng.randint(20, 400) * 100, rng.choice(names.REFERENCES)
    age = 0 if rng.random() < 0.3 else rng.randint(2, 60)
    payment_id = db.new_id("payments")
    db.insert(
        "payments",
        id=payment_id,
        customer_id=payee["customer_id"],
        account=number,
        payee_id=payee["id"],
        amount=amount,
        reference=reference,
        created_at=_time(db, age),
    )
    _book(db, number, -amount, payee["name"], reference, age, payment_id)


def _standing_order(db: Database, rng: random.Random, number: str, payee: Row) -> None:
    db.insert(
        "standing_orders",
        id=db.new_id("standing_orders"),
        customer_id=payee["customer_id"],
        account=number,
        payee_id=payee["id"],
        amount=rng.randint(2, 90) * 1000,
        day=rng.randint(1, 28),
        status="cancelled" if rng.random() < 0.15 else "active",
        created_at=_time(db, rng.randint(80, 600)),
    )


def _dispute(db: Database, rng: random.Random, number: str) -> None:
    """A card payment that the customer has reported; sometimes the money is back already."""
    rows = db.query(
        "SELECT t.*, a.customer_id FROM transactions t JOIN accounts a ON a.number = t.account "
        "WHERE t.account = ? AND t.description = 'Card payment' ORDER BY t.id",
        number,
    )
    row = rng.choice(rows)
    refunded = rng.random() < 0.5
    db.insert(
        "disputes",
        id=db.new_id("disputes"),
        customer_id=row["customer_id"],
        transaction_id=row["id"],
        status="refunded" if refunded else "open",
        reported_at=_time(db, 0),
    )
    if refunded:
        _book(db, number, -row["amount"], row["counterparty"], f"Refund of {row['id']}", 0)


def _book(
    db: Database,
    number: str,
    amount: int,
    counterparty: str,
    description: str,
    age: int,
    payment_id: str | None = None,
) -> None:
    db.insert(
        "transactions",
        id=db.new_id("transactions"),
        account=number,
        amount=amount,
        counterparty=counterparty,
        description=description,
        payment_id=payment_id,
        booked_at=_time(db, age),
    )
    db.run("UPDATE accounts SET balance = balance + ? WHERE number = ?", amount, number)


def _time(db: Database, age: int) -> int:
    """The clock so many days ago, an hour before the episode begins."""
    return db.clock - age * DAY - 3600
