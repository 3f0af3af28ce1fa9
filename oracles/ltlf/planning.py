"""What to do next: which calls close an open obligation, which unlock a forbidden one.

    G(debit -> F notify), after a debit:   discharge() = [notify]
    !((!check) U pay), before pay:         enable(pay) = [[check]]

A letter made concrete is a `Wanted`. The letter of a call that the rule does not see has
`tool=None` and is offered only when nothing else helps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from math import isfinite
from typing import Any

from lexgym.core import Event
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.asked import call_text, few, is_binding
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.joint.letters import JointLetter, Member
from lexgym.oracles.ltlf.rule import Key, Letter, RuleAutomaton, original
from lexgym.oracles.ltlf.syntax import Atom

MAX_WAYS = 16

LARGE = 10**30
"""Integers from here on are not written out."""


@dataclass(frozen=True)
class Wanted:
    """A call that would be the wanted letter.

    `equalities` are the argument values that its guards impose; `matches` says whether an actual
    event is the letter in the slice it is wanted for; `own` are the
    conditions of `text` that are more than the values of the slice.
    """

    tool: str | None
    equalities: dict[str, Any]
    matches: Callable[[Event], bool]
    text: str
    own: tuple[g.Guard, ...] = ()

    def __str__(self) -> str:
        return self.text


class Plan:
    """Shortest ways through one rule's automaton."""

    def __init__(self, automaton: RuleAutomaton) -> None:
        self._automaton = automaton
        self._rows, self._colours = automaton.dfa.rows, automaton.dfa.colours

    def first_letters(self, key: Key, state: int) -> list[Wanted]:
        """Return the first letter of each shortest way to acceptance."""
        distance = self._automaton.dfa.distance
        left = distance[state]
        if not left:
            return []
        good = [x for x in self._automaton.letters if distance[self._rows[state][x.column]] == left - 1]
        named = [letter for letter in good if letter.tool is not None and letter.mask]
        return [self.wanted(letter, key) for letter in named or good[:1]]

    def way(self, key: Key, state: int) -> tuple[list[Wanted], int]:
        """Return the letters of a shortest way to acceptance and the state at its end."""
        distance = self._automaton.dfa.distance
        found: list[Wanted] = []
        while left := distance[state]:
            good = [x for x in self._automaton.letters if distance[self._rows[state][x.column]] == left - 1]
            letter = next((letter for letter in good if letter.tool is not None and letter.mask), good[0])
            found.append(self.wanted(letter, key))
            state = self._rows[state][letter.column]
        return found, state

    def unlocking(self, moves: list[tuple[Key, int, int]]) -> list[list[Wanted]]:
        """Return shortest sequences after which no move violates its slice; each is (key, state, letter)."""
        ways = []
        for key, state, column in moves:
            if self._colours[self._rows[state][column]] is RV.PV:
                found = self.paths(state, column)
                if not found:
                    return []
                ways.append([[self.wanted(letter, key) for letter in path] for path in found])
        return [[wanted for part in parts for wanted in part] for parts in product(*ways)][:MAX_WAYS] if ways else []

    def paths(self, state: int, column: int) -> list[list[Letter]]:
        """Return shortest sequences of letters to states in which one letter does not violate for good."""
        named = [letter for letter in self._automaton.letters if letter.tool is not None and letter.mask]
        return self._search(state, column, named) or self._search(state, column, [self._automaton.letters[0], *named])

    def _search(self, state: int, column: int, letters: list[Letter]) -> list[list[Letter]]:
        """Return the shortest paths, by breadth, to the states where the letter does no harm."""
        seen = {state}
        layer: list[tuple[int, list[Letter]]] = [(state, [])]
        while layer:
            found = [path for at, path in layer if self._colours[self._rows[at][column]] is not RV.PV]
            if found:
                return found[:MAX_WAYS]
            ahead = [(self._rows[at][letter.column], [*path, letter]) for at, path in layer for letter in letters]
            layer = [(at, path) for at, path in ahead if at not in seen and self._colours[at] is not RV.PV]
            layer = layer[: MAX_WAYS * len(self._rows)]
            seen.update(at for at, _ in layer)
        return []

    def wanted(self, letter: Letter, key: Key) -> Wanted:
        """Return the call that would be a letter in the slice of a key."""
        asked = _Asked()
        asked.add(self._automaton, letter, key)
        return asked.wanted(letter.tool, _matcher(self._automaton, letter, key))


def wanted_jointly(members: Sequence[Member], joint: JointLetter, keys: Sequence[Key]) -> Wanted:
    """Return the call that would be a letter for several rules, each at its own values."""
    asked = _Asked()
    matchers = []
    for member, mask, key in zip(members, joint.masks, keys, strict=True):
        automaton = member.automaton
        if joint.tool in automaton.readers:
            letter = Letter(joint.tool, mask, automaton.columns[mask], joint.ok)
            asked.add(automaton, letter, key)
            matchers.append(_matcher(automaton, letter, key))
    return asked.wanted(joint.tool, lambda event: all(matches(event) for matches in matchers))


