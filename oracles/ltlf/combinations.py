"""Which combinations of a tool's atoms one call can make true.

    pay[amount > 5], pay[amount > 9]   →   none, the first, both; never the second alone

Letters that cannot occur are dropped before verdicts are coloured, or permanence would be reported
late. Z3 decides; where it cannot say, the combination stays. The commonest case needs no Z3: one
guard that asks each of its places one thing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations as pairs
from itertools import product

from lexgym.core import Status
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.samples import sampled_letters
from lexgym.oracles.ltlf.signature import ToolSignature, ranges_of
from lexgym.oracles.ltlf.syntax import Atom


@dataclass(frozen=True)
class Combinations:
    """The letters of one tool, as bits: of any call, and of a call that succeeds."""

    every: tuple[int, ...]
    ok: tuple[int, ...]


def combinations(
    atoms: dict[Atom, int], variables: tuple[str, ...], limit: int, *, signature: ToolSignature | None = None
) -> Combinations:
    """Return the letters that a call of one tool can be; `atoms` are that tool's, with their bits.

    With a signature, arguments are taken to fit it unless the call is invalid, results if it succeeds.
    Raises StateLimitExceeded when there are more than `limit`.
    """
    guarded = [atom for atom in atoms if atom.guard is not None]
    if len(guarded) > 1 or not all(_is_plain(atom.guard, signature) for atom in guarded):
        of_status = {status: _letters(atoms, variables, limit, signature, status) for status in Status}
        ok, every = sorted(of_status[Status.OK]), sorted(set().union(*of_status.values()))
    else:
        every = list(_simple(atoms))
        ok = every
    if len(every) > limit:
        raise StateLimitExceeded(f"the guards of {next(iter(atoms)).tool!r} make more than {limit} letters")
    must = sum(bit for atom, bit in atoms.items() if atom.guard is None)
    bound = sum(bit for atom, bit in atoms.items() if binding_of(atom, variables) is not None)
    always_bound = any(always_binds(atom, variables) for atom in atoms)
    kept = [letter for letter in ok if letter & must == must and (letter & bound or not always_bound)]
    return Combinations(tuple(every), tuple(kept))


def _letters(
    atoms: dict[Atom, int], variables: tuple[str, ...], limit: int, signature: ToolSignature | None, status: Status
) -> set[int]:
    """Return the letters of one tool's calls of a status, inside a slice or bound to none."""
    awake = {a: bit for a, bit in atoms.items() if status is Status.OK or g.mentions_status(a.guard)}
    bound = {a: bit for a, bit in awake.items() if binding_of(a, variables) is not None}
    letters = _joined(awake, variables, limit, signature, status, inside=False)
    if bound:
        inside = _joined(awake, variables, limit, signature, status, inside=True)
        letters |= {letter for letter in inside if letter & sum(bound.values())}
    return letters


def _joined(
    atoms: dict[Atom, int],
    variables: tuple[str, ...],
    limit: int,
    signature: ToolSignature | None,
    status: Status,
    *,
    inside: bool,
) -> set[int]:
    """Join the letters of groups of atoms that share no place, so that each can be looked at alone."""
    letters = {0}
    for group in _groups(atoms, frozenset(variables) if inside else frozenset()):
        found = None
        if not any(g.variables_of(atom.guard) for atom in group):
            found = sampled_letters(group, signature, status)
        if found is None:
            from lexgym.oracles.ltlf.possible import solved_letters  # loads z3

            found = solved_letters(group, variables, limit, signature, status, inside=inside)
        if len(letters) * len(found) > limit:
            raise StateLimitExceeded(f"the guards of {next(iter(atoms)).tool!r} make more than {limit} letters")
        letters = {one | two for one in letters for two in found}
    return letters


def _groups(atoms: dict[Atom, int], variables: frozenset[str]) -> list[dict[Atom, int]]:
    """Return the atoms grouped by the places and variables that they share, directly or not."""
    groups: list[tuple[set[tuple[str, ...]], dict[Atom, int]]] = []
    for atom, bit in atoms.items():
        reads = {key for leaf in g.leaves(atom.guard) if (key := _key(leaf, variables)) is not None}
        touching = [group for group in groups if group[0] & reads]
        rest = [group for group in groups if not group[0] & reads]
        members = {a: b for group in touching for a, b in group[1].items()} | {atom: bit}
        groups = [*rest, (reads.union(*(group[0] for group in touching)), members)]
    return [group for _, group in groups]


def _key(leaf: g.Const | g.Field | g.Var, variables: frozenset[str]) -> tuple[str, ...] | None:
    """Return what a leaf shares with others: its outermost place, or its variable."""
    match leaf:
        case g.Field("args" | "result" as root, path):
            return (root, *path[:1]) if root == "args" else (root,)
        case g.Var(name) if name in variables:
            return ("forall", name)
        case _:
            return None


def _is_plain(guard: g.Guard | None, signature: ToolSignature | None) -> bool:
    """Whether a guard asks one thing that may be so or not of each of some places that are apart."""
    places = [_asked(conjunct, signature) for conjunct in g.conjuncts(guard)]
    known = [place for place in places if place is not None and place.root != "status"]
    return len(known) == len(places) and not any(_overlap(one, two) for one, two in pairs(known, 2))


def _asked(conjunct: g.Guard, signature: ToolSignature | None) -> g.Field | None:
    """Return the place that a simple comparison is about."""
    match conjunct:
        case g.Compare("=", g.Field() as place, g.Var()) | g.Compare("=", g.Var(), g.Field() as place):
            return place
        case g.Flag(g.Field() as place):
            return place
        case g.Compare("=" | "!=", g.Field() as place, g.Const()) | g.Member(g.Field() as place, _, True):
            return place if _is_open(place, signature) else None
        case g.Compare(_, g.Field() as place, g.Const("integer" | "number", _)):
            return place if _is_open(place, signature) else None
        case _:
            return None


def _is_open(place: g.Field, signature: ToolSignature | None) -> bool:
    """Whether no listed values or limits are known of a place."""
    known = None if signature is None else ranges_of(signature, place)
    return known is None or all(one.values is None and not one.limits for one in known)


def _overlap(one: g.Field, two: g.Field) -> bool:
    shorter = min(len(one.path), len(two.path))
    return one.root == two.root and one.path[:shorter] == two.path[:shorter]


def _simple(atoms: dict[Atom, int]) -> Iterator[int]:
    """Yield the letters of at most one unguarded and one guarded atom; the guard implies the bare call."""
    bare = sum(bit for atom, bit in atoms.items() if atom.guard is None)
    for flags in product((False, True), repeat=len(atoms)):
        letter = sum(bit for bit, flag in zip(atoms.values(), flags, strict=True) if flag)
        if not letter or letter & bare == bare:
            yield letter


def always_binds(atom: Atom, variables: tuple[str, ...]) -> bool:
    """Whether every successful call that gives the arguments matches the atom: it only takes them as values."""
    places = binding_of(atom, variables)
    if places is None:
        return False
    return len(g.conjuncts(atom.guard)) == len(places) and all(p.root == "args" for p in places.values())
