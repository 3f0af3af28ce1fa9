"""Frozen suites: the hashes of a suite's scenarios, small enough to be kept with the code.

freeze(suite, Path("core.json"))
differences(suite, Path("core.json"))       # () where every scenario is the frozen one, byte for byte
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from lexgym.envs.registry import load_domain
from lexgym.errors import SuiteError
from lexgym.generators.fingerprint import content_of
from lexgym.scenario import Scenario
from lexgym.suites import Suite

FORMAT = 1
"""Version of the file's form."""


def frozen_path(recipe: Path) -> Path:
    """Return where the hashes of a recipe's suite lie: beside the recipe."""
    return recipe.with_suffix(".json")


def freeze(suite: Suite, path: Path) -> None:
    """Write what the suite's scenarios are, without the scenarios."""
    path.write_text(json.dumps(_frozen(suite), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def differences(suite: Suite, path: Path) -> tuple[str, ...]:
    """Return in what a suite is not the frozen one, with the likely cause first; empty where it is."""
    held, now = _read(path), _frozen(suite)
    if (held["sha256"], held["splits"]) == (now["sha256"], now["splits"]):
        return ()
    found = []
    for key in ("version", "generator", "recipe"):
        if held[key] != now[key]:
            found.append(f"{key}: {now[key]!r}, frozen {held[key]!r}" if key != "recipe" else "the recipe is another")
    for name in sorted(held["domains"].keys() | now["domains"].keys()):
        was, is_now = held["domains"].get(name, {}), now["domains"].get(name, {})
        if was.get("digest") != is_now.get("digest"):
            found.append(f"domain {name}: {_short(is_now, 'digest')}, frozen {_short(was, 'digest')}")
        elif was.get("content") != is_now.get("content"):
            found.append(f"domain {name}: its files changed (population, phrases or the inside of a tool)")
    before, after = held["scenarios"], now["scenarios"]
    changed = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    if changed:
        found.append(f"{len(changed)} scenarios differ, such as {min(changed)}")
    elif held["splits"] != now["splits"]:
        found.append("the splits differ")
    return tuple(found)


def _frozen(suite: Suite) -> dict[str, Any]:
    lines = {scenario.id: _sha(scenario) for scenario in suite.scenarios}
    whole = hashlib.sha256("".join(scenario.to_json() + "\n" for scenario in suite.scenarios).encode())
    return {
        "format": FORMAT,
        "name": suite.name,
        "version": suite.version,
        "generator": suite.source["generator"],
        "recipe": suite.source["recipe"],
        "count": len(lines),
        "domains": {
            name: {"digest": digest, "content": content_of(load_domain(name))} for name, digest in suite.domains.items()
        },
        "splits": {name: list(ids) for name, ids in suite.splits.items()},
        "sha256": whole.hexdigest(),
        "scenarios": lines,
    }


def _sha(scenario: Scenario) -> str:
    return hashlib.sha256(scenario.to_json().encode()).hexdigest()


def _short(domain: dict[str, str], key: str) -> str:
    return domain.get(key, "missing")[:12]


def _read(path: Path) -> dict[str, Any]:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SuiteError(f"{path} is not JSON ({error}): freeze the suite anew with --freeze") from None
    wanted = {"format", "version", "generator", "recipe", "domains", "splits", "sha256", "scenarios"}
    if not isinstance(held, dict) or not wanted <= held.keys() or held["format"] != FORMAT:
        raise SuiteError(f"{path} is no frozen suite of format {FORMAT}: freeze the suite anew with --freeze")
    return held
