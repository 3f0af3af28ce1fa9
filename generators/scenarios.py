"""From a seed to an accepted scenario: fuzz, mask, word, and prove it.

scenario = generate(load_domain("finance"), seed=7)
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import shapes
from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError, ScenarioRejected
from lexgym.generators.acceptance import accept
from lexgym.generators.fuzzer import Fuzzer, Refused
from lexgym.generators.masking import mask
from lexgym.generators.replays import Replays
from lexgym.generators.targets import Target, rotate, targets_of
from lexgym.generators.wording import describe, speak_all, write
from lexgym.oracles.functional import FunctionalOracle
from lexgym.scenario import ForbiddenCall, ReferenceStep, Scenario

ATTEMPTS = 200
"""Populations tried for one scenario before giving up."""

SPREAD = 1_000
"""Seeds of consecutive scenarios are this far apart, so that attempts never meet."""

INSIST = 12
"""Of them, those in which the seed's refusal or target is insisted on, so that rare ones come up too.

From the middle of them on it is the only request, unless their number is given.
"""

INSIST_ON_REFUSALS = 30
"""The same where the seed has a refusal: some grounds are there in few populations only."""

REFUSALS = 0.22
"""Share of the scenarios in which something asked for must be refused, in domains that say how."""


def generate(domain: Domain, seed: int, *, goals: int | None = None, refusals: float = REFUSALS) -> Scenario:
    """Return an accepted scenario; same seed, same bytes. Raises `GenerationError` when none is found.

    `goals` is the number of business requests, by default drawn from 1 to 4; `refusals` is the share of seeds,
    spread evenly, in which one of them must be refused lawfully (0 where the domain declares no refusals).
    """
    problems: list[str] = []
    env, declined = _env(domain.name), int(seed * refusals)
    pairs = [(tool, by) for tool, refusal in domain.refusals.items() for by in refusal.grounds]
    wanted = pairs if int((seed + 1) * refusals) > declined else []
    targets = () if wanted else rotate(targets_of(domain), seed - declined)
    tries = INSIST_ON_REFUSALS if wanted else INSIST
    for attempt in range(ATTEMPTS):
        insist = attempt < tries
        refuse = rotate(wanted, declined)[:1] if insist else wanted
        try:
            few = 2 if targets and targets[0].rule else 1
            requests = goals or (few if tries // 2 <= attempt < tries else None)
            scenario = propose(
                domain, seed, seed * SPREAD + attempt, requests, refuse=refuse, targets=targets, insist=insist
            )
            accept(scenario, env)
        except (GenerationError, ScenarioRejected) as error:
            problems.append(str(error))
            continue
        return scenario
    raise GenerationError(f"no scenario for seed {seed} in {ATTEMPTS} attempts; the last problem: {problems[-1]}")


def propose(
    domain: Domain,
    seed: int,
    population: int,
    goals: int | None,
    *,
    refuse: Sequence[tuple[str, str]] = (),
    targets: Sequence[Target] = (),
    insist: bool = False,
) -> Scenario:
    """Return a scenario that has not been proved yet; with `insist`, one that reaches the first target."""
    rng = random.Random(f"scenario:{domain.name}:{population}")
    fuzzer = Fuzzer(domain, population, targets=targets, insist=insist)
    events = fuzzer.trace(goals or rng.randint(1, 4), refuse=rng.sample(refuse, len(refuse)))
    db = domain.database(population)
    initial, sequences, clock = db.dump(), db.sequences, db.clock
    anchor = describe(domain, db, domain.anchor, fuzzer.focus)
    if anchor is None:
        raise GenerationError(f"no words for {domain.anchor}")
    refused = fuzzer.refused
    instead = {refused.place: refused.call} if refused else {}
    steps = speak_all(domain, db, [event.call for event in events], instead)
    draft = Scenario(
        id=f"{domain.name}-{seed:05d}",
        domain=domain.name,
        digest=domain.digest,
        seed=seed,
        instructions=write(domain, steps, anchor, rng, ordered=order_matters(fuzzer)),
        initial=initial,
        sequences=sequences,
        clock=clock,
        target=fuzzer.db.dump(domain.business),
        rules=tuple(rule.id for rule in domain.rules),
        reference=tuple(ReferenceStep(event.name, dict(event.arguments), False) for event in events),
        forbidden=_forbidden(refused),
    )
    grounds = range(refused.first, refused.place) if refused else ()
    with Replays(_env(domain.name), draft) as replays:
        return replace(draft, reference=mask(draft, replays, grounds))


def order_matters(fuzzer: Fuzzer) -> bool:
    """Whether the requests that a trace was found for, in some other order, lead to another end, or to none."""
    wanted = fuzzer.requests
    places = range(len(wanted))
    orders = {tuple(reversed(places))} | {(*places[:i], i + 1, i, *places[i + 2 :]) for i in places[:-1]}
    start = fuzzer.domain.database(fuzzer.seed).dump()
    goal = FunctionalOracle(shapes(fuzzer.domain), start, fuzzer.db.dump(fuzzer.domain.business))
    for order in sorted(orders - {tuple(places)}):
        other = fuzzer.again([wanted[place] for place in order])
        if other is None or goal.compare(other):
            return True
    return False


def _forbidden(refused: Refused | None) -> ForbiddenCall | None:
    if refused is None:
        return None
    call, ground = refused.call, refused.ground
    check = ground.check.name if ground.check else None
    return ForbiddenCall(call.name, dict(call.arguments), check, ground.reason or "", refused.place)


@lru_cache(maxsize=8)
def _env(name: str) -> ComplianceEnv:
    def nothing(seed: int) -> Scenario:
        raise GenerationError(f"acceptance asked for the scenario of seed {seed}")

    return ComplianceEnv(load_domain(name), nothing, max_steps=1000, masks=False)
