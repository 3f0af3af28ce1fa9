"""The turns of phrase by which English says what comes before what, what follows, and how often.

ONLY.search("is paid only after the invoice was matched")[0]   →   "only after"
"""

import re

from lexgym.generators.extraction.phrases import NUMBER

CLAUSES = re.compile(
    r";\s+(?!(?:and |or |nor )?(?:before|after|when|each|every|if|whenever|for|not|in)\b)|(?<=[a-z]):\s+(?=before\b)",
    re.IGNORECASE,
)
"""Where a new clause begins; a semicolon within a list of conditions is none."""

BEFORE = re.compile(r"\b(?:before|prior to)\b(?! (?:that|it|them|the end|which|and|long)\b)", re.IGNORECASE)
ONLY = re.compile(
    r"\bonly\s+(?:\w+\s+){0,2}?(?:after|once|if|when|where|provided that|on condition that|with|upon|following)\b"
    rf"|\b(?:no|not) (?:earlier|sooner) than\b"
    rf"(?!\s+(?:{NUMBER}|an?)\s+(?:\w+\s+)?(?:minute|hour|day|week|month|year)s?\b)",
    re.IGNORECASE,
)
NEEDS = re.compile(
    r"(?<!\ba )(?<!\bthe )(?<!\bno )(?<!\bof )\b(?:needs?|requires?|presupposes?|(?:is|are) subject to)\b"
    r"(?! (?:no|not|neither|nothing|only|to|for|of|above|below|that)\b)",
    re.IGNORECASE,
)
EXCEPT = re.compile(
    r",?\s*\b(?:except|other than|save (?=where|when|that|for|if|in|as))(?:\s*\b(?:where|when|that|for|if|in|as)\b)?"
    r"\s+(.*?)(?=[,;.:]|$)",
    re.IGNORECASE,
)
FAILED = re.compile(
    rf"\b(?:after|when|once) ({NUMBER})\b[^,]*?\b(?:failed|unsuccessful|attempts?|tries|times)\b", re.IGNORECASE
)
IN_A_ROW = re.compile(r"\b(?:in a row|consecutive(?:ly)?|one after (?:the )?other|in succession)\b", re.IGNORECASE)
OF_ANY_KIND = re.compile(
    r"\b(?:taken together|of (?:any|whatever) kind|whatever (?:they|it)|for anything|whatsoever)\b", re.IGNORECASE
)
TIMES = re.compile(
    rf"\b(?:at most|no more than|not more than|a maximum of|not .{{0,40}}more than)\s+({NUMBER}|once|twice)\b"
    r"(?:\s+(?:times|\w+))",
    re.I,
)
ONCE = re.compile(r"\b(?:only once|not .{0,30}\b(?:twice|a second time)|no second \w+)\b", re.IGNORECASE)
FRONT = re.compile(r"^(?:\W*)(after|when|whenever|once|as soon as|if|where|every time|each time)\b", re.IGNORECASE)
REASON = re.compile(r"\breasons?\b", re.IGNORECASE)
CHECKED = re.compile(
    r"\bonly (?:after|when|if|once)\b|\bbut only\b|\bmust have come out\b|\bmade before\b|\bfound it so before\b"
    r"|\bbefore you\b|\bestablish(?:ed)? (?:it )?first\b|\brests on\b",
    re.IGNORECASE,
)
EVERY = re.compile(r"(?:[,:;]|\band\b|^)\s*(?=(?:every|each)\b)", re.IGNORECASE)
RECORDED = re.compile(
    r"\b(?:is|are|be|been) (?:\w+ ){0,2}?"
    r"(entered|recorded|reported|filed|logged|documented|told|notified|informed|alerted)\b",
    re.IGNORECASE,
)
SOMEBODY = re.compile(
    r"\bby (?:the |an? )?(?:\w+[ -]){0,3}"
    r"(?:team|office|department|committee|board|officer|council|authority|auditors?)\b",
    re.IGNORECASE,
)
"""An agent that is somebody else than whoever has the tools."""

LOOSE = re.compile(r"\bif (?:you can|possible)\b|\bwhere possible\b|\bpreferably\b|\bif convenient\b", re.IGNORECASE)
"""Signs of a wish and no duty."""

STATE = re.compile(
    r"\b(?:is|are)\s+(?:valid|sufficient|complete|fulfilled|good|true|correct|enough)\s*$", re.IGNORECASE
)
"""The end of a clause that says what something is, and not what is done."""

SAME = re.compile(r"^(?:the same|this|that) (?:goes|applies|holds|is (?:due|required))\b", re.IGNORECASE)
NEVER = re.compile(
    r"\b(?:never|must not|may not|shall not|under no circumstances|is prohibited|is forbidden|does not exceed)"
    r"\b|^\W*do not\b",
    re.I,
)
LATER = re.compile(r"^\W*(?:afterwards|after that|thereafter|subsequently)\b[\s,]*", re.IGNORECASE)
NO_LATER = re.compile(
    r"\b(?:no|not) later than\b(?!\s+(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|a |an ))", re.I
)
