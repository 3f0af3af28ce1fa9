"""The tools that a regulation is grounded in, as cards with their words.

    cards = read_tools(path.read_text(), "schema.json")     or   cards_of(load_domain("finance"))
    cards["check_stock"].flag                               "in_stock": the boolean that is the answer

A card knows no code: everything comes from JSON schemas, names and descriptions.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from lexgym.envs.domain import Domain
from lexgym.errors import ExtractionError
from lexgym.generators.extraction.schemas import fault, object_fault
from lexgym.oracles.ltlf.signature import Signature, ToolSignature
from lexgym.tools.schema import inline

_SAMPLE = '[{"name": "pay", "description": "Pay an invoice.", "parameters": {"type": "object", "properties": {}}}]'


@dataclass(frozen=True, eq=False)
class Card:
    """One tool: name, description, JSON schemas of the arguments and of the result, required arguments."""

    name: str
    description: str
    arguments: Mapping[str, Mapping[str, Any]]
    result: Mapping[str, Any]
    required: frozenset[str]

    @cached_property
    def fields(self) -> Mapping[str, Mapping[str, Any]]:
        """The scalar parts of the result."""
        found = self.result.get("properties", {})
        return {name: schema for name, schema in found.items() if schema.get("type") not in ("array", "object")}

    @cached_property
    def flags(self) -> tuple[str, ...]:
        """The booleans of the result; one that the description names in backticks comes first."""
        known = [name for name, schema in self.fields.items() if schema.get("type") == "boolean"]
        named = [name for name in re.findall(r"`(\w+)`", self.description) if name in known]
        return tuple(dict.fromkeys([*named, *known]))

    @cached_property
    def flag(self) -> str | None:
        """The boolean that answers what the tool was asked, None for a tool that answers nothing."""
        first = next(iter(self.result.get("properties", {})), None)
        named = re.findall(r"`(\w+)`", self.description)
        return next((name for name in self.flags if name in named or name == first), None)

    @cached_property
    def asks(self) -> bool:
        """Whether the answer is what the tool is for: it comes first in the result."""
        return self.flag is not None and self.flag == next(iter(self.result.get("properties", {})), None)

    def values(self, name: str) -> tuple[str, ...]:
        """The listed values of an argument, or of a part of the result after `result.`."""
        schema = self.fields.get(name[7:], {}) if name.startswith("result.") else self.arguments.get(name, {})
        options = [schema, *schema.get("anyOf", ()), schema.get("items", {})]
        return tuple(v for option in options for v in option.get("enum", ()) if isinstance(v, str))

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Everything that a guard may ask about: arguments, then parts of the result."""
        return (*self.arguments, *(f"result.{name}" for name in self.fields))

    def schema(self, place: str) -> Mapping[str, Any]:
        """Return the schema of a place."""
        return self.fields[place[7:]] if place.startswith("result.") else self.arguments[place]

    def kind(self, place: str) -> str:
        """Return the JSON type of a place, empty where it has none or several."""
        schema = self.schema(place)
        kinds = [o["type"] for o in (schema, *schema.get("anyOf", ())) if o.get("type") not in (None, "null")]
        return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], str) else ""


Cards: TypeAlias = Mapping[str, Card]


def cards_of(domain: Domain) -> dict[str, Card]:
    """Return the cards of a domain's tools."""
    return {
        tool.name: Card(
            tool.name,
            tool.description,
            {p.name: p.schema for p in tool.parameters},
            tool.result_schema,
            frozenset(p.name for p in tool.parameters if p.required),
        )
        for tool in domain.tools.values()
    }


def read_tools(text: str, where: str) -> dict[str, Card]:
    """Return the cards of OpenAI tool schemas in JSON; raise `ExtractionError`, which names the entry and the way out.

    What a tool returns may be added to an entry as `"result"`, a JSON schema.
    """
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExtractionError(f"{where} is no JSON: {error}; expected a list such as {_SAMPLE}") from None
    if isinstance(entries, dict) and isinstance(entries.get("tools"), list):
        entries = entries["tools"]
    if not isinstance(entries, list) or not entries:
        raise ExtractionError(f"{where} lists no tools; expected a list such as {_SAMPLE}")
    cards: dict[str, Card] = {}
    for number, entry in enumerate(entries, 1):
        card = _card(entry, f"{where}: entry {number}")
        if card.name in cards:
            raise ExtractionError(f"{where}: two tools are called {card.name!r}; rename one")
        cards[card.name] = card
    return cards


def _card(entry: Any, where: str) -> Card:
    entry = entry.get("function", entry) if isinstance(entry, dict) else entry
    match entry:
        case {"name": str(name)} if re.fullmatch(r"[A-Za-z_]\w*", name):
            pass
        case {"name": name}:
            raise ExtractionError(f"{where}: a tool's name is a word such as 'pay_invoice', not {name!r}")
        case _:
            raise ExtractionError(f"{where} is no tool schema with a name; expected one such as {_SAMPLE[1:-1]}")
    parts = {key: entry.get(key) or {} for key in ("parameters", "result")}
    for key, schema in parts.items():
        if not isinstance(schema, dict) or not isinstance(schema.get("properties", {}), dict):
            raise ExtractionError(f"{where}: `{key}` of {name!r} is no JSON schema of an object")
    try:
        parameters, result = (inline(schema) for schema in parts.values())
    except (KeyError, RecursionError) as error:
        raise ExtractionError(f"{where}: a $ref of {name!r} points nowhere: {error}") from None
    for key, schema in {**parameters.get("properties", {}), **result.get("properties", {})}.items():
        if not isinstance(schema, dict):
            raise ExtractionError(f"{where}: {key!r} of {name!r} has no JSON schema but {schema!r:.60}")
    wrong = object_fault(parameters) or fault(parameters, "parameters") or fault(result, "result")
    if wrong:
        raise ExtractionError(f"{where}, {name!r}: {wrong}")
    required = parameters.get("required", ())
    return Card(
        name,
        str(entry.get("description") or ""),
        parameters.get("properties", {}),
        result,
        frozenset(required if isinstance(required, list) else ()),
    )


def signature_of(cards: Cards) -> Signature:
    """Return what formulas may say of the tools."""
    return {name: ToolSignature(card.arguments, card.result, card.required) for name, card in cards.items()}


def spelled_out(cards: Cards) -> str:
    """Return all that cards say, as text."""
    said = {
        card.name: [card.description, card.arguments, card.result, sorted(card.required)] for card in cards.values()
    }
    return json.dumps(said, sort_keys=True, default=dict)


def words_of(card: Card) -> Iterator[tuple[str, float]]:
    """Yield the texts that say what a tool does, each with its weight."""
    first, _, rest = card.description.partition("\n")
    yield card.name, 3.0
    yield first, 2.0
    yield rest, 0.5
    for place in card.places:
        yield place.removeprefix("result."), 1.0 if place in card.arguments else 0.7
        for value in card.values(place):
            yield value, 0.8
