"""The words that give a safety step away in a domain: hints of leaks.yaml, and the vocabulary of its rules.

lexicon("finance").rare(frozenset({"screen_payment"}))     # {"fraud": "is a word of rule …", …}
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from lexgym.core import Json, Rule
from lexgym.envs.domain import Domain
from lexgym.envs.judge import oracle_of
from lexgym.envs.registry import load_domain
from lexgym.generators.phrases import STYLES, entries, frames
from lexgym.generators.stems import name_words, stem, words

_SHORT = 3
"""Longest stem of a rule's text that is no hint by itself."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Stems in a row, and what they speak of."""

    stems: tuple[str, ...]
    about: str


@dataclass(frozen=True)
class Lexicon:
    """The hints by their first stem, longest first; `law` has the rare words that speak of each tool, with why."""

    hints: Mapping[str, tuple[Hint, ...]]
    common: frozenset[str]
    law: Mapping[str, Mapping[str, str]]

    def rare(self, tools: frozenset[str]) -> dict[str, str]:
        """Return the stems that only the law uses when it speaks of these tools, and why each is one."""
        found: dict[str, str] = {}
        for tool in sorted(tools & self.law.keys()):
            for word, why in self.law[tool].items():
                found.setdefault(word, why)
        return found


@lru_cache(maxsize=64)
def lexicon(name: str, rules: tuple[Rule, ...] | None = None) -> Lexicon:
    """Return the lexicon of a domain, under other rules than its own where they are given."""
    domain = load_domain(name)
    bound = domain.rules if rules is None else rules
    data = yaml.safe_load(Path(__file__).with_name("leaks.yaml").read_text(encoding="utf-8"))
    common = frozenset(stem(word) for word in data["common"].split())
    by_first: dict[str, list[Hint]] = {}
    for about, listed in data["hints"].items():
        for entry in listed:
            stems = tuple(stem(word) for word in words(entry))
            by_first.setdefault(stems[0], []).append(Hint(stems, about))
    hints = {first: tuple(sorted(found, key=lambda hint: -len(hint.stems))) for first, found in by_first.items()}
    known = common | {stem(word) for text in business(domain) for word in words(text)}
    law = {tool: {w: why for w, why in _law(domain, tool, bound) if w not in known} for tool in domain.tools}
    return Lexicon(hints, common, law)


def _law(domain: Domain, tool: str, rules: tuple[Rule, ...]) -> Iterator[tuple[str, str]]:
    """Yield the words of a tool's name and description and of the rules that name it, with where they are from."""
    texts = [(f"{' '.join(name_words(tool))} {domain.tools[tool].description}", f"is a word of the safety tool {tool}")]
    for rule, automaton in zip(rules, oracle_of(domain.name, rules).compiled.automata, strict=True):
        if tool in automaton.readers:
            texts.append((f"{rule.text} {rule.regulation}", f"is a word of the rule {rule.id!r}"))
    for text, why in texts:
        for word in words(text.replace("_", " ")):
            if len(found := stem(word)) > _SHORT and word[0].isalpha():
                yield found, why


def business(domain: Domain) -> Iterator[str]:
    """Yield what the business says: its phrases, and all that names its tools that are not safety-critical."""
    yield from frames(domain)
    yield from (sql.replace("_", " ") for sql in domain.phrases.get("describe", {}).values())
    for name in domain.phrases["tools"]:
        for style in STYLES:
            yield from (entry.text for entry in entries(domain, name, style))
    for name, tool in domain.tools.items():
        if name not in domain.safety_critical:
            yield f"{' '.join(name_words(name))} {tool.description}"
            yield from _strings(dict(tool.schema))
            yield from _strings(dict(tool.result_schema))


def _strings(value: Json) -> Iterator[str]:
    """Yield the names and texts of a schema."""
    match value:
        case str():
            yield value.replace("_", " ")
        case dict():
            for key, inner in value.items():
                yield key.replace("_", " ")
                yield from _strings(inner)
        case list():
            for inner in value:
                yield from _strings(inner)
