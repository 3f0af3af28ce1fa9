"""Many rules at once: who is broken, what may still be called, what is still owed.

>>> rules = RuleSet(["G(a -> F b)", "G(b -> F a)"])
>>> monitor = rules.monitor()
>>> monitor.step(Event.ok(ToolCall("a"), None))      # no rule is violated for good …
()
>>> monitor.verdict.name, monitor.doomed             # … but the two can no longer both be kept
('PV', ((0, 1),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, TypeAlias, TypeVar

from lexgym.core import Event, Rule, Status, ToolCall
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.joint.automaton import JointState
from lexgym.oracles.ltlf.joint.groups import Group, grouped
from lexgym.oracles.ltlf.monitor import PlainMonitor, RuleMonitor, no_event
from lexgym.oracles.ltlf.parser import as_formula
from lexgym.oracles.ltlf.partly import monitor_class
from lexgym.oracles.ltlf.planning import Plan, Wanted, wanted_jointly
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.product import Product
from lexgym.oracles.ltlf.rule import Key, RuleAutomaton, compile_rule
from lexgym.oracles.ltlf.signature import Signature
from lexgym.oracles.ltlf.syntax import Formula

__all__ = ["Event", "RuleSet", "RuleSetMonitor", "ToolCall"]

_LOST, _OK = RV.PV, Status.OK
_NOTHING: tuple[int, ...] = ()

MAX_MIXED = 256
"""States of different values that `forbidden` looks at together; beyond, each rule is looked at alone."""

T = TypeVar("T")

Tools: TypeAlias = frozenset[str | None]
"""Tools by name; None stands for every tool that no rule names."""


class RuleSet:
    """Compiled rules and an index from tool to the rules that it moves.

    A rule may be given as a `Rule`, a formula or its text. Raises the FormulaError of the first rule
    that cannot be compiled, with a note that names it.
    """

    def __init__(self, rules: Sequence[Rule | Formula | str], signature: Signature | None = None) -> None:
        if isinstance(rules, str | Rule) or not isinstance(rules, Iterable):
            raise FormulaError(f"a rule set is made of several rules, not of {rules!r}: write [rule]")
        self.rules = tuple(map(_as_rule, rules))
        self.signature = signature
        self.automata = tuple(_compiled(rule, signature) for rule in self.rules)
        self.sliced = tuple(i for i, automaton in enumerate(self.automata) if automaton.variables)
        self.monitor_classes = {i: monitor_class(self.automata[i]) for i in self.sliced}
        plain = [i for i, automaton in enumerate(self.automata) if not automaton.variables]
        self.product = Product(plain, [self.automata[i] for i in plain])
        self.always = tuple(i for i in self.sliced if not self.automata[i].idle)
        tools = {tool for i in self.sliced for tool in self.automata[i].readers}
        self.concerned = {
            tool: tuple(i for i in self.sliced if tool in self.automata[i].readers or not self.automata[i].idle)
            for tool in tools
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleSet, (self.rules, self.signature)

    def __repr__(self) -> str:
        return f"<RuleSet of {len(self.rules)} rules over {len(self.tools)} tools>"

    @cached_property
    def tools(self) -> frozenset[str]:
        """The tools that some rule names."""
        return frozenset(tool for automaton in self.automata for tool in automaton.readers)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The rules that have to do with one another, each group with its product."""
        return grouped(self.automata)

    @cached_property
    def together(self) -> dict[int, tuple[int, ...]]:
        """For each rule, the groups, by their index, whose calls are looked at together."""
        asked = [i for i, group in enumerate(self.groups) if not group.names or not group.joint.harmonious]
        looked_at = [i for i in asked if self.groups[i].joint.decidable]
        return {rule: tuple(i for i in looked_at if rule in self.groups[i].rules) for rule in range(len(self.rules))}

    @cached_property
    def trapping(self) -> tuple[Group, ...]:
        """The groups in which rules could be lost together while none is lost alone."""
        return tuple(group for group in self.groups if not group.joint.harmonious and group.joint.decidable)

    @cached_property
    def trapping_anywhere(self) -> tuple[Group, ...]:
        """Those of them that every call moves."""
        return tuple(group for group in self.trapping if not all(self.automata[rule].idle for rule in group.rules))

    @cached_property
    def trapping_at(self) -> dict[str, tuple[Group, ...]]:
        """Those of them that calls of a tool move, for each tool that one names."""
        named = {tool: None for group in self.trapping for tool in group.joint.tools}
        moved = self.trapping_anywhere
        return {tool: tuple(g for g in self.trapping if tool in g.joint.tools or g in moved) for tool in named}

    @cached_property
    def undecided(self) -> tuple[tuple[int, ...], ...]:
        """The related rules whose guards make too many letters to look at them together: each is looked at alone."""
        return tuple(group.rules for group in self.groups if not group.joint.harmonious and not group.joint.decidable)

    def monitor(self) -> RuleSetMonitor:
        """Return a monitor before the first event."""
        return RuleSetMonitor(self)


