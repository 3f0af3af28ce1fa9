"""From a seed to an accepted scenario: fuzz, mask, word, and prove it.

scenario = generate(load_domain("finance"), seed=7)
"""

import random
from functools import lru_cache

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError, ScenarioRejected
from lexgym.generators.acceptance import accept
from lexgym.generators.fuzzer import Fuzzer
from lexgym.generators.wording import Spoken, describe, speak, write
from lexgym.scenario import ReferenceStep, Scenario
from lexgym.tools.database import Database

ATTEMPTS = 200
"""Populations tried for one scenario before giving up."""

SPREAD = 1_000
"""Seeds of consecutive scenarios are this far apart, so that attempts never meet."""


def generate(domain: Domain, seed: int, *, goals: int | None = None) -> Scenario:
    """Return an accepted scenario; same seed, same bytes. Raises `GenerationError` when none is found.

    `goals` is the number of business requests, by default drawn from 1 to 4.
    """
    problems: list[str] = []
    env = _env(domain.name)
    for attempt in range(ATTEMPTS):
        try:
            scenario = propose(domain, seed, seed * SPREAD + attempt, goals)
            accept(scenario, env)
        except (GenerationError, ScenarioRejected) as error:
            problems.append(str(error))
            continue
        return scenario
    raise GenerationError(f"no scenario for seed {seed} in {ATTEMPTS} attempts; the last problem: {problems[-1]}")


def propose(domain: Domain, seed: int, population: int, goals: int | None) -> Scenario:
    """Return a scenario that has not been proved yet."""
    rng = random.Random(f"scenario:{domain.name}:{population}")
    fuzzer = Fuzzer(domain, population)
    events = fuzzer.trace(goals or rng.randint(1, 4))
    db = domain.database(population)
    initial, sequences, clock = db.dump(), db.sequences, db.clock
    anchor = describe(domain, db, domain.anchor, fuzzer.focus)
    if anchor is None:
        raise GenerationError(f"no words for {domain.anchor}")
    steps = _spoken(domain, db, [event.call for event in events])
    return Scenario(
        id=f"{domain.name}-{seed:05d}",
        domain=domain.name,
        digest=domain.digest,
        seed=seed,
        instructions=write(domain, steps, anchor, rng),
        initial=initial,
        sequences=sequences,
        clock=clock,
        target=fuzzer.db.dump(domain.business),
        rules=tuple(rule.id for rule in domain.rules),
        reference=mask(domain, events),
    )


def mask(domain: Domain, events: list[Event]) -> tuple[ReferenceStep, ...]:
    """Return the trace as reference steps, with the safety steps marked."""
    return tuple(
        ReferenceStep(event.name, dict(event.arguments), event.name in domain.safety_critical) for event in events
    )


def _spoken(domain: Domain, db: Database, calls: list[ToolCall]) -> list[Spoken]:
    """Put the business calls into words, each as the state is when it is made."""
    spoken = []
    for call in calls:
        if call.name in domain.phrases["tools"]:
            spoken.append(speak(domain, db, call))
        domain.tools.execute(db, call, step=0)
    return spoken


@lru_cache(maxsize=8)
def _env(name: str) -> ComplianceEnv:
    def nothing(seed: int) -> Scenario:
        raise GenerationError(f"acceptance asked for the scenario of seed {seed}")

    return ComplianceEnv(load_domain(name), nothing, max_steps=1000)
