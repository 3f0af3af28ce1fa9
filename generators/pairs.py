"""Pairs of words that stand in one sentence only where a safety step is described: hints that are on no list.

    pairs("finance")[frozenset({"iban", "holder"})]      # ["verify_payee"]

The business may use each of the two words, but has both in no sentence of its own. Compared by stem, without the words
that anybody uses. Texts of rules and of the manual are left out: they add more false alarms than finds.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import TypeAlias

from lexgym.envs.domain import Domain
from lexgym.envs.registry import load_domain
from lexgym.generators.lexicon import business, lexicon
from lexgym.generators.stems import name_words, sentences, stem, words
from lexgym.generators.values import VALUE, filled

Pair: TypeAlias = frozenset[str]


@cache
def pairs(name: str) -> Mapping[Pair, list[str]]:
    """Return the telling pairs of stems of a domain, each with the safety-critical tools that it tells of."""
    domain = load_domain(name)
    common = lexicon(name).common | {stem(VALUE)}
    said = {pair for text in business(domain) for pair in _pairs(filled(text), common)}
    found: dict[Pair, list[str]] = {}
    for tool in sorted(domain.safety_critical):
        for pair in dict.fromkeys(pair for text in _told(domain, tool) for pair in _pairs(text, common)):
            if pair not in said:
                found.setdefault(pair, []).append(tool)
    return found


def _told(domain: Domain, tool: str) -> Iterator[str]:
    """Yield each sentence that describes a tool, with the tool's name."""
    for sentence in sentences(words(domain.tools[tool].description)):
        yield " ".join([*name_words(tool), *sentence])


def _pairs(text: str, common: frozenset[str]) -> Iterator[Pair]:
    for sentence in sentences(words(text)):
        telling = dict.fromkeys(found for word in sentence if word[0].isalpha() and (found := stem(word)) not in common)
        yield from map(frozenset, combinations(telling, 2))
