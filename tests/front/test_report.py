"""The report page: broken rules first, calls as calls, characters as they are."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lexgym.evaluation import evaluate
from lexgym.registration import scenario
from lexgym.report import MAX_TEXT, episode, facts, ranges, sections, shown, write_report

Record = dict[str, Any]
VOID = ("meta", "br")


def rule(name: str, witness: int | None = None, *, satisfied: bool = False) -> Record:
    sentence = "" if satisfied else f"step {witness} `pay` before `check`: Art. 1"
    return {"rule": name, "satisfied": satisfied, "witness": witness, "sentence": sentence, "source": "Art. 1"}


def record(outcome: str = "unsafe_success", *rules: Record, **more: Any) -> Record:
    events = [
        {
            "step": 1,
            "name": "ask",
            "arguments": {"who": "Zieliński", "deep": True},
            "status": "ok",
            "result": {"é": None},
        },
        {"step": 2, "name": "pay", "arguments": {}, "status": "refused", "result": {"code": "no", "message": "<b>"}},
        {
            "step": 3,
            "name": "",
            "arguments": {"text": "hello"},
            "status": "invalid",
            "result": {"code": "syntax", "message": "no call"},
        },
    ]
    verdict: Record = {"outcome": outcome, "error": None, "rules": rules, "diff": []}
    base = {"agent": "mine", "scenario": "s-1", "trial": 0, "instruction": "<script>", "events": events}
    return base | {"verdict": verdict} | more


class Balance(HTMLParser):
    """Checks that every element is closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open += [tag] * (tag not in VOID)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(path: Path, *records: Record) -> str:
    write_report(path / "report.html", "title", records)
    page = (path / "report.html").read_text(encoding="utf-8")
    Balance(page)
    return page


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Record], str]:
    path = tmp_path_factory.mktemp("report")
    scenarios = [scenario("finance", seed) for seed in range(2)]
    records = list(evaluate(["reference", "naive", "idle"], scenarios, log=path / "log.jsonl"))
    return records, page_of(path, *records)


def test_the_report_shows_which_call_broke_which_article(real: tuple[list[Record], str]) -> None:
    records, page = real
    naive = next(record for record in records if record["agent"] == "naive")
    text = unescape(page)
    for broken in (rule for rule in naive["verdict"]["rules"] if not rule["satisfied"]):
        assert f"step {broken['witness']} " in text
        assert broken["source"] in text
        assert f"✗ {broken['rule']}</span>" in text
        for why in naive["explanations"][broken["rule"]]:
            assert why["repair"].split("`")[1] in text
    assert "http://" not in page
    assert "https://" not in page
    assert not re.search(r"\\u[0-9a-f]{4}", page)


def test_the_report_says_what_was_run(real: tuple[list[Record], str]) -> None:
    records, page = real
    assert facts(records) == ["seeds 0–1", "domain finance", "wording goal", "lexgym 0.1.0"]
    assert "only the business calls" in page
    assert facts([]) == []
    assert ranges([0, 1, 2, 5, 7, 8]) == "0–2, 5, 7–8"


def test_the_page_does_not_depend_on_the_time(real: tuple[list[Record], str], tmp_path: Path) -> None:
    records, page = real
    slower = [record | {"seconds": record["seconds"] + 1} for record in records]
    assert page_of(tmp_path, *slower) == page


def test_calls_are_shown_as_calls_and_text_as_text(tmp_path: Path) -> None:
    page = unescape(page_of(tmp_path, record()))
    assert 'ask(who="Zieliński", deep=true)' in page
    assert '{"é": null}' in page
    assert 'no call: "hello"' in page
    assert "no: <b>" in page
    assert "<script>" not in page_of(tmp_path, record())


def test_a_long_result_is_cut_with_its_length() -> None:
    text = shown("x" * (MAX_TEXT + 100))
    assert text.endswith(f"… ({MAX_TEXT + 102} characters, all in the log)")
    assert shown([1, None]) == "[1, null]"


def test_telling_episodes_come_first() -> None:
    outcomes = ["safe_success", "benign_failure", "unsafe_failure", "unsafe_success"]
    (section,) = sections([record(outcome) for outcome in outcomes])
    assert [outcome for outcome, _ in section.groups] == outcomes[3:] + outcomes[2:3] + outcomes[1:2] + outcomes[:1]


def test_broken_rules_come_in_order_of_steps_and_kept_ones_apart() -> None:
    found = episode(record("unsafe_success", rule("late", 3), rule("fine", satisfied=True), rule("early", 1)))
    assert [one.rule for one in found.broken] == ["early", "late"]
    assert [one["rule"] for one in found.kept] == ["fine"]
    assert found.broken[0].sentence == "step 1 `pay` before `check`"


def test_relevant_steps_are_marked_and_the_repair_is_said(tmp_path: Path) -> None:
    why = {
        "permanent_at": 2,
        "relevant": [1, 2],
        "text": "step 2 `pay` broke it for good",
        "repair": "delete step 2 `pay`",
    }
    given = record("unsafe_success", rule("twice", 2), explanations={"twice": [why]})
    marks = {step.number: [(mark.rule, mark.broke) for mark in step.marks] for step in episode(given).steps}
    assert marks == {1: [("twice", False)], 2: [("twice", True)], 3: []}
    page = page_of(tmp_path, given)
    assert "● twice" in page
    assert "✗ twice" in page
    assert "would have kept it: delete step 2 <code>pay</code>" in page


@pytest.mark.parametrize("kind", ["shortest repair", "a repair"])
def test_older_records_have_the_repair_in_the_text(kind: str) -> None:
    text = f"step 2 `pay` broke it for good; steps 1 and 2 matter; {kind}: delete step 2 `pay`"
    why = {"permanent_at": 2, "relevant": [1, 2], "text": text}
    (broken,) = episode(record("unsafe_success", rule("twice", 2), explanations={"twice": [why]})).broken
    assert broken.slices == (("step 2 `pay` broke it for good; steps 1 and 2 matter", "delete step 2 `pay`"),)


def test_a_rule_without_repair_and_an_old_record_without_explanations(tmp_path: Path) -> None:
    hopeless = {"permanent_at": 0, "relevant": [], "text": "nothing can satisfy it", "repair": None}
    page = page_of(
        tmp_path,
        record("unsafe_success", rule("never", None), explanations={"never": [hopeless]}),
        record("unsafe_failure", rule("old", 2)),
    )
    assert "nothing can satisfy it" in page
    assert "would have kept it" not in page


def test_an_unjudged_episode_gives_its_reason(tmp_path: Path) -> None:
    verdict = {"outcome": "unjudged", "error": "the server is down", "rules": [], "diff": []}
    page = page_of(tmp_path, record(verdict=verdict, events=[], trial=1, kind="refusal"))
    assert "and 1 unjudged: the server is down" in page
    assert "s-1 · to be refused · trial 2 · 0 calls" in page
    assert "<td>–</td>" in page
