"""Rules that were fine one by one, looked at as sets.

Whatever their number: rules of the two templates that lead back to where they began (`cycles.py`).
In sets of at most `MAX_TOGETHER` about one tool, on automata: what several together imply, forbid or trap.
Sets that were too many, or too large, are named in `undecided`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from lexgym.generators.extraction.candidates import Candidate, Status
from lexgym.generators.extraction.cycles import rounds
from lexgym.generators.extraction.memory import Memory
from lexgym.generators.extraction.parts import parts_of
from lexgym.oracles.ltlf import Signature, parse
from lexgym.oracles.ltlf.hygiene import Finding, Kind, Severity, examine
from lexgym.oracles.ltlf.syntax import atoms_of

MAX_TOGETHER = 8
"""Rules about one tool that are looked at as one set."""

MAX_SETS = 100
"""Sets that are looked at."""

Progress: TypeAlias = Callable[[int, int], None]


class Together:
    """Drops, from a list of candidates, those that cannot be kept with earlier ones or follow from several."""

    def __init__(self, found: list[Candidate], signature: Signature, memory: Memory) -> None:
        self._found, self._signature, self._memory = found, signature, memory
        self._places = {candidate.id: place for place, candidate in enumerate(found)}
        self.undecided: list[str] = []

    def run(self, progress: Progress) -> None:
        """Look at all sets."""
        self._rounds()
        groups = list(self._about_one_tool())
        for step, (tool, names) in enumerate(groups, 1):
            rest = names[MAX_TOGETHER:]
            if step > MAX_SETS:
                self._open(f"the {len(names)} rules about {tool} as a set: {', '.join(names)}")
                continue
            if rest:
                self._open(
                    f"the {len(names)} rules about {tool} as a set: only {MAX_TOGETHER} of them were looked at "
                    f"together, {', '.join(names[:MAX_TOGETHER])}"
                )
            for finding in self._findings(names[:MAX_TOGETHER]):
                self._apply(finding)
            progress(step, len(groups))

    def _open(self, sentence: str) -> None:
        self.undecided.append(sentence)

    def _rounds(self) -> None:
        kept = [place for place, candidate in enumerate(self._found) if candidate.kept]
        formulas = [self._found[place].formula for place in kept]
        for last, others, tool in rounds(formulas, self._signature):
            rest = ", ".join(self._found[kept[other]].id for other in others)
            self._drop(kept[last], f"cannot be kept together with {rest}: {tool} could never be called")

    def _about_one_tool(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the kept rules that name a tool, those of no template first, and no set that is within another."""
        naming: dict[str, list[tuple[bool, int]]] = {}
        for place, candidate in enumerate(self._found):
            if candidate.kept:
                formula = parse(candidate.formula)
                plain = all(part.simple for part in parts_of(formula))
                for tool in sorted({atom.tool for atom in atoms_of(formula)}):
                    naming.setdefault(tool, []).append((plain, place))
        sets = [(tool, [self._found[place].id for _, place in sorted(rules)]) for tool, rules in naming.items()]
        seen: list[set[str]] = []
        for tool, names in sorted(sets, key=lambda pair: (-len(pair[1]), self._places[pair[1][0]], pair[0])):
            if len(names) > 1 and not any(set(names) <= one for one in seen):
                seen.append(set(names[:MAX_TOGETHER]))
                yield tool, names

    def _findings(self, names: list[str]) -> Iterator[Finding]:
        rules = [self._found[self._places[name]].rule() for name in names if self._found[self._places[name]].kept]
        if len(rules) < 2:
            return
        question = f"together {' ; '.join(f'{rule.id}: {rule.formula}' for rule in rules)}"
        answer = self._memory.recall(question, lambda: [_plain(x) for x in examine(rules, self._signature)])
        for kind, severity, about, sentence in answer:
            yield Finding(Kind(kind), Severity(severity), tuple(about), sentence)

    def _apply(self, finding: Finding) -> None:
        """Let a finding about several rules drop one of them, or leave a remark on it."""
        places = [self._places[name] for name in finding.rules]
        if not all(self._found[place].kept for place in places):
            return
        others = finding.rules[1:]
        match finding.kind:
            case Kind.CONFLICT:
                last = max(places)
                rest = ", ".join(self._found[place].id for place in places if place != last)
                self._drop(last, f"cannot be kept together with {rest}")
            case Kind.REDUNDANT:
                self._drop(places[0], f"follows from {', '.join(others)} together")
            case Kind.NEVER:
                self._drop(max(places), finding.sentence)
            case Kind.VACUOUS | Kind.TRAP:
                self._found[places[0]] = replace(self._found[places[0]], why=finding.sentence)
            case Kind.UNDECIDED:
                self._open(finding.sentence)

    def _drop(self, place: int, why: str) -> None:
        self._found[place] = replace(self._found[place], status=Status.DROPPED, why=why)


def _plain(finding: Finding) -> list[Any]:
    return [finding.kind.value, finding.severity.value, list(finding.rules), finding.sentence]
