"""One automaton over many traces at once, in numpy.

    >>> batch = Batch(compile("G(a -> F b)"))
    >>> words, _ = batch.encode([["a", "b"], ["a"], []])
    >>> [VERDICTS[code].name for code in batch.run(words)]
    ['CS', 'CV', 'CS']

A verdict is a code, worst first: 0 PV, 1 CV, 2 CS, 3 PS (`VERDICTS`), so that 2 and more means that
the formula holds if the trace ends there. A word is a row of letters, the automaton's column numbers;
`padding`, one more than the last, is a step that is not there and changes no state. Words are fastest
as column-major (`order="F"`) arrays of the smallest unsigned type, which is what `encode` makes.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lexgym.core import Event
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf.automaton import DFA, RV
from lexgym.oracles.ltlf.plain import Automaton
from lexgym.oracles.ltlf.rule import RuleAutomaton

Array: TypeAlias = npt.NDArray[Any]
Codes: TypeAlias = npt.NDArray[np.uint8]
Step: TypeAlias = str | Iterable[str] | Event
"""A name or a set of names for a compiled formula, an event for a compiled rule."""

VERDICTS = (RV.PV, RV.CV, RV.CS, RV.PS)
"""The verdict of each code."""

_ENTRIES = 1 << 14
_LETTERS_AT_ONCE = 8
_ROWS = 1 << 16


class Batch:
    """The tables of an automaton. A rule with `forall` is taken as one slice, a row being its steps."""

    def __init__(self, automaton: Automaton | RuleAutomaton | DFA) -> None:
        if not isinstance(automaton, Automaton | RuleAutomaton | DFA):
            raise FormulaError(f"a batch runs an automaton, not {automaton!r}: compile it first")
        self.automaton = automaton
        self.dfa = automaton if isinstance(automaton, DFA) else automaton.dfa
        rows = np.array(self.dfa.rows, dtype=np.intp)
        self.padding = rows.shape[1]
        self._table = np.column_stack([rows, np.arange(len(rows))])
        self._colours = np.array([VERDICTS.index(colour) for colour in self.dfa.colours], dtype=np.uint8)
        self._kernels: dict[int, _Kernel] = {}

    def monitor(self, count: int) -> "BatchMonitor":
        """Return a monitor of `count` traces before their first events."""
        return BatchMonitor(self, count)

    def encode(self, traces: Sequence[Iterable[Step]]) -> tuple[Array, npt.NDArray[np.intp]]:
        """Return the words of some traces, shape (traces, longest), padded, and their lengths."""
        columns = _Columns(self.automaton)
        encoded = [columns.of(trace) for trace in traces]
        lengths = np.array([len(word) for word in encoded], dtype=np.intp)
        shape = (len(encoded), int(lengths.max(initial=0)))
        words = np.full(shape, self.padding, dtype=np.min_scalar_type(self.padding), order="F")
        words[np.arange(shape[1]) < lengths[:, None]] = list(chain.from_iterable(encoded))
        return words, lengths

    def encode_ids(self, ids: npt.ArrayLike, steps: Sequence[Step]) -> Array:
        """Return the letters of an array of indices into `steps`, in which `len(steps)` means padding.

        Raises FormulaError for an index out of range.
        """
        columns = np.array([*_Columns(self.automaton).of(steps), self.padding], np.min_scalar_type(self.padding))
        return np.take(columns, _checked(ids, len(steps)), mode="clip")

    def run(self, words: npt.ArrayLike, lengths: npt.ArrayLike | None = None) -> Codes:
        """Return the verdict code at the end of each word, shape (traces,).

        What lies beyond a word's length, where lengths are given, is not read. Raises FormulaError
        for letters out of range.
        """
        array = _words(words, lengths, self.padding)
        kernel = self.kernel(_at_once(len(self._table), self.padding + 1, array.size, array.shape[1]))
        return _finals([kernel], array).reshape(-1)

    def run_all(self, words: npt.ArrayLike, lengths: npt.ArrayLike | None = None) -> Codes:
        """Return the verdict code after every prefix, shape (traces, steps + 1); padding repeats it."""
        array = _words(words, lengths, self.padding)
        return self.kernel(1).after_each(array)

    def kernel(self, power: int) -> "_Kernel":
        """Return the tables that read `power` letters at once."""
        if power not in self._kernels:
            self._kernels[power] = _Kernel(self._table, self._colours, power)
        return self._kernels[power]

    def over(self, steps: Sequence[Step]) -> tuple[Array, Codes]:
        """Return the table whose letters are indices into `steps`, and the code of each state."""
        return self._table[:, [*_Columns(self.automaton).of(steps), self.padding]], self._colours


class BatchMonitor:
    """Many traces step by step, such as the rule's state in each copy of a vector environment."""

    def __init__(self, automaton: Automaton | RuleAutomaton | DFA | Batch, count: int) -> None:
        self.batch = automaton if isinstance(automaton, Batch) else Batch(automaton)
        self._kernel = self.batch.kernel(1)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise FormulaError(f"a batch has a number of traces, 0 or more, not {count!r}")
        self._states = np.zeros(count, dtype=self._kernel.flat.dtype)

    def __len__(self) -> int:
        return len(self._states)

    def step(self, columns: npt.ArrayLike) -> Codes:
        """Read one letter of each trace, shape (count,), and return the verdict codes after it.

        `padding` leaves a trace where it is. Raises FormulaError for letters out of range, and then
        no trace has moved.
        """
        letters = _checked(columns, self.batch.padding)
        if letters.shape != self._states.shape:
            raise FormulaError(f"one letter for each of {len(self)} traces, not an array of shape {letters.shape}")
        self._states = self._kernel.flat.take(self._states + letters.astype(self._states.dtype), mode="clip")
        return self.verdicts

    @property
    def verdicts(self) -> Codes:
        """The verdict code of each trace."""
        return self._kernel.colours.take(self._states, mode="clip")

    @property
    def satisfied(self) -> npt.NDArray[np.bool_]:
        """Whether each trace satisfies the formula if it ends now."""
        return self.verdicts >= VERDICTS.index(RV.CS)

    def reset(self, mask: npt.ArrayLike | None = None) -> None:
        """Begin anew, everywhere or where the mask is true."""
        where = np.ones(len(self), dtype=np.bool_) if mask is None else np.asarray(mask, dtype=np.bool_)
        if where.shape != self._states.shape:
            raise FormulaError(f"one flag for each of {len(self)} traces, not an array of shape {where.shape}")
        self._states[where] = 0

    def snapshot(self) -> Array:
        """Return a token of the states."""
        return self._states.copy()

    def restore(self, token: Array) -> None:
        """Go back to where `snapshot` was taken."""
        if not isinstance(token, np.ndarray) or token.shape != self._states.shape:
            raise FormulaError(f"this is no snapshot of {len(self)} traces: {token!r}")
        self._states = token.copy()


