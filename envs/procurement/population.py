"""A seeded organisation: three departments, two of them integration labs, with requests at every stage.

Two employees share a last name, catalogue items differ by a size, suppliers by a legal form. Approvers are
absent, permits and delegations have run out, suppliers are on lists: every check can say no.
"""

import random
from collections.abc import Collection

from lexgym.envs.procurement import names
from lexgym.envs.procurement.cases import add_open_requests
from lexgym.envs.procurement.history import add_bank_changes, add_emergency_order, add_orders
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
    rich = {cost_centre for cost_centre in departments if rng.random() < 0.55}
    _employees(db, rng, departments, rich)
    _items(db, rng)
    _stock(db, rng)
    _suppliers(db, rng)
    _interests(db, rng)
    _permits(db, rng)
    for cost_centre, lab in departments.items():
        add_open_requests(db, rng, cost_centre, lab=lab, rich=cost_centre in rich)
        add_orders(db, rng, cost_centre)
        if rng.random() < 0.6:
            add_emergency_order(db, rng, cost_centre)
        _squeeze(db, rng, cost_centre, tight=cost_centre not in rich and rng.random() < 0.9)
    _remainders(db, rng)
    add_bank_changes(db, rng)
    db.commit()


def _departments(db: Database, rng: random.Random) -> dict[str, bool]:
    """Add the departments; return their cost centres, and which of them are integration labs."""
    kinds = ["integration lab", "integration lab", rng.choice(["laboratory", "workshop", "office"])]
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
    return {str(centre): kind == "integration lab" for centre, kind in zip(centres, kinds, strict=True)}


def _employees(db: Database, rng: random.Random, departments: Collection[str], rich: Collection[str]) -> None:
    """A head with a delegation, a deputy with a small one, and staff, some with one too; one last name comes twice."""
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
                absent_until=db.clock + rng.randint(2, 20) * DAY if rng.random() < (0.2 if rank else 0.04) else None,
            )
            if rank == 0:
                limit = 25_000_000 if cost_centre in rich or rng.random() < 0.5 else 5_000_000
                _delegate(db, rng, employee_id, limit, expired=rng.random() < 0.04)
            elif rank == 1 or rng.random() < 0.3:
                _delegate(db, rng, employee_id, rng.choice((500_000, 1_000_000)), expired=rng.random() < 0.2)


def _delegate(db: Database, rng: random.Random, employee_id: str, limit: int, *, expired: bool) -> None:
    days = -rng.randint(1, 90) if expired else rng.randint(20, 700)
    db.insert("delegations", employee_id=employee_id, limit_cents=limit, valid_until=db.clock + days * DAY)


def _items(db: Database, rng: random.Random) -> None:
    """Catalogue items in two sizes, half of them dear, some hazardous and cheap, and the warehouses."""
    dear = [base for base in sorted(names.ITEMS) if max(names.ITEMS[base].values()) >= names.DEAR]
    bases = [*rng.sample(dear, 3), *rng.sample(sorted(names.ITEMS.keys() - set(dear)), 3)]
    hazardous = rng.sample(sorted(names.HAZARDOUS_ITEMS), 2)
    if not names.SUPPLIES.intersection(hazardous):
        hazardous[0] = rng.choice(sorted(names.SUPPLIES & names.HAZARDOUS_ITEMS.keys()))
    for base in (*rng.sample(bases, len(bases)), *hazardous):
        sizes = {**names.ITEMS, **names.HAZARDOUS_ITEMS}[base]
        dearest = max(sizes, key=lambda size: sizes[size])
        for size in sorted((dearest, rng.choice([size for size in sizes if size != dearest]))):
            row = {"name": f"{base} {size}", "unit_price": 100 * sizes[size], "hazardous": int(base in hazardous)}
            db.insert("items", id=db.new_id("items"), **row)
    sites = [row["site"] for row in db.query("SELECT DISTINCT site FROM site_options ORDER BY site")]
    for index, name in enumerate(rng.sample(names.WAREHOUSES, 3)):
        db.insert("warehouses", id=db.new_id("warehouses"), name=name, site=sites[index % 2])


