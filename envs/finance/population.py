"""A seeded bank: five to eight customers with accounts, payees, bookings, cards, mandates and consents.

Two customers share a last name. Some customers have no device, decline some kinds of prompts or all, or mistype
codes, some get no messages in the app, some have made many small payments since they last approved one, some
payees have another name at their bank, some mandates and consents have run out, so that checks can say no.
"""

import random

from lexgym.envs.finance import names
from lexgym.envs.finance.history import add_history
from lexgym.envs.finance.iban import foreign_iban, own_iban
from lexgym.envs.finance.pools import POOLS, email_of, person, phone
from lexgym.envs.finance.tools.records import RETIRED_DOMAIN
from lexgym.tools.database import Database

__all__ = ["POOLS", "populate"]

DAY = 86_400


def populate(db: Database, rng: random.Random) -> None:
    """Fill an empty database."""
    db.begin()
    customers = _customers(db, rng)
    for customer_id in customers:
        _accounts(db, rng, customer_id)
    _payees(db, rng, customers)
    for customer_id in customers:
        _cards(db, rng, customer_id)
        add_history(db, rng, customer_id)
    _mandates(db, rng, customers)
    _providers(db, rng, customers)
    db.commit()


def _customers(db: Database, rng: random.Random) -> list[str]:
    count = rng.randint(5, 8)
    last_names = rng.sample(names.LAST_NAMES, count - 1)
    last_names.insert(rng.randrange(count), last_names[0])
    customers = []
    for first, last in zip(rng.sample(names.FIRST_NAMES, count), last_names, strict=True):
        customer_id = db.new_id("customers")
        customers.append(customer_id)
        address = email_of(rng, f"{first} {last}")
        db.insert(
            "customers",
            id=customer_id,
            first_name=first,
            last_name=last,
            birth_date=f"{rng.randint(1942, 2006)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
            city=rng.choice(names.CITIES),
            email=address.partition("@")[0] + RETIRED_DOMAIN if rng.random() < 0.15 else address,
        )
        for kind in ["mobile"] + ["landline"] * (rng.random() < 0.4):
            db.insert("phones", id=db.new_id("phones"), customer_id=customer_id, kind=kind, number=phone(rng))
    _devices(db, rng, customers)
    return customers


_WILLING = {"login": "approve", "payments": "approve", "changes": "approve"}
_UNWILLING: tuple[dict[str, str], ...] = (
    {"login": "decline", "payments": "decline", "changes": "decline"},
    {**_WILLING, "payments": "decline"},
    {**_WILLING, "changes": "decline"},
    {**_WILLING, "payments": "decline", "changes": "decline"},
)
"""Answers to prompts: of somebody who approves everything, and of those who do not."""


def _devices(db: Database, rng: random.Random, customers: list[str]) -> None:
    """Two or three customers cannot approve prompts, or do not approve those of some kind; some mistype codes."""
    unwilling = rng.sample(customers, rng.randint(1, 2) if len(customers) > 6 else 1)
    others = [customer_id for customer_id in customers if customer_id not in unwilling]
    choosy = rng.sample(others, rng.randint(1, 2))
    for customer_id in customers:
        kind = rng.choice(("none", "decline", "blocked")) if customer_id in unwilling else "approve"
        answers = _UNWILLING[0] if kind == "decline" else _WILLING
        if kind != "none":
            db.insert(
                "sca_devices",
                customer_id=customer_id,
                model=rng.choice(names.DEVICES),
                **(rng.choice(_UNWILLING[1:]) if customer_id in choosy else answers),
                messages="off" if rng.random() < 0.25 else "on",
                mistyped=rng.choice(("login", "payments", "changes")),
                mistypes=rng.choice((1, 1, 1, 2, 2, 4)) if rng.random() < 0.22 else 0,
                failed_attempts=5 if kind == "blocked" else 0,
            )


def _accounts(db: Database, rng: random.Random, customer_id: str) -> None:
    kinds = ["current"] + ["savings"] * (rng.random() < 0.7)
    if rng.random() < 0.12:
        kinds.append("closed")
    for kind in kinds:
        db.insert(
            "accounts",
            number=own_iban(rng),
            customer_id=customer_id,
            kind="savings" if kind == "closed" else kind,
            balance=0,
            daily_limit=rng.choice((500, 500, 1000, 1500, 2500, 5000)) * 100,
            status="closed" if kind == "closed" else "open",
        )


