"""Final states compared by other means than the functional oracle's.

    astray(domain, before, target, final)                     # True: other rows, whatever the names of new ones
    same_after(domain, before, reference, mutant, order)      # True: the same rows, named by what the calls returned

Where the answer depends on which generated row is which, `astray` is False; the oracle alone decides.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lexgym.core import Event
from lexgym.envs.domain import Domain
from lexgym.scenario import Dump

Row: TypeAlias = tuple[str, tuple[tuple[str, Any], ...]]


@dataclass(frozen=True, slots=True)
class Run:
    """A trace and the business rows after it."""

    trace: Sequence[Event]
    final: Dump


def astray(domain: Domain, before: Dump, target: Dump, final: Dump) -> bool:
    """Whether the rows differ from the target's even when every generated id is left out."""
    known = set(_keys(domain, before))
    return _blanked(domain, target, known) != _blanked(domain, final, known)


def same_after(domain: Domain, before: Dump, reference: Run, mutant: Run, order: Sequence[int]) -> bool:
    """Whether a reordering ends with the reference's rows; `order` has the place of each of its calls there.

    Ids are renamed as the results of the same call in both traces say.
    """
    known = set(_keys(domain, before))
    fresh, wanted = set(_keys(domain, mutant.final)) - known, set(_keys(domain, reference.final)) - known
    names: dict[Any, Any] = {}
    for event, place in zip(mutant.trace, order, strict=True):
        for new, old in _pairs(event.result, reference.trace[place].result):
            if new in fresh and old in wanted and names.setdefault(new, old) != old:
                return False
    return _rows(domain, mutant.final, names) == _rows(domain, reference.final, {})


def _keys(domain: Domain, dump: Dump) -> Iterator[Any]:
    """Yield the keys of all rows of tables whose keys are generated."""
    for name in domain.schema.prefixes:
        for row in dump.get(name, ()):
            yield row[domain.schema.tables[name].key[0]]


def _blanked(domain: Domain, dump: Dump, known: set[Any]) -> Counter[Row]:
    fresh = set(_keys(domain, dump)) - known
    return _rows(domain, dump, dict.fromkeys(fresh))


def _rows(domain: Domain, dump: Dump, names: Mapping[Any, Any]) -> Counter[Row]:
    """Return the rows that are compared, with some values renamed."""
    unseen = {tuple(column.split(".")) for column in domain.volatile}
    return Counter(
        (name, tuple((key, names.get(value, value)) for key, value in sorted(row.items()) if (name, key) not in unseen))
        for name in domain.business
        for row in dump.get(name, ())
    )


def _pairs(new: Any, old: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts that stand in the same places of two results."""
    match new, old:
        case dict(), dict():
            for key in new.keys() & old.keys():
                yield from _pairs(new[key], old[key])
        case list(), list():
            for one, other in zip(new, old, strict=False):
                yield from _pairs(one, other)
        case str(), str():
            yield new, old
