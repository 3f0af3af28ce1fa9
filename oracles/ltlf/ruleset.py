"""Many rules at once, each event shown only to the rules that it concerns.

monitor = RuleSet(rules, signature).monitor()
monitor.step(event)            # (2,): rule 2 was violated for good by this event
"""

from collections.abc import Sequence
from typing import Any

from lexgym.core import Event, Rule
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.monitor import RuleMonitor, Snapshot
from lexgym.oracles.ltlf.rule import RuleAutomaton, compile_rule
from lexgym.oracles.ltlf.signature import Signature

_LOST = RV.PV


class RuleSet:
    """Compiled rules and an index from tool to the rules that it moves.

    Raises the FormulaError of the first rule that cannot be compiled, with a note that names it.
    """

    def __init__(self, rules: Sequence[Rule], signature: Signature | None = None) -> None:
        self.rules = tuple(rules)
        self.automata = tuple(_compiled(rule, signature) for rule in self.rules)
        self.always = tuple(i for i, automaton in enumerate(self.automata) if not automaton.idle)
        tools = {tool for automaton in self.automata for tool in automaton.readers}
        self.concerned = {
            tool: tuple(i for i, a in enumerate(self.automata) if tool in a.readers or not a.idle) for tool in tools
        }

    def monitor(self) -> "RuleSetMonitor":
        """Return a monitor before the first event."""
        return RuleSetMonitor(self, [automaton.monitor() for automaton in self.automata])


def _compiled(rule: Rule, signature: Signature | None) -> RuleAutomaton:
    try:
        return compile_rule(rule.formula, signature)
    except FormulaError as error:
        error.add_note(f"in rule {rule.id!r}: {rule.formula}")
        raise


class RuleSetMonitor:
    """The states of all rules of a set; rules are known by their index in it."""

    def __init__(self, rules: RuleSet, monitors: list[RuleMonitor]) -> None:
        self.rules = rules
        self.monitors = monitors
        self._concerned, self._always = rules.concerned, rules.always
        self._tokens = [monitor.snapshot() for monitor in monitors]
        self._moved: set[int] = set()
        self._forbidden: list[frozenset[str] | None] = [None] * len(monitors)
        self._union: frozenset[str] | None = None

    def step(self, event: Event) -> tuple[int, ...]:
        """Read one event and return the rules that it violated for good."""
        broken: tuple[int, ...] = ()
        monitors = self.monitors
        concerned = self._concerned.get(event.call.name, self._always)
        self._moved.update(concerned)
        if concerned:
            self._union = None
        for index in concerned:
            monitor = monitors[index]
            self._forbidden[index] = None
            before = monitor.verdict
            if monitor.step(event) is _LOST and before is not _LOST:
                broken = (*broken, index)
        return broken

    def peek(self, event: Event) -> tuple[int, ...]:
        """Return the rules that the event would violate for good, without reading it."""
        return tuple(
            index
            for index in self._concerned.get(event.call.name, self._always)
            if self.monitors[index].verdict is not RV.PV and self.monitors[index].peek(event) is RV.PV
        )

    @property
    def verdicts(self) -> tuple[RV, ...]:
        """The verdict of each rule."""
        return tuple(monitor.verdict for monitor in self.monitors)

    @property
    def satisfied(self) -> tuple[bool, ...]:
        """Whether each rule holds if the trace ends now."""
        return tuple(monitor.satisfied for monitor in self.monitors)

    @property
    def distance(self) -> int | None:
        """A lower bound on the further events until every rule accepts; None if one never will."""
        distances = [monitor.distance for monitor in self.monitors]
        known = [distance for distance in distances if distance is not None]
        return max(known, default=0) if len(known) == len(distances) else None

    @property
    def forbidden(self) -> frozenset[str]:
        """The tools of which every successful call would violate one more rule for good."""
        if self._union is None:
            for index, known in enumerate(self._forbidden):
                if known is None:
                    self._forbidden[index] = self.monitors[index].forbidden
            self._union = frozenset().union(*(part for part in self._forbidden if part))
        return self._union

    def fork(self) -> "RuleSetMonitor":
        """Return an independent copy."""
        return RuleSetMonitor(self.rules, [monitor.fork() for monitor in self.monitors])

    def snapshot(self) -> tuple[Snapshot, ...]:
        """Return a hashable token of the state."""
        for index in self._moved:
            self._tokens[index] = self.monitors[index].snapshot()
        self._moved.clear()
        return tuple(self._tokens)

    def restore(self, token: Any) -> None:
        """Go back to where `snapshot` was taken."""
        for index, (old, new) in enumerate(zip(self._tokens, token, strict=True)):
            if old is not new or index in self._moved:
                self.monitors[index].restore(new)
                self._tokens[index] = new
                self._forbidden[index] = None
        self._moved.clear()
        self._union = None
