"""What kinds of rule there are: by template, by shape, by whether it looks at each value apart.

kinds_of(rule, automaton)      # {"operational restriction", "forall"}
"""

from lexgym.core import Rule
from lexgym.oracles.ltlf import RuleAutomaton

FORALL, COUNTING, STEPS = "forall", "counting", "three-step"

KINDS = ("operational restriction", "instruction adherence", "other", FORALL, COUNTING, STEPS)
"""All kinds; a rule has one of the first three, and any of the others."""


def kinds_of(rule: Rule, automaton: RuleAutomaton) -> frozenset[str]:
    """Return the kinds of a rule.

    `forall` looks at each value apart; `counting` is one in which the same call, made again, changes the state again;
    in a `three-step` rule three different calls in a row can each change it.
    """
    found = {rule.template.replace("_", " ")}
    if automaton.variables:
        found.add(FORALL)
    states = range(len(automaton.dfa))
    effects = {tuple(row[letter] for row in automaton.dfa.rows) for letter in range(len(automaton.dfa.rows[0]))}
    if any(len({state, effect[state], effect[effect[state]]}) == 3 for effect in effects for state in states):
        found.add(COUNTING)
    if _longer_than(2, 0, effects):
        found.add(STEPS)
    return frozenset(found)


def _longer_than(count: int, state: int, effects: set[tuple[int, ...]]) -> bool:
    """Whether more than this many different effects in a row can each change the state."""
    changing = [effect for effect in effects if effect[state] != state]
    if count == 0:
        return bool(changing)
    return any(_longer_than(count - 1, effect[state], effects - {effect}) for effect in changing)
