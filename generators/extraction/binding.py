"""Which values two calls share, as the variables of `forall`.

    check_stock(request_id)  and  place_order(quotation_id) → {order_id, request_id, …}
        share request_id: the argument of the one, a part of the result of the other

Names decide first; else descriptions that are the same text, as those of ids often are.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from lexgym.generators.extraction import conditions, outcomes
from lexgym.generators.extraction.grounding import LOOKING, reads
from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import stem_set, stems


def place_for(card: Card, name: str, other: Card) -> str | None:
    """Return where a card holds what an argument of another one is about, None where nowhere."""
    if name in card.arguments:
        return name
    if name in card.fields:
        return f"result.{name}"
    described = other.arguments[name].get("description")
    if not described:
        return None
    alike = [own for own, schema in card.arguments.items() if schema.get("description") == described]
    if len(alike) > 1:
        alike = [own for own in alike if set(stems(own)) & set(stems(name))]
    return alike[0] if len(alike) == 1 else None


def shared(check: Card, act: Card) -> dict[str, str]:
    """Return the arguments of a check that an act has too, each with its place there."""
    found = {}
    for name, schema in check.arguments.items():
        if schema.get("type") == "array" or _free_text(name, check):
            continue
        place = place_for(act, name, check)
        if place is not None and (act.kind(place) or "string") == (check.kind(name) or "string"):
            found[name] = place
    return found


def _free_text(name: str, card: Card) -> bool:
    """Whether an argument is prose of the caller's, or how something is done, and no thing that two calls share."""
    return bool(set(stems(name)) & _PROSE)


_PROSE = stem_set("reason text note reference channel comment memo topic message title content")
"""Arguments that are prose of the caller's, or how something is done, and no thing that two calls share."""


def made(card: Card) -> str | None:
    """Return the place of the id that a call gives to what it makes, None where it makes nothing."""
    new = [name for name in card.fields if name.endswith("_id") and name not in card.arguments]
    said = stem_set(card.name)
    named = [name for name in new if stem_set(name.removesuffix("_id")) & said]
    own_thing = any(name.endswith("_id") and stem_set(name.removesuffix("_id")) & said for name in card.arguments)
    if not named and own_thing:
        new = [name for name in new if _told(name.removesuffix("_id").replace("_", " "), card.description)]
    return next((f"result.{name}" for name in named or new), None)


def _told(thing: str, description: str) -> bool:
    """Whether a description says that the id of a thing is what the call returns."""
    returns = description.partition("Returns")[2].partition(".")[0].lower()
    return bool(re.search(rf"\bids?\b.*\b{thing}|\b{thing}\b.*\bids?\b", returns))


def about(card: Card) -> str | None:
    """Return the argument of a message or an entry that says what it is about, None where it has none."""
    for name, schema in card.arguments.items():
        described = str(schema.get("description", "")).lower()
        if name in ("subject", "about", "object_id", "target_id") or "id of the thing" in described:
            return name
    return None


def topic(act: Card, response: Card, text: str) -> str | None:
    """Return the place of the thing that a message or an entry about an act has to name.

    The text may say it; "its own number" is that of what the act made; else the message's own description
    says of what things it can be about.
    """
    if place := named(act, text):
        return place
    if re.search(r"\bown (?:number|id)\b", text) and (place := made(act)):
        return place
    if stems(response.name)[:1] == stems("enter") and (place := made(act)):
        return place
    can = stem_set(response.description) - _GENERAL
    ids = [p for p in act.places if p.endswith("_id") and p not in response.arguments]
    described = [p for p in ids if stem_set(p.removeprefix("result.").removesuffix("_id")) & can]
    return next(iter(described), None) or made(act) or own(act, text, response)


def own(act: Card, text: str, response: Card) -> str | None:
    """Return the id of the thing that an act is about: its argument of that kind which the response lacks."""
    ids = [name for name in act.arguments if name.endswith("_id") and name not in response.arguments]
    said = set(stems(text))
    return max(ids, key=lambda name: (bool(set(stems(name)) & said), -ids.index(name)), default=None)


