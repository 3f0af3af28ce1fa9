"""A third judge: a formula on traces of a given length, as a Boolean problem for Z3.

    >>> model(parse("a & X b"), 2)
    [frozenset({'a'}), frozenset({'b'})]

One Boolean stands for each subformula at each position, tied to its neighbours by the fix-point
laws: `U` holds at i when its right side does, or its left side does and `U` holds at i + 1. Shares
with the automata and the recursive semantics only the syntax and the evaluation of one guard on one
event. Covers lengths up to the one asked for; says nothing about longer traces. Fails closed: where
Z3 gives up, FormulaError. Importing this module loads Z3; `lexgym.oracles.ltlf` itself does not.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count, product
from typing import Any, TypeAlias, assert_never

import z3  # type: ignore[import-untyped]

from lexgym.core import Event, Status
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.evaluation import compile_guard, same
from lexgym.oracles.ltlf.parser import parse
from lexgym.oracles.ltlf.plain import Automaton, Events
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Atom, Formula

__all__ = ["differs", "holds", "model", "parse"]

RESOURCES = 20_000_000
"""Z3's own deterministic measure of work per question, instead of a clock."""

MAX_TUPLES = 100_000

_Rows: TypeAlias = dict[Formula, list[Any]]


def model(formula: Formula, length: int, events: Events = "single") -> list[frozenset[str]] | None:
    """Return a trace of exactly this length on which the formula holds, or None if there is none.

    Raises FormulaError for guards and forall, and when Z3 gives up.
    """
    atoms = s.atoms_of(formula)
    if isinstance(formula, s.Forall) or any(atom.guard is not None for atom in atoms):
        raise FormulaError("a model is a trace of names, and guards and forall need events")
    problem = _Problem()
    trace = _Trace(problem, atoms, length)
    trace.admit(events)
    problem.require(problem.root(formula, length, trace.rows))
    return trace.solution()


def differs(formula: Formula, automaton: Automaton | RuleAutomaton, max_length: int) -> list[frozenset[str]] | None:
    """Return a shortest trace on which formula and automaton disagree, or None up to `max_length` steps.

    A trace is over the automaton's own letters: names, and guarded atoms as text. A sliced rule is
    compared within a slice. Raises FormulaError when Z3 gives up.
    """
    body = formula.body if isinstance(formula, s.Forall) else formula
    found = (_difference(body, automaton, length) for length in range(max_length + 1))
    return next((trace for trace in found if trace is not None), None)


def _difference(body: Formula, automaton: Automaton | RuleAutomaton, length: int) -> list[frozenset[str]] | None:
    bits, masks = _letters(automaton)
    problem = _Problem()
    trace = _Trace(problem, dict.fromkeys([*bits, *s.atoms_of(body)]), length)
    trace.admit(automaton.events if isinstance(automaton, Automaton) else [_chosen(bits, mask) for mask in masks])
    read = [[trace.letter(i, bits, _chosen(bits, mask)) for mask in masks] for i in range(length)]
    accepts = _run(problem, automaton, read)
    problem.require(problem.root(body, length, trace.rows) != accepts)
    return trace.solution()


def _letters(automaton: Automaton | RuleAutomaton) -> tuple[dict[Atom, int], list[int]]:
    """Return each atom's bit, and the letters in the order of the automaton's columns."""
    if isinstance(automaton, RuleAutomaton):
        return automaton.bits, list(automaton.columns)
    return {Atom(name): 1 << i for i, name in enumerate(automaton.names)}, list(automaton.letters)


def _chosen(bits: dict[Atom, int], mask: int) -> frozenset[Atom]:
    return frozenset(atom for atom, bit in bits.items() if mask & bit)


def _run(problem: "_Problem", automaton: Automaton | RuleAutomaton, read: list[list[Any]]) -> Any:
    """Return the term that the automaton accepts, given the letter read at each step as Booleans."""
    rows, front = automaton.dfa.rows, {0: problem.yes}
    for letters in read:
        ways: dict[int, list[Any]] = {}
        for state, here in front.items():
            for target, letter in zip(rows[state], letters, strict=True):
                ways.setdefault(target, []).append(z3.And(here, letter))
        front = {target: problem.named(z3.Or(reasons)) for target, reasons in ways.items()}
    return problem.named(
        z3.Or([problem.no, *(here for state, here in front.items() if automaton.dfa.accepting[state])])
    )


class _Local(threading.local):
    """A Z3 context for each thread, because one is not safe in two."""

    def __init__(self) -> None:
        self.context = z3.Context()


_local = _Local()


