"""From formula to automaton by progression: what must hold from here on, after each letter.

    F a   after a:  true          after anything else:  F a

A state is the residual of the formula as a canonical Boolean function of its subformulas "read at
the next position", and, for each past operator, the residual of its value at the last position.
Keeping that value as a residual, not as a bit, is what makes past over future (`O(F a)`) right.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from lexgym.errors import FormulaError, StateLimitExceeded
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.chains import Chains
from lexgym.oracles.ltlf.diagrams import FALSE, TRUE, Diagrams
from lexgym.oracles.ltlf.syntax import Atom, Formula

MAX_PAST = 200

MAX_WORK = 500_000_000
"""States × letters × (past operators squared), which bounds the time that past operators take."""

WIDE = 40
"""Boolean combinations of more names than this are one variable of a diagram, and not looked into."""

_NONEMPTY = s.Eventually(s.Truth(True))

_State = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Table:
    """A complete automaton: state 0 is initial, `rows[state][letters[letter]]` is the next state.

    Letters that change every state alike share a column; columns are in the order of their first letters.
    """

    rows: list[list[int]]
    accepting: list[bool]
    letters: list[int]
    minimal: bool = False


def progress(formula: Formula, bits: dict[Atom, int], letters: Sequence[int], limit: int) -> Table:
    """Build the automaton of a formula over letters, each the set (as bits) of the atoms true in it.

    Raises StateLimitExceeded beyond `limit` states.
    """
    own = sum({bits[atom] for atom in s.atoms_of(formula)})
    distinct = list(dict.fromkeys(letter & own for letter in letters))
    column = {letter: index for index, letter in enumerate(distinct)}
    rows, accepting = _Progression(formula, bits).explore(distinct, limit)
    return Table(rows, accepting, [column[letter & own] for letter in letters])


def on_empty(formula: Formula, known: dict[Formula, bool]) -> bool:
    """Return the truth of a non-Boolean formula where no position is left."""
    match formula:
        case s.Truth(value):
            return value
        case s.Not(body):
            return not known[body]
        case s.And(parts):
            return all(known[part] for part in parts)
        case s.Or(parts):
            return any(known[part] for part in parts)
        case s.Implies(left, right):
            return not known[left] or known[right]
        case s.Iff(left, right):
            return known[left] == known[right]
        case s.Last() | s.WeakNext() | s.Always() | s.Release() | s.WeakUntil() | s.Historically():
            return True
        case s.Atom() | s.Next() | s.Eventually() | s.Until() | s.StrongRelease():
            return False
        case s.Yesterday() | s.Once() | s.Since():
            return False
        case s.Forall():
            raise FormulaError("forall is handled by slicing, not inside an automaton")
        case _:
            assert_never(formula)


def _below(formula: Formula) -> tuple[Formula, ...]:
    match formula:
        case s.Next() | s.WeakNext() | s.Last():
            return (*s.children(formula), _NONEMPTY)
        case s.Eventually(body, bound) if bound:
            return (body, s.Eventually(body, bound - 1))
        case s.Always(body, bound) if bound:
            return (body, s.Always(body, bound - 1))
        case _:
            return s.children(formula)


def _propositional_size(formula: Formula, sizes: dict[Formula, int]) -> int:
    """Return how many names a formula without temporal operators has, counted with repetition; else 0."""
    if isinstance(formula, s.Truth | Atom):
        return 1
    if not isinstance(formula, s.Boolean):
        return 0
    parts = [sizes[part] for part in s.children(formula)]
    return sum(parts) if all(parts) else 0


class _Progression:
    def __init__(self, formula: Formula, bits: dict[Atom, int]) -> None:
        self.formula = formula
        self.bits = bits
        self.diagrams = Diagrams()
        self.node: dict[Formula, int] = {}
        self.variables: list[Formula] = []
        self.empty: dict[Formula, bool] = {}
        self.wide: set[Formula] = set()
        sizes: dict[Formula, int] = {}
        for part in s.postorder(formula, _below):
            self.empty[part] = on_empty(part, self.empty)
            sizes[part] = _propositional_size(part, sizes)
            if sizes[part] > WIDE and not isinstance(part, Atom):
                self.wide.add(part)
            self.node[part] = self._read(part)
        self.past = {v: i for i, v in enumerate(self.variables) if isinstance(v, s.Past)}
        if len(self.past) > MAX_PAST:
            raise StateLimitExceeded(f"the formula has {len(self.past)} past operators, the limit is {MAX_PAST}")
        self.chains = Chains(self.diagrams, self.variables)
        self.slot = {number: slot for slot, number in enumerate(self.past.values())}
        self._tables: dict[int, tuple[list[int], dict[int, int]]] = {}

    def _read(self, formula: Formula) -> int:
        """Return the diagram of a formula read at the current position."""
        d, node = self.diagrams, self.node
        if formula in self.wide:
            self.variables.append(formula)
            return d.variable(len(self.variables) - 1)
        match formula:
            case s.Truth(value):
                return TRUE if value else FALSE
            case s.Not(body):
                return d.negation(node[body])
            case s.And(parts):
                return self._fold(d.both, TRUE, parts)
            case s.Or(parts):
                return self._fold(d.either, FALSE, parts)
            case s.Implies(left, right):
                return d.choose(node[left], node[right], TRUE)
            case s.Iff(left, right):
                return d.choose(node[left], node[right], d.negation(node[right]))
            case _:
                self.variables.append(formula)
                return d.variable(len(self.variables) - 1)

    def _fold(self, join: Callable[[int, int], int], unit: int, parts: tuple[Formula, ...]) -> int:
        result = unit
        for node in sorted({self.node[part] for part in parts}, reverse=True):
            result = join(result, node)
        return result

    def explore(self, letters: Sequence[int], limit: int) -> tuple[list[list[int]], list[bool]]:
        """Return the reachable automaton: the rows of its states, and which accept."""
        asked, limit = limit, min(limit, MAX_WORK // (len(letters) * (1 + len(self.past) ** 2)) + 2)
        start: _State = (self.node[self.formula], tuple(self._initial(past) for past in self.past))
        index = {start: 0}
        queue, rows = [start], []
        for state in queue:
            row = []
            for successor in (self._after(state, letter) for letter in letters):
                if successor not in index:
                    if len(index) >= limit:
                        why = f", which is what {len(self.past)} past operators leave" if limit < asked else ""
                        raise StateLimitExceeded(f"the automaton needs more than {limit} states{why}")
                    index[successor] = len(queue)
                    queue.append(successor)
                row.append(index[successor])
            rows.append(row)
        return rows, [self._accepts(main) for main, _ in queue]

    def _initial(self, past: Formula) -> int:
        return TRUE if isinstance(past, s.Historically) else FALSE

    def _accepts(self, node: int) -> bool:
        while node > TRUE:
            number, low, high = self.diagrams.parts(node)
            node = high if self.empty[self.variables[number]] else low
        return node == TRUE

    def _after(self, state: _State, letter: int) -> _State:
        main, previous = state
        values, memo = self._table(letter, previous)
        carried = tuple(self._carry(past, values, memo) for past in self.past)
        return self.chains.simplify(self._derive(main, values, memo)), carried

    def _carry(self, past: Formula, values: list[int], memo: dict[int, int]) -> int:
        """Return the value to remember: of the body for yesterday, of the formula itself otherwise."""
        remembered = past.body if isinstance(past, s.Yesterday) else past
        return self.chains.simplify(self._derive(self.node[remembered], values, memo))

    def _table(self, letter: int, previous: tuple[int, ...]) -> tuple[list[int], dict[int, int]]:
        """Return the derivative of every variable by a letter; those of past-free formulas are kept."""
        known = self._tables.get(letter)
        if known is None:
            values: list[int] = []
            memo: dict[int, int] = {}
            for number, variable in enumerate(self.variables):
                values.append(self._derivative(number, variable, letter, previous, values, memo))
            known = (values, memo)
            if not self.past:
                self._tables[letter] = known
        return known

    def _derive(self, node: int, values: list[int], memo: dict[int, int]) -> int:
        for part in self.diagrams.tall(node, memo):
            self._derive_low(part, values, memo)
        return self._derive_low(node, values, memo)

    def _derive_low(self, node: int, values: list[int], memo: dict[int, int]) -> int:
        if node <= TRUE:
            return node
        known = memo.get(node)
        if known is None:
            number, low, high = self.diagrams.parts(node)
            if_true, if_false = self._derive_low(high, values, memo), self._derive_low(low, values, memo)
            known = memo[node] = self.diagrams.choose(values[number], if_true, if_false)
        return known

    def _derivative(
        self,
        number: int,
        variable: Formula,
        letter: int,
        previous: tuple[int, ...],
        values: list[int],
        memo: dict[int, int],
    ) -> int:
        d, itself = self.diagrams, self.node[variable]

        def now(formula: Formula) -> int:
            return self._derive(self.node[formula], values, memo)

        def before() -> int:
            return self._derive(previous[self.slot[number]], values, memo)

        if variable in self.wide:
            known = {part: now(part) == TRUE for part in s.children(variable)}
            return TRUE if on_empty(variable, known) else FALSE
        match variable:
            case s.Atom():
                return TRUE if letter & self.bits[variable] else FALSE
            case s.Last():
                return d.negation(self.node[_NONEMPTY])
            case s.Next(body):
                return d.both(self.node[body], self.node[_NONEMPTY])
            case s.WeakNext(body):
                return d.choose(self.node[_NONEMPTY], self.node[body], TRUE)
            case s.Eventually(body, None):
                return d.either(now(body), itself)
            case s.Always(body, None):
                return d.both(now(body), itself)
            case s.Eventually(body, bound):
                return d.either(now(body), self.node[s.Eventually(body, bound - 1)]) if bound else now(body)
            case s.Always(body, bound):
                return d.both(now(body), self.node[s.Always(body, bound - 1)]) if bound else now(body)
            case s.Until(left, right) | s.WeakUntil(left, right):
                return d.either(now(right), d.both(now(left), itself))
            case s.Release(left, right) | s.StrongRelease(left, right):
                return d.both(now(right), d.either(now(left), itself))
            case s.Yesterday():
                return before()
            case s.Once(body):
                return d.either(now(body), before())
            case s.Historically(body):
                return d.both(now(body), before())
            case s.Since(left, right):
                return d.either(now(right), d.both(now(left), before()))
            case s.Truth() | s.Not() | s.And() | s.Or() | s.Implies() | s.Iff() | s.Forall():
                raise AssertionError(f"{type(variable).__name__} is no variable of a diagram")
            case _:
                assert_never(variable)
