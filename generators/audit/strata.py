"""How difficult a suite's scenarios are: how many there are of each length and kind, in each split."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lexgym.generators.audit.checked import Checked
from lexgym.generators.kinds import KINDS
from lexgym.generators.traits import Traits

EDGES: Mapping[str, tuple[int, ...]] = {
    "calls": (1, 8, 13, 19),
    "active rules": (0, 1, 5, 9),
    "distractors": (0, 1, 2, 4),
}
"""Where the bins of each measure begin; the last has no end."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """The number of scenarios with some value of a measure: in all, by domain and by split."""

    measure: str
    value: str
    count: int
    domains: Mapping[str, int]
    splits: Mapping[str, int]


def strata_of(splits: Mapping[str, Sequence[str]], checks: Sequence[Checked]) -> tuple[Stratum, ...]:
    """Return the strata of what can be played; those of no scenario are left out."""
    measures: dict[str, Callable[[Traits], int]] = {
        "calls": lambda traits: traits.length,
        "active rules": lambda traits: len(traits.active),
        "distractors": lambda traits: traits.distractors,
    }
    groups: list[tuple[str, str, Callable[[Traits], bool]]] = []
    for name, measure in measures.items():
        edges = EDGES[name]
        for low, high in zip(edges, (*edges[1:], None), strict=True):
            groups.append((name, _range(low, high), _within(measure, low, high)))
    groups += [("kind of rule", kind, _has(kind)) for kind in KINDS]
    groups += [("request", "to be refused", _refused), ("request", "ordinary", lambda traits: not _refused(traits))]
    found = [_stratum(name, value, belongs, splits, checks) for name, value, belongs in groups]
    return tuple(stratum for stratum in found if stratum.count)


def _stratum(
    measure: str,
    value: str,
    belongs: Callable[[Traits], bool],
    splits: Mapping[str, Sequence[str]],
    checks: Sequence[Checked],
) -> Stratum:
    own = [item for item in checks if item.traits and belongs(item.traits)]
    names = {item.scenario for item in own}
    domains = sorted({item.domain for item in checks})
    return Stratum(
        measure,
        value,
        len(own),
        {domain: sum(item.domain == domain for item in own) for domain in domains},
        {split: len(names & set(ids)) for split, ids in splits.items()},
    )


def _range(low: int, high: int | None) -> str:
    if high is None:
        return f"{low} or more"
    return str(low) if high == low + 1 else f"{low}–{high - 1}"


def _within(measure: Callable[[Traits], int], low: int, high: int | None) -> Callable[[Traits], bool]:
    return lambda traits: low <= measure(traits) and (high is None or measure(traits) < high)


def _has(kind: str) -> Callable[[Traits], bool]:
    return lambda traits: kind in traits.kinds


def _refused(traits: Traits) -> bool:
    return bool(traits.refusal)
