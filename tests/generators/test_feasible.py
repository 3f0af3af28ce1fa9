"""What the rules leave possible, against every trace there is."""

from itertools import pairwise, product

import pytest

from lexgym.core import Event, ToolCall
from lexgym.errors import GenerationError
from lexgym.generators.feasible import Feasible
from lexgym.oracles.ltlf import ToolSignature, compile_rule, satisfies
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
    with pytest.raises(GenerationError, match=r"whatever is called; and so they do any other length$"):
        feasible(["F a", "G !a"]).require(4)


def test_a_length_may_be_large() -> None:
    feasible(["response(a, b)"]).require(100_000)
    even = feasible(["G(a -> X b)", "G((b | c) -> WX a)", "init(a)", "end(b)"])
    even.require(10_000)
    assert even.pairs(10_000) == even.pairs(10) == even.pairs()
    with pytest.raises(GenerationError, match=r"no trace of 10,001 calls .*possible are 2, 4, 6"):
        even.require(10_001)
    with pytest.raises(GenerationError, match=r"possible are 1, 2$"):
        feasible(["F[<=1] last"]).require(10_000)


@pytest.mark.parametrize("rules", RULES, ids="; ".join)
@pytest.mark.parametrize("length", [1, 2, 4])
def test_tools_of_traces_of_a_length(rules: list[str], length: int) -> None:
    assert feasible(rules).tools(length) == {name for trace in lawful(rules, length) for name in trace}


def test_where_the_guards_are_too_many_to_look_at_nothing_is_excluded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexgym.oracles.ltlf.joint.letters.MAX_COMBINATIONS", 1)
    found = feasible(["F a[x > 1, y > 1]", "G(b -> F c)", "absence(1, a[x > 0])"])
    found.require(1)
    assert found.tools(1) == {"a", "c"}
    assert found.pairs(2) == {
        (one, two) for one in TOOLS for two in TOOLS if {one, two} == {"b", "c"} or "b" not in (one, two)
    }


VALUED = [
    ["forall x. (!a[v = x]) W b[v = x]"],
    ["forall x. G(a[v = x] -> F b[v = x])", "forall x. G(b[v = x] -> F c[v = x])"],
    ["forall x. G(a[v = x] -> (F b[v = x] | F c[v = x]))"],
    ["forall x. (!a[v = x]) W (b[v = x] & X c[v = x])", "G !(b & X b)"],
    ["forall x. G(a -> F b[v = x])"],
    ["forall x. absence(2, a[v = x])", "forall x. G(c[v = x] -> X a[v = x])"],
]


@pytest.mark.parametrize("rules", VALUED, ids="; ".join)
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_nothing_is_left_out_that_traces_with_values_have(rules: list[str], length: int) -> None:
    """What a call needs is the least that a trace has, found by trying every trace over two values."""
    signature = {name: ToolSignature({"v": {"type": "integer"}}, {}, frozenset({"v"})) for name in TOOLS}
    automata = [compile_rule(rule, signature) for rule in rules]
    found = Feasible(TOOLS, automata)
    calls = [Event.ok(ToolCall(name, {"v": value}), {}) for name in TOOLS for value in (1, 2)]
    kept = [t for t in product(calls, repeat=length) if all(automaton.accepts(t) for automaton in automata)]
    traces = [[event.name for event in trace] for trace in kept]
    assert found.pairs(length) >= {pair for trace in traces for pair in pairwise(trace)}
    assert found.tools(length) >= {name for trace in traces for name in trace}


def test_what_a_tool_needs() -> None:
    signature = {name: ToolSignature({"v": {"type": "integer"}}, {}, frozenset({"v"})) for name in TOOLS}
    chain = ["forall x. (!a[v = x]) W b[v = x]", "forall x. (!b[v = x]) W c[v = x]"]
    needed = Feasible(TOOLS, [compile_rule(rule, signature) for rule in chain]).needed
    assert [sorted(needed.by(name)) for name in TOOLS] == [["b", "c"], ["c"], []]
    assert (needed.calls("a"), needed.calls("a", "b"), needed.calls("c")) == (3, 3, 1)
    open_ended = Feasible(TOOLS, [compile_rule(rule) for rule in chain]).needed
    assert open_ended.calls("a") == 1, "a call without the value is no call that the rule speaks of"


def test_rules_about_values_exclude_no_pair() -> None:
    bound = Feasible(TOOLS, [compile_rule("forall x. !(F (a[v = x] & F b[v = x]))")])
    assert bound.pairs() == {(one, two) for one in TOOLS for two in TOOLS}
