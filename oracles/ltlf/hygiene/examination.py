"""What is wrong with a set of rules as a set, each finding with a witness where one exists.

    examine(["G(a -> F b)", "absence(a)"])   →   the first never comes into play

    unsatisfiable  no trace satisfies the rule (error); standstill: only the empty trace does
    tautology      every trace satisfies it (error)
    never allowed  no trace that keeps some rules has a call in it (no rule being a plain prohibition of it)
    similar names  tools or arguments that look like one misspelt, where no signature says which is right
    dead atom      no call matches an atom of it (error)
    conflict       no trace with a call in it satisfies all of some rules (error)
    trap           calls after which each of some rules can be kept, but not all of them
    vacuous        its state never changes on a trace that keeps the others
    equivalent     two rules demand the same
    subsumed       one other rule implies it; redundant: several others together imply it
    not decided    a question had too many states or letters

Sets that explain a finding are minimal. A vacuous rule is not called subsumed or redundant too, nor is
one that another implies called redundant. Rules in a conflict are not asked what they imply.

For rules without variables every answer is exact, up to what guards say of one call (what Z3 cannot
exclude counts as possible). With `forall`, rules are compared at one assignment of values: findings
that no trace exists are true, others may be missed. The calls of a witness are possible one by one;
with `forall` they were not tried as a whole. Rules must share a tool to be compared at all.
"""

from collections.abc import Callable, Iterator, Sequence

from lexgym.core import Rule
from lexgym.errors import FormulaError, StateLimitExceeded
from lexgym.oracles.ltlf.hygiene.barred import barred_alone, barred_together
from lexgym.oracles.ltlf.hygiene.findings import Finding, Kind, Severity, called, found, listed
from lexgym.oracles.ltlf.hygiene.implied import implications
from lexgym.oracles.ltlf.hygiene.names import similar
from lexgym.oracles.ltlf.hygiene.opposed import conflicts, traps
from lexgym.oracles.ltlf.hygiene.scope import Scope, rejecting_distance, scopes
from lexgym.oracles.ltlf.joint.conditions import Conditions
from lexgym.oracles.ltlf.joint.letters import MAX_COMBINATIONS
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.rule import RuleAutomaton, compile_rule
from lexgym.oracles.ltlf.signature import Signature
from lexgym.oracles.ltlf.syntax import Formula

Progress = Callable[[int, int], None]
"""Told how many of how many steps are done."""


def examine(
    rules: Sequence[Rule | Formula | str], signature: Signature | None = None, progress: Progress | None = None
) -> tuple[Finding, ...]:
    """Return everything that is wrong with a set of rules, errors first.

    A rule that cannot be compiled is a finding, and the others are still looked at.
    """
    names = [rule.id if isinstance(rule, Rule) else str(rule) for rule in rules]
    findings: list[Finding] = []
    automata: dict[int, RuleAutomaton] = {}
    for number, rule in enumerate(rules):
        try:
            automata[number] = compile_rule(rule.formula if isinstance(rule, Rule) else rule, signature)
        except FormulaError as error:
            findings.append(
                found(Kind.UNUSABLE, [names[number]], f"Rule {listed([names[number]])} cannot be used: {error}.")
            )
    findings += [] if signature is not None else similar(names, automata)
    for done, batch in enumerate(_all(names, automata), 1):
        findings += batch
        if progress is not None:
            progress(done, 2 * len(automata))
    order = list(Severity)
    return tuple(sorted(findings, key=lambda finding: order.index(finding.severity)))


def _all(names: list[str], automata: dict[int, RuleAutomaton]) -> Iterator[list[Finding]]:
    """Yield the findings, twice as many batches as there are rules."""
    sound: dict[int, RuleAutomaton] = {}
    still: set[int] = set()
    for number, automaton in automata.items():
        alone = list(_alone(names[number], automaton))
        kinds = {finding.kind for finding in alone}
        if Kind.STANDSTILL in kinds:
            still.add(number)
        if not kinds & {Kind.UNSATISFIABLE, Kind.TAUTOLOGY}:
            sound[number] = automaton
        yield alone
    for scope in scopes(sound):
        yield from _together(scope, names, still)
    yield from ([] for _ in range(len(automata) - len(sound)))


def _together(scope: Scope, names: list[str], still: set[int]) -> Iterator[list[Finding]]:
    """Yield the findings about the rules of a scope, as many batches as there are rules."""
    opposed, clear = conflicts(scope, names, still)
    batch = [*opposed, *traps(scope, names, clear)]
    known = list(batch)
    asked = [rule for rule in clear if rule not in still]
    for number, about in enumerate(implications(scope, names, asked), 1):
        yield batch + about + (barred_together(scope, names, asked, known) if number == len(asked) else [])
        batch = []
    for _ in range(len(scope.rules) - len(asked)):
        yield batch
        batch = []


def _alone(name: str, automaton: RuleAutomaton) -> Iterator[Finding]:
    """Yield what is wrong with a rule by itself."""
    dead = list(_dead_atoms(name, automaton))
    yield from dead
    dfa, rule = automaton.dfa, called([name])
    if automaton.variables:
        try:
            empty = scopes({0: automaton})[0].breaking(0, ()) is None
        except StateLimitExceeded as error:
            yield found(Kind.UNDECIDED, [name], f"Whether {rule} can be broken was not decided: {error}.")
        else:
            if empty:
                yield found(Kind.TAUTOLOGY, [name], f"Every trace satisfies {rule}: it forbids nothing.")
            elif not dead:
                yield from barred_alone(name, automaton)
    elif dfa.distance[0] is None:
        yield found(Kind.UNSATISFIABLE, [name], f"No trace satisfies {rule}.")
    elif rejecting_distance(dfa)[0] is None:
        yield found(Kind.TAUTOLOGY, [name], f"Every trace satisfies {rule}: it forbids nothing.")
    elif all(dfa.distance[target] is None for target in dfa.rows[0]):
        yield found(Kind.STANDSTILL, [name], f"Only the empty trace satisfies {rule}: any call at all breaks it.")
    elif not dead:
        yield from barred_alone(name, automaton)


def _dead_atoms(name: str, automaton: RuleAutomaton) -> Iterator[Finding]:
    """Yield the atoms that no call makes true."""
    renaming = {variable: variable for variable in automaton.variables}
    for tool in automaton.readers:
        conditions = Conditions([(automaton, renaming)], tool)
        member = conditions.members[0]
        try:
            seen = [truth for truth, _ in conditions.possible(MAX_COMBINATIONS)]
        except StateLimitExceeded as error:
            about = f"Whether calls match the atoms of {called([name])} was not decided: {error}."
            yield found(Kind.UNDECIDED, [name], about)
            continue
        atoms = {bit: atom for atom, bit in automaton.bits.items()}
        for bit, number in (*member.free, *member.bound):
            if not any(truth[number] for truth in seen):
                text = to_text(atoms[bit])
                yield found(Kind.DEAD_ATOM, [name], f"No call matches `{text}` in {called([name])}.")
