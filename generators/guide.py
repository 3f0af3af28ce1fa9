"""What traces have covered, and over which pairs of calls lawful traces can have.

guide = Guide(domain)
guide.add(trace)
guide.transition_coverage()         # adjacent transition coverage over |A|² (LogiSafetyGen, arXiv 2601.08196)
guide.transition_coverage(guide.feasible)
"""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.generators.feasible import Feasible, Pair
from lexgym.generators.reachable import WatchedGuard, guards
from lexgym.oracles.ltlf import RV, RuleSetMonitor, ToolSignature
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.signature import given
from lexgym.oracles.safety import SafetyOracle

Move: TypeAlias = tuple[int, int, int]
"""A rule, a state of its automaton, and the letter that an event is there."""


@dataclass
class Effort:
    """The work of all searches: nodes visited, and branches cut, by cause."""

    nodes: int = 0
    pruned: Counter[str] = field(default_factory=Counter)


class Guide:
    """Counts calls, adjacent pairs, guard outcomes and moves of rules; `length` is that of the traces, if all have one.

    Safety-critical are the domain's safety steps; under rules of its own (`oracle`), the tools that these name.
    """

    def __init__(self, domain: Domain, length: int | None = None, oracle: SafetyOracle | None = None) -> None:
        self.domain, self.length = domain, length
        self._automata = automata = (oracle or safety_oracle(domain.name)).compiled.automata
        named = frozenset(tool for automaton in automata for tool in automaton.readers)
        self.critical = named if oracle else domain.safety_critical
        self.calls: Counter[str] = Counter()
        self.pairs: Counter[Pair] = Counter()
        self.outcomes: set[tuple[str, bool]] = set()
        self.moves: set[Move] = set()
        self._guards: dict[str, list[WatchedGuard]] = {}
        for watched in guards(domain, automata):
            self._guards.setdefault(watched.tool, []).append(watched)
        self.possible = Feasible(tuple(domain.tools), automata)
        self._readers = {
            tool: [i for i, automaton in enumerate(automata) if tool in automaton.readers] for tool in domain.tools
        }

    @cached_property
    def feasible(self) -> frozenset[Pair]:
        """The pairs that the rules leave possible."""
        return self.possible.pairs(self.length)

    @cached_property
    def loose(self) -> frozenset[str]:
        """The tools with a value of a rule's variable that a call need not have: of these no call is ruled out."""
        return frozenset(
            atom.tool
            for automaton in self._automata
            for atom in automaton.bits
            for place in (binding_of(atom, automaton.variables) or {}).values()
            if not given(automaton.signatures.get(atom.tool, ToolSignature()), place)
        )

    @cached_property
    def burden(self) -> dict[str, int]:
        """For each tool, how many rules a first call of it can leave with something owed."""
        found = dict.fromkeys(self.domain.tools, 0)
        for automaton in self._automata:
            row, colours = automaton.dfa.rows[0], automaton.dfa.colours
            owing = {x.tool for x in automaton.letters if x.tool in found and colours[row[x.column]] is RV.CV}
            for tool in owing if colours[0] is not RV.CV else ():
                found[str(tool)] += 1
        return found

    def add(self, trace: Sequence[Event], moves: Set[Move] = frozenset()) -> None:
        """Count the calls, pairs and guard outcomes of a trace, and the moves that it made the rules' automata do."""
        self.moves |= moves
        self.calls.update(event.name for event in trace)
        self.pairs.update((one.name, two.name) for one, two in pairwise(trace))
        for event in trace:
            self.outcomes.update(self.outcomes_of(event))

    def outcomes_of(self, event: Event) -> set[tuple[str, bool]]:
        """Return the outcomes of the guards that rules ask of the event's tool."""
        if event.status is not Status.OK:
            return set()
        return {(watched.name, watched.test(event, ())) for watched in self._guards.get(event.name, ())}

    def moves_of(self, monitor: RuleSetMonitor, event: Event) -> set[Move]:
        """Return the moves that an event would be for the rules that speak of its tool."""
        return {
            (rule, part.state, letter)
            for rule in self._readers[event.name]
            for part, letter in monitor.monitor(rule).moves(event)
        }

    @cached_property
    def callable_critical(self) -> frozenset[str]:
        """The safety-critical tools that the rules let a trace of the length have."""
        return self.critical & self.possible.tools(self.length)

    def safety_coverage(self, over: Set[str] | None = None) -> float:
        """Return the share of the safety-critical tools, by default of all, that were called."""
        wanted = self.critical if over is None else over
        return len(wanted & self.calls.keys()) / len(wanted) if wanted else 1.0

    def transition_coverage(self, over: Set[Pair] | None = None) -> float:
        """Return the share of pairs that some trace had, by default of all pairs of tools."""
        if over is None:
            return len(self.pairs) / len(self.domain.tools) ** 2
        return len(self.pairs.keys() & over) / len(over) if over else 1.0
