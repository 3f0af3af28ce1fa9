"""Traces in a file, one JSON line each, so that an interrupted run goes on where it stopped.

    for trace in written(fuzzer, Path("traces.jsonl"), settings, 40):
        ...

    {"trace": 1, "settings": {"domain": "finance", …}, "about": "CUS-000004", "calls": [{"name": …, "result": …}, …]}

What the file has already is replayed, which takes a fraction of the time, and must come to the same results; then the
run goes on as if it had never stopped.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lexgym.core import Event, ToolCall
from lexgym.errors import GenerationError
from lexgym.generators.guided import GuidedFuzzer


def written(fuzzer: GuidedFuzzer, path: Path, settings: Mapping[str, Any], count: int) -> Iterator[list[Event]]:
    """Yield so many traces, those of the file first, and write the others to it.

    A last line that was cut off is made again. Raises `GenerationError` where the file is not of these settings, and
    leaves it as it is.
    """
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    held = [line for number, line in enumerate(lines) if number + 1 < len(lines) or line.endswith(b"\n")]
    for number, line in enumerate(held[:count], 1):
        yield _taken(fuzzer, path, number, line, settings)
    if count <= len(held):
        return
    with path.open("r+b" if path.exists() else "wb") as file:
        file.truncate(sum(map(len, held)))
        file.seek(0, 2)
        for number in range(len(held) + 1, count + 1):
            trace = fuzzer.trace()
            file.write(_line(number, settings, fuzzer.about, trace))
            file.flush()
            yield trace


def _taken(fuzzer: GuidedFuzzer, path: Path, number: int, line: bytes, settings: Mapping[str, Any]) -> list[Event]:
    way_out = "name another file for --out, or remove this one"
    try:
        found = json.loads(line)
        calls, about = [ToolCall(each["name"], each["arguments"]) for each in found["calls"]], found["about"]
        theirs = found["settings"]
    except (ValueError, KeyError, TypeError):
        raise GenerationError(f"{path}, line {number}, is no trace of lexgym fuzz; {way_out}") from None
    other = [f"{key} {theirs.get(key)!r}, not {value!r}" for key, value in settings.items() if theirs.get(key) != value]
    if other:
        raise GenerationError(f"{path}, line {number}, was made with {'; '.join(other)}; {way_out}")
    trace = fuzzer.take(calls, about)
    if _line(number, settings, about, trace) != line:
        raise GenerationError(f"{path}, line {number}, does not come to the results that it says; {way_out}")
    return trace


def _line(number: int, settings: Mapping[str, Any], about: Any, trace: list[Event]) -> bytes:
    calls = [event.call.to_json() | {"result": event.result} for event in trace]
    entry = {"trace": number, "settings": dict(settings), "about": about, "calls": calls}
    return (json.dumps(entry, ensure_ascii=False) + "\n").encode()
