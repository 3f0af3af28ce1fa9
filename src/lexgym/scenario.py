"""One test case: what the agent is told, where it starts, where it must end, and how it can be done lawfully.

    scenario = Scenario.from_json(text)
    scenario.instruction("goal")          # what the agent reads
    scenario.naive                        # what somebody does who does not know the law
    scenario.kind                         # "ordinary", or "refusal": a request that the law forbids

The initial state is a dump of every table, the target a dump of the business tables. A scenario
belongs to one version of its domain: `digest` says which. It is judged by its domain's rules unless it brings
its own, as imported suites do: a line of text then is all that an environment, a log or a replay needs.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from lexgym.core import Rule, ToolCall
from lexgym.errors import ScenarioError, ScenarioVersionError
from lexgym.scenario_form import require_form

FORMAT = 2
"""Version of the JSON form."""

VARIANTS = ("goal", "workflow")
"""The two wordings of an instruction."""

Dump: TypeAlias = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class ReferenceStep:
    """One call of the reference trace.

    `safety` steps are masked from the instruction. Among them, `ground` steps show that the request must be
    refused: no rule need ask for them, since what they are for is not done.
    """

    name: str
    arguments: Mapping[str, Any]
    safety: bool
    ground: bool = False

    @property
    def call(self) -> ToolCall:
        """The step as a call."""
        return ToolCall(self.name, dict(self.arguments))


@dataclass(frozen=True, slots=True)
class ForbiddenCall:
    """The call that a refusal scenario asks for and the law forbids.

    `check` is the tool that says no, None where a rule allows the call in no case; `reason` is what is recorded,
    and `place` the index in the reference of the step that records it instead.
    """

    name: str
    arguments: Mapping[str, Any]
    check: str | None
    reason: str
    place: int

    @property
    def call(self) -> ToolCall:
        """What must not be done, as a call."""
        return ToolCall(self.name, dict(self.arguments))


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule that a scenario brings with it, as text of the rule language.

    It binds in the wordings `variants` only. One that is judged `apart` is reported, and decides nothing.
    """

    id: str
    formula: str
    text: str = ""
    source: str = ""
    template: str = "other"
    variants: tuple[str, ...] = VARIANTS
    apart: bool = False

    @property
    def rule(self) -> Rule:
        """The rule as the safety oracle takes it."""
        return Rule(self.id, self.formula, self.text, regulation=self.source, template=self.template)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A test case; `clock` is the start in seconds since 1970-01-01.

    A scenario with a `forbidden` call is a lawful refusal: its target is "not done, and recorded".
    `own_rules` take the place of the domain's rules, `policy` that of its manual, where there are any.
    """

    id: str
    domain: str
    digest: str
    seed: int
    instructions: Mapping[str, str]
    initial: Dump
    sequences: Mapping[str, int]
    clock: int
    target: Dump
    rules: tuple[str, ...]
    reference: tuple[ReferenceStep, ...]
    forbidden: ForbiddenCall | None = None
    format: int = FORMAT
    own_rules: tuple[OwnRule, ...] = ()
    policy: str = ""

    def instruction(self, variant: str) -> str:
        """Return the wording `goal` or `workflow`; raise `ScenarioError` for another."""
        if variant not in self.instructions:
            raise ScenarioError(f"no wording {variant!r}; this scenario has {', '.join(sorted(self.instructions))}")
        return self.instructions[variant]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The reference trace as calls."""
        return tuple(step.call for step in self.reference)

    @property
    def naive(self) -> tuple[ToolCall, ...]:
        """What is asked for and nothing else: the reference without its safety steps, the forbidden call made."""
        calls = list(self.calls)
        if self.forbidden:
            calls[self.forbidden.place] = self.forbidden.call
        return tuple(call for call, step in zip(calls, self.reference, strict=True) if not step.safety)

    @property
    def kind(self) -> str:
        """`ordinary`, or `refusal` where something asked for must not be done."""
        return "refusal" if self.forbidden else "ordinary"

    def to_json(self) -> str:
        """Return one line of JSON with sorted keys; `from_json` reads it back."""
        data = {key: value for key, value in asdict(self).items() if value or key not in ("own_rules", "policy")}
        return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Scenario":
        """Read a scenario; raise `ScenarioVersionError` for another format and `ScenarioError` for anything else."""
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise ScenarioError(f"not a scenario: line {error.lineno}, column {error.colno}: {error.msg}") from None
        if not isinstance(data, dict):
            raise ScenarioError(f"not a scenario: a JSON {type(data).__name__}, not an object")
        if data.get("format") != FORMAT:
            raise ScenarioVersionError(
                f"the scenario has format {data.get('format')!r}, this lexgym reads {FORMAT}: generate it anew"
            )
        try:
            require_form(data)
        except ScenarioError as error:
            raise ScenarioError(f"not a scenario of format {FORMAT}: {error}") from None
        forbidden = data.pop("forbidden")
        return cls(
            reference=tuple(ReferenceStep(**step) for step in data.pop("reference")),
            own_rules=tuple(_own_rule(**rule) for rule in data.pop("own_rules", ())),
            rules=tuple(data.pop("rules")),
            forbidden=ForbiddenCall(**forbidden) if forbidden else None,
            **data,
        )


def _own_rule(*, variants: Sequence[str] = VARIANTS, **fields: Any) -> OwnRule:
    for variant in variants:
        if variant not in VARIANTS:
            raise ScenarioError(
                f"an own rule binds in the wording {variant!r}, which there is not: {', '.join(VARIANTS)}"
            )
    return OwnRule(variants=tuple(variants), **fields)
