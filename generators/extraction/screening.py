"""Candidates → the rules that stay: each can be used, says something, and says what no other one says.

names that do not exist          dropped, with the closest that do
the same text, or the same automaton, as an earlier one
nothing to say                   every trace keeps it, none does, or no call matches
implied by one that asks for more
cannot be kept with earlier ones (`together.py`)
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from lexgym.errors import FormulaError
from lexgym.generators.extraction.alive import Alive
from lexgym.generators.extraction.candidates import Candidate, Status
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.relations import Relations
from lexgym.generators.extraction.together import Together
from lexgym.generators.extraction.toolset import Cards, signature_of
from lexgym.oracles.ltlf import Signature
from lexgym.oracles.ltlf.hygiene import Finding, Kind, examine

_EMPTY = (Kind.UNUSABLE, Kind.UNSATISFIABLE, Kind.TAUTOLOGY, Kind.DEAD_ATOM, Kind.STANDSTILL, Kind.NEVER)

Progress: TypeAlias = Callable[[int, int], None]


def screened(candidates: Sequence[Candidate], cards: Cards, progress: Progress | None = None) -> list[Candidate]:
    """Return the same candidates, those that add nothing or cannot be used dropped with the reason."""
    return Screening(cards).run(candidates, progress)


class Screening:
    """Screens the candidates of one text; what it was not able to decide is in `undecided`, in words."""

    def __init__(self, cards: Cards, memory: Memory | None = None) -> None:
        self._signature = signature_of(cards)
        self._memory = memory or Memory()
        self._alive = Alive(self._signature, self._memory)
        self.undecided: list[str] = []

    def run(self, candidates: Sequence[Candidate], progress: Progress | None = None) -> list[Candidate]:
        """Return the same candidates, those that add nothing or cannot be used dropped with the reason."""
        found = list(candidates)
        total = sum(candidate.kept for candidate in found)
        tell = progress or (lambda done, total: None)
        self._alone(found, lambda done: tell(done, 3 * total))
        self._compare(found, lambda done, of: tell(total + total * done // of, 3 * total))
        together = Together(found, self._signature, self._memory)
        together.run(lambda done, of: tell(2 * total + total * done // of, 3 * total))
        self.undecided += together.undecided
        tell(3 * total, 3 * total)
        return found

    def _alone(self, found: list[Candidate], tell: Callable[[int], None]) -> None:
        """Drop what cannot be used, says nothing, or is written as an earlier one is."""
        texts: dict[str, str] = {}
        kept = [place for place, candidate in enumerate(found) if candidate.kept]
        for step, place in enumerate(kept, 1):
            candidate = found[place]
            plain = "".join(candidate.formula.split())
            why = f"the same formula as {texts[plain]}" if plain in texts else self._faults(candidate.formula)
            if why:
                found[place] = drop(candidate, why)
            else:
                texts[plain] = candidate.id
            tell(step)

    def _faults(self, formula: str) -> str:
        if self._alive.surely(formula):
            return ""
        return str(self._memory.recall(f"faults {formula}", lambda: faults(formula, self._signature)))

    def _compare(self, found: list[Candidate], tell: Progress) -> None:
        """Drop what says the same as an earlier candidate, or follows from another."""
        places = [place for place, candidate in enumerate(found) if candidate.kept]
        relations = Relations([found[place].formula for place in places], self._signature, self._memory)
        alive = set(range(len(places)))
        for one, place in enumerate(places):
            for other in relations.stronger(one):
                if other not in alive:
                    continue
                same = relations.implies(one, other)
                if same and other > one:
                    continue
                alive.remove(one)
                name = found[places[other]].id
                found[place] = drop(found[place], f"demands the same as {name}" if same else f"follows from {name}")
                break
            tell(one + 1, len(places))
        names = [found[places[one]].id for one in sorted(relations.undecided & alive)]
        if names:
            self.undecided.append(f"whether {', '.join(names)} follow from other rules: too many of their kind")


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
