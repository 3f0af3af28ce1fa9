"""The sampled neighbourhood: same seed, same bytes; realistic, consistent, with near-duplicates."""

import random
import re

import pytest

from lexgym.envs.domain import Domain
from lexgym.envs.iot import names
from lexgym.tools.database import Database

SEEDS = range(20)


@pytest.fixture(scope="module")
def towns(domain: Domain) -> list[Database]:
    return [domain.database(seed) for seed in SEEDS]


def test_same_seed_same_bytes(domain: Domain) -> None:
    first, second = domain.database(7), domain.database(7)
    assert first.snapshot() == second.snapshot()
    assert first.state_hash() != domain.database(8).state_hash()


def test_size(towns: list[Database]) -> None:
    for db in towns:
        assert len(db.query("SELECT 1 FROM households")) == 4
        assert 24 <= len(db.query("SELECT 1 FROM devices")) <= 28
        assert 220 <= sum(map(len, db.dump().values())) <= 340


def test_two_households_share_a_surname(towns: list[Database]) -> None:
    for db in towns:
        assert len(db.query("SELECT surname FROM households GROUP BY surname HAVING count(*) > 1")) == 1


def test_every_household_has_two_devices_of_one_model_in_two_rooms(towns: list[Database]) -> None:
    for db in towns:
        twins = db.query("SELECT household_id FROM devices GROUP BY household_id, model HAVING count(*) > 1")
        assert len({row["household_id"] for row in twins}) == 4


def test_every_household_has_two_guests_with_one_first_name(towns: list[Database]) -> None:
    for db in towns:
        twins = db.query("SELECT household_id FROM guests GROUP BY household_id, first_name HAVING count(*) > 1")
        assert len(twins) == 4


def test_profiles_stay_within_the_household(towns: list[Database]) -> None:
    for db in towns:
        assert not db.query(
            "SELECT 1 FROM guest_profiles p JOIN guests g ON g.id = p.guest_id JOIN devices d ON d.id = p.device_id "
            "WHERE g.household_id <> p.household_id OR d.household_id <> p.household_id"
        )


def test_every_device_has_what_its_kind_has(towns: list[Database]) -> None:
    for db in towns:
        for kind in ("lock", "camera", "oven", "heater"):
            assert not db.query(
                f"SELECT 1 FROM devices d LEFT JOIN {kind}s k ON k.device_id = d.id "
                "WHERE (d.kind = ?) <> (k.device_id IS NOT NULL)",
                kind,
            )
        for table in ("device_conditions", "passwords"):
            assert len(db.query(f"SELECT 1 FROM {table}")) == len(db.query("SELECT 1 FROM devices"))


def test_a_camera_in_the_garage_stands_indoors(towns: list[Database]) -> None:
    found = [
        row["placement"]
        for db in towns
        for row in db.query(
            "SELECT c.placement FROM cameras c JOIN devices d ON d.id = c.device_id WHERE room = 'garage'"
        )
    ]
    assert set(found) == {"indoors"}


def test_debug_interfaces_are_wanted_for_diagnosis_only(towns: list[Database]) -> None:
    wanted = {
        (row["kind"] == "debug", row["used_by"])
        for db in towns
        for row in db.query(
            "SELECT i.kind, u.used_by FROM interfaces i JOIN interface_uses u ON u.interface_id = i.id "
            "WHERE u.used_by IS NOT NULL"
        )
    }
    assert {used_by for debug, used_by in wanted if debug} == set(names.DIAGNOSES)
    assert {used_by for debug, used_by in wanted if not debug} == set(names.SERVICES)


def test_owners_answer_in_every_way(towns: list[Database]) -> None:
    apps = [app for db in towns for app in db.query("SELECT * FROM owner_apps")]
    homes = 4 * len(towns)
    assert 0.8 < len(apps) / homes < 1
    for kind in ("login", "changes", "guests"):
        assert 0.08 < sum(app[kind] == "decline" for app in apps) / homes < 0.32
    assert 0.12 < sum(app["mistypes"] > 0 for app in apps) / homes < 0.36
    assert {app["mistypes"] for app in apps} == {0, 1, 2}
    assert {app["failed_attempts"] for app in apps} == {0, 3}


def test_every_profile_has_a_use_and_every_partner_an_interface(towns: list[Database]) -> None:
    for db in towns:
        for table, told in (("guest_profiles", "guest_uses"), ("partners", "partner_interfaces")):
            assert len(db.query(f"SELECT 1 FROM {table}")) == len(db.query(f"SELECT 1 FROM {told}"))


def test_updates_are_newer_than_what_is_installed(towns: list[Database]) -> None:
    for db in towns:
        for row in db.query("SELECT u.version, d.firmware FROM updates u JOIN devices d ON d.id = u.device_id"):
            new, old = (tuple(map(int, row[name].split("."))) for name in ("version", "firmware"))
            assert new > old


def test_no_dangling_references_and_nothing_in_the_future(towns: list[Database]) -> None:
    for db in towns:
        assert db.query("PRAGMA foreign_key_check") == []
        assert not db.query("SELECT 1 FROM guest_profiles WHERE granted_at > ?", db.clock)
        assert not db.query("SELECT 1 FROM consents WHERE granted_at > ?", db.clock)


def test_new_ids_continue(domain: Domain) -> None:
    db = domain.database(3)
    assert db.new_id("guests") == f"GST-{len(db.query('SELECT 1 FROM guests')) + 1:06d}"


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
