"""What is wrong with a text that does not parse, in words.

    a AND THEN b   →   unexpected 'b' at column 12; expected an operator such as & or ->, …;
                       there is no operator THEN: write a & X F b for a, and b later

The parser knows where it stopped and what could have stood there; the hints know what people write.
"""

import re
from collections.abc import Collection
from typing import cast

from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from lexgym.errors import FormulaSyntaxError, near_miss
from lexgym.oracles.ltlf.declare import template_named

_SYMBOLS = ("->", "<->", "=>", "<=>", "&", "&&", "|", "||", "!", "=", "!=", "<", ">", "<=", ">=")

_SYMBOL_HINTS = {
    "~": "!",
    "¬": "!",
    "^": "&",
    "∧": "&",
    "/\\": "&",
    "∨": "|",
    "\\/": "|",
    "→": "->",
    "⇒": "->",
    "-->": "->",
    "==>": "->",
    "|->": "->",
    "↔": "<->",
    "⇔": "<->",
    "□": "G",
    "◇": "F",
    "◊": "F",
    "○": "X",
    "[]": "G",
    "<>": "F",
    "⊤": "true",
    "⊥": "false",
    "∀": "forall",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "∈": "in",
}

_WORD_HINTS = {
    "then": "write a & X F b for a, and b later",
    "next": "write NEXT or X",
    "eventually": "write EVENTUALLY or F",
    "finally": "write EVENTUALLY or F",
    "always": "write ALWAYS or G",
    "globally": "write ALWAYS or G",
    "never": "write G !a",
    "until": "write UNTIL or U",
    "unless": "write W",
    "release": "write R",
    "releases": "write R",
    "since": "write S",
    "once": "write O",
    "historically": "write H",
    "yesterday": "write Y",
    "previously": "write Y",
    "iff": "write <->",
    "xor": "write !(a <-> b)",
    "implies": "write IMPLIES or ->",
    "if": "write a -> b",
    "before": "write precedence(a, b)",
    "after": "write response(a, b)",
    "exists": "only forall, at the very beginning",
    "and": "write AND or &",
    "or": "write OR or |",
    "not": "write NOT or !",
}

_UNARY_WORDS = frozenset("X WX N F G Y O H NEXT EVENTUALLY ALWAYS NOT".split())  # noqa: SIM905
_BINARY_WORDS = frozenset("U R W M S UNTIL AND OR IMPLIES".split())  # noqa: SIM905

_LANGUAGE = _UNARY_WORDS | _BINARY_WORDS | {"and", "or", "not"}

_PHRASES = (
    ({"UNARY"}, {"UNARY", "NAME", "STRING", "INTEGER", "LPAR", "_NOT"}, "a formula"),
    (
        {"NAME", "INTEGER", "_NOT"},
        {"NAME", "INTEGER", "STRING", "LPAR", "_NOT", "_NULL"},
        "a condition such as amount > 5",
    ),
    ({"NAME", "INTEGER"}, {"NAME", "INTEGER", "STRING", "LPAR", "_NULL"}, "a value"),
    ({"STRING", "INTEGER"}, {"STRING", "INTEGER", "_NULL"}, "a literal"),
    ({"_IMPLIES"}, {"_IMPLIES", "IFF", "_AND", "_OR", "BINARY", "LPAR", "LSQB"}, "an operator such as & or ->"),
    ({"COMPARATOR"}, {"COMPARATOR", "_IN", "_NOT"}, "a comparison such as = or in"),
    ({"_AND"}, {"_AND"}, "'and'"),
    ({"_NULL", "_NOT"}, {"_NULL", "_NOT"}, "'null' or 'not null'"),
    ({"_NULL"}, {"_NULL"}, "'null'"),
    ({"_IN"}, {"_IN"}, "'in'"),
    ({"_UPTO"}, {"_UPTO"}, "'<='"),
    ({"INTEGER"}, {"INTEGER"}, "a whole number"),
    ({"VARIABLE"}, {"VARIABLE"}, "a variable"),
    ({"LSQB"}, {"LSQB"}, "'['"),
    ({"COMMA"}, {"COMMA"}, "','"),
    ({"DOT"}, {"DOT"}, "'.'"),
    ({"RPAR"}, {"RPAR"}, "')'"),
    ({"RSQB"}, {"RSQB"}, "']'"),
    ({"$END"}, {"$END"}, "the end"),
)
"""Terminals that stand for something together, those that the phrase then covers, and the phrase."""

_RUN = frozenset("!&|<>=-~^/\\¬∧∨→⇒↔⇔□◇◊○⊤⊥∀≤≥≠∈")


def explain(text: str, error: UnexpectedInput) -> FormulaSyntaxError:
    """Return the error to raise for a text that the parser refused."""
    at_end = isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and error.token.type == "$END")
    position = len(text) if at_end else error.pos_in_stream or 0
    expected = _possible(error)
    word = "" if at_end else _word_at(text, position, error)
    what = "the formula ends too early" if at_end else f"unexpected {word!r} at column {position + 1}"
    hint = _hint(text, position, word, expected)
    return FormulaSyntaxError(f"{what}; expected {_phrase(expected)}{'; ' * bool(hint)}{hint}", column=position + 1)


