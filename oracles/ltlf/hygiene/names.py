"""Names that look like one name misspelt, where no list of the tools says which are right.

initiate_payment, initiate_paymnet
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.hygiene.findings import Finding, Kind, called, found
from lexgym.oracles.ltlf.printer import to_text
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Atom

SHORT = 5
"""Letters from which on one letter more or less is a slip, and not another word."""


def similar(names: Sequence[str], automata: dict[int, RuleAutomaton]) -> Iterator[Finding]:
    """Yield the tools, and the arguments of one tool, whose names differ by a slip."""
    tools: dict[str, list[int]] = {}
    places: dict[str, dict[str, list[int]]] = {}
    for rule, automaton in automata.items():
        for atom in automaton.bits:
            tools.setdefault(atom.tool, []).append(rule)
            for place in _places(atom):
                places.setdefault(atom.tool, {}).setdefault(place, []).append(rule)
    for one, two in _pairs(tools):
        yield _finding(names, "tool", to_text(Atom(one)), to_text(Atom(two)), tools[one], tools[two])
    for tool, known in places.items():
        for one, two in _pairs(known):
            what = f"argument or result of `{to_text(Atom(tool))}`"
            yield _finding(names, what, one, two, known[one], known[two])


def _finding(names: Sequence[str], what: str, one: str, two: str, first: list[int], second: list[int]) -> Finding:
    rules = list(dict.fromkeys([names[second[0]], names[first[0]]]))
    where = "" if len(rules) == 1 else f" ({called(rules[1:])})"
    sentence = f"`{two}` in {called(rules[:1])} and `{one}`{where} look like one {what} misspelt."
    return found(Kind.SIMILAR, rules, sentence)


def _places(atom: Atom) -> Iterator[str]:
    for leaf in g.leaves(atom.guard):
        if isinstance(leaf, g.Field) and leaf.path:
            yield str(leaf)


def _pairs(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of names that differ by a slip; only names that share what a letter less leaves are compared."""
    left: dict[str, list[str]] = {}
    seen: set[tuple[str, str]] = set()
    for name in names:
        plain = re.sub(r"[\W_]", "", name).casefold()
        for key in {plain, *(name[:i] + name[i + 1 :] for i in range(len(name))), name}:
            for other in left.setdefault(key, []):
                if (other, name) not in seen and _slip(other, name):
                    seen.add((other, name))
                    yield other, name
            left[key].append(name)


def _slip(one: str, two: str) -> bool:
    """Whether two names are alike but for case and joints, or for one letter missing, wrong or out of place."""
    if re.sub(r"[\W_]", "", one).casefold() == re.sub(r"[\W_]", "", two).casefold():
        return one != two
    if min(len(one), len(two)) < SHORT or re.sub(r"\d", "", one) == re.sub(r"\d", "", two):
        return False
    words = [re.split(r"[\W_]", name) for name in (one, two)]
    if len(words[0]) == len(words[1]) and any(a != b and min(len(a), len(b)) < 3 for a, b in zip(*words, strict=True)):
        return False
    return _one_edit(*sorted((one, two), key=len))


def _one_edit(short: str, long: str) -> bool:
    """Whether one letter put in, changed, or swapped with its neighbour makes one name the other."""
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return len(short) + 1 == len(long) and short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1] and short[at + 2 :] == long[at + 2 :]
    return swapped or short[at + 1 :] == long[at + 1 :]
