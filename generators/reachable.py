"""What scenarios of a domain could reach at all: guard outcomes, discharges of rules.

outcomes(guard)        # {True, False}; only {True} where the schema leaves no other value
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.oracles.ltlf import RV, RuleAutomaton
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.evaluation import Test, compile_guard
from lexgym.oracles.ltlf.printer import guard_text


@dataclass(frozen=True)
class WatchedGuard:
    """One condition that some rule asks of a tool's calls, apart from what binds its variables."""

    tool: str
    guard: g.Guard
    schemas: Mapping[str, Any]

    @cached_property
    def name(self) -> str:
        """The condition as the rules write it."""
        return f"{self.tool}[{guard_text(self.guard)}]"

    @cached_property
    def test(self) -> Test:
        """The condition as a function of an event."""
        return compile_guard(self.guard, ())

    def outcomes(self) -> set[bool]:
        """Return the outcomes that the tool's schemas leave open."""
        fields = {leaf for leaf in g.leaves(self.guard) if isinstance(leaf, g.Field)}
        place = next(iter(fields)) if len(fields) == 1 else None
        values = _listed(place, self.schemas) if place else None
        if place is None or values is None:
            return {True, False}
        return {self.test(_example(self.tool, place, value), ()) for value in values}


def guards(domain: Domain, automata: Sequence[RuleAutomaton] | None = None) -> list[WatchedGuard]:
    """Return the distinct conditions of all rules, by default the domain's, in the order of the rules."""
    found: dict[str, WatchedGuard] = {}
    for automaton in safety_oracle(domain.name).compiled.automata if automata is None else automata:
        for atom in automaton.bits:
            for guard in g.conjuncts(atom.guard):
                if not g.variables_of(guard) and not g.mentions_status(guard):
                    tool = domain.tools[atom.tool]
                    watched = WatchedGuard(atom.tool, guard, {"args": tool.schema, "result": tool.result_schema})
                    found.setdefault(watched.name, watched)
    return list(found.values())


def dischargeable(automaton: RuleAutomaton) -> bool:
    """Whether a call can close an obligation of the rule, or be allowed that was forbidden at the start."""
    states = range(len(automaton.dfa))
    letters = range(len(automaton.columns))
    return any(discharges(automaton, state, letter) for state in states for letter in letters)


def discharges(automaton: RuleAutomaton, state: int, letter: int) -> bool:
    """Whether a letter closes an obligation, or is allowed by what came before."""
    rows, colours = automaton.dfa.rows, automaton.dfa.colours
    after = colours[rows[state][letter]]
    closed = colours[state] is RV.CV and after in (RV.CS, RV.PS)
    allowed = colours[rows[0][letter]] is RV.PV and after is not RV.PV
    return closed or allowed


def _listed(place: g.Field, schemas: Mapping[str, Any]) -> list[Any] | None:
    """Return every value of a place, None where there are too many to list."""
    schema = schemas.get(place.root, {})
    for key in place.path:
        schema = schema.get("properties", {}).get(key, {})
    return list(_values(schema)) or None


def _values(schema: Mapping[str, Any]) -> Iterator[Any]:
    if "const" in schema:
        yield schema["const"]
    elif "enum" in schema:
        yield from schema["enum"]
    elif schema.get("type") == "boolean":
        yield from (True, False)


def _example(tool: str, place: g.Field, value: Any) -> Event:
    for key in reversed(place.path):
        value = {key: value}
    arguments, result = (value, None) if place.root == "args" else ({}, value)
    return Event.ok(ToolCall(tool, arguments), result)
