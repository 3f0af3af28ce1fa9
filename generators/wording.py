"""The deterministic instruction writer: what a person would say to get the business calls made.

    write(domain, steps, anchor, rng)["goal"]
    'Anna Novak, born 1984-02-11, is on the line. EUR 120.00 should have gone to …'

Goal wording states the end, in any order where the order does not matter, and what comes after what where it does;
workflow wording states the steps in order.
Both come from the domain's phrases, in a register that is drawn, and name every value that no lookup can reveal.
Safety steps are never given to it.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError
from lexgym.generators.phrases import Register, entries, registers
from lexgym.scenario import Scenario
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter


@dataclass(frozen=True, slots=True)
class Spoken:
    """A business call with its values as a person says them, at the time of the call.

    It is `free` where they would be the same at the start, so that it can be asked for in any order.
    """

    call: ToolCall
    values: Mapping[str, str]
    free: bool = False


def describe(domain: Domain, db: Database, column: str, value: Any) -> str | None:
    """Return how a person refers to the row with this key, or None when the domain has no words for it."""
    sql = domain.phrases.get("describe", {}).get(column)
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


def speak_all(
    domain: Domain, db: Database, calls: Sequence[ToolCall], instead: Mapping[int, ToolCall] | None = None
) -> list[Spoken]:
    """Put what is asked for into words, each request as the state is when it is dealt with; the calls are made.

    `instead` has the call that was asked for at a place where another one was made.
    """
    wanted = [(instead or {}).get(place, call) for place, call in enumerate(calls)]
    first = [_try_to_speak(domain, db, call) for call in wanted]
    found = []
    for call, made, early in zip(wanted, calls, first, strict=True):
        if call.name in domain.phrases["tools"]:
            spoken = speak(domain, db, call)
            found.append(replace(spoken, free=early is not None and early.values == spoken.values))
        domain.tools.execute(db, made, step=0)
    return found


def requests(scenario: Scenario) -> list[Spoken]:
    """Return what a scenario's instruction asks for, with its values in words."""
    domain = load_domain(scenario.domain)
    db = Database(domain.schema, clock=scenario.clock)
    db.load(scenario.initial, scenario.sequences)
    instead = {scenario.forbidden.place: scenario.forbidden.call} if scenario.forbidden else {}
    found = speak_all(domain, db, scenario.calls, instead)
    db.close()
    return found


def anchors(scenario: Scenario) -> list[str]:
    """Return how people refer to whom or what the instruction is about: the words for it that both wordings have."""
    domain = load_domain(scenario.domain)
    table, _, column = domain.anchor.partition(".")
    db = Database(domain.schema, clock=scenario.clock)
    db.load(scenario.initial, scenario.sequences)
    known = [describe(domain, db, domain.anchor, row[column]) for row in scenario.initial[table]]
    db.close()
    texts = [text.casefold() for text in scenario.instructions.values()]
    return [words for words in known if words and all(words.casefold() in text for text in texts)]


def write(
    domain: Domain, steps: Sequence[Spoken], anchor: str, rng: random.Random, *, ordered: bool = False
) -> dict[str, str]:
    """Return the `goal` and the `workflow` wording; `ordered` says that another order leads elsewhere, or nowhere."""
    known = registers(domain)
    register = known[rng.choice(sorted(known))]
    goals, ordered = list(steps), ordered or not all(step.free for step in steps)
    if not ordered:
        rng.shuffle(goals)
    wishes = _wishes(domain, goals, register, rng, "then" if ordered else "join")
    return {
        "goal": _compose(register, "goal", anchor, wishes, rng, numbered=ordered),
        "workflow": _compose(register, "workflow", anchor, _steps(domain, steps, register, rng), rng, numbered=True),
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


def _choose(domain: Domain, step: Spoken, style: str, rng: random.Random) -> tuple[str, str]:
    """Return a phrase that fits the request, and the same with the values filled in."""
    needed = {name for name in step.values if name not in _implied(domain, step)}
    fitting = []
    for entry in entries(domain, step.call.name, style):
        decided = {name for name in entry.when if step.call.arguments.get(name) == entry.when[name]}
        if len(decided) == len(entry.when) and entry.holes <= set(step.values) and needed <= entry.holes | decided:
            fitting.append(entry.text)
    if not fitting:
        raise GenerationError(f"no {style} phrase of {step.call.name!r} names {', '.join(sorted(needed))}")
    chosen = rng.choice(fitting)
    return chosen, chosen.format(**step.values)


def _implied(domain: Domain, step: Spoken) -> set[str]:
    """The parameters that the opener has named already."""
    return {p.name for p in domain.tools[step.call.name].parameters if p.ref and p.ref.column == domain.anchor}


def _wishes(domain: Domain, steps: Sequence[Spoken], register: Register, rng: random.Random, part: str) -> list[str]:
    """Return a sentence for each wish, joined to the one before."""
    found: list[str] = []
    joins = register.part("goal", part)
    order = rng.sample(joins, len(joins))
    for number, step in enumerate(steps):
        phrase, text = _choose(domain, step, "goal", rng)
        join = order[number % len(order)] if number else ""
        plain = text if phrase.startswith("{") or not join else text[0].lower() + text[1:]
        found.append(_sentence(join + plain))
    return found


def _steps(domain: Domain, steps: Sequence[Spoken], register: Register, rng: random.Random) -> list[str]:
    """Return a clause for each step, in order, with a word that says so where there are several."""
    clauses = [_choose(domain, step, "workflow", rng)[1] for step in steps]
    if len(clauses) == 1 or register.listed:
        return [_sentence(clause) + "." for clause in clauses]
    parts = ["first", *["next" for _ in clauses[2:]], "last"]
    words = [rng.choice(register.part("workflow", part)) for part in parts]
    return [f"{word} {clause}." for word, clause in zip(words, clauses, strict=True)]


def _compose(
    register: Register, style: str, anchor: str, sentences: Sequence[str], rng: random.Random, *, numbered: bool
) -> str:
    """Return opener, sentences and closing as one text."""
    opener = _sentence(rng.choice(register.part(style, "open")).format(anchor=anchor))
    closing = rng.choice(register.part(style, "close"))
    if register.listed:
        marks = [f"{number}." if numbered else "-" for number, _ in enumerate(sentences, 1)]
        lines = [opener, *(f"{mark} {sentence}" for mark, sentence in zip(marks, sentences, strict=True)), closing]
        return "\n".join(line for line in lines if line)
    return " ".join(part for part in (opener, *sentences, closing) if part)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _try_to_speak(domain: Domain, db: Database, call: ToolCall) -> Spoken | None:
    try:
        return speak(domain, db, call) if call.name in domain.phrases["tools"] else None
    except GenerationError:
        return None
