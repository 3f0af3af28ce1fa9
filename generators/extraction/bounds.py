"""Bounds with a figure, as guards on the numbers that a tool has.

an order of more than 250 euros       amount > 25000        (the amount is in cents)
a dose above 200 milligrams           dose_mg > 200
goods of 2 tonnes or more             weight_kg >= 2000

A bound is grounded by its unit: in the name, or in the description, of an argument or of a part of the result.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from lexgym.generators.extraction.phrases import NUMBERS
from lexgym.generators.extraction.toolset import Card
from lexgym.generators.extraction.words import stems

_SMALL = "|".join(word for word in NUMBERS if word not in ("once", "twice", "thrice", "a single"))
_FIGURE = rf"(?P<money>EUR|USD|€|\$|£)?\s*(?P<count>\d[\d,]*(?:\.\d+)?|{_SMALL}|a hundred|a thousand)"
_UNIT = r"(?:\s*(?P<unit>[€%°]\s?C?|[A-Za-z]+))?"
_LESS = r"less|fewer|smaller|lower|lighter|younger|shorter|cheaper|colder"
_MORE = r"more|greater|larger|higher|heavier|older|longer|dearer|bigger|warmer|hotter|faster"
_BOUND = re.compile(
    rf"\b(?P<how>(?:(?:not|no) )?(?:{_MORE}|{_LESS}) than|over|above|beyond|exceed(?:s|ed|ing)?|in excess of|at least"
    rf"|at most|below|under|up to(?: and including)?)\s+{_FIGURE}{_UNIT}"
    rf"|\b{_FIGURE.replace('money', 'money2').replace('count', 'count2')}{_UNIT.replace('unit', 'unit2')}"
    r"(?:\s+of (?:\w+ )?\w+)?\s+(?:and|or) (?P<after>more|above|over|less|below|under|older|younger)\b",
    re.IGNORECASE,
)
_TIMES = re.compile(r"^(?:times?|attempts?|tries|failures?|in a row)$", re.IGNORECASE)

_SCALES = (
    ("money", "cents cent 1 euro euros eur € dollar dollars usd $ pound pounds gbp £ 100"),
    ("mass", "mg milligram milligrams milligramme milligrammes 1 g gram grams gramme grammes 1000"
     " kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes 1000000 t tonne tonnes ton tons 1000000000"),
    ("time", "s sec secs second seconds 1 min mins minute minutes 60 h hr hrs hour hours 3600 d day days 86400"
     " week weeks 604800"),
    ("months", "month months 1 year years yr yrs 12"),
    ("length", "mm millimetre millimetres millimeter millimeters 1 cm centimetre centimetres centimeter centimeters 10"
     " m metre metres meter meters 1000 km kilometre kilometres kilometer kilometers 1000000"),
    ("volume", "ml millilitre millilitres milliliter milliliters 1 l litre litres liter liters 1000"),
    ("share", "% percent pct 1"),
    ("heat", "°c ° degree degrees celsius centigrade 1"),
)  # fmt: skip


def _units() -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for dimension, line in _SCALES:
        names: list[str] = []
        for word in line.split():
            if word.isdigit():
                found.update((name, (dimension, int(word))) for name in names)
                names = []
            else:
                names.append(word)
    return found


_KNOWN = _units()


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison with a figure: how, how much, of what unit (empty for a bare figure), and in what words."""

    operator: str
    value: Decimal
    unit: str
    text: str
    before: str


def bounds(phrase: str) -> Iterator[Bound]:
    """Yield the bounds that a phrase names; how often something is done is none."""
    for match in _BOUND.finditer(phrase):
        unit = (match["unit"] or match["unit2"] or match["money"] or match["money2"] or "").lower().replace(" ", "")
        if _TIMES.match(unit):
            continue
        count = match["count"] or match["count2"]
        value = _number(count)
        if value is not None and (count.lower() != "one" or unit in _KNOWN):
            yield Bound(_operator(match), value, unit, match[0].strip(), phrase[: match.start()])


