"""Monitor of a rule in which some atoms bind only some of the variables.

    forall a, p. G(pay[account = a, payee = p] -> Y((!pay[account = a]) S check[account = a, payee = p]))

An event that gives some of the values is a step of every slice that has them, begun or not. Beside the
slices begun, the monitor keeps a state for each part of a key that such events gave, which waits for a
slice, and for what several of these give together. A new slice begins from the state of the largest part
of its key (Chen and Roşu, "Parametric Trace Slicing and Monitoring", 2009), so no trace is read twice.
"""

from collections.abc import Iterable
from typing import Any

from lexgym.core import Event
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.monitor import Slice, SlicedMonitor, SliceToken, no_event
from lexgym.oracles.ltlf.planning import Wanted
from lexgym.oracles.ltlf.rule import Key, RuleAutomaton, is_part
from lexgym.oracles.ltlf.unlocking import unlocking


def monitor_class(automaton: RuleAutomaton) -> type[SlicedMonitor]:
    """Return the kind of monitor that a rule with variables needs."""
    return PartlyMonitor if automaton.patterns else SlicedMonitor


class PartlyMonitor(SlicedMonitor):
    """Monitor of a rule with variables, of which some atoms bind only some."""

    def __init__(self, automaton: RuleAutomaton) -> None:
        self._waiting: dict[Key, int] = {}
        self._begun: dict[Key, tuple[Key, ...]] = {}
        self._patterns = automaton.patterns
        super().__init__(automaton)

    def _judged(self, tally: list[int]) -> RV:
        verdict = super()._judged(tally)
        safe = self.automaton.born_safe
        return RV.CS if verdict is RV.PS and not all(safe[state] for state in self._waiting.values()) else verdict

    @property
    def fresh(self) -> frozenset[int]:
        """The states from which new slices would begin."""
        return frozenset({self._base, *self._waiting.values()})

    def step(self, event: Event) -> RV:
        """Read one event and return the verdict after it."""
        parts, free = self._parts(event)
        if not parts:
            self._unbound(self._column(free, event), event.step)
            return self.verdict
        touched = self._touched(parts)
        starts = [None if key in self._live or key in self._settled else self._start(key) for key in touched]
        columns = [self._column(free | mask, event) for mask in touched.values()]
        self._own()
        for (key, mask), start, column in zip(touched.items(), starts, columns, strict=True):
            if start is not None and not mask & self.automaton.begin_bits:
                self._waiting[key] = self._rows[start][column]
                continue
            if start is not None:
                self._begin(key)
            self._move(key, column, event.step, start)
        self.verdict = self._judge()
        return self.verdict

    def _parts(self, event: Event) -> tuple[dict[Key, int], int]:
        """Return the values that an event gives, each with the atoms that hold under them, and the other atoms."""
        try:
            reader = self._readers.get(event.call.name)
        except AttributeError:
            raise no_event(event) from None
        return ({}, 0) if reader is None else (reader.bound(event), reader.mask(event))

    def _touched(self, parts: dict[Key, int]) -> dict[Key, int]:
        """Return where an event is a step, and the atoms that hold there: in slices, and in parts of keys.

        These are the values that it gives, alone, together, and with those that are known.
        """
        if len(parts) == 1 and None not in next(iter(parts)):
            return parts
        found: dict[Key, None] = {}
        for part in _closed(parts):
            found[part] = None
            if None in part:
                found.update(dict.fromkeys(self._begun.get(part, ())))
                if len(self._patterns) > 1:
                    joined = [_joined(part, key) for key in self._waiting]
                    found.update({key: None for key in joined if key is not None})
        return {key: _held(parts, key) for key in found}

    def _own(self) -> None:
        """Stop sharing what is about to be changed."""
        if self._shared:
            self._live, self._settled = dict(self._live), dict(self._settled)
            self._waiting, self._begun = dict(self._waiting), dict(self._begun)
            self._shared = False

    def _begin(self, key: Key) -> None:
        self._waiting.pop(key, None)
        for pattern in self._patterns:
            part = _part(key, pattern)
            self._begun[part] = (*self._begun.get(part, ()), key)

    def _unbound(self, column: int, step: int) -> None:
        if not self.automaton.idle_columns[column]:
            self._own()
            self._waiting = {key: self._rows[state][column] for key, state in self._waiting.items()}
            super()._unbound(column, step)

    def _start(self, key: Key) -> int:
        """Return the state of the largest part of a key that is known."""
        if key in self._waiting:
            return self._waiting[key]
        for pattern in self._patterns:
            part = _part(key, pattern)
            if part in self._waiting and (None not in key or all(key[place] is not None for place in pattern)):
                return self._waiting[part]
        return self._base

    def moves(self, event: Event) -> list[tuple[Slice, int]]:
        """Return the slices (new ones too) in which an event is a step, each with its letter."""
        parts, free = self._parts(event)
        if not parts:
            return [(part, self._column(free, event)) for part in self.slices()]
        begin = self.automaton.begin_bits
        return [
            (self._slice(key), self._column(free | mask, event))
            for key, mask in self._touched(parts).items()
            if mask & begin or key in self._live or key in self._settled
        ]

    def peek(self, event: Event) -> RV:
        """Return the verdict if the event happened, without reading it."""
        return self.fork().step(event)

    def enable(self, event: Event) -> list[list[Wanted]]:
        """Return sequences of letters after which the event no longer violates for good.

        The slices are helped one after the other, each by a shortest way from where the ways of those before
        it leave it. Empty when the event does not violate now, or when no such sequence is found.
        """
        if self.peek(event) is not RV.PV:
            return []
        return unlocking(self.automaton, [(part.key, part.state, letter) for part, letter in self.moves(event)])

    def snapshot(self) -> SliceToken:
        """Return a hashable token of the state."""
        token = super().snapshot()
        token.waiting, token.begun = self._waiting, self._begun
        return token

    def restore(self, token: Any) -> None:
        """Go back to where `snapshot` was taken."""
        super().restore(token)
        self._waiting, self._begun = token.waiting, token.begun


def _held(parts: dict[Key, int], key: Key) -> int:
    """Return the atoms that hold under a key, or part of one."""
    held = 0
    for part, mask in parts.items():
        if is_part(part, key):
            held |= mask
    return held


def _part(key: Key, pattern: tuple[int, ...]) -> Key:
    """Return the values of a key at some places."""
    part: list[Any] = [None] * len(key)
    for place in pattern:
        part[place] = key[place]
    return tuple(part)


def _joined(one: Key, two: Key) -> Key | None:
    """Return what two parts give together, or None where they give a variable two values."""
    if any(a is not None and b is not None and a != b for a, b in zip(one, two, strict=True)):
        return None
    return tuple([b if a is None else a for a, b in zip(one, two, strict=True)])


def _closed(parts: Iterable[Key]) -> list[Key]:
    """Return parts and all that some of them give together."""
    found: list[Key] = []
    for part in parts:
        found += [key for key in [_joined(part, known) for known in found] if key is not None]
        found.append(part)
    return list(dict.fromkeys(found))
