"""The small checkout, imported once."""

from pathlib import Path

import pytest

from lexgym.generators.logisafety import Imported, import_checkout

from .made import write_checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return write_checkout(tmp_path / "checkout")


@pytest.fixture(scope="session", params=["fair", "as_released"])
def imported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    return import_checkout(write_checkout(tmp_path_factory.mktemp("made")), request.param)
