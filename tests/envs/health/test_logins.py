"""Log-ins that fail: how they are counted, when they are reported, and when nobody is asked again."""

import random
from typing import Any

import pytest

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

ANN, BEN, CLEO, EVE, FINN = (f"USR-{n:06d}" for n in (1, 2, 3, 5, 6))
MIA = "PAT-000001"
LOGIN = ("authenticate_user", {"user_id": BEN})
REPORT = ("report_login_discrepancy", {"user_id": BEN})
AUDIT = ("record_audit_event", {"user_id": BEN, "subject": "REF-000001"})
AWAY = ("turn_away_user", {"user_id": BEN, "patient_id": MIA, "reason": "log-in failed"})
LOG_INS = {"login-attempts", "login-discrepancy", "turned-away-for-the-log-in", "turned-away-for-the-account"}


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    assert {event.status for event in events} <= {Status.OK}
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


def mistype(clinic: Database, times: int) -> None:
    """Let Ben know his PIN and get it wrong so many times first."""
    clinic.run("UPDATE credentials SET pin = 'right', mistypes = ? WHERE user_id = ?", times, BEN)


@pytest.mark.parametrize("times", range(5))
def test_who_mistypes_the_pin_gets_in_when_asked_again(clinic: Database, run: Any, times: int) -> None:
    mistype(clinic, times)
    outcomes = [event.result["outcome"] for event in run(*[LOGIN] * (times + 2))]
    assert outcomes == ["wrong pin"] * times + ["accepted"] * 2
    assert clinic.one("SELECT failed_attempts FROM credentials WHERE user_id = ?", BEN) == {"failed_attempts": 0}


def test_five_failed_log_ins_lock_the_account(clinic: Database, run: Any) -> None:
    mistype(clinic, 5)
    assert [event.result["outcome"] for event in run(*[LOGIN] * 6)] == ["wrong pin"] * 5 + ["locked"]
    [event] = run(LOGIN)
    assert event.result == {"authenticated": False, "outcome": "locked"}


def test_the_third_failure_in_a_row_is_reported_afterwards(rules: RuleSet, run: Any, clinic: Database) -> None:
    start = clinic.snapshot()
    for steps, stakes in (
        ([LOGIN] * 2, set()),
        ([LOGIN] * 3, {"login-discrepancy"}),
        ([*[LOGIN] * 3, REPORT], set()),
        ([REPORT, *[LOGIN] * 3], {"login-discrepancy"}),
        ([*[LOGIN] * 5, REPORT], set()),
        ([*[LOGIN] * 6, REPORT], {"login-attempts"}),
    ):
        clinic.restore(start)
        assert broken(rules, run(*steps)) == stakes


def test_a_successful_log_in_does_not_make_up_for_a_report(rules: RuleSet, run: Any, clinic: Database) -> None:
    mistype(clinic, 3)
    assert broken(rules, run(*[LOGIN] * 4)) == {"login-discrepancy"}


def test_failures_of_different_people_do_not_add_up(rules: RuleSet, clinic: Database, run: Any) -> None:
    clinic.run("UPDATE credentials SET pin = 'wrong'")
    logins = [("authenticate_user", {"user_id": user_id}) for user_id in (ANN, BEN, CLEO, EVE)]
    assert broken(rules, run(*logins)) == set()


@pytest.mark.parametrize("failed", range(1, 6))
def test_nobody_is_turned_away_before_the_fifth_failure(rules: RuleSet, run: Any, failed: int) -> None:
    report = [REPORT] if failed >= 3 else []
    stakes = set() if failed == 5 else {"turned-away-for-the-log-in"}
    assert broken(rules, run(*[LOGIN] * failed, AWAY, *report, AUDIT)) == stakes


@pytest.mark.parametrize("asked", [True, False])
def test_a_closed_account_is_found_closed_before_that_is_the_reason(rules: RuleSet, run: Any, asked: bool) -> None:
    login = [("authenticate_user", {"user_id": FINN})] if asked else []
    away = ("turn_away_user", {"user_id": FINN, "patient_id": MIA, "reason": "account closed"})
    events = run(*login, away, ("record_audit_event", {"user_id": FINN, "subject": "REF-000001"}))
    assert broken(rules, events) == (set() if asked else {"turned-away-for-the-account"})


@pytest.mark.parametrize("seed", range(60))
def test_rules_and_system_count_alike(domain: Domain, rules: RuleSet, clinic: Database, seed: int) -> None:
    """The rules speak after each event of a random sequence as the system's own count does."""
    rng, monitor = random.Random(seed), rules.monitor()
    ids = [rule.id for rule in rules.rules]
    asked_again, turned_away, since, owed = False, False, 0, False
    for step in range(1, 25):
        clinic.run("UPDATE credentials SET pin = ? WHERE user_id = ?", rng.choice(("right", "wrong", "wrong")), BEN)
        [before] = clinic.query("SELECT failed_attempts AS row FROM credentials WHERE user_id = ?", BEN)
        name, arguments = rng.choice((LOGIN, LOGIN, LOGIN, LOGIN, REPORT, AWAY))
        event = domain.tools.execute(clinic, domain.tools.parse(ToolCall(name, arguments)), step=step)
        monitor.step(event)
        if event.name == "turn_away_user":
            turned_away |= before["row"] < 5 and not asked_again
        elif event.name == "report_login_discrepancy":
            since, owed = 0, False
        else:
            asked_again |= before["row"] == 5
            since = 0 if event.result["authenticated"] else since + 1
            owed |= since >= 3
        stakes = {rule for rule, kept in zip(ids, monitor.satisfied, strict=True) if not kept} & LOG_INS
        assert ("login-attempts" in stakes, "login-discrepancy" in stakes) == (asked_again, owed)
        assert ("turned-away-for-the-log-in" in stakes) == turned_away
