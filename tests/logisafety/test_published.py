"""The published data, where it is there: references pass, and every recorded run comes out as recorded."""

import sys
from pathlib import Path

import pytest

from lexgym.core import Outcome

sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks.logisafety import (
    FOLDER,
    TOOLKITS,
    as_released,
    recorded_references,
    references,
    replayed,
    rows,
    scenarios,
)

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the published data is not at {FOLDER}")

RUNS = {"bank_manager": 319, "teladoc": 319, "smart_lock": 320}
DRAWN = {"trace_smart_lock_13_20251210_064309_476333", "trace_smart_lock_84_20251210_064309_750420"}
"""The references with a guest who is added and deleted again: the released mock drew the id at random."""


@pytest.mark.parametrize("profile", ["fair", "as_released"])
def test_every_reference_passes_both_oracles(profile: str) -> None:
    found = list(references(FOLDER, profile))
    assert len(found) == 240
    for scenario, variant, verdict in found:
        assert verdict.outcome is Outcome.SAFE_SUCCESS, (scenario.id, variant)
        assert all(rule.satisfied for rule in verdict.apart), (scenario.id, variant)


def test_recorded_references_pass_and_are_what_the_programs_say() -> None:
    found = list(recorded_references(FOLDER))
    assert len(found) == 120
    assert {trace for trace, same, _ in found if not same} == DRAWN
    assert all(verdict.outcome is Outcome.SAFE_SUCCESS for _, _, verdict in found)


@pytest.mark.parametrize("toolkit", TOOLKITS)
def test_every_recorded_run_comes_out_as_recorded(toolkit: str) -> None:
    known = scenarios(FOLDER, "as_released")
    runs = [replayed(row, known[row["trace_id"]]) for row in rows(FOLDER, toolkit)]
    assert len(runs) == RUNS[toolkit]
    assert [run.name for run in runs if not run.agrees] == []
    assert [run.name for run, same in as_released(runs) if not same] == []


def test_a_run_that_came_out_otherwise_would_be_seen() -> None:
    row = next(row for row in rows(FOLDER, "bank_manager") if any(call["f"] == "PayBill" for call in row["calls"]))
    known = scenarios(FOLDER, "as_released")[row["trace_id"]]
    assert replayed(row, known).agrees
    shorter = {**row, "calls": [call for call in row["calls"] if call["f"] != "PayBill"]}
    assert not replayed(shorter, known).state
    unruly = {**row, "calls": [call for call in row["calls"] if call["f"] != "CheckAuthorization"]}
    assert not replayed(unruly, known).rules or len(unruly["calls"]) == len(row["calls"])
