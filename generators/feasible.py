"""Which lengths and which adjacent pairs lawful traces can have, as far as the rules decide it.

    feasible = Feasible(domain)
    feasible.pairs()            # in traces of any length
    feasible.pairs(8)           # in traces of 8 calls
    feasible.lengths(20)

The rules without `forall` are looked at together, over every successful call; one with `forall` excludes nothing,
since two calls may be about different things. So what is left out here is proved impossible; what is left may still
be, where the business itself does not allow it.
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


class Feasible:
    """Answers for some tools under some rules."""

    def __init__(self, tools: Sequence[str], automata: Sequence[RuleAutomaton]) -> None:
        self.tools = tuple(tools)
        self.needed = Needed(self.tools, automata)
        self._joint = JointAutomaton([Member(automaton) for automaton in automata if not automaton.variables])
        self._accepts: dict[tuple[JointState, int], bool] = {}

    def require(self, length: int) -> None:
        """Raise `GenerationError` where no lawful trace has this many calls, and say which lengths there are."""
        if length < 1:
            raise GenerationError(f"a trace has at least 1 call, not {length}")
        if not self._can_end(self._joint.start, length):
            known = [str(n) for n in self.lengths(2 * length + 10)]
            some = f"; possible are {', '.join(known[:12])}{', …' if len(known) > 12 else ''}" if known else ""
            raise GenerationError(
                f"no trace of {length} calls keeps the rules: they exclude it, whatever is called{some}"
            )

    def lengths(self, most: int) -> list[int]:
        """Return the lengths from 1 to `most` that lawful traces can have."""
        return [length for length in range(1, most + 1) if self._can_end(self._joint.start, length)]

    def pairs(self, length: int | None = None) -> frozenset[Pair]:
        """Return the pairs of tools that can stand next to each other in a lawful trace, of `length` calls if given."""
        if not self._letters:
            every = self.tools if length is None or length > 1 else ()
            return frozenset((one, two) for one in every for two in every)
        found: set[Pair] = set()
        for state, left in self._places(length):
            for one in self.tools:
                for middle in self._after(state, one):
                    found.update(
                        (one, two)
                        for two in self.tools
                        if (one, two) not in found and any(self._fine(s, left) for s in self._after(middle, two))
                    )
        return frozenset(found)

    def _fine(self, state: JointState, left: int | None) -> bool:
        return self._joint.alive(state) if left is None else self._can_end(state, left)

    def _places(self, length: int | None) -> Iterator[tuple[JointState, int | None]]:
        """Yield the states in which a pair can begin, with the number of calls after the pair."""
        layer, seen, made = {self._joint.start}, {self._joint.start}, 0
        while layer and (length is None or made + 2 <= length):
            yield from ((state, None if length is None else length - made - 2) for state in sorted(layer))
            ahead = {after for state in layer for tool in self.tools for after in self._after(state, tool)}
            layer = ahead - seen if length is None else ahead
            seen |= ahead
            made += 1

    def _after(self, state: JointState, tool: str) -> set[JointState]:
        """Return the states after a successful call of the tool in which all rules can still be kept."""
        found = {self._joint.after(state, letter) for letter in self._letters.get(tool, self._other)}
        return {after for after in found or {state} if self._joint.alive(after)}

    def _can_end(self, state: JointState, left: int) -> bool:
        """Whether this many more calls can lead to where all rules hold."""
        known = self._accepts.get((state, left))
        if known is None:
            if left == 0:
                known = self._joint.satisfied(state)
            else:
                ahead = {after for tool in self.tools for after in self._after(state, tool)}
                known = any(self._can_end(after, left - 1) for after in sorted(ahead))
            self._accepts[state, left] = known
        return known

    @cached_property
    def _letters(self) -> dict[str, list[JointLetter]]:
        """What a successful call of each tool that a rule names can be; empty where that is too much to look at."""
        try:
            return {
                tool: [letter for letter in self._joint.letters(tool) if letter.ok]
                for tool in self.tools
                if tool in self._joint.tools
            }
        except StateLimitExceeded:
            return {}

    @cached_property
    def _other(self) -> list[JointLetter]:
        return [letter for letter in self._joint.letters(None) if letter.ok] if self._letters else []