def run_many(
    automata: Sequence[Automaton | RuleAutomaton | Batch],
    ids: npt.ArrayLike,
    steps: Sequence[Step],
    lengths: npt.ArrayLike | None = None,
) -> Codes:
    """Return the verdict codes of several rules at the end of each trace, shape (rules, traces).

    `ids` holds indices into `steps`, as in `Batch.encode_ids`; they are packed once for all rules.
    """
    array = _words(ids, lengths, len(steps))
    tables = [(one if isinstance(one, Batch) else Batch(one)).over(steps) for one in automata]
    states = max((len(table) for table, _ in tables), default=1)
    power = _at_once(states, len(steps) + 1, array.size, array.shape[1])
    return _finals([_Kernel(table, colours, power) for table, colours in tables], array)


class _Columns:
    """The letter that a step is, each looked up once where steps can be keys."""

    def __init__(self, automaton: Automaton | RuleAutomaton | DFA) -> None:
        if isinstance(automaton, DFA):
            raise FormulaError("a bare DFA has letters but no names: give it words, not steps")
        if isinstance(automaton, RuleAutomaton) and automaton.variables:
            raise FormulaError(f"'{automaton.formula}' has slices, so an event is not one letter of it")
        self._monitor = automaton.monitor() if isinstance(automaton, RuleAutomaton) else None
        self._automaton = automaton
        self._known: dict[Any, int] = {}

    def of(self, trace: Iterable[Step]) -> list[int]:
        if isinstance(trace, str):
            raise FormulaError(f"a trace is a list of steps, not the string {trace!r}; write [{trace!r}]")
        return [self._one(step) for step in trace]

    def _one(self, step: Step) -> int:
        if isinstance(step, Event):
            if self._monitor is None:
                raise FormulaError("a formula over names reads names, not events: use compile_rule")
            return self._monitor.moves(step)[0][1]
        if isinstance(self._automaton, RuleAutomaton):
            raise FormulaError(f"a rule reads events, not {step!r}")
        key = step if isinstance(step, str) else frozenset(step)
        if key not in self._known:
            self._known[key] = self._automaton.column({key} if isinstance(key, str) else key)
        return self._known[key]


