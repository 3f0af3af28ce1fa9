"""The five real folders, their links, and what a built wheel contains."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("tools", "envs", "oracles", "generators", "agents")
DATA = (
    "lexgym/oracles/ltlf/grammar.lark",
    "lexgym/envs/finance/domain.toml",
    "lexgym/envs/finance/schema.sql",
    "lexgym/envs/finance/rules.yaml",
    "lexgym/envs/finance/phrases.yaml",
    "lexgym/envs/finance/manual.md",
    "lexgym/data/suites/core.toml",
    "lexgym/templates/audit.html.j2",
    "lexgym/templates/report.html.j2",
    "lexgym/py.typed",
)


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_is_a_real_folder_behind_a_relative_link(room: str) -> None:
    link = ROOT / "src" / "lexgym" / room
    assert os.readlink(link) == f"../../{room}"
    assert (ROOT / room).is_dir()
    assert not (ROOT / room).is_symlink()
    assert not (ROOT / room / "__init__.py").exists()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in a wheel that is built from a source distribution."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    copy = tmp_path_factory.mktemp("tree")
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name, follow_symlinks=False)
    subprocess.run([sys.executable, "-m", "build", "--no-isolation"], cwd=copy, capture_output=True, check=True)
    return set(zipfile.ZipFile(next((copy / "dist").glob("*.whl"))).namelist())


def test_the_wheel_holds_every_module_and_data_file(wheel: set[str]) -> None:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            assert f"lexgym/{path.relative_to(ROOT)}" in wheel
    assert set(DATA) <= wheel
    assert not any(name.startswith(("tests/", *(f"{room}/" for room in ROOMS))) for name in wheel)
