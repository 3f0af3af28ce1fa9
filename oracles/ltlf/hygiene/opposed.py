"""Rules that cannot all be kept: from the start (a conflict), or after some calls (a trap).

G(a -> F b), G(b -> F a):   a trap, entered by `a`
"""

from collections.abc import Callable, Sequence
from itertools import combinations

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.hygiene.findings import Finding, Kind, called, found
from lexgym.oracles.ltlf.hygiene.projection import Projection, State
from lexgym.oracles.ltlf.hygiene.scope import Scope, shrink
from lexgym.oracles.ltlf.hygiene.witness import way_texts
from lexgym.oracles.ltlf.joint.automaton import JointAutomaton


def conflicts(scope: Scope, names: Sequence[str], still: set[int]) -> tuple[list[Finding], list[int]]:
    """Return the conflicts among related rules, and the rules that are in none of them.

    Rules of `still` allow no call at all anyway; with one of them a conflict is that no trace remains.
    """

    def clash(rules: Sequence[int]) -> bool:
        return scope.satisfying(rules, least=0 if still.intersection(rules) else 1) is None

    findings: list[Finding] = []
    try:
        if not clash(scope.rules):
            return [], list(scope.rules)
    except StateLimitExceeded as error:
        findings.append(_undecided("all be kept", [names[rule] for rule in scope.rules], error))
    sets: list[tuple[int, ...]] = [pair for pair in combinations(scope.rules, 2) if _certain(clash, pair)]
    rest = list(scope.rules)
    for pair in sets:
        if set(pair) <= set(rest):
            rest.remove(pair[-1])
    while _certain(clash, rest):
        smallest = shrink(rest, clash)
        sets.append(smallest)
        rest.remove(smallest[-1])
    findings += [_conflict(scope, names, rules) for rules in sets]
    involved = {rule for rules in sets for rule in rules}
    return findings, [rule for rule in scope.rules if rule not in involved]


def _certain(clash: Callable[[Sequence[int]], bool], rules: Sequence[int]) -> bool:
    try:
        return len(rules) > 1 and clash(rules)
    except StateLimitExceeded:
        return False


def _conflict(scope: Scope, names: Sequence[str], rules: Sequence[int]) -> Finding:
    view = scope.view(rules)
    involved = [names[rule] for rule in rules]
    which = "No trace but the empty one" if view.satisfied(view.start) else "No trace"
    return found(Kind.CONFLICT, involved, f"{which} satisfies {called(involved)} together.")


def traps(scope: Scope, names: Sequence[str], rules: Sequence[int]) -> list[Finding]:
    """Return the traps among rules that are in no conflict, one for each set of rules that closes it."""
    if len(rules) < 2 or JointAutomaton([scope.members[rule] for rule in rules]).harmonious:
        return []
    try:
        return _traps_of(scope, names, rules)
    except StateLimitExceeded as error:
        found_in_pairs = []
        for pair in combinations(rules, 2):
            try:
                found_in_pairs += _traps_of(scope, names, pair)
            except StateLimitExceeded:
                continue
        return [*found_in_pairs, _undecided("get in each other's way", [names[rule] for rule in rules], error)]


def _traps_of(scope: Scope, names: Sequence[str], rules: Sequence[int]) -> list[Finding]:
    view = scope.view(rules)
    graph, dead = view.traps()
    known: list[tuple[tuple[int, ...], Projection, set[State]]] = []
    findings = []
    for state in dead:
        if any(not part.alive(tuple(state[place] for place in places), gone) for places, part, gone in known):
            continue
        places = _smallest(scope, rules, state)
        part = scope.view([rules[place] for place in places])
        known.append((places, part, set()))
        involved = [names[rules[place]] for place in places]
        texts = way_texts(view.joint.members, [view.members[place] for place in places], graph.way(state))
        shown = ", ".join(f"`{text}`" for text in texts)
        sentence = f"After {shown} each of {called(involved)} can still be kept, but not all of them."
        findings.append(found(Kind.TRAP, involved, sentence, texts))
    return findings


def _smallest(scope: Scope, rules: Sequence[int], state: State) -> tuple[int, ...]:
    """Return the places of a minimal part of some rules that cannot all be kept from a state on."""

    def dead(places: Sequence[int]) -> bool:
        part = scope.view([rules[place] for place in places])
        return not part.alive(tuple(state[place] for place in places), set())

    return shrink(range(len(rules)), dead)


def _undecided(what: str, names: Sequence[str], error: StateLimitExceeded) -> Finding:
    return found(Kind.UNDECIDED, names, f"Whether {called(names)} can {what} was decided for pairs only: {error}.")
