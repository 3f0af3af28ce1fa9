"""What an instruction leaves out: values of the target and of the requests that nobody can find out.

    missing(scenario, "Pay Novak Ltd.")
    ["amount = 'EUR 120.00' of initiate_payment", …]

A value has to be named, as people say it, where it is an argument of what is asked for, or where it is in the
difference between the initial state and the target and an argument of a call that is no safety step put it there. Keys
of rows that exist are named by what people call the row: tools reveal the key. Values that only tools make (new ids,
totals, states) and arguments that a phrase puts into other words (`trusted` as "no longer trusted") need no naming.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from lexgym.envs.domain import Domain
from lexgym.envs.judge import require_version
from lexgym.generators.phrases import STYLES, entries
from lexgym.generators.wording import Spoken, money, ordinal, requests
from lexgym.scenario import Scenario

_PIECE = re.compile(r"\"[^\"]*\"|\b\d[\d.,:/-]*\d\b|\b\d\b|\b[A-Z][\w&.'’-]*")
"""What a name or a description cannot do without: words in quotes, numbers, names."""


def missing(scenario: Scenario, text: str) -> list[str]:
    """Return what the text should name and does not, in words; empty where it is complete."""
    domain, said = require_version(scenario), Said(text)
    asked = [f"{name} = {words!r} of {step.call.name}" for step, name, words in _asked(domain, scenario, said)]
    return [*asked, *_changed(domain, scenario, said)]


class Said:
    """A text that can be asked whether it says a value."""

    def __init__(self, text: str) -> None:
        self._text = re.sub(r"\s+", " ", text).casefold()

    def literally(self, words: str) -> bool:
        """Whether the text has these words, not as a part of longer ones."""
        return re.search(rf"(?<!\w){re.escape(words.casefold())}(?!\w)", self._text) is not None

    def description(self, words: str) -> bool:
        """Whether the text has these words, or every name, number and quotation in them."""
        pieces = [piece.strip('".,') for piece in _PIECE.findall(words)]
        return self.literally(words) or bool(pieces and all(map(self.literally, pieces)))

    def value(self, value: Any) -> bool:
        """Whether the text says a value in one of the forms in which people say it."""
        return any(map(self.literally, forms(value)))


def forms(value: Any) -> Iterator[str]:
    """Yield how people say a value: as it is, as money, as a date, without underscores."""
    if isinstance(value, int):
        units, cents = divmod(abs(value), 100)
        amounts = [money(abs(value))[4:], f"{units}.{cents:02d}", *([f"{units:,}", str(units)] if cents == 0 else [])]
        yield from (
            f"{value:,}",
            str(value),
            ordinal(value),
            *(sign for a in amounts for sign in (f"EUR {a}", f"€{a}", f"€ {a}")),
        )
        yield from (f"{a} {unit}" for a in amounts for unit in ("EUR", "euros", "euro", "€"))
        if abs(value) > 100_000_000:
            yield datetime.fromtimestamp(value, UTC).date().isoformat()
        return
    text = str(value)
    yield from (text, text.replace("_", " "))
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        day = datetime.fromisoformat(text)
        yield from (f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}")


def _asked(domain: Domain, scenario: Scenario, said: Said) -> Iterator[tuple[Spoken, str, str]]:
    """Yield the arguments of the requests that are to be named and are not."""
    for step in requests(scenario):
        named = {name for style in STYLES for e in entries(domain, step.call.name, style) for name in e.holes}
        for parameter in domain.tools[step.call.name].parameters:
            words = step.values.get(parameter.name)
            if words is None or not (parameter.ref or parameter.name in named):
                continue
            value = step.call.arguments[parameter.name]
            known = said.description(words) if parameter.ref else said.literally(words) or said.value(value)
            if not known:
                yield step, parameter.name, words


def _changed(domain: Domain, scenario: Scenario, said: Said) -> Iterator[str]:
    """Yield the values that calls put into the target and that neither the text nor the initial state has."""
    given = {value for call in scenario.naive for value in _scalars(call.arguments.values())}
    held = {value for rows in scenario.initial.values() for row in rows for value in row.values()}
    for table, rows in scenario.target.items():
        before = {tuple(row.items()) for row in scenario.initial[table]}
        for row in (row for row in rows if tuple(row.items()) not in before):
            for column, value in row.items():
                unsaid = value in given and value not in held and not said.value(value)
                if unsaid and f"{table}.{column}" not in domain.volatile and not _made(domain, table, column):
                    yield f"{value!r} as the {column.replace('_', ' ')} in {table.replace('_', ' ')}"


def _made(domain: Domain, table: str, column: str) -> bool:
    """Whether a column holds ids that tools make."""
    shape = domain.schema.tables[table]
    owner = shape.references.get(column, f"{table}.{column}").partition(".")
    return owner[0] in domain.schema.prefixes and owner[2] in domain.schema.tables[owner[0]].key


def _scalars(values: Any) -> Iterator[Any]:
    for value in values:
        yield from value if isinstance(value, list) else [value]
