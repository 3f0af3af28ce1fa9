"""Scenarios to choose a suite from, generated from consecutive seeds and kept in a file.

    for found in candidates("finance", range(1000000, 1000240), Path("core.candidates/finance.jsonl"), processes=2):
        found.seed, found.scenario, found.traits

A file that was left behind is gone on with; one that another version of code or domain made is begun anew.
"""

import json
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError, ScenarioError
from lexgym.generators.fingerprint import code, content_of
from lexgym.generators.scenarios import generate
from lexgym.generators.traits import Observer, Traits
from lexgym.scenario import Scenario

GENERATOR = 1
"""Version of the generator: another one makes other scenarios of the same seeds."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What came of one seed: a scenario as JSON text and what it is like, or the problem why there is none."""

    seed: int
    text: str = ""
    traits: Traits | None = None
    problem: str = ""

    @property
    def scenario(self) -> Scenario:
        """The scenario; raises `GenerationError` where there is none."""
        if self.problem:
            raise GenerationError(self.problem)
        return Scenario.from_json(self.text)


def candidates(domain: str, seeds: Sequence[int], path: Path, *, processes: int = 1) -> Iterator[Candidate]:
    """Yield what comes of each seed, in order; what the file has already is not generated again."""
    mark = json.dumps({"generator": GENERATOR, "code": code(), "content": content_of(load_domain(domain))})
    held = _held(path, mark)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([mark, *map(_line, held.values()), ""]), encoding="utf-8")
    missing = [seed for seed in seeds if seed not in held]
    with path.open("a", encoding="utf-8") as file, mapped(partial(_candidate, domain), missing, processes) as made:
        for seed in seeds:
            if seed not in held:
                held[seed] = next(made)
                file.write(_line(held[seed]) + "\n")
                file.flush()
            yield held[seed]


@contextmanager
def mapped(function: Callable[[Any], Any], arguments: Sequence[Any], processes: int) -> Iterator[Iterator[Any]]:
    """Give what a function returns for each argument, in order, worked out in so many processes."""
    if processes < 2 or len(arguments) < 2:
        yield map(function, arguments)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(processes, len(arguments)), mp_context=context, initializer=_ignore_interrupt)
    try:
        yield pool.map(function, arguments)
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupt() -> None:
    """Leave it to the first process to stop the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _candidate(domain: str, seed: int) -> Candidate:
    try:
        found = generate(load_domain(domain), seed)
    except GenerationError as error:
        return Candidate(seed, problem=str(error))
    return Candidate(seed, found.to_json(), _observer(domain).traits(found))


@cache
def _observer(domain: str) -> Observer:
    return Observer(domain)


def _held(path: Path, mark: str) -> dict[int, Candidate]:
    """Return the candidates of a file, without a last line that was cut off; none where the mark is another."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").rpartition("\n")[0].split("\n")
    if lines[0] != mark:
        return {}
    found = [_read(line, f"{path}: line {number}") for number, line in enumerate(lines[1:], 2)]
    return {item.seed: item for item in found}


def _line(item: Candidate) -> str:
    traits = item.traits.to_json() if item.traits else None
    return json.dumps([item.seed, item.problem, traits, item.text], ensure_ascii=False)


def _read(line: str, where: str) -> Candidate:
    try:
        seed, problem, traits, text = json.loads(line)
        return Candidate(seed, text, Traits.from_json(traits) if traits else None, problem)
    except (ValueError, KeyError, TypeError) as error:
        raise ScenarioError(f"{where} is damaged ({error}): delete the file") from None
