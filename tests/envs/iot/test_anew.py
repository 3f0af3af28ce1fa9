"""What an act has changed must be found anew: passwords in use, keys given again, timers set twice."""

from typing import Any

import pytest

from lexgym.core import Status
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

from .steps import ADA, LOGIN, Call, broken, change, log, look, on

NEW = "Cedar-42"
GUEST = {"guest_id": "GST-000001"}
DROP = look("revoke_guest_key", 3, **GUEST)
OVEN, HEATER, THERMOSTAT = 5, 3, 4


def compare(number: int, password: str = NEW) -> Call:
    return look("check_password", number, password=password)


def set_it(number: int, password: str = NEW) -> Call:
    return "set_device_password", on(number, password=password)


def timer(number: int, minutes: int) -> Call:
    return look("set_switch_off_timer", number, minutes=minutes)


def delete(profile_id: str) -> list[Call]:
    profile = {**ADA, "profile_id": profile_id}
    return [("check_guest_use", profile), ("delete_guest_profile", profile)]


def test_two_comparisons_do_not_serve_two_devices(rules: RuleSet, run: Any) -> None:
    events = run(change("password"), change("password", 2), compare(1), compare(2), set_it(1), set_it(2))
    assert [event.result["acceptable"] for event in events[2:4]] == [True, True]
    assert broken(rules, events) == {"passwords-compared-anew"}


def test_a_comparison_after_the_first_device_finds_the_password_in_use(rules: RuleSet, run: Any) -> None:
    events = run(change("password"), compare(1), set_it(1), compare(2))
    assert events[-1].result == {"acceptable": False, "finding": "used on another device"}
    assert broken(rules, events) == set()


def test_a_comparison_for_the_first_device_does_not_serve_the_second(rules: RuleSet, run: Any) -> None:
    asked = [change("password"), change("password", 2), compare(1), compare(2), set_it(1)]
    assert broken(rules, run(*asked, compare(1), set_it(2))) == {"passwords-compared-anew"}


@pytest.mark.parametrize(("anew", "wrong"), [([], {"passwords-compared-anew"}), ([compare(2)], set())])
def test_a_password_given_up_again_can_be_set_on_another_device(
    rules: RuleSet, run: Any, anew: list[Call], wrong: set[str]
) -> None:
    asked = [change("password"), change("password", 2), compare(1), compare(1, "Cedar-43"), compare(2)]
    assert broken(rules, run(*asked, set_it(1), set_it(1, "Cedar-43"), *anew, set_it(2))) == wrong


@pytest.mark.parametrize(("anew", "wrong"), [([], {"passwords-compared-anew"}), ([compare(1)], set())])
def test_a_password_is_compared_anew_before_the_same_device_gets_it_back(
    rules: RuleSet, run: Any, anew: list[Call], wrong: set[str]
) -> None:
    asked = [change("password"), compare(1), compare(1, "Cedar-43")]
    assert broken(rules, run(*asked, set_it(1), set_it(1, "Cedar-43"), *anew, set_it(1))) == wrong


def test_two_passwords_may_be_compared_one_after_the_other(rules: RuleSet, run: Any) -> None:
    asked = [change("password"), change("password", 2), compare(1), compare(2, "Cedar-43")]
    assert broken(rules, run(*asked, set_it(1), set_it(2, "Cedar-43"))) == set()


@pytest.mark.parametrize(("anew", "wrong"), [([], {"key-before-profile"}), ([DROP], set())])
def test_access_given_anew_has_a_new_key(rules: RuleSet, run: Any, anew: list[Call], wrong: set[str]) -> None:
    grant = ("grant_guest_access", on(3, **GUEST, hours=24))
    events = run(LOGIN, DROP, *delete("PRF-000001"), ("identify_guest", GUEST), grant, log("PRF-000003"), *anew)
    assert broken(rules, [*events, *run(*delete("PRF-000003"))]) == wrong


@pytest.mark.parametrize(("number", "act", "temperature"), [(OVEN, "start_oven", 180), (HEATER, "start_heating", 21)])
def test_a_timer_stands_at_what_it_was_set_to_last(
    rules: RuleSet, home: Database, run: Any, number: int, act: str, temperature: int
) -> None:
    start, found = home.snapshot(), []
    ready, go = [LOGIN, look("check_remote_start", number)], (act, on(number, temperature=temperature, minutes=40))
    for settings in (
        [timer(number, 40)],
        [timer(number, 40), timer(number, 90)],
        [timer(number, 90), timer(number, 40)],
    ):
        home.restore(start)
        found.append(broken(rules, run(*ready, *settings, go)))
    assert found == [set(), {"set-duration"}, set()]


@pytest.mark.parametrize(("number", "act", "temperature"), [(OVEN, "start_oven", 180), (HEATER, "start_heating", 21)])
def test_the_timer_of_an_appliance_that_runs_cannot_be_set(
    home: Database, run: Any, number: int, act: str, temperature: int
) -> None:
    start = (act, on(number, temperature=temperature, minutes=40))
    *_, late = run(timer(number, 40), start, timer(number, 240))
    assert (late.status, late.result["code"]) == (Status.REFUSED, "already_on")
    assert [row["minutes"] for row in home.query("SELECT minutes FROM timers")] == [40]


def test_under_a_thermostat_the_timer_may_stand_at_anything(rules: RuleSet, home: Database, run: Any) -> None:
    home.run("UPDATE device_conditions SET remote_start = 'ready', timer = 'works'")
    go = ("start_heating", on(THERMOSTAT, temperature=21, minutes=40))
    assert broken(rules, run(LOGIN, look("check_remote_start", THERMOSTAT), timer(THERMOSTAT, 90), go)) == set()
