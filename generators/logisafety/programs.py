"""The reference programs, read and carried out without Python running them.

    run("x = {'a': 1}\\nr = Bank.Pay(amount=x['a'])", ("Bank",), call, "task 7")    # call("Pay", {"amount": 1})

A reference is a list of assignments: variables that hold values, and calls of one toolkit whose arguments are values,
variables or parts of them. Nothing else is understood, and a program that uses something else is refused by name.
As published, some programs do not parse, since ids lost their quotation marks (`P-961998`, `670-4506-7847`,
`gid_guest_1`); these are read as the texts that they were.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from lexgym.errors import CheckoutError

MAX_PROGRAM = 100_000
"""Longest program that is read, in characters."""

Call: TypeAlias = Callable[[str, dict[str, Any]], Any]
"""Carries out a call of the toolkit and returns what it returned."""

_TEXT = re.compile(r"""('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")""")
_BARE_ID = re.compile(r"(?<![\w.])(?:[A-Z]-\d+|\d+(?:-\d+){2,})(?![\w.])")
_BARE_GUEST = re.compile(r"\bgid_(\w+)")


def run(program: str, toolkit: Sequence[str], call: Call, where: str) -> None:
    """Carry out a program, whose calls are made on one of the names in `toolkit`.

    Raises `CheckoutError`, which names the program, the line and what is not understood.
    """
    variables: dict[str, Any] = {}
    for statement in _parse(program, where).body:
        reader = _Reader(variables, toolkit, call, f"{where}, line {statement.lineno}")
        try:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    variables[name] = reader.value(value)
                case ast.Expr(value=ast.Call() as value):
                    reader.value(value)
                case _:
                    raise reader.puzzled(statement)
        except RecursionError:
            raise CheckoutError(f"{reader.where}: nested too deeply") from None


def quoted(program: str) -> str:
    """Return the program with quotation marks around the ids that lost them."""
    parts = _TEXT.split(program)
    for place in range(0, len(parts), 2):
        parts[place] = _BARE_GUEST.sub(r"'\1'", _BARE_ID.sub(lambda found: f"'{found[0]}'", parts[place]))
    return "".join(parts)


class _Reader:
    """Reads the values of one statement."""

    def __init__(self, variables: Mapping[str, Any], toolkit: Sequence[str], call: Call, where: str) -> None:
        self.variables, self.toolkit, self.call, self.where = variables, toolkit, call, where

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=str() | int() | float() | None as value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return -number
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self.value(item) for item in items]
            case ast.Dict(keys=keys, values=values):
                if not all(isinstance(key, ast.Constant) for key in keys):
                    raise self.puzzled(node)
                return {
                    ast.literal_eval(key): self.value(value) for key, value in zip(keys, values, strict=True) if key
                }
            case ast.Name(id=name):
                return self._variable(name)
            case ast.Subscript(value=whole, slice=part):
                return self._part(self.value(whole), self.value(part))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=[], keywords=keywords):
                if owner not in self.toolkit:
                    raise CheckoutError(f"{self.where}: calls {owner!r}, the toolkit is {self.toolkit[0]!r}")
                return self.call(name, {word.arg or self._refuse(node): self.value(word.value) for word in keywords})
            case _:
                raise self.puzzled(node)

    def puzzled(self, node: ast.AST) -> CheckoutError:
        kind = type(node).__name__
        return CheckoutError(
            f"{self.where}: {kind} is not understood: a reference assigns values, variables and calls of the toolkit"
        )

    def _refuse(self, node: ast.AST) -> str:
        raise self.puzzled(node)

    def _variable(self, name: str) -> Any:
        if name not in self.variables:
            raise CheckoutError(f"{self.where}: the variable {name!r} has no value")
        return self.variables[name]

    def _part(self, whole: Any, part: Any) -> Any:
        try:
            return whole[part]
        except (KeyError, IndexError, TypeError):
            raise CheckoutError(f"{self.where}: there is no {part!r} in {str(whole)[:80]}") from None


def _parse(program: str, where: str) -> ast.Module:
    if len(program) > MAX_PROGRAM:
        raise CheckoutError(f"{where}: the program has {len(program):,} characters, the limit is {MAX_PROGRAM:,}")
    try:
        return ast.parse(quoted(program))
    except SyntaxError as error:
        raise CheckoutError(f"{where}, line {error.lineno}: not a program: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise CheckoutError(f"{where}: not a program: {type(error).__name__} {error}") from None
