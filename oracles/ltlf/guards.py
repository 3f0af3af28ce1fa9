"""What an atom may ask of a call: comparisons on its arguments, result and status.

    transfer_funds[amount > 50000, purpose in ["gift", "loan"]]

A guard is data; `evaluation.py` turns it into a closure once, and nothing is ever `eval`ed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias, assert_never

Kind: TypeAlias = Literal["integer", "number", "string", "boolean"]
Comparator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Const:
    """A literal. `kind` keeps `true`, `1` and `"1"` apart, which Python's own equality does not.

    A `number` is a decimal with a fractional part; one without, such as `5.0`, is the integer 5.
    """

    kind: Kind
    value: str | int | bool | Decimal


@dataclass(frozen=True, slots=True)
class Field:
    """A place in the event: `args`, `result` or `status`, and the keys below it."""

    root: Literal["args", "result", "status"]
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join(self.path if self.root == "args" else (self.root, *self.path))


@dataclass(frozen=True, slots=True)
class Var:
    """A name bound by the rule's `forall`."""

    name: str


@dataclass(frozen=True, slots=True)
class Arith:
    """Exact arithmetic on numbers; null when either side is missing or null."""

    op: Literal["+", "-", "*"]
    left: "Operand"
    right: "Operand"


Operand: TypeAlias = Const | Field | Var | Arith


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison; false when either side is missing or null."""

    op: Comparator
    left: Operand
    right: Operand


@dataclass(frozen=True, slots=True)
class Member:
    """`x in […]`, or `x not in […]`; both false when x is missing or null."""

    operand: Operand
    values: tuple[Const, ...]
    positive: bool = True


@dataclass(frozen=True, slots=True)
class IsNull:
    """`x is null`: the value is missing or null."""

    operand: Operand
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Contains:
    """`x contains y`: the list x has the element y."""

    operand: Operand
    item: Operand


@dataclass(frozen=True, slots=True)
class StartsWith:
    """`x startswith y`, on strings."""

    operand: Operand
    prefix: Operand


@dataclass(frozen=True, slots=True)
class Flag:
    """A boolean place named bare, such as `result.authorized`."""

    operand: Field | Var


@dataclass(frozen=True, slots=True)
class GuardNot:
    """Negation, two-valued: `!(x > 1)` is true when x is missing."""

    body: "Guard"


@dataclass(frozen=True, slots=True)
class GuardAnd:
    """Conjunction; a comma means the same."""

    parts: tuple["Guard", ...]


@dataclass(frozen=True, slots=True)
class GuardOr:
    """Disjunction."""

    parts: tuple["Guard", ...]


Guard: TypeAlias = Compare | Member | IsNull | Contains | StartsWith | Flag | GuardNot | GuardAnd | GuardOr


def conjuncts(guard: Guard | None) -> tuple[Guard, ...]:
    """Return the guards that must all hold."""
    if guard is None:
        return ()
    if isinstance(guard, GuardAnd):
        return tuple(leaf for part in guard.parts for leaf in conjuncts(part))
    return (guard,)


def operands(guard: Guard) -> tuple[Operand, ...]:
    """Return the operands that stand directly in a guard that is no boolean combination."""
    match guard:
        case Compare(_, left, right) | Contains(left, right) | StartsWith(left, right):
            return (left, right)
        case Member(operand, _, _) | IsNull(operand, _) | Flag(operand):
            return (operand,)
        case GuardNot() | GuardAnd() | GuardOr():
            return ()
        case _:
            assert_never(guard)


def leaves(guard: Guard | None) -> Iterator[Const | Field | Var]:
    """Yield every literal, place and variable of a guard."""
    if guard is None:
        return
    if isinstance(guard, GuardNot):
        yield from leaves(guard.body)
    elif isinstance(guard, GuardAnd | GuardOr):
        for part in guard.parts:
            yield from leaves(part)
    else:
        for operand in operands(guard):
            yield from _operand_leaves(operand)


def _operand_leaves(operand: Operand) -> Iterator[Const | Field | Var]:
    if isinstance(operand, Arith):
        yield from _operand_leaves(operand.left)
        yield from _operand_leaves(operand.right)
    else:
        yield operand


def mentions_status(guard: Guard | None) -> bool:
    """Whether the guard asks for the status itself, so that its atom sees unsuccessful calls too."""
    return any(isinstance(leaf, Field) and leaf.root == "status" for leaf in leaves(guard))


def variables_of(guard: Guard | None) -> frozenset[str]:
    """Return the `forall` variables that a guard mentions."""
    return frozenset(leaf.name for leaf in leaves(guard) if isinstance(leaf, Var))
