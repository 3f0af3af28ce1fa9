"""The mutants of a scenario, judged twice.

    tallies, findings = mutated(scenario, domain, env, second, "goal")

Each mutant is run in a fresh episode, under the rules of a wording. What breaks the law is for the second judge to say,
what misses the target for a comparison row by row; the oracles that judge agents must see it too. A reordering is
harmless where the second judge finds every rule kept and the same rows are there in the end; then it must pass.
"""

from collections.abc import Sequence

from lexgym.core import Outcome, Status, ToolCall, Verdict
from lexgym.envs.domain import Domain
from lexgym.envs.environment import ComplianceEnv
from lexgym.generators.acceptance import SecondJudge
from lexgym.generators.audit.findings import Finding, Kind, Severity
from lexgym.generators.audit.states import Run, astray, same_after
from lexgym.generators.audit.tallies import Tally
from lexgym.generators.mutants import DO_REFUSED, REFUSE_AND_DO, mutants
from lexgym.generators.replays import replay
from lexgym.scenario import Scenario


def mutated(
    scenario: Scenario, domain: Domain, env: ComplianceEnv, second: SecondJudge, variant: str
) -> tuple[dict[str, Tally], list[Finding]]:
    """Return how the mutants fare, by kind, and what is wrong with them: of each kind of finding the first."""
    reference = _run(scenario, domain, env, scenario.calls, variant)
    tallies: dict[str, Tally] = {}
    found: dict[tuple[Kind, str], list[str]] = {}
    for kind, calls in mutants(scenario):
        run, verdict = _run(scenario, domain, env, calls, variant), env.verdict()
        kept = second.verdict(run.trace)
        tally = _tally(scenario, domain, calls, reference, run, verdict, kept)
        tallies.setdefault(kind, Tally()).add(tally)
        for what, reason in _problems(scenario, kind, run, verdict, kept, tally):
            found.setdefault((what, reason), []).append(_change(scenario.calls, calls))
    return tallies, [_finding(scenario, what, reason, where) for (what, reason), where in found.items()]


def _run(scenario: Scenario, domain: Domain, env: ComplianceEnv, calls: Sequence[ToolCall], variant: str) -> Run:
    trace = list(replay(env, scenario, calls, variant))
    return Run(trace, env.db.dump(domain.business))


def _tally(
    scenario: Scenario,
    domain: Domain,
    calls: Sequence[ToolCall],
    reference: Run,
    run: Run,
    verdict: Verdict,
    kept: Sequence[bool],
) -> Tally:
    unlawful, off = not all(kept), astray(domain, scenario.initial, scenario.target, run.final)
    order = _order(scenario.calls, calls)
    harmless = (
        order is not None
        and not unlawful
        and all(event.status is Status.OK for event in run.trace)
        and same_after(domain, scenario.initial, reference, run, order)
    )
    return Tally(
        made=1,
        unlawful=unlawful,
        caught=unlawful and bool(verdict.violations),
        astray=off,
        missed=off and verdict.judged and not verdict.reached,
        harmless=harmless,
        passed=harmless and verdict.outcome is Outcome.SAFE_SUCCESS,
    )


def _problems(
    scenario: Scenario, kind: str, run: Run, verdict: Verdict, kept: Sequence[bool], tally: Tally
) -> list[tuple[Kind, str]]:
    if not verdict.judged:
        return [(Kind.UNUSABLE, f"a mutant ({kind}) cannot be judged: {verdict.error}")]
    found = []
    if [rule.satisfied for rule in verdict.rules] != list(kept):
        found.append((Kind.JUDGES, f"the judges disagree on a mutant ({kind})"))
    if tally.caught < tally.unlawful:
        found.append((Kind.SURVIVES, f"a mutant ({kind}) that breaks a rule is taken for lawful"))
    if tally.missed < tally.astray:
        found.append((Kind.SURVIVES, f"a mutant ({kind}) that ends elsewhere is taken to reach the target"))
    if tally.passed < tally.harmless:
        found.append((Kind.REORDERING, f"a harmless reordering is judged {verdict.outcome}"))
    if kind == "drop safety" and all(kept):
        found.append((Kind.NEEDLESS, "no rule needs a safety step"))
    if kind in (DO_REFUSED, REFUSE_AND_DO) and all(kept) and not (kind == REFUSE_AND_DO and _barred(scenario, run)):
        found.append((Kind.ALLOWED, f"what is refused can be done lawfully ({kind})"))
    return found


def _barred(scenario: Scenario, run: Run) -> bool:
    """Whether the business no longer takes the refused call once its refusal is on record."""
    return scenario.forbidden is not None and run.trace[scenario.forbidden.place + 1].status is not Status.OK


def _finding(scenario: Scenario, kind: Kind, reason: str, where: Sequence[str]) -> Finding:
    more = f", and {len(where) - 1} more like it" if len(where) > 1 else ""
    severity = Severity.WARNING if kind is Kind.NEEDLESS else Severity.ERROR
    return Finding(scenario.id, severity, kind, f"{reason}: {where[0]}{more}")


def _order(before: Sequence[ToolCall], after: Sequence[ToolCall]) -> list[int] | None:
    """Return the place in the reference of each call of a reordering, None where it is none or changes nothing."""
    if len(before) != len(after) or before == after:
        return None
    left = list(range(len(before)))
    order = []
    for call in after:
        place = next((place for place in left if before[place] == call), None)
        if place is None:
            return None
        left.remove(place)
        order.append(place)
    return order


def _change(before: Sequence[ToolCall], after: Sequence[ToolCall]) -> str:
    """Say where a mutant leaves the reference."""
    place = next((i for i, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), len(after))
    instead = str(after[place]) if place < len(after) else "the end"
    return f"step {place + 1} is {instead[:160]}"
