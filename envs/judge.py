"""Both oracles of one domain, prepared once and shared by environments, shield and generators."""

from functools import cache

from lexgym.core import Trace, Verdict
from lexgym.envs.domain import Domain
from lexgym.envs.registry import load_domain
from lexgym.errors import FormulaError, ScenarioVersionError
from lexgym.oracles.functional import AmbiguousStateError, FunctionalOracle, TableShape
from lexgym.oracles.ltlf import Signature, ToolSignature
from lexgym.oracles.safety import SafetyOracle
from lexgym.scenario import Dump, Scenario


def signature(domain: Domain) -> Signature:
    """Return what formulas may say of the domain's tools."""
    return {
        name: ToolSignature(
            {p.name: dict(p.schema) for p in tool.parameters},
            tool.result_schema,
            frozenset(p.name for p in tool.parameters if p.required),
        )
        for name, tool in domain.tools.items()
    }


@cache
def safety_oracle(name: str) -> SafetyOracle:
    """Return the compiled safety oracle of a domain; raise `FormulaError` if a rule cannot be judged."""
    domain = load_domain(name)
    oracle = SafetyOracle(domain.rules, signature(domain))
    _ = oracle.compiled
    return oracle


def shapes(domain: Domain) -> dict[str, TableShape]:
    """Return how each business table is compared."""
    return {
        name: TableShape(
            key=table.key,
            generated=name in domain.schema.prefixes,
            references={column: target.partition(".")[0] for column, target in table.references.items()},
            ignored=frozenset(c.partition(".")[2] for c in domain.volatile if c.partition(".")[0] == name),
        )
        for name, table in domain.schema.tables.items()
        if name not in domain.compliance
    }


def functional_oracle(scenario: Scenario) -> FunctionalOracle:
    """Return the functional oracle of a scenario."""
    return FunctionalOracle(shapes(load_domain(scenario.domain)), scenario.initial, scenario.target)


def require_version(scenario: Scenario) -> Domain:
    """Return the scenario's domain; raise `ScenarioVersionError` when the domain has changed since."""
    domain = load_domain(scenario.domain)
    if scenario.digest != domain.digest:
        raise ScenarioVersionError(
            f"scenario {scenario.id!r} was made for another version of domain {domain.name!r} "
            f"({scenario.digest[:12]}, now {domain.digest[:12]}): generate it anew"
        )
    return domain


def judge(scenario: Scenario, trace: Trace, final: Dump, functional: FunctionalOracle | None = None) -> Verdict:
    """Return both oracles' verdict on a finished trace; `unjudged` when an oracle cannot decide.

    `functional` is the scenario's functional oracle, where the caller keeps it.
    """
    safety = safety_oracle(scenario.domain)
    try:
        diff = (functional or functional_oracle(scenario)).compare(final)
        rules = safety.verdict(trace)
    except (AmbiguousStateError, FormulaError) as error:
        return Verdict.unjudged(f"{type(error).__name__}: {error}")
    return Verdict(not diff, diff, rules, safety.reasons(rules, trace))
