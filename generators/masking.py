"""Which steps of a reference are there for the law alone: computed by running it without each step.

    find_roles(scenario, replays)        # [Role.SAFETY, Role.LOOKUP, Role.BUSINESS, …]

A step is *needed by the goal* if without it the target is missed, or a later needed call fails, or a later needed
call has a key that nobody said and no needed step has shown. A step that the goal does not need and without which
some rule breaks is a *safety step*. The steps that lead to a refusal are *grounds*, whether or not a rule asks for
them: what they are for is not done.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.registry import load_domain
from lexgym.errors import ScenarioRejected
from lexgym.generators.replays import Replays
from lexgym.scenario import ReferenceStep, Scenario


class Role(StrEnum):
    """What a step of a reference is for."""

    BUSINESS = "business"
    LOOKUP = "lookup"
    SAFETY = "safety"
    GROUND = "ground"
    NEEDLESS = "needless"


NEEDED = frozenset({Role.BUSINESS, Role.LOOKUP})
"""The roles of steps that the goal needs."""


def find_roles(scenario: Scenario, replays: Replays, grounds: Collection[int] = ()) -> list[Role]:
    """Return the role of each step of the reference; `grounds` are the places of what leads to a refusal."""
    calls = scenario.calls
    places = range(len(calls))
    runs = [replays.run_to_end((*calls[:place], *calls[place + 1 :])) for place in reversed(places)][::-1]
    lawful = [all(satisfied) for _, satisfied, _ in runs]
    keys = _Keys(scenario, replays.run(calls)[0], lawful)
    roles = [Role.NEEDLESS for _ in places]
    needed: list[int] = []
    lookups: set[int] = set()
    for place in reversed(places):
        trace, _, reached = runs[place]
        if not reached or any(trace[later - 1].status is not Status.OK for later in needed):
            roles[place] = Role.BUSINESS
        elif place in lookups:
            roles[place] = Role.LOOKUP
        elif place in grounds:
            roles[place] = Role.GROUND
        elif not lawful[place]:
            roles[place] = Role.SAFETY
        if roles[place] in NEEDED:
            needed.append(place)
            lookups |= keys.shown_by(place)
    return roles


def mask(scenario: Scenario, replays: Replays, grounds: Collection[int] = ()) -> tuple[ReferenceStep, ...]:
    """Return the reference with its safety steps and grounds marked.

    Raises `ScenarioRejected` for a step that neither the goal nor a rule needs.
    """
    roles = find_roles(scenario, replays, grounds)
    if Role.NEEDLESS in roles:
        place = roles.index(Role.NEEDLESS)
        raise ScenarioRejected(
            f"{scenario.id}: step {place + 1} is not needed by any rule, nor by the goal: {scenario.calls[place]}"
        )
    return tuple(
        replace(step, safety=role not in NEEDED, ground=role is Role.GROUND)
        for step, role in zip(scenario.reference, roles, strict=True)
    )


class _Keys:
    """The keys that the calls of a scenario need and nobody says, and which steps show them."""

    def __init__(self, scenario: Scenario, trace: Sequence[Event], lawful: Sequence[bool]) -> None:
        self._scenario, self._lawful = scenario, lawful
        self._tools = load_domain(scenario.domain).tools
        self._results = [json.dumps(event.result) for event in trace]

    def shown_by(self, place: int) -> set[int]:
        """Return the steps that show what the call at a place needs, one for each key that some step shows."""
        calls = [self._scenario.calls[place]]
        if self._scenario.forbidden and self._scenario.forbidden.place == place:
            calls.append(self._scenario.forbidden.call)
        unsaid = [value for call in calls for value in self._keys(call) if not self._said(value)]
        return {step for value in unsaid if (step := self._first(value, place)) is not None}

    def _keys(self, call: ToolCall) -> Iterator[Any]:
        for parameter in self._tools[call.name].parameters:
            value = call.arguments.get(parameter.name)
            if parameter.ref is not None and value is not None:
                yield from value if isinstance(value, list) else [value]

    def _said(self, value: Any) -> bool:
        word = re.compile(rf"(?<!\w){re.escape(str(value))}(?!\w)")
        return all(word.search(text) for text in self._scenario.instructions.values())

    def _first(self, value: Any, place: int) -> int | None:
        """Return the first step before a place that shows the value; one that no rule needs comes first."""
        text = json.dumps(value)
        steps = [step for step in range(place) if text in self._results[step]]
        return min(steps, key=lambda step: (not self._lawful[step], step), default=None)
