"""Tables of duties: one row an act, columns for what comes before it, what comes after it and how often it may be.

    | Act          | Required before  | Afterwards        | Limit |
    |--------------|------------------|-------------------|-------|
    | Lend a kiln  | check the wiring | enter it; tell Al | 2     |

gives Duty(BEFORE, "Lend a kiln", "check the wiring"), Duty(AFTER, …, "enter it"), Duty(AFTER, …, "tell Al") and
Duty(LIMIT, …, "2"). A table whose head names no act, or nothing about it, is no table of duties.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Column(StrEnum):
    """What a column says of the acts."""

    ACT = "act"
    BEFORE = "before"
    AFTER = "after"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Duty:
    """One cell of a table: its place counts lines from the head of the table, which is 0."""

    place: int
    column: Column
    act: str
    cell: str

    @property
    def text(self) -> str:
        """The duty as a sentence."""
        match self.column:
            case Column.LIMIT:
                return f"{self.act}: limit {self.cell}"
            case _:
                return f"{self.column.value.capitalize()} {self.act[:1].lower()}{self.act[1:]}: {self.cell}"


_HEADS = (
    (Column.AFTER, r"\b(?:after|afterwards|then|next|follow\w*|thereafter|subsequent\w*)\b"),
    (Column.BEFORE, r"\b(?:before|beforehand|prior|first|precondition\w*|prerequisite\w*|requires?|required|needs)\b"),
    (Column.LIMIT, r"\b(?:limit|at most|maximum|max|how often|times)\b"),
    (Column.ACT, r"^(?:the )?(?:act|action|activity|operation|step|task|transaction|what is done|procedure)s?\b"),
)
"""What the head of a column says, the first that fits."""

_NOTHING = re.compile(r"^(?:[-–—]*|none|no|nothing|n/?a|no limit|any|unlimited)$", re.IGNORECASE)


def duties(lines: Sequence[str]) -> Iterator[Duty]:
    """Yield the duties in the lines of a table."""
    rows = [_cells(line) for line in lines]
    if len(rows) < 3 or not all(re.fullmatch(r":?-+:?", cell) for cell in rows[1]):
        return
    columns = [_column(cell) for cell in rows[0]]
    if Column.ACT not in columns or len(set(columns) - {None, Column.ACT}) == 0:
        return
    first = columns.index(Column.ACT)
    for place, row in enumerate(rows[2:], 2):
        act = row[first] if first < len(row) else ""
        for column, cell in zip(columns, row, strict=False):
            if column is None or column is Column.ACT or not act or _NOTHING.match(cell):
                continue
            for part in _parts(cell) if column is not Column.LIMIT else [cell]:
                yield Duty(place, column, act, part)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") else inner
    return [re.sub(r"[*_`]{1,2}([^*_`]+)[*_`]{1,2}", r"\1", cell).strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _column(head: str) -> Column | None:
    return next((column for column, words in _HEADS if re.search(words, head, re.IGNORECASE)), None)


def _parts(cell: str) -> list[str]:
    """Return the steps that a cell lists."""
    parts = re.split(r";|<br ?/?>|,\s*(?:and )?then\b|,\s+and\b", cell)
    return [part.strip(" .,") for part in parts if part.strip(" .,")]