_NAMING = re.compile(r"\b(?:naming|under the (?:id|number) of) (?:the|that|this|its) ([a-z]+)", re.IGNORECASE)


def named(act: Card, text: str) -> str | None:
    """Return the place of the thing that a text says a message names, None where the act has no such thing."""
    found = _NAMING.search(text)
    if found is None:
        return None
    wanted = stem_set(found[1])
    return next((p for p in act.places if p.endswith("_id") and wanted & stem_set(p.removeprefix("result."))), None)


def verdict(card: Card, phrase: str) -> str | None:
    """Return the guard on the answer that a check has to give, None where none is sure."""
    if card.flag is None or (reads(card) and not card.asks and conditions.says(card.flag, phrase) is None):
        return None
    said = outcomes.says(card, phrase)
    return None if said is None else f"result.{card.flag}" if said else f"result.{card.flag} = false"


def finding(card: Card, phrase: str, guards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the guards of an act whose outcome a phrase tells: a bad one, where it names no answer."""
    if card.flag is None or any(guard.startswith("result.") for guard in guards):
        return guards
    holds = conditions.says(card.flag, phrase) or outcomes.meaning(card) is False
    return (*guards, f"result.{card.flag}" if holds else f"result.{card.flag} = false")


_ASKED = re.compile(
    r"\b(?:have|tell|ask|show|prompt|alert|notify|inform|let) (?:the|its|their|her|his) ([a-z ]{3,30})"
    r"|\bthe ([a-z]+)(?:'s|’s|s'| has to| must| shall| is to| may)(?![a-z])",
    re.IGNORECASE,
)
_POINTED = re.compile(
    r"\b(?:this|that|very|exactly|same|these|each)(?: new| very| exact| named)? ([a-z]+(?: [a-z]+)?)", re.IGNORECASE
)


def pointed(check: Card, phrase: str) -> tuple[str, ...]:
    """Return the arguments of a check that a phrase points to (this payee, exactly this amount), all where to none.

    Who is asked is not what is asked about: in "the customer's approval of this payee and amount" the customer
    is left out.
    """
    there = stem_set(" ".join(found[1] for found in _POINTED.finditer(phrase)))
    if re.search(r"\b(?:its|their|his|her)\b", phrase) or not any(
        _nouns(check, name) & there for name in check.arguments
    ):
        return tuple(check.arguments)
    asked = stem_set(" ".join(f"{found[1] or ''} {found[2] or ''}" for found in _ASKED.finditer(phrase)))
    named = stem_set(phrase) - asked
    return tuple(name for name in check.arguments if _nouns(check, name) & (there | named))


def _nouns(card: Card, name: str) -> frozenset[str]:
    """Return the words for what an argument holds: its name, and the beginning of its description."""
    described = str(card.arguments[name].get("description", "")).split(",")[0].split(":")[0]
    return (stem_set(name.removesuffix("_id")) | stem_set(" ".join(described.split()[:6]))) - _GENERAL


_GENERAL = stem_set("id number name code of such euro cents kind type value")


Variables: TypeAlias = Mapping[str, str]
"""The variable of each shared value."""


def looks(card: Card) -> bool:
    """Whether a tool only looks at something, so that taking the step is all that can be asked of the caller."""
    first = [stems(text)[:1] for text in (card.name, card.description)]
    return any(set(words) & LOOKING for words in first)


def letters(names: Sequence[str]) -> Mapping[str, str]:
    """Return a short variable for each name, all different."""
    found: dict[str, str] = {}
    for name in names:
        base = name.removeprefix("result.")[:1].lower()
        base = base if base.isalpha() else "x"
        variable, number = base, 2
        while variable in found.values():
            variable, number = f"{base}{number}", number + 1
        found[name] = variable
    return found


def atom(tool: str, guards: Sequence[str]) -> str:
    """Return an atom as text."""
    return f"{tool}[{', '.join(guards)}]" if guards else tool
