"""Rules as a set: each kind of finding, brute force on plain rules, and the built-in domain."""

import random
import re
from functools import cache
from itertools import combinations, product

import pytest

from lexgym.core import Event, Rule, ToolCall
from lexgym.envs.judge import signature
from lexgym.envs.registry import load_domain
from lexgym.oracles.ltlf import ToolSignature, parse, satisfies
from lexgym.oracles.ltlf.hygiene import Finding, Kind, Severity, examine
from lexgym.oracles.ltlf.hygiene import projection as limits

ARGUMENT = {"type": "integer"}


def found(*rules: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...] | None]]:
    return [(finding.kind.value, finding.rules, finding.witness) for finding in examine(rules)]


def test_a_rule_that_no_trace_satisfies_is_an_error() -> None:
    assert found("false", "existence(a)") == [("unsatisfiable", ("false",), None)]
    assert found("a & X false") == [("unsatisfiable", ("a & X false",), None)]
    assert found("a & !F true") == [("unsatisfiable", ("a & !F true",), None)]


def test_a_rule_that_only_the_empty_trace_satisfies_is_a_warning() -> None:
    (finding,) = examine(["G(X true)"])
    assert (finding.kind, finding.severity) == (Kind.STANDSTILL, Severity.WARNING)
    (finding,) = examine(["G(X true)", "existence(a)"])[:1]
    assert finding.sentence == "No trace satisfies rules `G(X true)` and `existence(a)` together."


def test_a_rule_that_every_trace_satisfies_is_an_error() -> None:
    assert found("true", "G(a -> a)") == [("tautology", ("true",), None), ("tautology", ("G(a -> a)",), None)]
    rule = "forall p. G(pay[to = p] -> F pay[to = p])"
    assert found(rule) == [("tautology", (rule,), None)]


def test_an_atom_that_no_call_matches_is_an_error() -> None:
    kinds = found("G(pay[amount > 5, amount < 3] -> F note)")
    assert [kind for kind, *_ in kinds] == ["dead atom", "tautology"]
    (finding,) = examine(['forall p. G(pay[to = p] -> F note[to = p, kind = "a", kind = "b"])'])
    assert (finding.kind, finding.severity) == (Kind.DEAD_ATOM, Severity.ERROR)
    assert 'No call matches `note[to = p, kind = "a", kind = "b"]` in rule `forall' in finding.sentence


def test_a_rule_whose_trigger_the_others_forbid_is_vacuous() -> None:
    assert found("G(a -> F b)", "absence(a)", "existence(c)") == [("vacuous", ("G(a -> F b)", "absence(a)"), None)]
    sliced = "forall p. G(pay[to = p] -> F note[to = p])"
    assert found(sliced, "absence(pay)") == [("vacuous", (sliced, "absence(pay)"), None)]
    assert found("G(d -> F e)", "precedence(c, d)", "absence(c)") == [
        ("vacuous", ("G(d -> F e)", "precedence(c, d)", "absence(c)"), None),
        ("never allowed", ("precedence(c, d)", "absence(c)"), None),
    ]


def test_rules_that_demand_the_same_are_reported_once() -> None:
    assert found("precedence(a, b)", "!((!a) U b)") == [("equivalent", ("precedence(a, b)", "!((!a) U b)"), None)]
    one, two = "forall p. (!pay[to = p]) W ask[to = p]", "forall x. !((!ask[to = x]) U pay[to = x])"
    assert found(one, two) == [("equivalent", (one, two), None)]


def test_a_rule_that_one_other_implies_is_subsumed_and_a_trace_tells_them_apart() -> None:
    assert found("responded_existence(a, b)", "response(a, b)") == [
        ("subsumed", ("responded_existence(a, b)", "response(a, b)"), ("b", "a"))
    ]
    weak, strong = "G(pay[amount > 9] -> F note)", "G(pay[amount > 5] -> F note)"
    assert found(weak, strong) == [("subsumed", (weak, strong), ("pay[amount > 5, amount <= 9]",))]


