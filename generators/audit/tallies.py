"""Mutants counted: how many break the law or miss the target, as others than our oracles see it, and are caught.

Tally(made=40, unlawful=12, caught=12, astray=20, missed=20, harmless=3, passed=3)
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields


@dataclass(slots=True)
class Tally:
    """Counts of one kind of mutant.

    `unlawful` break a rule by the recursive definition, and the safety oracle has `caught` so many; `astray` end with
    other rows, whatever the names of generated ones, and the functional oracle says of so many that they `missed`;
    `harmless` are reorderings after which both are as for the reference, of which so many `passed`.
    """

    made: int = 0
    unlawful: int = 0
    caught: int = 0
    astray: int = 0
    missed: int = 0
    harmless: int = 0
    passed: int = 0

    def add(self, other: "Tally") -> None:
        """Add the counts of another."""
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))

    def to_json(self) -> dict[str, int]:
        """Return the counts by name."""
        return asdict(self)


def summed(tallies: Iterable[Mapping[str, Tally]]) -> dict[str, Tally]:
    """Return the tallies of many scenarios added up, by kind."""
    found: dict[str, Tally] = {}
    for each in tallies:
        for kind, tally in each.items():
            found.setdefault(kind, Tally()).add(tally)
    return dict(sorted(found.items()))


def total(tallies: Mapping[str, Tally]) -> Tally:
    """Return the tallies of all kinds added up."""
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    return whole
