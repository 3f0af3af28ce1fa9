"""Candidates → the rules that stay: each can be used, says something, and says what no other one says.

names that do not exist          dropped, with the closest that do
the same text, or the same automaton, as an earlier one
nothing to say                   every trace keeps it, none does, or no call matches
implied by one that asks for more
cannot be kept with earlier ones
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lexgym.errors import FormulaError
from lexgym.generators.extraction.candidates import Candidate, Status
from lexgym.generators.extraction.relations import Relations
from lexgym.generators.extraction.toolset import Cards, signature_of
from lexgym.oracles.ltlf import Signature, parse
from lexgym.oracles.ltlf.hygiene import Finding, Kind, examine
from lexgym.oracles.ltlf.syntax import atoms_of

MAX_TOGETHER = 6
"""Rules about one tool that are looked at as one set."""

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
    """Drop what several rules about one tool imply, and what cannot be kept with earlier rules about it."""
    places = {candidate.id: place for place, candidate in enumerate(found)}
    groups = list(_about_one_tool(found))
    for step, group in enumerate(groups, 1):
        rules = [found[places[name]].rule() for name in group if found[places[name]].kept]
        for finding in examine(rules, signature) if len(rules) > 1 else ():
            _apply(finding, found, places)
        if progress is not None:
            progress(2 * total + total * step // len(groups), 3 * total)


def _about_one_tool(found: Sequence[Candidate]) -> Iterator[tuple[str, ...]]:
    """Yield the kept rules that name a tool, no set of them twice and none within another."""
    naming: dict[str, list[str]] = {}
    for candidate in found:
        if candidate.kept:
            for tool in {atom.tool for atom in atoms_of(parse(candidate.formula))}:
                naming.setdefault(tool, []).append(candidate.id)
    sets = sorted(
        {tuple(names[:MAX_TOGETHER]) for names in naming.values() if len(names) > 1}, key=lambda x: (-len(x), x)
    )
    seen: list[set[str]] = []
    for names in sets:
        if not any(set(names) <= one for one in seen):
            seen.append(set(names))
            yield names


def _apply(finding: Finding, found: list[Candidate], places: dict[str, int]) -> None:
    """Let a finding about several rules drop one of them, or leave a remark on it."""
    if not all(found[places[name]].kept for name in finding.rules):
        return
    first, *others = finding.rules
    match finding.kind:
        case Kind.CONFLICT:
            last = max(finding.rules, key=lambda name: places[name])
            rest = ", ".join(name for name in finding.rules if name != last)
            found[places[last]] = drop(found[places[last]], f"cannot be kept together with {rest}")
        case Kind.REDUNDANT:
            found[places[first]] = drop(found[places[first]], f"follows from {', '.join(others)} together")
        case Kind.NEVER:
            last = max(finding.rules, key=lambda name: places[name])
            found[places[last]] = drop(found[places[last]], finding.sentence)
        case Kind.VACUOUS | Kind.TRAP:
            found[places[first]] = replace(found[places[first]], why=finding.sentence)
