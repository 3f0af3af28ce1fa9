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
