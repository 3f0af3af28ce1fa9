"""Formula → automaton over tool events, sliced by the values of `forall`.

    forall p. (!pay[payee = p]) W confirm[payee = p]

Each distinct atom is a proposition, computed once per event by a closure. A tuple of values is met
when an event matches an atom that binds it. The slice of a tuple holds the events that match an
atom under it and those that match a binding atom under no tuple; events bound only to other tuples
are no steps of it (Chen and Roşu, "Parametric Trace Slicing and Monitoring", 2009). An atom may bind
some of the variables only; then its events belong to every slice that has these values, and begin none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from lexgym.core import Event, Status
from lexgym.errors import FormulaError, SignatureError, StateLimitExceeded
from lexgym.oracles.ltlf import guards as g
from lexgym.oracles.ltlf import syntax as s
from lexgym.oracles.ltlf.automaton import DFA, RV
from lexgym.oracles.ltlf.bindings import binding_of, binds_all
from lexgym.oracles.ltlf.combinations import always_binds, combinations
from lexgym.oracles.ltlf.compiler import MAX_LETTERS, MAX_STATES, build
from lexgym.oracles.ltlf.evaluation import Test, compile_guard, exact, text_of, value_at
from lexgym.oracles.ltlf.parser import as_formula, parse
from lexgym.oracles.ltlf.signature import Signature, ToolSignature
from lexgym.oracles.ltlf.syntax import Atom, Formula

if TYPE_CHECKING:
    from lexgym.oracles.ltlf.monitor import RuleMonitor

Key: TypeAlias = tuple[Any, ...]
"""A tuple of values in hashable form, in which `true` is not 1; None stands for a value not given."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What one step can be: the atoms (as bits) that a call of `tool` makes true."""

    tool: str | None
    mask: int
    column: int
    ok: bool


_OK = Status.OK

Binding: TypeAlias = Callable[[Event], Key | None]
"""Gives the values of the variables where an event matches an atom, else None."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the propositions of one tool off an event.

    `mask` gives the atoms without variables; `binding` has the others, each as its bit and its
    values. `only` is there when all of the tool's atoms have the same bit: the commonest case.
    """

    mask: Callable[[Event], int]
    binding: tuple[tuple[int, Binding], ...]
    only: tuple[int, Binding] | None = None

    def bound(self, event: Event) -> dict[Key, int]:
        """Return the atoms that hold under each tuple of values that the event gives."""
        found: dict[Key, int] = {}
        for bit, binding in self.binding:
            key = binding(event)
            if key is not None:
                found[key] = found.get(key, 0) | bit
        return found

    def within(self, event: Event, key: Key) -> int | None:
        """Return the atoms that hold in the slice of a key, or None when the event is no step of it."""
        parts = self.bound(event)
        held = [mask for part, mask in parts.items() if is_part(part, key)]
        return None if parts and not held else reduce(or_, held, self.mask(event))


def is_part(part: Key, key: Key) -> bool:
    """Whether a key has all the values that a part of one gives."""
    for value, other in zip(part, key, strict=True):  # noqa: SIM110 - twice as fast as `all`
        if value is not None and value != other:
            return False
    return True


class _Kept:
    """The value that a key was made of; it takes no part in comparing keys."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept)

    def __hash__(self) -> int:
        return 0


def hashable(value: Any) -> Any:
    """Return a JSON value in a form that compares by type and value; `original` undoes it."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return exact(value) if math.isfinite(value) else ("number", str(value))
    return ("json", text_of(value), _Kept(value))


def original(part: Any) -> Any:
    """Return the value that `hashable` was given."""
    if isinstance(part, Fraction):
        return int(part) if part.denominator == 1 else float(part)
    if not isinstance(part, tuple):
        return part
    if part[0] == "json":
        return part[2].value
    return part[1] if part[0] == "boolean" else float(part[1])


