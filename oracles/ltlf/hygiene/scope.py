"""Rules that have to do with one another, as the questions about them need them.

Questions look at one assignment of values, which all rules share where their variables take their
values from the same place. A claim that no trace does something is then true of all traces: a trace
that did it would do it at some assignment. That some trace does it is not claimed.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.automaton import DFA
from lexgym.oracles.ltlf.hygiene.projection import Budget, Projection, State, Way
from lexgym.oracles.ltlf.joint.automaton import JointAutomaton
from lexgym.oracles.ltlf.joint.groups import common_names
from lexgym.oracles.ltlf.joint.letters import Member
from lexgym.oracles.ltlf.rule import RuleAutomaton


class Scope:
    """Some related rules, known by their numbers in the set that they come from."""

    def __init__(self, members: dict[int, Member]) -> None:
        self.members = members
        self.rules = tuple(members)
        self._views: dict[tuple[int, ...], Projection] = {}
        self._budget = Budget()

    def again(self) -> "Scope":
        """Return the same rules, with as much still to be looked at as at first."""
        twin = Scope(self.members)
        twin.__dict__["_whole"] = self._whole
        return twin

    @cached_property
    def _whole(self) -> JointAutomaton | None:
        """The product of all, or None when its letters are too many."""
        joint = JointAutomaton(list(self.members.values()))
        try:
            for tool in joint.tools:
                joint.letters(tool)
        except StateLimitExceeded:
            return None
        return joint

    def view(self, rules: Sequence[int]) -> Projection:
        """Return the product of some rules, in this order. Raises StateLimitExceeded for too many letters."""
        key = tuple(rules)
        if key not in self._views:
            if self._whole is None:
                joint, places = JointAutomaton([self.members[rule] for rule in key]), range(len(key))
                self._views[key] = Projection(joint, places, self._budget)
            else:
                self._views[key] = Projection(self._whole, [self.rules.index(rule) for rule in key], self._budget)
        return self._views[key]

    def touch(self, one: int, two: int) -> bool:
        """Whether some call concerns both rules; if none does, neither alone can imply the other."""
        first, second = self.members[one].automaton, self.members[two].automaton
        return not (first.idle and second.idle) or bool(first.tools & second.tools)

    def satisfying(self, rules: Sequence[int], least: int) -> Way | None:
        """Return some trace of at least `least` (0 or 1) calls that satisfies all of some rules, or None."""
        view = self.view(rules)
        return view.find(view.satisfied, view.open, view.weight, least=least)

    def breaking(self, rule: int, others: Sequence[int], *, own: bool = False) -> Way | None:
        """Return a trace that keeps all others and breaks a rule, or None: the others imply it.

        With `own`, it is a shortest one in which no call belongs to other slices only.
        """
        view, kept = self.view((rule, *others)), self.view(others)
        dfa = view.dfas[0]
        ahead = rejecting_distance(dfa)

        def goal(state: State) -> bool:
            return state[0] >= 0 and not dfa.accepting[state[0]] and kept.satisfied(state[1:])

        def keep(state: State) -> bool:
            return ahead[_under(state[0])] is not None and not kept.lost(state[1:])

        def guess(state: State) -> int:
            return 2 * (ahead[_under(state[0])] or 0) + kept.weight(state[1:])

        return view.find(goal, keep, own=True) if own else view.find(goal, keep, guess)

    def implies(self, one: int, other: int) -> bool:
        """Whether every trace that keeps one rule is certain to keep another."""
        return _holds(lambda rules: self.breaking(other, rules) is None, [one])

    def idle_under(self, rule: int, others: Sequence[int]) -> bool:
        """Whether a rule's state never changes on a trace that keeps all others."""
        view, kept = self.view((rule, *others)), self.view(others)
        dead: set[State] = set()

        def goal(state: State) -> bool:
            return _under(state[0]) != 0 and kept.alive(state[1:], dead)

        return view.find(goal, lambda state: not kept.lost(state[1:])) is None

    def around(self, rule: int, others: Sequence[int]) -> Iterator[list[int]]:
        """Yield the rules that share a tool with a rule, then those that share one with these too, and so on."""
        near: list[int] = []
        while True:
            more = [o for o in others if o in near or any(self.touch(o, one) for one in (rule, *near))]
            if len(more) == len(near):
                return
            near = more
            yield near

    def explain(self, rule: int, others: Sequence[int], enough: Callable[[Sequence[int]], bool]) -> tuple[int, ...]:
        """Return a minimal part of the other rules that is enough, looking at those near a rule first.

        A question too large counts as no, and the part may then be larger than minimal.
        """
        for near in self.around(rule, others):
            if _holds(enough, near):
                return shrink(near, enough)
        return tuple(others)


def shrink(rules: Sequence[int], enough: Callable[[Sequence[int]], bool]) -> tuple[int, ...]:
    """Return a minimal part of some rules that is enough; a question too large counts as no."""
    for rule in rules:
        if _holds(enough, (rule,)):
            return (rule,)
    kept, size = list(rules), len(rules) // 2
    while size:
        for start in range(0, len(kept), size):
            fewer = kept[:start] + kept[start + size :]
            if fewer and _holds(enough, fewer):
                kept = fewer
                break
        else:
            size //= 2
    return tuple(kept)


def _under(state: int) -> int:
    """Return a rule's state, begun or not."""
    return state if state >= 0 else ~state


def _holds(enough: Callable[[Sequence[int]], bool], rules: Sequence[int]) -> bool:
    try:
        return enough(rules)
    except StateLimitExceeded:
        return False


def rejecting_distance(dfa: DFA) -> list[int | None]:
    """Return the least number of letters from each state to a rejecting one, None if there is none."""
    distance: list[int | None] = [None if accepting else 0 for accepting in dfa.accepting]
    grown = True
    while grown:
        grown = False
        for state, row in enumerate(dfa.rows):
            ahead = [d for d in (distance[target] for target in set(row)) if d is not None]
            if ahead and (distance[state] is None or min(ahead) + 1 < (distance[state] or 0)):
                distance[state], grown = min(ahead) + 1, True
    return distance


def scopes(automata: dict[int, RuleAutomaton]) -> list[Scope]:
    """Return rules, known by their numbers, as the scopes of those related by tools; X and `last` relate to all."""
    names = dict(zip(automata, common_names(list(automata.values())), strict=True))
    classes: list[tuple[set[str], list[int]]] = []
    if not all(automaton.idle for automaton in automata.values()):
        classes = [(set(), list(automata))]
    else:
        for rule, automaton in automata.items():
            touched = [part for part in classes if part[0] & automaton.tools]
            tools = set(automaton.tools).union(*(part[0] for part in touched))
            rules = sorted({rule}.union(*(part[1] for part in touched)))
            classes = [part for part in classes if part not in touched] + [(tools, rules)]
    ordered = sorted((rules for _, rules in classes if rules), key=min)
    return [Scope({rule: Member(automata[rule], names[rule]) for rule in rules}) for rules in ordered]
