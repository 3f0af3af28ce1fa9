"""What was found out already: answers by question, kept in a file where a run may be interrupted.

    memory = Memory.beside(Path("rules.yaml"), [text, tools])
    memory.recall("read 12", lambda: slow())       # the second time, also after a kill, `slow` is not called

The name of the file is a hash of what is read and of the extractor itself, so that it is never used for another.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from lexgym.oracles import ltlf


class Memory:
    """Remembers answers, JSON values, as long as it lives."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}
        self.remembered = 0
        """Answers that an earlier run had found."""

    def recall(self, question: str, find: Callable[[], Any]) -> Any:
        """Return the answer to a question, which is found where it is not known."""
        if question not in self.known:
            self.known[question] = find()
            self.keep(question)
        return self.known[question]

    def keep(self, question: str) -> None:
        """Put an answer where it lasts; here, nowhere else."""


class Journal(Memory):
    """Remembers answers in a file, one a line, each as soon as it is found."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.known = _answers(path)
        self.remembered = len(self.known)

    @classmethod
    def beside(cls, out: Path, parts: Iterable[str]) -> "Journal":
        """Return the journal of a run that writes `out`, and remove those of other texts or tools.

        `parts` are the things that the answers depend on.
        """
        own = out.with_name(f"{_prefix(out)}{fingerprint(parts)}.jsonl")
        for other in out.parent.glob(f"{_prefix(out)}*.jsonl"):
            if other != own:
                other.unlink()
        return cls(own)

    def keep(self, question: str) -> None:
        """Write an answer."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([question, self.known[question]], ensure_ascii=False) + "\n")

    def remove(self) -> None:
        """Remove the file, which is not needed any more where the run came to its end."""
        self.path.unlink(missing_ok=True)


def _prefix(out: Path) -> str:
    return f"{out.stem}.progress-"


def fingerprint(parts: Iterable[str]) -> str:
    """Return a hash of some texts and of the program that reads them."""
    digest = hashlib.sha256(_program())
    for part in parts:
        digest.update(hashlib.sha256(part.encode()).digest())
    return digest.hexdigest()[:16]


@cache
def _program() -> bytes:
    """Return a hash of the extractor's and the logic's own files."""
    digest = hashlib.sha256()
    for folder in (Path(__file__).parent, Path(ltlf.__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def _answers(path: Path) -> dict[str, Any]:
    """Return the answers in a file; a line that an interruption cut off is removed."""
    if not path.is_file():
        return {}
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
    found: dict[str, Any] = {}
    for line in data[:whole].decode("utf-8", "replace").splitlines():
        try:
            match json.loads(line):
                case [str(question), answer]:
                    found[question] = answer
        except ValueError:
            continue
    return found
