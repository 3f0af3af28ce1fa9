"""Every route to a model, with a real small one: what is promised of any model, not how good this one is."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from lexgym.agents.openai_agent import OpenAIAgent
from lexgym.agents.protocol import FullAgent
from lexgym.asking import Limits, ModelLink
from lexgym.cli import app
from lexgym.core import Task
from lexgym.errors import ContextExceeded
from lexgym.evaluation import evaluate, rescore, verdict_json
from lexgym.generators.extraction.review_file import read_review
from lexgym.registration import scenario
from lexgym.suites import Suite, read_suite, write_suite

from ..generators.extraction.museum import CLIMATE, TOOLS

SHORT = ("--max-tokens", "120")


def lexgym(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_regulation_is_read_and_the_second_time_from_the_cache(url: str, tmp_path: Path) -> None:
    (tmp_path / "policy.md").write_text(f"# Loans\n\n{CLIMATE}\n", encoding="utf-8")
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    out = tmp_path / "rules.yaml"
    command = ("rules", "extract", tmp_path / "policy.md", "--tools", tmp_path / "tools.json", "-o", out)
    first = lexgym(*command, "--model", "local", "--base-url", url, *SHORT)
    assert first.exit_code in (0, 1), first.output
    candidates = read_review(tmp_path / "rules.review.jsonl").candidates
    assert candidates
    assert all(candidate.kept or candidate.why for candidate in candidates)
    written = out.read_bytes()
    second = lexgym(*command, "--model", "local", "--base-url", url, *SHORT, "--json")
    assert second.exit_code == first.exit_code
    assert json.loads(second.stdout)["requests"] == 0
    assert out.read_bytes() == written


def test_a_suite_is_reworded_or_keeps_its_words_with_a_reason(url: str, tmp_path: Path) -> None:
    found = scenario("finance", 0)
    write_suite(tmp_path / "one", Suite("one", "1", (found,), {"test": (found.id,)}))
    command = ("reword", tmp_path / "one", "--model", "local", "--base-url", url, "--rounds", "1", *SHORT)
    first = lexgym(*command)
    assert first.exit_code == 0, first.output
    (new,) = read_suite(tmp_path / "one-reworded").scenarios
    kept = json.loads((tmp_path / "one-reworded" / "rewording.jsonl").read_text(encoding="utf-8"))["kept"]
    assert {variant for variant in found.instructions if new.instruction(variant) == found.instruction(variant)} == {
        *kept
    }
    assert "local: 0 requests" in lexgym(*command).stderr


class Brief(OpenAIAgent):
    """Is told of a few tools only, so that the whole fits a short context."""

    def begin(self, task: Task, /) -> None:
        super().begin(replace(task, tools=task.tools[:3], policy="Check before you pay."))


@pytest.mark.parametrize("strict", [False, True])
def test_an_episode_is_played_and_judged(url: str, strict: bool, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("lexgym.evaluation.MAX_STEPS", 2)
    found = scenario("finance", 0)

    def make(spec: str) -> FullAgent:
        return Brief("local", base_url=url, mode="json", strict=strict, max_tokens=80, timeout=600)

    (record,) = evaluate(["openai:local"], [found], log=tmp_path / "log.jsonl", make=make)
    assert record["verdict"]["error"] is None
    assert record["ended"] in ("finish", "max_steps")
    assert record["usage"]["requests"] >= 1
    assert verdict_json(rescore(record, found)) == record["verdict"]


def test_what_is_too_long_for_the_model_is_known_as_such(url: str, tmp_path: Path) -> None:
    link = ModelLink("local", url, tmp_path / "answers.jsonl", limits=Limits(max_tokens=16))
    with pytest.raises(ContextExceeded):
        link.say([{"role": "user", "content": "word " * 6_000}])
    assert link.say([{"role": "user", "content": "Say a word."}])
    link.close()
