"""Formulas, traces and events that nobody chose, for the tests that set one meaning against another."""

from collections.abc import Callable

from hypothesis import strategies as st

from lexgym.core import Event, Status, ToolCall
from lexgym.oracles.ltlf import Formula, parse
from lexgym.oracles.ltlf import syntax as s

NAMES = ("a", "b", "c")


def compose(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    unary: tuple[Callable[[Formula], Formula], ...] = (
        s.Not,
        s.Next,
        s.WeakNext,
        s.Eventually,
        s.Always,
        s.Yesterday,
        s.Once,
        s.Historically,
    )
    binary: tuple[Callable[[Formula, Formula], Formula], ...] = (
        s.Implies,
        s.Iff,
        s.Until,
        s.Release,
        s.WeakUntil,
        s.StrongRelease,
        s.Since,
    )
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(lambda make, body: make(body), st.sampled_from(unary), inner),
        st.builds(lambda make, left, right: make(left, right), st.sampled_from(binary), inner, inner),
        st.builds(s.And, several),
        st.builds(s.Or, several),
        st.builds(
            lambda make, body, k: make(body, k), st.sampled_from([s.Eventually, s.Always]), inner, st.integers(0, 3)
        ),
    )


LEAVES = st.sampled_from([s.Truth(True), s.Truth(False), s.Last(), *map(s.Atom, NAMES)])
FORMULAS = st.recursive(LEAVES, compose, max_leaves=7)
MULTI = st.lists(st.frozensets(st.sampled_from(NAMES)), max_size=7)
SINGLE = st.lists(st.sampled_from([*(frozenset({n}) for n in (*NAMES, "other")), frozenset()]), max_size=7)

ATOMS = (
    "pay[to = x]",
    "pay[to = x, amount > 1]",
    'ask[who = x, status = "refused"]',
    "move[source = x]",
    "move[target = x]",
    "note[result.of = x]",
    "stop",
    'stop[status != "ok"]',
    "pay[amount = 2]",
)


def parse_atom(text: str) -> Formula:
    formula = parse(f"forall x. pay[to = x] & {text}")
    assert isinstance(formula, s.Forall)
    assert isinstance(formula.body, s.And)
    return formula.body.parts[1]


RULES = st.recursive(st.sampled_from(ATOMS).map(parse_atom), compose, max_leaves=5)
VALUES = st.sampled_from([None, 1, True, "1", [1]])


@st.composite
def events(draw: st.DrawFn) -> Event:
    name = draw(st.sampled_from(["pay", "ask", "move", "note", "stop", "other"]))
    keys = {"pay": ("to",), "ask": ("who",), "move": ("source", "target")}.get(name, ())
    arguments = {key: draw(VALUES) for key in keys}
    if name == "pay":
        arguments["amount"] = draw(st.sampled_from([None, 1, 2]))
    return Event(ToolCall(name, arguments), {"of": draw(VALUES)}, draw(st.sampled_from([Status.OK, Status.REFUSED])))


def sliced(body: Formula) -> s.Forall:
    """Return the rule of a body over `ATOMS`, in which `x` is bound whatever the body is."""
    return s.Forall(("x",), s.And((body, s.Or((parse_atom("pay[to = x]"), s.Truth(True))))))