class _Problem:
    """Some Booleans and what is required of them."""

    def __init__(self) -> None:
        self.context = _local.context
        self.solver = z3.SolverFor("QF_FD", ctx=self.context)
        self.solver.set("rlimit", RESOURCES)
        self.yes, self.no = z3.BoolVal(True, self.context), z3.BoolVal(False, self.context)
        self._numbers = count()

    def free(self) -> Any:
        """Return a fresh Boolean."""
        return z3.Bool(f"b{next(self._numbers)}", self.context)

    def named(self, term: Any) -> Any:
        """Return a fresh Boolean that equals a term, so that terms stay shallow."""
        fresh = self.free()
        self.solver.add(fresh == term)
        return fresh

    def require(self, term: Any) -> None:
        """Look only for solutions in which a term is true."""
        self.solver.add(term)

    def solve(self) -> Callable[[Any], bool] | None:
        """Return a solution as the truth of each term, or None if there is none."""
        answer = self.solver.check()
        if answer == z3.unknown:
            raise FormulaError(f"Z3 gave up on the formula ({self.solver.reason_unknown()})")
        if answer == z3.unsat:
            return None
        solution = self.solver.model()
        return lambda term: z3.is_true(solution.eval(term, model_completion=True))

    def root(self, formula: Formula, length: int, atoms: _Rows) -> Any:
        """Return the term that a formula without forall holds at the start of a trace of this length."""
        rows = dict(atoms)
        for part in s.postorder(formula):
            if not isinstance(part, Atom):
                rows[part] = self._row(part, length, rows)
        return rows[formula][0]

    def _row(self, part: Formula, length: int, rows: _Rows) -> list[Any]:
        """Return the truth of a subformula at each position; the empty trace is read at position 0."""
        if isinstance(part, s.Future):
            return self._backwards(part, length, rows)
        if isinstance(part, s.Past):
            return self._forwards(part, length, rows)
        if isinstance(part, s.Last):
            return [self.no] * (length - 1) + [self.yes]
        return [self.named(self._boolean(part, i, rows)) for i in range(max(1, length))]

    def _boolean(self, part: Formula, i: int, rows: _Rows) -> Any:
        match part:
            case s.Truth(value):
                return self.yes if value else self.no
            case s.Not(body):
                return z3.Not(rows[body][i])
            case s.And(parts):
                return z3.And([rows[inner][i] for inner in parts])
            case s.Or(parts):
                return z3.Or([rows[inner][i] for inner in parts])
            case s.Implies(left, right):
                return z3.Implies(rows[left][i], rows[right][i])
            case s.Iff(left, right):
                return rows[left][i] == rows[right][i]
            case _:
                raise AssertionError(f"{type(part).__name__} is not read here")

    def _backwards(self, part: s.Future, length: int, rows: _Rows) -> list[Any]:
        """Unroll a future operator from the end, where no further position exists."""
        weak = isinstance(part, s.WeakNext | s.Always | s.Release | s.WeakUntil)
        row = [self.yes if weak else self.no]
        for i in reversed(range(length)):
            row.append(self.named(_now(part, i, length, rows, row[-1])))
        return row[:0:-1] or row

    def _forwards(self, part: s.Past, length: int, rows: _Rows) -> list[Any]:
        """Unroll a past operator from the start, where no earlier position exists."""
        row = [self.yes if isinstance(part, s.Historically) else self.no]
        for i in range(length):
            row.append(self.named(_since(part, i, rows, row[-1])))
        return row[1:] or row


def _now(part: s.Future, i: int, length: int, rows: _Rows, later: Any) -> Any:
    """Return the truth of a future operator at i, from that at i + 1."""
    match part:
        case s.Next(body) | s.WeakNext(body):
            return rows[body][i + 1] if i + 1 < length else later
        case s.Eventually(body, int(bound)):
            return z3.Or(rows[body][i : i + bound + 1])
        case s.Always(body, int(bound)):
            return z3.And(rows[body][i : i + bound + 1])
        case s.Eventually(body):
            return z3.Or(rows[body][i], later)
        case s.Always(body):
            return z3.And(rows[body][i], later)
        case s.Until(left, right) | s.WeakUntil(left, right):
            return z3.Or(rows[right][i], z3.And(rows[left][i], later))
        case s.Release(left, right) | s.StrongRelease(left, right):
            return z3.And(rows[right][i], z3.Or(rows[left][i], later))
        case _:
            assert_never(part)


def _since(part: s.Past, i: int, rows: _Rows, earlier: Any) -> Any:
    """Return the truth of a past operator at i, from that at i - 1."""
    match part:
        case s.Yesterday(body):
            return rows[body][i - 1] if i else earlier
        case s.Once(body):
            return z3.Or(rows[body][i], earlier)
        case s.Historically(body):
            return z3.And(rows[body][i], earlier)
        case s.Since(left, right):
            return z3.Or(rows[right][i], z3.And(rows[left][i], earlier))
        case _:
            assert_never(part)


