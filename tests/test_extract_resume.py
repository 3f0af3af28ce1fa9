"""An extraction that was interrupted goes on where it stopped, and writes what an uninterrupted one does."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lexgym
from lexgym.cli import app
from lexgym.generators.extraction.memory import Journal, Memory, fingerprint

from .generators.extraction.museum import POLICY, TOOLS

ACTS = ("lending an exhibit", "cleaning an exhibit", "photographing an exhibit", "taking back an exhibit")
KINDS = ("", " worth more than {n},000 euros")
POLICY_OF_MANY = POLICY + "".join(
    f"\n## {n}. Part\n\nBefore {act}{kind.format(n=n)}, assess its condition. "
    f"After {act}{kind.format(n=n)}, enter it in the register.\n"
    for n in range(3, 6)
    for act in ACTS
    for kind in KINDS
)
ARGUMENTS = ("rules", "extract", "policy.md", "--tools", "tools.json", "-o", "rules.yaml")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.md").write_text(POLICY_OF_MANY, encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    return tmp_path


def journals() -> list[Path]:
    return sorted(Path().glob("rules.progress-*.jsonl"))


def interrupted(number: int, enough: Callable[[list[str]], bool]) -> tuple[int, str]:
    """Start the command, send it a signal as soon as enough lines are kept, and return how it ended."""
    command = [sys.executable, "-m", "lexgym", *ARGUMENTS]
    own = os.environ | {"PYTHONPATH": str(Path(lexgym.__file__).parents[1])}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=own,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background inherit "ignored"
    )
    end = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < end:
        if journals() and enough(journals()[0].read_text(encoding="utf-8", errors="replace").splitlines()):
            process.send_signal(number)
            break
        time.sleep(0.005)
    _, said = process.communicate(timeout=120)
    return process.returncode, said


def finished() -> tuple[dict[str, bytes], str]:
    result = CliRunner().invoke(app, list(ARGUMENTS))
    assert result.exit_code == 0, result.output
    return {name: Path(name).read_bytes() for name in ("rules.yaml", "rules.review.jsonl")}, result.stdout


def reading(lines: list[str]) -> bool:
    return len(lines) > 20


def comparing(lines: list[str]) -> bool:
    return any(line.startswith(('["matches', '["together')) for line in lines)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("when", [reading, comparing])
def test_an_interrupted_run_goes_on(number: int, when: Callable[[list[str]], bool]) -> None:
    code, said = interrupted(number, when)
    assert code == (130 if number == signal.SIGINT else -number)
    assert not Path("rules.yaml").exists()
    (journal,) = journals()
    kept = len(journal.read_bytes().split(b"\n")) - 1
    if number == signal.SIGINT:
        assert said == f"interrupted: {journal} keeps what was done; the same command goes on from there\n"
    files, said = finished()
    assert f"{kept} steps of an interrupted run were taken over" in said
    assert journals() == []
    assert finished()[0] == files


def test_what_is_kept_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(signal.SIGKILL, comparing)
    from lexgym.generators.extraction.drafting import Drafting

    def fails(*anything: object) -> None:
        raise AssertionError("a sentence was read again")

    monkeypatch.setattr(Drafting, "drafts", fails)
    finished()


def test_progress_of_another_text_is_removed_and_not_used() -> None:
    interrupted(signal.SIGKILL, reading)
    (old,) = journals()
    Path("policy.md").write_text(POLICY, encoding="utf-8")
    _, said = finished()
    assert not old.exists()
    assert "interrupted run" not in said


def test_a_journal_remembers_and_forgets_a_line_that_was_cut_off(tmp_path: Path) -> None:
    first = Journal.beside(tmp_path / "rules.yaml", ["text", "tools"])
    assert [first.recall(f"q{n}", lambda n=n: [n]) for n in range(3)] == [[0], [1], [2]]  # type: ignore[misc]
    os.truncate(first.path, first.path.stat().st_size - 2)
    again = Journal.beside(tmp_path / "rules.yaml", ["text", "tools"])
    assert (again.remembered, again.path) == (2, first.path)
    assert again.recall("q1", lambda: pytest.fail("asked again")) == [1]
    assert again.recall("q2", lambda: "new") == "new"
    assert Journal.beside(tmp_path / "rules.yaml", ["text", "tools"]).recall("q2", lambda: "newer") == "new"


def test_a_journal_is_of_one_text_and_of_one_file(tmp_path: Path) -> None:
    journal = Journal.beside(tmp_path / "rules.yaml", ["text", "tools"])
    journal.recall("q", lambda: 1)
    other = Journal.beside(tmp_path / "more.yaml", ["text", "tools"])
    assert (other.remembered, journal.path.exists()) == (0, True)
    changed = Journal.beside(tmp_path / "rules.yaml", ["text", "other tools"])
    assert (changed.remembered, journal.path.exists()) == (0, False)
    assert fingerprint(["ab", "c"]) != fingerprint(["a", "bc"])


def test_a_memory_asks_once() -> None:
    memory = Memory()
    memory.recall("q", lambda: 1)
    assert memory.recall("q", lambda: 2) == 1
