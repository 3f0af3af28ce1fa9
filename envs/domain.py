"""A domain: one regulated business, read from one folder.

    envs/finance/
        __init__.py      what the domain models, in a docstring
        domain.toml      id, title, regulation, anchor, tables that are not compared, id prefixes, refusals
        schema.sql       STRICT tables
        tools/           TOOLS: the functions that agents may call
        population.py    populate(db, rng) and POOLS: realistic data
        rules.yaml       LTLf rules with their provisions; more of them in rules-….yaml, if there are many
        manual.md        the regulation as the agent is given it
        phrases.yaml     how people word requests

A toolkit, whose scenarios come from elsewhere and carry their states and rules, does without the last four.
A domain knows nothing of gymnasium.
"""

import hashlib
import json
import random
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from lexgym.core import Json, Rule
from lexgym.envs.refusals import Refusal, read_refusals
from lexgym.errors import DomainError, near_miss
from lexgym.tools.database import Database
from lexgym.tools.tables import Schema
from lexgym.tools.toolbox import Toolbox

Populate: TypeAlias = Callable[[Database, random.Random], None]
Draw: TypeAlias = Callable[[random.Random], Json]

ATTEMPTS_COUNT = "attempts-count"
"""A call of a tool counts as made, for the rules, also where it was refused or could not be made."""

IDLE_FAILS = "idle-fails"
"""An episode without a call has missed the goal, whatever the goal is."""

QUIRKS = (ATTEMPTS_COUNT, IDLE_FAILS)
"""What a published benchmark's judge may do that ours does not."""


