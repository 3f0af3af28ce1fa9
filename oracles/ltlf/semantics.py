"""What a formula means, straight from the definition; slow on purpose.

    >>> satisfies(parse("G(a -> F b)"), [{"a"}, {"b"}])
    True

Every operator is the quantifier over positions that defines it. This is the judge of the automata
and shares only the syntax and the evaluation of guards with them. The empty trace is read at
position 0 with no position existing: propositions are false, `true` is true, `X F U M Y O S` are
false and `WX G R W H last` true. A past operator at position 0 sees no position before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, assert_never

from lexgym.core import Event, Status
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.evaluation import compile_guard, same, value_at
from lexgym.oracles.ltlf.parser import as_formula, parse
from lexgym.oracles.ltlf.plain import names_of
from lexgym.oracles.ltlf.syntax import Atom, Formula

__all__ = ["Step", "parse", "satisfies"]

Step: TypeAlias = Collection[str] | Event
"""A step is the set of the propositions that hold in it, or an event."""


def satisfies(formula: Formula | str, trace: Sequence[Step]) -> bool:
    """Return whether a formula holds on a trace, by definition.

    Raises FormulaError for steps that are neither events nor sets of names.
    """
    formula = as_formula(formula)
    _check(trace)
    if not isinstance(formula, s.Forall):
        if any(isinstance(part, s.Forall) for part in s.postorder(formula)):
            raise FormulaError("forall stands only at the very beginning of a formula")
        return _holds(formula, trace, (), ())
    events = [step for step in trace if isinstance(step, Event)]
    if len(events) < len(trace):
        raise FormulaError("forall needs events, not sets of names")
    binding = _binding_atoms(formula)
    met = [[_tuple(*atom, formula.variables, event) for atom in binding.get(event.name, ())] for event in events]
    given = [[value for value in row if value is not None] for row in met]
    values = _distinct([value for row in given for value in row if None not in value])
    return all(_holds(formula.body, list(_slice(events, given, value)), formula.variables, value) for value in values)


@lru_cache(maxsize=1024)
def _binding_atoms(formula: s.Forall) -> Mapping[str, list[tuple[Atom, Mapping[str, g.Field]]]]:
    """Return the atoms that give the variables their values, and from where, by tool."""
    found: dict[str, list[tuple[Atom, Mapping[str, g.Field]]]] = {}
    for atom in s.atoms_of(formula):
        places = binding_of(atom, formula.variables)
        if places is not None:
            found.setdefault(atom.tool, []).append((atom, places))
    return found


def _check(trace: Any) -> None:
    if isinstance(trace, str | Event) or not isinstance(trace, Sequence):
        raise FormulaError(f"a trace is a sequence of steps, not {trace!r}")
    for step in trace:
        if not isinstance(step, Event):
            names_of(step)


def _slice(events: list[Event], given: list[list[Any]], values: tuple[Any, ...]) -> Iterator[Event]:
    """Yield the events that give these values or some of them, and those that give none at all."""
    for event, row in zip(events, given, strict=True):
        if not row or any(_among(value, values) for value in row):
            yield event


def _tuple(
    atom: Atom, places: Mapping[str, g.Field], variables: tuple[str, ...], event: Event
) -> tuple[Any, ...] | None:
    """Return the values that a call of an atom's tool gives the variables (None: not bound), if it matches the atom."""
    values = tuple(value_at(places[name], variables)(event, ()) if name in places else None for name in variables)
    missing = any(value is None for name, value in zip(variables, values, strict=True) if name in places)
    if missing or not _atom(atom, event, variables, values):
        return None
    return values


def _among(some: tuple[Any, ...], values: tuple[Any, ...]) -> bool:
    return all(a is None or same(a, b) for a, b in zip(some, values, strict=True))


def _equal(one: tuple[Any, ...], two: tuple[Any, ...]) -> bool:
    return all(same(a, b) for a, b in zip(one, two, strict=True))


def _distinct(values: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for value in values:
        if not any(_equal(value, known) for known in found):
            found.append(value)
    return found


def _atom(atom: Atom, step: Step, variables: tuple[str, ...], values: tuple[Any, ...]) -> bool:
    if not isinstance(step, Event):
        if atom.guard is not None:
            raise FormulaError(f"the guard of {atom} needs events, not sets of names")
        return atom.tool in step
    if step.name != atom.tool or (step.status is not Status.OK and not g.mentions_status(atom.guard)):
        return False
    return atom.guard is None or _test(atom.guard, variables)(step, values)


_test = lru_cache(maxsize=4096)(compile_guard)


def _holds(formula: Formula, trace: Sequence[Step], variables: tuple[str, ...], values: tuple[Any, ...]) -> bool:
    truth: dict[Formula, list[bool]] = {}
    for part in s.postorder(formula):
        if isinstance(part, Atom):
            here = [_atom(part, step, variables, values) for step in trace]
            truth[part] = here or [False]
        else:
            truth[part] = [_at(part, i, len(trace), truth) for i in range(max(1, len(trace)))]
    return truth[formula][0]


def _at(formula: Formula, i: int, n: int, truth: dict[Formula, list[bool]]) -> bool:
    """Return the truth at position i of a trace of n steps, from that of the subformulas."""
    ahead, behind = range(i, n), range(min(i + 1, n))
    match formula:
        case s.Truth(value):
            return value
        case s.Last():
            return i + 1 >= n
        case s.Not(body):
            return not truth[body][i]
        case s.And(parts):
            return all(truth[part][i] for part in parts)
        case s.Or(parts):
            return any(truth[part][i] for part in parts)
        case s.Implies(left, right):
            return not truth[left][i] or truth[right][i]
        case s.Iff(left, right):
            return truth[left][i] == truth[right][i]
        case s.Next(body):
            return i + 1 < n and truth[body][i + 1]
        case s.WeakNext(body):
            return i + 1 >= n or truth[body][i + 1]
        case s.Eventually(body, bound):
            return any(truth[body][k] for k in ahead if bound is None or k <= i + bound)
        case s.Always(body, bound):
            return all(truth[body][k] for k in ahead if bound is None or k <= i + bound)
        case s.Until(left, right):
            return any(truth[right][k] and all(truth[left][j] for j in range(i, k)) for k in ahead)
        case s.WeakUntil(left, right):
            until = any(truth[right][k] and all(truth[left][j] for j in range(i, k)) for k in ahead)
            return until or all(truth[left][k] for k in ahead)
        case s.Release(left, right):
            return all(truth[right][k] or any(truth[left][j] for j in range(i, k)) for k in ahead)
        case s.StrongRelease(left, right):
            return any(truth[left][k] and all(truth[right][j] for j in range(i, k + 1)) for k in ahead)
        case s.Yesterday(body):
            return 0 < i < n and truth[body][i - 1]
        case s.Once(body):
            return any(truth[body][k] for k in behind)
        case s.Historically(body):
            return all(truth[body][k] for k in behind)
        case s.Since(left, right):
            return any(truth[right][k] and all(truth[left][j] for j in range(k + 1, i + 1)) for k in behind)
        case s.Atom() | s.Forall():
            raise AssertionError(f"{type(formula).__name__} is not read here")
        case _:
            assert_never(formula)
