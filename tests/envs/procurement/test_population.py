"""The sampled departments: same seed, same bytes; realistic and consistent."""

import random
import re

import pytest

from lexgym.envs.domain import Domain
from lexgym.envs.procurement import names
from lexgym.envs.procurement.pools import iban
from lexgym.envs.procurement.tools import lookup
from lexgym.tools.database import Database

SEEDS = range(25)


@pytest.fixture(scope="module")
def sampled(domain: Domain) -> list[Database]:
    return [domain.database(seed) for seed in SEEDS]


def test_same_seed_same_bytes(domain: Domain) -> None:
    first, second = domain.database(7), domain.database(7)
    assert first.snapshot() == second.snapshot()
    assert first.state_hash() != domain.database(8).state_hash()


def test_size(sampled: list[Database]) -> None:
    for db in sampled:
        assert len(db.query("SELECT 1 FROM departments")) == 3
        assert 30 <= len(db.query("SELECT 1 FROM purchase_requests")) <= 60
        assert 250 <= sum(map(len, db.dump().values())) <= 400


def test_two_of_three_departments_are_integration_labs(sampled: list[Database]) -> None:
    for db in sampled:
        assert len(db.query("SELECT 1 FROM departments WHERE kind = 'integration lab'")) == 2


def test_names_are_easily_mixed_up(sampled: list[Database]) -> None:
    for db in sampled:
        assert len(db.query("SELECT last_name FROM employees GROUP BY last_name HAVING count(*) > 1")) == 1
        stems = [row["name"].rpartition(" ")[0] for row in db.query("SELECT name FROM suppliers")]
        assert len(set(stems)) == len(stems) - 1
        items = [row["name"] for row in db.query("SELECT name FROM items")]
        assert len(items) == 16


def test_nothing_dangles_and_nothing_lies_in_the_future(sampled: list[Database]) -> None:
    for db in sampled:
        assert db.query("PRAGMA foreign_key_check") == []
        for column in ("ordered_at FROM orders", "received_at FROM receipts", "paid_at FROM payments"):
            assert not db.query(f"SELECT 1 FROM (SELECT {column}) WHERE {column.split()[0]} > ?", db.clock)
        assert not db.query(
            "SELECT 1 FROM receipts c JOIN orders o ON o.id = c.order_id WHERE c.received_at <= o.ordered_at - 86400"
        )
        assert not db.query(
            "SELECT 1 FROM orders o JOIN purchase_requests r ON r.id = o.request_id WHERE ordered_at <= submitted_at"
        )


def test_requests_have_an_approver_and_receivers_stood_apart(sampled: list[Database]) -> None:
    for db in sampled:
        routed = db.query("SELECT 1 FROM approval_routes")
        assert len(routed) == len(db.query("SELECT 1 FROM purchase_requests"))
        assert not db.query(
            "SELECT 1 FROM receipts c JOIN orders o ON o.id = c.order_id "
            "JOIN purchase_requests r ON r.id = o.request_id WHERE r.requester_id = c.receiver_id"
        )


def test_paid_is_the_sum_of_payments_and_stays_within_the_budget(sampled: list[Database]) -> None:
    for db in sampled:
        [row] = db.query("SELECT (SELECT sum(paid) FROM departments) AS paid, sum(amount) AS total FROM payments")
        assert row["paid"] == (row["total"] or 0)
        assert not db.query("SELECT 1 FROM departments WHERE paid > budget")


def test_every_stage_occurs(sampled: list[Database]) -> None:
    for table in ("allocations", "claims", "order_changes", "rejections", "withholdings", "refusals"):
        assert not any(db.query(f"SELECT 1 FROM {table}") for db in sampled)
    for table in ("portal_offers", "incidents", "deliveries", "receipts", "invoices", "tenders"):
        assert sum(bool(db.query(f"SELECT 1 FROM {table}")) for db in sampled) > 5, table


def test_purposes_differ(sampled: list[Database]) -> None:
    purposes = [row["purpose"] for db in sampled for row in db.query("SELECT purpose FROM purchase_requests")]
    assert len(set(purposes)) > 150


def test_prices_and_purposes_fit_the_item(sampled: list[Database]) -> None:
    for db in sampled:
        for row in db.query("SELECT r.*, i.name FROM purchase_requests r JOIN items i ON i.id = r.item_id"):
            kinds = {names.kind(row["name"]), "any"}
            assert any(row["purpose"].startswith(need) for kind in kinds for need in names.NEEDS[kind]), row
            usual = lookup.catalogue_value(db, row)
            for table in ("quotations", "incoming_quotations", "orders"):
                for said in db.query(f"SELECT amount FROM {table} WHERE request_id = ?", row["id"]):
                    assert 0.85 * usual - 2_000 <= said["amount"] <= 1.2 * usual + 3_000, (row, table, said)


def test_some_emergencies_lie_above_the_ceiling(sampled: list[Database]) -> None:
    values = [
        lookup.catalogue_value(db, row)
        for db in sampled
        for row in db.query("SELECT r.* FROM incidents JOIN purchase_requests r ON r.id = request_id")
    ]
    assert 0.1 <= sum(value > 2_500_000 for value in values) / len(values) <= 0.4


def test_items_come_in_two_sizes_of_which_one_at_most_is_in_stock(sampled: list[Database]) -> None:
    free = "SELECT 1 FROM stock WHERE item_id = ? AND on_hold = 0 AND quantity - reserve >= 6"
    for db in sampled:
        items = db.query("SELECT id, unit_price FROM items ORDER BY id")
        for one, other in zip(items[::2], items[1::2], strict=True):
            dear, cheap = sorted((one, other), key=lambda item: -item["unit_price"])
            assert dear["unit_price"] > cheap["unit_price"]
            assert not db.one(free, dear["id"])
        assert sum(db.one(free, item["id"]) is not None for item in items) == 5


def test_every_value_band_is_quoted(sampled: list[Database]) -> None:
    for basis in ("competitive", "single source", "framework"):
        rows = [row for db in sampled for row in db.query("SELECT amount FROM quotations WHERE basis = ?", basis)]
        assert {lookup.band(row["amount"]) for row in rows} == {0, 1, 2, 3}, basis


def test_new_ids_continue(domain: Domain) -> None:
    db = domain.database(3)
    assert db.new_id("orders") == f"ORD-{len(db.query('SELECT 1 FROM orders')) + 1:06d}"


def test_ibans_are_valid() -> None:
    rng = random.Random(4)
    for _ in range(50):
        text = iban(rng)
        digits = "".join(str(int(character, 36)) for character in text[4:] + text[:4])
        assert int(digits) % 97 == 1


def test_pools_fit_the_parameters(domain: Domain) -> None:
    rng = random.Random(5)
    by_pool = {p.pool.name: p for tool in domain.tools.values() for p in tool.parameters if p.pool}
    assert set(by_pool) == set(domain.pools)
    for name, parameter in by_pool.items():
        for _ in range(300):
            value = domain.pools[name](rng)
            if isinstance(value, int):
                assert parameter.schema["minimum"] <= value <= parameter.schema["maximum"]
            else:
                assert isinstance(value, str)
                assert re.search(parameter.schema.get("pattern", ""), value), (name, value)
                assert len(value) <= parameter.schema.get("maxLength", 140)
