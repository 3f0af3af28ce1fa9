"""Which values two calls share, as the variables of `forall`.

    check_stock(request_id)  and  place_order(quotation_id) → {order_id, request_id, …}
        share request_id: the argument of the one, a part of the result of the other

Names decide first; else descriptions that are the same text, as those of ids often are.
"""

from collections.abc import Mapping, Sequence

from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import stems

_OPEN = ("string", "integer", "boolean", "number")


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


_PROSE = frozenset(
    stem
    for word in [
        "reason",
        "text",
        "note",
        "reference",
        "channel",
        "comment",
        "memo",
        "topic",
        "message",
        "title",
        "content",
    ]
    for stem in stems(word)
)


def made(card: Card) -> str | None:
    """Return the place of the id that a call gives to what it makes, None where it makes nothing."""
    return next((f"result.{name}" for name in card.fields if name.endswith("_id") and name not in card.arguments), None)


def about(card: Card) -> str | None:
    """Return the argument of a message or an entry that says what it is about, None where it has none."""
    for name, schema in card.arguments.items():
        described = str(schema.get("description", "")).lower()
        if name in ("subject", "about", "object_id", "target_id") or "id of the thing" in described:
            return name
    return None


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
