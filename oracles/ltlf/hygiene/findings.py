"""What can be said of a set of rules as a set, and how it is said.

Finding(Kind.CONFLICT, Severity.ERROR, ("a", "b"), "No trace satisfies rules `a` and `b` together.", None)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is: an error is never right, a warning seldom, a note says what was not looked at."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Kind(StrEnum):
    """What was found."""

    UNUSABLE = "unusable"
    UNSATISFIABLE = "unsatisfiable"
    STANDSTILL = "standstill"
    TAUTOLOGY = "tautology"
    DEAD_ATOM = "dead atom"
    CONFLICT = "conflict"
    TRAP = "trap"
    VACUOUS = "vacuous"
    NEVER = "never allowed"
    SIMILAR = "similar names"
    EQUIVALENT = "equivalent"
    SUBSUMED = "subsumed"
    REDUNDANT = "redundant"
    UNDECIDED = "not decided"


_SEVERITIES = {
    Kind.STANDSTILL: Severity.WARNING,
    Kind.TRAP: Severity.WARNING,
    Kind.VACUOUS: Severity.WARNING,
    Kind.NEVER: Severity.WARNING,
    Kind.SIMILAR: Severity.WARNING,
    Kind.EQUIVALENT: Severity.WARNING,
    Kind.SUBSUMED: Severity.WARNING,
    Kind.REDUNDANT: Severity.WARNING,
    Kind.UNDECIDED: Severity.NOTE,
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: the rule it is about comes first, then those that explain it.

    `witness` is a trace, as calls in words: of a trap, the way into it; of a subsumed rule, one that
    keeps it and breaks the stronger rule. None where the finding is that no trace exists.
    """

    kind: Kind
    severity: Severity
    rules: tuple[str, ...]
    sentence: str
    witness: tuple[str, ...] | None = None


def found(kind: Kind, rules: Sequence[str], sentence: str, witness: tuple[str, ...] | None = None) -> Finding:
    """Return a finding with the severity of its kind."""
    return Finding(kind, _SEVERITIES.get(kind, Severity.ERROR), tuple(rules), sentence, witness)


MAX_NAMES, MAX_NAME = 6, 80
"""Names that a sentence spells out, and characters of one."""


def called(names: Sequence[str]) -> str:
    """Return rules as a phrase: rule `a`, or rules `a`, `b` and `c`."""
    return f"rule{'' if len(names) == 1 else 's'} {listed(names)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a phrase: `a`, `b` and `c`."""
    shown = [f"`{name if len(name) <= MAX_NAME else f'{name[: MAX_NAME - 1]}…'}`" for name in names[:MAX_NAMES]]
    if len(names) > MAX_NAMES:
        return f"{', '.join(shown)} and {len(names) - MAX_NAMES} more"
    return shown[0] if len(names) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
