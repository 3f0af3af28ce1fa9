"""Drawing a text that matches a schema's `pattern`.

    draw_pattern("^[A-Z]{2}-[0-9]{4}$", random.Random(0))  # such as 'YU-0416'

Covers what tool schemas use: literals, classes, groups, alternatives, and the repeats `? * + {m,n}`.
Look-arounds, back-references and the like raise `UnsupportedPattern`. Whoever draws checks the
result: anchors inside a pattern are ignored.
"""

import string
from collections.abc import Callable
from random import Random
from typing import TypeAlias

_UNBOUNDED = 4
_MOST = 2_000
_CLASSES = {"d": string.digits, "w": string.ascii_letters + string.digits + "_", "s": " "}
_PRINTABLE = "".join(chr(code) for code in range(32, 127))
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}

_Node: TypeAlias = Callable[[Random], str]


class UnsupportedPattern(ValueError):
    """The pattern uses something that is not covered."""


def draw_pattern(pattern: str, rng: Random) -> str:
    """Return a text built along the pattern; raise `UnsupportedPattern` where that is not covered."""
    reader = _Reader(pattern)
    node = reader.alternatives()
    if reader.rest:
        raise UnsupportedPattern(f"unexpected {reader.rest[0]!r} in {pattern!r}")
    return node(rng)


class _Reader:
    """Recursive descent over the pattern."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    @property
    def rest(self) -> str:
        return self._pattern[self._at :]

    def alternatives(self) -> _Node:
        options = [self._sequence()]
        while self._take("|"):
            options.append(self._sequence())
        return lambda rng: rng.choice(options)(rng)

    def _sequence(self) -> _Node:
        parts: list[_Node] = []
        while self.rest and self.rest[0] not in "|)":
            if self.rest[0] in "^$":
                self._at += 1
            elif not self._take("\\A") and not self._take("\\z") and not self._take("\\Z"):
                parts.append(self._repeated(self._atom()))
        return lambda rng: "".join(part(rng) for part in parts)

    def _atom(self) -> _Node:
        if self._take("("):
            if self.rest.startswith("?") and not self._take("?:"):
                raise UnsupportedPattern(f"special group in {self._pattern!r}")
            inner = self.alternatives()
            self._expect(")")
            return inner
        if self._take("["):
            return _one_of(self._members())
        if self._take("."):
            return _one_of(_PRINTABLE)
        return _one_of(self._characters())

    def _repeated(self, node: _Node) -> _Node:
        low, high = self._bounds()
        if self._take("?") or self._take("+"):  # lazy and possessive repeats match the same texts
            pass
        return lambda rng: "".join(node(rng) for _ in range(rng.randint(low, high)))

    def _bounds(self) -> tuple[int, int]:
        for mark, bounds in (("?", (0, 1)), ("*", (0, _UNBOUNDED)), ("+", (1, _UNBOUNDED))):
            if self._take(mark):
                return bounds
        if not self._take("{"):
            return 1, 1
        inside, closed, _ = self.rest.partition("}")
        low, comma, high = inside.partition(",")
        if not closed or not low.isdecimal() or (high and not high.isdecimal()):
            raise UnsupportedPattern(f"repeat {{{inside}}} in {self._pattern!r}")
        self._at += len(inside) + 1
        least = int(low)
        most = int(high) if high else least + (_UNBOUNDED if comma else 0)
        if not least <= most <= _MOST:
            raise UnsupportedPattern(f"repeat {{{inside}}} in {self._pattern!r}")
        return least, most

    def _members(self) -> str:
        """The characters of a class, after its opening bracket."""
        negated, found, first = self._take("^"), "", True
        while first or not self.rest.startswith("]"):
            first = False
            members = self._characters()
            if len(members) == 1 and self.rest.startswith("-") and not self.rest.startswith("-]"):
                self._at += 1
                members = _range(members, self._characters())
            found += members
        self._expect("]")
        return "".join(c for c in _PRINTABLE if c not in found) if negated else found

    def _characters(self) -> str:
        """One character, or those that an escape such as `\\d` stands for."""
        if not self.rest:
            raise UnsupportedPattern(f"{self._pattern!r} ends too early")
        self._at += 1
        character = self._pattern[self._at - 1]
        if character != "\\":
            return character
        if not self.rest:
            raise UnsupportedPattern(f"{self._pattern!r} ends too early")
        self._at += 1
        escaped = self._pattern[self._at - 1]
        known = _CLASSES.get(escaped) or _ESCAPES.get(escaped)
        if known is None and escaped.isalnum():
            raise UnsupportedPattern(f"escape \\{escaped} in {self._pattern!r}")
        return known or escaped

    def _take(self, mark: str) -> bool:
        taken = self.rest.startswith(mark)
        self._at += len(mark) if taken else 0
        return taken

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise UnsupportedPattern(f"{mark!r} is missing in {self._pattern!r}")


def _one_of(characters: str) -> _Node:
    if not characters:
        raise UnsupportedPattern("an empty class")
    return lambda rng: rng.choice(characters)


def _range(first: str, last: str) -> str:
    if len(last) != 1 or not 0 <= ord(last) - ord(first) <= 0xFFFF:
        raise UnsupportedPattern(f"range {first}-{last}")
    return "".join(map(chr, range(ord(first), ord(last) + 1)))
