"""Formula → minimal automaton over plain names.

    >>> dfa = compile("G(a -> F b)")
    >>> dfa.accepts([{"a"}, set(), {"b"}]), len(dfa)
    (True, 2)

The Boolean parts are built apart, minimised and composed; the temporal parts by progression.
"""

from __future__ import annotations

from collections.abc import Sequence

from lexgym.errors import FormulaError, StateLimitExceeded
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.automaton import DFA, combine, complement, finish
from lexgym.oracles.ltlf.parser import as_formula
from lexgym.oracles.ltlf.plain import Automaton, Events
from lexgym.oracles.ltlf.progression import Table, progress
from lexgym.oracles.ltlf.syntax import Atom, Formula

MAX_STATES = 50_000
MAX_LETTERS = 4_096
MAX_CELLS = 4_000_000
"""States times letters, which bounds time and memory whatever the two limits are."""


def build(formula: Formula, bits: dict[Atom, int], letters: Sequence[int], limit: int = MAX_STATES) -> DFA:
    """Build the minimal automaton over letters, each the atoms true in it as bits.

    Raises StateLimitExceeded beyond `limit` states, or `MAX_CELLS` cells, before minimisation.
    """
    table = _build(formula, bits, letters, limit, 0)
    if len(table.rows) * len(letters) > MAX_CELLS:
        raise StateLimitExceeded(
            f"the automaton needs {len(table.rows)} states for {len(letters)} letters, the limit is {MAX_CELLS} of both"
        )
    return finish(table)


def _build(formula: Formula, bits: dict[Atom, int], letters: Sequence[int], limit: int, depth: int) -> Table:
    def part(inner: Formula) -> Table:
        return _build(inner, bits, letters, limit, depth + 1)

    match formula:
        case s.Not(body) if depth < 20:
            return complement(part(body))
        case s.And(parts) if depth < 20 and _worth_splitting(parts):
            return combine([part(p) for p in parts], lambda a, b: a and b, limit)
        case s.Or(parts) if depth < 20 and _worth_splitting(parts):
            return combine([part(p) for p in parts], lambda a, b: a or b, limit)
        case s.Implies(left, right) if depth < 20 and _worth_splitting((left, right)):
            return combine([complement(part(left)), part(right)], lambda a, b: a or b, limit)
        case s.Iff(left, right) if depth < 20 and _worth_splitting((left, right)):
            return combine([part(left), part(right)], lambda a, b: a == b, limit)
        case _:
            return progress(formula, bits, letters, limit)


def _worth_splitting(parts: tuple[Formula, ...]) -> bool:
    temporal = (s.Future, s.Past)
    return sum(any(isinstance(n, temporal) for n in s.postorder(part)) for part in parts) >= 2


def compile(  # noqa: A001 - the name that everyone looks for
    formula: Formula | str,
    events: Events = "single",
    *,
    max_states: int = MAX_STATES,
    max_letters: int = MAX_LETTERS,
) -> Automaton:
    """Compile a formula over plain names.

    Raises FormulaError for guarded or quantified formulas, which need `compile_rule`, and
    StateLimitExceeded beyond the limits.
    """
    parsed = as_formula(formula)
    atoms = s.atoms_of(parsed)
    if isinstance(parsed, s.Forall) or any(atom.guard is not None for atom in atoms):
        raise FormulaError("guards and forall need events, not names: use compile_rule")
    bits = {atom: 1 << i for i, atom in enumerate(atoms)}
    letters = _letters(len(atoms), events, max_letters)
    dfa = build(parsed, bits, letters, max_states)
    return Automaton(parsed, events, dfa, tuple(atom.tool for atom in atoms), tuple(letters))


def _letters(names: int, events: Events, limit: int) -> list[int]:
    if events not in ("single", "multi"):
        raise FormulaError(f"events is 'single' or 'multi', not {events!r}")
    count = names + 1 if events == "single" else 1 << names
    if count > limit:
        raise StateLimitExceeded(f"{names} names make {count} letters with events={events!r}, the limit is {limit}")
    return [0, *(1 << i for i in range(names))] if events == "single" else list(range(count))


def counterexample(left: Formula | str, right: Formula | str, events: Events = "single") -> list[frozenset[str]] | None:
    """Return a shortest trace on which `left` holds and `right` does not, or None: left entails right.

    Steps are sets of names; with guards, of the atoms that hold, such as `pay[amount > 5]`. Raises
    FormulaError for `forall`, which `hygiene.examine` compares.
    """
    one, two = map(as_formula, (left, right))
    if isinstance(one, s.Forall) or isinstance(two, s.Forall):
        raise FormulaError("rules with forall are compared by lexgym.oracles.ltlf.hygiene.examine")
    both = s.And((one, s.Not(two)))
    if all(atom.guard is None for atom in s.atoms_of(both)):
        return compile(both, events).word()
    from lexgym.oracles.ltlf.rule import compile_rule  # which needs this module

    if events != "single":
        raise FormulaError("guards are about calls, of which a step has one: events is 'single'")
    rule = compile_rule(both)
    word = rule.dfa.word()
    masks = {column: mask for mask, column in reversed(rule.columns.items())}
    if word is None:
        return None
    return [frozenset(str(atom) for atom, bit in rule.bits.items() if masks[column] & bit) for column in word]


def entails(left: Formula | str, right: Formula | str, events: Events = "single") -> bool:
    """Whether every trace on which `left` holds satisfies `right`."""
    return counterexample(left, right, events) is None
