"""The device and the rule about failed attempts agree: five in a row, whatever the prompts were for."""

import random
from typing import Any

import pytest

from lexgym.core import Event
from lexgym.envs.domain import Domain
from lexgym.oracles.ltlf import RuleSet, ToolSignature
from lexgym.tools.database import Database

ANNA, BEN, CLEO = "CUS-000001", "CUS-000002", "CUS-000003"
KINDS = ("login", "payments", "changes")


def prompt(kind: str, customer_id: str = ANNA) -> tuple[str, dict[str, Any]]:
    payee_id = "BEN-000001" if customer_id == ANNA else "BEN-000004"
    found: dict[str, tuple[str, dict[str, Any]]] = {
        "login": ("authenticate_customer", {"customer_id": customer_id}),
        "payments": ("confirm_sca", {"customer_id": customer_id, "payee_id": payee_id, "amount": 100}),
        "changes": ("confirm_remote_action", {"customer_id": customer_id, "action": "payee list"}),
    }
    return found[kind]


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    signature = {
        tool.name: ToolSignature({p.name: p.schema for p in tool.parameters}, tool.result_schema)
        for tool in domain.tools.values()
    }
    return RuleSet([rule for rule in domain.rules if rule.id == "failed-attempts"], signature)


def broken_at(rules: RuleSet, events: list[Event]) -> int | None:
    monitor = rules.monitor()
    return next((place for place, event in enumerate(events) if monitor.step(event)), None)


def after_five_failures(events: list[Event]) -> int | None:
    """The place of the first prompt that comes after five failed ones in a row, counted independently."""
    outcomes = ["x" if event.result["outcome"] == "approved" else "-" for event in events]
    found = "".join(outcomes).find("-----")
    return found + 5 if 0 <= found < len(outcomes) - 5 else None


def random_prompts(bank: Database, run: Any, rng: random.Random) -> list[Event]:
    events = []
    for _ in range(24):
        kind, declined = rng.choice(KINDS), rng.choice(("", "", "", *KINDS))
        bank.run(
            "UPDATE sca_devices SET login = ?, payments = ?, changes = ?, mistyped = ?, mistypes = ? "
            "WHERE customer_id = ?",
            *("decline" if each == declined else "approve" for each in KINDS),
            kind,
            rng.choice((0, 0, 1, 1, 2)),
            ANNA,
        )
        events += run(prompt(kind))
    return events


def test_the_rule_breaks_where_the_device_is_blocked_and_nowhere_else(rules: RuleSet, bank: Database, run: Any) -> None:
    start, kept = bank.snapshot(), 0
    for seed in range(80):
        bank.restore(start)
        events = random_prompts(bank, run, random.Random(seed))
        blocked = next((i for i, event in enumerate(events) if event.result["outcome"] == "blocked"), None)
        assert broken_at(rules, events) == blocked == after_five_failures(events)
        kept += blocked is None
    assert 10 < kept < 70


@pytest.mark.parametrize("kind", KINDS)
def test_the_sixth_prompt_is_unlawful_whatever_comes_of_it(rules: RuleSet, bank: Database, run: Any, kind: str) -> None:
    events = run(*[prompt("login", BEN)] * 3, *[prompt("changes", BEN)] * 2)
    assert broken_at(rules, events) is None
    bank.run("UPDATE sca_devices SET login = 'approve', payments = 'approve', changes = 'approve', failed_attempts = 0")
    assert broken_at(rules, [*events, *run(prompt(kind, BEN))]) == 5
    assert broken_at(rules, [*events, *run(prompt(kind, ANNA))]) is None


def test_a_prompt_that_comes_out_well_lets_the_count_begin_anew(rules: RuleSet, bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET mistyped = 'login', mistypes = 4 WHERE customer_id = ?", ANNA)
    events = run(*[prompt("login")] * 5)
    bank.run("UPDATE sca_devices SET mistyped = 'payments', mistypes = 4 WHERE customer_id = ?", ANNA)
    events += run(*[prompt("payments")] * 5)
    assert [event.result["outcome"] for event in events] == (["wrong code"] * 4 + ["approved"]) * 2
    assert broken_at(rules, events) is None


def test_prompts_without_a_device_count_as_failed(rules: RuleSet, run: Any) -> None:
    assert broken_at(rules, run(*[prompt("login", CLEO)] * 7)) == 5
