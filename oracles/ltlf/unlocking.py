"""What makes a call lawful that several slices forbid, where calls can be steps of many slices.

    close[account = a] when a paid p and q:   settle[account = a, payee = p], settle[account = a, payee = q]

One slice after the other is helped, and each call of a way is read by all of them. What a call is not
asked to be in one slice it is taken not to be in another.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.planning import MAX_WAYS, Plan, Wanted
from lexgym.oracles.ltlf.rule import Key, Letter, RuleAutomaton

MAX_TRIED = 2_000
"""Ways of single slices that are tried."""

_Way: TypeAlias = list[tuple[Key, Letter]]


def unlocking(automaton: RuleAutomaton, moves: Sequence[tuple[Key, int, int]]) -> list[list[Wanted]]:
    """Return sequences after which no move violates its slice; each move is (key, state, letter)."""
    search = _Search(automaton, moves)
    found = sorted(islice(search.ways([state for _, state, _ in moves], len(moves)), MAX_WAYS), key=len)
    return [[search.plan.wanted(letter, key) for key, letter in way] for way in found]


class _Search:
    def __init__(self, automaton: RuleAutomaton, moves: Sequence[tuple[Key, int, int]]) -> None:
        self.automaton, self.plan = automaton, Plan(automaton)
        self.keys = [key for key, _, _ in moves]
        self.columns = [column for _, _, column in moves]
        self.rows, self.colours = automaton.dfa.rows, automaton.dfa.colours
        self.left = MAX_TRIED

    def ways(self, states: list[int], rounds: int) -> Iterator[_Way]:
        """Yield the ways that help the first slice in need, and then the others, in so many rounds."""
        after = [self.colours[self.rows[q][column]] for q, column in zip(states, self.columns, strict=True)]
        if RV.PV not in after:
            yield []
            return
        needy = after.index(RV.PV)
        for path in self.plan.paths(states[needy], self.columns[needy]) if rounds else ():
            self.left -= 1
            if self.left < 0:
                return
            way = [(self.keys[needy], letter) for letter in path]
            reached = self._read(states, way)
            if reached is not None:
                yield from ([*way, *rest] for rest in self.ways(reached, rounds - 1))

    def _read(self, states: list[int], way: _Way) -> list[int] | None:
        """Return the states after a way, or None if it violates a slice, or may."""
        for key, letter in way:
            letters = [self._letter(letter, key, other) for other in self.keys]
            if any(mask is not None and mask not in self.automaton.columns for mask in letters):
                return None
            states = [
                q if mask is None else self.rows[q][self.automaton.columns[mask]]
                for q, mask in zip(states, letters, strict=True)
            ]
            if any(self.colours[q] is RV.PV for q in states):
                return None
        return states

    def _letter(self, letter: Letter, key: Key, other: Key) -> int | None:
        """Return the atoms that a call which is a letter in the slice of a key makes true in that of another one."""
        binding = self.automaton.positions
        alike = {bit: all(key[place] == other[place] for place in places) for bit, places in binding.items()}
        bound = sum(bit for bit, same in alike.items() if letter.mask & bit and same)
        if letter.mask & self.automaton.binding_bits and not bound:
            return None
        return letter.mask & ~self.automaton.binding_bits | bound
