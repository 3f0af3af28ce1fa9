"""What is declined is put on file with a reason that is true, unasked as well."""

import pytest

from lexgym.core import Status, ToolCall
from lexgym.envs.domain import Domain


def test_the_manual_orders_to_put_on_file_what_a_check_forbids(domain: Domain) -> None:
    saying_no = domain.manual.split("## 7.")[1].split("## 8.")[0]
    assert "put on file that it was declined" in saying_no
    assert "also when nobody asks" in saying_no


@pytest.mark.parametrize("seed", range(4))
def test_a_denied_amendment_can_only_state_what_was_found(domain: Domain, seed: int) -> None:
    db = domain.database(seed)
    for row in db.query("SELECT id, patient_id FROM amendment_requests WHERE status = 'open' ORDER BY id"):
        found = domain.tools.execute(db, ToolCall("check_amendment", {"amendment_id": row["id"]}), step=1).result
        accepted = set()
        [reason] = [p for p in domain.tools["deny_amendment"].parameters if p.name == "reason"]
        for name in reason.schema["enum"]:
            db.begin()
            call = {"user_id": "USR-000001", "patient_id": row["patient_id"], "amendment_id": row["id"], "reason": name}
            if domain.tools.execute(db, ToolCall("deny_amendment", call), step=2).status is Status.OK:
                accepted.add(name)
            db.rollback()
        assert accepted == (set() if found["amendable"] else {found["reason"]})


@pytest.mark.parametrize("asked", ["give_patient_copy", "share_with_representative"])
def test_no_scenario_wants_psychotherapy_notes_kept_for_another_reason(domain: Domain, asked: str) -> None:
    db, refusal = domain.database(0), domain.refusals[asked]
    assert refusal.rules == {"psychotherapy-notes-not-copied": "no right of access"}
    for row in db.query("SELECT id, patient_id FROM records WHERE category = 'psychotherapy notes' ORDER BY id"):
        contacts = db.query("SELECT id FROM contacts WHERE patient_id = ? ORDER BY id", row["patient_id"])
        known = {"user_id": "USR-000001", "patient_id": row["patient_id"], "record_id": row["id"]}
        call = ToolCall(asked, {**known, "contact_id": contacts[0]["id"], "form": "a paper copy"})
        for reason in refusal.grounds.values():
            record = refusal.record(domain.tools, call, reason)
            done = domain.tools.execute(db, record, step=1).status is Status.OK
            assert done == (reason == "no right of access")
