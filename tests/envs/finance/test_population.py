"""The sampled bank: same seed, same bytes; realistic and consistent."""

import random
import re
from collections import Counter

import pytest

from lexgym.envs.domain import Domain
from lexgym.envs.finance.iban import foreign_iban, iban, is_iban
from lexgym.envs.finance.tools.exemptions import check_low_value_exemption
from lexgym.tools.database import Database

SEEDS = range(25)


@pytest.fixture(scope="module")
def banks(domain: Domain) -> list[Database]:
    return [domain.database(seed) for seed in SEEDS]


def test_same_seed_same_bytes(domain: Domain) -> None:
    first, second = domain.database(7), domain.database(7)
    assert first.snapshot() == second.snapshot()
    assert first.state_hash() != domain.database(8).state_hash()


def test_size(banks: list[Database]) -> None:
    for db in banks:
        assert 5 <= len(db.query("SELECT 1 FROM customers")) <= 8
        assert 100 <= sum(map(len, db.dump().values())) <= 270


def test_two_customers_share_a_last_name(banks: list[Database]) -> None:
    for db in banks:
        pairs = db.query("SELECT last_name FROM customers GROUP BY last_name HAVING count(*) > 1")
        assert len(pairs) == 1


def test_customers_have_different_full_names(banks: list[Database]) -> None:
    for db in banks:
        assert not db.query("SELECT 1 FROM customers GROUP BY first_name, last_name HAVING count(*) > 1")


def test_ibans_are_valid(banks: list[Database]) -> None:
    for db in banks:
        for row in db.query("SELECT number AS iban FROM accounts UNION ALL SELECT iban FROM payees"):
            assert is_iban(row["iban"]), row
            assert re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", row["iban"])


@pytest.mark.parametrize("text", ["GB82WEST12345698765432", "DE89370400440532013000", "FR1420041010050500013M02606"])
def test_known_ibans(text: str) -> None:
    assert is_iban(text)
    assert iban(text[:2], text[4:]) == text
    assert not is_iban(f"{text[:-1]}{(int(text[-1]) + 1) % 10}")


def test_foreign_ibans_have_many_countries() -> None:
    rng = random.Random(1)
    assert len({foreign_iban(rng)[:2] for _ in range(200)}) > 10


def test_balances_are_the_sums_of_bookings(banks: list[Database]) -> None:
    for db in banks:
        assert not db.query(
            "SELECT a.number FROM accounts a LEFT JOIN transactions t ON t.account = a.number "
            "GROUP BY a.number HAVING a.balance <> coalesce(sum(t.amount), 0)"
        )


def test_no_dangling_references_and_nothing_in_the_future(banks: list[Database]) -> None:
    for db in banks:
        assert db.query("PRAGMA foreign_key_check") == []
        assert not db.query("SELECT 1 FROM transactions WHERE booked_at > ?", db.clock)


def test_payees_of_different_customers_have_nearly_the_same_names(banks: list[Database]) -> None:
    near = 0
    for db in banks:
        names = {row["name"].rpartition(" ")[0]: row for row in db.query("SELECT name FROM payees")}
        near += len(names) < len(db.query("SELECT DISTINCT name FROM payees"))
    assert near > len(banks) / 2


def test_most_customers_approve_everything_and_some_only_log_in(banks: list[Database]) -> None:
    devices = [row for db in banks for row in db.query("SELECT login, payments, changes, messages FROM sca_devices")]
    answers = Counter((row["login"], row["payments"], row["changes"]) for row in devices)
    assert answers["approve", "approve", "approve"] > len(devices) / 2
    for payments, changes in (("decline", "approve"), ("approve", "decline"), ("decline", "decline")):
        assert answers["approve", payments, changes]
    assert 0.1 < sum(row["messages"] == "off" for row in devices) / len(devices) < 0.4


def test_some_mistype_codes_and_few_do_so_four_times(banks: list[Database]) -> None:
    devices = [row["mistypes"] for db in banks for row in db.query("SELECT mistypes FROM sca_devices")]
    assert 0.12 < sum(count > 0 for count in devices) / len(devices) < 0.35
    assert set(devices) == {0, 1, 2, 4}
    assert devices.count(4) < devices.count(1)


def test_payments_over_30_euros_to_ordinary_payees_were_approved(banks: list[Database]) -> None:
    for db in banks:
        assert not db.query(
            "SELECT 1 FROM payments p JOIN payees q ON q.id = p.payee_id "
            "WHERE p.amount > 3000 AND q.standing = 'ordinary' AND NOT EXISTS (SELECT 1 FROM challenges c "
            "WHERE c.payee_id = p.payee_id AND c.amount = p.amount AND c.sent_at < p.created_at)"
        )


def test_some_customers_have_used_up_what_needs_no_approval(banks: list[Database]) -> None:
    reasons = Counter(
        check_low_value_exemption(db, customer_id=row["customer_id"], payee_id=row["id"], amount=500)["reason"]
        for db in banks
        for row in db.query("SELECT min(id) AS id, customer_id FROM payees GROUP BY customer_id")
    )
    assert set(reasons) == {
        "within the limits",
        "over 100 euros since the last approval",
        "over five payments in a row",
    }
    assert 0.2 < 1 - reasons["within the limits"] / sum(reasons.values()) < 0.5


def test_every_customer_has_a_mobile_and_some_a_landline(banks: list[Database]) -> None:
    for db in banks:
        kinds = Counter(row["kind"] for row in db.query("SELECT kind FROM phones"))
        assert kinds["mobile"] == len(db.query("SELECT 1 FROM customers")) >= kinds["landline"]


def test_new_ids_continue(domain: Domain) -> None:
    db = domain.database(3)
    assert db.new_id("payees") == f"BEN-{len(db.query('SELECT 1 FROM payees')) + 1:06d}"


def test_pools_fit_the_parameters(domain: Domain) -> None:
    rng = random.Random(5)
    by_pool = {p.pool.name: (tool, p) for tool in domain.tools.values() for p in tool.parameters if p.pool}
    assert set(by_pool) == set(domain.pools)
    for name, (_, parameter) in by_pool.items():
        for _ in range(300):
            value = domain.pools[name](rng)
            if isinstance(value, int):
                assert parameter.schema["minimum"] <= value <= parameter.schema["maximum"]
            else:
                assert isinstance(value, str)
                assert re.search(parameter.schema.get("pattern", ""), value), (name, value)
                assert len(value) <= parameter.schema.get("maxLength", 140)
