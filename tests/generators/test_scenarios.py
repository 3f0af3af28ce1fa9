"""Generated scenarios: proved, varied, reproducible; a bad one is rejected."""

import dataclasses

import pytest

from lexgym.core import ToolCall
from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError, ScenarioRejected
from lexgym.generators.acceptance import accept
from lexgym.generators.changes import changes, rows
from lexgym.generators.fuzzer import Fuzzer
from lexgym.generators.mutants import mutants
from lexgym.generators.scenarios import generate
from lexgym.generators.wording import money, ordinal
from lexgym.registration import make_env, scenario
from lexgym.scenario import ReferenceStep, Scenario
from lexgym.tools.database import Row

SEEDS = range(10)


def test_same_seed_same_bytes() -> None:
    domain = load_domain("finance")
    assert generate(domain, 5).to_json() == generate(domain, 5).to_json()


def test_scenarios_differ() -> None:
    found = [scenario("finance", seed) for seed in SEEDS]
    assert len({item.instruction("goal") for item in found}) == len(found)
    assert len({tuple(step.name for step in item.reference) for item in found}) > len(found) // 2
    assert len({step.name for item in found for step in item.reference}) > 12


@pytest.mark.parametrize("goals", [1, 2, 3, 4])
def test_the_number_of_requests_is_kept(goals: int) -> None:
    domain = load_domain("finance")
    found = generate(domain, 1, goals=goals)
    assert sum(step.name in domain.phrases["tools"] for step in found.reference) == goals


def test_every_kind_of_mutant_is_made() -> None:
    kinds = {kind for seed in SEEDS for kind, _ in mutants(scenario("finance", seed))}
    usual = {"drop safety", "drop business", "duplicate", "swap", "change argument", "insert forbidden"}
    usual |= {"checks first", "acts first", "exchange acts", "mix up"}
    assert kinds == usual | {"drop ground", "ask again", "do what is refused", "refuse and do"}


@pytest.fixture
def good() -> Scenario:
    return scenario("finance", 0)


def rejected(bad: Scenario, match: str) -> None:
    env = make_env("finance", max_steps=1000)
    with pytest.raises(ScenarioRejected, match=match):
        accept(bad, env)
    env.close()


def test_an_accepted_scenario_is_accepted_again(good: Scenario) -> None:
    env = make_env("finance", max_steps=1000)
    accept(good, env)
    env.close()


def test_a_reference_without_its_safety_steps_is_rejected(good: Scenario) -> None:
    bare = tuple(step for step in good.reference if not step.safety)
    rejected(dataclasses.replace(good, reference=bare), "reference is unsafe_success")


def test_a_reference_that_does_not_run_is_rejected(good: Scenario) -> None:
    rejected(dataclasses.replace(good, reference=(ReferenceStep("nonsense", {}, False), *good.reference)), "not run")


def test_a_target_that_nothing_reaches_is_rejected(good: Scenario) -> None:
    rejected(dataclasses.replace(good, target={table: [] for table in good.target}), "reference is benign_failure")


def test_a_goal_that_is_reached_at_the_start_is_rejected(good: Scenario) -> None:
    safety = tuple(step for step in good.reference if step.safety and step.name == "authenticate_customer")
    start = {table: good.initial[table] for table in good.target}
    rejected(dataclasses.replace(good, target=start, reference=safety), "doing nothing reaches")


def test_a_needless_safety_step_is_rejected(good: Scenario) -> None:
    first = next(step for step in good.reference if step.safety)
    index = good.reference.index(first)
    doubled = (*good.reference[: index + 1], first, *good.reference[index + 1 :])
    rejected(dataclasses.replace(good, reference=doubled), "not needed")


@pytest.mark.parametrize(
    "leak", ["Verify it first.", "Use confirm_sca.", "Write an audit entry.", "check authorization"]
)
def test_a_leaking_instruction_is_rejected(good: Scenario, leak: str) -> None:
    leaky = {**good.instructions, "goal": f"{good.instruction('goal')} {leak}"}
    rejected(dataclasses.replace(good, instructions=leaky), "gives away")


def test_an_incomplete_instruction_is_rejected(good: Scenario) -> None:
    rejected(dataclasses.replace(good, instructions={**good.instructions, "workflow": "Do it."}), "nothing names")


def test_a_search_without_result_says_why() -> None:
    fuzzer = Fuzzer(load_domain("finance"), 1)
    fuzzer.goals = []
    with pytest.raises(GenerationError, match="no lawful trace of 2 goals"):
        fuzzer.trace(2)


def test_backtracking_leaves_no_trace() -> None:
    fuzzer = Fuzzer(load_domain("finance"), 1)
    before, sequences = fuzzer.db.state_hash(), fuzzer.db.sequences
    fuzzer.max_length = 0
    with pytest.raises(GenerationError):
        fuzzer.trace(1)
    assert (fuzzer.db.state_hash(), fuzzer.db.sequences, fuzzer.events) == (before, sequences, [])


@pytest.mark.parametrize(
    ("table", "old", "new", "arguments", "is_set"),
    [
        ("accounts", {"balance": 10}, {"balance": 3}, {"amount": 7}, False),
        ("accounts", {"balance": 10}, {"balance": 3}, {"balance": 3}, True),
        ("locks", {"locked": 0}, {"locked": 1}, {}, True),
        ("payees", {"trusted": 1, "uses": 4}, {"trusted": 1, "uses": 5}, {"trusted": True}, False),
        ("payees", {"trusted": 1}, {"trusted": 0}, {"trusted": False}, True),
        ("cards", {"status": "active"}, {"status": "blocked"}, {}, True),
        ("cards", {"status": "active"}, {"status": "active"}, {}, False),
    ],
)
def test_what_counts_as_set(table: str, old: Row, new: Row, arguments: Row, is_set: bool) -> None:
    key = (table, ("A",))
    assert changes({key: old}, {key: new}, ToolCall("set", arguments)) == ({key} if is_set else set())


def test_added_and_removed_rows_are_set() -> None:
    key = ("cards", ("A",))
    for before, after in (({}, {key: {"n": 7}}), ({key: {"n": 7}}, {})):
        assert changes(before, after, ToolCall("set", {})) == {key}


def test_what_is_not_compared_is_no_effect() -> None:
    domain = load_domain("finance")
    db = domain.database(1)
    before = rows(domain, db)
    db.run("UPDATE payments SET created_at = created_at + 1")
    db.run("DELETE FROM risk_flags")
    assert rows(domain, db) == before


def test_formats() -> None:
    assert money(125_000) == "EUR 1,250.00"
    wanted = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "31st"]
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 31)] == wanted