def _revived(rules: RuleSet, token: Any) -> RuleSetMonitor:
    monitor = rules.monitor()
    monitor.restore(token)
    return monitor


def _as_rule(rule: Rule | Formula | str) -> Rule:
    if isinstance(rule, Rule):
        return rule
    text = rule if isinstance(rule, str) else to_text(as_formula(rule))
    return Rule(text, text, "")


def _compiled(rule: Rule, signature: Signature | None) -> RuleAutomaton:
    try:
        return compile_rule(rule.formula, signature)
    except FormulaError as error:
        error.add_note(f"in rule {rule.id!r}: {rule.formula}")
        raise


class RuleSetMonitor:
    """The states of all rules of a set; rules are known by their index in it.

    A prefix can be lost although no rule is: `verdict`, `doomed`, `admissible` and `completion` see
    the rules together (except `RuleSet.undecided`), `step`, `peek` and `verdicts` each on its own.
    After a step that raises, the monitor is not to be used further.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._concerned, self._always = rules.concerned, rules.always
        self._readers, self._node = rules.product.readers, rules.product.start
        self._since = [0] * len(rules.product.rules)
        self._sliced = {index: monitor(rules.automata[index]) for index, monitor in rules.monitor_classes.items()}
        self._alone: dict[int, Tools] = {}
        self._together: dict[int, Tools] = {}
        self._answers: dict[str, Any] = {} if rules.sliced else self._node.answers

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, (self.rules, self.snapshot())

    def __repr__(self) -> str:
        return f"<RuleSetMonitor of {len(self.rules.rules)} rules: {self.verdict.name}>"

    def step(self, event: Event) -> tuple[int, ...]:
        """Read one event and return the rules that it violated for good."""
        try:
            name = event.call.name
        except AttributeError:
            raise no_event(event) from None
        concerned = self._concerned.get(name, self._always)
        broken = self._step_slices(event, concerned) if concerned else _NOTHING
        reader = self._readers.get(name, 0)
        bits = reader(event) if callable(reader) else reader if event.status is _OK else 0
        node, lost, moved = self._node[bits]
        if moved:
            self._node = node
            self._answers = {} if self._sliced else node.answers
            for index in moved:
                self._since[index] = event.step
            if self._alone or self._together:
                self._forget([self.rules.product.rules[index] for index in moved])
        return (*broken, *lost) if broken else lost

    def _step_slices(self, event: Event, concerned: tuple[int, ...]) -> tuple[int, ...]:
        broken = _NOTHING
        self._answers = {}
        if self._alone or self._together:
            self._forget(concerned)
        for index in concerned:
            monitor = self._sliced[index]
            before = monitor.verdict
            if monitor.step(event) is _LOST and before is not _LOST:
                broken = (*broken, index)
        return broken

    def _forget(self, rules: Iterable[int]) -> None:
        together = self.rules.together
        for rule in rules:
            self._alone.pop(rule, None)
            for group in together[rule]:
                self._together.pop(group, None)

    def peek(self, event: Event) -> tuple[int, ...]:
        """Return the rules that the event would violate for good, without reading it."""
        reader = self._readers.get(event.call.name, 0)
        bits = reader(event) if callable(reader) else reader if event.status is _OK else 0
        sliced = [self._sliced[index] for index in self._concerned.get(event.call.name, self._always)]
        indices = self._concerned.get(event.call.name, self._always)
        return (
            *(i for i, m in zip(indices, sliced, strict=True) if m.verdict is not _LOST and m.peek(event) is _LOST),
            *self._node[bits][1],
        )

    def dooms(self, event: Event) -> bool:
        """Whether the event would leave rules that can be kept now impossible to keep together."""
        groups = self.rules.trapping_at.get(event.call.name, self.rules.trapping_anywhere)
        if not groups:
            return False
        twin = self._fork(self._concerned.get(event.call.name, self._always))
        twin.step(event)
        return bool(set(twin._lost(groups)) - set(self._lost(groups)))

    def monitor(self, index: int) -> RuleMonitor:
        """Return one rule's monitor, to ask, not to step."""
        if index in self._sliced:
            return self._sliced[index]
        place = self.rules.product.place[index]
        return PlainMonitor(self.rules.automata[index], self._node.states[place], self._since[place])

    @property
    def monitors(self) -> tuple[RuleMonitor, ...]:
        """Each rule's monitor, to ask, not to step."""
        return tuple(self.monitor(index) for index in range(len(self.rules.rules)))

    @property
    def verdicts(self) -> tuple[RV, ...]:
        """The verdict of each rule."""
        found = {index: monitor.verdict for index, monitor in self._sliced.items()}
        found.update(zip(self.rules.product.rules, self._node.verdicts, strict=True))
        return tuple(found[index] for index in range(len(found)))

    @property
    def satisfied(self) -> tuple[bool, ...]:
        """Whether each rule holds if the trace ends now."""
        return tuple(verdict in (RV.PS, RV.CS) for verdict in self.verdicts)

    @property
    def distances(self) -> tuple[int | None, ...]:
        """For each rule a lower bound on the further events until it accepts, None if it never will."""
        return tuple(monitor.distance for monitor in self.monitors)

    @property
    def distance(self) -> int | None:
        """A lower bound on the further events until every rule accepts; None if one never will."""
        distances = self.distances
        known = [distance for distance in distances if distance is not None]
        return max(known, default=0) if len(known) == len(distances) else None

    @property
    def verdict(self) -> RV:
        """The verdict on all rules together, which can be PV before that of any one is."""
        verdicts = set(self.verdicts)
        if RV.PV in verdicts or self.doomed:
            return RV.PV
        if RV.CV in verdicts:
            return RV.CV
        return RV.CS if RV.CS in verdicts else RV.PS

    @property
    def doomed(self) -> tuple[tuple[int, ...], ...]:
        """The groups of rules of which none is lost, but which can no longer all be kept."""
        return self._answer("doomed", self._doomed)

    def _doomed(self) -> tuple[tuple[int, ...], ...]:
        return self._lost(self.rules.trapping)

    def _lost(self, groups: Iterable[Group]) -> tuple[tuple[int, ...], ...]:
        found = [
            tuple(group.rules[member] for member in group.joint.culprits(state))
            for group in groups
            for _, state in self._states(group)
            if not group.joint.lost(state) and not group.joint.alive(state)
        ]
        return tuple(dict.fromkeys(found))

    def _states(self, group: Group) -> list[tuple[Key, JointState]]:
        """Return the group's state at each of its keys."""
        if not group.names:
            return [((), group.state((), self._state_of))]
        keys = {group.group_key(rule, key): None for rule in group.leading for key in self._sliced[rule].unsettled()}
        return [(key, group.state(key, self._state_of)) for key in keys]

    def _state_of(self, rule: int, key: Key) -> int:
        if rule in self._sliced:
            return self._sliced[rule].state_of(key)
        return self._node.states[self.rules.product.place[rule]]

    @property
    def forbidden(self) -> Tools:
        """The tools of which every successful call would violate one more rule for good, or doom some.

        None among them stands for all tools that no rule names.
        """
        return self._answer("forbidden", self._forbidden)

    def _forbidden(self) -> Tools:
        found: set[str | None] = set()
        for index, together in self.rules.together.items():
            if index in self._sliced or not together:
                found |= self._forbidden_alone(index)
        for index in dict.fromkeys(group for groups in self.rules.together.values() for group in groups):
            known = self._together.get(index)
            if known is None:
                known = self._together[index] = self._forbidden_together(self.rules.groups[index])
            found |= known
        return frozenset(found)

    def _forbidden_alone(self, index: int) -> Tools:
        known = self._alone.get(index)
        if known is None:
            automaton = self.rules.automata[index]
            known = self._alone[index] = self._others(self.monitor(index).forbidden, automaton.tools)
        return known

    def _forbidden_together(self, group: Group) -> Tools:
        begun = frozenset(state for _, state in self._states(group))
        if not group.names:
            own: frozenset[JointState] | None = begun
        else:
            own = self._possible(group)
        broken = any(rule in self._sliced and self._sliced[rule].verdict is RV.PV for rule in group.rules)
        if own is not None and not broken and all(map(group.joint.alive, begun)):
            return self._others(group.joint.excluded(begun, own), frozenset(group.joint.tools))
        return frozenset[str | None]().union(*map(self._forbidden_alone, group.rules))

    def _possible(self, group: Group) -> frozenset[JointState] | None:
        """Return at least the states that some values can be in, any slice with any other; None if too many."""
        choices = [
            {*self._sliced[rule].states, *(~state for state in self._sliced[rule].fresh)}
            if rule in self._sliced
            else {self._state_of(rule, ())}
            for rule in group.rules
        ]
        return frozenset(product(*choices)) if prod(map(len, choices)) <= MAX_MIXED else None

    def _others(self, found: Tools, named: frozenset[str]) -> Tools:
        """Name the tools that None stands for."""
        return found | (self.rules.tools - named) if None in found else found

    @property
    def admissible(self) -> Tools:
        """The tools of which some successful call leaves all rules keepable; none if they no longer are.

        None stands for the tools that no rule names. Exact for rules without `forall`; with it, a call
        is taken to give the arguments that are values.
        """
        return self._answer("admissible", self._admissible)

    def _admissible(self) -> Tools:
        if self.verdict is RV.PV:
            return frozenset()
        return (self.rules.tools | {None}) - self.forbidden

    def completion(self) -> list[Wanted] | None:
        """Return calls after which every rule holds; None when there are none.

        Shortest for rules without `forall`; with it, slice after slice, each by a shortest way, and what
        the calls themselves begin is not foreseen: ask again after each.
        """
        if self.verdict is RV.PV:
            return None
        done: dict[tuple[int, Key], int] = {}
        calls: list[Wanted] = []

        def state_of(rule: int, key: Key) -> int:
            return done.get((rule, key), self._state_of(rule, key))

        for group in sorted(self.rules.groups, key=lambda group: len(group.names), reverse=True):
            for key, _ in self._states(group):
                keys = group.own_keys(key)
                wanted, end = self._way(group, keys, group.state(key, state_of))
                calls += wanted
                done.update(zip(zip(group.rules, keys, strict=True), end, strict=True))
        return calls

    def _way(self, group: Group, keys: list[Key], state: JointState) -> tuple[list[Wanted], JointState]:
        joint = group.joint
        if joint.satisfied(state):
            return [], state
        if (group.names and joint.harmonious) or not joint.decidable:
            ways = [
                Plan(self.rules.automata[rule]).way(key, q) if q >= 0 else ([], q)
                for rule, key, q in zip(group.rules, keys, state, strict=True)
            ]
            return [wanted for way, _ in ways for wanted in way], tuple(end for _, end in ways)
        letters, end = joint.completion(state) or ([], state)
        return [wanted_jointly(joint.members, letter, keys) for letter in letters], end

    def _answer(self, name: str, work: Callable[[], T]) -> T:
        """Return an answer, worked out once a state."""
        if name not in self._answers:
            self._answers[name] = work()
        found: T = self._answers[name]
        return found

    def fork(self) -> RuleSetMonitor:
        """Return an independent copy."""
        return self._fork(self._sliced)

    def _fork(self, sliced: Iterable[int]) -> RuleSetMonitor:
        """Return a copy that is independent as far as some rules with variables go; the others must not move."""
        twin = RuleSetMonitor.__new__(RuleSetMonitor)
        twin.__dict__.update(self.__dict__)
        twin._since, twin._alone, twin._together = list(self._since), dict(self._alone), dict(self._together)
        twin._sliced = self._sliced | {index: self._sliced[index].fork() for index in sliced}
        return twin

    def snapshot(self) -> tuple[Any, ...]:
        """Return a hashable token of the state."""
        sliced = tuple(monitor.snapshot() for monitor in self._sliced.values())
        return self._node.states, tuple(self._since), sliced

    def restore(self, token: Any) -> None:
        """Go back to where `snapshot` was taken."""
        states, since, sliced = token
        self._node = self.rules.product.node(states)
        self._since, self._alone, self._together = list(since), {}, {}
        self._answers = {} if self._sliced else self._node.answers
        for monitor, part in zip(self._sliced.values(), sliced, strict=True):
            monitor.restore(part)
