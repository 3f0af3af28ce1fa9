"""What a model is asked when it reads a regulation: two questions, each with an example and the schema of its answer.

1. which constraints are in these sentences (one norm each, in plain words)?
2. which formula is each of them, over these tools?
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lexgym.generators.extraction.document import Sentence
from lexgym.generators.extraction.toolset import Card, Cards

MOST_TOOLS = 8
"""Tools that one formula needs at most; a bound, since small models may name one for ever."""

LONGEST = 600
"""Characters of a wrong formula that are handed back."""

KINDS = ("before", "after", "limit", "never")
TEMPLATES = ("operational_restriction", "instruction_adherence", "other")


@dataclass(frozen=True, slots=True)
class Constraint:
    """One norm in a model's words, with the sentence it comes from."""

    sentence: Sentence
    kind: str
    text: str

    @property
    def plain(self) -> str:
        """The words without case, spaces and punctuation, for comparing."""
        return "".join(c for c in f"{self.kind}{self.text}".lower() if c.isalnum())


@dataclass(frozen=True, slots=True)
class Draft:
    """One formula of an answer: the number of its constraint, and the tools that it was said to need."""

    number: int
    formula: str
    template: str
    tools: tuple[str, ...] = ()

    @property
    def entry(self) -> dict[str, Any]:
        """The formula as the model is shown it again."""
        head = {"constraint": self.number, "tools": list(self.tools), "template": self.template}
        return head | {"formula": self.formula[:LONGEST], "out_of_scope": ""}


def _listed(name: str, fields: dict[str, Any]) -> dict[str, Any]:
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    properties = {name: {"type": "array", "items": item}}
    return {"type": "object", "properties": properties, "required": [name], "additionalProperties": False}


CONSTRAINTS_SCHEMA = _listed(
    "constraints",
    {
        "sentence": {"type": "integer"},
        "kind": {"type": "string", "enum": list(KINDS)},
        "constraint": {"type": "string"},
    },
)


def formulas_schema(cards: Cards) -> dict[str, Any]:
    """Return the form of the second answer: the tools are named first, so that a server can hold the model to them."""
    return _listed(
        "formulas",
        {
            "constraint": {"type": "integer"},
            "tools": {"type": "array", "items": {"type": "string", "enum": list(cards)}, "maxItems": MOST_TOOLS},
            "template": {"type": "string", "enum": list(TEMPLATES)},
            "formula": {"type": "string"},
            "out_of_scope": {"type": "string"},
        },
    )


_DISTIL = """You read a regulation and distil what it demands of whoever operates the tools of a system.
Write each atomic constraint in one English sentence that stands by itself: no pronouns, no references to other
sections, every condition spelled out, one act and one check or one later step each.
kind is `before` (something must come before an act), `after` (an act obliges to a later step), `limit` (at most so
often) or `never` (an act of some sort is forbidden outright). Leave out definitions, explanations and whatever does
not constrain the order or number of acts. `sentence` is the number in front of the sentence.
Answer with JSON only, in the form of the example; where nothing is demanded, the list is empty."""

_DRAFT = """You write rules in linear temporal logic on finite traces (LTLf) over calls of tools.

An atom is a tool, with guards in brackets: pay[amount > 5000, result.ok, channel = "app"]. It holds at a step that is
a successful call for which the guards hold. Arguments are named bare, parts of the result after `result.`, a boolean
may stand alone or as `result.ok = false`; also: != < <= > >= in ["a", "b"]. Money is as the tool's description says.
Operators: ! & | -> G (always) F (eventually) X (next) U (until) W (until, or forever) O (once before) S (since).
`forall x, y. …` at the very beginning joins calls about the same values; each atom then needs `place = x` for each.

Templates:
operational_restriction  forall p. (!pay[payee_id = p]) W verify[payee_id = p, result.matched]
                         several acts: forall p. (!(pay[payee_id = p] | save[payee_id = p])) W verify[payee_id = p]
instruction_adherence    forall x. G(pay[result.payment_id = x] -> F log[subject = x, result.recorded])
other                    forall c. absence(4, login[customer_id = c, result.ok = false])   fewer than 4 times
                         G !enable[result.kind = "debug"]

Ask of a check that it came out well. Use only the tools below, with exactly these names. Where no tool does what a
constraint is about, leave `formula` empty and say in `out_of_scope` what is missing.
Answer with JSON only, in the form of the example, one entry for each constraint."""

