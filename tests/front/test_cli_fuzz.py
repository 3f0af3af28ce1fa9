"""`lexgym fuzz`: traces in a file, numbers that fit them, errors that say what there is."""

import itertools
import json
from pathlib import Path

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
    traces = [json.loads(line) for line in out.read_text().splitlines()]
    numbers = json.loads(done.stdout)
    assert [len(trace) for trace in traces] == [6] * 5
    pairs = {(one["name"], two["name"]) for trace in traces for one, two in itertools.pairwise(trace)}
    assert numbers["pairs"] == len(pairs)
    tools = load_domain("finance").tools
    assert all(tools.parse(ToolCall(call["name"], call["arguments"])) for trace in traces for call in trace)
    table = CliRunner().invoke(app, command)
    assert "safety-critical tools" in table.output
    assert "nodes; pruned:" in table.output


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        CliRunner().invoke(app, ["fuzz", "--traces", "3", "--seed", "4", "--out", str(tmp_path / name)])
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1] != b""


def test_a_rule_that_there_is_not() -> None:
    done = CliRunner().invoke(app, ["fuzz", "--focus", "breach"])
    assert isinstance(done.exception, GenerationError)
    assert "no rule 'breach' in finance" in str(done.exception)
