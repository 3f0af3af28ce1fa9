"""Which truth values one call can give the conditions of several rules.

Conditions that share no place or value are looked at apart: by samples where these can tell, else by Z3.
"""

from collections.abc import Iterator, Sequence

from lexgym.core import Status
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.joint.sampling import Asked, sampled_truths
from lexgym.oracles.ltlf.signature import ToolSignature


def truths(
    conditions: Sequence[Asked], names: Sequence[str], signature: ToolSignature | None, limit: int, *, usual: bool
) -> Iterator[tuple[bool, ...]]:
    """Yield the combinations that usual calls, or any calls, of the conditions' tool can make true.

    Raises StateLimitExceeded for more than `limit`, or when they take too much work to find.
    """
    letters: set[int] = set()
    for status in [Status.OK] if usual else Status:
        letters |= _letters(conditions, names, signature, limit, status, usual)
    if len(letters) > limit:
        raise _too_many(conditions, limit)
    for letter in sorted(letters):
        yield tuple(bool(letter >> number & 1) for number in range(len(conditions)))


def _letters(
    conditions: Sequence[Asked],
    names: Sequence[str],
    signature: ToolSignature | None,
    limit: int,
    status: Status,
    usual: bool,
) -> set[int]:
    awake = [n for n, (atom, _) in enumerate(conditions) if status is Status.OK or g.mentions_status(atom.guard)]
    letters = {0}
    for group in _groups(conditions, awake):
        asked = {1 << number: conditions[number] for number in group}
        found = sampled_truths(asked, signature, status, usual=usual)
        if found is None:
            from lexgym.oracles.ltlf.joint.possible import solved_truths  # loads z3

            found = set(solved_truths(asked, names, signature, limit, status, usual=usual))
        if len(letters) * len(found) > limit:
            raise _too_many(conditions, limit)
        letters = {one | two for one in letters for two in found}
    return letters


def _too_many(conditions: Sequence[Asked], limit: int) -> StateLimitExceeded:
    return StateLimitExceeded(f"the rules' guards on {conditions[0][0].tool!r} make more than {limit} letters")


def _groups(conditions: Sequence[Asked], awake: Sequence[int]) -> list[list[int]]:
    """Return the conditions grouped by the places and variables that they share, directly or not."""
    leaves = {number: list(g.leaves(conditions[number][0].guard)) for number in awake}
    whole = any(leaf == g.Field("result") for found in leaves.values() for leaf in found)
    groups: list[tuple[set[tuple[str, ...]], list[int]]] = []
    for number, found in leaves.items():
        reads = {_key(leaf, whole) for leaf in found} - {()}
        touching = [group for group in groups if group[0] & reads]
        rest = [group for group in groups if not group[0] & reads]
        members = sorted([number, *(n for group in touching for n in group[1])])
        groups = [*rest, (reads.union(*(group[0] for group in touching)), members)]
    return [members for _, members in groups]


def _key(leaf: g.Const | g.Field | g.Var, whole: bool) -> tuple[str, ...]:
    """Return what a leaf shares with others: its outermost place, the result where some ask for it, its variable."""
    match leaf:
        case g.Field("args", (name, *_)):
            return ("args", name)
        case g.Field("result", path):
            return ("result", *path[: 0 if whole else 1])
        case g.Var(name):
            return ("forall", name)
        case _:
            return ()