def _stock(db: Database, rng: random.Random) -> None:
    """Of five items, each the cheaper of two sizes, a warehouse can release some pieces; of the others none can."""
    items = db.query("SELECT id, unit_price, name FROM items ORDER BY id")
    pairs = [sorted(items[i : i + 2], key=lambda item: item["unit_price"]) for i in range(0, len(items), 2)]
    stocked = {item["id"] for item, _ in rng.sample(pairs, 5)}
    warehouses = [row["id"] for row in db.query("SELECT id FROM warehouses ORDER BY id")]
    for item in items:
        for index, warehouse_id in enumerate(rng.sample(warehouses, 2)):
            plenty = item["id"] in stocked and (index == 0 or rng.random() < 0.5)
            if not plenty and rng.random() < 0.4:
                continue
            kind = "plenty" if plenty else rng.choice(("reserved", "on hold"))
            quantity = rng.randint(6, 14) if plenty else rng.randint(1, 9)
            reserve = {"plenty": quantity - 6, "reserved": quantity, "on hold": 0}[kind] + rng.choice((0, 0, 2))
            row = {"quantity": quantity + 2 * plenty, "reserve": reserve, "on_hold": int(kind == "on hold")}
            db.insert("stock", warehouse_id=warehouse_id, item_id=item["id"], **row)


def _remainders(db: Database, rng: random.Random) -> None:
    """Of some items a warehouse holds one piece less than any request needs."""
    rows = db.query(
        "SELECT item_id, min(quantity) - 1 AS quantity FROM purchase_requests r WHERE NOT EXISTS "
        "(SELECT 1 FROM stock s WHERE s.item_id = r.item_id AND s.warehouse_id = 'WHS-000001') "
        "GROUP BY item_id HAVING min(quantity) > 1 ORDER BY item_id"
    )
    for row in rows:
        if rng.random() < 0.6:
            db.insert("stock", warehouse_id="WHS-000001", **row, reserve=0, on_hold=0)


def _suppliers(db: Database, rng: random.Random) -> None:
    """Eight suppliers, two of which differ by the legal form only; two are on a list."""
    bases = rng.sample(names.SUPPLIERS, 7)
    forms = rng.sample(names.LEGAL_FORMS, 2)
    titles = [f"{bases[0]} {forms[0]}", f"{bases[0]} {forms[1]}"]
    titles += [f"{base} {rng.choice(names.LEGAL_FORMS)}" for base in bases[1:]]
    rng.shuffle(titles)
    listed = rng.sample(range(len(titles)), 2)
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
        for supplier_id in rng.sample(suppliers, rng.choice((0, 1, 1, 1, 2))):
            db.insert("interests", employee_id=row["id"], supplier_id=supplier_id, nature=rng.choice(names.INTERESTS))


def _permits(db: Database, rng: random.Random) -> None:
    """Most employees hold permits for hazardous goods; some have run out."""
    hazardous = db.query("SELECT id FROM items WHERE hazardous = 1 ORDER BY id")
    for person in db.query("SELECT id FROM employees ORDER BY id"):
        for item in hazardous:
            if rng.random() < 0.5:
                days = -rng.randint(1, 200) if rng.random() < 0.2 else rng.randint(10, 900)
                db.insert("permits", employee_id=person["id"], item_id=item["id"], valid_until=db.clock + days * DAY)


def _squeeze(db: Database, rng: random.Random, cost_centre: str, *, tight: bool) -> None:
    """Set the budget by what has been paid and ordered: ample, or a little short of the dearest purchase."""
    requests = "JOIN purchase_requests r ON r.id = x.request_id WHERE r.cost_centre = ?"
    [spent] = db.query(f"SELECT coalesce(sum(x.amount), 0) AS cents FROM orders x {requests}", cost_centre)
    quoted = f"SELECT x.request_id, min(x.amount) AS cents FROM quotations x {requests} GROUP BY 1 ORDER BY 2 DESC"
    dearest, *rest = [row["cents"] for row in db.query(quoted, cost_centre)]
    free = 4 * dearest + rng.randint(1, 40) * 100_000
    if tight:
        free = dearest - rng.randint(1, max(1, min(40, (dearest - rest[0]) // 20_000))) * 10_000
    db.run("UPDATE departments SET budget = ? WHERE cost_centre = ?", spent["cents"] + free, cost_centre)
