"""Formula → text that parses back to the same formula.

>>> to_text(Implies(Atom("a"), Next(Atom("X"))))
'a -> X "X"'
"""

import json
import re
from decimal import Decimal
from typing import assert_never

from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.syntax import Atom, Formula, Implies, Next

__all__ = ["Atom", "Implies", "Next", "guard_text", "to_text"]

_NAME = re.compile(r"[^\W\d]\w*(\.\w+)*")
_WORDS = frozenset(
    "X WX N F G Y O H U R W M S NEXT EVENTUALLY ALWAYS UNTIL NOT AND OR IMPLIES not and or implies "  # noqa: SIM905
    "TRUE FALSE true false last null in is contains startswith forall FORALL args result status".split()
)
_SYMBOLS: dict[type, str] = {
    s.Next: "X",
    s.WeakNext: "WX",
    s.Eventually: "F",
    s.Always: "G",
    s.Yesterday: "Y",
    s.Once: "O",
    s.Historically: "H",
    s.Until: "U",
    s.Release: "R",
    s.WeakUntil: "W",
    s.StrongRelease: "M",
    s.Since: "S",
}

_LOOSE, _JUNCTION, _UNARY, _ATOM = range(4)
"""How tightly a text binds, coarser than in the grammar: mixtures that few know by heart get parentheses."""

_Spread = s.And | s.Or | Implies | s.Iff | s.Until | s.Release | s.WeakUntil | s.StrongRelease | s.Since

_Part = str | tuple[Formula, int]


def to_text(formula: Formula) -> str:
    """Return the formula as text, with parentheses wherever a reader could doubt."""
    if not isinstance(formula, s.Formula):
        raise FormulaError(f"only a formula can be written as text, not {type(formula).__name__}")
    variables = frozenset(formula.variables) if isinstance(formula, s.Forall) else frozenset()
    out: list[str] = []
    stack: list[_Part] = [(formula, _LOOSE)]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            out.append(part)
            continue
        inner, needed = part
        pieces, level = _pieces(inner, variables)
        stack.extend(reversed(pieces if level >= needed else ["(", *pieces, ")"]))
    return "".join(out)


def _pieces(formula: Formula, variables: frozenset[str]) -> tuple[list[_Part], int]:
    """Return a formula's text with its subformulas still open, and how tightly it binds."""
    match formula:
        case s.Truth(value):
            return ["true" if value else "false"], _ATOM
        case s.Last():
            return ["last"], _ATOM
        case Atom():
            return [_atom(formula, variables)], _ATOM
        case s.Not(body):
            return ["!", (body, _UNARY)], _UNARY
        case s.And(parts) | s.Or(parts):
            return _join(parts, " & " if isinstance(formula, s.And) else " | "), _JUNCTION
        case Implies(left, right) | s.Iff(left, right):
            arrow = " -> " if isinstance(formula, Implies) else " <-> "
            return [(left, _JUNCTION), arrow, (right, _JUNCTION)], _LOOSE
        case s.Eventually(body, int(bound)) | s.Always(body, int(bound)):
            return _before(f"{_SYMBOLS[type(formula)]}[<={bound}]", body), _UNARY
        case Next(body) | s.WeakNext(body) | s.Eventually(body) | s.Always(body):
            return _before(_SYMBOLS[type(formula)], body), _UNARY
        case s.Yesterday(body) | s.Once(body) | s.Historically(body):
            return _before(_SYMBOLS[type(formula)], body), _UNARY
        case s.Until(left, right) | s.Release(left, right) | s.WeakUntil(left, right):
            return [(left, _ATOM), f" {_SYMBOLS[type(formula)]} ", (right, _ATOM)], _LOOSE
        case s.StrongRelease(left, right) | s.Since(left, right):
            return [(left, _ATOM), f" {_SYMBOLS[type(formula)]} ", (right, _ATOM)], _LOOSE
        case s.Forall(names, body):
            return [f"forall {', '.join(names)}. ", (body, _LOOSE)], _LOOSE
        case _:
            assert_never(formula)


def _before(symbol: str, body: Formula) -> list[_Part]:
    """Return an operator in front of a formula, without a space before a parenthesis."""
    tight = isinstance(body, _Spread)
    return [symbol if tight else f"{symbol} ", (body, _UNARY)]


def _join(parts: tuple[Formula, ...], word: str) -> list[_Part]:
    pieces: list[_Part] = []
    for part in parts:
        pieces += [word, (part, _UNARY)]
    return pieces[1:]


def _atom(atom: Atom, variables: frozenset[str]) -> str:
    bare = _NAME.fullmatch(atom.tool) and atom.tool not in _WORDS
    tool = atom.tool if bare else json.dumps(atom.tool, ensure_ascii=False)
    return tool if atom.guard is None else f"{tool}[{guard_text(atom.guard, variables)}]"


def guard_text(guard: g.Guard, variables: frozenset[str] = frozenset()) -> str:
    """Return a guard as text; `variables` are the names that a bare word would mean."""
    bound = variables | g.variables_of(guard)
    if isinstance(guard, g.GuardAnd):
        return ", ".join(_guard(part, bound, 1) for part in guard.parts)
    return _guard(guard, bound, 0)


def _guard(guard: g.Guard, bound: frozenset[str], needed: int) -> str:
    text, level = _guard_level(guard, bound)
    return text if level >= needed else f"({text})"


def _guard_level(guard: g.Guard, bound: frozenset[str]) -> tuple[str, int]:
    match guard:
        case g.GuardOr(parts):
            return " or ".join(_guard(part, bound, 2) for part in parts), 0
        case g.GuardAnd(parts):
            return " and ".join(_guard(part, bound, 2) for part in parts), 1
        case g.GuardNot(body):
            plain = isinstance(body, g.Flag | g.GuardNot)
            return f"!{_guard(body, bound, 0)}" if plain else f"!({_guard(body, bound, 0)})", 2
        case g.Compare(op, left, right):
            return f"{_operand(left, bound)} {op} {_operand(right, bound)}", 3
        case g.Member(operand, values, positive):
            listed = ", ".join(_operand(value, bound) for value in values)
            return f"{_operand(operand, bound)} {'in' if positive else 'not in'} [{listed}]", 3
        case g.IsNull(operand, positive):
            return f"{_operand(operand, bound)} is {'null' if positive else 'not null'}", 3
        case g.Contains(operand, item):
            return f"{_operand(operand, bound)} contains {_operand(item, bound)}", 3
        case g.StartsWith(operand, prefix):
            return f"{_operand(operand, bound)} startswith {_operand(prefix, bound)}", 3
        case g.Flag(operand):
            return _operand(operand, bound), 3
        case _:
            assert_never(guard)


def _operand(operand: g.Operand, bound: frozenset[str]) -> str:
    match operand:
        case g.Const(_, value):
            return format(value, "f") if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
        case g.Var(name):
            return name
        case g.Field("args", (head, *_)) if head in bound or head in _WORDS:
            return f"args.{operand}"
        case g.Field():
            return str(operand)
        case g.Arith(op, left, right):
            return f"{_inner(left, bound)} {op} {_inner(right, bound)}"
        case _:
            assert_never(operand)


def _inner(operand: g.Operand, bound: frozenset[str]) -> str:
    text = _operand(operand, bound)
    return f"({text})" if isinstance(operand, g.Arith) else text
