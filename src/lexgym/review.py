"""A person's walk through extracted rules, one answer a line.

a            accept: the rule goes into the file
e FORMULA    edit: another formula, checked at once
r [WHY]      reject
n TEXT       note, and stay at the rule
s            skip for now
q            quit; the next review goes on from here
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from lexgym.errors import FormulaError
from lexgym.generators.extraction.candidates import Candidate, Status
from lexgym.generators.extraction.parts import template_of
from lexgym.generators.extraction.review_file import Review, write_review, write_rules
from lexgym.generators.extraction.screening import faults
from lexgym.generators.extraction.toolset import Cards, signature_of
from lexgym.oracles.ltlf import parse
from lexgym.oracles.ltlf.english import english

HELP = "a accept · e FORMULA edit · r [WHY] reject · n TEXT note · s skip · q quit"


def rules_path(review: Path) -> Path:
    """Return the file of rules that a review file belongs to."""
    return review.with_name(f"{review.name.removesuffix('.review.jsonl')}.yaml")


class Walk:
    """Shows candidates one by one, and keeps both files up to date after each answer."""

    def __init__(self, review: Review, cards: Cards, path: Path, rules: Path, console: Console) -> None:
        self.candidates = list(review.candidates)
        self._review, self._path, self._rules, self._console = review, path, rules, console
        self._signature = signature_of(cards)

    def run(self, *, everything: bool = False) -> None:
        """Ask about every candidate that no person has looked at; stops at the end of the answers."""
        waiting = [n for n, c in enumerate(self.candidates) if not c.reviewed and (c.kept or everything)]
        answers = _answers(self._console)
        for step, place in enumerate(waiting, 1):
            self._show(self.candidates[place], f"{step} of {len(waiting)}")
            if not self._ask(place, answers):
                break
        kept = self._save()
        left = sum(not c.reviewed and (c.kept or everything) for c in self.candidates)
        said = f"{kept} rules in {self._rules}" + (f"; {left} left to review" if left else "; all reviewed")
        self._console.print(said, markup=False, soft_wrap=True, highlight=False)

    def _ask(self, place: int, answers: Iterator[str]) -> bool:
        """Take answers about one candidate until it is dealt with; return whether to go on."""
        for answer in answers:
            word, _, rest = answer.strip().partition(" ")
            match word.lower():
                case "q" | "quit":
                    return False
                case "s" | "skip":
                    return True
                case "n" | "note" if rest.strip():
                    self._set(place, note=rest.strip())
                    self._print("noted")
                case "a" | "accept":
                    if self._accept(place):
                        return True
                case "e" | "edit" if rest.strip():
                    if self._edit(place, rest.strip()):
                        return True
                case "r" | "reject":
                    why = f"rejected by a person{f': {rest.strip()}' if rest.strip() else ''}"
                    self._set(place, status=Status.DROPPED, why=why, reviewed=True)
                    return True
                case _:
                    self._print(HELP)
        return False

    def _accept(self, place: int) -> bool:
        candidate = self.candidates[place]
        if not candidate.formula:
            self._print("there is no formula to accept; write one: e FORMULA")
            return False
        if wrong := faults(candidate.formula, self._signature):
            self._print(f"it cannot be accepted as it is: {wrong}")
            return False
        self._set(place, status=Status.KEPT, why="", reviewed=True)
        return True

    def _edit(self, place: int, formula: str) -> bool:
        if wrong := faults(formula, self._signature):
            self._print(wrong)
            return False
        template = template_of(parse(formula))
        self._set(place, formula=formula, status=Status.KEPT, why="", by="person", reviewed=True, template=template)
        return True

    def _set(self, place: int, **changes: object) -> None:
        self.candidates[place] = replace(self.candidates[place], **changes)  # type: ignore[arg-type]
        self._save()

    def _save(self) -> int:
        write_review(self._path, replace(self._review, candidates=tuple(self.candidates)))
        return write_rules(self._rules, self.candidates, self._review.regulation)

    def _show(self, candidate: Candidate, where: str) -> None:
        place = f"line {candidate.line}" + (f", {candidate.section}" if candidate.section else "")
        self._console.print(f"\n[bold]{escape(candidate.id)}[/bold]  {where}  {escape(place)}", highlight=False)
        lines = [("text", candidate.text), ("formula", candidate.formula), ("says", _says(candidate.formula))]
        lines += [("status", f"{candidate.status}{f': {candidate.why}' if candidate.why else ''}")]
        lines += [("note", candidate.note)]
        for name, text in lines:
            if text:
                self._console.print(f"[dim]{name:>8}[/dim] {escape(text)}", highlight=False, soft_wrap=True)

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


def _says(formula: str) -> str:
    try:
        return english(parse(formula)) if formula else ""
    except FormulaError:
        return ""


def _answers(console: Console) -> Iterator[str]:
    """Yield the lines of standard input; a prompt is shown to a person only."""
    live = sys.stdin.isatty()
    while True:
        if live:
            console.print(f"[dim]{HELP}[/dim]\n> ", end="")
        line = sys.stdin.readline()
        if not line:
            return
        yield line
