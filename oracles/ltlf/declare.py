"""Declare templates by name (Di Ciccio and Montali, "Declarative Process Specifications", 2022).

    precedence(a, b)   →   !b W a

Arguments are any formulas. The strong next is used where the published formula has it: a chain
response at the last step is violated. Forms that the literature tells apart have names of their
own: `…_strict` for "later" instead of "now or later", `…_lax` for chains whose first step is free,
`…_weak` for a weak next. Names are read without regard to case, `_` and `-`; a count may stand in
the name (`Existence2(a)`) or among the arguments.
"""

import re
from collections.abc import Callable, Sequence

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

MAX_COUNT = 200


def _at_least(count: int, a: Formula) -> Formula:
    formula: Formula = Truth(True)
    for turn in range(count):
        formula = Eventually(And((a, Next(formula)))) if turn else Eventually(a)
    return formula


def _at_most(count: int, a: Formula) -> Formula:
    return Not(_at_least(count + 1, a))


def _absence(count: int, a: Formula) -> Formula:
    """Fewer than `count` times, as published: `absence(1, a)` means never."""
    return Not(_at_least(count, a))


def _exactly(count: int, a: Formula) -> Formula:
    return And((_at_least(count, a), _at_most(count, a))) if count else _at_most(0, a)


def _between(least: int, most: int, a: Formula) -> Formula:
    return And((_at_least(least, a), _at_most(most, a))) if least else _at_most(most, a)


def _choice(a: Formula, b: Formula) -> Formula:
    return Or((Eventually(a), Eventually(b)))


def _not_coexistence(a: Formula, b: Formula) -> Formula:
    return Not(And((Eventually(a), Eventually(b))))


def _response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Eventually(b)))


def _precedence(a: Formula, b: Formula) -> Formula:
    return WeakUntil(Not(b), a)


def _restriction(check: Formula, action: Formula) -> Formula:
    return Not(Until(Not(check), action))


def _alternate_response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Next(Until(Not(a), b))))


def _alternate_precedence(a: Formula, b: Formula) -> Formula:
    again = Always(Implies(b, WeakNext(_precedence(a, b))))
    return And((_precedence(a, b), again))


def _chain_response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Next(b)))


def _chain_precedence(a: Formula, b: Formula) -> Formula:
    return And((Always(Implies(Next(b), a)), Not(b)))


def _not_response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Not(Eventually(b))))


def _not_response_strict(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, WeakNext(Always(Not(b)))))


def _not_chain_response(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, Not(Next(b))))


def _not_chain_weak(a: Formula, b: Formula) -> Formula:
    return Always(Implies(a, WeakNext(Not(b))))


_UNARY: dict[str, Callable[[Formula], Formula]] = {
    "init": lambda a: a,
    "end": lambda a: Eventually(And((a, Last()))),
    "participation": Eventually,
    "persistence": lambda a: Eventually(Always(a)),
}

_COUNTED: dict[str, Callable[[int, Formula], Formula]] = {
    "existence": _at_least,
    "absence": _absence,
    "exactly": _exactly,
    "at_least": _at_least,
    "at_most": _at_most,
}

_BINARY: dict[str, Callable[[Formula, Formula], Formula]] = {
    "choice": _choice,
    "exclusive_choice": lambda a, b: And((_choice(a, b), _not_coexistence(a, b))),
    "responded_existence": lambda a, b: Implies(Eventually(a), Eventually(b)),
    "coexistence": lambda a, b: Iff(Eventually(a), Eventually(b)),
    "response": _response,
    "response_strict": lambda a, b: Always(Implies(a, Next(Eventually(b)))),
    "precedence": _precedence,
    "precedence_strict": _restriction,
    "succession": lambda a, b: And((_response(a, b), _precedence(a, b))),
    "alternate_response": _alternate_response,
    "alternate_precedence": _alternate_precedence,
    "alternate_succession": lambda a, b: And((_alternate_response(a, b), _alternate_precedence(a, b))),
    "chain_response": _chain_response,
    "chain_response_weak": lambda a, b: Always(Implies(a, WeakNext(b))),
    "chain_precedence": _chain_precedence,
    "chain_precedence_lax": lambda a, b: Always(Implies(Next(b), a)),
    "chain_succession": lambda a, b: And((_chain_response(a, b), _chain_precedence(a, b))),
    "chain_succession_lax": lambda a, b: Always(Iff(a, Next(b))),
    "not_responded_existence": lambda a, b: Implies(Eventually(a), Not(Eventually(b))),
    "not_coexistence": _not_coexistence,
    "not_response": _not_response,
    "not_response_strict": _not_response_strict,
    "not_precedence": lambda a, b: Always(Implies(Eventually(b), Not(a))),
    "not_precedence_strict": lambda a, b: Always(Implies(Next(Eventually(b)), Not(a))),
    "not_succession": _not_response,
    "not_succession_strict": _not_response_strict,
    "not_chain_response": _not_chain_response,
    "not_chain_response_weak": _not_chain_weak,
    "not_chain_precedence": lambda a, b: Always(Implies(Next(b), Not(a))),
    "not_chain_succession": _not_chain_response,
    "not_chain_succession_weak": _not_chain_weak,
    "operational_restriction": _restriction,
    "instruction_adherence": _response,
}

