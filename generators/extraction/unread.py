"""Sentences that say what must be, and that none of the forms of norms reads: each with the reason.

Anaesthesia must be given by a vet.        not read: it says who does something, …

A bare `may` permits, and so is no duty; `may only` and `may not` are.
"""

import re

from lexgym.generators.extraction import patterns as at

_DEONTIC = re.compile(
    r"\b(?:must|shall|should|ought to|ha(?:s|ve|d) to|needs? to|(?:is|are) to (?!the\b|an?\b|this\b|that\b)"
    r"|(?:is|are|be) (?:required|obliged|obligatory|mandatory|compulsory|prohibited|forbidden|due)"
    r"|never|no one may|nobody may|(?:may|can) (?:\w+ ){0,6}?only|only (?:\w+ ){0,3}?may|may not|cannot"
    r"|(?:not|no longer) (?:allowed|permitted)|under no circumstances|requires?|required|prohibited|forbidden"
    r"|no (?:\w+[ -]){1,4}(?:may|can)|only (?:if|after|once|with|by|to|for|when|where|upon|following)"
    r"|until|unless|no (?:earlier|later|sooner) than|not (?:earlier|later|sooner) than|at most|no more than)\b",
    re.IGNORECASE,
)

GROUNDS = "not read: no reason that a tool can state was found to rest on a check"
EXEMPTION = "not read: it takes something out of a rule, and no rule of this section was found that it is about"


def is_deontic(text: str) -> bool:
    """Whether a sentence says what must be done, must not be, or may be only so."""
    found = _DEONTIC.search(text) is not None
    return found and not (at.LOOSE.search(text) or _defines(text))


def _defines(text: str) -> bool:
    """Whether a sentence only says when something is so (`a cleaning is complete only after …`)."""
    place = at.ONLY.search(text)
    return place is not None and at.STATE.search(text[: place.start()]) is not None


def why(text: str) -> str:
    """Return why no norm was read out of a deontic sentence."""
    for sign, reason in _REASONS:
        if sign.search(text):
            return f"not read: {reason}"
    return "not read: it has none of the forms that are read (before, until, only after, after, every, at most, never)"


_REASONS = (
    (re.compile(r"^\W*(?:if|when|where|whenever|once|in case)\b.*\b(?:not|no|never)\b", re.IGNORECASE | re.DOTALL),
     "what is forbidden once something is so is no form that is read"),
    (re.compile(r"^\W*(?:if|when|where|whenever|once|in case)\b", re.IGNORECASE),
     "what is due in this case was not told apart from the case"),
    (re.compile(r"\bonly (?:to|by|for|in|at|from|on|through|via)\b", re.IGNORECASE),
     "what may be done only to, by or for some is no form that is read"),
    (re.compile(r"\bby (?:the |an? )[a-z]", re.IGNORECASE), "who has to do something is no form that is read"),
    (re.compile(r"\b(?:within|no later than|not later than|no earlier than|not earlier than) (?:\d|an?\b|the\b|\w+ "
                r"(?:hours?|days?|weeks?|months?|years?|minutes?))", re.IGNORECASE),
     "time is not counted: a term in hours, days or years is no form that is read"),
)  # fmt: skip
