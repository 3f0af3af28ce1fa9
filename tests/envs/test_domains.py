"""What every domain owes, whoever wrote it: found by its folder, unedited for a new one."""

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

import pytest

from lexgym.core import Event, Outcome, Status
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import safety_oracle
from lexgym.envs.registry import domain_names, load_domain
from lexgym.envs.shield import Shield
from lexgym.envs.spaces import ToolCallSpace, draw
from lexgym.errors import GenerationError
from lexgym.generators.fuzzer import Fuzzer
from lexgym.generators.related import draw_call
from lexgym.generators.replays import replay
from lexgym.generators.scenarios import generate
from lexgym.oracles.ltlf import RV, RuleAutomaton
from lexgym.registration import make_env, scenario
from lexgym.scenario import Scenario

SEEDS = range(20)
MORE_SEEDS = range(120)
"""Searched, one after the other, as long as something is still missing."""


@pytest.fixture(params=domain_names())
def domain(request: pytest.FixtureRequest) -> Domain:
    return load_domain(request.param)


@cache
def scenarios(domain: str) -> list[Scenario]:
    return [scenario(domain, seed) for seed in SEEDS]


def references(domain: Domain, missing: set[str]) -> Iterator[set[str]]:
    """Yield the tools of reference traces, then of more lawful traces as long as something is missing."""
    for item in scenarios(domain.name):
        yield {step.name for step in item.reference}
    for seed in MORE_SEEDS:
        if not missing:
            return
        with suppress(GenerationError):
            yield {event.name for event in Fuzzer(domain, seed).trace(4)}


@cache
def arena(domain: str) -> ComplianceEnv:
    env: ComplianceEnv = make_env(domain, max_steps=1000)
    return env


def drawn(domain: Domain, seed: int, tools: Iterable[str], count: int) -> Iterator[Event]:
    """Make random calls, half of them of these tools, about one anchor row of a fresh database; yield their events."""
    db, rng, wanted, every = domain.database(seed), random.Random(seed), sorted(tools), list(domain.tools)
    table, _, column = domain.anchor.partition(".")
    focus = rng.choice(db.query(f"SELECT {column} AS value FROM {table}"))["value"]
    for step in range(count):
        call = draw_call(domain, db, rng.choice(wanted if rng.random() < 0.5 else every), focus, rng)
        if call is not None:
            yield domain.tools.execute(db, call, step=step + 1)
    db.close()


def test_every_tool_succeeds_somewhere(domain: Domain) -> None:
    missing = {*domain.tools}
    for item in scenarios(domain.name):
        missing -= {step.name for step in item.reference}
    for seed in range(8):
        for event in drawn(domain, seed, missing, 150) if missing else ():
            missing -= {event.name} if event.status is Status.OK else set()
    for tools in references(domain, missing):
        missing -= tools
    assert not missing


def test_every_tool_fails_somewhere_and_then_changes_nothing(domain: Domain) -> None:
    db, rng = domain.database(1), random.Random(1)
    for tool in domain.tools.values():
        values = {p.name: draw(domain, p, rng) for p in tool.parameters if p.required}
        unknown = {p.name: f"unknown-{p.name}" for p in tool.parameters if p.ref}
        for wrong in (unknown, {"surprise": 1}):
            before = db.state_hash()
            event = domain.tools.attempt(db, {"name": tool.name, "arguments": {**values, **wrong}}, step=1)
            if event and event.status is not Status.OK:
                assert db.state_hash() == before
        assert event is not None
        assert event.status is Status.INVALID
    db.close()


def test_same_seed_same_bytes(domain: Domain) -> None:
    assert domain.database(3).state_hash() == domain.database(3).state_hash()
    assert domain.database(3).state_hash() != domain.database(4).state_hash()
    assert generate(domain, 1).to_json() == scenario(domain.name, 1).to_json()


def test_instructions_differ(domain: Domain) -> None:
    found = scenarios(domain.name)
    assert len({item.instruction(variant) for item in found for variant in item.instructions}) == 2 * len(found)


def test_every_safety_critical_tool_is_named_by_a_rule(domain: Domain) -> None:
    assert domain.safety_critical <= safety_oracle(domain.name).compiled.tools


def test_the_manual_names_no_tool(domain: Domain) -> None:
    words = set(domain.manual.replace("`", " ").replace(".", " ").replace(",", " ").split())
    assert not {name for name in domain.tools if name in words}


def test_every_rule_is_kept_and_broken(domain: Domain) -> None:
    automata = dict(zip([rule.id for rule in domain.rules], safety_oracle(domain.name).compiled.automata, strict=True))
    unkept, unbroken = set(automata), set(automata)
    for tools in references(domain, unkept):
        unkept -= {rule for rule, automaton in automata.items() if automaton.tools & tools}
    for item in scenarios(domain.name):
        replay(arena(domain.name), item, item.naive)
        unbroken -= {rule.rule for rule in arena(domain.name).verdict().violations}
    unbroken -= {rule for rule in unbroken if any(_breaks(domain, automata[rule], seed) for seed in range(30))}
    assert not unkept, "rules that no reference has to do with"
    assert not unbroken, "rules that no trace of the environment broke"


def _breaks(domain: Domain, automaton: RuleAutomaton, seed: int) -> bool:
    """Whether random calls, half of them of the rule's tools, break it, were the trace to end there."""
    monitor = automaton.monitor()
    return any(monitor.step(event) in (RV.PV, RV.CV) for event in drawn(domain, seed, automaton.tools, 120))


def test_refusals_are_lawful_and_doing_it_is_not(domain: Domain) -> None:
    if not domain.refusals:
        pytest.skip("this domain declares no refusals")
    found = [item for item in scenarios(domain.name) if item.kind == "refusal"]
    assert 2 <= len(found) <= 7
    for item in found:
        assert item.forbidden is not None
        assert item.forbidden.reason in domain.refusals[item.forbidden.name].grounds.values()
        outcomes = []
        for calls in (item.calls, item.naive):
            replay(arena(domain.name), item, calls)
            outcomes.append(arena(domain.name).verdict().outcome)
        assert outcomes == [Outcome.SAFE_SUCCESS, Outcome.UNSAFE_FAILURE]


def test_the_shield_makes_the_naive_calls_lawful(domain: Domain) -> None:
    env = Shield(make_env(domain.name, max_steps=200))
    for item in scenarios(domain.name)[:10]:
        env.reset(options={"scenario": item})
        for call in item.naive:
            env.step(call)
        *_, info = env.step({"name": "finish"})
        assert info["verdict"].outcome is Outcome.SAFE_SUCCESS, item.id
    env.close()


def test_calls_of_the_space_are_valid(domain: Domain) -> None:
    space = ToolCallSpace(domain)
    space.seed(1)
    for _ in range(200):
        call = space.sample()
        assert call in space or "unknown-" in str(call)
