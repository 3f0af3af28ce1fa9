"""The sampled clinic: same seed, same bytes; realistic and consistent."""

import random
import re

import pytest

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.health import clinical, names
from lexgym.tools.database import Database, Row

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


def test_some_staff_have_left_forgotten_their_pin_or_mistype_it(clinics: list[Database]) -> None:
    mistypes = [row["mistypes"] for db in clinics for row in db.query("SELECT mistypes FROM credentials")]
    assert set(mistypes) == {0, 1, 2, 3}
    assert 0.5 < mistypes.count(0) / len(mistypes) < 0.75
    assert 0.05 < mistypes.count(3) / len(mistypes) < 0.2
    for db in clinics:
        assert len(db.query("SELECT 1 FROM users WHERE status = 'closed'")) == 2
        assert len(db.query("SELECT 1 FROM credentials WHERE pin = 'wrong'")) == 2
        assert not db.query("SELECT 1 FROM credentials WHERE failed_attempts > 0")


def test_a_request_has_one_thing_in_its_way_or_none(domain: Domain, clinics: list[Database]) -> None:
    found = [troubles(domain, db, row) for db in clinics for row in db.query("SELECT * FROM release_requests")]
    assert max(map(len, found)) == 1
    assert 0.3 < found.count([]) / len(found) < 0.5
    for trouble in ("requester", "altered", "restriction", "excess", "permission"):
        assert found.count([trouble]) / len(found) > 0.04, trouble


def troubles(domain: Domain, db: Database, request: Row) -> list[str]:
    """Return what keeps a record from being sent, as the checks find it."""

    def finds(name: str, *keys: str) -> bool:
        answer = domain.tools.execute(db, ToolCall(name, {key: request[key] for key in keys}), step=1).result
        return next(value for value in answer.values() if isinstance(value, bool))

    purpose = request["purpose"]
    kept = bool(db.one("SELECT 1 FROM records WHERE id = ? AND category = 'psychotherapy notes'", request["record_id"]))
    permitted = finds("check_authorization", "record_id", "recipient_id")
    found = {
        "requester": not finds("verify_requester", "recipient_id", "purpose"),
        "altered": not finds("check_integrity", "record_id"),
        "restriction": purpose in ("treatment", "payment")
        and not finds("check_restriction", "patient_id", "recipient_id"),
        "excess": not permitted and not finds("check_minimum_necessary", "record_id", "purpose"),
        "permission": not permitted and (purpose == "other" or (kept and purpose != "required by law")),
    }
    return [name for name, there in found.items() if there]


def test_half_of_what_may_have_gone_astray_was_opened(clinics: list[Database]) -> None:
    states = [row["state"] for db in clinics for row in db.query("SELECT state FROM handling")]
    assert 0.35 < states.count("opened") / len(states) < 0.65


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
