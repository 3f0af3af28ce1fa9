"""What generated scenarios reach of a domain, and by name what they never reach.

    coverage = Coverage(load_domain("finance"))
    coverage.add(scenario)
    coverage.parts()[0]        # Part("tools", reached=…, reachable=…)

Tools, adjacent pairs and rules are counted on the reference traces, a rule also where it forbids what was asked
for; guard outcomes and the states of the rules'
automata on every trace that acceptance runs, the naive one and the mutants as well, since states in which a rule is
broken are reached by no lawful trace.
"""

import json
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import safety_oracle
from lexgym.errors import GenerationError
from lexgym.generators.feasible import Feasible
from lexgym.generators.mutants import mutants
from lexgym.generators.reachable import WatchedGuard, dischargeable, discharges, guards
from lexgym.generators.replays import Replays
from lexgym.scenario import ForbiddenCall, Scenario


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


class Coverage:
    """Collects what scenarios of one domain reach."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self._rules = list(
            zip((rule.id for rule in domain.rules), safety_oracle(domain.name).compiled.automata, strict=True)
        )
        self._pairs = Feasible(tuple(domain.tools), [automaton for _, automaton in self._rules]).pairs()
        self._guards: dict[str, list[WatchedGuard]] = {}
        for watched in guards(domain):
            self._guards.setdefault(watched.tool, []).append(watched)
        self._env = ComplianceEnv(domain, _no_scenario, max_steps=1000, masks=False)
        self._reached: dict[str, set[str]] = {name: set() for name in self._reachable()}

    def add(self, scenario: Scenario) -> None:
        """Run a scenario's reference, naive trace and mutants and note what they reach."""
        with Replays(self._env, scenario) as replays:
            self._add(scenario, replays)

    def _add(self, scenario: Scenario, replays: Replays) -> None:
        reference, _ = replays.run(scenario.calls)
        self._reached["tools"].update(event.name for event in reference)
        self._reached["adjacent pairs"].update(f"{one.name} → {two.name}" for one, two in pairwise(reference))
        self._watch_rules(reference)
        if scenario.forbidden:
            self._watch_refused(scenario.forbidden, replays, reference)
        seen: list[set[str]] = [set() for _ in self._rules]
        for calls in (scenario.calls, scenario.naive, *(calls for _, calls in mutants(scenario))):
            self._watch(replays.run(calls)[0], seen)

    def parts(self) -> list[Part]:
        """Return what was reached of what is reachable."""
        reachable = self._reachable()
        return [
            Part(name, frozenset(found & reachable[name]), reachable[name]) for name, found in self._reached.items()
        ]

    def close(self) -> None:
        """Free the environment that scenarios are run in."""
        self._env.close()

    def _reachable(self) -> dict[str, frozenset[str]]:
        states = [
            _state(rule, automaton.dfa.colours[state].name, state)
            for rule, automaton in self._rules
            for state in range(len(automaton.dfa))
        ]
        return {
            "tools": frozenset(self.domain.tools),
            "adjacent pairs": frozenset(f"{one} → {two}" for one, two in self._pairs),
            "rules triggered": frozenset(rule for rule, _ in self._rules),
            "rules discharged": frozenset(rule for rule, automaton in self._rules if dischargeable(automaton)),
            "guard outcomes": frozenset(
                f"{w.name} is {str(o).lower()}" for found in self._guards.values() for w in found for o in w.outcomes()
            ),
            "rule states": frozenset(states),
        }

    def _watch_rules(self, reference: Sequence[Event]) -> None:
        """Note which rules a lawful trace brings into play, and which it meets."""
        for rule, automaton in self._rules:
            monitor = automaton.monitor()
            for event in reference:
                moves = [(part.state, letter) for part, letter in monitor.moves(event) if letter]
                if moves:
                    self._reached["rules triggered"].add(rule)
                if any(discharges(automaton, *move) for move in moves):
                    self._reached["rules discharged"].add(rule)
                monitor.step(event)

    def _watch_refused(self, forbidden: ForbiddenCall, replays: Replays, reference: Sequence[Event]) -> None:
        """Note which rules the request that was refused would bring into play, such as an outright prohibition."""
        before = reference[: forbidden.place]
        event = replays.run([*(event.call for event in before), forbidden.call])[0][-1]
        for rule, automaton in self._rules:
            monitor = automaton.monitor()
            for earlier in before:
                monitor.step(earlier)
            if any(letter for _, letter in monitor.moves(event)):
                self._reached["rules triggered"].add(rule)

    def _watch(self, trace: Sequence[Event], seen: Sequence[set[str]]) -> None:
        """Note guard outcomes and rule states; `seen` has, for each rule, the traces that are the same to it."""
        texts = [json.dumps([e.name, e.arguments, e.result, e.status.value]) for e in trace]
        for event in trace:
            if event.status is Status.OK:
                for watched in self._guards.get(event.name, ()):
                    outcome = str(watched.test(event, ())).lower()
                    self._reached["guard outcomes"].add(f"{watched.name} is {outcome}")
        for (rule, automaton), known in zip(self._rules, seen, strict=True):
            key = "\n".join(text if e.name in automaton.readers else "" for e, text in zip(trace, texts, strict=True))
            if key in known:
                continue
            known.add(key)
            monitor, states = automaton.monitor(), {0}
            for event in trace:
                monitor.step(event)
                states |= monitor.states
            self._reached["rule states"].update(_state(rule, automaton.dfa.colours[q].name, q) for q in states)


def _state(rule: str, colour: str, number: int) -> str:
    return f"{rule}: state {number} ({colour})"


def _no_scenario(seed: int) -> Scenario:
    raise GenerationError(f"coverage asked for the scenario of seed {seed}")
