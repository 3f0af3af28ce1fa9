"""Which calls a domain may refuse lawfully, and how it records that: the `[refusals.TOOL]` sections.

    [refusals.initiate_payment]
    tool = "decline_order"                                # puts the refusal on record
    reasons = { verify_payee = "payee name mismatch" }    # the check that said no → the reason recorded
    rules = { no-cash = "paid in cash" }                  # the rule that forbids it outright → the reason recorded
    says = { request = "payment" }                        # what else the record says, where one tool serves several

One of `reasons` and `rules` may be left out, and so may `says`. The recording tool is given the refused call's
arguments of the same name, what `says` holds, and `reason`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lexgym.core import ToolCall
from lexgym.errors import DomainError, near_miss
from lexgym.tools.tool import Tool
from lexgym.tools.toolbox import Toolbox

REASON = "reason"
"""The parameter of a recording tool that takes the reason."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """How one tool's calls are refused: the tool that records it, and the reasons.

    `reasons` has one for each check that says no, `rules` one for each rule that no check can satisfy; `says` holds
    arguments of the recording tool that are the same for every call refused.
    """

    tool: str
    reasons: Mapping[str, str]
    rules: Mapping[str, str] = field(default_factory=dict)
    says: Mapping[str, str] = field(default_factory=dict)

    @property
    def grounds(self) -> dict[str, str]:
        """The reason for each check that says no and each rule that forbids outright."""
        return {**self.reasons, **self.rules}

    def record(self, tools: Toolbox, refused: ToolCall, reason: str) -> ToolCall:
        """Return the call that puts a refused call on record."""
        known = {**refused.arguments, **self.says, REASON: reason}
        return ToolCall(self.tool, {p.name: known[p.name] for p in tools[self.tool].parameters if p.name in known})


def read_refusals(
    sections: Mapping[str, Any], tools: Toolbox, checks: frozenset[str], rules: Sequence[str] = ()
) -> dict[str, Refusal]:
    """Read the sections by refused tool; raise `DomainError` for one that cannot be carried out."""
    return {
        name: _read(f"[refusals.{name}]", name, section, tools, checks, rules) for name, section in sections.items()
    }


def _read(where: str, name: str, section: Any, tools: Toolbox, checks: frozenset[str], rules: Sequence[str]) -> Refusal:
    if not _is_section(section):
        raise DomainError(
            f'{where}: expected `tool = "…"`, `reasons = {{ check = "reason", … }}` or `rules = {{ rule-id = "reason", '
            '… }` or both, perhaps `says = { parameter = "value", … }`, and nothing else'
        )
    refusal = Refusal(section["tool"], section.get("reasons", {}), section.get("rules", {}), section.get("says", {}))
    for tool in (name, refusal.tool):
        if tool not in tools:
            raise DomainError(f"{where}: no tool {tool!r}{near_miss(tool, tools)}")
        if tool in checks:
            raise DomainError(f"{where}: {tool!r} is safety-critical: only business calls are refused and recorded")
    _require_arguments(where, tools[name], tools[refusal.tool], refusal.says)
    _require_said(where, tools[name], tools[refusal.tool], refusal.says)
    _require_reasons(where, refusal, tools[refusal.tool], checks, rules)
    return refusal


def _is_section(section: Any) -> bool:
    if not isinstance(section, dict) or not {"tool"} < set(section) <= {"tool", "reasons", "rules", "says"}:
        return False
    return all(isinstance(section[name], dict) for name in section if name != "tool")


def _require_arguments(where: str, refused: Tool, record: Tool, says: Mapping[str, str]) -> None:
    given = {parameter.name for parameter in refused.parameters if parameter.required}
    for parameter in record.parameters:
        if parameter.required and parameter.name not in {*given, *says, REASON}:
            raise DomainError(
                f"{where}: {record.name!r} needs {parameter.name!r}, which {refused.name!r} does not give"
            )


def _require_said(where: str, refused: Tool, record: Tool, says: Mapping[str, str]) -> None:
    own = {p.name: p.schema for p in record.parameters if p.name not in {REASON, *(q.name for q in refused.parameters)}}
    for name, value in says.items():
        if name not in own:
            raise DomainError(f"{where}: says: {record.name!r} has no parameter {name!r} of its own")
        if value not in _values(own[name]):
            raise DomainError(
                f"{where}: {name} of {record.name!r} is never {value!r}{near_miss(str(value), _values(own[name]))}"
            )


def _require_reasons(where: str, refusal: Refusal, record: Tool, checks: frozenset[str], rules: Sequence[str]) -> None:
    allowed = _values(next((p.schema for p in record.parameters if p.name == REASON), {}))
    if not allowed:
        raise DomainError(f"{where}: {record.name!r} has no parameter {REASON!r} with fixed values")
    if not refusal.grounds:
        raise DomainError(f"{where}: no check and no rule is named, so nothing is ever refused")
    for check in refusal.reasons:
        if check not in checks:
            raise DomainError(f"{where}: {check!r} is no safety-critical tool{near_miss(check, checks)}")
    for rule in refusal.rules:
        if rule not in rules:
            raise DomainError(f"{where}: no rule {rule!r}{near_miss(rule, rules)}")
    for reason in refusal.grounds.values():
        if reason not in allowed:
            raise DomainError(f"{where}: {record.name!r} knows no reason {reason!r}{near_miss(str(reason), allowed)}")


def _values(schema: Mapping[str, Any]) -> list[str]:
    return [schema["const"]] if "const" in schema else schema.get("enum", [])
