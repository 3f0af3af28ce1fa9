"""The surface of deontic English: directives, negations, fronted clauses and where they end, numbers.

>>> split_front("Before you pay, or move money, establish the payee.", frozenset({"pay", "move"}))
('Before you pay, or move money', 'establish the payee.')
"""

import re

from lexgym.generators.extraction.words import listed, stem, stems

_DIRECTIVES = listed(
    """have make ensure check verify establish find confirm ascertain determine obtain get ask seek tell inform notify
    alert warn report record enter log document file register write put set see look compare measure inspect examine
    test assess review send seal open close give show call authenticate identify screen search do never let keep
    refuse decline stop suspend await wait lock"""
)
"""Verbs that instructions begin with."""

_ADVERBS = listed("so also then first next always afterwards either please therefore thus and instead only")
_MODAL = re.compile(
    r"\b(?:must|shall|should|ha(?:s|ve) to|(?:is|are) to|needs? to|(?:is|are) (?:required|obliged) to)\b"
)
_NEGATION = re.compile(
    r"\b(?:no|not|nothing|nobody|never|neither|none|cannot|can't|don't|without|no one)\b|n't\b", re.IGNORECASE
)
_DUTY = re.compile(
    r"\b(?:is|are|be|been) (?:\w+ly |then |also |moreover |always |at once )?"
    r"(?:told|notified|informed|alerted|entered|recorded|reported|filed|logged|registered|documented|sent|sealed"
    r"|reviewed|given|set|examined|checked|verified|confirmed|inspected|screened|paid|kept|refused)\b"
)

NUMBERS = {word: n for n, word in enumerate("zero one two three four five six seven eight nine ten".split())} | {  # noqa: SIM905
    "once": 1, "twice": 2, "thrice": 3, "a single": 1,
}  # fmt: skip
NUMBER = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)"


def number(word: str) -> int:
    """Return a number that is written as digits or as a word."""
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def first_word(text: str) -> str:
    """Return the first word of a clause that is no adverb."""
    for word in re.findall(r"[A-Za-z']+", text):
        if word.lower() not in _ADVERBS:
            return str(word.lower())
    return ""


def is_directive(clause: str, verbs: frozenset[str] = frozenset()) -> bool:
    """Whether a clause tells somebody to do something: an imperative, a modal of duty, or a passive of reporting.

    `verbs` are further stems that instructions may begin with.
    """
    return (
        is_imperative(clause)
        or stem(first_word(clause)) in verbs
        or bool(_MODAL.search(clause))
        or bool(_DUTY.search(clause))
    )


def is_imperative(clause: str) -> bool:
    """Whether a clause begins with a verb of instruction."""
    return first_word(clause) in _DIRECTIVES


def is_negative(clause: str) -> bool:
    """Whether the main verb of a clause, or its subject, is negated."""
    head = re.split(r"\b(?:that|whether|who|which)\b", clause, maxsplit=1)[0]
    return bool(_NEGATION.search(head))


def negated(text: str) -> bool:
    """Whether a text has any negation."""
    return bool(_NEGATION.search(text))


def without_negation(clause: str) -> str:
    """Return a clause without its negations, as the act that it forbids."""
    return " ".join(_NEGATION.sub(" ", clause).split())


def split_front(text: str, verbs: frozenset[str]) -> tuple[str, str] | None:
    """Split a sentence that begins with a subordinate clause at the comma where its main clause begins.

    A list inside the first clause has commas too: the last one counts after which an instruction,
    a duty or a negated duty begins. `verbs` are further stems that instructions may begin with.
    """
    if ":" in text:
        head, _, tail = text.partition(":")
        if "," not in head or not any(_begins(p, verbs) for p in head.split(",")[1:]):
            return head.strip(), tail.strip()
    places = [found.start() for found in re.finditer(r",", text)]
    strong = [place for place in places if _begins(text[place + 1 :], frozenset())]
    weak = [place for place in places if _begins(text[place + 1 :], verbs)]
    for place in [*reversed(strong), *reversed(weak)]:
        return text[:place].strip(), text[place + 1 :].strip()
    return None


def _begins(rest: str, verbs: frozenset[str]) -> bool:
    """Whether a main clause begins here."""
    clause = rest.split(",")[0].strip()
    if re.match(
        r"(?:and|or|nor|but|for|with|under|in|by|on|at|from|to|of|as|where|which|who|that|naming|if)\b", clause
    ):
        return False
    word = first_word(clause)
    if word in _DIRECTIVES or stem(word) in verbs:
        return True
    subject = r"^(?:the|an?|it|this|that|its|each|every|no|nothing|nobody|you|we|they|\w+s?)\b"
    return bool(re.match(subject, clause, re.IGNORECASE)) and bool(
        _MODAL.search(clause) or _DUTY.search(clause) or re.search(r"\b(?:is|are) \w+(?:ed|en|ne|ld|id)\b", clause)
    )


def pieces(phrase: str, verbs: frozenset[str]) -> list[str]:
    """Return the acts that a phrase lists, each with the verb, or the object, that it shares with its neighbour.

    >>> pieces("change e-mail address or phone number", frozenset({"chang"}))
    ['change e-mail address', 'change phone number']
    >>> pieces("changing or cancelling a standing order", frozenset({"chang", "cancel"}))
    ['changing a standing order', 'cancelling a standing order']
    """
    phrase = re.sub(r"\([^()]*\)|,?\s*(?:whatever|whoever|however)\b[^,;:]*", " ", phrase)
    parts = [part.strip(" .") for part in re.split(r"[;:]|,(?!\d{3}\b)|\b(?:and|or|nor|as well as)\b", phrase)]
    found: list[tuple[str, bool]] = []
    verb = ""
    for part in parts:
        bare = _LEADING.sub("", part).strip()
        if not bare:
            continue
        own = next(
            (word for word in re.findall(r"[A-Za-z-]+", bare)[:2] if verbs.intersection([stem(word), *stems(word)])), ""
        )
        verb = own or verb
        if not own and found and _PREPOSITION.match(bare):
            found.append((f"{found[0][0]} {bare}", False))
            continue
        found.append((bare if own or not verb else f"{verb} {bare}", bool(own)))
    return [_completed(found, place) for place in range(len(found))]


_PREPOSITION = re.compile(r"(?:on|in|at|with|under|through|from|via)\b", re.IGNORECASE)

_LEADING = re.compile(
    r"^(?:(?:before|after|when|whenever|once|if|until|that)\s+)?"
    r"(?:(?:you|we|they|it|one|the desk|the bank|he|she)\s+)?",
    re.IGNORECASE,
)


def _completed(found: list[tuple[str, bool]], place: int) -> str:
    """Return a piece; one that is a verb alone gets the object of the next verb that has one."""
    part, is_verb = found[place]
    if not is_verb or len(part.split()) > 1:
        return part
    for later, with_verb in found[place + 1 :]:
        words = later.split(maxsplit=1)
        if with_verb and len(words) > 1:
            return f"{part} {words[1]}"
    return part
