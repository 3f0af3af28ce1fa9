"""Candidates → the rules that stay: each can be used, says something, and says what no other one says.

    names that do not exist          dropped, with the closest that do
    the same text, or the same automaton, as an earlier one
    nothing to say                   every trace keeps it, none does, or no call matches
    implied by one that asks for more
    cannot be kept with earlier ones
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from lexgym.errors import FormulaError
from lexgym.generators.extraction.candidates import Candidate, Status
from lexgym.generators.extraction.relations import Relations
from lexgym.generators.extraction.toolset import Cards, signature_of
from lexgym.oracles.ltlf import Signature
from lexgym.oracles.ltlf.hygiene import Finding, Kind, examine

MAX_TOGETHER = 120
"""Rules that are looked at as one set; more are compared two by two only."""

_EMPTY = (Kind.UNUSABLE, Kind.UNSATISFIABLE, Kind.TAUTOLOGY, Kind.DEAD_ATOM, Kind.STANDSTILL, Kind.NEVER)

Progress = Callable[[int, int], None]


def screened(candidates: Sequence[Candidate], cards: Cards, progress: Progress | None = None) -> list[Candidate]:
    """Return the same candidates, those that add nothing or cannot be used dropped with the reason."""
    signature = signature_of(cards)
    found = list(candidates)
    kept = [place for place, candidate in enumerate(found) if candidate.kept]
    texts: dict[str, str] = {}
    for step, place in enumerate(kept, 1):
        candidate = found[place]
        plain = "".join(candidate.formula.split())
        why = f"the same formula as {texts[plain]}" if plain in texts else faults(candidate.formula, signature)
        if why:
            found[place] = drop(candidate, why)
        else:
            texts[plain] = candidate.id
        if progress is not None:
            progress(step, 3 * len(kept))
    _compare(found, signature, progress, len(kept))
    _together(found, signature, progress, len(kept))
    return found


def faults(formula: str, signature: Signature) -> str:
    """Return what is wrong with a formula by itself, nothing where it can be used and says something."""
    try:
        findings = examine([formula], signature)
    except FormulaError as error:
        return str(error)
    wrong = [finding for finding in findings if finding.kind in _EMPTY]
    return _readable(wrong[0], formula) if wrong else ""


def _readable(finding: Finding, formula: str) -> str:
    """Return a finding about one formula without the formula, which stands beside it."""
    shown = formula if len(formula) <= 80 else f"{formula[:79]}…"
    return finding.sentence.replace(f"rule `{shown}`", "it").replace(f"Rule `{shown}`", "It")


def drop(candidate: Candidate, why: str) -> Candidate:
    """Return a candidate as dropped."""
    return replace(candidate, status=Status.DROPPED, why=why)


def _compare(found: list[Candidate], signature: Signature, progress: Progress | None, total: int) -> None:
    """Drop what says the same as an earlier candidate, or follows from another."""
    places = [place for place, candidate in enumerate(found) if candidate.kept]
    relations = Relations([found[place].formula for place in places], signature)
    alive = list(range(len(places)))
    for step, one in enumerate(range(len(places)), 1):
        candidate = found[places[one]]
        for other in alive:
            if other == one or one not in alive or not relations.implies(other, one):
                continue
            name = found[places[other]].id
            same = relations.implies(one, other)
            if same and other > one:
                continue
            alive.remove(one)
            found[places[one]] = drop(candidate, f"demands the same as {name}" if same else f"follows from {name}")
            break
        if progress is not None:
            progress(total + step, 3 * total)


def _together(found: list[Candidate], signature: Signature, progress: Progress | None, total: int) -> None:
    """Drop what several others imply, and what cannot be kept with earlier ones."""
    rules = [candidate.rule() for candidate in found if candidate.kept]
    if not 1 < len(rules) <= MAX_TOGETHER:
        return

    def tell(done: int, of: int) -> None:
        if progress is not None:
            progress(2 * total + total * done // max(of, 1), 3 * total)

    places = {candidate.id: place for place, candidate in enumerate(found)}
    for finding in examine(rules, signature, tell):
        last = max(finding.rules, key=lambda name: places[name])
        if finding.kind is Kind.CONFLICT and all(found[places[name]].kept for name in finding.rules):
            others = ", ".join(name for name in finding.rules if name != last)
            found[places[last]] = drop(found[places[last]], f"cannot be kept together with {others}")
        elif finding.kind is Kind.REDUNDANT and all(found[places[name]].kept for name in finding.rules):
            others = ", ".join(finding.rules[1:])
            found[places[finding.rules[0]]] = drop(found[places[finding.rules[0]]], f"follows from {others} together")
        elif finding.kind in (Kind.VACUOUS, Kind.TRAP, Kind.NEVER):
            place = places[finding.rules[0]]
            found[place] = replace(found[place], why=finding.sentence)
