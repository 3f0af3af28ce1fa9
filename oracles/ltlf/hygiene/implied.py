"""Rules that add nothing to the others.

absence(a), G(a -> F b):   the second never comes into play
response(a, b), respondedexistence(a, b):   the first implies the second
"""

from collections.abc import Iterator, Sequence

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf.hygiene.findings import Finding, Kind, called, found, listed
from lexgym.oracles.ltlf.hygiene.scope import Scope
from lexgym.oracles.ltlf.hygiene.witness import way_texts


def implications(scope: Scope, names: Sequence[str], rules: Sequence[int]) -> Iterator[list[Finding]]:
    """Yield, rule by rule, what there is to say of a rule that others imply."""
    paired: set[tuple[int, int]] = set()
    open_questions: list[str] = []
    reason = ""
    for rule in rules:
        others = [other for other in rules if other != rule]
        try:
            implied = bool(others) and scope.breaking(rule, others) is None
        except StateLimitExceeded as error:
            findings = _by_one(scope, names, rule, others, paired)
            open_questions += [] if findings else [names[rule]]
            reason = str(error)
        else:
            findings = _implied(scope, names, rule, others, paired) if implied else []
        if open_questions and rule == rules[-1]:
            about = f"Whether the other rules together imply {called(open_questions)} was not decided: {reason}."
            findings = [*findings, found(Kind.UNDECIDED, open_questions, about)]
        yield findings


def _implied(
    scope: Scope, names: Sequence[str], rule: int, others: list[int], paired: set[tuple[int, int]]
) -> list[Finding]:
    if _idle(scope, rule, others):
        why = [names[other] for other in scope.explain(rule, others, lambda part: scope.idle_under(rule, part))]
        sentence = f"Rule {listed([names[rule]])} never comes into play on a trace that keeps {called(why)}."
        same = [x for x in _by_one(scope, names, rule, others, paired) if x.kind is Kind.EQUIVALENT]
        return [found(Kind.VACUOUS, [names[rule], *why], sentence), *same]
    findings = _by_one(scope, names, rule, others, paired)
    if findings or any(rule in pair for pair in paired):
        return findings
    why = [names[other] for other in scope.explain(rule, others, lambda part: scope.breaking(rule, part) is None)]
    sentence = f"Rule {listed([names[rule]])} adds nothing: every trace that keeps {called(why)} keeps it."
    return [found(Kind.REDUNDANT, [names[rule], *why], sentence)]


def _idle(scope: Scope, rule: int, others: list[int]) -> bool:
    try:
        return scope.idle_under(rule, others)
    except StateLimitExceeded:
        return False


def _by_one(
    scope: Scope, names: Sequence[str], rule: int, others: list[int], paired: set[tuple[int, int]]
) -> list[Finding]:
    """Return the rules that alone imply a rule: those that demand the same, and the first that demands more."""
    findings, stronger = [], False
    for other in others:
        if (other, rule) in paired or not scope.touch(rule, other) or not scope.implies(other, rule):
            continue
        if scope.implies(rule, other):
            paired.add((rule, other))
            both = f"Rules {listed([names[rule], names[other]])} demand the same."
            findings.append(found(Kind.EQUIVALENT, [names[rule], names[other]], both))
        elif not stronger:
            stronger = True
            sentence = (
                f"Rule {listed([names[rule]])} adds nothing: every trace that keeps {called([names[other]])} keeps it."
            )
            findings.append(found(Kind.SUBSUMED, [names[rule], names[other]], sentence, _between(scope, rule, other)))
    return findings


def _between(scope: Scope, rule: int, other: int) -> tuple[str, ...] | None:
    """Return a trace that keeps a rule and breaks the other, if it is certain to."""
    if set(scope.members[rule].names) != set(scope.members[other].names):
        return None
    try:
        way = scope.breaking(other, [rule], own=True)
    except StateLimitExceeded:
        return None
    view = scope.view((other, rule))
    return None if way is None else way_texts(view.joint.members, view.members, way)
