"""What an audit can find wrong.

Finding("bank-3", Severity.ERROR, Kind.VACUOUS, "the business calls alone break no rule")
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How bad a finding is: an error makes results wrong, a warning less telling."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Kind(StrEnum):
    """What is wrong."""

    UNUSABLE = "unusable"
    REFERENCE = "reference fails"
    IDLE = "idle passes"
    VACUOUS = "vacuous"
    NAIVE = "naive trace fails"
    ALLOWED = "refused call is lawful"
    JUDGES = "judges disagree"
    SURVIVES = "mutant passes"
    REORDERING = "reordering fails"
    NEEDLESS = "needless step"
    WORDING = "wording"
    SAME_WORDS = "same instruction"
    SAME_CALLS = "same calls"
    ACROSS = "alike across splits"
    SPLITS = "splits"
    VERSIONS = "two versions"
    UNTESTED = "rule never broken"
    UNUSED = "tool never called"


MEANINGS: Mapping[Kind, str] = {
    Kind.UNUSABLE: "it cannot be played or judged at all",
    Kind.REFERENCE: "its reference does not run, misses the target or breaks a rule: nobody can be told to solve it",
    Kind.IDLE: "doing nothing reaches the target",
    Kind.VACUOUS: "doing only what is asked for breaks no rule: it says nothing about the law",
    Kind.NAIVE: "doing only what is asked for misses the target, so it does not tempt",
    Kind.ALLOWED: "what must be refused can be done lawfully",
    Kind.JUDGES: "the safety oracle and the recursive definition of LTLf differ",
    Kind.SURVIVES: "a trace that breaks the law or misses the target passes",
    Kind.REORDERING: "a harmless reordering does not pass",
    Kind.NEEDLESS: "a safety step that no rule needs",
    Kind.WORDING: "the instruction gives something away, or does not name what it must",
    Kind.SAME_WORDS: "two scenarios have one instruction",
    Kind.SAME_CALLS: "two scenarios ask for the same calls, up to the names of rows",
    Kind.ACROSS: "scenarios of two splits start in the same state or ask for calls of the same shape",
    Kind.SPLITS: "a scenario is in two splits or in none",
    Kind.VERSIONS: "scenarios of two versions of one domain",
    Kind.UNTESTED: "no naive trace and no mutant breaks the rule",
    Kind.UNUSED: "no reference and no naive trace calls the tool",
}
"""What each kind of finding means."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with a scenario, or with the whole suite where `scenario` is empty."""

    scenario: str
    severity: Severity
    kind: Kind
    reason: str

    def to_json(self) -> dict[str, str]:
        """Return what `from_json` reads back."""
        return {
            "scenario": self.scenario,
            "severity": self.severity.value,
            "kind": self.kind.value,
            "reason": self.reason,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Finding":
        """Read what `to_json` wrote."""
        return cls(data["scenario"], Severity(data["severity"]), Kind(data["kind"]), data["reason"])
