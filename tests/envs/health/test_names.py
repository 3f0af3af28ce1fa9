"""An act is done in the name of who asks for it: done for a colleague, it leaves another state behind."""

from typing import Any

import pytest

from lexgym.core import Outcome, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import shapes
from lexgym.oracles.functional import FunctionalOracle
from lexgym.registration import make_env, scenario
from lexgym.tools.database import Database

ANN, BEN, CLEO, DAN, EVE = (f"USR-{n:06d}" for n in range(1, 6))
MIA = "PAT-000001"
READS = ("get_", "list_", "read_", "find_")
COPY = {"record_id": "REC-000001", "form": "a paper copy"}
LEA = {"contact_id": "CON-000001"}
FORM = {"recipient_id": "ORG-000001", "category": "laboratory results", "days": 90}
DRUG = {"doctor_id": "DOC-000001", "medication": "warfarin 5 mg"}
RENEWAL = {"prescription_id": "RXP-000001", "doctor_id": "DOC-000001", "days": 60}

ACTS: list[tuple[str, dict[str, Any]]] = [
    ("book_visit", {"doctor_id": "DOC-000001", "day": "2026-05-01"}),
    ("prescribe_medication", {**DRUG, "days": 7}),
    ("renew_prescription", RENEWAL),
    ("cancel_prescription", {"prescription_id": "RXP-000001"}),
    ("decline_prescription", {**DRUG, "reason": "no visit to this doctor"}),
    ("add_chart_entry", {"title": "Evening round", "text": "Slept well"}),
    ("add_addendum", {"record_id": "REC-000001", "text": "Slept well"}),
    ("disclose_record", {"request_id": "REQ-000001", "channel": "postal delivery"}),
    ("decline_disclosure", {"request_id": "REQ-000001", "reason": "request withdrawn"}),
    ("give_patient_copy", COPY),
    ("deny_patient_copy", {"record_id": "REC-000001", "reason": "identity not established"}),
    ("share_with_representative", {**LEA, **COPY}),
    ("decline_sharing", {**LEA, "record_id": "REC-000001", "reason": "no power to act for the patient"}),
    ("file_authorization", FORM),
    ("file_authorization", {**FORM, "recipient_id": "ORG-000003"}),
    ("revoke_authorization", {"authorization_id": "AUT-000001"}),
    ("agree_restriction", {"recipient_id": "ORG-000001"}),
    ("accept_amendment", {"amendment_id": "AMR-000001"}),
    ("deny_amendment", {"amendment_id": "AMR-000003", "reason": "not created here"}),
    ("issue_accounting", {"years": 1}),
    ("change_mailing_address", {"address": "9 Elm Street, Salem MA 01970"}),
    ("grant_chart_access", {"member_id": "USR-000006"}),
    ("grant_chart_access", {"member_id": "USR-000007"}),
    ("end_chart_access", {"member_id": BEN}),
    ("decline_chart_access", {"member_id": CLEO, "reason": "neither physician nor nurse"}),
    ("break_glass", {"situation": "seizure"}),
    ("decline_emergency_access", {"reason": "no emergency"}),
    ("close_account", {"member_id": BEN}),
    ("turn_away_user", {"reason": "log-in failed"}),
    ("report_misdirected_disclosure", {"disclosure_id": "DIS-000001"}),
]


def after(domain: Domain, clinic: Database, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the business tables as they are after a call."""
    db = clinic.fork()
    known = {parameter.name for parameter in domain.tools[name].parameters}
    call = domain.tools.parse(ToolCall(name, {key: value for key, value in arguments.items() if key in known}))
    assert domain.tools.execute(db, call, step=1).status is Status.OK
    found = {table: db.query(f"SELECT * FROM {table}") for table in domain.business}
    db.close()
    return found


@pytest.mark.parametrize(("name", "arguments"), ACTS)
def test_an_act_for_a_colleague_is_another_act(
    domain: Domain, clinic: Database, name: str, arguments: dict[str, Any]
) -> None:
    colleagues = ("USR-000006", "USR-000007") if name == "break_glass" else (ANN, EVE)
    wanted, other = (after(domain, clinic, name, {"patient_id": MIA, **arguments, "user_id": u}) for u in colleagues)
    initial = {table: clinic.query(f"SELECT * FROM {table}") for table in domain.business}
    oracle = FunctionalOracle(shapes(domain), initial, wanted)
    assert oracle.compare(wanted) == ()
    assert any(colleagues[1] in line for line in oracle.compare(other))


def test_no_act_is_left_out(domain: Domain) -> None:
    acts = {name for name in domain.tools if name not in domain.safety_critical and not name.startswith(READS)}
    assert acts == {name for name, _ in ACTS}


@pytest.mark.parametrize("seed", [0, 1])
def test_what_somebody_else_is_served_with_misses_the_goal(seed: int) -> None:
    case = scenario("health", seed)
    role = {row["id"]: row["role"] for row in case.initial["users"]}
    asker = next(step.arguments["user_id"] for step in case.naive if not step.name.startswith(READS))
    other = next(user for user, held in role.items() if held == role[asker] and user != asker)
    env = make_env("health", max_steps=150)
    env.reset(options={"scenario": case})
    env.db.run("UPDATE credentials SET pin = 'right', mistypes = 0 WHERE user_id = ?", other)
    for step in case.reference:
        served = {"user_id": other} if step.arguments.get("user_id") == asker else {}
        env.step({"name": step.name, "arguments": {**step.arguments, **served}})
    *_, info = env.step({"name": "finish"})
    assert not info["verdict"].reached
    assert info["verdict"].outcome is not Outcome.SAFE_SUCCESS
    env.close()
