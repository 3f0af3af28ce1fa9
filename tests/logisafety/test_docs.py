"""The page on LogiSafetyBench is true as far as it can be run without the data."""

import re
from pathlib import Path

from lexgym.generators.logisafety import PROFILES

PAGE = Path(__file__).parents[2] / "docs" / "logisafety.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_python_runs() -> None:
    for block in re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        exec(compile(block, str(PAGE), "exec"), {})


def test_the_profiles_are_those_that_there_are() -> None:
    assert all(f"`{profile}`" in TEXT for profile in PROFILES)
