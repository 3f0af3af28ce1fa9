"""The sampled clinic: same seed, same bytes; realistic and consistent."""

import random
import re

import pytest

from lexgym.envs.domain import Domain
from lexgym.envs.health import clinical, names
from lexgym.tools.database import Database

SEEDS = range(25)


@pytest.fixture(scope="module")
def clinics(domain: Domain) -> list[Database]:
    return [domain.database(seed) for seed in SEEDS]


def test_same_seed_same_bytes(domain: Domain) -> None:
    first, second = domain.database(7), domain.database(7)
    assert first.snapshot() == second.snapshot()
    assert first.state_hash() != domain.database(8).state_hash()


def test_size(clinics: list[Database]) -> None:
    for db in clinics:
        assert 5 <= len(db.query("SELECT 1 FROM patients")) <= 7
        assert 200 <= sum(map(len, db.dump().values())) <= 380


@pytest.mark.parametrize("table", ["patients", "users"])
def test_two_people_share_a_last_name_and_nobody_a_full_one(clinics: list[Database], table: str) -> None:
    for db in clinics:
        assert len(db.query(f"SELECT 1 FROM {table} GROUP BY last_name HAVING count(*) > 1")) == 1
        assert not db.query(f"SELECT 1 FROM {table} GROUP BY first_name, last_name HAVING count(*) > 1")


def test_a_hospital_and_a_health_plan_have_nearly_the_same_name(clinics: list[Database]) -> None:
    for db in clinics:
        [hospital, plan] = db.query("SELECT name FROM recipients WHERE id IN ('ORG-000001', 'ORG-000003') ORDER BY id")
        assert hospital["name"].split()[0] == plan["name"].split()[0]


def test_no_dangling_references_and_nothing_in_the_future(clinics: list[Database]) -> None:
    for db in clinics:
        assert db.query("PRAGMA foreign_key_check") == []
        for table, column in (("disclosures", "sent_at"), ("records", "created_at"), ("consultations", "held_at")):
            assert not db.query(f"SELECT 1 FROM {table} WHERE {column} > ?", db.clock)


def test_every_role_is_there_and_every_physician_is_a_doctor(clinics: list[Database]) -> None:
    for db in clinics:
        assert len({row["role"] for row in db.query("SELECT role FROM users")}) == 4
        assert not db.query("SELECT 1 FROM doctors d JOIN users u ON u.id = d.user_id WHERE u.role <> 'physician'")


def test_new_ids_continue(domain: Domain) -> None:
    db = domain.database(3)
    assert db.new_id("records") == f"REC-{len(db.query('SELECT 1 FROM records')) + 1:06d}"


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
                assert parameter.schema.get("minLength", 1) <= len(value) <= parameter.schema.get("maxLength", 140)


def test_free_text_varies(domain: Domain) -> None:
    rng = random.Random(5)
    for name in ("address", "situation", "note", "note_title"):
        assert len({domain.pools[name](rng) for _ in range(300)}) > 150, name


def test_relatives_are_called_as_such(clinics: list[Database]) -> None:
    for db in clinics:
        for row in db.query("SELECT name, relation FROM contacts"):
            assert names.fits(row["name"].split()[0], row["relation"])
    assert not names.fits("Walter", "niece")
    assert not names.fits("Olga", "brother")


def test_texts_of_records_are_about_their_category() -> None:
    rng = random.Random(3)
    bills = {clinical.text(rng, "billing statements") for _ in range(200)}
    assert not [text for text in bills if "reference range" in text or "tolerated" in text]


def test_nobody_asks_for_one_years(domain: Domain) -> None:
    rng = random.Random(4)
    assert {domain.pools["years"](rng) for _ in range(200)} == {2, 3, 4, 5, 6}
