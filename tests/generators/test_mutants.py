"""Mutants of a reference, and running them from where they leave it."""

import pytest

from lexgym.envs.registry import domain_names, load_domain
from lexgym.generators.mutants import INSISTENCE, acts_first, checks_first, mutants
from lexgym.generators.replays import Replays, replay
from lexgym.registration import make_env, scenario


def test_they_are_the_same_for_the_same_scenario() -> None:
    assert list(mutants(scenario("finance", 3))) == list(mutants(scenario("finance", 3)))


@pytest.mark.parametrize("name", domain_names())
def test_every_argument_with_another_value_is_changed(name: str) -> None:
    found, domain = scenario(name, 2), load_domain(name)
    changed = {
        (place, parameter)
        for kind, calls in mutants(found)
        if kind == "change argument"
        for place, (old, new) in enumerate(zip(found.calls, calls, strict=True))
        for parameter in old.arguments
        if old.arguments[parameter] != new.arguments.get(parameter)
    }
    for place, call in enumerate(found.calls):
        for parameter in domain.tools[call.name].parameters:
            given = call.arguments.get(parameter.name)
            if given is not None and len(parameter.schema.get("enum", [])) > 1:
                assert (place, parameter.name) in changed
            if isinstance(given, int):
                assert (place, parameter.name) in changed


@pytest.mark.parametrize("name", domain_names())
def test_a_changed_argument_still_fits_its_schema(name: str) -> None:
    domain = load_domain(name)
    for kind, calls in mutants(scenario(name, 1)):
        if kind == "change argument":
            for call in calls:
                for parameter in domain.tools[call.name].parameters:
                    allowed = parameter.schema.get("enum")
                    assert not allowed or call.arguments.get(parameter.name, allowed[0]) in allowed


def test_the_check_that_said_no_is_asked_again() -> None:
    refusal = next(s for s in (scenario("finance", seed) for seed in range(20)) if s.kind == "refusal")
    [calls] = [calls for kind, calls in mutants(refusal) if kind == "ask again"]
    last = max(i for i, step in enumerate(refusal.reference) if step.ground)
    assert calls[last : last + INSISTENCE + 1] == (refusal.calls[last],) * (INSISTENCE + 1)
    assert calls[last + INSISTENCE + 1 :] == refusal.calls[last + 1 :]


@pytest.mark.parametrize("name", domain_names())
def test_all_checks_first_leaves_behind_the_acts_only_what_follows_them(name: str) -> None:
    found, domain = scenario(name, 3), load_domain(name)
    moved = list(checks_first(found))
    assert sorted(map(str, moved)) == sorted(map(str, found.calls))
    acts = [step.call for step in found.reference if not step.safety]
    assert [call for call in moved if call in acts] == acts
    ahead = moved[: moved.index(acts[0])]
    assert ahead and all(call.name in domain.safety_critical for call in ahead)
    between = [call for call in moved[len(ahead) : moved.index(acts[-1])] if call not in acts]
    keys = {value for rows in found.initial.values() for row in rows for value in row.values()}
    assert all(set(call.arguments.values()) - keys for call in between)


@pytest.mark.parametrize("name", domain_names())
def test_all_acts_first_breaks_what_asks_for_a_check_before(name: str) -> None:
    found, env = scenario(name, 3), make_env(name, max_steps=1000)
    acts = [step.call for step in found.reference if not step.safety]
    moved = acts_first(found)
    assert list(moved[: len(acts)]) == acts
    assert sorted(map(str, moved)) == sorted(map(str, found.calls))
    replay(env, found, moved)
    assert not all(env.monitor.satisfied)


@pytest.mark.parametrize("name", domain_names())
def test_run_from_where_they_leave_the_reference_they_are_what_they_are_from_the_start(name: str) -> None:
    found = scenario(name, 4)
    together, alone = make_env(name, max_steps=1000), make_env(name, max_steps=1000)
    with Replays(together, found) as replays:
        for _, calls in [("reference", found.calls), *mutants(found), ("naive", found.naive), ("nothing", ())]:
            trace, satisfied = replays.run(calls)
            assert trace == replay(alone, found, calls)
            assert satisfied == list(alone.monitor.satisfied)
    together.db.snapshot()  # no savepoint is left open
    together.close()
    alone.close()
