"""One scenario audited: every condition of acceptance is run, and each that fails is a finding.

    found = check(scenario)
    found.findings                            # () for a scenario of ours
    found.mutants["swap"].harmless

The judges are two: the oracles that judge agents, and the recursive definition of LTLf with states compared row by row.
Where rules bind in one wording only, everything is run in each wording, under its own rules.
"""

import sqlite3
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from lexgym.core import Event, Outcome, Status, ToolCall, Verdict
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import apart_oracle, judged_variants, require_version, scenario_oracle
from lexgym.envs.registry import load_domain
from lexgym.errors import DomainError, GenerationError, LexgymError
from lexgym.generators.acceptance import SecondJudge
from lexgym.generators.audit.checked import Checked
from lexgym.generators.audit.findings import Finding, Kind, Severity
from lexgym.generators.audit.mutation import mutated
from lexgym.generators.audit.tallies import Tally, summed
from lexgym.generators.audit.wording import wording_findings
from lexgym.generators.fingerprint import code, content_of
from lexgym.generators.kept import kept
from lexgym.generators.replays import replay
from lexgym.generators.traits import Observer
from lexgym.scenario import Scenario


def checked(scenarios: Sequence[Scenario], path: Path, *, processes: int = 1) -> Generator[Checked, None, None]:
    """Yield what comes of each scenario, in order; an interrupted audit continues with the file that it left."""
    mark = f"audit, code {code()}, {[_content(name) for name in sorted({item.domain for item in scenarios})]}"
    texts = [scenario.to_json() for scenario in scenarios]
    wanted = {sha256(text.encode()).hexdigest(): text for text in texts}
    for line in kept(path, mark, wanted, _check_text, processes=processes):
        yield Checked.from_json(line)


def check(scenario: Scenario) -> Checked:
    """Run every condition on a scenario; whatever is wrong with it is a finding and no error."""
    try:
        domain = require_version(scenario)
        missing = sorted(set(domain.schema.tables) - set(scenario.initial))
        if not missing:
            return _checked(scenario, domain)
        why = f"its initial state has no table {missing[0]!r}"
    except (LexgymError, sqlite3.Error) as error:
        why = f"{type(error).__name__}: {str(error).removeprefix(f'{scenario.id}: ')}"
    return Checked(scenario.id, scenario.domain, (Finding(scenario.id, Severity.ERROR, Kind.UNUSABLE, why),))


def _checked(scenario: Scenario, domain: Domain) -> Checked:
    """Check each wording that has rules of its own; what is found in one is not said again of another."""
    checks = [_Check(scenario, domain, variant) for variant in judged_variants(scenario)]
    found: dict[tuple[Kind, str], Finding] = {}
    for check in checks:
        check.run()
        for finding in check.findings:
            found.setdefault((finding.kind, finding.reason), finding if check is checks[0] else check.named(finding))
    findings = list(found.values())
    if all(call.name in domain.tools for call in scenario.naive):
        findings += wording_findings(scenario, domain)
    return Checked(
        scenario.id,
        scenario.domain,
        tuple(findings),
        _observer(domain.name).traits(scenario) if checks[0].runs else None,
        tuple(dict.fromkeys(rule.id for check in checks for rule in check.oracle.rules)),
        tuple(dict.fromkeys(rule for check in checks for rule in check.naive)),
        summed(check.mutants for check in checks),
    )


