"""What a scenario's bytes come from: the generator's code, and everything in a domain's folder.

    content_of(load_domain("finance"))      # SHA-256 over the domain's tools, population, rules and phrases

Line ends do not count.
"""

import hashlib
import inspect
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lexgym.envs.domain import Domain

SUFFIXES = (".py", ".sql", ".yaml", ".toml", ".lark")

_ROOMS = Path(__file__).parents[1]
"""Where the rooms lie side by side; also in the package, whose rooms are links."""


def content_of(domain: Domain) -> str:
    """Return a hash of the domain's files."""
    folder = Path(inspect.getfile(domain.populate)).parent
    return _hash(folder, folder.rglob("*"))


@cache
def code() -> str:
    """Return a hash of the code that generates and judges, whatever the domain."""
    files = [path for room in ("tools", "oracles", "generators") for path in (_ROOMS / room).rglob("*")]
    return _hash(_ROOMS, [*files, *(_ROOMS / "envs").glob("*")])


def _hash(root: Path, paths: Iterable[Path]) -> str:
    found = hashlib.sha256()
    for path in sorted(path for path in paths if path.suffix in SUFFIXES and path.is_file()):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{path.relative_to(root).as_posix()} {len(text)}\n".encode())
        found.update(text)
    return found.hexdigest()
