"""A suite with its instructions written anew by a model; what fails a check keeps the wording that it has.

for done in reword(suite, writer, critic):
    ...                                  # one `Reworded` for each scenario, in order
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lexgym.asking import ModelLink
from lexgym.envs.environment import ComplianceEnv
from lexgym.envs.registry import load_domain
from lexgym.errors import AgentError, ContextExceeded, GenerationError, ScenarioRejected
from lexgym.generators.acceptance import accept
from lexgym.generators.authoring.authors import ROUNDS, Authors, Reworded
from lexgym.scenario import VARIANTS, Scenario
from lexgym.suites import Suite

NOTES = "rewording.jsonl"
"""The file beside a suite that says, for each scenario, which wordings were kept and why."""


def reword(
    scenarios: Sequence[Scenario], writer: ModelLink, critic: ModelLink, rounds: int = ROUNDS
) -> Iterator[Reworded]:
    """Yield each scenario with what could be reworded; every one has been accepted again.

    One that is longer than a model takes keeps its wordings. Raises `AgentError` where a server fails; what was
    answered before is kept, so that the same run goes on from there.
    """
    authors = Authors(writer.ask, critic.ask, rounds)
    environments: dict[str, ComplianceEnv] = {}
    try:
        for done, scenario in enumerate(scenarios):
            env = environments.get(scenario.domain) or ComplianceEnv(
                load_domain(scenario.domain), _no_scenario, max_steps=1000, masks=False
            )
            environments[scenario.domain] = env
            try:
                found = authors.reword(scenario)
            except ContextExceeded as error:
                yield Reworded(scenario, {variant: str(error) for variant in VARIANTS})
                continue
            except AgentError as error:
                error.add_note(f"{done} of {len(scenarios)} scenarios are done: the same command goes on from there")
                raise
            yield _proved(scenario, found, env)
    finally:
        for env in environments.values():
            env.close()


def reworded_suite(suite: Suite, found: Sequence[Reworded], source: dict[str, object]) -> Suite:
    """Return the suite with the scenarios as reworded, and where the words come from."""
    return replace(
        suite,
        name=f"{suite.name}-reworded",
        scenarios=tuple(each.scenario for each in found),
        source={**suite.source, "reworded": source},
    )


def write_notes(folder: Path, found: Sequence[Reworded]) -> None:
    """Write for each scenario how many rounds it took, and which wordings stayed as they were."""
    lines = [
        json.dumps({"scenario": each.scenario.id, "rounds": each.rounds, "kept": dict(each.kept)}, ensure_ascii=False)
        for each in found
    ]
    (folder / NOTES).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def _proved(before: Scenario, found: Reworded, env: ComplianceEnv) -> Reworded:
    """Return the reworded scenario where all conditions of acceptance hold, else the one before."""
    if found.scenario.instructions == before.instructions:
        return found
    try:
        accept(found.scenario, env)
    except ScenarioRejected as error:
        return Reworded(before, {variant: str(error) for variant in VARIANTS}, found.rounds)
    return found


def _no_scenario(seed: int) -> Scenario:
    raise GenerationError(f"rewording asked for the scenario of seed {seed}")
