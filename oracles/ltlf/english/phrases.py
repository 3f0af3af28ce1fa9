"""Calls and guards in English words.

pay[amount > 50000, topic = "gift"]   →   `pay` with amount above 50000 and topic "gift"
"""

import json
from decimal import Decimal
from typing import assert_never

from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.syntax import Atom, Formula

_COMPARED: dict[str, str] = {
    "=": "equal to ",
    "!=": "other than ",
    "<": "below ",
    "<=": "at most ",
    ">": "above ",
    ">=": "at least ",
}


def events_of(formula: Formula) -> tuple[Atom, ...] | None:
    """Return the atoms of an atom or of a disjunction of atoms."""
    if isinstance(formula, Atom):
        return (formula,)
    if isinstance(formula, s.Or) and all(isinstance(part, Atom) for part in formula.parts):
        return tuple(part for part in formula.parts if isinstance(part, Atom))
    return None


def event(formula: Formula) -> str | None:
    """Return an atom, or a disjunction of atoms, as a noun phrase; None for anything else."""
    atoms = events_of(formula)
    if atoms is None:
        return None
    called = [call(atom) for atom in dict.fromkeys(atoms)]
    if len({atom.guard for atom in atoms}) == 1 and len(called) > 1:
        names = [f"`{_tool(atom)}`" for atom in dict.fromkeys(atoms)]
        shared = called[0].removeprefix(f"{names[0]} ")
        return _either(names) if atoms[0].guard is None else f"{_either(names)} ({shared})"
    return _either(called)


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def call(atom: Atom) -> str:
    """Return an atom as a noun phrase."""
    name = f"`{_tool(atom)}`"
    return name if atom.guard is None else f"{name} with {condition(atom.guard)}"


def _tool(atom: Atom) -> str:
    return to_text(Atom(atom.tool)).replace("`", "'")


def condition(guard: g.Guard) -> str:
    """Return a guard in words, as what follows `with`."""
    match guard:
        case g.GuardNot(body):
            return f"not ({condition(body)})"
        case g.GuardAnd():
            return _conjoined(g.conjuncts(guard))
        case g.GuardOr(parts):
            return "either " + " or ".join(_grouped(part) for part in parts)
        case g.Compare(op, left, right):
            if op == "=" and isinstance(right, g.Var) and str(left) == right.name:
                return f"that {right.name}"
            plain = op == "=" and isinstance(left, g.Field) and isinstance(right, g.Const | g.Var)
            return f"{operand(left)} {'' if plain else _COMPARED[op]}{operand(right)}"
        case g.Member(place, values, positive):
            listed = " or ".join(operand(value) for value in values)
            if not positive:
                return f"some {operand(place)} other than {listed}"
            return f"{operand(place)} {listed}"
        case g.IsNull(place, positive):
            return f"no {operand(place)}" if positive else f"some {operand(place)}"
        case g.Contains(place, item):
            return f"{operand(place)} containing {operand(item)}"
        case g.StartsWith(place, prefix):
            return f"{operand(place)} starting with {operand(prefix)}"
        case g.Flag(place):
            return operand(place)
        case _:
            assert_never(guard)


def _conjoined(parts: tuple[g.Guard, ...]) -> str:
    """Return conditions as an enumeration; what else is said of a place stands behind its value, in parentheses."""
    said: dict[g.Operand | int, list[str]] = {}
    for number, part in enumerate(parts):
        text, place = _grouped(part), part.left if isinstance(part, g.Compare) else number
        if isinstance(part, g.Compare) and place in said:
            text = text.removeprefix(f"{operand(part.left)} ")
        said.setdefault(place, []).append(text)
    texts = [f"{first} ({' and '.join(rest)})" if rest else first for first, *rest in said.values()]
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else texts[0]


def _grouped(guard: g.Guard) -> str:
    """Return a part of a conjunction or disjunction, in parentheses if it is one itself."""
    loose = isinstance(guard, g.GuardAnd | g.GuardOr) or (isinstance(guard, g.Member) and len(guard.values) > 1)
    return f"({condition(guard)})" if loose else condition(guard)


def operand(place: g.Operand) -> str:
    """Return a place, literal or variable in words: `result.sent` is `result sent`."""
    match place:
        case g.Const(_, value):
            return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
        case g.Var(name):
            return name
        case g.Field():
            return str(place).replace(".", " ")
        case g.Arith(op, left, right):
            return f"({operand(left)} {op} {operand(right)})"
        case _:
            assert_never(place)
