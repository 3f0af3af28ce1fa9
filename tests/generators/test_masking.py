"""Masking: what a step is for is computed, and agrees with the domains' lists of safety-critical tools."""

import dataclasses
from collections import Counter

import pytest

from lexgym.envs.domain import Domain
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import GenerationError, ScenarioRejected
from lexgym.generators.acceptance import accept
from lexgym.generators.masking import Role, find_roles, mask
from lexgym.generators.replays import Replays
from lexgym.generators.scenarios import propose
from lexgym.registration import make_env, scenario
from lexgym.scenario import ReferenceStep, Scenario

COMPARED = 40
"""Scenarios of each domain in which list and computation are compared."""


def roles_of(found: Scenario) -> list[Role]:
    env = make_env(found.domain, max_steps=1000)
    grounds = [place for place, step in enumerate(found.reference) if step.ground]
    with Replays(env, found) as replays:
        roles = find_roles(found, replays, grounds)
    env.close()
    return roles


def proposed(domain: Domain, count: int) -> list[Scenario]:
    """Scenarios as they are before they are proved, every third with a refusal."""
    pairs = [(tool, by) for tool, refusal in domain.refusals.items() for by in refusal.grounds]
    found: list[Scenario] = []
    for attempt in range(4 * count):
        try:
            found.append(propose(domain, attempt, attempt, None, refuse=pairs if attempt % 3 == 0 else ()))
        except (GenerationError, ScenarioRejected):
            continue
        if len(found) == count:
            break
    assert len(found) == count
    return found


@pytest.mark.parametrize("name", domain_names())
def test_the_list_and_the_computation_agree(name: str) -> None:
    domain, differ = load_domain(name), Counter[tuple[str, str]]()
    seen: set[str] = set()
    for found in proposed(domain, COMPARED):
        for step in found.reference:
            seen.add(step.name)
            if step.safety != (step.name in domain.safety_critical):
                differ[step.name, "masked" if step.safety else "not masked"] += 1
    assert not differ, f"{name}: list and computation differ: {dict(differ)}"
    assert len(seen & domain.safety_critical) > len(domain.safety_critical) // 2


def test_what_a_refusal_rests_on_is_a_ground() -> None:
    found = scenario("finance", 4)
    assert found.forbidden is not None
    marks = [step.ground for step in found.reference[: found.forbidden.place]]
    assert marks[-1]
    assert found.reference[found.forbidden.place - 1].name == found.forbidden.check
    assert all(step.safety for step in found.reference if step.ground)


def test_lookups_stay() -> None:
    found = scenario("finance", 0)
    roles = roles_of(found)
    assert Role.LOOKUP in roles
    for role, step in zip(roles, found.reference, strict=True):
        assert (role is Role.LOOKUP) <= (not step.safety)


def login(found: Scenario) -> int:
    return next(place for place, step in enumerate(found.reference) if step.name == "authenticate_owner")


@pytest.fixture
def home() -> Scenario:
    """A scenario of a household whose owner mistypes the code the first time, and is asked again."""
    for seed in range(20):
        found = scenario("iot", seed)
        names = [step.name for step in found.reference]
        if names.count("authenticate_owner") == 1 and found.kind == "ordinary":
            break
    place = login(found)
    household = found.reference[place].arguments["household_id"]
    apps = [
        row | ({"mistypes": 1, "failed_attempts": 0} if row["household_id"] == household else {})
        for row in found.initial["owner_apps"]
    ]
    steps = found.reference
    return dataclasses.replace(
        found,
        initial={**found.initial, "owner_apps": apps},
        reference=(*steps[: place + 1], steps[place], *steps[place + 1 :]),
    )


def test_an_attempt_that_failed_and_the_next_are_both_needed(home: Scenario) -> None:
    roles, place = roles_of(home), login(home)
    assert roles[place : place + 2] == [Role.SAFETY, Role.SAFETY]


def test_one_attempt_too_many_is_needless(home: Scenario) -> None:
    place = login(home)
    again = dataclasses.replace(
        home, reference=(*home.reference[: place + 1], home.reference[place], *home.reference[place + 1 :])
    )
    assert Role.NEEDLESS in roles_of(again)
    env = make_env("iot", max_steps=1000)
    with Replays(env, again) as replays, pytest.raises(ScenarioRejected, match="not needed by any rule, nor by the"):
        mask(again, replays)
    env.close()


def test_a_check_that_alone_shows_a_key_stays() -> None:
    """In health, whether an authorization is in force is told together with whose it is."""
    for found in (scenario("health", seed) for seed in range(40)):
        names = [step.name for step in found.reference]
        if "check_authorization" in names and names[-1] != "check_authorization":
            place = names.index("check_authorization")
            after = found.reference[place + 1 :]
            if found.reference[place].safety and any(not s.safety and "patient_id" in s.arguments for s in after):
                break
    assert roles_of(found)[place] is Role.SAFETY
    kept = [step for step in found.reference[:place] if step.safety]
    bare = dataclasses.replace(found, reference=(*kept, *found.reference[place:]))
    assert roles_of(bare)[len(kept)] is Role.LOOKUP


def flipped(found: Scenario, place: int) -> Scenario:
    step = found.reference[place]
    changed = ReferenceStep(step.name, step.arguments, not step.safety)
    return dataclasses.replace(found, reference=(*found.reference[:place], changed, *found.reference[place + 1 :]))


def test_a_lookup_marked_as_a_safety_step_is_rejected() -> None:
    found, env = scenario("finance", 0), make_env("finance", max_steps=1000)
    place = roles_of(found).index(Role.LOOKUP)
    with pytest.raises(ScenarioRejected, match=f"step {place + 1} is marked as a safety step and is no safety step"):
        accept(flipped(found, place), env)
    env.close()


def test_a_safety_step_that_is_not_marked_is_rejected() -> None:
    found, env = scenario("finance", 0), make_env("finance", max_steps=1000)
    place = max(place for place, step in enumerate(found.reference) if step.safety)
    with pytest.raises(ScenarioRejected, match=r"is marked as no safety step and is a safety step|business-only trace"):
        accept(flipped(found, place), env)
    env.close()
