"""An automaton as a drawing needs it: named states, and edges with their letters in words.

    G(pay -> F note):   s0 --pay--> s1, s1 --note--> s0, and "any other call" at both

The letter of a call that the rule does not see is drawn as `any other call`; it stands for all
calls that no other edge of its state names.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from lexgym.oracles.ltlf.automaton import DFA, RV
from lexgym.oracles.ltlf.english.sentences import each
from lexgym.oracles.ltlf.picture.labels import ANY, OTHER, call_texts, set_texts
from lexgym.oracles.ltlf.plain import Automaton
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Atom, Forall

Texts: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChartState:
    """A state: `s0` is initial."""

    name: str
    colour: RV
    accepting: bool


@dataclass(frozen=True, slots=True)
class ChartEdge:
    """All letters that lead from one state to another, as texts of which each is one call.

    `short` are the same without the places of the rule's variables, which the chart's caption names,
    unless these places tell atoms apart that bind all variables or only some.
    """

    source: int
    target: int
    labels: Texts
    short: Texts


@dataclass(frozen=True, slots=True)
class Chart:
    """States by number, and at most one edge for each pair of them."""

    title: str
    caption: str
    states: tuple[ChartState, ...]
    edges: tuple[ChartEdge, ...]


def chart_of(automaton: Automaton | RuleAutomaton) -> Chart:
    """Return the chart of an automaton; the same automaton gives the same chart."""
    short = words = _plain_words(automaton) if isinstance(automaton, Automaton) else _rule_words(automaton)
    caption = ""
    if isinstance(automaton.formula, Forall) and isinstance(automaton, RuleAutomaton):
        short, caption = _rule_words(automaton, brief=not automaton.patterns), f"for {each(automaton.formula)}"
    dfa = automaton.dfa
    states = tuple(
        ChartState(f"s{state}", colour, accepting)
        for state, (colour, accepting) in enumerate(zip(dfa.colours, dfa.accepting, strict=True))
    )
    edges = tuple(
        ChartEdge(source, target, words(source, target), short(source, target))
        for source, row in enumerate(dfa.rows)
        for target in sorted(set(row))
    )
    return Chart(to_text(automaton.formula), caption, states, edges)


def _plain_words(automaton: Automaton) -> Callable[[int, int], Texts]:
    rows = automaton.dfa.rows

    def words(source: int, target: int) -> Texts:
        wanted = [x for x, to in zip(automaton.letters, rows[source], strict=True) if to == target]
        if len(wanted) == len(automaton.letters):
            return (ANY,)
        if automaton.events == "multi":
            return tuple(set_texts(automaton.names, wanted, automaton.letters))
        if 0 in wanted:
            return (OTHER,)
        return tuple(to_text(Atom(automaton.names[letter.bit_length() - 1])) for letter in wanted)

    return words


def _rule_words(automaton: RuleAutomaton, *, brief: bool = False) -> Callable[[int, int], Texts]:
    dfa: DFA = automaton.dfa
    seen = {letter.column for letter in automaton.letters}

    def words(source: int, target: int) -> Texts:
        row = dfa.rows[source]
        if all(row[column] == target for column in seen):
            return (ANY,)
        if row[0] == target:
            return (OTHER,)
        found: list[str] = []
        for tool in automaton.readers:
            wanted = [x.mask for x in automaton.letters if x.tool == tool and row[x.column] == target]
            found += call_texts(automaton, tool, wanted, brief=brief)
        return tuple(found)

    return words