def _possible(error: UnexpectedInput) -> frozenset[str]:
    parser = getattr(error, "interactive_parser", None)
    if parser is not None:
        return frozenset(parser.accepts())
    return frozenset(cast(Collection[str], getattr(error, "allowed", None) or ()))


def _phrase(expected: Collection[str]) -> str:
    left = set(expected)
    parts = []
    for needed, covered, phrase in _PHRASES:
        if needed <= left:
            left -= covered
            parts.append(phrase)
    return ", ".join(parts[:-1]) + " or " + parts[-1] if len(parts) > 1 else "".join(parts) or "something else"


def _word_at(text: str, position: int, error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedCharacters):
        return (text[position : position + 20].split() or [text[position]])[0]
    return str(cast(UnexpectedToken, error).token)[:40]


def _hint(text: str, position: int, word: str, expected: frozenset[str]) -> str:
    before = text[max(0, position - 200) : position].rstrip()
    previous = _last_word(before)
    rest = re.match(r"[\w -]*", text[position : position + 60])
    hints = (
        _of_brackets(text, word),
        _of_forall(before),
        _of_symbols(text, position, word, expected),
        _of_bounds(word, previous, expected),
        _of_templates(before, rest[0] if rest else ""),
        _of_names(word, previous, expected),
        _of_literals(word, expected),
    )
    return next((hint for hint in hints if hint), "")


def _last_word(text: str) -> str:
    found = re.search(r"[^\W\d][\w.]*$", text)
    return found[0] if found else ""


def _of_forall(before: str) -> str:
    if before.lower().endswith("forall") and before.lower() != "forall":
        return "forall stands only at the very beginning, as in 'forall x. G(…)'"
    return ""


def _of_brackets(text: str, word: str) -> str:
    """Say which bracket has no partner, where that is why the parser stopped."""
    if word not in ("", ")", "]"):
        return ""
    pairs = {")": "(", "]": "["}
    waiting: list[tuple[str, int]] = []
    for found in re.finditer(r'"(?:\\.|[^"\\\n])*"|[()\[\]]', text):
        bracket, column = found[0], found.start() + 1
        if bracket in "([":
            waiting.append((bracket, column))
        elif bracket in pairs:
            if not waiting:
                return f"the {bracket!r} at column {column} closes nothing"
            opened, at = waiting.pop()
            if opened != pairs[bracket]:
                return f"the {opened!r} at column {at} is not closed before the {bracket!r} at column {column}"
    if waiting and not word:
        return f"the {waiting[-1][0]!r} at column {waiting[-1][1]} is never closed"
    return ""


def _of_symbols(text: str, position: int, word: str, expected: frozenset[str]) -> str:
    if text[position : position + 2] == "[]":
        return "write G for []"
    start, end = position, position
    while start > 0 and text[start - 1] in _RUN and position - start < 10:
        start -= 1
    while end < len(text) and text[end] in _RUN and end - position < 10:
        end += 1
    run = text[start:end]
    if run in _SYMBOL_HINTS:
        return f"write {_SYMBOL_HINTS[run]} for {run}"
    if run == "-" and "_IMPLIES" in expected and (name := re.search(r"[\w.-]+$", text[:position][-60:])):
        rest = re.match(r"[\w.-]+", text[position : position + 60])
        return f'a name with a hyphen is quoted: "{name[0]}{rest[0] if rest else ""}"'
    if run in ("=", "==", "!=", "<", ">", "<=", ">=") and "_IMPLIES" in expected:
        return "a condition stands in brackets after the tool, as in pay[amount > 5]"
    if len(run) > 1 and run not in _SYMBOLS:
        return f"there is no operator {run!r}{near_miss(run, _SYMBOLS)}"
    return f"write {_SYMBOL_HINTS[word[0]]} for {word[0]}" if word and word[0] in _SYMBOL_HINTS else ""


def _of_bounds(word: str, previous: str, expected: frozenset[str]) -> str:
    if "_UPTO" in expected:
        return "a bound is written F[<=5] or G[<=5]"
    if word == "[" and previous in _UNARY_WORDS | _BINARY_WORDS:
        return "only F and G take a bound"
    return ""


def _of_templates(before: str, rest: str) -> str:
    template = template_named(f"{before[-60:]} {rest}") if rest.strip() else None
    return f"the template is written {template}(…)" if template else ""


def _of_names(word: str, previous: str, expected: frozenset[str]) -> str:
    for candidate in (word, previous):
        if candidate.lower() in _WORD_HINTS and candidate not in _LANGUAGE:
            return f"there is no operator {candidate}: {_WORD_HINTS[candidate.lower()]}"
    if "UNARY" in expected:
        for candidate in (previous, word):
            if candidate in _UNARY_WORDS | _BINARY_WORDS:
                return f'{candidate} is an operator; a tool of that name is written "{candidate}"'
    if "_IMPLIES" in expected and word[:1].isalnum() and previous:
        return "a name with spaces is quoted, and two formulas need an operator between them"
    return ""


def _of_literals(word: str, expected: frozenset[str]) -> str:
    if word[:1] == "'":
        return "a string stands in double quotes"
    if word[:1] == '"':
        return "the string has no closing quote, or stands where no string can"
    if word[:1].isdecimal() and "UNARY" in expected:
        return "a number is no formula"
    if "INTEGER" in expected and (word == "." or (word[:1].isdecimal() and not word.isdecimal())):
        return "a number is written 12 or 0.5"
    return ""
