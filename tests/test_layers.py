"""The arrows between the rooms: who may import whom. An agent cannot import its judge."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NOUNS = {"core", "errors", "scenario_form"}
ALLOWED = {
    "tools": NOUNS | {"tools"},
    "oracles": NOUNS | {"oracles"},
    "envs": NOUNS | {"scenario", "tools", "oracles", "envs"},
    "generators": NOUNS | {"scenario", "tools", "oracles", "envs", "generators"},
    "agents": NOUNS | {"tools", "agents"},
}


def imported(source: str) -> Iterator[str]:
    """Yield the lexgym rooms and modules that a source text imports."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "lexgym" else []
            names += [node.module] if node.module and node.module.startswith("lexgym.") else []
        if isinstance(node, ast.ImportFrom) and node.level:
            yield "a relative import"
        yield from (name.split(".")[1] for name in names if name.startswith("lexgym."))


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_a_room_imports_only_what_lies_below(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    for path in files:
        assert set(imported(path.read_text(encoding="utf-8"))) <= ALLOWED[room], path


@pytest.mark.parametrize("module", ["core", "errors", "scenario", "summary"])
def test_nouns_import_no_room(module: str) -> None:
    text = (ROOT / "src" / "lexgym" / f"{module}.py").read_text(encoding="utf-8")
    assert set(imported(text)) <= NOUNS


@pytest.mark.parametrize(
    "line", ["from lexgym.oracles.safety import x", "import lexgym.oracles", "from lexgym import oracles"]
)
def test_a_forbidden_import_is_seen(line: str) -> None:
    assert "oracles" in set(imported(line)) - ALLOWED["agents"]


def test_a_relative_import_does_not_slip_through() -> None:
    assert set(imported("from ..oracles.safety import x")) == {"a relative import"}


def test_importing_lexgym_stays_light() -> None:
    heavy = "openai langchain_core z3 pydantic lark rich typer jinja2 yaml"
    code = f"import sys, lexgym; print([name for name in {heavy.split()!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
