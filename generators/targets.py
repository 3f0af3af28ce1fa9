"""What scenarios are steered to, so that none of a domain's tools and findings is left to chance.

    targets = targets_of(load_domain("finance"))
    targets[0].reached(trace)

A target is a tool to be called, or an outcome of a condition that some rule asks of a tool: that the payee's name does
not match, that a payment is small; or two acts whose order some rule minds. `rotate` gives each turn two of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import gcd
from typing import TypeVar

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.envs.registry import load_domain
from lexgym.generators.reachable import WatchedGuard, guards
from lexgym.generators.sequels import in_order, orderings


@dataclass(frozen=True, slots=True)
class Target:
    """A successful call of a tool; where a condition is given, one with this outcome of it.

    With a rule, two acts whose order this rule minds.
    `ways` are the business tools that lead there: the tool itself, or those that stand in a rule with it.
    """

    tool: str
    ways: tuple[str, ...]
    guard: WatchedGuard | None = None
    outcome: bool = True
    rule: str | None = None
    domain: str = ""

    def __str__(self) -> str:
        if self.rule:
            return f"two acts whose order {self.rule} minds"
        return f"{self.guard.name} is {str(self.outcome).lower()}" if self.guard else self.tool

    def reached(self, trace: Sequence[Event]) -> bool:
        """Whether a trace holds such a call."""
        if self.rule:
            acts = [event for event in trace if event.name in self.ways and event.status is Status.OK]
            return any(in_order(self.domain, one, two, self.rule) for one, two in combinations(acts, 2))
        return any(
            event.name == self.tool
            and event.status is Status.OK
            and (self.guard is None or self.guard.test(event, ()) is self.outcome)
            for event in trace
        )


def targets_of(domain: Domain) -> tuple[Target, ...]:
    """Return the targets of a domain: the outcomes that the schemas leave open, then tools of which no rule speaks."""
    return _targets(domain.name)


T = TypeVar("T")


def rotate(targets: Sequence[T], turn: int) -> tuple[T, ...]:
    """Return two targets for a turn, far apart; as many consecutive turns as there are targets meet each once."""
    count = len(targets)
    if not count:
        return ()
    stride = next(step for step in range(round(count * 0.618), 2 * count + 2) if step and gcd(step, count) == 1)
    return targets[turn * stride % count], targets[(turn * stride + count // 2) % count]


@cache
def _targets(name: str) -> tuple[Target, ...]:
    domain = load_domain(name)
    recording = {refusal.tool for refusal in domain.refusals.values()}
    together = [frozenset(automaton.readers) for automaton in safety_oracle(name).compiled.automata]
    business = [tool for tool in domain.phrases["tools"] if tool not in domain.safety_critical | recording]

    def ways(tool: str) -> tuple[str, ...]:
        if tool in business:
            return (tool,)
        near = frozenset().union(*(tools for tools in together if tool in tools))
        return tuple(other for other in business if other in near)

    watched = [guard for guard in guards(domain) if guard.tool not in recording]
    spoken = {guard.tool for guard in watched}
    found = [Target(w.tool, ways(w.tool), w, outcome) for w in watched for outcome in sorted(w.outcomes())]
    pairs = [Target(tools[0], tools, rule=rule, domain=name) for rule, tools in orderings(domain)]
    return (*found, *pairs, *(Target(tool, ways(tool)) for tool in domain.tools if tool not in spoken | recording))
