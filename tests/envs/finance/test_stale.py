"""Checks whose facts have changed since: what was found before counts no longer."""

from typing import Any

import pytest

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

ANNA = "CUS-000001"
CURRENT, SAVINGS = "IE00LEXG99001700000000", "IE01LEXG99001700000001"
TRUSTED = "BEN-000003"
ACCESS: dict[str, Any] = {"customer_id": ANNA, "provider_id": "TPP-000001"}

Step = tuple[str, dict[str, Any]]
LOGIN: Step = ("authenticate_customer", {"customer_id": ANNA})
CONSENT: Step = ("check_consent", ACCESS)
END: Step = ("withdraw_data_access", {"customer_id": ANNA, "consent_id": "CNS-000001"})
LET_IN: Step = ("grant_data_access", {**ACCESS, "days": 30})
SHARE: Step = ("share_account_data", {**ACCESS, "account": CURRENT})
REFUSE: Step = ("decline_data_access", {**ACCESS, "reason": "no consent in force"})


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    named = ("spending-limit", "consent-in-force", "denial-for-want-of-consent")
    return RuleSet([rule for rule in domain.rules if rule.id in named], signature(domain))


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    assert {event.status for event in events} <= {Status.OK}
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


def fits(amount: int, account: str = CURRENT) -> Step:
    return "check_spending_limit", {"account": account, "amount": amount}


def pay(amount: int, account: str = CURRENT) -> Step:
    order = {"customer_id": ANNA, "account": account, "payee_id": TRUSTED, "amount": amount, "reference": "Rent"}
    return "initiate_payment", order


@pytest.mark.parametrize(
    "calls",
    [
        [fits(60_000), pay(60_000), pay(60_000)],
        [fits(40_000), fits(70_000), pay(40_000), pay(70_000)],
        [fits(70_000), fits(20_000), pay(20_000), fits(5_000), pay(70_000)],
        [fits(60_000), pay(60_000), fits(60_000), pay(60_000)],
    ],
)
def test_together_payments_do_not_pass_the_limit_unseen(rules: RuleSet, run: Any, calls: list[Step]) -> None:
    assert broken(rules, run(*calls)) == {"spending-limit"}


@pytest.mark.parametrize(
    "calls",
    [
        [fits(40_000), pay(40_000), fits(40_000), pay(40_000)],
        [fits(40_000), fits(9_000, SAVINGS), pay(40_000), pay(9_000, SAVINGS)],
    ],
)
def test_a_payment_uses_up_the_limit_of_its_own_account_only(rules: RuleSet, run: Any, calls: list[Step]) -> None:
    assert broken(rules, run(*calls)) == set()


def test_a_payment_says_what_had_left_the_account_today(bank: Database, run: Any) -> None:
    first, second = run(pay(40_000), pay(1_000))
    assert (first.result["spent_before"], second.result["spent_before"]) == (0, 40_000)


def test_an_access_that_was_ended_lets_no_data_out(rules: RuleSet, run: Any) -> None:
    assert broken(rules, run(LOGIN, CONSENT, END, SHARE)) == {"consent-in-force"}


def test_an_access_that_was_ended_and_granted_again_is_established_anew(rules: RuleSet, run: Any) -> None:
    assert broken(rules, run(LOGIN, CONSENT, END, LET_IN, SHARE)) == {"consent-in-force"}


def test_an_access_that_was_established_anew_lets_data_out(rules: RuleSet, run: Any) -> None:
    assert broken(rules, run(LOGIN, CONSENT, END, LET_IN, CONSENT, SHARE)) == set()


@pytest.mark.parametrize(("calls", "kept"), [([], True), ([LET_IN], False), ([LET_IN, END, CONSENT], True)])
def test_want_of_consent_is_no_ground_once_access_was_granted(
    rules: RuleSet, run: Any, calls: list[Step], kept: bool
) -> None:
    events = run(LOGIN, END, CONSENT, *calls, REFUSE)
    assert broken(rules, events) == (set() if kept else {"denial-for-want-of-consent"})