def test_a_rule_that_several_others_imply_is_redundant() -> None:
    assert found("response(a, c)", "response(a, b)", "response(b, c)", "existence(a)") == [
        ("redundant", ("response(a, c)", "response(a, b)", "response(b, c)"), None)
    ]


def test_rules_that_exclude_one_another_are_a_conflict() -> None:
    assert found("existence(a)", "absence(a)", "response(a, b)") == [("conflict", ("existence(a)", "absence(a)"), None)]
    chain = ("existence(a)", "precedence(b, a)", "precedence(c, b)", "absence(c)")
    assert found(*chain) == [("conflict", chain, None)]
    (finding,) = examine(["WX false", "!(a) & G(!other) & (X true | last)", "F a"])[:1]
    assert finding.severity is Severity.ERROR


def test_all_pairs_in_conflict_are_named() -> None:
    assert found("init(a)", "init(b)", "absence(a)") == [
        ("conflict", ("init(a)", "init(b)"), None),
        ("conflict", ("init(a)", "absence(a)"), None),
    ]


def test_obligations_that_cannot_both_be_met_are_a_trap() -> None:
    assert found("G(a -> F b)", "G(b -> F a)") == [("trap", ("G(a -> F b)", "G(b -> F a)"), ("a",))]
    assert found("G(c -> (F a & F b))", "not_coexistence(a, b)") == [
        ("trap", ("G(c -> (F a & F b))", "not_coexistence(a, b)"), ("c",))
    ]
    one, two = "forall p. G(pay[to = p] -> F note[to = p])", "forall q. absence(note[to = q])"
    assert found(one, two) == [("trap", (one, two), ("pay[to = p]",))]


def test_calls_of_other_slices_may_help_to_keep_all() -> None:
    assert found("forall p. absence(pay[to = p])", "existence(pay)") == []
    assert found("forall p. G(ask[to = p] -> F pay[to = p])", "G(pay -> F ask)") == []


def test_each_trap_is_reported_with_its_own_rules() -> None:
    rules = ("G(a -> F b)", "G(b -> F a)", "G(c -> X d)", "G(c -> X e)")
    assert found(*rules) == [("trap", rules[:2], ("a",)), ("trap", rules[2:], ("c",))]


def test_rules_that_wait_for_each_other_allow_neither_call() -> None:
    rules = ["(!initiate_payment) W confirm_sca", "(!confirm_sca) W initiate_payment"]
    (finding,) = examine([*rules, "absence(5, other)"])
    assert (finding.kind, finding.severity, finding.rules) == (Kind.NEVER, Severity.WARNING, tuple(rules))
    assert finding.sentence == (
        f"No trace that keeps rules `{rules[0]}` and `{rules[1]}` has a successful call of "
        "`confirm_sca` or `initiate_payment`."
    )
    sliced = ["forall p. (!pay[to = p]) W ask[to = p, result.ok]", "forall q. (!ask[to = q]) W pay[to = q]"]
    assert found(*sliced) == [("never allowed", tuple(sliced), None)]


@pytest.mark.parametrize(
    ("rule", "calls", "meant"),
    [
        ("G(a -> b)", "`a`", "G(a -> F b)"),
        ("G(a -> b & c)", "`a`", "G(a -> F b & F c)"),
        ("G(a -> b) & F d", "`a`", "G(a -> F b)"),
        ("forall p. G(pay[to = p] -> note[to = p])", "`pay`", "forall p. G(pay[to = p] -> F note[to = p])"),
        ("G(pay[amount > 5] -> note)", "`pay[amount > 5]`", "G(pay[amount > 5] -> F note)"),
        ("G(a <-> b)", "`a` and `b`", None),
    ],
)
def test_a_rule_that_forbids_what_it_seems_to_allow_is_a_warning(rule: str, calls: str, meant: str | None) -> None:
    (finding,) = examine([rule])
    assert (finding.kind, finding.severity) == (Kind.NEVER, Severity.WARNING)
    hint = f"; did you mean {meant}?" if meant else "."
    assert finding.sentence == f"{calls} can never be called without breaking rule `{rule}`{hint}"


