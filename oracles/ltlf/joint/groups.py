"""Which rules of a set have to do with one another, and on which values.

    forall p. …pay[payee = p]…   and   forall x, a. …pay[payee = x, amount = a]…
    share the value of `payee`: the slice (x, a) of the second goes with the slice x of the first

Rules are related when one tool concerns both; a rule for which any call whatever is a step (`X`,
`last`) is related to all. Variables that take their value from the same place of the same tool get
one common name. A group is the related rules that can be looked at under one assignment of values.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from lexgym.oracles.ltlf.bindings import binding_of
from lexgym.oracles.ltlf.joint.automaton import JointAutomaton, JointState
from lexgym.oracles.ltlf.joint.letters import Member
from lexgym.oracles.ltlf.rule import Key, RuleAutomaton


@dataclass(frozen=True, eq=False)
class Group:
    """Some related rules, by their index in the set, and the common names of their values.

    `joint` is their product; a key of the group is the values of `names`.
    """

    rules: tuple[int, ...]
    names: tuple[str, ...]
    joint: JointAutomaton

    @cached_property
    def leading(self) -> tuple[int, ...]:
        """The rules that have all the variables of the group: their slices are the group's keys."""
        members = zip(self.rules, self.joint.members, strict=True)
        return tuple(rule for rule, member in members if len(member.names) == len(self.names))

    @cached_property
    def projections(self) -> tuple[tuple[int, ...], ...]:
        """For each member, where in the group's key its own values stand."""
        return tuple(tuple(self.names.index(name) for name in member.names) for member in self.joint.members)

    def group_key(self, rule: int, key: Key) -> Key:
        """Return the group's key of a slice of a leading rule."""
        values = dict(zip(self.joint.members[self.rules.index(rule)].names, key, strict=True))
        return tuple(values[name] for name in self.names)

    def own_keys(self, key: Key) -> list[Key]:
        """Return each member's part of a key of the group."""
        return [tuple(key[place] for place in places) for places in self.projections]

    def state(self, key: Key, state_of: Callable[[int, Key], int]) -> JointState:
        """Return the product's state at a key; `state_of` gives that of a rule's slice, ~q if not begun."""
        return tuple(map(state_of, self.rules, self.own_keys(key)))


def grouped(automata: Sequence[RuleAutomaton]) -> tuple[Group, ...]:
    """Return the groups of a set of rules; every rule is in at least one."""
    names = common_names(automata)
    groups = []
    for related in _related(automata):
        for wanted in dict.fromkeys(frozenset(names[rule]) for rule in related):
            rules = tuple(rule for rule in related if frozenset(names[rule]) <= wanted)
            members = [Member(automata[rule], names[rule]) for rule in rules]
            groups.append(Group(rules, tuple(sorted(wanted)), JointAutomaton(members)))
    return tuple(groups)


def _related(automata: Sequence[RuleAutomaton]) -> list[tuple[int, ...]]:
    """Return the rules as classes of those related, directly or through others."""
    if not all(automaton.idle for automaton in automata):
        return [tuple(range(len(automata)))]
    classes = _Classes(range(len(automata)))
    first: dict[str, int] = {}
    for rule, automaton in enumerate(automata):
        for tool in automaton.readers:
            classes.join(first.setdefault(tool, rule), rule)
    found: dict[int, list[int]] = {}
    for rule in range(len(automata)):
        found.setdefault(classes.of(rule), []).append(rule)
    return [tuple(rules) for rules in found.values()]


def common_names(automata: Sequence[RuleAutomaton]) -> list[tuple[str, ...]]:
    """Return each rule's variables under names that rules share where their values come from one place."""
    variables = [(rule, name) for rule, automaton in enumerate(automata) for name in automaton.variables]
    classes = _Classes(range(len(variables)))
    number = {variable: i for i, variable in enumerate(variables)}
    places: dict[tuple[str, str], int] = {}
    for rule, automaton in enumerate(automata):
        for atom in automaton.bits:
            for name, place in (binding_of(atom, automaton.variables) or {}).items():
                mine = number[rule, name]
                other = places.setdefault((atom.tool, str(place)), mine)
                if _joinable(classes, mine, other, variables):
                    classes.join(other, mine)
    return [tuple(f"v{classes.of(number[rule, n])}" for n in a.variables) for rule, a in enumerate(automata)]


def _joinable(classes: "_Classes", one: int, two: int, variables: list[tuple[int, str]]) -> bool:
    """Whether no rule would have two of its variables under one name."""
    members = [variables[i][0] for i in range(len(variables)) if classes.of(i) in (classes.of(one), classes.of(two))]
    return classes.of(one) == classes.of(two) or len(set(members)) == len(members)


class _Classes:
    """Union-find, in which the smallest number stands for its class."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._parent = list(numbers)

    def of(self, number: int) -> int:
        while self._parent[number] != number:
            number = self._parent[number]
        return number

    def join(self, one: int, two: int) -> None:
        one, two = sorted((self.of(one), self.of(two)))
        self._parent[two] = one
