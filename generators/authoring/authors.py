"""A model writes both wordings of a scenario, a second criticises them, our checks decide.

    authors = Authors(ask_writer, ask_critic)
    found = authors.reword(scenario)
    found.scenario.instructions, found.kept          # kept = {"workflow": "names 'record' …"}: not reworded, and why

`ask(messages, schema)` returns the JSON text that a model answered, or an empty text for anything else; it raises where
the outside world fails. What the critic remarks goes back to the writer while rounds are left; the leak check, the
completeness check and the calls that the critic reads out of the text are conditions to the end.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from lexgym.envs.registry import load_domain
from lexgym.generators.authoring.prompting import CRITICISED, WRITTEN, correction, criticism, writing
from lexgym.generators.authoring.reconstruction import differences, read_calls
from lexgym.generators.completeness import missing
from lexgym.generators.leaks import LeakCheck
from lexgym.generators.wording import anchors, requests
from lexgym.scenario import VARIANTS, Scenario

Ask: TypeAlias = Callable[[list[dict[str, str]], Mapping[str, Any]], str]

ROUNDS = 3
"""Times that the writer is asked for one scenario."""

LONGEST = 4_000
"""Longest wording, in characters."""


@dataclass(frozen=True, slots=True)
class Reworded:
    """A scenario with what could be reworded; `kept` has why each other wording stayed as it was."""

    scenario: Scenario
    kept: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 0


class Authors:
    """The pair of writer and critic."""

    def __init__(self, write: Ask, criticise: Ask, rounds: int = ROUNDS) -> None:
        self._write, self._criticise, self._rounds = write, criticise, rounds

    def reword(self, scenario: Scenario) -> Reworded:
        """Return the scenario with wordings that pass every check; the same answers give the same bytes."""
        checks = _Checks(scenario)
        rng = random.Random(f"authors:{scenario.id}")
        about = ", ".join(anchors(scenario))
        messages = writing(about, checks.spoken, scenario.instructions, rng)
        accepted: dict[str, str] = {}
        faults: dict[str, list[str]] = {variant: ["nothing was written"] for variant in VARIANTS}
        asked = 0
        while asked < self._rounds and len(accepted) < len(VARIANTS):
            asked += 1
            answer = self._write(messages, WRITTEN)
            written = _read(answer)
            for variant in VARIANTS:
                if variant not in accepted:
                    text, last = written.get(variant, ""), asked == self._rounds
                    faults[variant] = checks.faults(text) or self._criticism(checks, variant, text, last=last)
                    if not faults[variant]:
                        accepted[variant] = text
            open_faults = {variant: found for variant, found in faults.items() if found}
            messages = [*messages[:2], *correction(answer, open_faults)]
        kept = {variant: faults[variant][0] for variant in VARIANTS if variant not in accepted}
        return Reworded(replace(scenario, instructions={**scenario.instructions, **accepted}), kept, asked)

    def _criticism(self, checks: "_Checks", variant: str, text: str, *, last: bool) -> list[str]:
        """Return what a reader takes wrongly, and while rounds are left what the critic remarks."""
        answer = _read(self._criticise(criticism(checks.domain, text), CRITICISED))
        if not answer:
            return ["the critic gave no usable answer"]
        found = differences(checks.domain, checks.spoken, read_calls(answer), in_order=variant == "workflow")
        if found or last:
            return found
        remarks = [("unclear", answer.get("unclear")), ("a hint", answer.get("hints"))]
        return [f"{what}: {each}" for what, each_list in remarks for each in _texts(each_list)]


class _Checks:
    """The checks that no model has a say in."""

    def __init__(self, scenario: Scenario) -> None:
        self.domain, self.scenario = load_domain(scenario.domain), scenario
        self.spoken = requests(scenario)
        self._leaks = LeakCheck.of(scenario)

    def faults(self, text: str) -> list[str]:
        """Return what is wrong with a text."""
        if not text.strip():
            return ["there is no such text in the answer, which has to be a JSON object"]
        if len(text) > LONGEST:
            return [f"it has {len(text)} characters, more than {LONGEST}"]
        leaks = [f"do not write {leak.word!r}" for leak in self._leaks.find(text)]
        return leaks + [f"it has to name {what}" for what in missing(self.scenario, text)]


def _read(answer: str) -> dict[str, Any]:
    """Return the object of an answer, empty where it is none; texts that are none are left out."""
    try:
        found = json.loads(answer)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if key not in VARIANTS or isinstance(value, str)}


def _texts(value: Any) -> Sequence[str]:
    return [text for text in value if isinstance(text, str) and text.strip()] if isinstance(value, list) else []
