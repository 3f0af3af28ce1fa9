"""Traces near a reference, as an agent makes them that errs in one place.

    for kind, calls in mutants(scenario):
        ...                                 # ("drop safety", (ToolCall(…), …))

Drop, swap, duplicate, change an argument, insert a forbidden call; ask again after a no; do what has to be refused;
make all checks first, or all acts; exchange two acts; take an argument from another call of the same tool.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.registry import load_domain
from lexgym.envs.spaces import draw
from lexgym.scenario import Scenario
from lexgym.tools.tool import Parameter

DO_REFUSED, REFUSE_AND_DO = "do what is refused", "refuse and do"
CHECKS_FIRST, ACTS_FIRST = "checks first", "acts first"

INSISTENCE = 6
"""Times that a check which said no is asked again, more than any rule that counts attempts allows."""

Mutant: TypeAlias = tuple[str, tuple[ToolCall, ...]]


def mutants(scenario: Scenario) -> Iterator[Mutant]:
    """Yield mutants of the reference with their kinds; the same for the same scenario."""
    calls, domain = scenario.calls, load_domain(scenario.domain)
    rng = random.Random(f"mutants:{scenario.id}")
    for i, step in enumerate(scenario.reference):
        dropped = "drop ground" if step.ground else "drop safety" if step.safety else "drop business"
        yield dropped, calls[:i] + calls[i + 1 :]
        yield "duplicate", (*calls[: i + 1], calls[i], *calls[i + 1 :])
        if i + 1 < len(calls):
            yield "swap", (*calls[:i], calls[i + 1], calls[i], *calls[i + 2 :])
        for changed in _changed(scenario, domain, calls[i], rng):
            yield "change argument", (*calls[:i], changed, *calls[i + 1 :])
    if grounds := [i for i, step in enumerate(scenario.reference) if step.ground]:
        last = grounds[-1]
        yield "ask again", (*calls[: last + 1], *[calls[last]] * INSISTENCE, *calls[last + 1 :])
    if scenario.naive:
        yield "insert forbidden", (scenario.naive[-1], *calls)
    if scenario.forbidden:
        call, place = scenario.forbidden.call, scenario.forbidden.place
        yield DO_REFUSED, (*calls[:place], call, *calls[place + 1 :])
        yield REFUSE_AND_DO, (*calls[: place + 1], call, *calls[place + 1 :])
    asked = domain.phrases.get("tools") or domain.tools
    acts = [place for place, step in enumerate(scenario.reference) if step.name in asked and not step.safety]
    for one, other in pairwise(acts):
        if other > one + 1:
            between = calls[one + 1 : other]
            yield "exchange acts", (*calls[:one], calls[other], *between, calls[one], *calls[other + 1 :])
    for place, mixed in _mixed_up(calls, acts):
        yield "mix up", (*calls[:place], mixed, *calls[place + 1 :])
    for kind, moved in ((CHECKS_FIRST, checks_first(scenario)), (ACTS_FIRST, acts_first(scenario))):
        if moved != calls:
            yield kind, moved


def checks_first(scenario: Scenario) -> tuple[ToolCall, ...]:
    """Return the reference with all safety steps that an act follows moved ahead of the acts.

    Those about rows that are only made in between stay where they are.
    """
    steps, known = scenario.reference, _ids(scenario)
    acts = [place for place, step in enumerate(steps) if not step.safety]
    early = [
        place
        for place, step in enumerate(steps)
        if step.safety and acts and place < acts[-1] and not _names_new(scenario, step.call, known)
    ]
    order = [*early, *(place for place in range(len(steps)) if place not in early)]
    return tuple(steps[place].call for place in order)


def acts_first(scenario: Scenario) -> tuple[ToolCall, ...]:
    """Return the reference with all its safety steps after all acts."""
    return tuple(step.call for late in (False, True) for step in scenario.reference if step.safety is late)


def _mixed_up(calls: tuple[ToolCall, ...], acts: Sequence[int]) -> Iterator[tuple[int, ToolCall]]:
    """Yield places and what stands there if an act gets one of its arguments from an earlier one of the same tool."""
    for place in acts:
        call, known = calls[place], set[str]()
        for name, value in call.arguments.items():
            for other in (calls[act] for act in acts if act < place):
                given = other.arguments.get(name, value)
                mixed = ToolCall(call.name, {**call.arguments, name: given})
                if other.name == call.name and given != value and str(mixed) not in known:
                    known.add(str(mixed))
                    yield place, mixed


def _ids(scenario: Scenario) -> frozenset[str]:
    """Return the keys of the rows that exist at the start."""
    tables = load_domain(scenario.domain).schema.tables
    return frozenset(
        str(row[tables[name].key[0]]) for name, rows in scenario.initial.items() if name in tables for row in rows
    )


def _names_new(scenario: Scenario, call: ToolCall, known: frozenset[str]) -> bool:
    """Whether a call names a row that does not exist at the start."""
    prefixes = tuple(f"{prefix}-" for prefix in load_domain(scenario.domain).schema.prefixes.values())
    return any(
        isinstance(value, str) and value.startswith(prefixes) and value not in known
        for value in call.arguments.values()
    )


def _changed(scenario: Scenario, domain: Domain, call: ToolCall, rng: random.Random) -> Iterator[ToolCall]:
    """Yield the call with each of its arguments changed in turn, where there is another value of the kind."""
    for parameter in domain.tools[call.name].parameters:
        if parameter.name in call.arguments:
            value = call.arguments[parameter.name]
            options = [other for other in _others(scenario, domain, parameter, value, rng) if other != value]
            if options:
                yield ToolCall(call.name, {**call.arguments, parameter.name: rng.choice(options)})


def _others(scenario: Scenario, domain: Domain, parameter: Parameter, value: Any, rng: random.Random) -> list[Any]:
    if parameter.ref:
        table, _, column = parameter.ref.column.partition(".")
        options = sorted({row[column] for row in scenario.initial[table]} - {None})
        return [[option] for option in options] if isinstance(value, list) else options
    if "enum" in parameter.schema:
        return list(parameter.schema["enum"])
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1]
    if parameter.pool:
        return [draw(domain, parameter, rng)]
    match value:
        case str():
            return [f"another {value}"]
        case [_, *rest] if rest:
            return [rest]
        case _:
            return []
