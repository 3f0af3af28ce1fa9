"""What a boolean of a result says of a check: that it came out well, or badly, or nothing that is sure.

    meaning("approved", …)   True        meaning("murmur", "examine heart")   None
    meaning("no_defects", …)   True      meaning("infected", …)   False

Only a good outcome may be asked for before an act, where the sentence does not name the outcome itself.
"""

import re

from lexgym.generators.extraction import conditions
from lexgym.generators.extraction.grounding import CHECKING, LOOKING
from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import listed, stem_set, stems

_GOOD = listed(
    """acceptable accepted acknowledged adequate admissible admitted agreed agrees allowed approved authenticated
    authorised authorized available aware balanced calibrated certified charged clean clear cleared competent
    complete completed compliant confirmed conforms consented consistent correct countersigned covered current
    delivered done eligible encrypted enough entered examined fasted fine fit fulfilled genuine good granted
    healthy held identified in_stock inspected insured intact lawful legal legitimate licensed match matched
    matches met ok okay opened orderly paid pass passed passes permitted proper qualified qualifies ready
    recorded registered regular regularised releasable right safe satisfied secure sent separate signed sound
    stable steady sterile succeeded success successful sufficient suitable trained true untouched valid verified
    well within working works"""
)
_BAD = stem_set(
    """abnormal alarm allergic allergy anomaly banned barred blocked breach broken conflict contaminated
    contamination corrupt crack cracked damage damaged danger dangerous dead deceased defect defective delayed
    denied disputed duplicate error exceeded exhausted expired fail failed failure false fault faulty flagged
    flammable forbidden forged fraud fraudulent hit infected infection injured invalid issue leak leaking liable
    locked lost mismatch missing objection overdue poisoned problem prohibited refused rejected revoked risk
    sanctioned sick stolen suspected suspicious tampered toxic unsafe violation vulnerable withheld wrong"""
)
_NOT = listed("no not non without never lacks free")
_ABLE = re.compile(r"^(?!un|in(?!form)|non|dis|ir|il|im).*[ai]ble$")
_WELL = re.compile(
    r"\b(?:may|allowed|permitted|passed|passes|approved|valid|in order|all right|successful(?:ly)?|succeeded|as it "
    r"should|good|fine|safe|fit)\b",
    re.IGNORECASE,
)
_BADLY = re.compile(r"\b(?:not|no|never|cannot|fail\w*|refus\w*|reject\w*|invalid|unfit|unsafe)\b", re.IGNORECASE)
_CHECKS = LOOKING | stem_set("check review screen scan search")
_CLAUSE = re.compile(r"\b(?:that|whether|if)\b", re.IGNORECASE)


def meaning(card: Card) -> bool | None:
    """Return whether the answer of a tool is the good outcome (True), the bad one, or neither for sure (None)."""
    if card.flag is None:
        return None
    words = str(card.flag).lower().split("_")
    known = frozenset(stems(str(card.flag)))
    denied = bool(_NOT.intersection(words))
    if _own_verb(card):
        return True
    if known & _BAD:
        return denied
    if denied:
        return None
    if _GOOD.intersection([*words, str(card.flag).lower()]) or _ABLE.match(words[-1]):
        return True
    described = str(card.fields.get(str(card.flag), {}).get("description", ""))
    return True if _WELL.search(described) and not _BADLY.search(described) else None


def _own_verb(card: Card) -> bool:
    """Whether the answer says that what the tool is for was done: `countersigned` of `countersign_prescription`."""
    verb = stems(card.name)[:1]
    return bool(verb) and stems(str(card.flag)) == verb and verb[0] not in _CHECKS and verb[0] != CHECKING


def says(card: Card, phrase: str) -> bool | None:
    """Return the answer that a phrase asks of a check, None where it asks for none that is sure.

    A phrase that only checks for something (`the murmur has been looked for`) does not say that it is there.
    """
    if card.flag is None:
        return None
    good = meaning(card)
    said = conditions.says(card.flag, phrase)
    bare = re.escape(card.flag.removesuffix("ed"))
    if said is None and re.search(rf"\bthat\b.*\b{bare}(?:s|ed)?\b", phrase, re.IGNORECASE):
        return not _BADLY.search(phrase) or None
    if said is None or (good is not True and said and _CHECKS.intersection(stems(phrase)) and not _stated(phrase)):
        return good or None
    return said


def _stated(phrase: str) -> bool:
    return _CLAUSE.search(phrase) is not None


def unsure(card: Card, phrase: str) -> str:
    """Return a remark where a tool has an answer of which it is not sure that it has to be given."""
    if not card.asks or meaning(card) is False or says(card, phrase) is not None:
        return ""
    return f"whether {card.name} has to answer `{card.flag}` is not said; the rule asks for the call alone"