@dataclass(frozen=True, eq=False)
class RuleAutomaton:
    """A rule compiled: one minimal automaton, and the readers that turn events into its letters.

    `columns` maps atoms (as bits) to letters. `positions` says which variables an atom binds, by their
    places in a key; `binding_bits` are the atoms that bind any, `begin_bits` those that bind all. `idle` says
    that events of tools which the rule does not name change no state. `independent` says that an event moves
    one slice at most. Every usual call of a tool in `beginners` begins a slice or continues one.
    """

    formula: Formula
    variables: tuple[str, ...]
    bits: dict[Atom, int]
    dfa: DFA
    letters: tuple[Letter, ...]
    columns: dict[int, int]
    readers: dict[str, Reader]
    positions: dict[int, tuple[int, ...]]
    binding_bits: int
    begin_bits: int
    beginners: frozenset[str]
    idle: bool
    independent: bool
    signatures: dict[str, ToolSignature] = field(default_factory=dict)
    forbidden_cache: dict[Any, frozenset[str | None]] = field(default_factory=dict)

    @property
    def tools(self) -> frozenset[str]:
        """The tools that the rule names."""
        return frozenset(self.readers)

    @cached_property
    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """The sets of variables that events can have given without beginning a slice, the largest first.

        Of each two, what they give together is there too. None when every atom binds all or no variables.
        """
        found = {frozenset(each) for each in self.positions.values() if len(each) < len(self.variables)}
        while more := {one | two for one in found for two in found} - found:
            found |= more
        return tuple(sorted((tuple(sorted(each)) for each in found), key=lambda each: (-len(each), each)))

    @cached_property
    def idle_columns(self) -> tuple[bool, ...]:
        """Whether each letter changes no state."""
        return tuple(map(self.dfa.idle, range(len(self.columns))))

    @cached_property
    def born_safe(self) -> tuple[bool, ...]:
        """For each state from which slices could begin, whether all that ever begin are satisfied for good."""
        bound = [column for mask, column in self.columns.items() if mask & self.begin_bits]
        unbound = [column for mask, column in self.columns.items() if not mask & self.begin_bits]
        rows, colours = self.dfa.rows, self.dfa.colours
        safe = [all(colours[row[column]] is RV.PS for column in bound) for row in rows]
        while True:
            now = [safe[q] and all(safe[row[column]] for column in unbound) for q, row in enumerate(rows)]
            if now == safe:
                return tuple(safe)
            safe = now

    def __reduce__(self) -> tuple[Any, ...]:
        return _compile, (self.formula, tuple(self.signatures.items()), MAX_STATES, MAX_LETTERS)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """The colour of each state as a number: PV 0, CV 1, CS 2, PS 3."""
        return tuple((RV.PV, RV.CV, RV.CS, RV.PS).index(colour) for colour in self.dfa.colours)

    @cached_property
    def settled(self) -> tuple[bool, ...]:
        """Whether the verdict of each state is for good."""
        return tuple(colour in (RV.PS, RV.PV) for colour in self.dfa.colours)

    def column(self, mask: int, event: Event) -> int:
        """Return the letter of an event, given the atoms that it makes true.

        Raises FormulaError for a combination that compilation ruled out.
        """
        column = self.columns.get(mask)
        if column is None:
            raise FormulaError(
                f"step {event.step}: {event.call} makes a combination of the atoms of "
                f"'{self.formula}' true that was judged impossible"
            )
        return column

    def monitor(self) -> RuleMonitor:
        """Return a monitor before the first event."""
        from lexgym.oracles.ltlf.monitor import PlainMonitor
        from lexgym.oracles.ltlf.partly import monitor_class

        return monitor_class(self)(self) if self.variables else PlainMonitor(self)

    def accepts(self, trace: Iterable[Event]) -> bool:
        """Return whether the rule holds on a trace of events."""
        monitor = self.monitor()
        for event in trace:
            monitor.step(event)
        return monitor.satisfied

    def binding(self, key: Key) -> dict[str, Any]:
        """Return the values of a slice by variable."""
        return {name: original(part) for name, part in zip(self.variables, key, strict=True)}


def compile_rule(
    formula: Formula | str,
    signature: Signature | None = None,
    *,
    max_states: int = MAX_STATES,
    max_letters: int = MAX_LETTERS,
) -> RuleAutomaton:
    """Compile a rule over tool events; the same formula is compiled once.

    Raises FormulaSyntaxError, SignatureError or StateLimitExceeded: a rule that cannot be judged
    judges nobody.
    """
    parsed = as_formula(formula)
    for name, tool in (signature or {}).items():
        if not isinstance(tool, ToolSignature):
            raise SignatureError(f"the signature of {name!r} is a ToolSignature, not {type(tool).__name__}")
    parsed = parse(str(formula), signature) if signature is not None else parsed
    named = sorted({atom.tool for atom in s.atoms_of(parsed)})
    known = tuple((tool, signature[tool]) for tool in named) if signature is not None else ()
    return _compile(parsed, known, max_states, max_letters)


@lru_cache(maxsize=4096)
def _compile(
    formula: Formula, known: tuple[tuple[str, ToolSignature], ...], max_states: int, max_letters: int
) -> RuleAutomaton:
    signatures = dict(known)
    variables, body = (formula.variables, formula.body) if isinstance(formula, s.Forall) else ((), formula)
    bits = {atom: 1 << i for i, atom in enumerate(s.atoms_of(body))}
    by_tool: dict[str, dict[Atom, int]] = {}
    for atom, bit in bits.items():
        by_tool.setdefault(atom.tool, {})[atom] = bit
    found = {
        tool: combinations(atoms, variables, max_letters, signature=signatures.get(tool))
        for tool, atoms in by_tool.items()
    }
    masks = list(dict.fromkeys([0, *(mask for tool in found.values() for mask in tool.every)]))
    if len(masks) > max_letters:
        raise StateLimitExceeded(f"the rule's atoms make {len(masks)} letters, the limit is {max_letters}")
    columns = {mask: column for column, mask in enumerate(masks)}
    dfa = build(body, bits, masks, max_states)
    letters = [Letter(None, 0, 0, ok=True)]
    letters += [Letter(t, m, columns[m], ok=m in c.ok) for t, c in found.items() for m in c.every]
    positions = {bit: _positions(atom, variables) for atom, bit in bits.items() if binding_of(atom, variables)}
    bound = sum(positions)
    unbound = [column for mask, column in columns.items() if not mask & bound]
    one_each = all(_one_tuple(atoms, variables) for atoms in by_tool.values())
    whole = [atom for atom in bits if binds_all(atom, variables)]
    return RuleAutomaton(
        formula=formula,
        variables=variables,
        bits=bits,
        dfa=dfa,
        letters=tuple(letters),
        columns=columns,
        readers={tool: _reader(atoms, variables) for tool, atoms in by_tool.items()},
        positions=positions,
        binding_bits=bound,
        begin_bits=sum(bits[atom] for atom in whole),
        beginners=frozenset(atom.tool for atom in whole if always_binds(atom, variables)),
        idle=dfa.idle(0),
        independent=one_each and len(whole) == len(positions) and all(dfa.idle(column) for column in unbound),
        signatures=signatures,
    )


