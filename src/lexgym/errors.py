"""Everything that can go wrong, as one tree.

    LexgymError
    ├── DomainError          a domain folder is wrong, or there is no such domain
    ├── FormulaError         an LTLf formula cannot be used
    │   ├── FormulaSyntaxError   it does not parse (carries the column)
    │   ├── SignatureError       it names a tool, field or value that does not exist (column)
    │   └── StateLimitExceeded   its automaton would be too large
    ├── ScenarioError        a scenario cannot be used
    │   ├── ScenarioVersionError it was written for another format or another domain
    │   └── ScenarioRejected     it failed an acceptance condition
    ├── SuiteError           a folder is no suite, or was changed
    ├── CheckoutError        a published benchmark cannot be imported
    ├── GenerationError      no scenario with the wanted properties was found
    ├── ExtractionError      a regulation, a tools file or a review file cannot be used
    ├── EpisodeError         the environment was used out of order
    ├── AgentError           the outside world (a model server) failed an agent
    │   └── ContextExceeded      a conversation is longer than the model takes
    ├── LogError             a run log is damaged or belongs to another run
    ├── MalformedCall        the agent's text is not a tool call      (becomes an `invalid` event)
    └── Refused              a business precondition does not hold    (becomes a `refused` event)

Three fates: the agent's mistake is an observation (the last two), our own bug propagates, and
the outside world is typed at one boundary (`AgentError`).
"""

import difflib
from collections.abc import Iterable


class LexgymError(Exception):
    """Base of every error that lexgym raises on purpose."""


class DomainError(LexgymError):
    """A domain is missing or its folder is inconsistent."""


class FormulaError(LexgymError):
    """An LTLf formula cannot be used."""


class _LocatedError(FormulaError):
    def __init__(self, message: str, *, column: int | None = None) -> None:
        super().__init__(message)
        self.column = column

    def __str__(self) -> str:
        text = super().__str__()
        return text if self.column is None or "column" in text else f"{text} (column {self.column})"


class FormulaSyntaxError(_LocatedError):
    """A formula does not parse; `column` (1-based) points at the place."""


class SignatureError(_LocatedError):
    """A formula names a tool, argument, field or value that the signature does not have.

    `column` (1-based) points at it, or at the atom it is in.
    """


class StateLimitExceeded(FormulaError):
    """An automaton passed its stated limit of states or letters."""


class ScenarioError(LexgymError):
    """A scenario cannot be used."""


class ScenarioVersionError(ScenarioError):
    """A scenario was written for another format version or another version of its domain."""


class ScenarioRejected(ScenarioError):
    """A scenario failed an acceptance condition; the message says which and why."""


class SuiteError(LexgymError):
    """A suite cannot be used: there is none, it was changed, or it lacks what was asked for."""


class CheckoutError(LexgymError):
    """A checkout of a published benchmark lacks something, or holds what cannot be imported."""


class GenerationError(LexgymError):
    """No scenario with the wanted properties was found within the stated budget."""


class ExtractionError(LexgymError):
    """A regulation, a file of tools or a review file cannot be used; what was already found is kept."""


class EpisodeError(LexgymError):
    """The environment was used out of order, such as a step before reset."""


class AgentError(LexgymError):
    """The outside world failed an agent: the episode is unjudged, neither passed nor failed."""


class ContextExceeded(AgentError):
    """A conversation is longer than the model takes: no try will help, a shorter one may."""


class LogError(LexgymError):
    """A run log is damaged or does not belong to the run it is used for."""


class MalformedCall(LexgymError):
    """What the agent sent is not a usable tool call; the environment records an `invalid` event.

    `code` is `syntax` (unparsable), `unknown_tool` or `bad_arguments`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Refused(LexgymError):
    """A tool cannot do what was asked; the environment records a `refused` event.

    `code` is a short machine-readable reason such as `no_such_account`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def near_miss(name: str, known: Iterable[str]) -> str:
    """Return `"; did you mean 'x'?"` for the closest known name, or the known names if none is close."""
    names = sorted(known)
    close = difflib.get_close_matches(name[:80], names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"; known: {shown}" if shown else ""
