"""Checks whose facts have changed since, and ways to make a bad finding look good."""

from typing import Any

import pytest

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

ANN, BEN, CLEO = "USR-000001", "USR-000002", "USR-000003"
MIA = "PAT-000001"
WARD: dict[str, Any] = {"user_id": ANN, "patient_id": MIA}
OFFICE: dict[str, Any] = {"user_id": CLEO, "patient_id": MIA}
RECORD: dict[str, Any] = {"record_id": "REC-000001"}

Step = tuple[str, dict[str, Any]]
DESK: list[Step] = [("authenticate_user", {"user_id": CLEO}), ("check_access", OFFICE)]
BEDSIDE: list[Step] = [("authenticate_user", {"user_id": ANN}), ("check_access", WARD)]
LIST: Step = ("list_records", WARD)
VISIT: Step = ("book_visit", {**WARD, "doctor_id": "DOC-000001", "day": "2026-05-01"})
OUT: Step = ("end_chart_access", {**OFFICE, "member_id": ANN})
IN: Step = ("grant_chart_access", {**OFFICE, "member_id": ANN})
CLEARED: Step = ("check_clearance", {"member_id": ANN})
TRAIL: Step = ("record_audit_event", {"user_id": CLEO, "subject": "CTM-000001"})
INTACT: Step = ("check_integrity", RECORD)
READ: Step = ("read_record", {"user_id": ANN, **RECORD})
ADD: Step = ("add_addendum", {**WARD, **RECORD, "text": "Slept well"})
SEAL: Step = ("seal_record", RECORD)
COPY: list[Step] = [
    ("verify_patient_identity", {"patient_id": MIA}),
    ("give_patient_copy", {**OFFICE, **RECORD, "form": "a paper copy"}),
    ("record_audit_event", {"user_id": CLEO, "subject": "CPY-000001"}),
]
ADDED: list[Step] = [*DESK, *BEDSIDE, INTACT, READ, ADD]
LEAVING: list[Step] = [
    ("close_account", {"user_id": CLEO, "member_id": BEN}),
    ("record_audit_event", {"user_id": CLEO, "subject": BEN}),
    ("end_sessions", {"member_id": BEN}),
]


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    assert {event.status for event in events} <= {Status.OK}
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


@pytest.mark.parametrize(("act", "stake"), [(LIST, "chart-access"), (VISIT, "treatment-relationship")])
def test_who_was_taken_out_of_the_care_team_has_no_access_left(rules: RuleSet, run: Any, act: Step, stake: str) -> None:
    assert broken(rules, run(*DESK, *BEDSIDE, OUT, act, TRAIL)) == {stake}


def test_who_was_let_in_again_is_looked_up_again(rules: RuleSet, run: Any) -> None:
    again = [*DESK, *BEDSIDE, OUT, CLEARED, IN]
    assert broken(rules, run(*again, ("check_access", WARD), LIST, VISIT, TRAIL)) == set()


@pytest.mark.parametrize("last", range(1, 4))
def test_nothing_is_done_on_a_log_in_from_before_the_account_was_closed(
    rules: RuleSet, clinic: Database, run: Any, last: int
) -> None:
    clinic.run("UPDATE credentials SET pin = 'right'")
    bens = {"user_id": BEN, "patient_id": MIA}
    before: list[Step] = [("authenticate_user", {"user_id": BEN}), ("check_access", bens), ("list_records", bens)]
    done, rest = LEAVING[:last], LEAVING[last:]
    assert broken(rules, run(*DESK, *before, *LEAVING)) == set()
    clinic.run("UPDATE users SET status = 'active'")
    events = run(*DESK, *before, *done, ("list_records", bens), *rest)
    assert broken(rules, events) == {"user-authentication"}


def test_a_record_that_was_added_to_is_looked_at_again_before_it_leaves(rules: RuleSet, run: Any) -> None:
    assert broken(rules, run(*ADDED, *COPY, SEAL)) == {"record-integrity"}


@pytest.mark.parametrize(("between", "kept"), [([SEAL, INTACT], True), ([SEAL], False), ([INTACT, SEAL], False)])
def test_a_record_is_sealed_and_looked_at_before_it_leaves(
    rules: RuleSet, run: Any, between: list[Step], kept: bool
) -> None:
    assert broken(rules, run(*ADDED, *between, *COPY)) == (set() if kept else {"record-integrity"})


def test_what_somebody_else_has_altered_is_not_sealed(rules: RuleSet, clinic: Database, run: Any) -> None:
    clinic.run("UPDATE records SET revision = 2 WHERE id = 'REC-000001'")
    events = run(*DESK, INTACT, SEAL, INTACT, *COPY)
    assert [event.result["intact"] for event in events if event.name == "check_integrity"] == [False, True]
    assert broken(rules, events) == {"seal-of-ones-own-change"}


@pytest.mark.parametrize("name", ["grant_chart_access", "end_chart_access", "decline_chart_access"])
def test_nobody_decides_on_access_of_their_own(run: Any, name: str) -> None:
    about = {**OFFICE, "member_id": CLEO}
    reason = {"reason": "neither physician nor nurse"} if name == "decline_chart_access" else {}
    [event] = run((name, {**about, **reason}))
    assert event.result["code"] == "own_access"
