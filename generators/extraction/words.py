"""Words of English prose and of identifiers, brought to a form in which they can be compared.

>>> stems("Payments are authorised by check_authorization.")
['pay', 'author', 'check', 'author']

The stemmer is coarser than Porter's on purpose: a verb and the noun made from it (pay, payment; refuse,
refusal) have to meet, because manuals use nouns and tools are named by verbs.
"""

import re
from functools import cache

_WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")

_IRREGULAR = {
    "paid": "pay", "sent": "send", "told": "tell", "given": "give", "gave": "give", "held": "hold",
    "withheld": "withhold", "found": "find", "bought": "buy", "sold": "sell", "taken": "take",
    "took": "take", "written": "write", "wrote": "write", "drawn": "draw", "kept": "keep", "left": "leave",
    "lost": "lose", "met": "meet", "seen": "see", "saw": "see", "shown": "show", "put": "put", "set": "set",
    "done": "do", "did": "do", "gone": "go", "went": "go", "begun": "begin", "broken": "break", "chosen": "choose",
    "lent": "lend", "spent": "spend", "brought": "bring", "built": "build", "caught": "catch", "dealt": "deal",
    "fallen": "fall", "forgotten": "forget", "heard": "hear", "hidden": "hide", "known": "know", "led": "lead",
    "meant": "mean", "said": "say", "sought": "seek", "spoken": "speak", "stolen": "steal", "taught": "teach",
    "thought": "think", "understood": "understand", "worn": "wear", "won": "win", "ridden": "ride", "driven": "drive",
    "flown": "fly", "grown": "grow", "thrown": "throw", "sworn": "swear", "torn": "tear", "frozen": "freeze",
    "receipt": "receive", "receipts": "receive", "sale": "sell", "loss": "lose", "choice": "choose",
    "delivery": "deliver", "deliveries": "deliver", "denial": "deny", "denials": "deny", "reply": "reply",
    "replies": "reply", "notice": "notify", "notices": "notify", "enrolled": "enrol", "data": "data",
    "identity": "identify", "authentic": "genuine", "authenticity": "genuine", "withdrawn": "withdraw",
    "erasure": "erase", "erasures": "erase", "entry": "enter", "entries": "enter", "entered": "enter", "proof": "prove",
    "fed": "feed",
}  # fmt: skip

_ENDINGS = (
    "izations", "isations", "ization", "isation", "ifications", "ification", "ations", "ation", "ements", "ement",
    "ments", "ment", "ities", "ified", "ifies", "ifying", "ising", "izing", "ised", "ized", "ises", "izes", "ating",
    "ated", "ates", "ances", "ance", "ity", "ify", "ise", "ize", "ate", "ings", "ing", "ions", "ion",
    "als", "al", "ed", "es", "s", "e", "y",
)  # fmt: skip

_SHORT = frozenset(("ing", "ed", "ment", "ments", "s", "e", "y"))
"""Endings that may leave three letters."""


def listed(text: str) -> frozenset[str]:
    """Return the words of a list that is written as text."""
    return frozenset(text.split())


STOP = listed(
    """a an the this that these those it its they them their theirs he she his her him you your yours we our us i
    of in on at by for with from to into onto as is are was were be been being am has have had having do does did
    and or nor but if then than so such there here which who whom whose what when where while how why
    no not none nothing nobody never only also too even just very any all each every some other another same own
    must shall may might can could should will would ought need needs needed before after until unless once
    again anew first later afterwards beforehand already still yet now ever always either neither both one ones
    about over under up down out off between within without against upon per via whatever whether
    yourself itself themselves thing things way case get gets got getting make makes made making"""
)
"""Words that say nothing of what is done to what."""

_AHEAD = ("on", "to", "must", "shall", "should", "and", "or", "then", "you", "not", "please", "may")
_VERB_AHEAD = "".join(rf"(?<!\b{word} )" for word in _AHEAD)

