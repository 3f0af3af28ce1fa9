"""Rules with atoms that bind some of the variables, events for them, and a judge that knows neither guards nor slices.

Each atom stands beside a function that says of an event and values whether it holds; a body is a formula
over the atoms' names in this table. The judge tries all values that an event can give.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from hypothesis import strategies as st

from lexgym.core import Event, Status, ToolCall
from lexgym.oracles.ltlf import Formula, parse, satisfies, to_text
from lexgym.oracles.ltlf import syntax as s

from .strategies import compose

GIVEN = ("u", 1, True)
"""The values that events give; 1 and true are two."""


class Known(NamedTuple):
    """An atom as text, the variables that it binds, and whether an event matches it under values of x, y and z."""

    text: str
    binds: str
    holds: Callable[..., bool]


def _is(event: Event, name: str, value: Any) -> bool:
    return _same(event.call.arguments.get(name), value)


def _same(one: Any, two: Any) -> bool:
    return type(one) is type(two) and bool(one == two)


def _ok(event: Event, tool: str) -> bool:
    return event.call.name == tool and event.status is Status.OK


def _more(event: Event) -> bool:
    return bool((event.call.arguments.get("amount") or 0) > 1)


def _result(event: Event) -> Any:
    return event.result["of"]


TWO = (
    Known("pay[to = x, by = y]", "xy", lambda e, x, y: _ok(e, "pay") and _is(e, "to", x) and _is(e, "by", y)),
    Known(
        "pay[amount > 1, by = x, to = y]",
        "xy",
        lambda e, x, y: _ok(e, "pay") and _is(e, "by", x) and _is(e, "to", y) and _more(e),
    ),
    Known("move[to = x, of = y]", "xy", lambda e, x, y: _ok(e, "move") and _is(e, "to", x) and _is(e, "of", y)),
    Known("pay[to = x]", "x", lambda e, x, y: _ok(e, "pay") and _is(e, "to", x)),
    Known("pay[by = y, amount > 1]", "y", lambda e, x, y: _ok(e, "pay") and _is(e, "by", y) and _more(e)),
    Known("move[of = y]", "y", lambda e, x, y: _ok(e, "move") and _is(e, "of", y)),
    Known("lock[of = x]", "x", lambda e, x, y: _ok(e, "lock") and _is(e, "of", x)),
    Known("lock[of = y]", "y", lambda e, x, y: _ok(e, "lock") and _is(e, "of", y)),
    Known(
        'lock[of = x, status = "refused"]',
        "x",
        lambda e, x, y: e.call.name == "lock" and e.status is Status.REFUSED and _is(e, "of", x),
    ),
    Known("note[result.of = x]", "x", lambda e, x, y: _ok(e, "note") and _same(_result(e), x)),
    Known("pay[amount > 1]", "", lambda e, x, y: _ok(e, "pay") and _more(e)),
    Known("stop", "", lambda e, x, y: _ok(e, "stop")),
)
"""Atoms of rules with x and y; the first binds both."""

ONE_PART = tuple(atom for atom in TWO if atom.binds != "y")
"""Those of them that bind both, x or nothing."""

THREE = (
    Known(
        "pay[to = x, by = y, of = z]",
        "xyz",
        lambda e, x, y, z: _ok(e, "pay") and _is(e, "to", x) and _is(e, "by", y) and _is(e, "of", z),
    ),
    Known("pay[to = x]", "x", lambda e, x, y, z: _ok(e, "pay") and _is(e, "to", x)),
    Known("move[to = x, of = z]", "xz", lambda e, x, y, z: _ok(e, "move") and _is(e, "to", x) and _is(e, "of", z)),
    Known("move[of = y]", "y", lambda e, x, y, z: _ok(e, "move") and _is(e, "of", y)),
    Known("lock[of = z]", "z", lambda e, x, y, z: _ok(e, "lock") and _is(e, "of", z)),
    Known("stop", "", lambda e, x, y, z: _ok(e, "stop")),
)
"""Atoms of rules with x, y and z; the first binds all."""

TABLES = (TWO, ONE_PART, THREE)


class Case(NamedTuple):
    """A rule, its body over the names of the atoms, and the table that these are from."""

    rule: s.Forall
    body: Formula
    table: tuple[Known, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.table[0].binds)

    def used(self) -> Mapping[str, Known]:
        """The atoms of the body by their names."""
        return {f"p{i}": atom for i, atom in enumerate(self.table) if s.Atom(f"p{i}") in s.atoms_of(self.body)}

    def word(self, trace: Sequence[Event], values: Sequence[Any]) -> list[frozenset[str]]:
        """Return the steps of a slice, each as the names of the atoms that hold there."""
        atoms = self.used()
        binding = [atom for atom in atoms.values() if atom.binds]
        pool = list(product(GIVEN, repeat=len(self.names)))
        steps = [
            event
            for event in trace
            if any(atom.holds(event, *values) for atom in binding)
            or not any(atom.holds(event, *other) for atom in binding for other in pool)
        ]
        return [frozenset(name for name, atom in atoms.items() if atom.holds(event, *values)) for event in steps]

    def met(self, trace: Sequence[Event]) -> list[tuple[Any, ...]]:
        """Return the values of which a slice began."""
        whole = [atom for atom in self.used().values() if len(atom.binds) == len(self.names)]
        pool = product(GIVEN, repeat=len(self.names))
        return [values for values in pool if any(atom.holds(e, *values) for e in trace for atom in whole)]

    def kept(self, trace: Sequence[Event]) -> bool:
        """Whether the rule holds, from the definition."""
        return all(satisfies(self.body, self.word(trace, values)) for values in self.met(trace))


def case(body: Formula, table: tuple[Known, ...]) -> Case:
    """Return the rule of a body over names of atoms, with the first atom in it whatever the body is."""
    whole = s.And((body, s.Or((s.Atom("p0"), s.Truth(True)))))
    text = re.sub(r"\bp(\d+)\b", lambda found: table[int(found[1])].text, to_text(whole))
    rule = parse(f"forall {', '.join(table[0].binds)}. {text}")
    assert isinstance(rule, s.Forall)
    return Case(rule, whole, table)


SHARP = (
    ("(!p0) W p6", TWO),
    ("((!p0) W p6) & ((!p0) W p7)", TWO),
    ("((!p2) W p9) & ((!p0) W p7)", TWO),
    ("G(p0 -> Y((!p3) S p2))", TWO),
    ("G(p0 -> (!p6) W p2)", TWO),
    ("((!p6) U p11) | !F p0", TWO),
    ("absence(2, p0) & (F p3 | F p11)", TWO),
    ("G(p0 -> F p3) & absence(3, p11)", TWO),
    ("((!p0) W p4) & ((!p0) W p3)", THREE),
    ("((!p0) W p2) & ((!p0) W p4) & ((!p0) W p1)", THREE),
    ("absence(5, p1 | p2 | p3 | p4) & exactly(3, p5)", THREE),
)
"""Bodies that turn on what came before a slice, on parts together, or on how often something came."""


@st.composite
def cases(draw: st.DrawFn, leaves: int = 5) -> Case:
    """Draw a rule of some table."""
    if draw(st.booleans()):
        text, table = draw(st.sampled_from(SHARP))
        return case(parse(text), table)
    table = draw(st.sampled_from(TABLES))
    names = st.sampled_from([s.Atom(f"p{i}") for i in range(len(table))])
    return case(draw(st.recursive(names, compose, max_leaves=leaves)), table)


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Draw an event that such rules may speak of."""
    name = draw(st.sampled_from(["pay", "pay", "move", "lock", "note", "stop", "other"]))
    keys = {"pay": ("to", "by", "of"), "move": ("to", "of"), "lock": ("of",)}.get(name, ())
    values = st.sampled_from([*GIVEN, *GIVEN, None] if name == "pay" else GIVEN)
    arguments = {key: draw(values) for key in keys}
    if name == "pay":
        arguments["amount"] = draw(st.sampled_from([1, 2]))
    status = draw(st.sampled_from([Status.OK, Status.OK, Status.OK, Status.REFUSED]))
    return Event(ToolCall(name, arguments), {"of": draw(st.sampled_from(GIVEN))}, status)
