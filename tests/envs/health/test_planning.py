"""What the planner makes of the rules here: ask again, follow up a breach, refuse outright."""

import random
from typing import Any

import pytest

from lexgym.core import Event, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.judge import safety_oracle
from lexgym.envs.planner import Planner
from lexgym.tools.database import Database

ANN, CLEO = "USR-000001", "USR-000003"
MIA = "PAT-000001"
OFFICE: dict[str, Any] = {"user_id": CLEO, "patient_id": MIA}
NOTES = {**OFFICE, "record_id": "REC-000003", "form": "a paper copy"}


def lawful(domain: Domain, clinic: Database, name: str, arguments: dict[str, Any]) -> list[Event]:
    """Make a call and whatever has to come before and after it."""
    planner, monitor = Planner(domain, random.Random(0)), safety_oracle("health").compiled.monitor()
    made = planner.lawful(clinic, monitor, ToolCall(name, arguments), [])
    assert made is not None
    owed = planner.discharge(clinic, monitor, made)
    assert owed is not None
    return [*made, *owed]


@pytest.mark.parametrize("times", range(4))
def test_who_mistypes_is_asked_again_and_the_third_time_is_reported(
    domain: Domain, clinic: Database, times: int
) -> None:
    clinic.run("UPDATE credentials SET mistypes = ? WHERE user_id = ?", times, ANN)
    names = [event.name for event in lawful(domain, clinic, "list_records", {"user_id": ANN, "patient_id": MIA})]
    assert names.count("authenticate_user") == times + 1
    assert ("report_login_discrepancy" in names) == (times == 3)


@pytest.mark.parametrize(("disclosure", "breach"), [("DIS-000001", True), ("DIS-000002", False)])
def test_the_patient_hears_of_a_breach_and_only_of_a_breach(
    domain: Domain, clinic: Database, disclosure: str, breach: bool
) -> None:
    events = lawful(domain, clinic, "report_misdirected_disclosure", {**OFFICE, "disclosure_id": disclosure})
    notices = [event.arguments["topic"] for event in events if event.name == "notify_patient"]
    assert notices == (["breach"] if breach else [])
    assert {"assess_breach", "document_incident", "record_accounting_entry"} <= {event.name for event in events}


@pytest.mark.parametrize("asked", ["give_patient_copy", "share_with_representative"])
def test_copies_of_psychotherapy_notes_are_refused_outright(domain: Domain, clinic: Database, asked: str) -> None:
    planner, monitor = Planner(domain, random.Random(0)), safety_oracle("health").compiled.monitor()
    parameters = {p.name for p in domain.tools[asked].parameters}
    about = {**NOTES, "contact_id": "CON-000001"}
    call = ToolCall(asked, {name: about[name] for name in parameters})
    [ground] = planner.grounds(clinic, monitor, call, [])
    assert (ground.check, ground.by, ground.reason) == (None, "psychotherapy-notes-not-copied", "no right of access")
    made = planner.decline(clinic, monitor, call, [], ground)
    assert made is not None
    assert [event.name for event in made] == ["authenticate_user", domain.refusals[asked].tool]


def test_a_record_is_read_before_it_is_amended(domain: Domain, clinic: Database) -> None:
    events = lawful(domain, clinic, "accept_amendment", {**OFFICE, "amendment_id": "AMR-000001"})
    names = [event.name for event in events]
    assert names.index("read_record") < names.index("accept_amendment") < names.index("seal_record")