_DISTILLED = (
    """Section: 3. Keys
[7] A key is handed out to a visitor only after the visitor's badge has been read.
[8] The building was renovated last year.
[9] When a key is returned, it has to be entered in the key book.""",
    {
        "constraints": [
            {
                "sentence": 7,
                "kind": "before",
                "constraint": "Before a key is handed out to a visitor, the badge of that visitor must have been read.",
            },
            {
                "sentence": 9,
                "kind": "after",
                "constraint": "After a key is returned, the return of that key must be entered in the key book.",
            },
        ]
    },
)

EXAMPLES = frozenset(each["constraint"] for each in _DISTILLED[1]["constraints"])
"""Constraints that a model may only have copied."""

_DRAFTED = (
    """Tools:
- hand_out_key(key_id, visitor_id): Hand out a key.
- read_badge(visitor_id): Read a visitor's badge. result: valid: boolean
- return_key(key_id): Take a key back.
- enter_in_key_book(key_id, event: out | back): Write a line in the key book.

Constraints:
1. (before) Before a key is handed out to a visitor, the badge of that visitor must have been read.
2. (after) After a key is returned, the return of that key must be entered in the key book.
3. (never) Visitors must never be left alone.""",
    {
        "formulas": [
            {
                "constraint": 1,
                "tools": ["hand_out_key", "read_badge"],
                "template": "operational_restriction",
                "formula": "forall v. (!hand_out_key[visitor_id = v]) W read_badge[visitor_id = v, result.valid]",
                "out_of_scope": "",
            },
            {
                "constraint": 2,
                "tools": ["return_key", "enter_in_key_book"],
                "template": "instruction_adherence",
                "formula": 'forall k. G(return_key[key_id = k] -> F enter_in_key_book[key_id = k, event = "back"])',
                "out_of_scope": "",
            },
            {
                "constraint": 3,
                "tools": [],
                "template": "other",
                "formula": "",
                "out_of_scope": "no tool is about leaving a visitor alone",
            },
        ]
    },
)


def distil(sentences: Sequence[Sentence]) -> list[dict[str, str]]:
    """Return the messages that ask for the constraints in some sentences."""
    section = sentences[0].section
    lines = [f"[{sentence.number}] {sentence.whole}" for sentence in sentences]
    asked = f"Section: {section}\n" if section else ""
    return _messages(_DISTIL, _DISTILLED, asked + "\n".join(lines))


def draft(constraints: Sequence[Constraint], cards: Cards) -> list[dict[str, str]]:
    """Return the messages that ask for the formulas of some constraints."""
    lines = [f"{number}. ({c.kind}) {c.text}" for number, c in enumerate(constraints, 1)]
    tools = "\n".join(map(_line, cards.values()))
    return _messages(_DRAFT, _DRAFTED, f"Tools:\n{tools}\n\nConstraints:\n" + "\n".join(lines))


def repair(messages: list[dict[str, str]], wrong: Iterable[tuple[Draft, str]]) -> list[dict[str, str]]:
    """Return the first messages with the formulas of the last answer that are wrong, and what is wrong with each.

    Earlier answers are left out, so that the conversation does not grow.
    """
    found = list(wrong)
    answer = json.dumps({"formulas": [one.entry for one, _ in found]}, ensure_ascii=False)
    lines = [f"{one.number}. {fault}" for one, fault in found]
    asked = "These formulas cannot be used. Answer again, in the same form, for these constraints only:\n"
    return [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": asked + "\n".join(lines)}]


def again(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the messages after an answer that was no JSON of the form asked for."""
    return [*messages, {"role": "user", "content": "That was not the JSON that was asked for. Answer with JSON only."}]


def _messages(system: str, example: tuple[str, dict[str, Any]], user: str) -> list[dict[str, str]]:
    asked, answered = example
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": asked},
        {"role": "assistant", "content": json.dumps(answered, ensure_ascii=False)},
        {"role": "user", "content": user},
    ]


def _line(card: Card) -> str:
    """Return a tool on one line: arguments with their values, what it says of itself, its result."""
    arguments = ", ".join(f"{name}{_values(card, name)}" for name in card.arguments)
    result = ", ".join(f"{name}{_values(card, f'result.{name}') or _boolean(card, name)}" for name in card.fields)
    described = " ".join(card.description.split())[:240]
    return f"- {card.name}({arguments}): {described}" + (f" result: {result}" if result else "")


def _values(card: Card, place: str) -> str:
    values = card.values(place)
    return f": {' | '.join(values)}" if values else ""


def _boolean(card: Card, name: str) -> str:
    return ": boolean" if name in card.flags else ""
