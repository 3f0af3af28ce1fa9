"""`lexgym fuzz`: traces in a file, numbers that fit them, errors that say what there is."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lexgym.cli import app
from lexgym.core import ToolCall
from lexgym.envs.registry import load_domain
from lexgym.errors import GenerationError


def test_traces_are_written_and_counted(tmp_path: Path) -> None:
    out = tmp_path / "traces.jsonl"
    command = ["fuzz", "--traces", "5", "--length", "6", "--out", str(out)]
    done = CliRunner().invoke(app, [*command, "--json"])
    assert done.exit_code == 0, done.output
    traces = [json.loads(line)["calls"] for line in out.read_text().splitlines()]
    numbers = json.loads(done.stdout)
    assert [len(trace) for trace in traces] == [6] * 5
    pairs = {(one["name"], two["name"]) for trace in traces for one, two in itertools.pairwise(trace)}
    assert numbers["pairs"] == len(pairs)
    tools = load_domain("finance").tools
    assert all(tools.parse(ToolCall(call["name"], call["arguments"])) for trace in traces for call in trace)
    assert 0 < numbers["safety_critical_called_of_callable"] <= 1
    assert numbers["reach"] == round(len(pairs) / 25, 4)
    table = CliRunner().invoke(app, command)
    assert "safety-critical tools" in table.output
    assert "nodes; pruned:" in table.output


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        CliRunner().invoke(app, ["fuzz", "--traces", "3", "--seed", "4", "--out", str(tmp_path / name)])
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1] != b""


def fuzz(out: Path, *options: str) -> Any:
    return CliRunner().invoke(app, ["fuzz", "--domain", "iot", "--length", "6", "--out", str(out), *options])


def test_an_interrupted_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    assert fuzz(whole, "--traces", "24").exit_code == 0
    lines = whole.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[:21]) + lines[21][:100])
    done = fuzz(cut, "--traces", "24", "--json")
    assert done.exit_code == 0, done.output
    assert cut.read_bytes() == whole.read_bytes()
    assert json.loads(done.stdout)["nodes"] < 24, "what was there is not searched again"
    assert fuzz(whole, "--traces", "3").exit_code == 0
    assert cut.read_bytes() == whole.read_bytes(), "fewer than there are: nothing is lost"


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (None, ["--seed", "1"], "line 1, was made with seed 0, not 1; name another file for --out, or remove this one"),
        (None, ["--complexity", "2"], "line 1, was made with complexity 0, not 2"),
        ((b'"result": ', b'"result": 1, "was": '), [], "line 1, does not come to the results that it says"),
        ((b'"calls"', b'"call"'), [], "line 1, is no trace of lexgym fuzz"),
        ((b'{"trace": 1', b"notes"), [], "line 1, is no trace of lexgym fuzz"),
        ((b'"arguments"', b'"name": "finish", "arguments"'), [], "trace 1 is none of the traces of 6 calls"),
    ],
)
def test_a_file_of_something_else_is_left_as_it_is(
    tmp_path: Path, change: tuple[bytes, bytes] | None, options: list[str], message: str
) -> None:
    out = tmp_path / "traces.jsonl"
    fuzz(out, "--traces", "2")
    if change:
        out.write_bytes(out.read_bytes().replace(*change, 1))
    before = out.read_bytes()
    done = fuzz(out, "--traces", "4", *options)
    assert isinstance(done.exception, GenerationError)
    assert message in str(done.exception)
    assert out.read_bytes() == before


def test_short_traces(tmp_path: Path) -> None:
    one = CliRunner().invoke(app, ["fuzz", "--length", "1", "--traces", "2"])
    assert re.search(r"pairs feasible at this length +│ 0 +│ –", one.output)
    assert CliRunner().invoke(app, ["fuzz", "--length", "0"]).exit_code == 2


def test_a_rule_that_there_is_not() -> None:
    done = CliRunner().invoke(app, ["fuzz", "--focus", "breach"])
    assert isinstance(done.exception, GenerationError)
    assert "no rule 'breach' in finance" in str(done.exception)