@pytest.mark.parametrize(
    "rule",
    [
        "absence(a)",
        "G !a",
        "G(!a & !b)",
        "!F(a | b)",
        "G(a -> false)",
        "G(pay -> !pay[amount > 5])",
        "G(!pay[amount > 5]) & G(pay -> F note)",
        "exactly(0, a)",
        "forall p. absence(pay[to = p])",
        "absence(pay) & G(pay[amount > 5] -> note)",
    ],
)
def test_a_plain_prohibition_is_no_finding(rule: str) -> None:
    assert examine([rule]) == ()


def test_whether_a_tool_can_be_called_may_be_too_much_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ["precedence(a, b)", "precedence(b, c)", "precedence(c, a)"]
    assert [finding.rules for finding in examine(rules)] == [tuple(rules)]
    monkeypatch.setattr(limits, "MAX_LOOKED", 0)
    assert {finding.kind for finding in examine(rules)} == {Kind.UNDECIDED}


@pytest.mark.parametrize(
    ("one", "two", "names"),
    [
        ("F initiate_payment", "F initiate_paymnet", ("initiate_payment", "initiate_paymnet")),
        ("F list_payee", "F list_payees", ("list_payee", "list_payees")),
        ("F initiatePayment", "F initiate_payment", ("initiatePayment", "initiate_payment")),
        ("F confirm", "F conform", ("confirm", "conform")),
        ("F pay[amount > 5]", "F pay[amuont > 6]", ("amount", "amuont")),
    ],
)
def test_names_that_look_misspelt_are_a_warning(one: str, two: str, names: tuple[str, str]) -> None:
    (finding,) = examine([one, two])
    assert (finding.kind, finding.severity, finding.rules) == (Kind.SIMILAR, Severity.WARNING, (two, one))
    assert all(f"`{name}`" in finding.sentence for name in names)


def test_names_that_are_meant_to_differ_or_are_known_are_no_finding() -> None:
    assert found("F tool_a", "F tool_b", "F step1", "F step2", "F pay", "F say", "F block_card", "F unblock_card") == []
    known = {"list_payee": ToolSignature(), "list_payees": ToolSignature()}
    assert examine(["F list_payee", "F list_payees"], known) == ()


def test_many_names_are_compared_quickly() -> None:
    assert found(*(f"F({' | '.join(f'tool_number_{j}_{i}' for i in range(300))})" for j in range(10))) == []


def test_sound_rules_have_nothing_to_report() -> None:
    assert found("response(a, b)", "precedence(c, a)", "absence(3, c)", "forall p. (!pay[to = p]) W ask[to = p]") == []


def test_a_rule_that_cannot_be_used_does_not_hide_the_others() -> None:
    tools = {"pay": ToolSignature({"amount": ARGUMENT}), "note": ToolSignature()}
    rules = [
        Rule("broken", "G(pay ->", ""),
        Rule("unknown", "G(pay -> F notte)", ""),
        Rule("one", "G(pay -> F note)", ""),
        Rule("two", "response(pay, note)", ""),
    ]
    findings = examine(rules, tools)
    assert [(finding.kind.value, finding.rules) for finding in findings] == [
        ("unusable", ("broken",)),
        ("unusable", ("unknown",)),
        ("equivalent", ("one", "two")),
    ]
    assert "did you mean 'note'?" in findings[1].sentence


def test_a_question_that_is_too_large_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LOOKED", 4)
    findings = examine([*(f"G(a{i} -> F b{i})" for i in range(4)), "response(b0, a0)", "response(b1, a2)"])
    assert {finding.kind for finding in findings} == {Kind.UNDECIDED, Kind.TRAP}
    assert all(finding.severity is Severity.NOTE for finding in findings if finding.kind is Kind.UNDECIDED)


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    examine(
        ["G(a -> F b)", "false", "absence(a)", "G(X true)"], progress=lambda done, total: told.append((done, total))
    )
    assert told == [(i, 8) for i in range(1, 9)]


