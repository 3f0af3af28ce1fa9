"""Calls that can never be made without breaking a rule, where no rule says so in plain words.

    (!pay) W confirm, (!confirm) W pay:   neither `pay` nor `confirm` is ever allowed
    G(pay -> note):                       no call is both, so `pay` is never allowed; meant was G(pay -> F note)

A call is one that succeeds and gives the arguments that the rules' guards compare.
"""

from collections.abc import Iterator, Sequence

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.asked import is_binding
from lexgym.oracles.ltlf.english.idioms import conjuncts
from lexgym.oracles.ltlf.english.phrases import events_of
from lexgym.oracles.ltlf.hygiene.findings import Finding, Kind, called, found
from lexgym.oracles.ltlf.hygiene.scope import Scope, shrink
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.rule import Letter, RuleAutomaton
from lexgym.oracles.ltlf.syntax import Always, Atom, Eventually, Formula, Implies, Not


def barred_alone(name: str, automaton: RuleAutomaton) -> Iterator[Finding]:
    """Yield what a rule never allows although it is no plain prohibition."""
    hints: dict[str, list[str]] = {}
    for atom in _barred_by(automaton):
        if not _prohibits(automaton.formula, atom):
            hints.setdefault(_meant(automaton.formula, atom), []).append(f"`{to_text(atom)}`")
    for hint, calls in hints.items():
        what = f"{_joined(calls, 'and')} can never be called without breaking {called([name])}{hint or '.'}"
        yield found(Kind.NEVER, [name], what)


def barred_together(
    scope: Scope, names: Sequence[str], rules: Sequence[int], known: Sequence[Finding]
) -> list[Finding]:
    """Return which tools some rules together never allow, those of one minimal set of rules in one finding.

    Of rules that are known to be a trap it is not said again.
    """
    if len(rules) < 2:
        return []
    fresh = scope.again()
    sets: dict[tuple[int, ...], list[str]] = {}
    open_questions: list[str] = []
    reason = ""
    automata = [scope.members[rule].automaton for rule in rules]
    alone = {atom.tool for automaton in automata for atom in _barred_by(automaton) if atom.guard is None}
    for tool in sorted({tool for automaton in automata for tool in automaton.readers} - alone):
        try:
            if _allowed(fresh, rules, tool):
                continue
        except StateLimitExceeded as error:
            reason = str(error)
        why = _explain(fresh, rules, tool)
        if why is None:
            open_questions.append(f"`{to_text(Atom(tool))}`")
        else:
            sets.setdefault(tuple(sorted(why)), []).append(f"`{to_text(Atom(tool))}`")
    traps = {frozenset(finding.rules) for finding in known if finding.kind is Kind.TRAP}
    named = [([names[rule] for rule in why], calls) for why, calls in sets.items()]
    findings = [_together(why, calls) for why, calls in named if frozenset(why) not in traps]
    if open_questions:
        about = f"Whether {', '.join(open_questions)} can be called was decided for few rules at a time only: {reason}."
        findings.append(found(Kind.UNDECIDED, [names[rule] for rule in rules], about))
    return findings


def _together(names: list[str], calls: list[str]) -> Finding:
    what = f"No trace that keeps {called(names)} has a successful call of {_joined(calls, 'or')}."
    return found(Kind.NEVER, names, what)


def _joined(calls: list[str], word: str) -> str:
    return calls[0] if len(calls) == 1 else f"{', '.join(calls[:-1])} {word} {calls[-1]}"


def _explain(scope: Scope, rules: Sequence[int], tool: str) -> tuple[int, ...] | None:
    """Return a minimal set of rules that never allow a tool, looking at those that name it first."""

    def barred(part: Sequence[int]) -> bool:
        return not _allowed(scope, part, tool)

    naming = [rule for rule in rules if tool in scope.members[rule].automaton.tools]
    for near in (naming, *scope.around(naming[0], [rule for rule in rules if rule != naming[0]])):
        part = list(dict.fromkeys([*naming, *near]))
        try:
            if barred(part):
                return shrink(part, barred)
        except StateLimitExceeded:
            continue
    return None


def _barred_by(automaton: RuleAutomaton) -> list[Atom]:
    """Return the calls that a rule never allows: a tool, or else atoms of it."""
    barred: list[Atom] = []
    for tool in automaton.readers:
        letters = [letter for letter in automaton.letters if letter.tool == tool and letter.ok]
        beginning = [letter for letter in letters if letter.mask & automaton.begin_bits]
        if not _some_allowed(automaton, beginning if tool in automaton.beginners else letters):
            barred.append(Atom(tool))
            continue
        for atom, bit in automaton.bits.items():
            if atom.tool == tool and not _some_allowed(automaton, [x for x in letters if x.mask & bit]):
                barred.append(atom)
    return barred


def _some_allowed(automaton: RuleAutomaton, letters: list[Letter]) -> bool:
    """Whether one of some letters can be a step of a trace that keeps the rule, or there is none at all.

    A call that begins no slice need not come where one ever begins.
    """
    if automaton.variables and not all(letter.mask & automaton.begin_bits for letter in letters):
        return True
    dfa = automaton.dfa
    alive = [row for row, left in zip(dfa.rows, dfa.distance, strict=True) if left is not None]
    return not letters or any(dfa.distance[row[letter.column]] is not None for row in alive for letter in letters)


def _allowed(scope: Scope, rules: Sequence[int], tool: str) -> bool:
    """Whether some trace that keeps the rules has a successful call of a tool, or there is none at all.

    Raises StateLimitExceeded when there is too much to look at.
    """
    view = scope.view(rules)
    programs = view.programs(letter for letter in view.joint.letters(tool) if letter.ok)
    return not programs or view.admits(programs)


def _prohibits(formula: Formula, atom: Atom) -> bool:
    """Whether a rule says in plain words that a call may never happen."""
    body = formula.body if isinstance(formula, s.Forall) else formula
    return any(
        denied.tool == atom.tool and (denied.guard == atom.guard or all(map(is_binding, g.conjuncts(denied.guard))))
        for denied in _denied(body)
    )


def _denied(body: Formula) -> Iterator[Atom]:
    for part in conjuncts(body):
        match part:
            case Not(Eventually(inner, None)):
                yield from events_of(inner) or ()
            case Always(inner, None):
                yield from _denied_now(inner)


def _denied_now(body: Formula) -> Iterator[Atom]:
    """Yield the events that a step may not be."""
    match body:
        case Not(inner) | Implies(inner, s.Truth(False)) | Implies(_, Not(inner)):
            yield from events_of(inner) or ()
        case s.And(parts):
            for part in parts:
                yield from _denied_now(part)


def _meant(formula: Formula, atom: Atom) -> str:
    """Return the question whether `G(a -> F b)` was meant where `G(a -> b)` is written."""
    body = formula.body if isinstance(formula, s.Forall) else formula
    for part in conjuncts(body):
        if isinstance(part, Always) and isinstance(part.body, Implies):
            left, right = part.body.left, part.body.right
            wanted = right.parts if isinstance(right, s.And) else (right,)
            if atom.tool in {event.tool for event in events_of(left) or ()} and all(map(events_of, wanted)):
                later = s.conjunction(tuple(Eventually(event) for event in wanted))
                meant: Formula = Always(Implies(left, later))
                whole = s.Forall(formula.variables, meant) if isinstance(formula, s.Forall) else meant
                return f"; did you mean {to_text(whole)}?"
    return ""
