"""What every domain owes, whoever wrote it: found by its folder, unedited for a new one."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from lexgym.core import Outcome, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import safety_oracle
from lexgym.envs.registry import domain_names, load_domain
from lexgym.envs.shield import Shield
from lexgym.envs.spaces import ToolCallSpace, draw
from lexgym.errors import MalformedCall
from lexgym.generators.acceptance import mutants, replay
from lexgym.generators.scenarios import generate
from lexgym.registration import make_env, scenario
from lexgym.scenario import Scenario

SEEDS = range(20)


@pytest.fixture(params=domain_names())
def domain(request: pytest.FixtureRequest) -> Domain:
    return load_domain(request.param)


@cache
def scenarios(domain: str) -> list[Scenario]:
    return [scenario(domain, seed) for seed in SEEDS]


@cache
def arena(domain: str) -> ComplianceEnv:
    env: ComplianceEnv = make_env(domain, max_steps=1000)
    return env


def drawn(domain: Domain, seed: int, tools: list[str], count: int) -> Iterator[tuple[ComplianceEnv, ToolCall]]:
    """Yield random valid calls of each tool with keys of real rows, and the environment to make them in."""
    env = arena(domain.name)
    env.reset(seed=seed)
    env.calls.seed(seed)
    for name in tools:
        mask = [int(name == other) for other in env.calls.names]
        for _ in range(count):
            yield env, env.calls.sample(mask)


def test_every_tool_succeeds_somewhere(domain: Domain) -> None:
    missing = {*domain.tools} - {step.name for item in scenarios(domain.name) for step in item.reference}
    for seed in range(4):
        for env, call in drawn(domain, seed, sorted(missing), 60):
            if call.name in missing and domain.tools.execute(env.db, call, step=1).status is Status.OK:
                missing.discard(call.name)
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
    env = arena(domain.name)
    untouched, unbroken = set(range(len(domain.rules))), {rule.id for rule in domain.rules}
    for item in scenarios(domain.name):
        trace = replay(env, item, item.calls)
        moved = {event.name for event in trace}
        untouched -= {i for i in untouched if safety_oracle(domain.name).compiled.automata[i].tools & moved}
        replay(env, item, item.naive)
        unbroken -= {rule.rule for rule in env.verdict().violations}
    unbroken -= _broken_by_mutants(domain, unbroken)
    unbroken -= _broken_by_insisting(domain, unbroken)
    assert not {domain.rules[i].id for i in untouched}, "rules that no reference has to do with"
    assert not unbroken, "rules that no trace of the environment broke"


def _broken_by_mutants(domain: Domain, wanted: set[str]) -> set[str]:
    env, found = arena(domain.name), set[str]()
    for item in scenarios(domain.name):
        for kind, calls in mutants(item):
            if wanted <= found:
                return found
            if kind in ("drop safety", "duplicate", "insert forbidden"):
                replay(env, item, calls)
                found |= {rule.rule for rule in env.verdict().violations}
    return found


def _broken_by_insisting(domain: Domain, wanted: set[str]) -> set[str]:
    """Make random calls of the rules' tools, each many times over."""
    found = set[str]()
    for number, rule in enumerate(domain.rules):
        if rule.id not in wanted:
            continue
        automaton = safety_oracle(domain.name).compiled.automata[number]
        for seed in range(6):
            monitor, step = automaton.monitor(), 0
            for env, call in drawn(domain, seed, sorted(automaton.tools), 25):
                for _ in range(8):
                    step += 1
                    monitor.step(domain.tools.execute(env.db, call, step=step))
            if not monitor.satisfied:
                found.add(rule.id)
                break
    return found


def test_refusals_are_lawful_and_doing_it_is_not(domain: Domain) -> None:
    if not domain.refusals:
        pytest.skip("this domain declares no refusals")
    found = [item for item in scenarios(domain.name) if item.kind == "refusal"]
    assert 2 <= len(found) <= 7
    for item in found:
        assert item.forbidden is not None
        assert item.forbidden.reason in domain.refusals[item.forbidden.name].reasons.values()
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
        try:
            domain.tools.parse(space.sample())
        except MalformedCall as error:
            assert "unknown-" in error.message
