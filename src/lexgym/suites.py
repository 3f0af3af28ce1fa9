"""A suite: a frozen, hashed, versioned set of scenarios in a folder.

    suite = read_suite(Path("suites/core"))
    suite.take(split="test", domain="finance")

suites/core/
    manifest.json     name, version, domains with their digests, splits, where it comes from, SHA-256
    scenarios.jsonl   one scenario a line

The hash is that of `scenarios.jsonl`; a folder in which it differs is not read.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lexgym import __version__
from lexgym.errors import SuiteError, near_miss
from lexgym.runs import read_scenarios
from lexgym.scenario import Scenario

FORMAT = 1
"""Version of the folder's form."""

SCENARIOS, MANIFEST = "scenarios.jsonl", "manifest.json"


@dataclass(frozen=True)
class Suite:
    """Scenarios with a name and a version; `splits` has the ids of each split, `source` says how it came about."""

    name: str
    version: str
    scenarios: tuple[Scenario, ...]
    splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ids = [scenario.id for scenario in self.scenarios]
        if not ids:
            raise SuiteError(f"suite {self.name!r} has no scenarios")
        if len(ids) > len(set(ids)):
            twice = next(each for each in ids if ids.count(each) > 1)
            raise SuiteError(f"suite {self.name!r} has two scenarios with the id {twice!r}")
        for split, members in self.splits.items():
            if unknown := set(members) - set(ids):
                raise SuiteError(f"split {split!r} of suite {self.name!r} names {min(unknown)!r}, which it has not")

    @property
    def domains(self) -> dict[str, str]:
        """The digest of each domain that the scenarios belong to, by name; `SuiteError` where one has two."""
        found: dict[str, str] = {}
        for scenario in self.scenarios:
            if found.setdefault(scenario.domain, scenario.digest) != scenario.digest:
                raise SuiteError(f"suite {self.name!r} has scenarios of two versions of domain {scenario.domain!r}")
        return dict(sorted(found.items()))

    def take(self, *, split: str | None = None, domain: str | None = None) -> list[Scenario]:
        """Return the scenarios of a split and a domain, in order; raise `SuiteError` where there are none."""
        for what, name, known in (("split", split, self.splits), ("domain", domain, self.domains)):
            if name is not None and name not in known:
                has = ", ".join(known) or "none"
                raise SuiteError(f"suite {self.name!r} has no {what} {name!r}; it has {has}{near_miss(name, known)}")
        wanted = set(self.splits[split]) if split is not None else None
        found = [
            scenario
            for scenario in self.scenarios
            if (wanted is None or scenario.id in wanted) and domain in (None, scenario.domain)
        ]
        if not found:
            raise SuiteError(f"suite {self.name!r} has no scenario of domain {domain!r} in split {split!r}")
        return found


def write_suite(folder: Path, suite: Suite) -> str:
    """Write a suite and return its hash; raise `SuiteError` where the folder holds another one."""
    lines = "".join(scenario.to_json() + "\n" for scenario in suite.scenarios).encode()
    sha = hashlib.sha256(lines).hexdigest()
    path = folder / MANIFEST
    if path.exists() and (held := _manifest(folder).get("sha256")) != sha:
        raise SuiteError(f"{folder} holds another suite ({str(held)[:12]}, not {sha[:12]}): use another folder")
    manifest = {
        "format": FORMAT,
        "name": suite.name,
        "version": suite.version,
        "lexgym": __version__,
        "count": len(suite.scenarios),
        "domains": suite.domains,
        "splits": {name: list(ids) for name, ids in suite.splits.items()},
        "source": dict(suite.source),
        "sha256": sha,
    }
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / SCENARIOS, lines)
    _write(path, (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode())
    return sha


def _write(path: Path, data: bytes) -> None:
    """Write a file wholly or not at all."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_bytes(data)
    os.replace(draft, path)


def read_suite(folder: Path) -> Suite:
    """Read a suite; raise `SuiteError` where the folder is none or was changed, `ScenarioError` for a bad line."""
    manifest = _manifest(folder)
    if manifest.get("format") != FORMAT:
        raise SuiteError(f"{folder} has format {manifest.get('format')!r}, this lexgym reads {FORMAT}: build it anew")
    path = folder / SCENARIOS
    if not path.exists():
        raise SuiteError(f"{path} is missing: build the suite anew")
    sha = hashlib.sha256(path.read_bytes()).hexdigest()
    if sha != manifest.get("sha256"):
        raise SuiteError(f"{path} was changed: its SHA-256 is {sha[:12]}…, {MANIFEST} says {manifest.get('sha256')!r}")
    try:
        splits: Mapping[str, Sequence[str]] = manifest["splits"]
        suite = Suite(
            name=manifest["name"],
            version=manifest["version"],
            scenarios=tuple(read_scenarios(path)),
            splits={name: tuple(ids) for name, ids in splits.items()},
            source=manifest["source"],
        )
        stated = manifest["domains"]
    except (KeyError, AttributeError, TypeError) as error:
        raise SuiteError(f"{folder / MANIFEST}: {error} is missing or wrong: build the suite anew") from None
    if stated != suite.domains:
        raise SuiteError(f"{folder / MANIFEST}: its domains are not those of the scenarios: build the suite anew")
    return suite


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    if not folder.exists():
        raise SuiteError(f"there is no folder {folder}; `lexgym suite build` makes a suite")
    if not path.exists():
        raise SuiteError(f"{folder} is no suite: it has no {MANIFEST}; `lexgym suite build` writes one")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path} is not JSON ({error}): build the suite anew") from None
    if not isinstance(manifest, dict):
        raise SuiteError(f"{path} holds a JSON {type(manifest).__name__}, not an object: build the suite anew")
    return manifest