class _Check:
    """A scenario under the rules of one wording."""

    def __init__(self, scenario: Scenario, domain: Domain, variant: str) -> None:
        self.scenario, self.domain, self.variant = scenario, domain, variant
        self.env = _env(domain.name)
        self.oracle, apart = scenario_oracle(scenario, variant), apart_oracle(scenario, variant)
        self.second, self.beside = SecondJudge(self.oracle), SecondJudge(apart) if apart else None
        self.findings: list[Finding] = []
        self.runs = False
        self.naive: tuple[str, ...] = ()
        self.mutants: dict[str, Tally] = {}

    def run(self) -> None:
        """Run everything, and keep what comes of it."""
        self.env.reset(seed=0, options={"scenario": self.scenario, "variant": self.variant})
        idle = self.env.verdict()
        if idle.reached:
            self._add(Kind.IDLE, f"without any call it is judged {idle.outcome}")
        self.runs = self._reference()
        if self.runs:
            self.naive = self._naive()
            self.mutants, found = mutated(self.scenario, self.domain, self.env, self.second, self.variant)
            self.findings += found

    def named(self, finding: Finding) -> Finding:
        """Return a finding that says in which wording it is made."""
        return replace(finding, reason=f"in the {self.variant} wording, {finding.reason}")

    def _reference(self) -> bool:
        """Judge the reference; return whether each of its calls can be made."""
        verdict, refused = self._play(self.scenario.calls)
        if refused:
            self._add(Kind.REFERENCE, f"it does not run: {refused}")
        elif verdict.outcome is not Outcome.SAFE_SUCCESS:
            self._add(Kind.REFERENCE, f"it is judged {verdict.outcome or 'nothing'}: {_why(verdict)}")
        for rule in verdict.apart:
            if not rule.satisfied:
                self._add(Kind.REFERENCE, f"it breaks {rule.rule}, which is judged apart", Severity.WARNING)
        return not refused

    def _naive(self) -> tuple[str, ...]:
        """Judge the naive trace; return the rules that it breaks."""
        verdict, refused = self._play(self.scenario.naive)
        wanted = Outcome.UNSAFE_FAILURE if self.scenario.forbidden else Outcome.UNSAFE_SUCCESS
        if not self.scenario.naive:
            self._add(Kind.VACUOUS, "all of its steps are safety steps: nothing is asked for")
        elif refused:
            self._add(Kind.NAIVE, f"the business calls alone do not run: {refused}")
        elif verdict.judged and not verdict.violations:
            self._add(Kind.VACUOUS, f"the business calls alone are judged {verdict.outcome}: they break no rule")
        elif verdict.outcome is not wanted:
            self._add(Kind.NAIVE, f"the business calls alone are judged {verdict.outcome}: {_why(verdict)}")
        return tuple(rule.rule for rule in verdict.violations)

    def _play(self, calls: Sequence[ToolCall]) -> tuple[Verdict, str]:
        """Return the verdict, and the first call that could not be made, with the reason."""
        trace = replay(self.env, self.scenario, calls, self.variant)
        verdict = self.env.verdict()
        if verdict.judged and [rule.satisfied for rule in (*verdict.rules, *verdict.apart)] != self._again(trace):
            self._add(Kind.JUDGES, f"the judges disagree on {' → '.join(call.name for call in calls)}")
        failed = next((event for event in trace if event.status is not Status.OK), None)
        return verdict, f"{failed.call}: {failed.result['message']}" if failed else ""

    def _again(self, trace: Sequence[Event]) -> list[bool]:
        """Return what the second judge says of each rule, those that are judged apart after the others."""
        return [*self.second.verdict(trace), *(self.beside.verdict(trace) if self.beside else ())]

    def _add(self, kind: Kind, reason: str, severity: Severity = Severity.ERROR) -> None:
        self.findings.append(Finding(self.scenario.id, severity, kind, reason))


def _why(verdict: Verdict) -> str:
    """Return the first reasons of a verdict in words."""
    reasons = [verdict.error] if verdict.error else [*verdict.diff, *(rule.sentence for rule in verdict.violations)]
    return "; ".join(str(reason) for reason in reasons[:3])


def _check_text(text: str) -> str:
    return check(Scenario.from_json(text)).to_json()


def _content(name: str) -> str:
    """Return the hash of a domain's files, nothing for one that cannot be loaded."""
    try:
        return content_of(load_domain(name))
    except DomainError:
        return ""


@cache
def _observer(name: str) -> Observer:
    return Observer(load_domain(name))


@cache
def _env(name: str) -> ComplianceEnv:
    def nothing(seed: int) -> Scenario:
        raise GenerationError(f"an audit asked for the scenario of seed {seed}")

    return ComplianceEnv(load_domain(name), nothing, max_steps=1000, masks=False)
