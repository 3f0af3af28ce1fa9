"""What is wrong with the wordings of a scenario: what they give away, and what they do not name."""

from collections.abc import Iterator

from lexgym.envs.domain import Domain
from lexgym.errors import ScenarioRejected
from lexgym.generators.acceptance import check_wording
from lexgym.generators.audit.findings import Finding, Kind, Severity
from lexgym.scenario import VARIANTS, Scenario


def wording_findings(scenario: Scenario, domain: Domain) -> Iterator[Finding]:
    """Yield what is wrong with both wordings; that all is named is checked where the domain has words for it."""
    for variant in VARIANTS:
        text = scenario.instructions.get(variant, "")
        if not text.strip():
            yield Finding(scenario.id, Severity.ERROR, Kind.WORDING, f"it has no {variant} wording")
            continue
        try:
            check_wording(scenario, text)
        except ScenarioRejected as error:
            reason = str(error).removeprefix(f"{scenario.id}: ")
            yield Finding(scenario.id, Severity.ERROR, Kind.WORDING, f"{variant} wording: {reason}")
    if len(scenario.instructions) > len({" ".join(text.split()) for text in scenario.instructions.values()}):
        yield Finding(scenario.id, Severity.WARNING, Kind.WORDING, "both wordings are the same")
    if scenario.forbidden is None and not domain.safety_critical and not any(s.safety for s in scenario.reference):
        yield Finding(scenario.id, Severity.WARNING, Kind.WORDING, "no step is masked: leaks cannot be looked for")
