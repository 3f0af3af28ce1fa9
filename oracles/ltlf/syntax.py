"""LTLf formulas as data.

    >>> formula = Always(Implies(Atom("a"), Eventually(Atom("b"))))
    >>> formula is Always(Implies(Atom("a"), Eventually(Atom("b"))))
    True

Formulas are interned: equal ones are one object, so they compare and hash by identity whatever
their depth. Each meaning is one `match` over the closed union `Formula`; a walk is a loop over
`postorder`, never a recursion, so depth is no danger.
"""

import os
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeAlias, assert_never, cast

from lexgym.oracles.ltlf.guards import Guard

_nodes: "weakref.WeakValueDictionary[tuple[Any, ...], Any]" = weakref.WeakValueDictionary()
_lock = threading.RLock()


def _renew_lock() -> None:
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):  # a thread of the parent may have held the lock, and is not in the child
    os.register_at_fork(after_in_child=_renew_lock)


class _Interned(type):
    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        fresh = super().__call__(*args, **kwargs)
        with _lock:
            return _nodes.setdefault((cls, *fresh.parts_of()), fresh)


class _Node(metaclass=_Interned):
    __slots__ = ("__weakref__",)

    def parts_of(self) -> tuple[Any, ...]:
        """Return the constructor's arguments."""
        return tuple(getattr(self, item.name) for item in fields(self))  # type: ignore[arg-type]

    def __str__(self) -> str:
        from lexgym.oracles.ltlf.printer import to_text  # the printer reads the classes below

        return to_text(cast("Formula", self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self)!r:.200}>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), self.parts_of()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Truth(_Node):
    """`true` or `false`, everywhere, on the empty trace too."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Atom(_Node):
    """A call of `tool` for which `guard` holds; without a status guard, one that succeeded."""

    tool: str
    guard: Guard | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Last(_Node):
    """The last position; also true of the empty trace, like `WX false`."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(_Node):
    """Negation."""

    body: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(_Node):
    """Conjunction of two or more."""

    parts: tuple["Formula", ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(_Node):
    """Disjunction of two or more."""

    parts: tuple["Formula", ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Implies(_Node):
    """Implication."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Iff(_Node):
    """Equivalence."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Next(_Node):
    """Strong next: there is a next position and the body holds there."""

    body: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeakNext(_Node):
    """Weak next: if there is a next position, the body holds there."""

    body: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Eventually(_Node):
    """The body holds now or later, within `bound` further steps if given."""

    body: "Formula"
    bound: int | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Always(_Node):
    """The body holds from now on, for `bound` further steps if given."""

    body: "Formula"
    bound: int | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Until(_Node):
    """`left U right`: right comes, and left holds until just before it."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Release(_Node):
    """`left R right`: right holds up to and including the first left, or to the end."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeakUntil(_Node):
    """`left W right`: until, or left to the end."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StrongRelease(_Node):
    """`left M right`: release, and left does come."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Yesterday(_Node):
    """Strong yesterday: there is a previous position and the body holds there."""

    body: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Once(_Node):
    """The body holds now or held before."""

    body: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Historically(_Node):
    """The body holds now and held at every position before."""

    body: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Since(_Node):
    """`left S right`: right was so, and left has held ever after it."""

    left: "Formula"
    right: "Formula"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Forall(_Node):
    """`forall x, y. body`: the body, on the slice of every tuple of values that the trace meets."""

    variables: tuple[str, ...]
    body: "Formula"


Boolean: TypeAlias = Not | And | Or | Implies | Iff
Future: TypeAlias = Next | WeakNext | Eventually | Always | Until | Release | WeakUntil | StrongRelease
Past: TypeAlias = Yesterday | Once | Historically | Since
Formula: TypeAlias = Truth | Atom | Last | Boolean | Future | Past | Forall


def children(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct subformulas."""
    match formula:
        case Truth() | Atom() | Last():
            return ()
        case And(parts) | Or(parts):
            return parts
        case Not(body) | Next(body) | WeakNext(body) | Eventually(body) | Always(body):
            return (body,)
        case Yesterday(body) | Once(body) | Historically(body) | Forall(_, body):
            return (body,)
        case Implies(left, right) | Iff(left, right) | Until(left, right) | Release(left, right):
            return (left, right)
        case WeakUntil(left, right) | StrongRelease(left, right) | Since(left, right):
            return (left, right)
        case _:
            assert_never(formula)


def postorder(formula: Formula, below: Callable[[Formula], tuple[Formula, ...]] = children) -> list[Formula]:
    """Return every distinct subformula, each after its own subformulas."""
    done: dict[Formula, None] = {}
    stack: list[tuple[Formula, bool]] = [(formula, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            done[node] = None
        elif node not in done:
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(below(node)))
    return list(done)


def atoms_of(formula: Formula) -> tuple[Atom, ...]:
    """Return the distinct atoms, in order of appearance."""
    return tuple(node for node in postorder(formula) if isinstance(node, Atom))


def conjunction(parts: tuple[Formula, ...]) -> Formula:
    """Return the conjunction of any number of parts."""
    return Truth(True) if not parts else parts[0] if len(parts) == 1 else And(parts)


def disjunction(parts: tuple[Formula, ...]) -> Formula:
    """Return the disjunction of any number of parts."""
    return Truth(False) if not parts else parts[0] if len(parts) == 1 else Or(parts)
