"""Sentences that say what is due only together with those before them.

After a room is cleaned, inspect it. It must then be aired.          also after cleaning
Before a loan, assess the item. The result must be entered.          after the assessment
Before a loan, assess the item. It must also be insured.             also before the loan
"""

import re
from collections.abc import Sequence

from lexgym.generators.extraction.document import Sentence
from lexgym.generators.extraction.norms import Kind, Norm

_DUE = r"(?:must|shall|should|ha(?:s|ve) to|(?:is|are)(?: to)?|needs? to|you must|you have to)"
_POINTER = r"(?:it|they|this|these|he|she|the (?:latter|former)|such (?:an? )?\w+|(?:this|that|these|those) \w+)"
_THEN = re.compile(
    rf"^\W*{_POINTER}\s+{_DUE}\s+(?:then|afterwards|thereafter|subsequently|next)\s+(?P<due>.+)"
    rf"|^\W*(?:then|next),?\s+(?:{_POINTER}|the \w+)\s+{_DUE}\s+(?P<later>.+)",
    re.IGNORECASE | re.DOTALL,
)
_RESULT = re.compile(
    r"^\W*(?:the|its|their|this|that|every|each|any)\s+(?:results?|outcomes?|findings?|answers?|readings?)"
    rf"(?:\s+of\s+(?P<of>[\w ]{{2,60}}?))?\s+{_DUE}\s+(?:(?:be|then|also|always)\s+)*"
    r"(?P<due>(?:recorded|entered|noted|reported|filed|logged|documented|communicated|told|sent|written|put)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_ALSO = re.compile(
    rf"^\W*(?:{_POINTER}\s+{_DUE}\s+(?:also|moreover|likewise|further(?:more)?|in addition)\s+(?P<due>.+)"
    rf"|(?:in addition|moreover|furthermore|likewise),?\s+(?P<more>.+))",
    re.IGNORECASE | re.DOTALL,
)


def referring(sentence: Sentence, before: Sequence[Norm]) -> list[Norm]:
    """Return the norm of a sentence that leans on the norms before it, none where it does not, or there are none."""
    last = next((norm for norm in reversed(before) if norm.kind in (Kind.PRECEDE, Kind.RESPOND)), None)
    if last is None:
        return []
    text = sentence.text
    if found := _RESULT.match(text):
        return [Norm(Kind.RESPOND, sentence, acts=found["of"] or last.needs, needs=found["due"], near=(last.acts,))]
    if found := _THEN.match(text):
        return [Norm(Kind.RESPOND, sentence, acts=last.acts, needs=found["due"] or found["later"], when=last.when)]
    if found := _ALSO.match(text):
        due = found["due"] or found["more"]
        if re.search(r"\b(?:before|after|when|until|unless|only|if|each|every|not|never|no)\b", due, re.IGNORECASE):
            return []
        return [Norm(last.kind, sentence, acts=last.acts, needs=due, unless=last.unless, when=last.when)]
    return []
