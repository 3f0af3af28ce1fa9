"""A rule that was read out of a text, and what became of it.

Candidate("payee-first", "(!pay) W check[result.ok]", …, status=Status.DROPPED, why="says the same as 3-1")
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from lexgym.core import Rule
from lexgym.errors import ExtractionError, near_miss
from lexgym.generators.extraction.document import Sentence


class Status(StrEnum):
    """What became of a candidate."""

    KEPT = "kept"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One rule, or one norm that no rule could be made of, with the sentence it comes from.

    `by` says who found it: `grammar`, the name of a model, or `person`; `note` is a person's.
    """

    id: str
    formula: str
    text: str
    line: int
    section: str
    citation: str = ""
    template: str = "other"
    status: Status = Status.KEPT
    why: str = ""
    by: str = "grammar"
    note: str = ""
    reviewed: bool = False

    @property
    def kept(self) -> bool:
        """Whether it goes into the file of rules."""
        return self.status is Status.KEPT

    def rule(self, regulation: str = "") -> Rule:
        """Return it as a rule."""
        return Rule(self.id, self.formula, self.text, regulation, self.citation, self.template)

    def to_json(self) -> dict[str, Any]:
        """Return the fields that say something."""
        return {key: str(v) if isinstance(v, Status) else v for key, v in asdict(self).items() if v not in ("", False)}

    @classmethod
    def from_json(cls, entry: Any, where: str) -> "Candidate":
        """Read what `to_json` wrote; raise `ExtractionError` for anything else."""
        if not isinstance(entry, dict):
            raise ExtractionError(f"{where}: expected a candidate, a mapping with id, formula and text")
        known = cls.__dataclass_fields__
        for key, value in entry.items():
            if key not in known:
                raise ExtractionError(f"{where}: unknown field {key!r}{near_miss(str(key), known)}")
            kind = int if key == "line" else bool if key == "reviewed" else str
            if not isinstance(value, kind):
                raise ExtractionError(f"{where}: {key} is {kind.__name__}, not {value!r:.60}")
        if not entry.get("id"):
            raise ExtractionError(f"{where}: a candidate has an id")
        status = entry.get("status", "kept")
        if status not in list(Status):
            raise ExtractionError(f"{where}: status {status!r} is none{near_miss(status, map(str, Status))}")
        return cls(**{"formula": "", "text": "", "line": 0, "section": "", **entry, "status": Status(status)})


def dropped(sentence: Sentence, why: str, number: str, formula: str = "", by: str = "grammar") -> Candidate:
    """Return a candidate that was dropped at once."""
    return Candidate(
        number, formula, sentence.whole, sentence.line, sentence.section, sentence.citation,
        status=Status.DROPPED, why=why, by=by,
    )  # fmt: skip
