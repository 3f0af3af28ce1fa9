"""Rules of the two templates that lead back to where they began, so that a call can never be made.

    (!pay) W check      (!check) W ask      (!ask) W pay        each call would need an earlier one, without end
    G(pay -> F log)     G(log -> F pay)                         or a later one

Values do not matter: what comes round is a call that a rule asks for, whatever its values are. Without such a
round, rules of the two templates can always be kept together: first all that is needed before, then all that follows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexgym.generators.extraction.containment import contained, split_bindings
from lexgym.generators.extraction.parts import Part, parts_of
from lexgym.oracles.ltlf import Signature, compile_rule
from lexgym.oracles.ltlf.signature import given
from lexgym.oracles.ltlf.syntax import Atom


@dataclass(frozen=True, eq=False)
class _Step:
    """One simple part of a rule: a call that matches `act` needs one that matches `other`."""

    rule: int
    act: Atom
    other: Atom
    form: str


def rounds(formulas: Sequence[str], signature: Signature) -> Iterator[tuple[int, tuple[int, ...], str]]:
    """Yield each rule that closes a round with earlier ones, these, and the tool that could never be called.

    A rule that closes one is left out of the following rounds. Rules are known by their places.
    """
    by_act: dict[tuple[str, str], list[_Step]] = {}
    for place, formula in enumerate(formulas):
        parts = parts_of(compile_rule(formula, signature).formula)
        steps = [_step(place, part) for part in parts if part.simple]
        for step in steps:
            if chain := _chain(step, by_act, signature):
                yield place, tuple(dict.fromkeys(chain)), step.act.tool
                break
        else:
            for step in steps:
                by_act.setdefault((step.form, step.act.tool), []).append(step)


def _step(place: int, part: Part) -> _Step:
    assert part.act is not None
    assert part.other is not None
    return _Step(place, part.act, part.other, part.key[0])


def _chain(step: _Step, by_act: dict[tuple[str, str], list[_Step]], signature: Signature) -> list[int] | None:
    """Return the earlier rules that lead from what a step needs back to the step, the fewest; None where none do."""
    reached: dict[_Step, _Step | None] = {}
    layer: list[tuple[_Step, _Step | None]] = [
        (after, None) for after in by_act.get((step.form, step.other.tool), ()) if _leads(step, after, signature)
    ]
    while layer:
        following: list[tuple[_Step, _Step | None]] = []
        for one, before in layer:
            if one in reached:
                continue
            reached[one] = before
            if _leads(one, step, signature):
                return _back(one, reached)
            following += [
                (after, one)
                for after in by_act.get((step.form, one.other.tool), ())
                if after not in reached and _leads(one, after, signature)
            ]
        layer = following
    return None


def _back(last: _Step, reached: dict[_Step, _Step | None]) -> list[int]:
    found: list[int] = []
    step: _Step | None = last
    while step is not None:
        found.append(step.rule)
        step = reached[step]
    return found[::-1]


def _leads(one: _Step, after: _Step, signature: Signature) -> bool:
    """Whether every call that one step asks for is one that another step regulates."""
    if one.other.tool != after.act.tool:
        return False
    bound, rest = split_bindings(after.act)
    known = signature.get(after.act.tool)
    free = len({variable.name for _, variable in bound}) == len(bound)
    if not free or known is None or not all(given(known, place) for place, _ in bound):
        return False
    return bool(contained(split_bindings(one.other)[1], rest))
