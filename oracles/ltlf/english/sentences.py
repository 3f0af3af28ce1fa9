"""A formula as an English sentence.

    G(pay -> F notify)   →   Whenever `pay` happens, `notify` must follow.

Template-shaped formulas are said as people say them, all others piece by piece, with parentheses
where two readings would be possible. Very long parts are named by their size only.
"""

from typing import assert_never

from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.english import idioms
from lexgym.oracles.ltlf.english.phrases import event
from lexgym.oracles.ltlf.parser import as_formula
from lexgym.oracles.ltlf.syntax import Formula

MAX_PART = 900
"""Characters of a part of a sentence; longer ones are named by their size."""

MAX_PHRASE = 2_400
"""Characters of a template in words."""

MAX_PARTS = 8
"""Parts of an enumeration that are spelt out."""


def english(formula: Formula | str) -> str:
    """Return what a formula demands of a trace, as one English sentence."""
    parsed = as_formula(formula)
    if not isinstance(parsed, s.Forall):
        return _sentence(_whole(parsed))
    return _sentence(f"for {each(parsed)}: {_whole(parsed.body)}")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def each(formula: s.Forall) -> str:
    """Return the variables, each with the places that it takes its values from."""
    atoms = [binding_of(atom, formula.variables) or {} for atom in s.atoms_of(formula)]
    found = []
    for name in formula.variables:
        places = list(dict.fromkeys(_noun(where[name]) for where in atoms if name in where))
        if len(places) > 1:
            found.append(f"{name} ({', '.join(places[:-1])} or {places[-1]})")
        else:
            found.append(name if places[0] == name else f"{places[0]} {name}")
    return f"each {found[0]}" if len(found) == 1 else f"each {', '.join(found[:-1])} and {found[-1]}"


def _noun(place: g.Field) -> str:
    return place.path[-1] if place.path else place.root


def _whole(formula: Formula) -> str:
    """Return a whole formula, whose conjuncts are rules of their own."""
    said = _phrase(formula)
    if said is None and isinstance(formula, s.And):
        return "; and ".join(_few([_phrase(part) or _clause(part) for part in idioms.conjuncts(formula)]))
    return said or _clause(formula)


def _phrase(formula: Formula) -> str | None:
    said = idioms.idiom(formula) or _conditional(formula)
    return said if said is None or len(said) <= MAX_PHRASE else None


def _conditional(formula: Formula) -> str | None:
    """Return a demand on all steps of which something holds that is no event alone."""
    match formula:
        case s.Always(s.Implies(when, s.WeakNext(s.WeakUntil(s.Not(c), b))), None) if event(b) and event(c):
            return f"after a step at which {_clause(when)}, {event(c)} may not happen before a new {event(b)}"
        case s.Always(s.Implies(when, then), None):
            return f"whenever {_clause(when)}, {_clause(then)}"
        case _:
            return None


def _clause(formula: Formula) -> str:
    """Return a formula piece by piece, from the inside out."""
    said: dict[Formula, tuple[str, bool]] = {}
    size: dict[Formula, int] = {}
    for part in s.postorder(formula):
        inside = s.children(part)
        if isinstance(part, s.Yesterday) and isinstance(part.body, s.Since):
            inside = s.children(part.body)
        size[part] = 1 + sum(size[inner] for inner in inside)
        texts = {inner: _fitted(said[inner], size[inner], MAX_PART) for inner in inside}
        said[part] = _compose(part, texts)
    return _fitted((said[formula][0], True), size[formula], 3 * MAX_PART)


def _fitted(said: tuple[str, bool], size: int, limit: int) -> str:
    """Return a part for use in a larger one: in parentheses unless simple, named by its size when too long."""
    text, simple = said
    if len(text) > limit:
        text = f"a condition of {size} symbols holds"
    return text if simple else f"({text})"


def _few(parts: list[str]) -> list[str]:
    if len(parts) <= MAX_PARTS:
        return parts
    return [*parts[: MAX_PARTS - 1], f"{len(parts) - MAX_PARTS + 1} further conditions hold"]


def _compose(formula: Formula, said: dict[Formula, str]) -> tuple[str, bool]:
    """Return a formula at the present step, and whether it needs no parentheses in a larger sentence."""
    simple = event(formula)
    if simple is not None:
        return f"{simple} happens", True
    if isinstance(formula, s.Not) and (inner := event(formula.body)) is not None:
        one = isinstance(formula.body, s.Atom)
        return f"{inner} does not happen" if one else f"no call of {inner} happens", True
    match formula:
        case s.Truth(value):
            return "nothing is demanded" if value else "the impossible is demanded", True
        case s.Atom():
            raise AssertionError("an atom is an event")
        case s.Last():
            return "the trace ends here", True
        case s.Not(body):
            return f"it is not so that {said[body]}", False
        case s.And(parts):
            return " and ".join(_few([said[part] for part in parts])), False
        case s.Or(parts):
            return " or ".join(_few([said[part] for part in parts])), False
        case s.Implies(left, right):
            return f"if {said[left]}, then {said[right]}", False
        case s.Iff(left, right):
            return f"{said[left]} exactly if {said[right]}", False
        case _:
            return _temporal(formula, said), False


def _temporal(formula: Formula, said: dict[Formula, str]) -> str:
    match formula:
        case s.Next(body):
            return f"there is a next step, and there {said[body]}"
        case s.WeakNext(body):
            return f"at the next step, if there is one, {said[body]}"
        case s.Eventually(body, int(bound)):
            return f"now or within {_steps(bound)} {said[body]}"
        case s.Eventually(body, _):
            return f"now or later {said[body]}"
        case s.Always(body, int(bound)):
            return f"now and for {_steps(bound)} from here, as far as the trace goes, {said[body]}"
        case s.Always(body, _):
            return f"from now on at every step {said[body]}"
        case s.Until(left, right):
            return f"now or later {said[right]}, and at every step before that {said[left]}"
        case s.WeakUntil(left, right):
            return f"at every step {said[left]}, until {said[right]}, if that ever comes"
        case s.Release(left, right):
            return (
                f"at every step {said[right]}, up to and including the first at which {said[left]}, if that ever comes"
            )
        case s.StrongRelease(left, right):
            return f"now or later {said[left]}, and at every step up to and including that one {said[right]}"
        case _:
            return _past(formula, said)


def _past(formula: Formula, said: dict[Formula, str]) -> str:
    match formula:
        case s.Yesterday(s.Since(left, right)):
            return f"earlier {said[right]}, and since then {said[left]}"
        case s.Yesterday(body):
            return f"there was a step before this one, and there {said[body]}"
        case s.Once(body):
            return f"now or earlier {said[body]}"
        case s.Historically(body):
            return f"now and at every earlier step {said[body]}"
        case s.Since(left, right):
            return f"now or earlier {said[right]}, and at every step after that, up to this one, {said[left]}"
        case s.Forall(_, body):
            return said[body]
        case s.Truth() | s.Atom() | s.Last() | s.Not() | s.And() | s.Or() | s.Implies() | s.Iff():
            raise AssertionError(f"{type(formula).__name__} is no temporal operator")
        case s.Next() | s.WeakNext() | s.Eventually() | s.Always():
            raise AssertionError(f"{type(formula).__name__} is no past operator")
        case s.Until() | s.WeakUntil() | s.Release() | s.StrongRelease():
            raise AssertionError(f"{type(formula).__name__} is no past operator")
        case _:
            assert_never(formula)


def _steps(count: int) -> str:
    return "1 further step" if count == 1 else f"{count} further steps"