def _payees(db: Database, rng: random.Random, customers: list[str]) -> None:
    """Customers have payees with nearly the same names: a company's name with another legal form."""
    bases = rng.sample(names.COMPANIES, 5)
    for customer_id in customers:
        forms = rng.sample(names.LEGAL_FORMS, 3)
        chosen = [names.company(base, form) for base, form in zip(rng.sample(bases, 2), forms[:2], strict=True)]
        if rng.random() < 0.3:
            chosen.append(f"{chosen[0].removesuffix(' ' + forms[0])} {forms[2]}")
        chosen += [person(rng) for _ in range(rng.choice((0, 1, 1)))]
        for name in dict.fromkeys(chosen):
            payee_id = db.new_id("payees")
            db.insert(
                "payees",
                id=payee_id,
                customer_id=customer_id,
                name=name,
                iban=foreign_iban(rng),
                holder=person(rng) if rng.random() < 0.12 else name,
                standing="trusted" if rng.random() < 0.2 else "ordinary",
            )
            if rng.random() < 0.08:
                db.insert("risk_flags", id=db.new_id("risk_flags"), payee_id=payee_id, reason="reported by a victim")


def _cards(db: Database, rng: random.Random, customer_id: str) -> None:
    [account] = db.query("SELECT number FROM accounts WHERE customer_id = ? AND kind = 'current'", customer_id)
    taken = {row["last_four"] for row in db.query("SELECT last_four FROM cards")}
    kinds = ["debit"] + ["credit"] * (rng.random() < 0.4)
    for kind in kinds:
        digits = next(text for _ in iter(int, 1) if (text := f"{rng.randrange(10**4):04d}") not in taken)
        taken.add(digits)
        blocked = rng.random() < 0.25
        db.insert(
            "cards",
            id=db.new_id("cards"),
            customer_id=customer_id,
            account=account["number"],
            kind=kind,
            last_four=digits,
            limit_cents=rng.choice((500, 1000, 1500, 2000, 2500)) * 100,
            status="blocked" if blocked else "active",
            block_reason=rng.choice(("lost", "suspected misuse", "suspected misuse", "stolen")) if blocked else None,
        )


def _mandates(db: Database, rng: random.Random, customers: list[str]) -> None:
    """Joint accounts of the two with the same name and of two others, a viewer, a power of attorney perhaps over."""
    relatives = [
        row["id"]
        for row in db.query(
            "SELECT id FROM customers c WHERE EXISTS "
            "(SELECT 1 FROM customers d WHERE d.last_name = c.last_name AND d.id <> c.id) ORDER BY id"
        )
    ]
    for people, power, expires_at in (
        (relatives, "dispose", None),
        (customers, "dispose", None),
        (customers, "view", None),
        (customers, "dispose", db.clock + rng.choice((-40, -9, 60, 200)) * DAY),
    ):
        owner, other = rng.sample(people, 2)
        [account] = db.query("SELECT number FROM accounts WHERE customer_id = ? AND kind = 'current'", owner)
        if not db.one("SELECT 1 FROM mandates WHERE account = ? AND customer_id = ?", account["number"], other):
            db.insert(
                "mandates",
                id=db.new_id("mandates"),
                account=account["number"],
                customer_id=other,
                power=power,
                expires_at=expires_at,
            )


def _providers(db: Database, rng: random.Random, customers: list[str]) -> None:
    providers, registered = [], rng.choice((4, 5))
    for index, (name, country) in enumerate(rng.sample(names.PROVIDERS, 6)):
        providers.append(db.new_id("providers"))
        authorisation = "registered" if index < registered else rng.choice(("withdrawn", "unknown"))
        db.insert("providers", id=providers[-1], name=name, country=country, authorisation=authorisation)
    for customer_id in customers:
        for provider_id in rng.sample(providers, rng.choice((1, 1, 2, 3))):
            days = rng.choice((90, 180, 180))
            age = rng.randint(1, 60) if rng.random() < 0.85 else rng.randint(days + 1, days + 90)
            db.insert(
                "consents",
                id=db.new_id("consents"),
                customer_id=customer_id,
                provider_id=provider_id,
                days=days,
                granted_at=db.clock - age * DAY,
                status="withdrawn" if rng.random() < 0.1 else "granted",
            )
