"""What a rule reads of a trace, slice by slice, and which of those steps its verdict is due to.

    G(a -> F b)  on  a b other a other:   violated so far, because of step 4
    absence(2, a)  on  a b a a:           violated for good by step 3, because of steps 1 and 3

A word is one slice's letters. A letter is a column of the automaton's table; letter 0 is an event
in which no atom is true, the one that a rule sees least of. A step is a number from 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from lexgym.core import Event
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf.automaton import DFA, RV
from lexgym.oracles.ltlf.plain import Automaton
from lexgym.oracles.ltlf.rule import Key, RuleAutomaton

BLANK = 0


@dataclass(frozen=True, slots=True)
class Word:
    """One slice's letters and the steps they are; `begun` is the step that first gave its values."""

    key: Key
    begun: int
    steps: tuple[int, ...]
    letters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """Steps with their letters: those of every slice, and for each slice met those bound to it.

    `partly` are the events that give a part of a key: each as its step and, for a key, its letter there.
    """

    shared: list[tuple[int, int]]
    bound: dict[Key, list[tuple[int, int]]]
    partly: list[tuple[int, Callable[[Key], int | None]]] = field(default_factory=list)

    def word(self, key: Key) -> Word:
        """Return the word of one slice, met or not; of a rule without variables, `()` has the one word."""
        own = self.bound.get(key, [])
        begun = own[0][0] if own else 0
        partly = [(step, letter) for step, letter_in in self.partly if (letter := letter_in(key)) is not None]
        pairs = sorted([*self.shared, *own, *partly])
        return Word(key, begun, tuple(step for step, _ in pairs), tuple(letter for _, letter in pairs))


def read(automaton: Automaton | RuleAutomaton, trace: Sequence[Any]) -> Reading:
    """Return the letters of a trace: of events for a rule, of sets of names for a plain automaton.

    Events that a slice does not see are left out where they change no state. Raises FormulaError for
    a step of the wrong kind.
    """
    if any(isinstance(step, Event) is isinstance(automaton, Automaton) for step in trace):
        raise FormulaError("a rule reads events, and an automaton over names reads sets of names")
    reading = Reading([], {})
    idle = automaton.dfa.idle(BLANK)
    for step, item in enumerate(trace, 1):
        letter = automaton.column(item) if isinstance(automaton, Automaton) else _letter(automaton, item)
        if letter is None and isinstance(automaton, RuleAutomaton):
            _bind(reading, automaton, step, item)
        elif letter is not None and (letter != BLANK or not idle):
            reading.shared.append((step, letter))
    return reading


def _letter(automaton: RuleAutomaton, event: Event) -> int | None:
    """Return the letter that an event is in every slice, or None when it is bound to some."""
    reader = automaton.readers.get(event.name)
    if reader is None:
        return BLANK
    return None if reader.bound(event) else automaton.column(reader.mask(event), event)


def _bind(reading: Reading, automaton: RuleAutomaton, step: int, event: Event) -> None:
    """Add an event to the slices that it gives values for; where it gives only some, when a slice is asked for."""
    parts = automaton.readers[event.name].bound(event)
    whole = [key for key in parts if None not in key]

    def letter_in(key: Key) -> int | None:
        mask = automaton.readers[event.name].within(event, key)
        return None if mask is None else automaton.column(mask, event)

    for key in whole:
        reading.bound.setdefault(key, []).append((step, letter_in(key) or BLANK))
    if len(whole) < len(parts):
        reading.partly.append((step, lambda key: None if key in whole else letter_in(key)))


def run(dfa: DFA, letters: Sequence[int]) -> list[int]:
    """Return the states before the first letter and after each."""
    states = [0]
    for letter in letters:
        states.append(dfa.rows[states[-1]][letter])
    return states


def settled(dfa: DFA, letters: Sequence[int]) -> int | None:
    """Return after how many letters the verdict became permanent, or None if it never did."""
    permanent = (RV.PS, RV.PV)
    return next((i for i, state in enumerate(run(dfa, letters)) if dfa.colours[state] in permanent), None)


def relevant(dfa: DFA, letters: Sequence[int]) -> tuple[int, ...]:
    """Return the positions of a smallest set of letters to which the verdict is due.

    With a blank in place of every other letter the verdict is the same where it became permanent,
    or at the end if it never did; no smaller set does that. They are replaced, not deleted, because
    to `X` and to deadlines a position matters. Of several smallest sets: the one whose run is the
    soonest to stay on the real run, then the earliest. Takes time and memory in letters × states.
    """
    cut = settled(dfa, letters)
    word = letters if cut is None else letters[:cut]
    real = run(dfa, word)
    costs = _costs(dfa, word, real)
    state, kept = 0, []
    for i, letter in enumerate(word):
        keeping = _step(costs[i + 1], dfa.rows[state][letter], i, real, kept=letter != BLANK)
        if letter != BLANK and keeping == costs[i][state]:
            kept.append(i)
            state = dfa.rows[state][letter]
        else:
            state = dfa.rows[state][BLANK]
    return tuple(kept)


_Cost = tuple[float, int]
"""How many letters are still to be kept, and where the run last is off the real one (-1: nowhere)."""


def _costs(dfa: DFA, word: Sequence[int], real: list[int]) -> list[dict[int, _Cost]]:
    """Return, for each position and each state that keeping and blanking lead to, the cost to go."""
    fronts = [{0}]
    for letter in word:
        fronts.append({dfa.rows[state][x] for state in fronts[-1] for x in (BLANK, letter)})
    verdict = dfa.colours[real[-1]]
    costs = [{q: (0.0 if dfa.colours[q] is verdict else float("inf"), -1) for q in fronts[-1]}]
    for i in reversed(range(len(word))):
        after, row = costs[-1], {}
        for state in fronts[i]:
            blank = _step(after, dfa.rows[state][BLANK], i, real, kept=False)
            keep = _step(after, dfa.rows[state][word[i]], i, real, kept=word[i] != BLANK)
            row[state] = min(blank, keep)
        costs.append(row)
    return costs[::-1]


def _step(after: dict[int, _Cost], target: int, i: int, real: list[int], *, kept: bool) -> _Cost:
    count, off = after[target]
    return count + kept, off if off >= 0 or target == real[i + 1] else i
