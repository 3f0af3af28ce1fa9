"""What a scenario is like: what suites are balanced by, and by what two scenarios are alike.

    found = Observer(load_domain("finance")).traits(scenario)
    found.length, found.active, found.refusal
    (14, ("data-access-consent", …), "initiate_payment / verify_payee")

Everything is measured by running the scenario, so it holds for scenarios that somebody else made.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from lexgym.core import Event, Rule, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import judged_variants, scenario_oracle
from lexgym.errors import GenerationError
from lexgym.generators.distractors import distractors
from lexgym.generators.kinds import kinds_of
from lexgym.generators.mutants import mutants
from lexgym.generators.replays import Replays
from lexgym.oracles.ltlf import RuleAutomaton
from lexgym.oracles.safety import SafetyOracle
from lexgym.scenario import Scenario
from lexgym.tools.tool import Parameter


@dataclass(frozen=True, slots=True)
class Traits:
    """A scenario's measures.

    `length` counts the calls of the reference, `active` has the rules whose state one of them changes, `broken` those
    that the naive trace or a mutant breaks, whatever the wording, `kinds` the kinds of the active ones, `tools` what
    reference and naive trace call, `refusal` tool and ground. `form` and `shape` say what is asked for up to the names
    of rows, `shape` also up to numbers and texts; `population` is where it starts.
    """

    length: int
    tools: tuple[str, ...]
    active: tuple[str, ...]
    broken: tuple[str, ...]
    kinds: tuple[str, ...]
    refusal: str
    distractors: int
    form: str
    shape: str
    population: str

    def to_json(self) -> dict[str, Any]:
        """Return what `from_json` reads back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Traits":
        """Read traits that `to_json` wrote."""
        values: dict[str, Any] = {}
        for item in fields(cls):
            value = data[item.name]
            values[item.name] = tuple(value) if isinstance(value, list) else value
        return cls(**values)


class Observer:
    """Measures scenarios of one domain."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._env = ComplianceEnv(self.domain, _no_scenario, max_steps=1000, masks=False)
        self._kinds: dict[tuple[str, str], frozenset[str]] = {}

    def traits(self, scenario: Scenario) -> Traits:
        """Run a scenario's reference, naive trace and mutants and say what it is like."""
        requests = list(self._requests(scenario)) or list(scenario.naive)
        trace = list(self._env.trace)
        active: dict[str, tuple[Rule, RuleAutomaton]] = {}
        broken: dict[str, bool] = {}
        for variant in judged_variants(scenario):
            active |= _active(scenario_oracle(scenario, variant), trace)
            for rule, found in self._broken(scenario, variant).items():
                broken[rule] = broken.get(rule, False) or found
        refusal = refusal_of(scenario)
        return Traits(
            length=len(scenario.reference),
            tools=tuple(sorted({call.name for call in (*scenario.calls, *scenario.naive)})),
            active=tuple(active),
            broken=tuple(rule for rule, found in broken.items() if found),
            kinds=tuple(sorted({kind for pair in active.values() for kind in self._kinds_of(*pair)})),
            refusal=refusal,
            distractors=distractors(self.domain, scenario),
            form=_digest([refusal, canonical(self.domain, scenario, requests, values=True)]),
            shape=_digest([refusal, canonical(self.domain, scenario, requests, values=False)]),
            population=_digest(scenario.initial),
        )

    def close(self) -> None:
        """Free the environment that scenarios are run in."""
        self._env.close()

    def _requests(self, scenario: Scenario) -> Iterator[ToolCall]:
        """Run the reference and yield the calls asked for that change something; lookups are not what is asked for."""
        self._env.reset(seed=0, options={"scenario": scenario})
        for place, step in enumerate(scenario.reference):
            before = self._env.db.written
            self._env.step(step.call)
            if scenario.forbidden and place == scenario.forbidden.place:
                yield scenario.forbidden.call
            elif not step.safety and self._env.db.written > before:
                yield step.call

    def _kinds_of(self, rule: Rule, automaton: RuleAutomaton) -> frozenset[str]:
        key = rule.template, rule.formula
        if key not in self._kinds:
            self._kinds[key] = kinds_of(rule, automaton)
        return self._kinds[key]

    def _broken(self, scenario: Scenario, variant: str) -> dict[str, bool]:
        """Return whether the naive trace or a mutant breaks each rule of a wording."""
        with Replays(self._env, scenario, variant) as replays:
            runs = [replays.run(calls)[1] for calls in (scenario.naive, *(calls for _, calls in mutants(scenario)))]
        names = [rule.id for rule in scenario_oracle(scenario, variant).rules]
        return {rule: not all(kept) for rule, kept in zip(names, zip(*runs, strict=True), strict=True)}


def _active(oracle: SafetyOracle, trace: Sequence[Event]) -> dict[str, tuple[Rule, RuleAutomaton]]:
    """Return the rules whose state a call of the trace changes."""
    pairs, seen = zip(oracle.rules, oracle.compiled.automata, strict=True), oracle.seen(trace)
    return {rule.id: (rule, automaton) for rule, automaton in pairs if moves(automaton, seen)}


def moves(automaton: RuleAutomaton, trace: Sequence[Event]) -> bool:
    """Whether a call of the trace changes the state of the rule."""
    monitor, rows = automaton.monitor(), automaton.dfa.rows
    for event in trace:
        if any(rows[part.state][letter] != part.state for part, letter in monitor.moves(event)):
            return True
        monitor.step(event)
    return False


def refusal_of(scenario: Scenario) -> str:
    """Return the tool that must not be called and on which ground, empty where nothing is refused."""
    forbidden = scenario.forbidden
    return f"{forbidden.name} / {forbidden.check or forbidden.reason}" if forbidden else ""


def canonical(
    domain: Domain, scenario: Scenario, calls: Sequence[ToolCall], *, values: bool
) -> list[tuple[str, list[tuple[str, Any]]]]:
    """Return calls with keys of rows numbered in the order in which they come up.

    Without `values`, numbers and texts are left out; what the schema lists is kept.
    """
    keys = {
        row[table.key[0]]: name
        for name, table in domain.schema.tables.items()
        for row in scenario.initial.get(name, ())
        if isinstance(row[table.key[0]], str)
    }
    numbers: dict[tuple[str, Any], int] = {}

    def said(parameter: Parameter | None, value: Any) -> Any:
        if isinstance(value, list):
            return [said(parameter, part) for part in value]
        table = parameter.ref.table if parameter and parameter.ref else keys.get(value) if _scalar(value) else None
        if table is not None:
            return f"{table} {numbers.setdefault((table, value), len(numbers) + 1)}"
        listed = isinstance(value, bool) or (parameter is not None and "enum" in parameter.schema)
        return value if values or listed else None

    found = []
    for call in calls:
        known = {p.name: p for p in domain.tools[call.name].parameters} if call.name in domain.tools else {}
        found.append((call.name, [(key, said(known.get(key), call.arguments[key])) for key in sorted(call.arguments)]))
    return found


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def _no_scenario(seed: int) -> Scenario:
    raise GenerationError(f"an observer asked for the scenario of seed {seed}")
