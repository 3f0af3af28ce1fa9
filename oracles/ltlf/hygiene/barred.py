"""Calls that can never be made without breaking a rule, where no rule says so in plain words.

    (!pay) W confirm, (!confirm) W pay:   neither `pay` nor `confirm` is ever allowed
    G(pay -> note):                       no call is both, so `pay` is never allowed; meant was G(pay -> F note)

A call is one that succeeds and gives the arguments that the rules' guards compare.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexgym.errors import StateLimitExceeded
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.english.idioms import conjuncts
from lexgym.oracles.ltlf.english.phrases import events_of
from lexgym.oracles.ltlf.hygiene.findings import Finding, Kind, called, found
from lexgym.oracles.ltlf.hygiene.projection import Program, Projection
from lexgym.oracles.ltlf.hygiene.scope import Scope, scopes, shrink
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Always, Atom, Eventually, Formula, Implies, Not


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a tool, or one that an atom of a rule matches."""

    atom: Atom
    rule: int | None = None
    bit: int = 0


def barred_alone(name: str, automaton: RuleAutomaton) -> Iterator[Finding]:
    """Yield what a rule never allows although it is no plain prohibition."""
    hints: dict[str, list[str]] = {}
    for call in _barred_by(scopes({0: automaton})[0], 0):
        if not _prohibits(automaton.formula, call.atom):
            hints.setdefault(_meant(automaton.formula, call.atom), []).append(f"`{to_text(call.atom)}`")
    for hint, calls in hints.items():
        what = f"{_joined(calls, 'and')} can never be called without breaking {called([name])}{hint or '.'}"
        yield found(Kind.NEVER, [name], what)


def barred_together(scope: Scope, names: Sequence[str], rules: Sequence[int]) -> list[Finding]:
    """Return which tools some rules together never allow, those of one minimal set of rules in one finding."""
    if len(rules) < 2:
        return []
    fresh = scope.again()
    sets: dict[tuple[int, ...], list[str]] = {}
    open_questions: list[str] = []
    reason = ""
    alone = {call.atom.tool for rule in rules for call in _barred_by(fresh, rule) if call.rule is None}
    for tool in sorted({tool for rule in rules for tool in scope.members[rule].automaton.readers} - alone):
        call = _Call(Atom(tool))
        try:
            if _allowed(fresh, rules, call):
                continue
        except StateLimitExceeded as error:
            reason = str(error)
        why = _explain(fresh, rules, call)
        if why is None:
            open_questions.append(f"`{to_text(call.atom)}`")
        else:
            sets.setdefault(why, []).append(f"`{to_text(call.atom)}`")
    findings = [_together([names[rule] for rule in why], calls) for why, calls in sets.items()]
    if open_questions:
        about = f"Whether {', '.join(open_questions)} can be called was decided for few rules at a time only: {reason}."
        findings.append(found(Kind.UNDECIDED, [names[rule] for rule in rules], about))
    return findings


def _together(names: list[str], calls: list[str]) -> Finding:
    what = f"No trace that keeps {called(names)} has a successful call of {_joined(calls, 'or')}."
    return found(Kind.NEVER, names, what)


def _joined(calls: list[str], word: str) -> str:
    return calls[0] if len(calls) == 1 else f"{', '.join(calls[:-1])} {word} {calls[-1]}"


def _explain(scope: Scope, rules: Sequence[int], call: _Call) -> tuple[int, ...] | None:
    """Return a minimal set of rules that never allow a call, looking at those that name it first."""

    def barred(part: Sequence[int]) -> bool:
        return not _allowed(scope, part, call)

    naming = [rule for rule in rules if call.atom.tool in scope.members[rule].automaton.tools]
    for near in (naming, *scope.around(naming[0], [rule for rule in rules if rule != naming[0]])):
        part = list(dict.fromkeys([*naming, *near]))
        try:
            if barred(part):
                return shrink(part, barred)
        except StateLimitExceeded:
            continue
    return None


def _barred_by(scope: Scope, rule: int) -> list[_Call]:
    """Return the calls that one rule never allows: a tool, or else the atoms of it."""
    automaton = scope.members[rule].automaton
    barred: list[_Call] = []
    for tool in automaton.readers:
        whole = _Call(Atom(tool))
        if not _allowed(scope, [rule], whole):
            barred.append(whole)
            continue
        calls = [_Call(atom, rule, bit) for atom, bit in automaton.bits.items() if atom.tool == tool and atom.guard]
        barred += [call for call in calls if not _allowed(scope, [rule], call)]
    return barred


def _allowed(scope: Scope, rules: Sequence[int], call: _Call) -> bool:
    """Whether some trace that keeps the rules has a call in it; so it is said of one that cannot be made at all.

    Raises StateLimitExceeded when there is too much to look at.
    """
    view = scope.view(rules)
    programs = _programs(scope, view, rules, call)
    return not programs or view.admits(programs)


def _programs(scope: Scope, view: Projection, rules: Sequence[int], call: _Call) -> list[Program]:
    """Return what a call can do to the rules."""
    letters = [letter for letter in view.joint.letters(call.atom.tool) if letter.ok]
    if call.rule is not None:
        place, automaton = view.members[list(rules).index(call.rule)], scope.members[call.rule].automaton
        matching = [letter for letter in automaton.letters if letter.mask & call.bit]
        if any(automaton.idle_columns[x.column] and not x.mask & automaton.binding_bits for x in matching):
            return []
        columns = {letter.column for letter in matching}
        letters = [x for x in letters if columns & {column for member, column, _ in x.moves if member == place}]
    return view.programs(letters)


def _prohibits(formula: Formula, atom: Atom) -> bool:
    """Whether a rule says in plain words that a call may never happen."""
    body = formula.body if isinstance(formula, s.Forall) else formula
    return any(denied.tool == atom.tool and denied.guard in (None, atom.guard) for denied in _denied(body))


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
