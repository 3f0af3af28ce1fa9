"""A recipe: which scenarios a suite is to have, as data.

name = "core"
version = "1"
domains = ["finance", "health"]
seed = 1000000            # of the first candidate
per_domain = 80
candidates = 240          # seeds of each domain that are looked at, of which the scenarios are chosen
refusals = 0.22           # share of lawful refusals; more where a domain has more grounds, up to refusals_at_most
refusals_at_most = 0.4

[splits]
train = 0.5
test = 0.5

[at_least]                # scenarios of a domain in which each rule is broken, each tool called, each ground given
rule = 3
tool = 2
ground = 1

[length]                  # share of the scenarios with so many calls, at least; likewise [rules] and [distractors]
"1-8" = 0.2
"20-" = 0.15

[kinds]                   # share with an active rule of the kind, at least
counting = 0.1
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, TypeAlias

from lexgym.errors import SuiteError, near_miss
from lexgym.generators.kinds import KINDS
from lexgym.generators.traits import Traits

Shares: TypeAlias = Mapping[str, Fraction]

COUNTED = ("rule", "tool", "ground")
BINNED = ("length", "rules", "distractors")


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Recipe:
    """What a suite is made of; shares are of the scenarios of one domain."""

    name: str
    version: str
    domains: tuple[str, ...]
    seed: int
    per_domain: int
    candidates: int
    refusals: Fraction = Fraction(0)
    refusals_at_most: Fraction = Fraction(1)
    splits: Shares = field(default_factory=dict)
    at_least: Mapping[str, int] = field(default_factory=dict)
    length: Shares = field(default_factory=dict)
    rules: Shares = field(default_factory=dict)
    distractors: Shares = field(default_factory=dict)
    kinds: Shares = field(default_factory=dict)

    def bins(self, traits: Traits) -> list[str]:
        """Return the strata that a scenario is in, such as `length 9-14`."""
        measures = {"length": traits.length, "rules": len(traits.active), "distractors": traits.distractors}
        found = [
            f"{name} {text}"
            for name in BINNED
            for text in getattr(self, name)
            if measures[name] in _range(text, self.name)
        ]
        return found + [f"kind {kind}" for kind in traits.kinds]

    def scaled(self, *, domains: tuple[str, ...] | None = None, per_domain: int | None = None) -> "Recipe":
        """Return the recipe for other domains or numbers, under another name; counts and candidates follow."""
        name, new = self.name, self
        if domains is not None and domains != self.domains:
            name = "-".join([name, *domains])
            new = replace(new, domains=domains, name=name)
        if per_domain is not None and per_domain != self.per_domain:
            factor = Fraction(per_domain, self.per_domain)
            counts = {key: int(count * factor) for key, count in self.at_least.items()}
            candidates = max(per_domain, -(-self.candidates * factor.numerator // factor.denominator))
            new = replace(
                new, name=f"{name}-{per_domain}", per_domain=per_domain, candidates=candidates, at_least=counts
            )
        return new

    def to_json(self) -> dict[str, Any]:
        """Return the recipe as JSON values, shares as text."""
        return {item.name: _plain(getattr(self, item.name)) for item in fields(self)}


def read_recipe(text: str, where: str) -> Recipe:
    """Read a recipe from TOML; raise `SuiteError`, which names the key and the way out, for one that is wrong."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SuiteError(f"{where} is not TOML: {error}") from None
    known = {item.name: item for item in fields(Recipe)}
    for key in data:
        if key not in known:
            raise SuiteError(f"{where}: unknown key {key!r}{near_miss(key, known)}")
    for key in ("name", "version", "domains", "seed", "per_domain", "candidates"):
        if key not in data:
            raise SuiteError(f"{where}: {key!r} is missing")
    recipe = Recipe(**{key: _value(key, value, where) for key, value in data.items()})
    _check(recipe, where)
    return recipe


def _value(key: str, value: Any, where: str) -> Any:
    match key:
        case "name" | "version" if isinstance(value, str) and _NAME.fullmatch(value):
            return value
        case "name" | "version" if isinstance(value, str):
            raise SuiteError(f"{where}: {key} {value!r} names a folder: letters, digits, '.', '_' and '-' only")
        case "domains" if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
            return tuple(value)
        case "seed" | "per_domain" | "candidates" if _whole(value):
            return value
        case "refusals" | "refusals_at_most":
            return _share(key, value, where)
        case "at_least" if isinstance(value, dict) and all(map(_whole, value.values())):
            return value
        case "splits" | "length" | "rules" | "distractors" | "kinds" if isinstance(value, dict):
            return {name: _share(f"{key}.{name}", share, where) for name, share in value.items()}
    raise SuiteError(f"{where}: {key} cannot be {value!r}; see docs/suites.md")


def _check(recipe: Recipe, where: str) -> None:
    if len(set(recipe.domains)) < len(recipe.domains):
        raise SuiteError(f"{where}: domains names one twice")
    if recipe.per_domain < 1 or recipe.candidates < recipe.per_domain:
        raise SuiteError(
            f"{where}: {recipe.candidates} candidates for {recipe.per_domain} scenarios of each domain are too few"
        )
    for name in ("splits", *BINNED):
        if (total := sum(getattr(recipe, name).values())) > 1:
            raise SuiteError(f"{where}: the shares of {name} add up to {float(total):g}, more than 1")
    if recipe.splits and sum(recipe.splits.values()) != 1:
        raise SuiteError(f"{where}: the splits add up to {float(sum(recipe.splits.values())):g}, not to 1")
    if recipe.refusals > recipe.refusals_at_most:
        raise SuiteError(f"{where}: refusals is more than refusals_at_most")
    for name in BINNED:
        for text in getattr(recipe, name):
            _range(text, where)
    for key, known in (("at_least", COUNTED), ("kinds", KINDS)):
        for name in getattr(recipe, key):
            if name not in known:
                raise SuiteError(f"{where}: {key} has an unknown {name!r}{near_miss(name, known)}")


def _range(text: str, where: str) -> range:
    """Return the numbers of `9-14`, `20-` or `3`."""
    low, dash, high = text.partition("-")
    if not low.isdecimal() or not (high.isdecimal() or not high) or (high and int(high) < int(low)):
        raise SuiteError(f"{where}: {text!r} is no range; write 9-14, 20- or 3")
    return range(int(low), int(high) + 1 if high else 1_000_000 if dash else int(low) + 1)


def _share(key: str, value: Any, where: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise SuiteError(f"{where}: {key} is a share between 0 and 1, not {value!r}")
    return Fraction(str(value))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _plain(value: Any) -> Any:
    match value:
        case Fraction():
            return str(value)
        case tuple():
            return list(value)
        case Mapping():
            return {key: _plain(each) for key, each in value.items()}
        case _:
            return value
