"""Mutants of a reference, and running them from where they leave it."""

from collections import Counter
from collections.abc import Sequence

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import ScenarioRejected
from lexgym.generators.acceptance import accept
from lexgym.generators.mutants import INSISTENCE, acts_first, checks_first, mutants
from lexgym.generators.replays import Replays, replay
from lexgym.registration import make_env, scenario
from lexgym.scenario import Scenario


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


def checked(name: str) -> Scenario:
    """Return a scenario with a safety step between two acts."""
    for seed in range(20):
        steps = scenario(name, seed).reference
        acts = [place for place, step in enumerate(steps) if not step.safety]
        if any(step.safety and acts[0] < place < acts[-1] for place, step in enumerate(steps)):
            return scenario(name, seed)
    raise AssertionError(f"no scenario of {name} has a safety step between two acts")


@pytest.mark.parametrize("name", domain_names())
def test_all_checks_first_leaves_between_the_acts_only_what_is_about_new_rows(name: str) -> None:
    found = checked(name)
    acts = [step.call for step in found.reference if not step.safety]
    moved = list(checks_first(found))
    start, end = moved.index(acts[0]), moved.index(acts[-1])
    assert Counter(map(str, moved)) == Counter(map(str, found.calls))
    assert [call for call in moved if call in acts] == acts
    assert start > 0
    keys = {value for rows in found.initial.values() for row in rows for value in row.values()}
    for call in moved[start:end]:
        assert call in acts or set(call.arguments.values()) - keys


@pytest.mark.parametrize("name", domain_names())
def test_all_acts_first_breaks_what_asks_for_a_check_before(name: str) -> None:
    found, env = checked(name), make_env(name, max_steps=1000)
    acts = [step.call for step in found.reference if not step.safety]
    moved = acts_first(found)
    assert list(moved[: len(acts)]) == acts
    assert Counter(map(str, moved)) == Counter(map(str, found.calls))
    replay(env, found, moved)
    assert not all(env.monitor.satisfied)


def test_a_scenario_in_which_an_order_of_the_same_calls_ends_elsewhere_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, env = checked("finance"), make_env("finance", max_steps=1000)
    accept(found, env)
    run = Replays.run_to_end

    def elsewhere(replays: Replays, calls: Sequence[ToolCall]) -> tuple[list[Event], list[bool], bool]:
        trace, satisfied, reached = run(replays, calls)
        return trace, satisfied, reached and tuple(calls) != checks_first(found)

    monkeypatch.setattr(Replays, "run_to_end", elsewhere)
    with pytest.raises(ScenarioRejected, match="lawful, with checks first, it ends elsewhere"):
        accept(found, env)


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
