"""Which combinations of a tool's atoms one call can make true.

    pay[amount > 5], pay[amount > 9]   →   none, the first, both; never the second alone

Letters that cannot occur are dropped before verdicts are coloured, or permanence would be reported
late. Z3 decides; where it cannot say, the combination stays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.syntax import Atom

RESOURCES = 500_000
"""Z3's own deterministic measure of work per question, instead of a clock."""


@dataclass(frozen=True)
class Combinations:
    """The letters of one tool, as bits: of any call, and of a call that succeeds."""

    every: tuple[int, ...]
    ok: tuple[int, ...]


def combinations(atoms: dict[Atom, int], variables: tuple[str, ...], limit: int) -> Combinations:
    """Return the letters that a call of one tool can be; `atoms` are that tool's, with their bits.

    Raises StateLimitExceeded when there are more than `limit`.
    """
    guarded = [atom for atom in atoms if atom.guard is not None]
    if len(guarded) > 1 or any(g.mentions_status(atom.guard) for atom in guarded):
        from lexgym.oracles.ltlf.possible import Possible  # loads z3

        possible = Possible(atoms, variables, limit)
        every, ok = possible.letters(succeeds=False), possible.letters(succeeds=True)
    else:
        every = list(_simple(atoms))
        ok = every
    if len(every) > limit:
        raise StateLimitExceeded(f"the guards of {next(iter(atoms)).tool!r} make more than {limit} letters")
    must = sum(bit for atom, bit in atoms.items() if atom.guard is None)
    bound = sum(bit for atom, bit in atoms.items() if binding_of(atom, variables) is not None)
    always_bound = any(_always_binds(atom, variables) for atom in atoms)
    kept = [letter for letter in ok if letter & must == must and (letter & bound or not always_bound)]
    return Combinations(tuple(every), tuple(kept))


def _simple(atoms: dict[Atom, int]) -> Iterator[int]:
    """Yield the letters of at most one unguarded and one guarded atom; the guard implies the bare call."""
    bare = sum(bit for atom, bit in atoms.items() if atom.guard is None)
    for flags in product((False, True), repeat=len(atoms)):
        letter = sum(bit for bit, flag in zip(atoms.values(), flags, strict=True) if flag)
        if not letter or letter & bare == bare:
            yield letter


def _always_binds(atom: Atom, variables: tuple[str, ...]) -> bool:
    """Whether every successful call matches the atom: it only takes arguments as values."""
    places = binding_of(atom, variables)
    if places is None:
        return False
    return len(g.conjuncts(atom.guard)) == len(places) and all(p.root == "args" for p in places.values())
