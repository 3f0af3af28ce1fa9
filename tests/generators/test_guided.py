"""The coverage-guided fuzzer: lawful, of the length asked for, covering; what cannot be is said."""

from itertools import pairwise

import pytest

from lexgym.core import Event, Status
from lexgym.envs.judge import safety_oracle
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import GenerationError
from lexgym.generators.guide import Guide
from lexgym.generators.guided import GuidedFuzzer


def made(name: str, length: int, count: int, **options: object) -> list[list[Event]]:
    fuzzer = GuidedFuzzer(load_domain(name), 1, length, **options)  # type: ignore[arg-type]
    return [fuzzer.trace() for _ in range(count)]


@pytest.mark.parametrize("name", domain_names())
def test_traces_are_lawful_successful_and_of_the_length(name: str) -> None:
    oracle = safety_oracle(name)
    for trace in made(name, 8, 6):
        assert len(trace) == 8
        assert all(event.status is Status.OK for event in trace)
        assert [event.step for event in trace] == list(range(1, 9))
        assert all(rule.satisfied for rule in oracle.verdict(trace))


@pytest.mark.parametrize("name", domain_names())
def test_traces_replay_on_the_population_they_were_made_on(name: str) -> None:
    domain = load_domain(name)
    fuzzer = GuidedFuzzer(domain, 1, 10)
    for trace in (fuzzer.trace() for _ in range(4)):
        db = domain.database(1000)
        for event in trace:
            assert domain.tools.execute(db, event.call, step=event.step) == event
            db.clock += domain.tick
        db.close()


def test_same_seed_same_traces() -> None:
    assert made("finance", 12, 4) == made("finance", 12, 4)


def test_most_transitions_make_a_new_pair() -> None:
    traces = made("finance", 8, 40)
    pairs = {(one.name, two.name) for trace in traces for one, two in pairwise(trace)}
    assert len(pairs) >= 0.8 * 40 * 7


@pytest.mark.parametrize("name", domain_names())
def test_every_safety_critical_tool_is_called(name: str) -> None:
    domain = load_domain(name)
    fuzzer = GuidedFuzzer(domain, 0, 12)
    for _ in range(40):
        fuzzer.trace()
    assert domain.safety_critical - set(fuzzer.guide.calls) == set()
    assert fuzzer.guide.safety_coverage() == 1.0


@pytest.mark.parametrize("name", domain_names())
def test_short_traces_call_every_safety_critical_tool_that_they_can(name: str) -> None:
    """An emergency purchase is exactly 8 calls long with all that it needs."""
    fuzzer = GuidedFuzzer(load_domain(name), 0, 8)
    for _ in range(40):
        fuzzer.trace()
    assert fuzzer.guide.callable_critical - set(fuzzer.guide.calls) == set()
    made = 40 * 7
    assert len(fuzzer.guide.pairs) >= 0.8 * min(made, len(fuzzer.guide.feasible))


def test_what_is_too_long_for_a_trace_is_told_apart() -> None:
    guide = Guide(load_domain("procurement"), 7)
    assert "buy_in_emergency" not in guide.possible.tools(7)
    assert "buy_in_emergency" in guide.possible.tools(8)
    assert guide.callable_critical <= guide.critical
    guide.calls.update(guide.callable_critical)
    assert guide.safety_coverage(guide.callable_critical) == 1.0


def test_a_trace_can_be_taken_up() -> None:
    first, second = (GuidedFuzzer(load_domain("health"), 3, 10) for _ in range(2))
    made = []
    for _ in range(22):
        trace = first.trace()
        made.append((trace, first.about))
    for trace, about in made[:21]:
        assert second.take([event.call for event in trace], about) == trace
    assert second.trace() == made[21][0]
    assert second.guide.pairs == first.guide.pairs
    with pytest.raises(GenerationError, match="trace 23 is none of the traces of 10 calls"):
        second.take([event.call for event in made[0][0]][:9], made[0][1])


def test_long_traces_are_lawful_and_told_of() -> None:
    seen: list[int] = []
    fuzzer = GuidedFuzzer(load_domain("finance"), 0, 400, progress=seen.append)
    trace = fuzzer.trace()
    assert len(trace) == 400
    assert all(rule.satisfied for rule in safety_oracle("finance").verdict(trace))
    assert max(seen) == 400


def test_calls_that_worked_are_drawn_again() -> None:
    domain = load_domain("finance")
    fuzzer = GuidedFuzzer(domain, 0, 8)
    assert fuzzer.draws.again("authenticate_customer") is None
    traces = [fuzzer.trace() for _ in range(6)]
    made = {str(event.call) for trace in traces for event in trace}
    for name in {event.name for trace in traces for event in trace}:
        assert str(fuzzer.draws.again(name)) in made
    call = traces[0][0].call
    like = [fuzzer.draws.like(call.name, call) for _ in range(20)]
    assert like.count(call) > 5


def test_the_guide_counts_what_it_is_shown() -> None:
    domain = load_domain("finance")
    guide = Guide(domain)
    assert (guide.safety_coverage(), guide.transition_coverage()) == (0.0, 0.0)
    trace = made("finance", 8, 1)[0]
    guide.add(trace)
    pairs = {(one.name, two.name) for one, two in pairwise(trace)}
    assert guide.pairs.keys() == pairs
    assert guide.transition_coverage() == len(pairs) / len(domain.tools) ** 2
    assert guide.transition_coverage(pairs) == 1.0


def test_a_focus_brings_its_rule_into_play() -> None:
    rule = "payee-verification"
    automaton = dict(
        zip((r.id for r in load_domain("finance").rules), safety_oracle("finance").compiled.automata, strict=True)
    )[rule]
    for trace in made("finance", 8, 5, focus=[rule]):
        assert any(event.name in automaton.readers for event in trace)


def test_complexity_is_a_number_of_rules_in_play() -> None:
    automata = safety_oracle("finance").compiled.automata
    for trace in made("finance", 10, 3, complexity=8):
        touched = [a for a in automata if any(event.name in a.readers for event in trace)]
        assert len(touched) >= 8


def test_an_unknown_focus_is_named() -> None:
    with pytest.raises(GenerationError, match=r"no rule 'payee' in finance; did you mean 'payee-"):
        GuidedFuzzer(load_domain("finance"), 0, 8, focus=["payee"])


def test_what_cannot_be_found_says_what_was_tried() -> None:
    fuzzer = GuidedFuzzer(load_domain("finance"), 0, 2, complexity=25)
    with pytest.raises(
        GenerationError,
        match=r"no lawful trace of 2 calls found in \d+ nodes .pruned: .*complexity.*; more calls or fewer rules",
    ):
        fuzzer.trace()


def test_its_effort_is_reported() -> None:
    fuzzer = GuidedFuzzer(load_domain("finance"), 0, 8)
    fuzzer.trace()
    assert fuzzer.effort.nodes > 0
    assert fuzzer.effort.pruned["refused"] > 0


def test_outcomes_of_conditions_and_moves_of_rules_are_counted() -> None:
    fuzzer = GuidedFuzzer(load_domain("finance"), 0, 12)
    before = (0, 0)
    for _ in range(6):
        fuzzer.trace()
        now = (len(fuzzer.guide.outcomes), len(fuzzer.guide.moves))
        assert now >= before
        before = now
    assert ("check_authorization[result.authorized]", True) in fuzzer.guide.outcomes
    assert {rule for rule, _, _ in fuzzer.guide.moves} <= set(range(len(load_domain("finance").rules)))
