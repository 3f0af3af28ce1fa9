"""The functional oracle: is the final state the target, up to the names of generated ids?

    oracle = FunctionalOracle(shapes, initial, target)
    oracle.compare(final)       # () when reached, otherwise one readable line per difference

Covers every business table, row by row and cell by cell, except columns declared volatile. Ids that the
episode generated may be renamed consistently (an isomorphism), so the order in which they were allocated
does not matter. Does not cover compliance tables, the clock, or how the state was reached.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from lexgym.errors import LexgymError

Row: TypeAlias = Mapping[str, Any]
Dump: TypeAlias = Mapping[str, Iterable[Row]]

SEARCH_LIMIT = 20_000
"""Most assignments tried before the oracle gives up with `AmbiguousStateError`."""


class AmbiguousStateError(LexgymError):
    """Two states are too symmetric to be compared within the limit: the episode is unjudged."""


@dataclass(frozen=True, slots=True)
class TableShape:
    """How a table is compared.

    `key` is its primary key; `generated` says that an episode allocates its ids; `references` maps
    a column to the table whose id it holds; `ignored` columns are not compared.
    """

    key: tuple[str, ...]
    generated: bool = False
    references: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Node:
    """A generated id, which may bear another name in the other state."""

    table: str
    id: Any


Fact: TypeAlias = tuple[str, tuple[tuple[str, Hashable], ...]]
"""A row as (table, cells); a cell that holds a generated id is a `Node`."""

Colours: TypeAlias = dict[Node, int]


@dataclass(frozen=True)
class FunctionalOracle:
    """Compares final states with one target."""

    shapes: Mapping[str, TableShape]
    initial: Dump
    target: Dump

    def compare(self, actual: Dump) -> tuple[str, ...]:
        """Return the differences, empty when the target is reached; raise `AmbiguousStateError` if undecidable."""
        facts, wanted = self._facts(actual), self._target_facts
        if Counter(facts) == Counter(wanted):
            return ()
        search = _Search(facts, wanted)
        mapping = search.isomorphism()
        if mapping is not None:
            return ()
        return tuple(self._differences(facts, wanted, search.best_guess())) or ("the states differ",)

    @cached_property
    def _target_facts(self) -> list[Fact]:
        return self._facts(self.target)

    @cached_property
    def _known(self) -> Mapping[str, set[Any]]:
        """The ids that existed at the start and so keep their names."""
        return {
            table: {row[shape.key[0]] for row in self.initial.get(table, ())}
            for table, shape in self.shapes.items()
            if shape.generated
        }

    def _facts(self, dump: Dump) -> list[Fact]:
        memory, facts = self._memory, []
        for table in sorted(self.shapes):
            for row in dump.get(table, ()):
                key = table, tuple(row.items())
                fact = memory.get(key)
                if fact is None:
                    fact = memory[key] = self._fact(table, row)
                facts.append(fact)
        return facts

    @cached_property
    def _memory(self) -> dict[Hashable, Fact]:
        """The facts of rows met before: states of one scenario have most rows in common."""
        return {}

    def _fact(self, table: str, row: Row) -> Fact:
        shape = self.shapes[table]
        cells = []
        for column, value in sorted(row.items()):
            if column in shape.ignored:
                continue
            owner = table if shape.generated and column == shape.key[0] else shape.references.get(column)
            generated = owner is not None and value is not None and value not in self._known.get(owner, {value})
            cells.append((column, Node(owner, value) if generated and owner else value))
        return table, tuple(cells)

    def _differences(self, facts: list[Fact], wanted: list[Fact], guess: Mapping[Node, Node]) -> Iterable[str]:
        renamed = [rename(fact, guess) for fact in facts]
        surplus, missing = Counter(renamed) - Counter(wanted), Counter(wanted) - Counter(renamed)
        unexpected = {self._identity(fact): fact for fact in surplus.elements()}
        for fact in missing.elements():
            twin = unexpected.pop(self._identity(fact), None)
            if twin is None:
                yield f"{fact[0]}: missing {_show(fact)}"
                continue
            for (column, want), (_, got) in zip(fact[1], twin[1], strict=True):
                if want != got:
                    yield f"{fact[0]} {_name(self._identity(fact)[1])}: {column} is {_value(got)}, not {_value(want)}"
        for fact in unexpected.values():
            yield f"{fact[0]}: unexpected {_show(fact)}"

    def _identity(self, fact: Fact) -> tuple[str, Hashable]:
        cells = dict(fact[1])
        return fact[0], tuple(cells[column] for column in self.shapes[fact[0]].key)


class _Search:
    """Looks for a renaming of the left side's nodes under which both sides hold the same facts.

    Colour refinement separates nodes by content and neighbourhood; what it cannot separate is
    tried by individualising one node at a time.
    """

    def __init__(self, left: list[Fact], right: list[Fact]) -> None:
        self.left, self.right = left, right
        self.palette: dict[Hashable, int] = {}
        self.tries = 0
        self.goal = Counter(right)
        self.left_uses, self.right_uses = _uses(left), _uses(right)

    def isomorphism(self) -> Mapping[Node, Node] | None:
        """Return a renaming that makes the sides equal, or None when there is none."""
        if len(self.left) != len(self.right) or len(self.left_uses) != len(self.right_uses):
            return None
        return self._match(self._start(self.left_uses), self._start(self.right_uses))

    def best_guess(self) -> dict[Node, Node]:
        """Return a partial renaming of nodes that look alike, for a readable diff."""
        left, right = self._start(self.left_uses), self._start(self.right_uses)
        guess: dict[Node, Node] = {}
        for rounds in (8, 1, 0):
            lefts = self._refine(left, self.left_uses, rounds)
            rights = self._refine(right, self.right_uses, rounds)
            taken = set(guess.values())
            free: dict[int, list[Node]] = {}
            for node in sorted(rights, key=_order):
                if node not in taken:
                    free.setdefault(rights[node], []).append(node)
            for node in sorted(lefts, key=_order):
                if node not in guess and free.get(lefts[node]):
                    guess[node] = free[lefts[node]].pop(0)
        return guess

    def _start(self, uses: Mapping[Node, list[Fact]]) -> Colours:
        return {node: self._colour(("table", node.table)) for node in uses}

    def _colour(self, description: Hashable) -> int:
        return self.palette.setdefault(description, len(self.palette))

    def _match(self, left: Colours, right: Colours) -> Mapping[Node, Node] | None:
        self.tries += 1
        if self.tries > SEARCH_LIMIT:
            raise AmbiguousStateError(f"no decision after {SEARCH_LIMIT:,} assignments of {len(left)} generated ids")
        left, right = self._refine(left, self.left_uses, len(left)), self._refine(right, self.right_uses, len(left))
        classes, others = _classes(left), _classes(right)
        if {colour: len(nodes) for colour, nodes in classes.items()} != {c: len(n) for c, n in others.items()}:
            return None
        ties = [colour for colour, nodes in classes.items() if len(nodes) > 1]
        if not ties:
            mapping = {nodes[0]: others[colour][0] for colour, nodes in classes.items()}
            return mapping if Counter(rename(fact, mapping) for fact in self.left) == self.goal else None
        colour = min(ties, key=lambda tie: (len(classes[tie]), tie))
        mark = self._colour(("chosen", self.tries))
        chosen = {**left, classes[colour][0]: mark}
        for candidate in others[colour]:
            if found := self._match(chosen, {**right, candidate: mark}):
                return found
        return None

    def _refine(self, colours: Colours, uses: Mapping[Node, list[Fact]], rounds: int) -> Colours:
        for _ in range(rounds):
            finer = {node: self._signature(node, colours, uses[node]) for node in colours}
            stable = len(set(finer.values())) == len(set(colours.values()))
            colours = finer
            if stable:
                break
        return colours

    def _signature(self, node: Node, colours: Colours, facts: list[Fact]) -> int:
        around = sorted(
            self._colour((table, tuple((column, self._cell(value, node, colours)) for column, value in cells)))
            for table, cells in facts
        )
        return self._colour((colours[node], tuple(around)))

    @staticmethod
    def _cell(value: Hashable, node: Node, colours: Colours) -> Hashable:
        return ("node", colours[value], value == node) if isinstance(value, Node) else ("value", value)


def rename(fact: Fact, mapping: Mapping[Node, Node]) -> Fact:
    """Return the fact with its generated ids renamed."""
    cells = fact[1]
    if not any(isinstance(value, Node) for _, value in cells):
        return fact
    return fact[0], tuple(
        (column, mapping.get(value, value) if isinstance(value, Node) else value) for column, value in cells
    )


def _uses(facts: Iterable[Fact]) -> dict[Node, list[Fact]]:
    uses: dict[Node, list[Fact]] = {}
    for fact in facts:
        for node in {value for _, value in fact[1] if isinstance(value, Node)}:
            uses.setdefault(node, []).append(fact)
    return uses


def _classes(colours: Colours) -> dict[int, list[Node]]:
    classes: dict[int, list[Node]] = {}
    for node in sorted(colours, key=_order):
        classes.setdefault(colours[node], []).append(node)
    return classes


def _order(node: Node) -> tuple[str, str]:
    return node.table, str(node.id)


def _show(fact: Fact) -> str:
    return "{" + ", ".join(f"{column}: {_value(value)}" for column, value in fact[1] if value is not None) + "}"


def _value(value: Hashable) -> str:
    return str(value.id) if isinstance(value, Node) else repr(value)


def _name(identity: Hashable) -> str:
    parts = identity if isinstance(identity, tuple) else (identity,)
    return "/".join(str(part.id if isinstance(part, Node) else part) for part in parts)
