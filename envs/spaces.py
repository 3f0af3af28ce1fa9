"""Spaces of an environment whose actions are tool calls and whose observations are text."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from lexgym.core import FINISH, ToolCall
from lexgym.envs.domain import Domain
from lexgym.errors import MalformedCall
from lexgym.tools.tool import Parameter


class UnicodeText(spaces.Space[str]):
    """Any text of at most `max_length` characters."""

    def __init__(self, max_length: int = 1_000_000) -> None:
        super().__init__(None, str)
        self.max_length = max_length

    @property
    def is_np_flattenable(self) -> bool:
        """Text cannot be flattened to an array."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Return a short random word."""
        return "".join(chr(97 + int(letter)) for letter in self.np_random.integers(0, 26, 8))

    def contains(self, x: Any) -> bool:
        """Whether `x` is text within the limit."""
        return isinstance(x, str) and len(x) <= self.max_length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and other.max_length == self.max_length

    def __hash__(self) -> int:
        return hash(("UnicodeText", self.max_length))

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"


class ToolCallSpace(spaces.Space[ToolCall]):
    """All valid calls of a domain's tools and `finish`.

    `names` gives the order of a mask's entries, `finish` last. Samples draw keys of rows from
    `vocabulary` (column → values), which the environment fills at reset.
    """

    def __init__(self, domain: Domain) -> None:
        super().__init__(None, None)
        self.domain = domain
        self.names: tuple[str, ...] = (*domain.tools, FINISH)
        self.vocabulary: Mapping[str, Sequence[Any]] = {}

    @property
    def is_np_flattenable(self) -> bool:
        """Calls cannot be flattened to an array."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> ToolCall:
        """Return a random valid call of a tool whose mask entry is not 0."""
        allowed = np.arange(len(self.names)) if mask is None else np.flatnonzero(np.asarray(mask))
        if not len(allowed):
            raise ValueError("the mask allows no tool at all")
        name = self.names[int(self.np_random.choice(allowed))]
        if name == FINISH:
            return ToolCall(FINISH, {})
        rng = random.Random(int(self.np_random.integers(2**31)))
        draws = {p.name: self._draw(p, rng) for p in self.domain.tools[name].parameters if p.required}
        return ToolCall(name, draws)

    def _draw(self, parameter: Parameter, rng: random.Random) -> Any:
        values = self.vocabulary.get(parameter.ref.column, ()) if parameter.ref else ()
        if values:
            value = rng.choice(list(values))
            return [value] if parameter.schema.get("type") == "array" else value
        return draw(self.domain, parameter, rng)

    def contains(self, x: Any) -> bool:
        """Whether `x`, in any accepted form, is a call that a tool would take."""
        try:
            self.domain.tools.parse(x)
        except MalformedCall:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCallSpace) and other.domain.digest == self.domain.digest

    def __hash__(self) -> int:
        return hash(self.domain.digest)

    def __repr__(self) -> str:
        return f"ToolCallSpace({self.domain.name!r}, {len(self.names)} names)"


def draw(domain: Domain, parameter: Parameter, rng: random.Random) -> Any:
    """Draw a value for a parameter from its pool, its enum, or the plainest value of its type."""
    if parameter.pool:
        return domain.pools[parameter.pool.name](rng)
    return _value(parameter.schema, rng)


def _value(schema: Mapping[str, Any], rng: random.Random) -> Any:
    options = [o for o in schema.get("anyOf", [schema]) if o.get("type") != "null"]
    schema = rng.choice(options)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    match schema.get("type"):
        case "boolean":
            return rng.random() < 0.5
        case "integer":
            return rng.randint(schema.get("minimum", 0), schema.get("maximum", 100))
        case "number":
            return round(rng.uniform(schema.get("minimum", 0), schema.get("maximum", 100)), 2)
        case "array":
            return [_value(schema["items"], rng) for _ in range(schema.get("minItems", 0))]
        case _:
            return f"unknown-{rng.randrange(1000)}"
