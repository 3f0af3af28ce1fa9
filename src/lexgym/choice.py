"""Which scenarios a run is about: generated ones of a domain, or those of a suite."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from lexgym.envs.judge import require_version
from lexgym.envs.registry import load_domain
from lexgym.errors import LogError
from lexgym.registration import scenario
from lexgym.runs import read_scenarios
from lexgym.scenario import Scenario
from lexgym.suites import read_suite

EPISODES = 20
"""Scenarios of a run that does not say how many."""

Advance: TypeAlias = Callable[[], Any]


@dataclass(frozen=True)
class Choice:
    """The name of what is run, the digest of each of its domains, and how many scenarios there are."""

    name: str
    digests: Mapping[str, str]
    count: int
    seed: int | None
    given: tuple[Scenario, ...] = ()

    def folder(self, variant: str) -> Path:
        """Return where a run of it goes that does not say where."""
        seed = "" if self.seed is None else f"-seed{self.seed}"
        return Path("runs") / f"{self.name}-{variant}{seed}"

    def scenarios(self, folder: Path, advance: Advance) -> list[Scenario]:
        """Return the scenarios, which are kept in the folder; `advance` is called after each that is generated."""
        if self.seed is None:
            return _keep(self.given, folder)
        return generated(self.name, self.seed, self.count, folder, advance)


def choose(suite: Path | None, split: str | None, domain: str | None, seed: int | None, count: int | None) -> Choice:
    """Return what a run is about; a suite is checked against the domains that are installed."""
    if suite is None:
        name = domain or "finance"
        return Choice(name, {name: load_domain(name).digest}, count or EPISODES, seed or 0)
    held = read_suite(suite)
    given = held.take(split=split, domain=domain)[:count]
    for item in given:
        require_version(item)
    name = "-".join(part for part in (suite.resolve().name, split, domain) if part)
    return Choice(name, held.domains, len(given), None, tuple(given))


def generated(domain: str, seed: int, count: int, folder: Path, advance: Advance) -> list[Scenario]:
    """Generate scenarios, or take those that the folder has already; those that a log is about are not lost."""
    path = folder / "scenarios.jsonl"
    digest = load_domain(domain).digest
    held = read_scenarios(path)
    known = {item.seed: item for item in held if item.domain == domain and item.digest == digest}
    if len(known) < len(held) and (folder / "log.jsonl").exists():
        raise LogError(f"{path} holds scenarios of another domain, or of another version of it: use another folder")
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    path.write_text("".join(known[key].to_json() + "\n" for key in sorted(known)), encoding="utf-8")
    with path.open("a", encoding="utf-8") as file:
        for number in range(seed, seed + count):
            if number not in known:
                known[number] = scenario(domain, number)
                file.write(known[number].to_json() + "\n")
                file.flush()
            found.append(known[number])
            advance()
    return found


def _keep(given: tuple[Scenario, ...], folder: Path) -> list[Scenario]:
    """Keep a suite's scenarios beside the log, with those that an earlier run of the suite left there."""
    path = folder / "scenarios.jsonl"
    known = {item.id: item for item in (*read_scenarios(path), *given)}
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(item.to_json() + "\n" for item in known.values()), encoding="utf-8")
    return list(given)
