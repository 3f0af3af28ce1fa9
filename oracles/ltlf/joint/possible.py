"""Which truth values one call can give the conditions of several rules, by Z3: any conditions at all."""

from collections.abc import Mapping, Sequence
from typing import Any

import z3  # type: ignore[import-untyped]

from lexgym.core import Status
from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import possible as p
from lexgym.oracles.ltlf.joint.sampling import Asked
from lexgym.oracles.ltlf.signature import ToolSignature


def solved_truths(
    asked: Mapping[int, Asked],
    names: Sequence[str],
    signature: ToolSignature | None,
    limit: int,
    status: Status,
    *,
    usual: bool,
) -> list[int]:
    """Return the letters that calls of a status make of conditions by their bits; `names` are the variables.

    A usual call gives the arguments that are values of variables. Raises StateLimitExceeded for more than `limit`
    letters, or when they take too much work to find.
    """
    try:
        with p.SOLVER_LOCK:
            values = {name: z3.Const(f"slice {name}", p.json_value()) for name in names}
            decided = [(bit, _term(each, values, status)) for bit, each in asked.items()]
            known = p.facts([atom for atom, _ in asked.values()], signature, status)
            known += [value != p.json_value().null for value in values.values()]
            if usual:
                bound = {place for _, places in asked.values() for place in (places or {}).values()}
                given = sorted((place for place in bound if place.root == "args"), key=str)
                known += [p.term(place, {}) != p.json_value().null for place in given]
            return p.solve(decided, known, limit)
    except p.TooManyError as error:
        tool = next(atom.tool for atom, _ in asked.values())
        raise StateLimitExceeded(f"the rules' guards on {tool!r} make {error}") from None


def _term(asked: Asked, values: Mapping[str, Any], status: Status) -> Any:
    atom, places = asked
    if places is None:
        return p.atom_holds(atom, dict(values), status)
    own = {name: p.term(place, {}) for name, place in places.items()}
    given = [place != p.json_value().null for place in own.values()]
    return z3.And([p.atom_holds(atom, own, status), *given])
