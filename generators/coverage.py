"""What generated scenarios reach of a domain, and by name what they never reach.

    coverage = Coverage(load_domain("finance"))
    coverage.add(scenario)
    coverage.parts()[0]        # Part("tools", reached=…, reachable=…)

Tools, adjacent pairs and rules are counted on the reference traces; guard outcomes and the states of the rules'
automata on the naive traces as well, since states in which a rule is broken are reached by no lawful trace.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import safety_oracle
from lexgym.errors import GenerationError
from lexgym.generators.acceptance import replay
from lexgym.generators.reachable import dischargeable, discharges, guards, pairs
from lexgym.scenario import Scenario


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
        self._guards = guards(domain)
        self._env = ComplianceEnv(domain, _no_scenario, max_steps=1000, masks=False)
        self._reached: dict[str, set[str]] = {name: set() for name in self._reachable()}

    def add(self, scenario: Scenario) -> None:
        """Run a scenario's reference and naive trace and note what they reach."""
        reference = replay(self._env, scenario, scenario.calls)
        self._reached["tools"].update(event.name for event in reference)
        self._reached["adjacent pairs"].update(f"{one.name} → {two.name}" for one, two in pairwise(reference))
        self._watch(reference, lawful=True)
        self._watch(replay(self._env, scenario, scenario.naive), lawful=False)

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
            "adjacent pairs": frozenset(f"{one} → {two}" for one, two in pairs(self.domain)),
            "rules triggered": frozenset(rule for rule, _ in self._rules),
            "rules discharged": frozenset(rule for rule, automaton in self._rules if dischargeable(automaton)),
            "guard outcomes": frozenset(f"{w.name} is {str(o).lower()}" for w in self._guards for o in w.outcomes()),
            "rule states": frozenset(states),
        }

    def _watch(self, trace: Sequence[Event], *, lawful: bool) -> None:
        for watched in self._guards:
            for event in trace:
                if event.name == watched.tool and event.status is Status.OK:
                    outcome = str(watched.test(event, ())).lower()
                    self._reached["guard outcomes"].add(f"{watched.name} is {outcome}")
        for rule, automaton in self._rules:
            monitor, states = automaton.monitor(), {0}
            for event in trace:
                moves = [(part.state, letter) for part, letter in monitor.moves(event) if letter]
                if lawful and moves:
                    self._reached["rules triggered"].add(rule)
                if lawful and any(discharges(automaton, *move) for move in moves):
                    self._reached["rules discharged"].add(rule)
                monitor.step(event)
                states |= monitor.states
            self._reached["rule states"].update(_state(rule, automaton.dfa.colours[q].name, q) for q in states)


def _state(rule: str, colour: str, number: int) -> str:
    return f"{rule}: state {number} ({colour})"


def _no_scenario(seed: int) -> Scenario:
    raise GenerationError(f"coverage asked for the scenario of seed {seed}")
