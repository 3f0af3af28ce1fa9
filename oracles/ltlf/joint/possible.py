"""Which truth values one call can give the conditions of several rules, by Z3.

A condition is an atom under the common values, or, with the places of an atom's own values, that the
atom holds under some.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import z3  # type: ignore[import-untyped]

from lexgym.core import Status
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import possible as p
from lexgym.oracles.ltlf.signature import ToolSignature
from lexgym.oracles.ltlf.syntax import Atom

Asked: TypeAlias = tuple[Atom, Mapping[str, g.Field] | None]


def truths(
    conditions: Sequence[Asked], names: Sequence[str], signature: ToolSignature | None, limit: int, *, usual: bool
) -> Iterator[tuple[bool, ...]]:
    """Yield the combinations that usual calls, or any calls, of the conditions' tool can make true.

    Raises StateLimitExceeded for more than `limit`, or when they take too much work to find.
    """
    letters: dict[int, None] = {}
    try:
        with p.SOLVER_LOCK:
            for status in [Status.OK] if usual else Status:
                letters.update(dict.fromkeys(_letters(conditions, names, signature, limit, status, usual)))
    except p.TooManyError as error:
        raise StateLimitExceeded(f"the rules' guards on {conditions[0][0].tool!r} make {error}") from None
    for letter in letters:
        yield tuple(bool(letter >> number & 1) for number in range(len(conditions)))


def _letters(
    conditions: Sequence[Asked],
    names: Sequence[str],
    signature: ToolSignature | None,
    limit: int,
    status: Status,
    usual: bool,
) -> list[int]:
    """Return the letters, looking apart at conditions that share no place or value."""
    values = {name: z3.Const(f"slice {name}", p.json_value()) for name in names}
    letters = [0]
    for group in _groups(conditions):
        decided = [(1 << number, _term(conditions[number], values, status)) for number in group]
        atoms = [conditions[number][0] for number in group]
        known = p.facts(atoms, signature, status)
        known += [value != p.json_value().null for value in values.values()]
        if usual:
            bound = {place for number in group for place in (conditions[number][1] or {}).values()}
            given = sorted((place for place in bound if place.root == "args"), key=str)
            known += [p.term(place, {}) != p.json_value().null for place in given]
        found = p.solve(decided, known, limit)
        if len(letters) * len(found) > limit:
            raise p.TooManyError(f"more than {limit} letters")
        letters = [one | two for one in letters for two in found]
    return letters


def _groups(conditions: Sequence[Asked]) -> list[list[int]]:
    groups: list[tuple[set[tuple[str, str]], list[int]]] = []
    for number, (atom, _) in enumerate(conditions):
        reads = set(map(_key, g.leaves(atom.guard))) - {("", "")}
        touching = [group for group in groups if group[0] & reads]
        rest = [group for group in groups if not group[0] & reads]
        members = sorted([number, *(n for group in touching for n in group[1])])
        groups = [*rest, (reads.union(*(group[0] for group in touching)), members)]
    return [members for _, members in groups]


def _key(leaf: g.Const | g.Field | g.Var) -> tuple[str, str]:
    """Return what a leaf shares with others: its outermost place, or its variable."""
    match leaf:
        case g.Field("args", (name, *_)):
            return ("args", name)
        case g.Field("result"):
            return ("result", "")
        case g.Var(name):
            return ("forall", name)
        case _:
            return ("", "")


def _term(asked: Asked, values: Mapping[str, Any], status: Status) -> Any:
    atom, places = asked
    if places is None:
        return p.atom_holds(atom, dict(values), status)
    own = {name: p.term(place, {}) for name, place in places.items()}
    given = [place != p.json_value().null for place in own.values()]
    return z3.And([p.atom_holds(atom, own, status), *given])