def _positions(atom: Atom, variables: tuple[str, ...]) -> tuple[int, ...]:
    """Return the places, in a key, of the variables that an atom binds."""
    places = binding_of(atom, variables) or {}
    return tuple(number for number, name in enumerate(variables) if name in places)


def _one_tuple(atoms: dict[Atom, int], variables: tuple[str, ...]) -> bool:
    """Whether all atoms of a tool take the values from the same places."""
    places = [found for atom in atoms if (found := binding_of(atom, variables)) is not None]
    return all(found == places[0] for found in places)


def _reader(atoms: dict[Atom, int], variables: tuple[str, ...]) -> Reader:
    free: list[tuple[int, bool, Test | None]] = []
    binding: list[tuple[int, Binding]] = []
    for atom, bit in atoms.items():
        needs_ok = not g.mentions_status(atom.guard)
        places = binding_of(atom, variables)
        if places is None:
            free.append((bit, needs_ok, compile_guard(atom.guard, ()) if atom.guard else None))
        else:
            test = _remaining(atom, places, variables)
            given = [places[name] for name in variables if name in places]
            bound = _binding(given, needs_ok, test) if len(given) == len(variables) else None
            binding.append((bit, bound or _partial([places.get(name) for name in variables], needs_ok, test)))
    only = binding[0] if len(binding) == 1 and not free else None
    return Reader(_mask(free), tuple(binding), only)


def _binding(places: list[g.Field], needs_ok: bool, test: Test | None) -> Binding:
    values_of = [value_at(place, ()) for place in places]

    def binding(event: Event) -> Key | None:
        if needs_ok and event.status is not _OK:
            return None
        values = [value_of(event, ()) for value_of in values_of]
        if None in values or (test is not None and not test(event, values)):
            return None
        return tuple([value if value.__class__ is str else hashable(value) for value in values])

    if len(places) > 1 or places[0].root != "args" or len(places[0].path) > 1 or not needs_ok:
        return binding
    name = places[0].path[0]

    def argument(event: Event) -> Key | None:
        """The same for one variable that is an argument."""
        if event.status is not _OK:
            return None
        value = event.call.arguments.get(name)
        if value is None or (test is not None and not test(event, (value,))):
            return None
        return (value if value.__class__ is str else hashable(value),)

    return argument


def _partial(places: list[g.Field | None], needs_ok: bool, test: Test | None) -> Binding:
    """The same for an atom that binds some of the variables; None stands for the others."""
    values_of = [None if place is None else value_at(place, ()) for place in places]

    def binding(event: Event) -> Key | None:
        if needs_ok and event.status is not _OK:
            return None
        values = [None if value_of is None else value_of(event, ()) for value_of in values_of]
        missing = any(value is None and value_of is not None for value, value_of in zip(values, values_of, strict=True))
        if missing or (test is not None and not test(event, values)):
            return None
        return tuple([None if value is None else hashable(value) for value in values])

    return binding


def _mask(free: list[tuple[int, bool, Test | None]]) -> Callable[[Event], int]:
    """Return the reader of some atoms; most tools have one atom, which deserves a short way."""
    if not free:
        return lambda event: 0
    if len(free) > 1:
        one, rest = _mask(free[:1]), _mask(free[1:])
        return lambda event: one(event) | rest(event)
    bit, needs_ok, test = free[0]
    if test is None:
        return lambda event: bit if event.status is _OK else 0
    if needs_ok:
        return lambda event: bit if event.status is _OK and test(event, ()) else 0
    return lambda event: bit if test(event, ()) else 0


def _remaining(atom: Atom, places: dict[str, g.Field], variables: tuple[str, ...]) -> Test | None:
    """Return the test of what a guard asks beyond giving the variables their values."""
    giving = {(place, g.Var(name)) for name, place in places.items()}
    parts = [
        part
        for part in g.conjuncts(atom.guard)
        if not (
            isinstance(part, g.Compare)
            and part.op == "="
            and ((part.left, part.right) in giving or (part.right, part.left) in giving)
        )
    ]
    return compile_guard(g.GuardAnd(tuple(parts)), variables) if parts else None
