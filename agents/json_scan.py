"""Finding the JSON objects in any text, empty ones aside, in time linear in its length.

    >>> text = 'I will do {this}: {"name": "finish", "arguments": {}}.'
    >>> [text[start:end] for start, end in spans(text)]
    ['{"name": "finish", "arguments": {}}']

A parse is started at every `{` that no earlier parse has already read as structure. Two parses over
the same place are either in step or exactly out of step about what is inside a string, so no
character is read more than twice, however the braces and quotes are arranged.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto

MAX_DEPTH = 64
"""Deepest nesting that is followed."""

_START = re.compile(r'\{(?=[ \t\r\n]*+")')
_TOKEN = re.compile(
    r"""[ \t\r\n]*+(?:
    (?P<string>"[^"\\\x00-\x1f]*+(?:\\["\\/bfnrtu][^"\\\x00-\x1f]*+)*+")
    | (?P<mark>[{}\[\],:])
    | (?P<scalar>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)
    )""",
    re.VERBOSE,
)


class _Want(Enum):
    """What may come next."""

    FIRST_KEY = auto()
    KEY = auto()
    COLON = auto()
    FIRST_ITEM = auto()
    VALUE = auto()
    COMMA = auto()


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield `(start, end)` of each outermost well-formed JSON object with a key, from left to right."""
    seen: set[int] = set()
    resume = 0
    for match in _START.finditer(text):
        start = match.start()
        if start < resume or start in seen:
            continue
        for span in _parse(text, start, seen):
            yield span
            resume = span[1]


def _parse(text: str, start: int, seen: set[int]) -> list[tuple[int, int]]:
    """Read one object; return its span, or if it is broken those of the whole objects inside it."""
    stack: list[tuple[str, int]] = []
    whole: list[tuple[int, int]] = []
    want, position = _Want.VALUE, start
    while token := _TOKEN.match(text, position):
        mark, position = token["mark"], token.end()
        if mark in ("{", "[") and want in (_Want.VALUE, _Want.FIRST_ITEM) and len(stack) < MAX_DEPTH:
            stack.append((mark, position - 1))
            if mark == "{":
                seen.add(position - 1)
            want = _Want.FIRST_KEY if mark == "{" else _Want.FIRST_ITEM
        elif mark in ("}", "]") and _closes(mark, stack[-1][0], want):
            opener, begin = stack.pop()
            if opener == "{" and want is _Want.COMMA:
                while whole and whole[-1][0] > begin:
                    whole.pop()
                whole.append((begin, position))
            if not stack:
                return [(start, position)]
            want = _Want.COMMA
        else:
            following = _after(token, want, stack)
            if following is None:
                break
            want = following
    return whole


def _closes(mark: str, opener: str, want: _Want) -> bool:
    if want is _Want.COMMA:
        return (opener, mark) in (("{", "}"), ("[", "]"))
    return (want, mark) in ((_Want.FIRST_KEY, "}"), (_Want.FIRST_ITEM, "]"))


def _after(token: re.Match[str], want: _Want, stack: list[tuple[str, int]]) -> _Want | None:
    """What may follow a token that neither opens nor closes, or None where it is out of place."""
    if want in (_Want.VALUE, _Want.FIRST_ITEM):
        return _Want.COMMA if token["mark"] is None else None
    if want in (_Want.KEY, _Want.FIRST_KEY):
        return _Want.COLON if token["string"] else None
    if want is _Want.COLON:
        return _Want.VALUE if token["mark"] == ":" else None
    if token["mark"] != ",":
        return None
    return _Want.KEY if stack[-1][0] == "{" else _Want.VALUE