def measured(text: str) -> bool:
    """Whether a text that follows a figure names a unit at once (`kg`, `times a day`), so that it counts no calls."""
    words = re.findall(r"[€%°$£]|[^\W\d_]+", text.lower())[:4]
    return any(word in _KNOWN for word in (*words[:1], *(word for word in words[1:] if len(word) > 1)))


def without(phrase: str) -> str:
    """Return a phrase without its bounds."""
    for bound in bounds(phrase):
        phrase = phrase.replace(bound.text, " ")
    return phrase


def _number(text: str) -> Decimal | None:
    word = text.lower()
    if word in ("a hundred", "a thousand"):
        return Decimal(100 if word == "a hundred" else 1000)
    if word in NUMBERS:
        return Decimal(NUMBERS[word])
    try:
        return Decimal(word.replace(",", ""))
    except InvalidOperation:
        return None


def _operator(match: re.Match[str]) -> str:
    if match["after"]:
        return "<=" if match["after"].lower() in ("less", "below", "under", "younger") else ">="
    how = match["how"].lower()
    denied = how.startswith(("no", "not"))
    if re.search(rf"\b(?:{_LESS}) than\b", how):
        return ">=" if denied else "<"
    if denied or how.startswith("up") or how == "at most":
        return "<="
    if how == "at least":
        return ">="
    return "<" if how in ("below", "under") else ">"


def amounts(card: Card, phrase: str) -> list[str]:
    """Return the comparisons with figures that a phrase makes, on the numbers that the tool has."""
    found = (guard(card, bound) for bound in bounds(phrase))
    return list(dict.fromkeys(filter(None, found)))


def guard(card: Card, bound: Bound) -> str | None:
    """Return the comparison that a bound makes on a number of a tool, None where no number has its unit."""
    found = [(place, scale) for place in card.places if (scale := _scale(card, place, bound)) is not None]
    said = set(stems(bound.before))
    named = [pair for pair in found if said & set(stems(pair[0].removeprefix("result.")))]
    main = [pair for pair in found if stems(pair[0].removeprefix("result."))[:1] in _MAIN]
    chosen = named or main or found
    if not chosen or (len({place for place, _ in chosen}) > 1 and _KNOWN.get(bound.unit, ("",))[0] != "money"):
        return None
    place, scale = chosen[0]
    value = bound.value * scale
    return f"{place} {bound.operator} {int(value)}" if value == value.to_integral_value() else None


_MAIN = (["amount"], ["pric"], ["valu"], ["sum"], ["price"])


def _scale(card: Card, place: str, bound: Bound) -> Decimal | None:
    """Return by what a bound is multiplied for a place, None where the place is no number of that unit."""
    if card.kind(place) not in ("integer", "number"):
        return None
    name = place.removeprefix("result.")
    described = str(card.schema(place).get("description", ""))
    words = [w.lower() for w in re.findall(r"[A-Za-z€%°]+", f"{name.replace('_', ' ')} {described}")]
    if bound.unit not in _KNOWN:
        return Decimal(1) if bound.unit and set(stems(bound.unit)) & set(stems(name)) else None
    dimension, factor = _KNOWN[bound.unit]
    if dimension == "money" and not any(_KNOWN.get(word, ("",))[0] == "money" for word in words):
        if stems(name)[:1] not in _MAIN:
            return None
        words = [w.lower() for w in re.findall(r"[A-Za-z€%°]+", card.description)]
        words = [word for word in words if _KNOWN.get(word, ("",))[0] == "money"] or [bound.unit]
    for word in words:
        if (
            word in _KNOWN
            and _KNOWN[word][0] == dimension
            and (len(word) > 1 or word in name.split("_") or word in "€%°")
        ):
            return Decimal(factor) / Decimal(_own(words, dimension, word))
    return None


def _own(words: list[str], dimension: str, word: str) -> int:
    """Return the size of the unit that a place counts in: cents, where both euros and cents are named."""
    if dimension == "money" and {"cent", "cents"} & set(words):
        return 1
    return _KNOWN[word][1]