_PHRASES = (
    (rf"(?<=[a-z'’] ){_VERB_AHEAD}records?\b(?! (?:it|them|that|this|the|an?|in|whether)\b)", "dossier"),
    (r"\blog(?:s|ged|ging)?[ -]?(?:in|on)s?\b", "login"),
    (r"\bsign(?:s|ed|ing)?[ -]in\b", "login"),
    (r"\b(?:hand|pass)(?:s|ed|ing|es)? ((?:\w+ ){0,3}?)over\b", r"disclose \1"),
    (r"\bhandovers?\b", "disclose"),
    (r"\bhand(?:s|ed|ing)? ((?:\w+ ){1,4}?)to\b", r"disclose \1"),
    (r"\bhand(?:s|ed|ing)? (?=it |them |him |her )", "disclose "),
    (r"\bsee (?=that|whether|if)", "check "),
    (r"\bcheck(?:ing|s)?[ -]in\b", "checkin"),
    (r"\bchecked[ -]in\b(?! (?:the|an?|this|that)\b)", "checkin"),
    (r"\bcheck(?:ing|ed|s)?[ -]out\b", "checkout"),
    (r"\bg(?:o|oes|oing) to (?=an?\b|the\b|that\b|this\b)", "send "),
    (r"\b(?:get|gets|is given|are given|be given) access\b", "grant access"),
    (r"\bset(?:s|ting)? (?:one |it |them )?up\b", "create"),
    (r"\b(?:switch|turn)(?:es|ed|ing|s)? ((?:\w+ ){0,3}?)on\b", r"start \1"),
    (r"\bsen[dt](?:s|ing)? ((?:\w+ ){0,3}?)back\b", r"return \1"),
    (r"\bturn(?:s|ed|ing)? (?:it |them )?down\b", "refuse"),
    (r"\bput(?:s|ting)? ((?:\w+ ){0,2}?)on (?:file|record)\b", r"record \1"),
    (r"\b(?:make|makes|made|making) sure\b", "check"),
    (r"\blook(?:s|ed|ing)? ((?:\w+ ){0,3}?)up\b", r"lookup \1"),
    (r"\bthird[ -]part(y|ies)\b", "thirdparty"),
    (r"\be-?mails?\b", "email"),
    (r"\breport(?:s|ed)? ((?:\w+ ){0,6}?)to (?=the|its)", r"report tell \1"),
    (r"\bconfirm(?:s|ed)? ((?:\w+ ){0,4}?)to (?=the|its)", r"tell \1"),
)
"""Verbs of two words, and words of two spellings."""

_CLASSES = (
    "tell notify inform alert message announce warn advise reply",
    "check establish verify ascertain determine ensure find validate",
    "login authenticate",
    "disclose share",
    "refuse decline reject deny",
    "buy purchase",
    "delete erase remove destroy",
    "change alter modify replace edit",
    "approve consent-to accept",
    "end terminate withdraw revoke cancel",
    "enter record log write",
    "inspect examine test",
    "employee colleague worker",
    "customer client",
    "transfer move wire",
    "send transmit dispatch",
    "read view see list",
    "give hand provide",
    "pay remit",
    "lend loan",
)
"""Verbs and nouns that regulations and interfaces use for one another."""


@cache
def stem(word: str) -> str:
    """Return the common part of a word and of the words made from it."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    word = _IRREGULAR.get(word, word)
    word = re.sub(r"(?<=...)missions?$", "mit", re.sub(r"ifications?$", "ify", word))
    if word.endswith(("ies", "ied")) and len(word) > 4:
        word = f"{word[:-3]}y"
    for ending in _ENDINGS:
        least = 3 if ending in _SHORT else 4
        if word.endswith(ending) and len(word) - len(ending) >= least:
            if ending in ("s", "es") and word.endswith(("ss", "us", "is")):
                continue
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and (word[-1] not in "aeiouls" or (word[-1] == "l" and len(word) > 5)):
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


def _alike() -> dict[str, str]:
    return {stem(word): stem(line.split()[0]) for line in _CLASSES for word in line.split()}


_ALIKE = _alike()


def stem_set(text: str) -> frozenset[str]:
    """Return the stems of a list of words."""
    return frozenset(stems(text))


def stems(text: str) -> list[str]:
    """Return the stems of the words of a text that carry meaning, in order."""
    text = text.replace("_", " ").lower()
    for pattern, word in _PHRASES:
        text = re.sub(pattern, word, text)
    words = [part for word in _WORD.findall(text) for part in (word.split("-") if "-" in word else [word])]
    return [_ALIKE.get(stem(word), stem(word)) for word in words if word not in STOP and len(word) > 1]
