"""The deterministic instruction writer: what a person would say to get the business calls made.

    write(domain, steps, rng)["goal"]
    'Anna Novak, born 1984-02-11, is on the line. EUR 120.00 should have gone to …'

Goal wording states the end, workflow wording the steps in order; both come from the domain's phrases and
name every value that no lookup can reveal. Safety steps are never given to it.
"""

import random
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.errors import GenerationError
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter


@dataclass(frozen=True, slots=True)
class Spoken:
    """A business call with its values as a person says them, at the time of the call."""

    call: ToolCall
    values: Mapping[str, str]


def describe(domain: Domain, db: Database, column: str, value: Any) -> str | None:
    """Return how a person refers to the row with this key, or None when the domain has no words for it."""
    sql = domain.phrases["describe"].get(column)
    if sql is None:
        return None
    row = db.one(sql.replace(":value", "?1"), value)
    return None if row is None else str(row["text"])


def speak(domain: Domain, db: Database, call: ToolCall) -> Spoken:
    """Return the call with its values in words; raise `GenerationError` for a row without words."""
    values = {}
    for parameter in domain.tools[call.name].parameters:
        value = call.arguments.get(parameter.name)
        if value is not None:
            values[parameter.name] = _say(domain, db, parameter, value)
    return Spoken(call, values)


def write(domain: Domain, steps: Sequence[Spoken], anchor: str, rng: random.Random) -> dict[str, str]:
    """Return the `goal` and the `workflow` wording."""
    openers = domain.phrases["openers"]
    goals = [_choose(domain, step, "goal", rng) for step in steps]
    flow = [_choose(domain, step, "workflow", rng) for step in steps]
    return {
        "goal": " ".join([rng.choice(openers["goal"]).format(anchor=anchor), *map(_sentence, goals)]),
        "workflow": " ".join([rng.choice(openers["workflow"]).format(anchor=anchor), *_ordered(flow, rng)]),
    }


def money(cents: int) -> str:
    """Return cents as people write them: `EUR 1,250.00`."""
    return f"EUR {cents // 100:,}.{cents % 100:02d}"


def ordinal(number: int) -> str:
    """Return 1 as `1st`, 2 as `2nd`, 13 as `13th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


_FORMATS: dict[str, Callable[[Any], str]] = {
    "money": money,
    "ordinal": ordinal,
    "quoted": lambda text: f'"{text}"',
    "date": str,
    "plain": str,
}


def _say(domain: Domain, db: Database, parameter: Parameter, value: Any) -> str:
    if parameter.ref:
        text = describe(domain, db, parameter.ref.column, value)
        if text is None:
            raise GenerationError(f"no words for {parameter.ref.column} = {value!r}")
        return text
    if parameter.pool:
        return str(_FORMATS[domain.phrases["formats"].get(parameter.pool.name, "plain")](value))
    return str(value).replace("_", " ")


def _choose(domain: Domain, step: Spoken, style: str, rng: random.Random) -> str:
    needed = {name for name in step.values if name not in _implied(domain, step)}
    fitting = []
    for entry in domain.phrases["tools"][step.call.name][style]:
        text, when = (entry["text"], entry.get("when", {})) if isinstance(entry, dict) else (entry, {})
        holes = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        decided = {name for name in when if step.call.arguments.get(name) == when[name]}
        if len(decided) == len(when) and holes <= set(step.values) and needed <= holes | decided:
            fitting.append(text)
    if not fitting:
        raise GenerationError(f"no {style} phrase of {step.call.name!r} names {', '.join(sorted(needed))}")
    return str(rng.choice(fitting).format(**step.values))


def _implied(domain: Domain, step: Spoken) -> set[str]:
    """The parameters that the opener has named already."""
    return {p.name for p in domain.tools[step.call.name].parameters if p.ref and p.ref.column == domain.anchor}


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _ordered(clauses: Sequence[str], rng: random.Random) -> list[str]:
    """Join imperative clauses in order."""
    if len(clauses) == 1:
        return [_sentence(clauses[0]) + "."]
    words = [
        "First",
        *[rng.choice(["Then", "Next", "After that"]) for _ in clauses[1:-1]],
        rng.choice(["Finally", "Last"]),
    ]
    return [f"{word}, {clause}." for word, clause in zip(words, clauses, strict=True)]
