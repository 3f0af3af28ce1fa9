"""Text → formula.

    >>> str(parse("forall p. (!pay[payee = p]) W confirm[payee = p]"))
    'forall p. (!pay[payee = p]) W confirm[payee = p]'

The grammar is in `grammar.lark`; words of it that are tool names can be quoted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any, cast

from lark import Lark, Token, Tree, v_args
from lark.exceptions import UnexpectedInput, VisitError
from lark.visitors import Transformer_NonRecursive

from lexgym.errors import FormulaError, FormulaSyntaxError, SignatureError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.bindings import check_bindings
from lexgym.oracles.ltlf.declare import declare
from lexgym.oracles.ltlf.mistakes import explain
from lexgym.oracles.ltlf.signature import GuardChecker, Signature
from lexgym.oracles.ltlf.syntax import Formula

MAX_LENGTH = 1_000_000
MAX_SIZE = 1_000_000
"""Operators and atoms of a formula written out, templates included."""

MAX_GUARD_DEPTH = 50
MAX_BOUND = 10_000
MAX_DIGITS = 30

_UNARY: dict[str, Callable[[Formula], Formula]] = {
    "X": s.Next,
    "NEXT": s.Next,
    "WX": s.WeakNext,
    "N": s.WeakNext,
    "F": s.Eventually,
    "EVENTUALLY": s.Eventually,
    "G": s.Always,
    "ALWAYS": s.Always,
    "Y": s.Yesterday,
    "O": s.Once,
    "H": s.Historically,
}
_BINARY: dict[str, Callable[[Formula, Formula], Formula]] = {
    "U": s.Until,
    "UNTIL": s.Until,
    "R": s.Release,
    "W": s.WeakUntil,
    "M": s.StrongRelease,
    "S": s.Since,
}


@cache
def _lark() -> Lark:
    grammar = resources.files("lexgym.oracles.ltlf").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True)


def parse(text: str, signature: Signature | None = None) -> Formula:
    """Parse a formula, and check its atoms against a signature if given.

    Raises FormulaSyntaxError and SignatureError with the column, the latter for a tool, field, value
    or type that does not exist. Without a signature any tool and field name is accepted.
    """
    if not isinstance(text, str):
        raise FormulaError(f"a formula is text, not {type(text).__name__}")
    try:
        return _parse(text, signature)
    except (FormulaSyntaxError, SignatureError) as error:
        if error.column is not None:
            error.add_note(_pointed(text, error.column))
        raise


def _pointed(text: str, column: int) -> str:
    """Return the part of a text around a column, with a mark below it."""
    start = max(0, column - 60)
    shown = re.sub(r"\s", " ", text[start : column + 40])
    return f"  {shown}\n  {' ' * (column - 1 - start)}^"


def _parse(text: str, signature: Signature | None) -> Formula:
    if not text.strip():
        raise FormulaSyntaxError("the formula is empty; expected a formula", column=1)
    if len(text) > MAX_LENGTH:
        raise FormulaSyntaxError(f"the formula has {len(text)} characters, the limit is {MAX_LENGTH}")
    try:
        tree = _lark().parse(text)
    except UnexpectedInput as error:
        raise explain(text, error) from None
    quantifier = cast("Tree[Token] | None", tree.children[0])
    variables = tuple(str(token) for token in quantifier.children) if quantifier is not None else ()
    if len(set(variables)) < len(variables):
        raise FormulaSyntaxError(f"forall names a variable twice: {', '.join(variables)}", column=1)
    try:
        formula: Formula = _Builder(variables, signature).transform(tree)
    except VisitError as error:
        raise _located(error) from None
    _require_size(formula)
    if variables:
        check_bindings(variables, formula)
    return s.Forall(variables, formula) if variables else formula


def as_formula(formula: Formula | str) -> Formula:
    """Return a formula that may be given as text; raise FormulaError for what is neither."""
    return formula if isinstance(formula, s.Formula) else parse(formula)


def _require_size(formula: Formula) -> None:
    """Refuse a formula that is small only because templates repeat their arguments."""
    size: dict[Formula, int] = {}
    for part in s.postorder(formula):
        size[part] = 1 + sum(size[child] for child in s.children(part))
    if size[formula] > MAX_SIZE:
        raise FormulaSyntaxError(f"written out, the formula has more than {MAX_SIZE} operators", column=1)


def _located(error: VisitError) -> Exception:
    """Return the error behind a failed reading, with the column where the reading began."""
    cause = error.orig_exc
    if isinstance(cause, FormulaSyntaxError) and cause.column is None and isinstance(error.obj, Tree):
        cause.column = error.obj.meta.start_pos + 1
    return cause


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


def _unquote(token: Token) -> str:
    try:
        return cast(str, json.loads(token))
    except ValueError:
        raise FormulaSyntaxError(f"bad escape in {token}", column=_column(token)) from None


def _integer(token: Token) -> int:
    if len(token) > MAX_DIGITS:
        raise FormulaSyntaxError(f"a number of {len(token)} digits; at most {MAX_DIGITS}", column=_column(token))
    return int(token)


def _number(token: Token) -> g.Const:
    """Return a literal; a decimal without a fraction is an integer."""
    if token.type == "INTEGER" or len(token) > MAX_DIGITS:
        return g.Const("integer", _integer(token))
    value = Decimal(token.rstrip("0"))
    return g.Const("integer", int(value)) if value == int(value) else g.Const("number", value)


def _negated(literal: g.Const) -> g.Const:
    match literal.value:
        case bool() | str():
            return literal
        case value:
            return g.Const(literal.kind, -value)


class _Null:
    """The literal `null`, which may only be compared with = and !=."""


_Piece = g.Operand | g.Guard | _Null


@v_args(inline=True)
class _Builder(Transformer_NonRecursive[Token, Any]):
    """Builds formulas and guards bottom-up, without recursion."""

    def __init__(self, variables: tuple[str, ...], signature: Signature | None) -> None:
        super().__init__()
        self._variables = frozenset(variables)
        self._checker = GuardChecker(signature)
        self._operands: dict[int, tuple[g.Operand, int]] = {}

    def _at(self, operand: g.Operand, token: Token) -> g.Operand:
        """Remember where an operand stands, until its atom has been checked."""
        self._operands[id(operand)] = (operand, _column(token))
        return operand

    def start(self, _quantifier: object, formula: Formula) -> Formula:
        return formula

    def quantifier(self, *variables: Token) -> tuple[Token, ...]:
        return variables

    def iff(self, left: Formula, *rest: Any) -> Formula:
        if len(rest) > 2:
            raise FormulaSyntaxError("a chain of <-> needs parentheses", column=_column(rest[2]))
        return s.Iff(left, rest[1])

    def implies(self, left: Formula, right: Formula) -> Formula:
        return s.Implies(left, right)

    def disjunction(self, *parts: Formula) -> Formula:
        return s.Or(parts)

    def conjunction(self, *parts: Formula) -> Formula:
        return s.And(parts)

    def binary(self, *parts: Any) -> Formula:
        operators = [_BINARY[token] for token in parts[1::2]]
        for operator, token in zip(operators, parts[1::2], strict=True):
            if operator is not operators[0]:
                raise FormulaSyntaxError(f"{parts[1]} and {token} side by side need parentheses", column=_column(token))
        formula: Formula = parts[-1]
        for left in reversed(parts[:-1:2]):
            formula = operators[0](left, formula)
        return formula

    def negation(self, body: Formula) -> Formula:
        return s.Not(body)

    def unary(self, operator: Token, body: Formula) -> Formula:
        return _UNARY[operator](body)

    def bounded(self, operator: Token, bound: Token, body: Formula) -> Formula:
        steps = _integer(bound)
        if steps > MAX_BOUND:
            raise FormulaSyntaxError(f"the bound {steps} is above {MAX_BOUND}", column=_column(bound))
        return s.Eventually(body, steps) if _UNARY[operator] is s.Eventually else s.Always(body, steps)

    def true(self) -> Formula:
        return s.Truth(True)

    def false(self) -> Formula:
        return s.Truth(False)

    def last(self) -> Formula:
        return s.Last()

    def number(self, token: Token) -> int:
        return _integer(token)

    def template(self, name: Token, *arguments: Formula | int) -> Formula:
        try:
            return declare(str(name), list(arguments))
        except FormulaError as error:
            raise FormulaSyntaxError(error.args[0], column=_column(name)) from None

    def atom(self, name: Token, *pieces: _Piece | None) -> Formula:
        tool = _unquote(name) if name.type == "STRING" else str(name)
        try:
            parts = tuple(_condition(piece) for piece in pieces if piece is not None)
            guard = _all(parts) if parts else None
            _shallow(guard)
            self._checker.check(tool, guard, {key: column for key, (_, column) in self._operands.items()})
        except SignatureError as error:
            column = error.column or _column(name)
            raise SignatureError(error.args[0], column=column) from None
        except FormulaSyntaxError as error:
            raise FormulaSyntaxError(str(error), column=error.column or _column(name)) from None
        self._operands.clear()
        return s.Atom(tool, guard)

    def guard_or(self, *parts: _Piece) -> g.Guard:
        return g.GuardOr(tuple(map(_condition, parts)))

    def guard_and(self, *parts: _Piece) -> g.Guard:
        return _all(tuple(map(_condition, parts)))

    def guard_not(self, body: _Piece) -> g.Guard:
        return g.GuardNot(_condition(body))

    def compare(self, left: _Piece, token: Token, right: _Piece) -> g.Guard:
        op = cast(g.Comparator, "=" if token == "==" else str(token))
        if isinstance(right, _Null) and op in ("=", "!="):
            return g.IsNull(_operand(left), op == "=")
        if isinstance(left, g.Var) and left == right:
            left = g.Field("args", (left.name,))
        return g.Compare(op, _operand(left), _operand(right))

    def member(self, operand: _Piece, values: tuple[g.Const, ...]) -> g.Guard:
        return g.Member(_operand(operand), values)

    def not_member(self, operand: _Piece, values: tuple[g.Const, ...]) -> g.Guard:
        return g.Member(_operand(operand), values, positive=False)

    def is_null(self, operand: _Piece) -> g.Guard:
        return g.IsNull(_operand(operand))

    def is_not_null(self, operand: _Piece) -> g.Guard:
        return g.IsNull(_operand(operand), positive=False)

    def contains(self, operand: _Piece, item: _Piece) -> g.Guard:
        return g.Contains(_operand(operand), _operand(item))

    def startswith(self, operand: _Piece, prefix: _Piece) -> g.Guard:
        return g.StartsWith(_operand(operand), _operand(prefix))

    def arithmetic(self, left: _Piece, *rest: Any) -> g.Operand:
        result = _operand(left)
        for operator, right in zip(rest[::2], rest[1::2], strict=True):
            result = g.Arith(cast(Any, str(operator)), result, _operand(right))
        return result

    def sign(self, sign: Token, operand: _Piece) -> g.Operand:
        inner = _operand(operand)
        if sign == "+":
            return inner
        if isinstance(inner, g.Const) and inner.kind in ("integer", "number"):
            return self._at(_negated(inner), sign)
        return self._at(g.Arith("-", g.Const("integer", 0), inner), sign)

    def name(self, token: Token) -> g.Operand:
        return self._at(self._place(token), token)

    def _place(self, token: Token) -> g.Operand:
        head, *rest = token.split(".")
        if not rest and head in self._variables:
            return g.Var(head)
        if head == "args" and rest:
            return g.Field("args", tuple(rest))
        if head == "result":
            return g.Field("result", tuple(rest))
        return g.Field("status") if head == "status" and not rest else g.Field("args", (head, *rest))

    def integer(self, token: Token) -> g.Operand:
        return self._at(_number(token), token)

    def decimal(self, token: Token) -> g.Operand:
        return self._at(_number(token), token)

    def negative(self, token: Token) -> g.Operand:
        return self._at(_negated(_number(token)), token)

    def string(self, token: Token) -> g.Operand:
        return self._at(g.Const("string", _unquote(token)), token)

    def yes(self) -> g.Operand:
        return g.Const("boolean", True)

    def no(self) -> g.Operand:
        return g.Const("boolean", False)

    def null(self) -> _Null:
        return _Null()

    def list(self, *values: _Piece) -> tuple[g.Operand, ...]:
        return tuple(map(_operand, values))


def _all(parts: tuple[g.Guard, ...]) -> g.Guard:
    return parts[0] if len(parts) == 1 else g.GuardAnd(parts)


def _condition(piece: _Piece) -> g.Guard:
    """Read a piece as a condition: a bare place is a flag."""
    match piece:
        case g.Field() | g.Var():
            return g.Flag(piece)
        case g.Const() | g.Arith() | _Null():
            raise FormulaSyntaxError("a guard needs a comparison, not a bare value")
        case _:
            return piece


def _operand(piece: _Piece) -> g.Operand:
    match piece:
        case _Null():
            raise FormulaSyntaxError("null has no order and no place in a list; write 'is null'")
        case g.Const() | g.Field() | g.Var() | g.Arith():
            return piece
        case _:
            raise FormulaSyntaxError("a comparison cannot be compared; join the two with 'and'")


def _shallow(guard: g.Guard | None) -> None:
    """Refuse guards so deep that evaluating them would be a deep recursion."""
    layer: list[g.Guard | g.Operand] = [] if guard is None else [guard]
    for _ in range(MAX_GUARD_DEPTH):
        layer = [inner for piece in layer for inner in _inside(piece)]
        if not layer:
            return
    raise FormulaSyntaxError(f"a guard nests deeper than {MAX_GUARD_DEPTH}")


def _inside(piece: g.Guard | g.Operand) -> tuple[g.Guard | g.Operand, ...]:
    match piece:
        case g.GuardNot(body):
            return (body,)
        case g.GuardAnd(parts) | g.GuardOr(parts):
            return parts
        case g.Arith(_, left, right):
            return (left, right)
        case g.Const() | g.Field() | g.Var():
            return ()
        case _:
            return g.operands(piece)
