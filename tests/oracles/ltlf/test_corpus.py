"""Cases on which independent engines agree: the whole shared corpus where it lies, a sample always."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lexgym.core import Event, Rule, ToolCall
from lexgym.oracles.ltlf import (
    Automaton,
    RuleSet,
    compile,  # noqa: A004
    compile_rule,
    counterexample,
    parse,
    satisfies,
    to_text,
)

SAMPLE = Path(__file__).parents[2] / "data" / "ltlf"
SHARED = Path(__file__).parents[3].parent / "shared" / "ltlf"

FOLDERS = [
    pytest.param(SAMPLE, id="sample"),
    pytest.param(SHARED, id="shared", marks=pytest.mark.skipif(not SHARED.exists(), reason="no shared corpus here")),
]
pytestmark = pytest.mark.parametrize("folder", FOLDERS)


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
    assert found
    return found


@cache
def automaton(formula: str, events: Any) -> Automaton:
    return compile(formula, events)


def test_the_automaton_and_the_reference_give_the_verdict(folder: Path) -> None:
    for row in rows(folder, "corpus.jsonl"):
        trace = [set(step) for step in row["trace"]]
        assert automaton(row["formula"], row["mode"]).accepts(trace) is row["verdict"], row["id"]
        assert satisfies(parse(row["formula"]), trace) is row["verdict"], row["id"]


def test_four_valued_verdicts_after_every_prefix(folder: Path) -> None:
    seen = 0
    for row in rows(folder, "corpus.jsonl"):
        for events, expected in row.get("rv", {}).items():
            monitor = automaton(row["formula"], events).monitor()
            verdicts = [monitor.verdict.name, *(monitor.step(set(step)).name for step in row["trace"])]
            assert verdicts == expected, (row["id"], events)
            seen += 1
    assert seen


def test_automata_are_minimal(folder: Path) -> None:
    for row in rows(folder, "corpus.jsonl"):
        if "dfa_states_multi" in row:  # 0 stands for the empty language, whose complete automaton has a sink
            assert len(automaton(row["formula"], "multi")) == max(1, row["dfa_states_multi"]), row["id"]


def test_formulas_survive_printing(folder: Path) -> None:
    for row in rows(folder, "corpus.jsonl"):
        formula = parse(row["formula"])
        assert parse(to_text(formula)) is formula


def test_rules_of_a_set_and_their_conjunction(folder: Path) -> None:
    for row in rows(folder, "joint.jsonl"):
        joint = compile(" & ".join(f"({rule})" for rule in row["rules"])).monitor()
        monitor = RuleSet([Rule(rule, rule, "") for rule in row["rules"]]).monitor()
        singles, joints = [[verdict.name for verdict in monitor.verdicts]], [joint.verdict.name]
        for number, name in enumerate(row["trace"], 1):
            monitor.step(Event.ok(ToolCall(name), None, step=number))
            singles.append([verdict.name for verdict in monitor.verdicts])
            joints.append(joint.step({name}).name)
        expected = [list(column) for column in zip(*row["rv_rules"], strict=True)]
        assert (singles, joints) == (expected, row["rv_joint"]), row["id"]


def sliced(row: dict[str, Any], *, noise: bool) -> str:
    """Say a rule over names as a rule over the argument `e`."""
    body = row["rule"]
    for name in row["parametric_events"]:
        body = body.replace(name, f"{name}[e = x]") if len(name) > 1 else body
    if all(len(name) == 1 for name in row["parametric_events"]):
        body = "".join(f"{c}[e = x]" if c in row["parametric_events"] else c for c in body)
    return f"forall x. ({body}) & (noise[e = x] | true)" if noise else f"forall x. {body}"


def run(row: dict[str, Any], *, noise: bool) -> dict[str, str]:
    automaton = compile_rule(sliced(row, noise=noise))
    monitor = automaton.monitor()
    own = {*row["parametric_events"], *row["global_events"]}
    for name, entity in row["events"]:
        if name in own or noise:
            monitor.step(Event.ok(ToolCall(name, {} if entity is None else {"e": entity}), None))
    return {part.key[0]: automaton.dfa.colours[part.state].name for part in monitor.slices()}


def test_slices_of_the_rules_own_events(folder: Path) -> None:
    for row in rows(folder, "slices.jsonl"):
        found = run(row, noise=False)
        met = {entity for name, entity in row["events"] if name in row["parametric_events"]}
        assert found == {e: case["rv"] for e, case in row["per_entity_own_alphabet"].items() if e in met}, row["id"]


def test_slices_in_which_other_events_of_the_entity_are_steps(folder: Path) -> None:
    for row in rows(folder, "slices.jsonl"):
        found = run(row, noise=True)
        assert found == {e: case["rv"] for e, case in row["per_entity_with_noise_steps"].items()}, row["id"]


def test_entailments_and_shortest_counterexamples(folder: Path) -> None:
    for row in rows(folder, "entailments.jsonl"):
        left = f"({row['formula_f']}) & F true"  # these engines know no empty trace
        found = counterexample(left, row["formula_g"], row["alphabet"])
        assert (found is None) is row["entails"], row
        if found is not None:
            assert len(found) == len(row["counterexample"]), row
            assert satisfies(parse(row["formula_f"]), found)
            assert not satisfies(parse(row["formula_g"]), found)
