"""Which calls a domain may refuse lawfully, and how it records that: the `[refusals.TOOL]` sections.

    [refusals.initiate_payment]
    tool = "decline_order"                                # puts the refusal on record
    reasons = { verify_payee = "payee name mismatch" }    # the check that said no → the reason recorded

The recording tool is given the refused call's arguments of the same name, and `reason`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lexgym.core import ToolCall
from lexgym.errors import DomainError, near_miss
from lexgym.tools.tool import Tool
from lexgym.tools.toolbox import Toolbox

REASON = "reason"
"""The parameter of a recording tool that takes the reason."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """How one tool's calls are refused: the tool that records it, and the reason for each check that says no."""

    tool: str
    reasons: Mapping[str, str]

    def record(self, tools: Toolbox, refused: ToolCall, reason: str) -> ToolCall:
        """Return the call that puts a refused call on record."""
        known = {**refused.arguments, REASON: reason}
        return ToolCall(self.tool, {p.name: known[p.name] for p in tools[self.tool].parameters if p.name in known})


def read_refusals(sections: Mapping[str, Any], tools: Toolbox, checks: frozenset[str]) -> dict[str, Refusal]:
    """Read the sections by refused tool; raise `DomainError` for one that cannot be carried out."""
    return {name: _read(f"[refusals.{name}]", name, section, tools, checks) for name, section in sections.items()}


def _read(where: str, name: str, section: Any, tools: Toolbox, checks: frozenset[str]) -> Refusal:
    if not isinstance(section, dict) or set(section) != {"tool", "reasons"} or not isinstance(section["reasons"], dict):
        raise DomainError(f'{where}: expected `tool = "…"` and `reasons = {{ check = "reason", … }}` and nothing else')
    refusal = Refusal(section["tool"], section["reasons"])
    for tool in (name, refusal.tool):
        if tool not in tools:
            raise DomainError(f"{where}: no tool {tool!r}{near_miss(tool, tools)}")
        if tool in checks:
            raise DomainError(f"{where}: {tool!r} is safety-critical: only business calls are refused and recorded")
    _require_arguments(where, tools[name], tools[refusal.tool])
    _require_reasons(where, refusal, tools[refusal.tool], checks)
    return refusal


def _require_arguments(where: str, refused: Tool, record: Tool) -> None:
    given = {parameter.name for parameter in refused.parameters if parameter.required}
    for parameter in record.parameters:
        if parameter.required and parameter.name not in {*given, REASON}:
            raise DomainError(
                f"{where}: {record.name!r} needs {parameter.name!r}, which {refused.name!r} does not give"
            )


def _require_reasons(where: str, refusal: Refusal, record: Tool, checks: frozenset[str]) -> None:
    allowed: list[str] = next((p.schema.get("enum", []) for p in record.parameters if p.name == REASON), [])
    if not allowed:
        raise DomainError(f"{where}: {record.name!r} has no parameter {REASON!r} with fixed values")
    if not refusal.reasons:
        raise DomainError(f"{where}: no check is named, so nothing is ever refused")
    for check, reason in refusal.reasons.items():
        if check not in checks:
            raise DomainError(f"{where}: {check!r} is no safety-critical tool{near_miss(check, checks)}")
        if reason not in allowed:
            raise DomainError(f"{where}: {record.name!r} knows no reason {reason!r}{near_miss(str(reason), allowed)}")
