"""A seeded organisation: four departments, two of them integration labs, with requests at every stage.

Two employees share a last name, catalogue items differ by a size, suppliers by a legal form. Approvers are
absent, permits and delegations have run out, suppliers are on lists: every check can say no.
"""

import random

from lexgym.envs.procurement import names
from lexgym.envs.procurement.history import add_bank_changes, add_request
from lexgym.envs.procurement.pools import POOLS, iban
from lexgym.envs.procurement.tools.records import RETIRED_DOMAIN
from lexgym.tools.database import Database

__all__ = ["POOLS", "populate"]

DAY = 86_400
OPTIONS = ("inside delivery", "clean-room delivery")


def populate(db: Database, rng: random.Random) -> None:
    """Fill an empty database."""
    db.begin()
    departments = _departments(db, rng)
    _employees(db, rng, departments)
    _items(db, rng)
    _suppliers(db, rng)
    _interests(db, rng)
    _permits(db, rng)
    for cost_centre in departments:
        for index in range(rng.randint(4, 6)):
            add_request(db, rng, cost_centre, plain=index == 0)
        _squeeze(db, rng, cost_centre)
    add_bank_changes(db, rng)
    db.commit()


def _departments(db: Database, rng: random.Random) -> list[str]:
    kinds = ["integration lab", "integration lab", *rng.sample(["laboratory", "workshop", "office"], 2)]
    rng.shuffle(kinds)
    sites = rng.sample(names.SITES, 2)
    for site in sites:
        for option in ("loading dock", *(option for option in OPTIONS if rng.random() < 0.5)):
            db.insert("site_options", site=site, option=option)
    taken: set[str] = set()
    centres = sorted(rng.sample(range(2100, 9900), len(kinds)))
    for centre, kind in zip(centres, kinds, strict=True):
        name = rng.choice([name for name in names.DEPARTMENTS[kind] if name not in taken])
        taken.add(name)
        db.insert(
            "departments",
            cost_centre=str(centre),
            name=f"{name} {names.KIND_NAMES[kind]}",
            kind=kind,
            site=rng.choice(sites),
            budget=rng.randint(240, 900) * 100_000,
            paid=0,
        )
    return [str(centre) for centre in centres]


def _employees(db: Database, rng: random.Random, departments: list[str]) -> None:
    """A head with a delegation, a deputy with a small one, and staff, half with one too; one last name comes twice."""
    sizes = [rng.randint(4, 5) for _ in departments]
    last_names = rng.sample(names.LAST_NAMES, sum(sizes) - 1)
    last_names.insert(rng.randrange(len(last_names)), last_names[0])
    first_names = rng.sample(names.FIRST_NAMES, sum(sizes))
    people = iter(zip(first_names, last_names, strict=True))
    for cost_centre, size in zip(departments, sizes, strict=True):
        for rank in range(size):
            first, last = next(people)
            employee_id = db.new_id("employees")
            db.insert(
                "employees",
                id=employee_id,
                first_name=first,
                last_name=last,
                cost_centre=cost_centre,
                job=("head of department", "deputy head")[rank] if rank < 2 else rng.choice(names.JOBS),
                email=None if rng.random() < 0.2 else f"{employee_id.lower()}@works.example",
                absent_until=db.clock + rng.randint(2, 20) * DAY if rng.random() < (0.2 if rank else 0.08) else None,
            )
            if rank < 2 or rng.random() < 0.5:
                _delegate(
                    db,
                    rng,
                    employee_id,
                    (500_000, 500_000, 1_000_000) if rank else (5_000_000, 25_000_000, 25_000_000, 25_000_000),
                )


def _delegate(db: Database, rng: random.Random, employee_id: str, limits: tuple[int, ...]) -> None:
    days = -rng.randint(1, 90) if rng.random() < 0.12 else rng.randint(20, 700)
    db.insert("delegations", employee_id=employee_id, limit_cents=rng.choice(limits), valid_until=db.clock + days * DAY)


