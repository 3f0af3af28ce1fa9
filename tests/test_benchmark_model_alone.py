"""The model-alone baseline of `benchmarks/coverage.py` against a model server on the loopback."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lexgym.asking import ModelLink
from lexgym.envs.registry import load_domain
from lexgym.errors import ContextExceeded

from .agents.server import ModelServer, fails, says

FULL = fails(400, "request exceeds the available context size")


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    path = Path(__file__).parents[1] / "benchmarks" / "coverage.py"
    spec = importlib.util.spec_from_file_location("coverage_benchmark", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def test_a_model_is_asked_for_less_where_it_has_no_room(coverage: ModuleType, tmp_path: Path) -> None:
    call = json.dumps({"name": "list_providers", "arguments": {}})
    with ModelServer([FULL, FULL, says(f"Well:\n{call}\n{call}\nand so on")]) as server:
        link = ModelLink("toy", server.url, tmp_path / "answers.jsonl")
        guide, curve, _ = coverage.ask(load_domain("finance"), 4, 1, link)
        link.close()
    assert (guide.calls["list_providers"], len(curve)) == (2, 1)
    sizes = [len(request.body["messages"][0]["content"]) for request in server.requests]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == 3


def test_each_trace_is_asked_for_once(coverage: ModuleType, tmp_path: Path) -> None:
    with ModelServer([says("nothing")]) as server:
        for _ in range(2):
            link = ModelLink("toy", server.url, tmp_path / "answers.jsonl")
            guide, curve, _ = coverage.ask(load_domain("finance"), 4, 2, link)
            assert (guide.pairs, curve) == ({}, [0.0, 0.0])
            link.close()
    assert len(server.requests) == 2


def test_a_model_without_room_for_anything_is_said(coverage: ModuleType, tmp_path: Path) -> None:
    with ModelServer([FULL]) as server:
        link = ModelLink("toy", server.url, tmp_path / "answers.jsonl")
        with pytest.raises(ContextExceeded):
            coverage.ask(load_domain("finance"), 4, 1, link)
        link.close()
