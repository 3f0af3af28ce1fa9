"""Which other tools a trace needs if it has a call of a tool, as far as single rules say so.

    rules = [compile_rule("precedence(check, pay)"), compile_rule("response(pay, note)")]
    needed = Needed(("check", "pay", "note"), rules)
    needed.by("pay")           # {"check", "note"}: no lawful trace of less than 3 calls has `pay`

A rule needs a tool for another when it accepts no sequence of successful calls that has the one without the other; with
`forall`, no sequence of those about the same values. What is needed needs more in turn.
"""

from collections.abc import Iterable, Sequence

from lexgym.oracles.ltlf import RuleAutomaton, ToolSignature
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.signature import given


class Needed:
    """Answers for some tools under some rules."""

    def __init__(self, tools: Sequence[str], automata: Sequence[RuleAutomaton]) -> None:
        direct: dict[str, set[str]] = {tool: set() for tool in tools}
        for automaton in automata:
            for tool in automaton.readers.keys() & direct.keys():
                direct[tool] |= _needed(automaton, tool)
        self._all = {tool: _closure(tool, direct) for tool in tools}

    def by(self, *called: str) -> frozenset[str]:
        """Return the tools that a lawful trace with calls of some tools needs besides."""
        return frozenset[str]().union(*(self._all[tool] for tool in called)) - frozenset(called)

    def calls(self, *called: str) -> int:
        """Return how many calls a lawful trace with a call of each of some tools has at least."""
        return len(called) + len(self.by(*called))


def _needed(automaton: RuleAutomaton, tool: str) -> set[str]:
    others = automaton.readers.keys() - {tool}
    bits = _always(automaton, tool)
    if not automaton.variables:
        bits = bits or [0]
    return {
        other
        for bit in bits
        if not _possible(automaton, tool, bit, others)
        for other in others
        if not _possible(automaton, tool, bit, {other})
    }


def _always(automaton: RuleAutomaton, tool: str) -> list[int]:
    """Return the atoms, as bits, that every successful call makes true; of a slice's values, if the rule has any."""
    known = automaton.signatures.get(tool, ToolSignature())
    found = []
    for atom, bit in automaton.bits.items():
        if atom.tool != tool:
            continue
        places = binding_of(atom, automaton.variables) or {}
        if len(places) < len(automaton.variables):
            continue  # it begins no slice
        if len(g.conjuncts(atom.guard)) == len(places) and all(given(known, place) for place in places.values()):
            found.append(bit)
    return found


def _possible(automaton: RuleAutomaton, tool: str, bit: int, without: Iterable[str]) -> bool:
    """Whether the rule accepts a sequence that has the tool's call with an atom true, and no call of some others."""
    excluded = frozenset(without)
    found = (x for x in automaton.letters if x.tool not in excluded and (x.ok or not (bit and x.tool == tool)))
    letters = {(x.column, x.tool == tool and x.mask & bit == bit) for x in found}
    rows, accepting = automaton.dfa.rows, automaton.dfa.accepting
    waiting = [(0, False)]
    seen = set(waiting)
    while waiting:
        state, called = waiting.pop()
        if called and accepting[state]:
            return True
        ahead = {(rows[state][column], called or its) for column, its in letters} - seen
        seen |= ahead
        waiting += ahead
    return False


def _closure(tool: str, direct: dict[str, set[str]]) -> frozenset[str]:
    found, waiting = {tool}, [tool]
    while waiting:
        for other in direct.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return frozenset(found - {tool})
