"""Letters in words: `pay[amount > 5]`, `a & !b`, `any other call`.

A set of letters is described by few conditions, given that some combinations of atoms cannot be:
of pay[amount > 5] and pay[amount > 9] the set {first, both} is just `pay[amount > 5]`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.asked import call_text, few, is_binding
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Atom

OTHER = "any other call"
ANY = "any call"

MAX_CUBES = 4_000
"""Conditions that are tried before a set of letters is described one by one."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The letters in which the bits of `mask` are as in `value`."""

    mask: int
    value: int

    def holds(self, letter: int) -> bool:
        """Whether a letter is one of these."""
        return letter & self.mask == self.value


def cover(wanted: Collection[int], possible: Collection[int], bits: Sequence[int]) -> list[Cube]:
    """Return few conditions that together single out the wanted letters among the possible ones."""
    left = set(wanted)
    found: list[Cube] = []
    others = [letter for letter in possible if letter not in left]
    usable = [cube for cube in _cubes(bits) if not any(map(cube.holds, others))]
    while left:
        best = max(usable, key=lambda cube: sum(map(cube.holds, left)), default=None)
        if best is None or not any(map(best.holds, left)):
            everything = sum(bits)
            return [*found, *(Cube(everything, letter) for letter in sorted(left))]
        found.append(best)
        left = {letter for letter in left if not best.holds(letter)}
    return found


def _cubes(bits: Sequence[int]) -> Iterator[Cube]:
    """Yield conditions, those on few bits first and positive ones before negative."""
    count = 0
    for size in range(len(bits) + 1):
        for chosen in combinations(bits, size):
            for values in product((True, False), repeat=size):
                yield Cube(sum(chosen), sum(bit for bit, value in zip(chosen, values, strict=True) if value))
                count += 1
                if count >= MAX_CUBES:
                    return


def call_texts(
    automaton: RuleAutomaton, tool: str, wanted: Collection[int], *, exact: bool = True, brief: bool = False
) -> list[str]:
    """Return calls of a tool, as text, that make exactly the wanted combinations of its atoms true.

    Without `exact` each text is some such call; with `brief` the places of the rule's variables are left out.
    """
    atoms = {bit: atom for atom, bit in automaton.bits.items() if atom.tool == tool}
    possible = {letter.mask for letter in automaton.letters if letter.tool == tool} | {0}
    found = [
        letter_text(
            tool,
            [(atom, bool(cube.value & bit)) for bit, atom in atoms.items() if cube.mask & bit],
            frozenset(automaton.variables),
            exact=exact,
            brief=brief,
        )
        for cube in cover(wanted, possible, list(atoms))
    ]
    return list(dict.fromkeys(found))


def letter_text(
    tool: str,
    asked: Sequence[tuple[Atom, bool]],
    variables: frozenset[str] = frozenset(),
    *,
    exact: bool = False,
    brief: bool = False,
) -> str:
    """Return a call of `tool` that matches some atoms and does not match others, as text.

    A call that does not succeed is said to be so where nothing else tells it.
    """
    guards = [(_unbound(atom.guard) if brief else atom.guard, holds) for atom, holds in asked]
    found = few(
        [guard for guard, holds in guards if holds], [guard for guard, holds in guards if not holds], exact=exact
    )
    if not found and any(not holds for _, holds in guards):
        return f"{to_text(Atom(tool))} (not successful)"
    return call_text(tool, found, variables)


def _unbound(guard: g.Guard | None) -> g.Guard | None:
    """Return a guard without the equalities that give variables their values."""
    left = [part for part in g.conjuncts(guard) if not is_binding(part)]
    return None if not left else left[0] if len(left) == 1 else g.GuardAnd(tuple(left))


_BREAKS = (r"[^\[,]*(?:\[|,\s*)|[^\[,]+", r"\S+\s*|\s+", r"[^_.]*[_.]|[^_.]+")
"""Where a label may be broken: after a bracket or comma, else at a space, else after `_` or `.`."""


def wrapped(text: str, width: int) -> list[str]:
    """Return a label in lines, broken inside conditions and names only where one is too long for a line."""
    pieces = [text]
    for pattern in (*_BREAKS, f".{{1,{width}}}"):
        pieces = [part for x in pieces for part in ([x] if len(x.rstrip()) <= width else re.findall(pattern, x))]
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def set_texts(names: Sequence[str], wanted: Collection[int], possible: Collection[int]) -> list[str]:
    """Return sets of names, as text such as `a & !b`; the letters are bits in the order of the names."""
    bits = [1 << i for i in range(len(names))]
    found = []
    for cube in cover(wanted, possible, bits):
        asked = [
            ("" if cube.value & bit else "!") + to_text(Atom(name))
            for name, bit in zip(names, bits, strict=True)
            if cube.mask & bit
        ]
        found.append(" & ".join(asked) or ANY)
    return found
