"""Work in many pieces that can be interrupted: each result is a line of a file, and what is there is not done again.

    for text in kept(Path("work.jsonl"), "version 1", {"a": 1, "b": 2}, function, processes=2):
        ...                                   # function(1), function(2), in this order

The file's first line is a mark of what the results depend on; a file with another mark is begun anew.
"""

import json
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def kept(
    path: Path, mark: str, wanted: Mapping[str, Any], function: Callable[[Any], str], *, processes: int = 1
) -> Generator[str, None, None]:
    """Yield the text that the function makes of each value, in order; the file knows them by their keys."""
    held = _held(path, mark)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in [json.dumps(mark), *map(_line, held.items())]), encoding="utf-8")
    missing = [value for key, value in wanted.items() if key not in held]
    with path.open("a", encoding="utf-8") as file, _mapped(function, missing, processes) as made:
        for key in wanted:
            if key not in held:
                text = next(made)
                file.write(_line((key, text)) + "\n")
                file.flush()
                yield text
            else:
                yield held[key]


@contextmanager
def _mapped(function: Callable[[Any], str], values: Sequence[Any], processes: int) -> Iterator[Iterator[str]]:
    """Give the function's results in order, worked out in so many processes."""
    if processes < 2 or len(values) < 2:
        yield map(function, values)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(processes, len(values)), mp_context=context, initializer=_leave_interrupts)
    try:
        yield pool.map(function, values)
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Leave it to the first process to stop the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _held(path: Path, mark: str) -> dict[str, str]:
    """Return what a file has, up to a line that was cut off or damaged; nothing where its mark is another."""
    found: dict[str, str] = {}
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1] if path.exists() else []
    for number, line in enumerate(lines):
        try:
            value = json.loads(line)
        except ValueError:
            break
        if number == 0 and value != mark:
            break
        if number > 0:
            key, text = value
            found[key] = text
    return found


def _line(item: tuple[str, str]) -> str:
    return json.dumps(item, ensure_ascii=False)
