"""What the rules leave possible, against every trace there is."""

from itertools import pairwise, product

import pytest

from lexgym.core import Event, ToolCall
from lexgym.errors import GenerationError
from lexgym.generators.feasible import Feasible
from lexgym.oracles.ltlf import compile_rule, satisfies
from lexgym.oracles.ltlf.parser import parse

TOOLS = ("a", "b", "c")
RULES = [
    [],
    ["response(a, b)"],
    ["precedence(a, b)"],
    ["chain_response(a, b)"],
    ["G(a -> X b)", "absence(2, b)"],
    ["existence(2, c)", "not_coexistence(a, b)"],
    ["init(a)", "end(b)"],
    ["alternate_response(a, b)", "precedence(c, a)"],
    ["F[<=2] c", "G(c -> WX G !c)"],
    ["not_succession(a, b)", "responded_existence(b, c)"],
    ["absence(1, a)", "response(b, c)"],
    ["G(a -> F b)", "G(b -> WX F a)"],
]


def lawful(rules: list[str], length: int) -> list[tuple[str, ...]]:
    formulas = [parse(rule) for rule in rules]
    traces = list(product(TOOLS, repeat=length))
    events = {name: Event.ok(ToolCall(name, {}), {}) for name in TOOLS}
    return [t for t in traces if all(satisfies(f, [events[name] for name in t]) for f in formulas)]


def feasible(rules: list[str]) -> Feasible:
    return Feasible(TOOLS, [compile_rule(rule) for rule in rules])


@pytest.mark.parametrize("rules", RULES, ids="; ".join)
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_pairs_of_traces_of_a_length(rules: list[str], length: int) -> None:
    every = {pair for trace in lawful(rules, length) for pair in pairwise(trace)}
    assert feasible(rules).pairs(length) == every


@pytest.mark.parametrize("rules", RULES, ids="; ".join)
def test_pairs_of_traces_of_any_length(rules: list[str]) -> None:
    every = {pair for length in range(8) for trace in lawful(rules, length) for pair in pairwise(trace)}
    assert feasible(rules).pairs() == every


@pytest.mark.parametrize("rules", RULES, ids="; ".join)
def test_lengths(rules: list[str]) -> None:
    assert feasible(rules).lengths(6) == [length for length in range(1, 7) if lawful(rules, length)]


def test_a_length_that_the_rules_exclude_is_named_with_those_that_they_do_not() -> None:
    short = feasible(["existence(3, a)"])
    short.require(3)
    with pytest.raises(GenerationError, match=r"no trace of 2 calls keeps the rules.*possible are 3, 4, 5"):
        short.require(2)
    with pytest.raises(GenerationError, match="at least 1 call, not 0"):
        short.require(0)
    with pytest.raises(GenerationError, match=r"whatever is called$"):
        feasible(["F a", "G !a"]).require(4)


def test_rules_about_values_exclude_no_pair() -> None:
    bound = Feasible(TOOLS, [compile_rule("forall x. !(F (a[v = x] & F b[v = x]))")])
    assert bound.pairs() == {(one, two) for one in TOOLS for two in TOOLS}
