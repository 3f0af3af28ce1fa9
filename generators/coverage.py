"""What scenarios reach of a domain and of the rules that they are judged by, and by name what they never reach.

    coverage = Coverage(load_domain("finance"))
    coverage.add(scenario)
    coverage.parts()[0]        # Part("tools", reached=…, reachable=…)

Tools, adjacent pairs and rules are counted on the reference traces, a rule also where it forbids what was asked
for; guard outcomes and the states of the rules'
automata on every trace that acceptance runs, the naive one and the mutants as well, since states in which a rule is
broken are reached by no lawful trace. The rules are those that bind in any wording of a scenario: its own, where it
brings some, and else the domain's.
"""

import json
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lexgym.core import Event, Rule, Status
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import judged_variants, safety_oracle, scenario_oracle
from lexgym.errors import GenerationError
from lexgym.generators.feasible import Feasible
from lexgym.generators.mutants import mutants
from lexgym.generators.reachable import WatchedGuard, dischargeable, discharges, guards
from lexgym.generators.replays import Replays
from lexgym.oracles.ltlf import RuleAutomaton
from lexgym.oracles.safety import SafetyOracle
from lexgym.scenario import ForbiddenCall, Scenario

PARTS = ("tools", "adjacent pairs", "rules triggered", "rules discharged", "guard outcomes", "rule states")
"""What is to be reached, by kind."""


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of thing to reach, by name."""

    name: str
    reached: Set[str]
    reachable: Set[str]

    @property
    def never(self) -> list[str]:
        """What was not reached, sorted."""
        return sorted(self.reachable - self.reached)

    def to_json(self) -> dict[str, Any]:
        """Return the counts and what was not reached."""
        return {"reached": len(self.reached), "of": len(self.reachable), "never": self.never}


class _Law:
    """The rules that bind in a wording, by id, and what they leave to be reached."""

    def __init__(self, domain: Domain, oracle: SafetyOracle) -> None:
        self.oracle = oracle
        self.rules = list(zip((rule.id for rule in oracle.rules), oracle.compiled.automata, strict=True))
        self.guards: dict[str, list[WatchedGuard]] = {}
        for watched in guards(domain, oracle.compiled.automata):
            self.guards.setdefault(watched.tool, []).append(watched)
        pairs = Feasible(tuple(domain.tools), oracle.compiled.automata).pairs()
        watched_guards = [watched for found in self.guards.values() for watched in found]
        self.reachable = {
            "tools": frozenset(domain.tools),
            "adjacent pairs": frozenset(f"{one} → {two}" for one, two in pairs),
            "rules triggered": frozenset(rule for rule, _ in self.rules),
            "rules discharged": frozenset(rule for rule, automaton in self.rules if dischargeable(automaton)),
            "guard outcomes": frozenset(f"{w.name} is {str(o).lower()}" for w in watched_guards for o in w.outcomes()),
            "rule states": frozenset(
                _state(rule, automaton, state) for rule, automaton in self.rules for state in range(len(automaton.dfa))
            ),
        }


class Coverage:
    """Collects what scenarios of one domain reach."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._env = ComplianceEnv(domain, _no_scenario, max_steps=1000, masks=False)
        self._laws: dict[tuple[Rule, ...], _Law] = {}
        self._reached: dict[str, set[str]] = {name: set() for name in PARTS}

    def add(self, scenario: Scenario) -> None:
        """Run a scenario's reference, naive trace and mutants and note what they reach."""
        with Replays(self._env, scenario) as replays:
            self._add(scenario, replays)

    def _add(self, scenario: Scenario, replays: Replays) -> None:
        reference, _ = replays.run(scenario.calls)
        self._reached["tools"].update(event.name for event in reference)
        self._reached["adjacent pairs"].update(f"{one.name} → {two.name}" for one, two in pairwise(reference))
        runs = [scenario.calls, scenario.naive, *(calls for _, calls in mutants(scenario))]
        traces = [replays.run(calls)[0] for calls in runs]
        refused = self._refused(scenario.forbidden, replays, reference) if scenario.forbidden else ()
        for variant in judged_variants(scenario):
            law = self._law(scenario_oracle(scenario, variant))
            self._watch_rules(law, law.oracle.seen(reference))
            if refused:
                self._watch_refused(law, law.oracle.seen(refused))
            seen: list[set[str]] = [set() for _ in law.rules]
            for trace in traces:
                self._watch(law, law.oracle.seen(trace), seen)

    def parts(self) -> list[Part]:
        """Return what was reached of what is reachable."""
        laws = list(self._laws.values()) or [self._law(safety_oracle(self.domain.name))]
        reachable = {name: frozenset().union(*(law.reachable[name] for law in laws)) for name in PARTS}
        return [Part(name, reachable[name] & self._reached[name], reachable[name]) for name in PARTS]

    def close(self) -> None:
        """Free the environment that scenarios are run in."""
        self._env.close()

    def _law(self, oracle: SafetyOracle) -> _Law:
        """Return the rules of an oracle with what they leave to be reached, worked out once."""
        if oracle.rules not in self._laws:
            self._laws[oracle.rules] = _Law(self.domain, oracle)
        return self._laws[oracle.rules]

    def _watch_rules(self, law: _Law, reference: Sequence[Event]) -> None:
        """Note which rules a lawful trace brings into play, and which it meets."""
        for rule, automaton in law.rules:
            monitor = automaton.monitor()
            for event in reference:
                moves = [(part.state, letter) for part, letter in monitor.moves(event) if letter]
                if moves:
                    self._reached["rules triggered"].add(rule)
                if any(discharges(automaton, *move) for move in moves):
                    self._reached["rules discharged"].add(rule)
                monitor.step(event)

    @staticmethod
    def _refused(forbidden: ForbiddenCall, replays: Replays, reference: Sequence[Event]) -> Sequence[Event]:
        """Return the trace up to the request that was refused, with that call made."""
        return replays.run([*(event.call for event in reference[: forbidden.place]), forbidden.call])[0]

    def _watch_refused(self, law: _Law, trace: Sequence[Event]) -> None:
        """Note which rules the request that was refused would bring into play, such as an outright prohibition."""
        for rule, automaton in law.rules:
            monitor = automaton.monitor()
            for earlier in trace[:-1]:
                monitor.step(earlier)
            if any(letter for _, letter in monitor.moves(trace[-1])):
                self._reached["rules triggered"].add(rule)

    def _watch(self, law: _Law, trace: Sequence[Event], seen: Sequence[set[str]]) -> None:
        """Note guard outcomes and rule states; `seen` has, for each rule, the traces that are the same to it."""
        texts = [json.dumps([e.name, e.arguments, e.result, e.status.value]) for e in trace]
        for event in trace:
            if event.status is Status.OK:
                for watched in law.guards.get(event.name, ()):
                    outcome = str(watched.test(event, ())).lower()
                    self._reached["guard outcomes"].add(f"{watched.name} is {outcome}")
        for (rule, automaton), known in zip(law.rules, seen, strict=True):
            key = "\n".join(text if e.name in automaton.readers else "" for e, text in zip(trace, texts, strict=True))
            if key in known:
                continue
            known.add(key)
            monitor, states = automaton.monitor(), {0}
            for event in trace:
                monitor.step(event)
                states |= monitor.states
            self._reached["rule states"].update(_state(rule, automaton, state) for state in states)


def _state(rule: str, automaton: RuleAutomaton, number: int) -> str:
    return f"{rule}: state {number} ({automaton.dfa.colours[number].name})"


def _no_scenario(seed: int) -> Scenario:
    raise GenerationError(f"coverage asked for the scenario of seed {seed}")
