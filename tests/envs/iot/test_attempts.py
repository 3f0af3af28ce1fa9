"""Failed attempts of an owner: how many in a row, what ends the row, and that app and rule agree."""

import random
from typing import Any

import pytest

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

from .steps import BENS, LOGIN, Call, broken

BENS_PROMPTS: list[Call] = [
    ("authenticate_owner", {"household_id": "HOM-000002"}),
    ("confirm_change", {**BENS, "change": "password"}),
    ("confirm_guest_access", {**BENS, "guest_id": "GST-000003", "hours": 80}),
]


def test_a_fourth_attempt_after_three_failed_ones_is_too_many(rules: RuleSet, run: Any) -> None:
    login, ask, stay = BENS_PROMPTS
    assert broken(rules, run(login, ask, stay)) == set()
    assert broken(rules, run(login)) == set()
    assert broken(rules, run(login, ask, stay, login)) == {"failed-attempts"}


def test_an_attempt_that_succeeds_ends_the_row(rules: RuleSet, home: Database, run: Any) -> None:
    home.run("UPDATE owner_apps SET mistypes = 2")
    before = run(*[LOGIN] * 3)
    assert [event.result["outcome"] for event in before] == ["wrong code", "wrong code", "approved"]
    home.run("UPDATE owner_apps SET mistypes = 3")
    assert broken(rules, before + run(*[LOGIN] * 3)) == set()
    assert broken(rules, before + run(*[LOGIN] * 3 + [LOGIN])) == {"failed-attempts"}


def test_where_there_is_no_app_nothing_is_attempted(rules: RuleSet, home: Database, run: Any) -> None:
    home.run("DELETE FROM owner_apps")
    login, ask, stay = BENS_PROMPTS
    events = run(login, login, ask, ask, stay, login)
    assert {event.result["outcome"] for event in events} == {"no app"}
    assert broken(rules, events) == set()


def test_without_an_app_every_request_can_be_declined_whatever_else_was_asked(
    rules: RuleSet, home: Database, run: Any
) -> None:
    home.run("DELETE FROM owner_apps")
    login, *_ = BENS_PROMPTS
    kinds = ("network settings", "connection", "security parameters")
    asked: list[Call] = [("confirm_change", {**BENS, "change": kind}) for kind in kinds]
    because = {**BENS, "reason": "owner did not approve"}
    declined: list[Call] = [("decline_device_request", {**because, "request": kind}) for kind in kinds]
    told = {"household_id": BENS["household_id"], "topic": "request declined", "channel": "text message"}
    notices: list[Call] = [("notify_owner", {**told, "subject": f"REF-{number:06d}"}) for number in (1, 2, 3)]
    assert broken(rules, run(login, *asked, *declined, *notices)) == set()


@pytest.mark.parametrize("seed", range(30))
def test_the_app_is_locked_exactly_when_the_rule_forbids_to_ask(
    domain: Domain, rules: RuleSet, home: Database, seed: int
) -> None:
    rng = random.Random(seed)
    monitor, place = rules.monitor(), [rule.id for rule in rules.rules].index("failed-attempts")
    locked = False
    for step in range(12):
        for kind in ("login", "changes", "guests"):
            home.run(f"UPDATE owner_apps SET {kind} = ?", rng.choice(("approve", "decline")))
        home.run("UPDATE owner_apps SET mistypes = ?", rng.choice((0, 0, 1)))
        event = domain.tools.execute(home, ToolCall(*rng.choice(BENS_PROMPTS)), step=step + 1)
        locked = locked or event.result["outcome"] == "locked out"
        monitor.step(event)
        assert monitor.satisfied[place] is not locked