def test_finance_has_no_errors() -> None:
    domain = load_domain("finance")
    assert examine(domain.rules, signature(domain)) == ()


POOL = (
    "response({0}, {1})",
    "precedence({0}, {1})",
    "responded_existence({0}, {1})",
    "not_coexistence({0}, {1})",
    "not_succession({0}, {1})",
    "alternate_response({0}, {1})",
    "chain_response({0}, {1})",
    "coexistence({0}, {1})",
    "succession({0}, {1})",
    "existence({0})",
    "absence({0})",
    "absence(2, {0})",
    "init({0})",
    "end({0})",
    "G({0} -> X X {1})",
    "F[<=2] {0}",
)
FORMULAS = sorted({text.format(*pair) for text in POOL for pair in product("ab", repeat=2) if pair[0] != pair[1]})
TRACES = [trace for n in range(6) for trace in product(("a", "b", "z"), repeat=n)]


@cache
def kept(text: str) -> frozenset[tuple[str, ...]]:
    formula = parse(text)
    return frozenset(trace for trace in TRACES if satisfies(formula, [{name} for name in trace]))


def together(rules: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset.intersection(frozenset(TRACES), *map(kept, rules))


def barred(finding: Finding) -> list[str]:
    """Return the calls that a finding says are never allowed."""
    said = finding.sentence.partition(" can never be called")[0].rpartition("successful call of ")[2]
    return re.findall(r"`(.*?)`", said)


def check(finding: Finding) -> None:
    """Check one finding against all short traces."""
    first, rest = finding.rules[0], finding.rules[1:]
    match finding.kind:
        case Kind.CONFLICT:
            assert not together(finding.rules) - {()}
            for fewer in combinations(finding.rules, len(finding.rules) - 1):
                assert together(fewer) - {()}
        case Kind.EQUIVALENT:
            assert kept(first) == kept(rest[0])
        case Kind.SUBSUMED | Kind.REDUNDANT | Kind.VACUOUS:
            assert together(rest) <= kept(first)
            for fewer in combinations(rest, len(rest) - 1):
                assert finding.kind is Kind.VACUOUS or not together(fewer) <= kept(first)
            if finding.kind is Kind.SUBSUMED:
                trace = tuple("z" if call == "any other call" else call for call in finding.witness or ())
                assert trace in kept(first) - kept(rest[0])
        case Kind.TRAP:
            way = tuple("z" if call == "any other call" else call for call in finding.witness or ())
            ahead = [trace for trace in TRACES if trace[: len(way)] == way]
            assert all(any(trace in kept(rule) for trace in ahead) for rule in finding.rules)
            assert not any(trace in together(finding.rules) for trace in ahead)
        case Kind.NEVER:
            for name in barred(finding):
                assert not any(name in trace for trace in together(finding.rules))
                for fewer in combinations(finding.rules, len(finding.rules) - 1):
                    assert any(name in trace for trace in together(fewer))
        case _:
            raise AssertionError(finding)


@pytest.mark.parametrize("seed", range(150))
def test_findings_agree_with_all_short_traces(seed: int) -> None:
    rules = tuple(random.Random(seed).sample(FORMULAS, random.Random(-seed).choice((2, 3, 4))))
    findings = examine(rules)
    for finding in findings:
        check(finding)
    opposed = {rule for f in findings if f.kind is Kind.CONFLICT for rule in f.rules}
    for one, two in combinations(rules, 2):
        assert bool(together((one, two)) - {()}) or {one, two} <= opposed
    said = {rule for f in findings if f.kind is Kind.EQUIVALENT for rule in f.rules}
    said |= {f.rules[0] for f in findings if f.kind in (Kind.SUBSUMED, Kind.REDUNDANT, Kind.VACUOUS)}
    for rule in set(rules) - opposed:
        others = tuple(other for other in rules if other != rule and other not in opposed)
        if together(others) <= kept(rule):
            assert rule in said
    if not opposed and not any(finding.kind is Kind.TRAP for finding in findings):
        never = {name for finding in findings if finding.kind is Kind.NEVER for name in barred(finding)}
        for name in "ab":
            alone = any(not any(name in trace for trace in kept(rule)) for rule in rules)
            named = any(f"{name}" in re.findall(r"[a-z]+", rule) for rule in rules)
            if named and not alone and not any(name in trace for trace in together(rules)):
                assert name in never
    if not opposed and not any(finding.kind is Kind.TRAP for finding in findings):
        for trace in TRACES[:13]:
            ahead = [longer for longer in TRACES if longer[: len(trace)] == trace]
            if all(any(longer in kept(rule) for longer in ahead) for rule in rules):
                assert any(longer in together(rules) for longer in ahead)


SLICED = (
    "forall p. (!pay[to = p]) W ask[to = p]",
    "forall q. !((!ask[to = q]) U pay[to = q])",
    "forall p, a. (!pay[to = p, amount = a]) W ask[to = p, amount = a]",
    "forall p. G(pay[to = p] -> F ask[to = p])",
    "forall p. G(ask[to = p] -> F pay[to = p])",
    "forall p. G(pay[to = p, amount > 5] -> F ask[to = p])",
    "forall p. absence(2, pay[to = p])",
    "forall p. absence(pay[to = p, amount > 5])",
    "forall p. absence(pay[to = p])",
    "forall p. !((!login) U pay[to = p])",
    "forall p. G(pay[to = p] -> X ask[to = p])",
    'forall p. absence(2, ask[to = p, status = "refused"])',
    "absence(2, pay)",
    "absence(pay)",
    "absence(pay[amount > 5])",
    "precedence(login, pay)",
    "G(pay -> F ask)",
    "existence(pay)",
    "not_coexistence(pay, ask)",
)


def some_event(rng: random.Random) -> Event:
    name = rng.choice(("pay", "ask", "pay", "ask", "login"))
    arguments = {"to": rng.choice((1, 2, None)), "amount": rng.choice((1, 9))} if name != "login" else {}
    call = ToolCall(name, arguments)
    return Event.ok(call, None) if rng.random() < 0.85 else Event.refused(call, "no", "no")


EVENTS = [[some_event(random.Random(f"{i}{j}")) for j in range(1 + i % 5)] for i in range(1_500)]


@cache
def kept_events(text: str) -> frozenset[int]:
    formula = parse(text)
    return frozenset(i for i, trace in enumerate(EVENTS) if satisfies(formula, trace))


@pytest.mark.parametrize("seed", range(120))
def test_claims_about_rules_with_values_hold_on_random_events(seed: int) -> None:
    rng = random.Random(seed)
    for finding in examine(rng.sample(SLICED, rng.choice((2, 3, 4)))):
        first, rest = finding.rules[0], finding.rules[1:]
        match finding.kind:
            case Kind.CONFLICT:
                assert not frozenset.intersection(*map(kept_events, finding.rules))
            case Kind.EQUIVALENT:
                assert kept_events(first) == kept_events(rest[0])
            case Kind.SUBSUMED | Kind.REDUNDANT | Kind.VACUOUS:
                assert frozenset.intersection(*map(kept_events, rest)) <= kept_events(first)
            case Kind.NEVER:
                for call in barred(finding):
                    usual = {"pay": "pay[to is not null, amount is not null]", "ask": "ask[to is not null]"}.get(
                        call, call
                    )
                    never = f"{'forall p. ' if '= p' in usual else ''}G !{usual}"
                    assert frozenset.intersection(*map(kept_events, finding.rules)) <= kept_events(never)
            case _:
                assert finding.kind is Kind.TRAP
