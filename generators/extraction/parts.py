"""A rule as the conjunction of its smallest parts.

    forall x. (!(pay[id = x] | save[id = x])) W check[id = x]
        =  forall x. (!pay[id = x]) W check[id = x]   and   forall x. (!save[id = x]) W check[id = x]

A part that joins one act with one check, or one trigger with one response, is simple. Parts make rules
comparable at the price of a few small automata instead of one large one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from lexgym.core import ADHERENCE, RESTRICTION
from lexgym.oracles.ltlf import Signature
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.signature import given
from lexgym.oracles.ltlf.syntax import Atom, Formula


@dataclass(frozen=True)
class Part:
    """One part of a rule; `act` and `other` are the two atoms of a simple one."""

    formula: Formula
    act: Atom | None = None
    other: Atom | None = None

    @property
    def simple(self) -> bool:
        """Whether it joins two calls."""
        return self.act is not None and self.other is not None

    @property
    def key(self) -> tuple[str, str, str]:
        """What it joins and how: parts that differ in it never imply one another."""
        body = self.formula.body if isinstance(self.formula, s.Forall) else self.formula
        assert self.act is not None
        assert self.other is not None
        return (type(body).__name__, self.act.tool, self.other.tool)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of its `forall`."""
        return self.formula.variables if isinstance(self.formula, s.Forall) else ()

    @cached_property
    def names(self) -> dict[str, str]:
        """For each variable of a simple part, the two places that it takes its value from."""
        places = [_places(self, atom) for atom in (self.act, self.other)]
        return {name: f"{places[0].get(name)} {places[1].get(name)}" for name in self.variables}


def parts_of(formula: Formula) -> list[Part]:
    """Return the parts whose conjunction a rule is; one part where some atom binds only some of its variables."""
    variables, body = (formula.variables, formula.body) if isinstance(formula, s.Forall) else ((), formula)
    bound = [binding_of(atom, variables) for atom in s.atoms_of(body)]
    if any(places is not None and len(places) < len(variables) for places in bound):
        return [Part(formula)]
    return [_part(variables, part) for part in _conjuncts(body)]


def part_of(formula: Formula) -> Part:
    """Return a formula that is one part."""
    return _part(formula.variables, formula.body) if isinstance(formula, s.Forall) else _part((), formula)


def _part(variables: tuple[str, ...], body: Formula) -> Part:
    used = {name for atom in s.atoms_of(body) for name in g.variables_of(atom.guard)}
    kept = tuple(name for name in variables if name in used)
    whole = s.Forall(kept, body) if kept else body
    match body:
        case s.WeakUntil(s.Not(Atom() as act), Atom() as check):
            return Part(whole, act, check)
        case s.Always(s.Implies(Atom() as trigger, s.Eventually(Atom() as response, None)), None):
            return Part(whole, trigger, response)
        case _:
            return Part(whole)


def _conjuncts(body: Formula) -> Iterator[Formula]:
    match body:
        case s.And(items):
            for item in items:
                yield from _conjuncts(item)
        case s.Not(s.Until(s.Not(check), action)):
            yield from _conjuncts(s.WeakUntil(s.Not(action), check))
        case s.WeakUntil(s.Not(s.Or(acts)), check):
            for act in acts:
                yield from _conjuncts(s.WeakUntil(s.Not(act), check))
        case s.Always(s.Implies(s.Or(triggers), response), None):
            for trigger in triggers:
                yield from _conjuncts(s.Always(s.Implies(trigger, response)))
        case _:
            yield body


def template_of(formula: Formula) -> str:
    """Return the template that all parts of a rule have, `other` where they differ or have none."""
    names = {_TEMPLATES.get(part.key[0], "other") if part.simple else "other" for part in parts_of(formula)}
    return names.pop() if len(names) == 1 else "other"


_TEMPLATES = {"WeakUntil": RESTRICTION, "Always": ADHERENCE}


def narrowed(part: Part, by: Part, signature: Signature | None) -> Formula | None:
    """Return a simple part that asks for more variables to be shared, those of another part of the same key.

    It implies the part wherever the act has the further values, as the signature says; None where it may not.
    """
    assert part.act is not None
    assert part.other is not None
    mine, theirs = (
        [_places(part, atom) for atom in (part.act, part.other)],
        [_places(by, atom) for atom in (by.act, by.other)],
    )
    extra = [
        name
        for name in by.variables
        if (theirs[0].get(name), theirs[1].get(name)) not in [(mine[0].get(n), mine[1].get(n)) for n in part.variables]
    ]
    if not extra or len(extra) + len(part.variables) != len(by.variables) or signature is None:
        return None
    if any(name not in theirs[0] or name not in theirs[1] for name in extra):
        return None
    if not all(given(signature[part.act.tool], theirs[0][name]) for name in extra):
        return None
    fresh = {name: f"{name}_more" for name in extra}
    act, other = (
        Atom(atom.tool, _with(atom.guard, [g.Compare("=", places[name], g.Var(fresh[name])) for name in extra]))
        for atom, places in zip((part.act, part.other), theirs, strict=True)
    )
    response = s.Always(s.Implies(act, s.Eventually(other)))
    body = s.WeakUntil(s.Not(act), other) if part.key[0] == "WeakUntil" else response
    return s.Forall((*part.variables, *fresh.values()), body)


def _with(guard: g.Guard | None, more: list[g.Guard]) -> g.Guard:
    parts = (*g.conjuncts(guard), *more)
    return parts[0] if len(parts) == 1 else g.GuardAnd(parts)


def _places(part: Part, atom: Atom | None) -> dict[str, g.Field]:
    """Return the place that each variable takes its value from in an atom."""
    found: dict[str, g.Field] = {}
    for guard in g.conjuncts(atom.guard if atom else None):
        match guard:
            case g.Compare("=", g.Field() as place, g.Var(name)) | g.Compare("=", g.Var(name), g.Field() as place):
                found.setdefault(name, place)
    return found
