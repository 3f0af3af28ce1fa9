"""A suite audited as a whole: what is twice in it, what leaks from one split to another, how it is balanced.

found = audited(suite.scenarios, suite.splits, checks)
found.wrong, found.total.caught, found.rules[0].broken
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from lexgym.envs.registry import load_domain
from lexgym.errors import DomainError
from lexgym.generators.audit.checked import Checked
from lexgym.generators.audit.findings import Finding, Kind, Severity
from lexgym.generators.audit.strata import Stratum, strata_of
from lexgym.generators.audit.tallies import Tally, summed, total
from lexgym.scenario import Scenario


@dataclass(frozen=True, slots=True)
class RuleUse:
    """In how many scenarios a rule comes into play on the reference, and is broken by the naive trace or any mutant."""

    domain: str
    rule: str
    active: int
    naive: int
    broken: int


@dataclass(frozen=True, slots=True)
class ToolUse:
    """In how many scenarios a tool is called by the reference or the naive trace."""

    domain: str
    tool: str
    called: int


@dataclass(frozen=True)
class Audit:
    """Everything that an audit found."""

    scenarios: int
    refusals: int
    findings: tuple[Finding, ...]
    mutants: Mapping[str, Tally]
    rules: tuple[RuleUse, ...]
    tools: tuple[ToolUse, ...]
    strata: tuple[Stratum, ...]

    @cached_property
    def total(self) -> Tally:
        """All mutants, of whatever kind."""
        return total(self.mutants)

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each severity."""
        found = Counter(finding.severity for finding in self.findings)
        return {severity.value: found[severity] for severity in Severity}

    @property
    def wrong(self) -> bool:
        """Whether something makes results of the suite wrong."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def without(self, *kinds: Kind) -> int:
        """Return the number of scenarios that can be played and have no finding of these kinds."""
        bad = {finding.scenario for finding in self.findings if finding.kind in (*kinds, Kind.UNUSABLE)} - {""}
        return self.scenarios - len(bad)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "scenarios": self.scenarios,
            "refusals": self.refusals,
            **self.counts,
            "findings": [finding.to_json() for finding in self.findings],
            "mutants": {kind: tally.to_json() for kind, tally in self.mutants.items()},
            "mutants_in_all": self.total.to_json(),
            "rules": [asdict(use) for use in self.rules],
            "tools": [asdict(use) for use in self.tools],
            "strata": [asdict(stratum) for stratum in self.strata],
        }


def audited(scenarios: Sequence[Scenario], splits: Mapping[str, Sequence[str]], checks: Sequence[Checked]) -> Audit:
    """Return what the checks of all scenarios come to, with what only shows when they are compared."""
    rules, tools = tuple(_rules(checks)), tuple(_tools(checks))
    findings = [
        *_versions(scenarios),
        *(finding for item in checks for finding in item.findings),
        *_same_words(scenarios),
        *_same_calls(checks),
        *_splits(splits, checks),
        *(Finding("", Severity.WARNING, Kind.UNTESTED, f"{use.domain}: {use.rule}") for use in rules if not use.broken),
        *(Finding("", Severity.NOTE, Kind.UNUSED, f"{use.domain}: {use.tool}") for use in tools if not use.called),
    ]
    order = list(Severity)
    return Audit(
        len(scenarios),
        sum(scenario.forbidden is not None for scenario in scenarios),
        tuple(sorted(findings, key=lambda finding: (order.index(finding.severity), list(Kind).index(finding.kind)))),
        summed(item.mutants for item in checks),
        rules,
        tools,
        strata_of(splits, checks),
    )


def _versions(scenarios: Iterable[Scenario]) -> Iterator[Finding]:
    digests: dict[str, set[str]] = defaultdict(set)
    for scenario in scenarios:
        digests[scenario.domain].add(scenario.digest)
    for domain, found in sorted(digests.items()):
        if len(found) > 1:
            reason = f"{domain}: {', '.join(sorted(digest[:12] for digest in found))}"
            yield Finding("", Severity.ERROR, Kind.VERSIONS, reason)


def _same_words(scenarios: Iterable[Scenario]) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for scenario in scenarios:
        for variant, text in scenario.instructions.items():
            first = seen.setdefault(" ".join(text.split()), scenario.id)
            if first != scenario.id:
                reason = f"its {variant} wording is that of {first}"
                yield Finding(scenario.id, Severity.ERROR, Kind.SAME_WORDS, reason)


def _same_calls(checks: Iterable[Checked]) -> Iterator[Finding]:
    seen: dict[tuple[str, str], str] = {}
    for item in checks:
        if item.traits is None:
            continue
        first = seen.setdefault((item.domain, item.traits.form), item.scenario)
        if first != item.scenario:
            reason = f"it asks for the same calls as {first}, up to the names of rows"
            yield Finding(item.scenario, Severity.ERROR, Kind.SAME_CALLS, reason)


def _splits(splits: Mapping[str, Sequence[str]], checks: Sequence[Checked]) -> Iterator[Finding]:
    """Yield what is in no split or two, and what scenarios of different splits have in common."""
    home: dict[str, str] = {}
    for name, ids in splits.items():
        for each in ids:
            if home.setdefault(each, name) != name:
                yield Finding(each, Severity.ERROR, Kind.SPLITS, f"it is in {home[each]} and in {name}")
    if not splits:
        return
    seen: dict[tuple[str, str, str], str] = {}
    for item in checks:
        if item.scenario not in home:
            yield Finding(item.scenario, Severity.WARNING, Kind.SPLITS, "it is in no split")
        elif item.traits:
            for what, mark in (("starts in the same state as", "population"), ("asks for the same shape as", "shape")):
                first = seen.setdefault((item.domain, mark, getattr(item.traits, mark)), item.scenario)
                if home[first] != home[item.scenario]:
                    severity = Severity.ERROR if mark == "population" else Severity.WARNING
                    reason = f"in {home[item.scenario]}, it {what} {first} in {home[first]}"
                    yield Finding(item.scenario, severity, Kind.ACROSS, reason)


def _rules(checks: Sequence[Checked]) -> Iterator[RuleUse]:
    played = [item for item in checks if item.traits]
    for domain in sorted({item.domain for item in played}):
        own = [item for item in played if item.domain == domain]
        for rule in dict.fromkeys(rule for item in own for rule in item.rules):
            yield RuleUse(
                domain,
                rule,
                sum(rule in item.traits.active for item in own if item.traits),
                sum(rule in item.naive for item in own),
                sum(rule in item.traits.broken for item in own if item.traits),
            )


def _tools(checks: Sequence[Checked]) -> Iterator[ToolUse]:
    called: dict[str, Counter[str]] = defaultdict(Counter)
    for item in checks:
        if item.traits:
            called[item.domain].update(item.traits.tools)
    for domain, counts in sorted(called.items()):
        try:
            names = list(load_domain(domain).tools)
        except DomainError:
            names = sorted(counts)
        for tool in names:
            yield ToolUse(domain, tool, counts[tool])
