"""What could be asked for next because of the request before: what a rule sets in an order with it, or its like.

    Sequels(domain, rng).calls(db, focus, event)     # after a disclosure: a restriction for the same organization, …

Two acts are in an order where a rule lets either be made, and not one after the other: `orderings` has such rules.
"""

import random
from collections.abc import Iterator

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.generators.related import draw_call
from lexgym.oracles.ltlf import RV, RuleAutomaton
from lexgym.tools.database import Database

DRAWS = 24
"""Draws tried per tool that stands in a rule with the one before."""

VARIED = 8
"""Draws tried of the same tool with some of the same arguments."""


class Sequels:
    """Draws requests that follow another one."""

    def __init__(self, domain: Domain, rng: random.Random) -> None:
        self.domain, self.rng = domain, rng

    def calls(self, db: Database, focus: object, before: Event, rule: str | None = None) -> Iterator[ToolCall]:
        """Yield calls that could be asked for after an act, those in an order with it first; with `rule`, no others."""
        for name in self._near(before.name, rule):
            for _ in range(DRAWS):
                call = draw_call(self.domain, db, name, focus, self.rng)
                event = self._probe(db, call) if call is not None else None
                if event is not None and in_order(self.domain.name, before, event, rule):
                    yield event.call
        if rule is None:
            yield from self._alike(db, focus, before.call)

    def _near(self, tool: str, rule: str | None) -> list[str]:
        """Return the business tools that stand in a rule with one, in random order."""
        compiled = safety_oracle(self.domain.name).compiled
        pairs = zip(compiled.rules, compiled.automata, strict=True)
        readers = [each.readers for named, each in pairs if tool in each.readers and rule in (None, named.id)]
        known = {name for names in readers for name in names} - self.domain.safety_critical
        return self.rng.sample(
            business := [name for name in self.domain.phrases["tools"] if name in known], len(business)
        )

    def _alike(self, db: Database, focus: object, before: ToolCall) -> Iterator[ToolCall]:
        for _ in range(VARIED):
            other = draw_call(self.domain, db, before.name, focus, self.rng)
            if other is not None:
                kept = {name: value for name, value in before.arguments.items() if self.rng.random() < 0.5}
                varied = ToolCall(other.name, {**other.arguments, **kept})
                if varied != before:
                    yield varied

    def _probe(self, db: Database, call: ToolCall) -> Event | None:
        db.begin()
        event = self.domain.tools.execute(db, call, step=0)
        db.rollback()
        return event if event.status is Status.OK else None


def in_order(domain: str, one: Event, other: Event, rule: str | None = None) -> bool:
    """Whether some rule, or this one, minds which of two acts comes first."""
    compiled = safety_oracle(domain).compiled
    for named, automaton in zip(compiled.rules, compiled.automata, strict=True):
        if rule in (None, named.id) and {one.name, other.name} <= automaton.readers.keys():
            letters = {part.key: letter for part, letter in automaton.monitor().moves(one)}
            for part, letter in automaton.monitor().moves(other):
                if part.key in letters and minds(automaton, letters[part.key], letter):
                    return True
    return False


def minds(automaton: RuleAutomaton, one: int, other: int) -> bool:
    """Whether in some state either letter is allowed and one after the other is not, though it can be at some time."""
    rows, colours = automaton.dfa.rows, automaton.dfa.colours

    def bad(state: int) -> bool:
        return colours[state] is RV.PV

    def ever(state: int, letter: int) -> bool:
        return any(not bad(rows[later][letter]) for later in _reached(automaton, state))

    for row in rows:
        if not bad(row[one]) and not bad(row[other]):
            then, before = rows[row[one]][other], rows[row[other]][one]
            if (bad(then) or bad(before)) and (ever(row[one], other) or ever(row[other], one)):
                return True
    return False


def _reached(automaton: RuleAutomaton, state: int) -> set[int]:
    found, left = {state}, [state]
    while left:
        after = set(automaton.dfa.rows[left.pop()]) - found
        found |= after
        left += sorted(after)
    return found


def orderings(domain: Domain) -> list[tuple[str, tuple[str, ...]]]:
    """Return the rules that mind which of two business acts comes first, each with the tools of such acts."""
    compiled = safety_oracle(domain.name).compiled
    recording = {refusal.tool for refusal in domain.refusals.values()}
    business = set(domain.phrases["tools"]) - domain.safety_critical - recording
    found = []
    for rule, automaton in zip(compiled.rules, compiled.automata, strict=True):
        letters = [(each.tool, each.column) for each in automaton.letters if each.tool in business and each.mask]
        tools = {str(tool) for tool, one in letters for _, other in letters if minds(automaton, one, other)}
        if tools:
            found.append((rule.id, tuple(name for name in domain.tools if name in tools)))
    return found
