"""Declare templates by name (Di Ciccio and Montali, "Declarative Process Specifications", 2022).

    precedence(a, b)   →   !b W a

Arguments are any formulas. The strong next is used where the published formula has it: a chain
response at the last step is violated.
"""

from collections.abc import Callable

from lexgym.errors import FormulaError, near_miss
from lexgym.oracles.ltlf.syntax import (
    Always,
    And,
    Eventually,
    Formula,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Or,
    Truth,
    Until,
    WeakNext,
    WeakUntil,
)


def _existence(count: int, a: Formula) -> Formula:
    formula: Formula = Truth(True)
    for turn in range(count):
        formula = Eventually(And((a, Next(formula)))) if turn else Eventually(a)
    return formula


def _absence(count: int, a: Formula) -> Formula:
    """Fewer than `count` times, as published: `absence(1, a)` means never."""
    return Not(_existence(count, a))


def _exactly(count: int, a: Formula) -> Formula:
    return And((_existence(count, a), Not(_existence(count + 1, a))))


def _response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Eventually(b)))


def _precedence(a: Formula, b: Formula) -> Formula:
    return WeakUntil(Not(b), a)


def _alternate_response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Next(Until(Not(a), b))))


def _alternate_precedence(a: Formula, b: Formula) -> Formula:
    again = Always(Implies(b, WeakNext(_precedence(a, b))))
    return And((_precedence(a, b), again))


def _chain_response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Next(b)))


def _chain_precedence(a: Formula, b: Formula) -> Formula:
    return And((Always(Implies(Next(b), a)), Not(b)))


_UNARY: dict[str, Callable[[Formula], Formula]] = {
    "init": lambda a: a,
    "end": lambda a: Eventually(And((a, Last()))),
}

_COUNTED: dict[str, Callable[[int, Formula], Formula]] = {
    "existence": _existence,
    "absence": _absence,
    "exactly": _exactly,
}

_BINARY: dict[str, Callable[[Formula, Formula], Formula]] = {
    "choice": lambda a, b: Or((Eventually(a), Eventually(b))),
    "exclusivechoice": lambda a, b: And((Or((Eventually(a), Eventually(b))), Not(And((Eventually(a), Eventually(b)))))),
    "respondedexistence": lambda a, b: Implies(Eventually(a), Eventually(b)),
    "coexistence": lambda a, b: Iff(Eventually(a), Eventually(b)),
    "response": _response,
    "precedence": _precedence,
    "succession": lambda a, b: And((_response(a, b), _precedence(a, b))),
    "alternateresponse": _alternate_response,
    "alternateprecedence": _alternate_precedence,
    "alternatesuccession": lambda a, b: And((_alternate_response(a, b), _alternate_precedence(a, b))),
    "chainresponse": _chain_response,
    "chainprecedence": _chain_precedence,
    "chainsuccession": lambda a, b: And((_chain_response(a, b), _chain_precedence(a, b))),
    "notrespondedexistence": lambda a, b: Implies(Eventually(a), Not(Eventually(b))),
    "notcoexistence": lambda a, b: Not(And((Eventually(a), Eventually(b)))),
    "notresponse": lambda a, b: Always(Implies(a, Not(Eventually(b)))),
    "notprecedence": lambda a, b: Always(Implies(Eventually(b), Not(a))),
    "notsuccession": lambda a, b: Always(Implies(a, Not(Eventually(b)))),
    "notchainresponse": lambda a, b: Always(Implies(a, Not(Next(b)))),
    "notchainprecedence": lambda a, b: Always(Implies(Next(b), Not(a))),
    "notchainsuccession": lambda a, b: Always(Implies(a, Not(Next(b)))),
}

MAX_COUNT = 200


def declare(name: str, arguments: list[Formula | int]) -> Formula:
    """Return the formula of a template; case and underscores in its name do not matter.

    Raises FormulaError for an unknown name or arguments that do not fit.
    """
    key = name.replace("_", "").lower()
    match arguments:
        case [int(count), operand] if key in _COUNTED and not isinstance(operand, int):
            if not 1 <= count <= MAX_COUNT:
                raise FormulaError(f"{name} counts from 1 to {MAX_COUNT}, not {count}")
            return _COUNTED[key](count, operand)
        case [operand] if key in ("existence", "absence") and not isinstance(operand, int):
            return _COUNTED[key](1, operand)
        case [operand] if key in _UNARY and not isinstance(operand, int):
            return _UNARY[key](operand)
        case [left, right] if key in _BINARY and not isinstance(left, int) and not isinstance(right, int):
            return _BINARY[key](left, right)
    known = (*_UNARY, *_COUNTED, *_BINARY)
    if key not in known:
        raise FormulaError(f"no template {name!r}{near_miss(key, known)}")
    form = "(a)" if key in _UNARY else "(n, a)" if key in _COUNTED else "(a, b)"
    raise FormulaError(f"{name} takes {form}")
