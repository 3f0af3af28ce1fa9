"""Which lengths and which adjacent pairs lawful traces can have, as far as the rules decide it.

    feasible = Feasible(domain)
    feasible.pairs()            # in traces of any length
    feasible.pairs(8)           # in traces of 8 calls
    feasible.lengths(20)
    feasible.tools(8)           # those that a trace of 8 calls can have

The rules without `forall` are looked at together, over every successful call; one with `forall` excludes no pair, since
two calls may be about different things, but what it needs besides a call (`Needed`) has to fit into the length. So
what is left out here is proved impossible; what is left may still be, where the business itself does not allow it.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from lexgym.errors import GenerationError, StateLimitExceeded
from lexgym.generators.needed import Needed
from lexgym.oracles.ltlf import RuleAutomaton
from lexgym.oracles.ltlf.joint.automaton import JointAutomaton, JointState
from lexgym.oracles.ltlf.joint.letters import JointLetter, Member

Pair: TypeAlias = tuple[str, str]

SHOWN = 12
"""Lengths that are named where another is impossible."""


class Feasible:
    """Answers for some tools under some rules."""

    def __init__(self, tools: Sequence[str], automata: Sequence[RuleAutomaton]) -> None:
        self._tools = tuple(tools)
        self.needed = Needed(self._tools, automata)
        self._joint = JointAutomaton([Member(automaton) for automaton in automata if not automaton.variables])

    def require(self, length: int) -> None:
        """Raise `GenerationError` where no lawful trace has this many calls, and say which lengths there are."""
        if length < 1:
            raise GenerationError(f"a trace has at least 1 call, not {length}")
        if not self._can_end(self._joint.start, length):
            known = [str(n) for n in self.lengths(len(self._ends[0]) + SHOWN)]
            more = ", …" if len(known) > SHOWN else ""
            some = f"possible are {', '.join(known[:SHOWN])}{more}" if known else "and so they do any other length"
            raise GenerationError(
                f"no trace of {length:,} calls keeps the rules: they exclude it, whatever is called; {some}"
            )

    def lengths(self, most: int) -> list[int]:
        """Return the lengths from 1 to `most` that lawful traces can have."""
        return [length for length in range(1, most + 1) if self._can_end(self._joint.start, length)]

    def tools(self, length: int | None = None) -> frozenset[str]:
        """Return the tools that a lawful trace can call, one of `length` calls if given."""
        if length == 1:
            start = self._joint.start
            found = (tool for tool in self._tools if any(self._can_end(s, 0) for s in self._after(start, tool)))
            return frozenset(tool for tool in found if self.needed.calls(tool) == 1)
        return frozenset(tool for pair in self.pairs(length) for tool in pair)

    def pairs(self, length: int | None = None) -> frozenset[Pair]:
        """Return the pairs of tools that can stand next to each other in a lawful trace, of `length` calls if given."""
        fitting = {(one, two) for one in self._tools for two in self._tools if self._fits((one, two), length)}
        if self._letters is None:
            return frozenset(fitting)
        found: set[Pair] = set()
        for state, left in self._places(length):
            for one in self._tools:
                for middle in self._after(state, one):
                    found.update(
                        (one, two)
                        for two in self._tools
                        if (one, two) not in found and any(self._fine(s, left) for s in self._after(middle, two))
                    )
        return frozenset(found & fitting)

    def _fits(self, pair: Pair, length: int | None) -> bool:
        """Whether two calls and what they need are no more than the length."""
        return length is None or 2 + len(self.needed.by(*pair)) <= length

    def _fine(self, state: JointState, left: int | None) -> bool:
        return self._joint.alive(state) if left is None else self._can_end(state, left)

    def _places(self, length: int | None) -> Iterator[tuple[JointState, int | None]]:
        """Yield the states in which a pair can begin, with the number of calls after the pair."""
        if length is None:
            yield from ((state, None) for state in sorted(self._graph))
            return
        layer = {self._joint.start} & self._graph.keys()
        seen: set[tuple[JointState, int]] = set()
        for left in range(length - 2, -1, -1):
            fresh = {(state, self._alike(left)) for state in layer} - seen
            seen |= fresh
            yield from sorted(fresh)
            layer = {after for state in layer for after in self._graph[state]}

    def _after(self, state: JointState, tool: str) -> set[JointState]:
        """Return the states after a successful call of the tool in which all rules can still be kept."""
        if self._letters is None:
            return {state}
        found = {self._joint.after(state, letter) for letter in self._letters.get(tool, self._other)}
        return {after for after in found if self._joint.alive(after)}

    def _can_end(self, state: JointState, left: int) -> bool:
        """Whether this many more calls can lead to where all rules hold."""
        return self._letters is None or state in self._ends[0][self._alike(left)]

    def _alike(self, length: int) -> int:
        """Return the least number of calls that leads to an end from the same states."""
        ends, again = self._ends
        return length if length < len(ends) else again + (length - again) % (len(ends) - again)

    @cached_property
    def _graph(self) -> dict[JointState, frozenset[JointState]]:
        """The states that lawful traces can be in, each with those after one more call."""
        graph: dict[JointState, frozenset[JointState]] = {}
        waiting = [self._joint.start] if self._joint.alive(self._joint.start) else []
        while waiting:
            state = waiting.pop()
            if state not in graph:
                graph[state] = frozenset(after for tool in self._tools for after in self._after(state, tool))
                waiting += graph[state]
        return graph

    @cached_property
    def _ends(self) -> tuple[list[frozenset[JointState]], int]:
        """For each number of calls the states that so many lead from to where all rules hold.

        After the last comes the one whose number is given, and so on: these are all that there are.
        """
        found = [frozenset(state for state in self._graph if self._joint.satisfied(state))]
        numbers = {found[0]: 0}
        while True:
            ahead = frozenset(state for state, after in self._graph.items() if not after.isdisjoint(found[-1]))
            if ahead in numbers:
                return found, numbers[ahead]
            numbers[ahead] = len(found)
            found.append(ahead)

    @cached_property
    def _letters(self) -> dict[str, list[JointLetter]] | None:
        """What a successful call of each tool that a rule names can be; None where that is too much to look at."""
        try:
            return {
                tool: [letter for letter in self._joint.letters(tool) if letter.ok]
                for tool in self._tools
                if tool in self._joint.tools
            }
        except StateLimitExceeded:
            return None

    @cached_property
    def _other(self) -> list[JointLetter]:
        return [letter for letter in self._joint.letters(None) if letter.ok]
