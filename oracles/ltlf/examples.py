"""A short trace that keeps a rule and one that breaks it, in words.

    G(pay -> F note):   accepted  pay, note      rejected  pay

A trace is worth showing when it exercises the rule: it has a call that can make matters worse,
which is the action of a restriction or the trigger of an obligation, and a call of the left side of
an implication if the rule has one.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lexgym.oracles.ltlf.picture.labels import OTHER, call_texts
from lexgym.oracles.ltlf.rule import Letter, RuleAutomaton
from lexgym.oracles.ltlf.syntax import Implies, atoms_of, postorder

_Node: TypeAlias = tuple[int, bool, bool, bool]
"""A state, and whether its slice has begun, the rule was exercised, and its trigger happened."""


@dataclass(frozen=True, slots=True)
class Example:
    """Calls as text, each possible for one and the same assignment of the rule's variables."""

    calls: tuple[str, ...]

    def __str__(self) -> str:
        return ", ".join(self.calls) or "(no call at all)"


def accepted_example(automaton: RuleAutomaton) -> Example | None:
    """Return a shortest trace that satisfies the rule and exercises it if possible; None if there is none."""
    accepting = automaton.dfa.accepting
    return _first(
        automaton,
        lambda node: accepting[node[0]] and node[1] and node[2] and node[3],
        lambda node: accepting[node[0]] and node[1] and (node[2] or node[3]),
        lambda node: accepting[node[0]] and node[1],
        lambda node: accepting[node[0]] or not node[1],
    )


def rejected_example(automaton: RuleAutomaton) -> Example | None:
    """Return a shortest trace that violates the rule, of one call at least if possible; None if there is none."""
    accepting = automaton.dfa.accepting
    return _first(
        automaton,
        lambda node: node[1] and not accepting[node[0]] and node[2] and node[3],
        lambda node: node[1] and not accepting[node[0]] and (node[2] or node[3]),
        lambda node: node[1] and not accepting[node[0]],
        lambda node: node[1] and not accepting[node[0]],
    )


def _first(automaton: RuleAutomaton, *goals: Callable[[_Node], bool]) -> Example | None:
    """Return the way to the first goal that can be reached; only the last may be met by no call at all."""
    for goal in goals:
        found = _search(automaton, goal, least=0 if goal is goals[-1] else 1)
        if found is not None:
            return Example(tuple(_text(automaton, letter) for letter in found))
    return None


def _search(automaton: RuleAutomaton, goal: Callable[[_Node], bool], least: int) -> list[Letter] | None:
    triggers = _triggers(automaton)
    start: _Node = (0, not automaton.variables, False, not triggers)
    came: dict[_Node, tuple[_Node, Letter] | None] = {start: None}
    queue = deque([start])
    if least == 0 and goal(start):
        return []
    while queue:
        node = queue.popleft()
        for letter, after in _moves(automaton, node, triggers):
            if goal(after):
                return [*_way(came, node), letter]
            if after not in came:
                came[after] = (node, letter)
                queue.append(after)
    return None


def _triggers(automaton: RuleAutomaton) -> int:
    """Return the atoms, as bits, on the left of the implications of a rule."""
    left = [part.left for part in postorder(automaton.formula) if isinstance(part, Implies)]
    return sum({automaton.bits[atom] for part in left for atom in atoms_of(part)})


def _moves(automaton: RuleAutomaton, node: _Node, triggers: int) -> Iterator[tuple[Letter, _Node]]:
    """Yield the letters of a state, those that the rule names and of successful calls first."""
    state, begun, exercised, triggered = node
    worse = exercising_columns(automaton)
    named = sorted(automaton.letters, key=lambda letter: (letter.tool is None, not letter.ok, letter.mask == 0))
    for letter in named:
        if letter.tool is None or letter.mask:
            binds = bool(letter.mask & automaton.begin_bits)
            after = automaton.dfa.rows[state][letter.column]
            happened = triggered or bool(letter.mask & triggers)
            yield letter, (after, begun or binds, exercised or letter.column in worse, happened)


def exercising_columns(automaton: RuleAutomaton) -> frozenset[int]:
    """Return the letters that somewhere turn satisfied into not satisfied, or anything into violated for good.

    Calls that match no atom are left out.
    """
    dfa = automaton.dfa
    return frozenset(
        column
        for mask, column in automaton.columns.items()
        if mask
        for state, row in enumerate(dfa.rows)
        if (dfa.accepting[state] and not dfa.accepting[row[column]])
        or (dfa.distance[state] is not None and dfa.distance[row[column]] is None)
    )


def _way(came: dict[_Node, tuple[_Node, Letter] | None], node: _Node) -> list[Letter]:
    way: list[Letter] = []
    while (step := came[node]) is not None:
        node, letter = step
        way.append(letter)
    return way[::-1]


def _text(automaton: RuleAutomaton, letter: Letter) -> str:
    return OTHER if letter.tool is None else call_texts(automaton, letter.tool, [letter.mask], exact=False)[0]
