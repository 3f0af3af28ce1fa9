"""Sentences that take something out of the rules before them.

Paragraph 1 does not apply to loans of up to 30 euros.      of the rules of paragraph 1, loans of up to 30 euros
The check may be omitted for paintings.                     of the rules that ask for this check, paintings
No approval is needed where the guest is a member.          of the rules that ask for approval, guests …
This does not apply to photographing.                       of the rules of the sentence before, one act
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from lexgym.generators.extraction.document import Sentence, own_number
from lexgym.generators.extraction.norms import Kind, Norm
from lexgym.generators.extraction.words import stem_set, stems

Read: TypeAlias = list[tuple[Sentence, list[Norm]]]
"""Sentences with the norms in them."""

_CASE = r"(?:to|for|where|when|if|in(?: the case of)?|with|on|unless|as long as)\b"
_FORMS = (
    rf"^(?P<what>.{{2,80}}?)\s+(?:does not|do not|shall not|need not) apply\s+(?P<case>{_CASE}.+)",
    rf"^(?P<what>.{{2,80}}?)\s+(?:may|can) be (?:omitted|waived|skipped|left out|dispensed with)\s+(?P<case>{_CASE}.+)",
    rf"^(?P<what>.{{2,80}}?)\s+(?:(?:is|are) not (?:needed|required|necessary)|need not be made)\s+(?P<case>{_CASE}.+)",
    rf"^no (?P<what>.{{2,60}}?) (?:is|are) (?:needed|required|necessary|due)\s+(?P<case>{_CASE}.+)",
    r"^(?P<case>.{3,160}?)\s+(?:is|are) (?:exempt(?:ed)?|excepted|excluded)(?: from (?P<what>[^.;]{2,80}))?\s*[.;]?$",
    r"^(?:exempt(?:ed)?|excepted|excluded)(?: from (?P<what>[^.;]{2,80}?))? (?:is|are) (?P<case>.{3,160})",
    r"^(?P<case>.{3,160}?)\s+(?:needs?|requires?) no (?P<what>[^,.;]{2,60})",
    r"^(?P<case>.{3,160}?)\s+(?:does|do) not (?:need|require) (?P<what>[^,.;]{2,60})",
)
_FORM = [re.compile(form, re.IGNORECASE | re.DOTALL) for form in _FORMS]
_NONE = re.compile(
    r"^(?:it|they|this|that|these|which)$|^(?:other|further) \w+$|\b(?:and|that|which)$"
    r"|\b(?:before|until|only|establish|ascertain|says?)\b",
    re.IGNORECASE,
)
"""Signs that a case is none: it says nothing, or is a sentence of its own."""

_PLACE = re.compile(r"\b(paragraph|section|article|rule|clause)s?\s+\(?(\d+(?:\.\d+)*)\)?", re.IGNORECASE)
_GENERAL = stem_set(
    "check rule requirement duty obligation paragraph section sentence above step following preceding foregoing such"
)


@dataclass(frozen=True, slots=True)
class Exemption:
    """What is taken out (`case`), and of what (`what`, empty for the rules just before)."""

    what: str
    case: str


def exemption(text: str) -> Exemption | None:
    """Return the exemption that a sentence states, None for any other sentence."""
    for form in _FORM:
        if found := form.match(text.strip(" \"'“”")):
            what = (found["what"] or "").strip()
            case = re.sub(rf"^{_CASE}\s*", "", found["case"].strip(" .;"), flags=re.IGNORECASE)
            clause = re.match(r"that \w", what, re.IGNORECASE)
            return None if clause or _NONE.search(case) else Exemption(what, case)
    return None


def exempted(read: Read) -> Read:
    """Return sentences with their norms, to which the exemptions that other sentences state are added."""
    found = [(sentence, list(norms)) for sentence, norms in read]
    for place, (sentence, norms) in enumerate(found):
        if not norms and (stated := exemption(sentence.text)) is not None:
            for other in _meant(stated, place, found):
                own = found[other][1]
                found[other] = (found[other][0], [_without(norm, stated) for norm in own])
    return found


def _without(norm: Norm, stated: Exemption) -> Norm:
    about = stem_set(stated.what) - _GENERAL
    if norm.kind not in (Kind.PRECEDE, Kind.RESPOND) or (
        about and not _PLACE.search(stated.what) and not _asks(norm, about)
    ):
        return norm
    return replace(norm, unless=f"{norm.unless}, {stated.case}" if norm.unless else stated.case)


def _asks(norm: Norm, about: frozenset[str]) -> bool:
    return bool(about & stem_set(f"{norm.needs} {norm.sentence.label}"))


def _meant(stated: Exemption, place: int, read: Sequence[tuple[Sentence, list[Norm]]]) -> list[int]:
    """Return the places of the sentences that an exemption is about."""
    sentence = read[place][0]
    earlier = [other for other in range(place) if read[other][1]]
    here = [other for other in earlier if read[other][0].section == sentence.section]
    if named := _PLACE.search(stated.what):
        if named[1].lower() == "paragraph":
            return [other for other in here if read[other][0].paragraph == named[2]]
        return [other for other in range(len(read)) if own_number(read[other][0].section) == named[2]]
    about = stem_set(stated.what) - _GENERAL
    if about:
        asking = [other for other in here if any(_asks(norm, about) for norm in read[other][1])]
        first = [other for other in asking if any(about & set(stems(norm.needs)[:1]) for norm in read[other][1])]
        return first or asking
    if re.search(r"\b(?:these|all|rules|requirements|checks)\b", stated.what, re.IGNORECASE):
        return here
    last = here[-1:]
    lead = read[last[0]][0].lead if last else ""
    return [other for other in here if lead and read[other][0].lead == lead] or last
