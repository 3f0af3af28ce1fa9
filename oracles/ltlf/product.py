"""All rules without variables as one state machine, built as it is walked.

An event is read once, whatever the number of rules: each distinct atom of its tool is one bit. A
state of the machine is one object that knows its successors, so a known step is one look-up.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from lexgym.core import Event, Status
from lexgym.errors import FormulaError
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf.automaton import RV
from lexgym.oracles.ltlf.evaluation import Test, compile_guard
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.syntax import Atom

Reader: TypeAlias = int | Callable[[Event], int]
"""The bits of a tool's successful call, or a function that reads them off any call of it."""

States: TypeAlias = tuple[int, ...]

MAX_NODES = 20_000
"""States that are remembered; when there are more, all are forgotten and those in use begin again."""


class Node(dict[int, tuple["Node", tuple[int, ...], tuple[int, ...]]]):
    """A state: from an event's bits to the next state, the rules that this loses, and those it moves.

    `answers` is for the joint questions: what was once worked out about the state.
    """

    __slots__ = ("_product", "answers", "states", "verdicts")

    def __init__(self, product: "Product", states: States) -> None:
        super().__init__()
        self._product, self.states = product, states
        self.answers: dict[str, Any] = {}
        self.verdicts = tuple(a.dfa.colours[state] for a, state in zip(product.automata, states, strict=True))

    def __missing__(self, bits: int) -> tuple["Node", tuple[int, ...], tuple[int, ...]]:
        found = self[bits] = self._product.successor(self, bits)
        return found


class Product:
    """The machine of some rules; `rules` are their indices in the set, in which results are given."""

    def __init__(self, rules: Sequence[int], automata: Sequence[RuleAutomaton]) -> None:
        self.rules, self.automata = tuple(rules), tuple(automata)
        self._bits: dict[Atom, int] = {}
        for automaton in self.automata:
            for atom in automaton.bits:
                self._bits.setdefault(atom, 1 << len(self._bits))
        self._of_rule = [
            [(self._bits[atom], own) for atom, own in automaton.bits.items()] for automaton in self.automata
        ]
        self._columns: dict[int, tuple[int, ...]] = {}
        self._nodes: dict[States, Node] = {}
        self.place = {rule: place for place, rule in enumerate(self.rules)}
        self.start = self.node((0,) * len(self.automata))
        self.readers = {atom.tool: self._reader(atom.tool) for atom in self._bits}

    def node(self, states: States) -> Node:
        """Return the one object for a state."""
        known = self._nodes.get(states)
        if known is None:
            if len(self._nodes) >= MAX_NODES:
                self._forget()
            known = self._nodes[states] = Node(self, states)
        return known

    def _forget(self) -> None:
        """Drop what was worked out, so that only states in use stay."""
        for node in self._nodes.values():
            node.clear()
            node.answers.clear()
        self._nodes = {self.start.states: self.start}

    def successor(self, node: Node, bits: int) -> tuple[Node, tuple[int, ...], tuple[int, ...]]:
        """Return where an event leads, the rules that it violates for good, and those whose state changes."""
        after = tuple(
            automaton.dfa.rows[state][column]
            for automaton, state, column in zip(self.automata, node.states, self._letters(bits), strict=True)
        )
        moved = [i for i, (old, new) in enumerate(zip(node.states, after, strict=True)) if old != new]
        target = self.node(after) if moved else node
        lost = [i for i in moved if self.automata[i].dfa.colours[after[i]] is RV.PV]
        return target, tuple(self.rules[i] for i in lost), tuple(moved)

    def _letters(self, bits: int) -> tuple[int, ...]:
        known = self._columns.get(bits)
        if known is None:
            known = self._columns[bits] = tuple(self._letter(i, bits) for i in range(len(self.automata)))
        return known

    def _letter(self, index: int, bits: int) -> int:
        mask = sum(own for bit, own in self._of_rule[index] if bits & bit)
        column = self.automata[index].columns.get(mask)
        if column is None:
            formula = self.automata[index].formula
            raise FormulaError(
                f"a call makes a combination of the atoms of '{formula}' true that was judged impossible"
            )
        return column

    def _reader(self, tool: str) -> Reader:
        atoms = [(atom, bit) for atom, bit in self._bits.items() if atom.tool == tool]
        always = sum(bit for atom, bit in atoms if atom.guard is None)
        tests = [
            (bit, not g.mentions_status(atom.guard), compile_guard(atom.guard, ()))
            for atom, bit in atoms
            if atom.guard is not None
        ]
        return _read(always, tests) if tests else always


def _read(always: int, tests: list[tuple[int, bool, Test]]) -> Callable[[Event], int]:
    def read(event: Event) -> int:
        ok = event.status is Status.OK
        bits = always if ok else 0
        for bit, needs_ok, test in tests:
            if (ok or not needs_ok) and test(event, ()):
                bits |= bit
        return bits

    return read
