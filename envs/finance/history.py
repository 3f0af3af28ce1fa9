"""What has happened before the episode: bookings, payments and approvals of them, standing orders, disputes.

Some customers have made small payments since they last approved one, some so many that the next has to be approved.
"""

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
            saved, at = rng.randint(8, 240) * 10_000, _time(db, rng.randint(60, 400))
            _book(db, account["number"], saved, "Own account", "Savings", at)
        else:
            _current(db, rng, account["number"], payees)
            _small_payments(db, rng, account["number"], payees)


def _current(db: Database, rng: random.Random, number: str, payees: list[Row]) -> None:
    _book(db, number, rng.randint(5, 30) * 10_000, "Own account", "Opening balance", _time(db, rng.randint(500, 900)))
    _book(db, number, rng.randint(1600, 4900) * 100, rng.choice(names.EMPLOYERS), "Salary February", _time(db, 17))
    merchants = rng.sample(names.MERCHANTS, rng.randint(2, 4))
    for index, merchant in enumerate(merchants):
        late = index == 0 and rng.random() < 0.5
        age = rng.randint(400, 480) if late else rng.randint(1, 70)
        _book(db, number, -rng.randint(390, 9900), merchant, "Card payment", _time(db, age))
    for payee in payees[: rng.randint(1, 2)]:
        _pay(db, rng, number, payee)
    if rng.random() < 0.7:
        _standing_order(db, rng, number, rng.choice(payees))
    if rng.random() < 0.3:
        _dispute(db, rng, number)


def _pay(db: Database, rng: random.Random, number: str, payee: Row) -> None:
    amount, age = rng.randint(31, 400) * 100, 0 if rng.random() < 0.3 else rng.randint(2, 60)
    at = _time(db, age)
    if payee["standing"] == "ordinary":
        db.insert(
            "challenges",
            id=db.new_id("challenges"),
            customer_id=payee["customer_id"],
            purpose="payment",
            payee_id=payee["id"],
            amount=amount,
            outcome="approved",
            sent_at=at - 60,
        )
    _paid(db, rng, number, payee, amount, at)


_RUNS = ((1, 2, 300, 3000), (1, 4, 400, 2900), (5, 6, 2000, 3000), (6, 7, 200, 1600))
"""Numbers and cents of small payments in a row: few, a week's, too much money, too many."""


def _small_payments(db: Database, rng: random.Random, number: str, payees: list[Row]) -> None:
    """Since the last payment, and so since the last approval, a customer in two or so has paid small amounts."""
    customer_id = payees[0]["customer_id"]
    ordinary = [payee for payee in payees if payee["standing"] == "ordinary"]
    if not ordinary or rng.random() < 0.5:
        return
    low, high, least, most = rng.choice(_RUNS)
    count = rng.randint(low, high)
    [last] = db.query("SELECT max(created_at) AS at FROM payments WHERE customer_id = ?", customer_id)
    for place in range(1, count + 1):
        at = last["at"] + (db.clock - last["at"]) * place // (count + 1)
        _paid(db, rng, number, rng.choice(ordinary), rng.randint(least, most), at)


def _paid(db: Database, rng: random.Random, number: str, payee: Row, amount: int, at: int) -> None:
    payment_id, reference = db.new_id("payments"), rng.choice(names.REFERENCES)
    db.insert(
        "payments",
        id=payment_id,
        customer_id=payee["customer_id"],
        account=number,
        payee_id=payee["id"],
        amount=amount,
        reference=reference,
        created_at=at,
    )
    _book(db, number, -amount, payee["name"], reference, at, payment_id)


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
        _book(db, number, -row["amount"], row["counterparty"], f"Refund of {row['id']}", _time(db, 0))


def _book(
    db: Database,
    number: str,
    amount: int,
    counterparty: str,
    description: str,
    at: int,
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
        booked_at=at,
    )
    db.run("UPDATE accounts SET balance = balance + ? WHERE number = ?", amount, number)


def _time(db: Database, age: int) -> int:
    """The clock so many days ago, an hour before the episode begins."""
    return db.clock - age * DAY - 3600
