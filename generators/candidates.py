"""Scenarios to choose a suite from, generated from consecutive seeds and kept in a file.

    for found in candidates("finance", range(1000000, 1000240), Path("core.candidates/finance.jsonl"), processes=2):
        found.seed, found.scenario, found.traits

An interrupted run continues; with other code, or another version of the domain, it begins anew.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError
from lexgym.generators.fingerprint import code, content_of
from lexgym.generators.kept import kept
from lexgym.generators.scenarios import generate
from lexgym.generators.traits import Observer, Traits
from lexgym.scenario import Scenario

GENERATOR = 3
"""Version of the generator: another one makes other scenarios of the same seeds."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What came of one seed: a scenario as JSON text and what it is like, or the problem why there is none."""

    seed: int
    text: str = ""
    traits: Traits | None = None
    problem: str = ""

    @property
    def scenario(self) -> Scenario:
        """The scenario; raises `GenerationError` where there is none."""
        if self.problem:
            raise GenerationError(self.problem)
        return Scenario.from_json(self.text)

    def to_json(self) -> str:
        """Return a line that `from_json` reads back."""
        traits = self.traits.to_json() if self.traits else None
        return json.dumps([self.seed, self.text, traits, self.problem], ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Candidate":
        """Read what `to_json` wrote."""
        seed, scenario, traits, problem = json.loads(text)
        return cls(seed, scenario, Traits.from_json(traits) if traits else None, problem)


def candidates(domain: str, seeds: Sequence[int], path: Path, *, processes: int = 1) -> Iterator[Candidate]:
    """Yield what comes of each seed, in order; what the file has already is not generated again."""
    mark = f"generator {GENERATOR}, code {code()}, {domain} {content_of(load_domain(domain))}"
    wanted = {str(seed): seed for seed in seeds}
    for text in kept(path, mark, wanted, partial(_candidate, domain), processes=processes):
        yield Candidate.from_json(text)


def _candidate(domain: str, seed: int) -> str:
    try:
        found = generate(load_domain(domain), seed)
    except GenerationError as error:
        return Candidate(seed, problem=str(error)).to_json()
    return Candidate(seed, found.to_json(), _observer(domain).traits(found)).to_json()


@cache
def _observer(domain: str) -> Observer:
    return Observer(load_domain(domain))