@dataclass(frozen=True)
class Domain:
    """A regulated business: database schema, tools, rules, manual and population sampler.

    `anchor` is the column whose row an episode is about, such as `customers.id`; `compliance` tables
    and `volatile` columns (`table.column`) are not compared by the functional oracle; `clock` is the
    start of an episode in seconds since 1970-01-01 and `tick` the seconds that one step takes.
    `refusals` says how a tool's forbidden calls are put on record; `shared` names the tables that let
    somebody use another's rows, such as mandates on accounts; `settled` columns name rows that a request is about only
    if they were there before the episode, such as bookings that are complained of. `quirks` are ways of
    judging, of those in `QUIRKS`.
    """

    name: str
    id: str
    title: str
    regulation: str
    version: str
    schema: Schema
    tools: Toolbox
    rules: tuple[Rule, ...]
    manual: str
    populate: Populate
    pools: Mapping[str, Draw]
    phrases: Mapping[str, Any]
    anchor: str
    compliance: frozenset[str]
    volatile: frozenset[str]
    safety_critical: frozenset[str]
    clock: int
    tick: int
    refusals: Mapping[str, Refusal] = field(default_factory=dict)
    shared: tuple[str, ...] = ()
    settled: frozenset[str] = frozenset()
    quirks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        _require_known(self, "quirk", self.quirks, QUIRKS)
        _require_known(self, "compliance table", self.compliance, self.schema.tables)
        _require_known(self, "safety-critical tool", self.safety_critical, self.tools)
        _require_known(self, "table with a prefix", self.schema.prefixes, self.schema.tables)
        columns = [f"{table.name}.{column}" for table in self.schema.tables.values() for column in table.columns]
        _require_known(self, "volatile column", self.volatile, columns)
        _require_known(self, "settled column", self.settled, columns)
        _require_known(self, "anchor column", [self.anchor], columns)
        _require_known(self, "shared table", self.shared, self.schema.tables)
        for name in self.shared:
            if self.anchor not in self.schema.tables[name].references.values():
                raise DomainError(f"domain {self.name!r}: the shared table {name!r} does not refer to {self.anchor!r}")
        for tool in self.tools.values():
            refs = [parameter.ref.column for parameter in tool.parameters if parameter.ref]
            pools = [parameter.pool.name for parameter in tool.parameters if parameter.pool]
            _require_known(self, f"column that {tool.name!r} refers to", refs, columns)
            _require_known(self, f"pool that {tool.name!r} draws from", pools, self.pools)

    def __reduce__(self) -> tuple[Callable[[str], "Domain"], tuple[str]]:
        """Pickle as the name, so that environments can run in other processes."""
        from lexgym.envs.registry import load_domain

        return load_domain, (self.name,)

    @property
    def business(self) -> tuple[str, ...]:
        """The tables that the functional oracle compares, sorted."""
        return tuple(name for name in sorted(self.schema.tables) if name not in self.compliance)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything that judgement depends on: schema, tool schemas, rules, what is compared."""
        parts = {
            "schema": self.schema.sql,
            "prefixes": dict(self.schema.prefixes),
            "tools": [tool.openai() for tool in self.tools.values()],
            "rules": [[rule.id, rule.formula] for rule in self.rules],
            "compliance": sorted(self.compliance),
            "volatile": sorted(self.volatile),
            "tick": self.tick,
            "version": self.version,
        }
        if self.quirks:
            parts["quirks"] = sorted(self.quirks)
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def database(self, seed: int) -> Database:
        """Return a freshly populated database; same seed, same bytes."""
        db = Database(self.schema, clock=self.clock)
        self.populate(db, random.Random(f"{self.name}:{seed}"))
        return db


def read_domain(folder: Path, package: str, name: str | None = None) -> Domain:
    """Read the domain in `folder`, whose Python modules live in `package`; raise `DomainError` if it is wrong.

    Its name is that of the folder unless another is given.
    """
    path = folder / "domain.toml"
    try:
        meta = tomllib.loads(_text(path))
        schema = Schema(_text(folder / "schema.sql"), meta["prefixes"])
        tools = Toolbox.of(import_module(f"{package}.tools").TOOLS)
        safety_critical = frozenset(meta["safety_critical"])
        own = _borrowed(name or folder.name) if meta.get("toolkit") else _own(folder, package)
        return Domain(
            name=name or folder.name,
            id=meta["id"],
            title=meta["title"],
            regulation=meta["regulation"],
            version=meta["version"],
            schema=schema,
            tools=tools,
            anchor=meta["anchor"],
            compliance=frozenset(meta["compliance_tables"]),
            volatile=frozenset(meta["volatile_columns"]),
            safety_critical=safety_critical,
            clock=int(datetime.fromisoformat(meta["start"]).timestamp()),
            tick=meta["seconds_per_step"],
            refusals=read_refusals(
                meta.get("refusals", {}), tools, safety_critical, [rule.id for rule in own["rules"]]
            ),
            shared=tuple(meta.get("shared_tables", ())),
            settled=frozenset(meta.get("settled_columns", ())),
            quirks=frozenset(meta.get("quirks", ())),
            **own,
        )
    except tomllib.TOMLDecodeError as error:
        raise DomainError(f"{path}: {error}") from None
    except KeyError as error:
        raise DomainError(f"{path}: {error} is missing") from None
    except DomainError as error:
        raise error if str(folder) in str(error) else DomainError(f"{path}: {error}") from None


def _folder_rules(folder: Path) -> tuple[Rule, ...]:
    """Return the rules of `rules.yaml` and then of the files `rules-….yaml` beside it."""
    paths = [folder / "rules.yaml", *sorted(folder.glob("rules-*.yaml"))]
    rules = [rule for path in paths for rule in read_rules(_text(path), str(path))]
    _require_distinct(rules, str(folder))
    return tuple(rules)


def _own(folder: Path, package: str) -> dict[str, Any]:
    """What a domain has that makes its own scenarios."""
    population = import_module(f"{package}.population")
    return {
        "rules": _folder_rules(folder),
        "manual": _text(folder / "manual.md"),
        "populate": population.populate,
        "pools": population.POOLS,
        "phrases": yaml.safe_load(_text(folder / "phrases.yaml")),
    }


def _borrowed(name: str) -> dict[str, Any]:
    """What a toolkit has instead: nothing, since its scenarios bring their states, rules and texts."""

    def populate(db: Database, rng: random.Random) -> None:
        raise DomainError(
            f"{name!r} has no population of its own: its states come with the scenarios of an imported suite, whose "
            "folder is named with --suite (or suite=…)"
        )

    return {"rules": (), "manual": "", "populate": populate, "pools": {}, "phrases": {"tools": {}}}


def read_rules(text: str, where: str, required: Sequence[str] = ("id", "formula", "text")) -> tuple[Rule, ...]:
    """Read rules from YAML text: a list of mappings with the fields of `Rule`, of which some must be there.

    Raises DomainError, which names the rule or the entry and the way out.
    """
    if bare := _BARE.search(text):
        line = text.count("\n", 0, bare.end()) + 1
        raise DomainError(f"{where}: line {line}: YAML takes the {bare[1]!r} for itself; put the formula in quotes")
    try:
        entries = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DomainError(f"{where}: {_yaml_fault(error, text)}") from None
    return rules_of(entries, where, required)


def rules_of(entries: Any, where: str, required: Sequence[str] = ("id", "formula", "text")) -> tuple[Rule, ...]:
    """Return the rules of a list of mappings; raise DomainError for what is none."""
    if not entries:
        raise DomainError(f"{where}: there are no rules in it; one is written {_SAMPLE}")
    if not isinstance(entries, list):
        raise DomainError(f"{where}: expected a list of rules, each written {_SAMPLE}; found {_kind(entries)}")
    rules = [_rule(entry, number, where, required) for number, entry in enumerate(entries, 1)]
    _require_distinct(rules, where)
    return tuple(rules)


def _require_distinct(rules: Sequence[Rule], where: str) -> None:
    seen = [rule.id for rule in rules]
    if twice := sorted({name for name in seen if seen.count(name) > 1}):
        raise DomainError(f"{where}: rule id {twice[0]!r} is used twice")


_BARE = re.compile(r"^[^#\"']*\bformula:\s*([!&*])", re.MULTILINE)
"""A formula that begins with a sign which YAML would swallow, such as `! a W b`."""

_SAMPLE = '- {id: told, formula: "G(pay -> F note)"}'
_FIELDS = tuple(item.name for item in fields(Rule))


def _rule(entry: Any, number: int, where: str, required: Sequence[str]) -> Rule:
    """Return the rule that an entry of a file is."""
    if not isinstance(entry, dict):
        raise DomainError(f"{where}: entry {number}: expected a rule, written {_SAMPLE}; found {_kind(entry)}")
    name = f"rule {entry['id']!r}" if isinstance(entry.get("id"), str) else f"entry {number}"
    for key, value in entry.items():
        if key not in _FIELDS:
            hint = near_miss(str(key), _FIELDS) if value is not None else "; put a formula with commas in quotes"
            raise DomainError(f"{where}: {name}: unknown field {str(key)!r}{hint}")
        if value is not None and not isinstance(value, str):
            raise DomainError(f"{where}: {name}: `{key}` is text, not {_kind(value)}; put it in quotes")
    for key in required:
        if not (entry.get(key) or "").strip():
            raise DomainError(f"{where}: {name} has no `{key}`")
    return Rule(**{"text": ""} | {key: value for key, value in entry.items() if value is not None})


def _kind(value: Any) -> str:
    """Return a value of YAML in words."""
    match value:
        case bool():
            return f"the boolean {str(value).lower()}"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {value[:60]!r}"
        case list() | dict():
            return f"{'a list' if isinstance(value, list) else 'a mapping'} such as {str(value)[:60]}"
        case _:
            return f"{str(value)[:60]!r}"


def _yaml_fault(error: yaml.YAMLError, text: str) -> str:
    """Return what YAML stumbled over, with its line; a formula bare of quotes is the usual reason."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return f"not readable as YAML: {str(error).splitlines()[0]}"
    problem, line = getattr(error, "problem", "cannot be read"), text.splitlines()[mark.line : mark.line + 1]
    bare = any("formula:" in part for part in text.splitlines()[max(0, mark.line - 1) : mark.line + 1])
    hint = "; put the formula in quotes" if bare else ""
    return f"line {mark.line + 1}: {problem}{hint}{f' ({line[0].strip()[:80]})' if line else ''}"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DomainError(f"the domain folder has no {path.name}: {path} does not exist") from None


def _require_known(domain: Domain, what: str, names: Any, known: Any) -> None:
    for name in names:
        if name not in known:
            raise DomainError(f"domain {domain.name!r}: no {what} {name!r}{near_miss(name, known)}")
