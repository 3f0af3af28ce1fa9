"""Guards with their `forall` variables under other names, so that rules can be compared.

pay[payee = p]   with {"p": "x"}   →   pay[payee = x]
"""

from collections.abc import Mapping
from typing import assert_never

from lexgym.oracles.ltlf import guards as g


def renamed(guard: g.Guard | None, names: Mapping[str, str]) -> g.Guard | None:
    """Return a guard with its `forall` variables under other names."""
    return None if guard is None else _renamed(guard, names)


def _renamed(guard: g.Guard, names: Mapping[str, str]) -> g.Guard:
    match guard:
        case g.GuardNot(body):
            return g.GuardNot(_renamed(body, names))
        case g.GuardAnd(parts):
            return g.GuardAnd(tuple(_renamed(part, names) for part in parts))
        case g.GuardOr(parts):
            return g.GuardOr(tuple(_renamed(part, names) for part in parts))
        case g.Compare(op, left, right):
            return g.Compare(op, _renamed_operand(left, names), _renamed_operand(right, names))
        case g.Member(operand, values, positive):
            return g.Member(_renamed_operand(operand, names), values, positive)
        case g.IsNull(operand, positive):
            return g.IsNull(_renamed_operand(operand, names), positive)
        case g.Contains(operand, item):
            return g.Contains(_renamed_operand(operand, names), _renamed_operand(item, names))
        case g.StartsWith(operand, prefix):
            return g.StartsWith(_renamed_operand(operand, names), _renamed_operand(prefix, names))
        case g.Flag(operand):
            return g.Flag(g.Var(names[operand.name]) if isinstance(operand, g.Var) else operand)
        case _:
            assert_never(guard)


def _renamed_operand(operand: g.Operand, names: Mapping[str, str]) -> g.Operand:
    match operand:
        case g.Var(name):
            return g.Var(names[name])
        case g.Arith(op, left, right):
            return g.Arith(op, _renamed_operand(left, names), _renamed_operand(right, names))
        case g.Const() | g.Field():
            return operand
        case _:
            assert_never(operand)