class _Kernel:
    """A table that reads `power` letters at once; a state is its number times the count of such words.

    `flat[state + word]` is the next state, `colours[state]` the verdict code of a state.
    """

    def __init__(self, table: Array, colours: Codes, power: int) -> None:
        self.letters, self.power = table.shape[1], power
        reach = table
        for _ in range(power - 1):
            reach = table[reach].reshape(len(table), -1)
        words = reach.shape[1]
        self.flat = (reach * words).astype(np.min_scalar_type(reach.size - 1)).ravel()
        self.colours = np.repeat(colours, words)
        self.packed = np.min_scalar_type(words - 1)

    def after_each(self, words: Array) -> Codes:
        """Return the verdict code after every prefix (only with one letter at once)."""
        result = np.empty((len(words), words.shape[1] + 1), dtype=np.uint8, order="F")
        result[:, 0] = self.colours[0]
        after = self.colours.take(self.flat)
        for rows, block in _blocks(words, self.packed):
            states = np.zeros(block.shape[1], dtype=self.flat.dtype)
            index = np.empty_like(states)
            for number, letters in enumerate(block, 1):
                np.add(states, letters, out=index)
                np.take(after, index, out=result[rows, number], mode="clip")
                np.take(self.flat, index, out=states, mode="clip")
        return result


def _finals(kernels: Sequence[_Kernel], words: Array) -> Codes:
    """Return the last verdict code of each word under each kernel; all have the same letters and power."""
    result = np.empty((len(kernels), len(words)), dtype=np.uint8)
    if not kernels:
        return result
    for rows, block in _blocks(words, kernels[0].packed):
        states = [np.zeros(block.shape[1], dtype=kernel.flat.dtype) for kernel in kernels]
        indices = {kernel.flat.dtype: np.empty(block.shape[1], dtype=kernel.flat.dtype) for kernel in kernels}
        for packed in _pack(block, kernels[0]):
            for kernel, state in zip(kernels, states, strict=True):
                index = indices[kernel.flat.dtype]
                np.add(state, packed, out=index)
                np.take(kernel.flat, index, out=state, mode="clip")
        for number, (kernel, state) in enumerate(zip(kernels, states, strict=True)):
            np.take(kernel.colours, state, out=result[number, rows], mode="clip")
    return result


def _blocks(words: Array, packed: np.dtype[Any]) -> Iterator[tuple[slice, Array]]:
    """Yield parts that fit the cache, one array of letters a step."""
    for low in range(0, len(words), _ROWS):
        rows = slice(low, low + _ROWS)
        block = words[rows].T
        if block.strides[1] != block.itemsize or block.itemsize > packed.itemsize or block.dtype.kind != "u":
            block = block.astype(packed, order="C")
        yield rows, block


def _pack(block: Array, kernel: _Kernel) -> Iterator[Array]:
    """Yield the letters joined as digits, `power` at a time; the last word is filled with padding."""
    if kernel.power == 1:
        yield from block
        return
    base, padding = kernel.letters, kernel.letters - 1
    word = np.empty(block.shape[1], dtype=kernel.packed)
    for low in range(0, len(block), kernel.power):
        word[...] = block[low]
        for step in range(low + 1, low + kernel.power):
            np.multiply(word, base, out=word)
            np.add(word, block[step] if step < len(block) else padding, out=word)
        yield word


def _at_once(states: int, letters: int, size: int, steps: int) -> int:
    """Return how many letters to read at once: the table must fit the cache and be worth building."""
    entries, power = min(_ENTRIES, size), 1
    while power < min(_LETTERS_AT_ONCE, steps) and states * letters ** (power + 1) <= entries:
        power += 1
    return power


def _words(words: npt.ArrayLike, lengths: npt.ArrayLike | None, padding: int) -> Array:
    array = _whole(words)
    if array.ndim != 2:
        raise FormulaError(f"words are an array of shape (traces, steps), not {array.shape}")
    if lengths is not None:
        array = _cut(array, _whole(lengths), padding)
    return _checked(array, padding)


def _cut(words: Array, lengths: Array, padding: int) -> Array:
    """Put padding where a word has ended."""
    count, steps = words.shape
    if lengths.shape != (count,) or (count and not 0 <= lengths.min() <= lengths.max() <= steps):
        raise FormulaError(f"lengths are one number from 0 to {steps} for each of {count} words")
    small = np.min_scalar_type(steps)
    there = np.arange(steps, dtype=small)[:, None] < lengths.astype(small)
    wide = np.promote_types(words.dtype, np.min_scalar_type(padding))
    letters = words.T.astype(wide, copy=False) * there
    letters += ~there * wide.type(padding)  # a masked assignment takes 20 times as long
    return letters.T


def _checked(letters: npt.ArrayLike, most: int) -> Array:
    array = _whole(letters)
    if array.size and (int(array.max()) > most or (array.dtype.kind == "i" and int(array.min()) < 0)):
        raise FormulaError(f"letters go from 0 to {most}, but these from {array.min()} to {array.max()}")
    return array


def _whole(letters: npt.ArrayLike) -> Array:
    try:
        array = np.asarray(letters)
    except ValueError:
        raise FormulaError("the words have different lengths: pad them, or give traces to encode") from None
    if array.size and array.dtype.kind not in "ui":
        raise FormulaError(f"letters are whole numbers, not {array.dtype}")
    return array if array.size else array.astype(np.uint8)