def _items(db: Database, rng: random.Random) -> None:
    """Catalogue items in two sizes, half of them dear, and the warehouses."""
    dear = [base for base in sorted(names.ITEMS) if max(names.ITEMS[base].values()) >= names.DEAR]
    bases = [*rng.sample(dear, 3), *rng.sample(sorted(names.ITEMS.keys() - set(dear)), 3)]
    for base in rng.sample(bases, len(bases)):
        for size in rng.sample(sorted(names.ITEMS[base]), 2):
            db.insert("items", id=db.new_id("items"), name=f"{base} {size}", hazardous=0)
    for base in rng.sample(sorted(names.HAZARDOUS_ITEMS), 2):
        for size in names.HAZARDOUS_ITEMS[base]:
            db.insert("items", id=db.new_id("items"), name=f"{base} {size}", hazardous=1)
    sites = [row["site"] for row in db.query("SELECT DISTINCT site FROM site_options ORDER BY site")]
    for index, name in enumerate(rng.sample(names.WAREHOUSES, 3)):
        db.insert("warehouses", id=db.new_id("warehouses"), name=name, site=sites[index % 2])


def _suppliers(db: Database, rng: random.Random) -> None:
    """Eight suppliers, two of which differ by the legal form only; one or two are on a list."""
    bases = rng.sample(names.SUPPLIERS, 7)
    forms = rng.sample(names.LEGAL_FORMS, 2)
    titles = [f"{bases[0]} {forms[0]}", f"{bases[0]} {forms[1]}"]
    titles += [f"{base} {rng.choice(names.LEGAL_FORMS)}" for base in bases[1:]]
    rng.shuffle(titles)
    listed = rng.sample(range(len(titles)), rng.choice((1, 1, 2)))
    for index, title in enumerate(titles):
        supplier_id = db.new_id("suppliers")
        domain = RETIRED_DOMAIN if rng.random() < 0.2 else f"@{rng.choice(names.MAIL_DOMAINS)}"
        db.insert(
            "suppliers",
            id=supplier_id,
            name=title,
            country=rng.choice(names.COUNTRIES),
            email="".join(c for c in title.lower() if c.isascii() and c.isalpha()) + domain,
            iban=iban(rng),
            uses_portal=int(rng.random() < 0.7),
        )
        if index in listed:
            db.insert("watch_list", supplier_id=supplier_id, ground=rng.choice(("sanctions list", "debarment")))


def _interests(db: Database, rng: random.Random) -> None:
    """Most employees have declared an interest in a supplier or two."""
    suppliers = [row["id"] for row in db.query("SELECT id FROM suppliers ORDER BY id")]
    for row in db.query("SELECT id FROM employees ORDER BY id"):
        for supplier_id in rng.sample(suppliers, rng.choice((0, 1, 1, 1))):
            db.insert("interests", employee_id=row["id"], supplier_id=supplier_id, nature=rng.choice(names.INTERESTS))


def _permits(db: Database, rng: random.Random) -> None:
    """Most employees hold permits for hazardous goods; some have run out."""
    hazardous = db.query("SELECT id FROM items WHERE hazardous = 1 ORDER BY id")
    for person in db.query("SELECT id FROM employees ORDER BY id"):
        for item in hazardous:
            if rng.random() < 0.5:
                days = -rng.randint(1, 200) if rng.random() < 0.2 else rng.randint(10, 900)
                db.insert("permits", employee_id=person["id"], item_id=item["id"], valid_until=db.clock + days * DAY)


def _squeeze(db: Database, rng: random.Random, cost_centre: str) -> None:
    """Set the budget by what has been paid and ordered: ample, or nearly used up."""
    [spent] = db.query(
        "SELECT coalesce(sum(o.amount), 0) AS cents FROM orders o JOIN purchase_requests r ON r.id = o.request_id "
        "WHERE r.cost_centre = ?",
        cost_centre,
    )
    free = rng.randint(1, 16) * 10_000 if rng.random() < 0.26 else rng.randint(150, 900) * 100_000
    db.run("UPDATE departments SET budget = ? WHERE cost_centre = ?", spent["cents"] + free, cost_centre)