_OTHER: dict[str, tuple[str, str]] = {
    "between": ("(m, n, a)", "least and most"),
    "bounded_response": ("(n, a, b)", "at most n steps later"),
}

NAMES: tuple[str, ...] = (*_UNARY, *_COUNTED, *_OTHER, *_BINARY)
"""The names of all templates, without their other spellings."""

_ALIASES = {
    "uniqueness": "atmost1",
    "last": "end",
    "precedencerv": "precedencestrict",
}
_NUMBERS = {"one": "1", "two": "2", "three": "3"}
_KEYS = {name.replace("_", ""): name for name in NAMES}


def declare(name: str, arguments: Sequence[Formula | int]) -> Formula:
    """Return the formula of a template.

    Raises FormulaError for an unknown name, or for arguments or counts that do not fit.
    """
    template, inside = _read(name)
    counts = [*inside, *(item for item in arguments if isinstance(item, int))]
    operands = [item for item in arguments if not isinstance(item, int)]
    for count in counts:
        if count > MAX_COUNT:
            raise FormulaError(f"{template} counts up to {MAX_COUNT}, not {str(count)[:40]}")
    match template, counts, operands:
        case "existence" | "absence", [], [a]:
            return _COUNTED[template](1, a)
        case "absence", [0], [_]:
            raise FormulaError("absence(n, a) means fewer than n times, so n is at least 1; never is absence(1, a)")
        case _, [count], [a] if template in _COUNTED:
            return _COUNTED[template](count, a)
        case "between", [least, most], [a]:
            if least > most:
                raise FormulaError(f"between({least}, {most}, …) is never true; expected between(m, n, a) with m <= n")
            return _between(least, most, a)
        case "bounded_response", [count], [a, b]:
            return Always(Implies(a, Eventually(b, count)))
        case _, [], [a] if template in _UNARY:
            return _UNARY[template](a)
        case _, [], [a, b] if template in _BINARY:
            return _BINARY[template](a, b)
    raise FormulaError(f"{name} takes {_form(template)}; {_given(counts[len(inside) :], len(operands))} given")


def _read(name: str) -> tuple[str, list[int]]:
    """Return the template that a name means, and the counts that stand in the name."""
    key = re.sub("[-_]", "", name).lower()
    counts: list[int] = []
    for candidate in _spellings(key):
        match = re.fullmatch(r"(.*?)(\d{1,9})?", candidate)
        stem, number = match.groups() if match else (candidate, None)
        if stem in _KEYS and (number is None or _KEYS[stem] in _COUNTED or stem == "boundedresponse"):
            counts = [] if number is None else [int(number)]
            return _KEYS[stem], counts
    raise FormulaError(f"no template {name[:60]!r}{near_miss(name.lower(), NAMES)}")


def _spellings(key: str) -> list[str]:
    """Return a name and what other tools would have it mean, shortest change first."""
    key = _ALIASES.get(key, key)
    for word, digit in _NUMBERS.items():
        if key.endswith(word) and key.removesuffix(word) in ("atleast", "atmost", "exactly", "existence", "absence"):
            key = key.removesuffix(word) + digit
    found = [key]
    if key.startswith("non"):
        found.append("not" + key.removeprefix("non"))
    if key.startswith("alt"):
        found.append("alternate" + key.removeprefix("alt"))
    if key.endswith("w"):
        found.append(key + "eak")
    return found


def _form(template: str) -> str:
    if template in _OTHER:
        form, meaning = _OTHER[template]
        return f"{form}, {meaning}"
    if template in _COUNTED:
        return "(n, a), a number and a formula"
    return "(a), one formula" if template in _UNARY else "(a, b), two formulas"


def _given(counts: list[int], operands: int) -> str:
    parts = [f"{len(counts)} number{'s' * (len(counts) != 1)}"] if counts else []
    return " and ".join([*parts, f"{operands} formula{'s' * (operands != 1)}"]) + (
        " were" if len(counts) + operands != 1 else " was"
    )


def template_named(words: str) -> str | None:
    """Return the template that the last words of a text name, such as `not_response` for `Not Response`."""
    parts = re.findall(r"[^\W\d]\w*", words)[-4:]
    for start in range(len(parts) - 1):
        key = "".join(parts[start:]).replace("_", "").lower()
        if key in _KEYS and words.rstrip().endswith(parts[-1]):
            return _KEYS[key]
    return None
