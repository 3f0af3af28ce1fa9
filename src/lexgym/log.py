"""A run's log: one line of JSON for each episode, only ever appended to.

    records = latest(read_log(Path("runs/demo/log.jsonl")))

An episode that was left unjudged is run again when the run is; then the log holds both lines, and the later counts.
"""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from lexgym.errors import LogError

Record: TypeAlias = dict[str, Any]
Key: TypeAlias = tuple[str, str, str, int]

_FIELDS = ("agent", "scenario", "variant", "trial", "domain", "digest", "instruction", "events", "verdict")


def read_log(path: Path) -> list[Record]:
    """Return the records of a log, without a last line that was cut off while being written.

    Raises `LogError` for a damaged line elsewhere.
    """
    lines = path.read_bytes().rpartition(b"\n")[0].splitlines()
    return [_read(line, f"{path}: line {number}") for number, line in enumerate(lines, 1)]


def mend(path: Path) -> None:
    """Remove a last line that was cut off, so that the next one does not continue it."""
    data = path.read_bytes()
    os.truncate(path, data.rfind(b"\n") + 1)


def append(path: Path, record: Record) -> Record:
    """Write one record to the end of a log and return it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return record


def latest(records: Iterable[Record]) -> list[Record]:
    """Return the last record of each episode, in the order in which the episodes were first run."""
    return list({key(record): record for record in records}.values())


def key(record: Record) -> Key:
    """Return what an episode is known by: agent, scenario, wording and trial."""
    return record["agent"], record["scenario"], record["variant"], record["trial"]


def _read(line: bytes, where: str) -> Record:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise LogError(f"{where} is damaged: {error}") from None
    if not isinstance(record, dict):
        raise LogError(f"{where} is damaged: a JSON {type(record).__name__}, not an object")
    if missing := [name for name in _FIELDS if name not in record]:
        raise LogError(f"{where} is damaged: it has no {missing[0]!r}")
    if not isinstance(record["verdict"], dict) or not {"outcome", "error", "rules"} <= record["verdict"].keys():
        raise LogError(f"{where} is damaged: its verdict is {record['verdict']!r}")
    return record
