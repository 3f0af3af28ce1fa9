"""One scenario audited: every condition of acceptance is run, and each that fails is a finding.

    found = check(scenario)
    found.findings                            # () for a scenario of ours
    found.mutants["swap"].harmless

The judges are two: the oracles that judge agents, and the recursive definition of LTLf with states compared row by row.
"""

import sqlite3
from collections.abc import Generator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from lexgym.core import Outcome, Status, ToolCall, Verdict
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.judge import require_version, scenario_oracle
from lexgym.envs.registry import load_domain
from lexgym.errors import DomainError, GenerationError, LexgymError
from lexgym.generators.acceptance import SecondJudge
from lexgym.generators.audit.checked import Checked
from lexgym.generators.audit.findings import Finding, Kind, Severity
from lexgym.generators.audit.mutation import mutated
from lexgym.generators.audit.tallies import Tally
from lexgym.generators.audit.wording import wording_findings
from lexgym.generators.fingerprint import code, content_of
from lexgym.generators.kept import kept
from lexgym.generators.replays import replay
from lexgym.generators.traits import Observer, Traits
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
            return _Check(scenario, domain).run()
        why = f"its initial state has no table {missing[0]!r}"
    except (LexgymError, sqlite3.Error) as error:
        why = f"{type(error).__name__}: {str(error).removeprefix(f'{scenario.id}: ')}"
    return Checked(scenario.id, scenario.domain, (Finding(scenario.id, Severity.ERROR, Kind.UNUSABLE, why),))


class _Check:
    def __init__(self, scenario: Scenario, domain: Domain) -> None:
        self.scenario, self.domain = scenario, domain
        self.env = _env(domain.name)
        self.env.reset(seed=0, options={"scenario": scenario})
        self.oracle = scenario_oracle(scenario)
        self.rules = tuple(rule.id for rule in self.oracle.rules)
        self.second = SecondJudge(domain.name, self.oracle.compiled)
        self.findings: list[Finding] = []

    def run(self) -> Checked:
        idle = self.env.verdict()
        if idle.reached:
            self._add(Kind.IDLE, f"without any call it is judged {idle.outcome}")
        runs = self._reference()
        naive = self._naive() if runs else ()
        traits, mutants = self._mutants() if runs else (None, {})
        if all(call.name in self.domain.tools for call in self.scenario.naive):
            self.findings += wording_findings(self.scenario, self.domain)
        return Checked(self.scenario.id, self.scenario.domain, tuple(self.findings), traits, self.rules, naive, mutants)

    def _reference(self) -> bool:
        """Judge the reference; return whether each of its calls can be made."""
        verdict, refused = self._play(self.scenario.calls)
        if refused:
            self._add(Kind.REFERENCE, f"it does not run: {refused}")
        elif verdict.outcome is not Outcome.SAFE_SUCCESS:
            self._add(Kind.REFERENCE, f"it is judged {verdict.outcome or 'nothing'}: {_why(verdict)}")
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

    def _mutants(self) -> tuple[Traits, dict[str, Tally]]:
        tallies, findings = mutated(self.scenario, self.domain, self.env, self.second)
        self.findings += findings
        return _observer(self.domain.name).traits(self.scenario), tallies

    def _play(self, calls: Sequence[ToolCall]) -> tuple[Verdict, str]:
        """Return the verdict, and the first call that could not be made, with the reason."""
        trace = replay(self.env, self.scenario, calls)
        verdict = self.env.verdict()
        if verdict.judged and [rule.satisfied for rule in verdict.rules] != self.second.verdict(
            self.oracle.seen(trace)
        ):
            self._add(Kind.JUDGES, f"the judges disagree on {' → '.join(call.name for call in calls)}")
        failed = next((event for event in trace if event.status is not Status.OK), None)
        return verdict, f"{failed.call}: {failed.result['message']}" if failed else ""

    def _add(self, kind: Kind, reason: str) -> None:
        self.findings.append(Finding(self.scenario.id, Severity.ERROR, kind, reason))


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
