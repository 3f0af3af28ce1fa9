"""Which recipes there are, what a suite of one is made of, and where built suites lie.

    recipe, path = find_recipe("core", None)
    suite, notes = build(recipe, Path("suites/core.candidates"), processes=2, advance=bar.advance)
    find_suite("core")                  # suites/core

The recipes that come with lexgym lie in `data/suites`, each beside the hashes of its frozen suite.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lexgym.envs.registry import load_domain
from lexgym.errors import SuiteError, near_miss
from lexgym.generators.candidates import GENERATOR, candidates
from lexgym.generators.recipe import Recipe, read_recipe
from lexgym.generators.suite import choose
from lexgym.suites import MANIFEST, Suite

DATA = Path(__file__).parent / "data" / "suites"

SUITES = Path("suites")
"""Where suites are built that are not told where."""


def recipe_names() -> list[str]:
    """Return the names of the recipes that come with lexgym, sorted."""
    return sorted(path.stem for path in DATA.glob("*.toml"))


def find_recipe(name: str | None, file: Path | None) -> tuple[Recipe, Path]:
    """Return a recipe, ours by name or a file, and its path; raise `SuiteError` where there is none."""
    if file is None:
        path = DATA / f"{name}.toml"
        if name not in recipe_names():
            raise SuiteError(f"no recipe {name!r}{near_miss(str(name), recipe_names())}; a file goes with --recipe")
    else:
        path = file
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SuiteError(f"{path} is no recipe: it is not UTF-8 text ({error.reason})") from None
    return read_recipe(text, path.name if file is None else str(path)), path


def build(recipe: Recipe, work: Path, *, processes: int, advance: Callable[[str], Any]) -> tuple[Suite, list[str]]:
    """Generate candidates and choose the suite; return it with what it has too little of.

    The folder `work` keeps the candidates, so that an interrupted build goes on; `advance` is called with the domain
    after each. Raises `SuiteError` where there are not enough scenarios that differ.
    """
    scenarios, short, splits = [], [], {name: [] for name in recipe.splits}  # type: ignore[var-annotated]
    for name in recipe.domains:
        load_domain(name)
    for name in recipe.domains:
        found = []
        seeds = range(recipe.seed, recipe.seed + recipe.candidates)
        for candidate in candidates(name, seeds, work / f"{name}.jsonl", processes=processes):
            found.append(candidate)
            advance(name)
        chosen = choose(recipe, load_domain(name), found)
        own = {item.seed: item.scenario for item in chosen.candidates}
        scenarios += own.values()
        short += [f"{name}: {item}" for item in chosen.short]
        for split, items in chosen.splits.items():
            splits[split] += [own[item.seed].id for item in items]
    source = {"recipe": recipe.to_json(), "generator": GENERATOR, "short": short}
    named = {split: tuple(ids) for split, ids in splits.items()}
    return Suite(recipe.name, recipe.version, tuple(scenarios), named, source), short


def require_room(folder: Path, recipe: Recipe) -> None:
    """Raise `SuiteError` where a folder holds what the recipe cannot come to, before anything is generated."""
    path = folder / MANIFEST
    if not path.exists():
        return
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        held, domains = manifest["source"].get("recipe"), dict(manifest["domains"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SuiteError(f"{path} is damaged: delete {folder}, or use another folder") from None
    if held != recipe.to_json():
        raise SuiteError(f"{folder} holds a suite of another recipe: use another folder")
    for name, digest in domains.items():
        if load_domain(name).digest != digest:
            raise SuiteError(f"{folder} was built with another version of domain {name!r}: use another folder")


def find_suite(target: str) -> Path:
    """Return the folder of a suite, given as such or by the name under which it was built."""
    for folder in (Path(target), SUITES / target):
        if (folder / MANIFEST).exists():
            return folder
    if target in recipe_names():
        raise SuiteError(f"suite {target!r} is not in {SUITES / target}: `lexgym suite build {target}` makes it")
    if Path(target).exists():
        raise SuiteError(f"{target} is no suite: it has no {MANIFEST}")
    known = {path.parent.name for path in SUITES.glob(f"*/{MANIFEST}")} | set(recipe_names())
    raise SuiteError(f"no suite {target!r}{near_miss(target, known)}")