class _Asked:
    """What letters of some rules ask of one and the same call."""

    def __init__(self) -> None:
        self._equalities: dict[str, Any] = {}
        self._held: list[g.Guard] = []
        self._denied: list[g.Guard] = []
        self._slice: set[g.Guard] = set()

    def add(self, automaton: RuleAutomaton, letter: Letter, key: Key) -> None:
        """Ask for a letter of a rule, in the slice of a key."""
        values = {name: original(part) for name, part in zip(automaton.variables, key, strict=True)}
        for atom, bit in automaton.bits.items():
            if atom.tool != letter.tool or atom.guard is None:
                continue
            self._slice |= {_substituted(part, values) for part in g.conjuncts(atom.guard) if is_binding(part)}
            if letter.mask & bit:
                self._held.append(_substituted(atom.guard, values))
                self._equalities.update(_equalities(atom, values))
            else:
                self._denied.append(_substituted(atom.guard, values))

    def wanted(self, tool: str | None, matches: Callable[[Event], bool]) -> Wanted:
        """Return the call asked for."""
        conditions = few(self._held, self._denied)
        text = "any other call" if tool is None else call_text(tool, conditions)
        own = tuple(part for part in conditions if part not in self._slice)
        return Wanted(tool, self._equalities, matches, text, own)


def _equalities(atom: Atom, values: dict[str, Any]) -> dict[str, Any]:
    """Return the argument values that an atom's guard imposes."""
    found: dict[str, Any] = {}
    for conjunct in g.conjuncts(atom.guard):
        match conjunct:
            case g.Compare("=", g.Field("args", (name,)), g.Const() as literal):
                found[name] = _plain(literal)
            case g.Compare("=", g.Const() as literal, g.Field("args", (name,))):
                found[name] = _plain(literal)
            case g.Compare("=", g.Field("args", (name,)), g.Var(variable)):
                found[name] = values[variable]
            case g.Compare("=", g.Var(variable), g.Field("args", (name,))):
                found[name] = values[variable]
            case g.Member(g.Field("args", (name,)), (only,), True):
                found[name] = _plain(only)
            case g.Flag(g.Field("args", (name,))):
                found[name] = True
            case _:
                continue
    return found


def _plain(literal: g.Const) -> str | int | float | bool:
    """Return a literal as an argument of a call."""
    return float(literal.value) if isinstance(literal.value, Decimal) else literal.value


def _matcher(automaton: RuleAutomaton, letter: Letter, key: Key) -> Callable[[Event], bool]:
    def matches(event: Event) -> bool:
        if letter.tool is None:
            return event.name not in automaton.readers
        reader = automaton.readers.get(event.name)
        return reader is not None and event.name == letter.tool and reader.within(event, key) == letter.mask

    return matches


def _substituted(guard: g.Guard, values: dict[str, Any]) -> g.Guard:
    """Return the guard with its variables replaced, where a value is a literal."""
    match guard:
        case g.GuardNot(body):
            return g.GuardNot(_substituted(body, values))
        case g.GuardAnd(parts):
            return g.GuardAnd(tuple(_substituted(part, values) for part in parts))
        case g.GuardOr(parts):
            return g.GuardOr(tuple(_substituted(part, values) for part in parts))
        case g.Compare(op, left, right):
            return g.Compare(op, _literal(left, values), _literal(right, values))
        case g.Contains(operand, item):
            return g.Contains(_literal(operand, values), _literal(item, values))
        case g.StartsWith(operand, prefix):
            return g.StartsWith(_literal(operand, values), _literal(prefix, values))
        case _:
            return guard


def _literal(operand: g.Operand, values: dict[str, Any]) -> g.Operand:
    if not isinstance(operand, g.Var):
        return operand
    match values[operand.name]:
        case bool(value):
            return g.Const("boolean", value)
        case int(value) if abs(value) < LARGE:
            return g.Const("integer", value)
        case str(value):
            return g.Const("string", value)
        case float(value) if isfinite(value):
            return g.Const("number", Decimal(repr(value)))
        case _:
            return operand


def forbidden_tools(automaton: RuleAutomaton, fresh: frozenset[int], states: frozenset[int]) -> frozenset[str | None]:
    """Return the tools (None: all that the rule does not name) whose every successful call violates for good."""
    colours = automaton.dfa.colours
    if any(colours[state] is RV.PV for state in states):
        return frozenset()
    return frozenset(
        tool
        for tool in (*automaton.readers, None)
        if not any(_harmless(automaton, letter, fresh, states) for letter in automaton.letters if letter.tool == tool)
    )


def _harmless(automaton: RuleAutomaton, letter: Letter, fresh: frozenset[int], states: frozenset[int]) -> bool:
    """Whether a successful call can be this letter and leave every slice alive.

    A call that gives some of the values only can be about new ones, which no slice has; where it begins
    a slice elsewhere, the letter that it is there is asked instead.
    """
    rows, colours = automaton.dfa.rows, automaton.dfa.colours
    if not letter.ok:
        return False
    if letter.mask & automaton.begin_bits:
        return any(colours[rows[state][letter.column]] is not RV.PV for state in fresh | states)
    if letter.mask & automaton.binding_bits:
        return letter.tool not in automaton.beginners
    return all(colours[rows[state][letter.column]] is not RV.PV for state in states)