class _Trace:
    """A trace to be found: which atoms are true at which step."""

    def __init__(self, problem: _Problem, atoms: Iterable[Atom], length: int) -> None:
        self._problem = problem
        self._length = length
        self.rows: _Rows = {atom: [problem.free() for _ in range(length)] or [problem.no] for atom in atoms}

    def admit(self, letters: Events | list[frozenset[Atom]]) -> None:
        """Say what a step can be: one atom at most, any set of atoms, or one of some sets."""
        if letters not in ("single", "multi") and isinstance(letters, str):
            raise FormulaError(f"events is 'single' or 'multi', not {letters!r}")
        for i in range(self._length):
            if letters == "single" and self.rows:
                self._problem.require(z3.AtMost(*(row[i] for row in self.rows.values()), 1))
            elif not isinstance(letters, str):
                self._problem.require(z3.Or([self.letter(i, self.rows, letter) for letter in letters]))

    def letter(self, i: int, atoms: Iterable[Formula], held: frozenset[Atom]) -> Any:
        """Return the term that of some atoms exactly those in `held` are true at step i."""
        terms = [self.rows[atom][i] if atom in held else z3.Not(self.rows[atom][i]) for atom in atoms]
        return self._problem.named(z3.And([self._problem.yes, *terms]))

    def solution(self) -> list[frozenset[str]] | None:
        """Return the trace found, or None if there is none."""
        true = self._problem.solve()
        if true is None:
            return None
        return [frozenset(_name(atom) for atom, row in self.rows.items() if true(row[i])) for i in range(self._length)]


def _name(atom: Formula) -> str:
    return atom.tool if isinstance(atom, Atom) and atom.guard is None else str(atom)


def holds(formula: Formula, trace: Sequence[Collection[str] | Event]) -> bool:
    """Return whether a formula holds on a trace of sets of names, or of events.

    Raises FormulaError for guards and forall on sets of names, and when Z3 gives up.
    """
    if any(isinstance(part, s.Forall) for part in s.postorder(formula)[:-1]):
        raise FormulaError("forall cannot stand inside a formula")
    if not isinstance(formula, s.Forall):
        return _judge(formula, trace, (), ())
    events = [step for step in trace if isinstance(step, Event)]
    if len(events) < len(trace):
        raise FormulaError("forall needs events, not sets of names")
    return all(_judge(formula.body, steps, formula.variables, values) for values, steps in _slices(formula, events))


def _judge(
    body: Formula, steps: Sequence[Collection[str] | Event], variables: tuple[str, ...], values: tuple[Any, ...]
) -> bool:
    problem = _Problem()
    rows: _Rows = {}
    for atom in s.atoms_of(body):
        test = _test(atom, variables)
        truth = [test(step, values) for step in steps] or [False]
        rows[atom] = [problem.yes if true else problem.no for true in truth]
    root = problem.root(body, len(steps), rows)
    true = problem.solve()
    if true is None:
        raise AssertionError(f"the definitions of '{body}' on {len(steps)} steps contradict one another")
    return true(root)


def _test(atom: Atom, variables: tuple[str, ...]) -> Callable[[Collection[str] | Event, tuple[Any, ...]], bool]:
    """Return the atom as a test of a step under some values; what fixes the values is asked first."""
    parts = sorted(g.conjuncts(atom.guard), key=lambda part: not _fixes(part))
    guard = compile_guard(g.GuardAnd(tuple(parts)), variables) if parts else None
    any_status = g.mentions_status(atom.guard)

    def test(step: Collection[str] | Event, values: tuple[Any, ...]) -> bool:
        if not isinstance(step, Event):
            if guard is not None:
                raise FormulaError(f"the guard of {atom} needs events, not sets of names")
            return atom.tool in step
        seen = step.name == atom.tool and (any_status or step.status is Status.OK)
        return seen and (guard is None or guard(step, values))

    return test


def _fixes(guard: g.Guard) -> bool:
    return isinstance(guard, g.Compare) and guard.op == "=" and any(isinstance(x, g.Var) for x in g.operands(guard))


def _slices(formula: s.Forall, events: list[Event]) -> Iterator[tuple[tuple[Any, ...], list[Event]]]:
    """Yield each tuple met and its slice, trying every tuple of values that stand in one event.

    A slice holds the events that match a binding atom under the tuple, or under no tuple at all. A tuple is
    met when an event matches an atom that mentions every variable.
    """
    names = formula.variables
    binding = [atom for atom in s.atoms_of(formula) if g.variables_of(atom.guard) & set(names)]
    tests = [_test(atom, names) for atom in binding]
    whole = [_test(atom, names) for atom in binding if g.variables_of(atom.guard) >= set(names)]

    def matches(event: Event, values: tuple[Any, ...]) -> bool:
        return any(test(event, values) for test in tests)

    met = [[values for values in _tuples(event, len(names)) if matches(event, values)] for event in events]
    beginning = [
        values
        for event, given in zip(events, met, strict=True)
        for values in given
        if any(test(event, values) for test in whole)
    ]
    known: list[tuple[Any, ...]] = []
    for values in beginning:
        if not any(all(map(same, values, other)) for other in known):
            known.append(values)
            yield values, [e for e, given in zip(events, met, strict=True) if not given or matches(e, values)]


def _tuples(event: Event, size: int) -> Iterator[tuple[Any, ...]]:
    """Yield every tuple of values in an event's arguments, result and status."""
    waiting, values = [dict(event.arguments), event.result, event.status.value], []
    while waiting:
        value = waiting.pop()
        if value is not None:
            values.append(value)
        if isinstance(value, Mapping):
            waiting.extend(value.values())
    if len(values) ** size > MAX_TUPLES:
        raise FormulaError(f"step {event.step}, {event.name}: {len(values)} values make too many tuples of {size}")
    return product(values, repeat=size)
