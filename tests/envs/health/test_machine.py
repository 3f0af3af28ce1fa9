"""Any sequence of calls keeps the clinic in order: a state machine over a sampled clinic."""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from lexgym.core import Status, ToolCall
from lexgym.envs.registry import load_domain
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

DOMAIN = load_domain("health")
TOOLS = sorted(DOMAIN.tools)
READING = ("list_", "find_", "get_", "read_")


class Clinic(RuleBasedStateMachine):
    db: Database
    step = 0

    @initialize(seed=st.integers(0, 20))
    def open(self, seed: int) -> None:
        self.db = DOMAIN.database(seed)
        assert self.db.state_hash() == DOMAIN.database(seed).state_hash()

    @rule(name=st.sampled_from(TOOLS), seed=st.integers(0, 2**32))
    def call(self, name: str, seed: int) -> None:
        rng = random.Random(seed)
        patient = rng.choice(self.db.query("SELECT id FROM patients ORDER BY id"))["id"]
        arguments = {p.name: self._draw(p, rng, patient) for p in DOMAIN.tools[name].parameters}
        before, rows = self.db.state_hash(), self._sizes()
        self.step += 1
        event = DOMAIN.tools.execute(self.db, DOMAIN.tools.parse(ToolCall(name, arguments)), step=self.step)
        self.db.clock += DOMAIN.tick
        if event.status is Status.REFUSED or name.startswith(READING):
            assert self.db.state_hash() == before
        assert all(size >= rows[table] for table, size in self._sizes().items())

    @invariant()
    def nothing_dangles(self) -> None:
        assert self.db.query("PRAGMA foreign_key_check") == []

    @invariant()
    def revisions_count_amendments_and_addenda(self) -> None:
        assert not self.db.query(
            "SELECT 1 FROM records r LEFT JOIN amendment_requests a ON a.record_id = r.id "
            "WHERE r.revision <> 1 + coalesce(a.status = 'accepted', 0) "
            "+ (SELECT count(*) FROM addenda d WHERE d.record_id = r.id)"
        )
        assert not self.db.query(
            "SELECT 1 FROM record_seals s JOIN records r ON r.id = s.record_id WHERE s.revision > r.revision"
        )

    @invariant()
    def answers_match_requests(self) -> None:
        """Each request that was answered has its disclosure, and each one declined its refusal."""
        assert not self.db.query(
            "SELECT 1 FROM release_requests q WHERE (status = 'answered' AND NOT EXISTS (SELECT 1 FROM disclosures d "
            "WHERE d.record_id = q.record_id AND d.recipient_id = q.recipient_id)) OR (status = 'declined' AND NOT "
            "EXISTS (SELECT 1 FROM refusals f WHERE f.record_id = q.record_id AND f.recipient_id = q.recipient_id))"
        )

    @invariant()
    def a_patient_has_each_medication_once(self) -> None:
        assert not self.db.query(
            "SELECT 1 FROM prescriptions WHERE status = 'active' GROUP BY patient_id, medication HAVING count(*) > 1"
        )

    @invariant()
    def rows_of_a_patient_belong_together(self) -> None:
        for table in ("copies", "disclosures", "amendment_requests", "release_requests", "refusals"):
            sql = f"SELECT 1 FROM {table} t JOIN records r ON r.id = t.record_id WHERE r.patient_id <> t.patient_id"
            assert not self.db.query(sql), table

    def _sizes(self) -> dict[str, int]:
        counted = ((name, self.db.query(f"SELECT count(*) AS n FROM {name}")) for name in DOMAIN.schema.tables)
        return {name: rows[0]["n"] for name, rows in counted}

    def _draw(self, parameter: Parameter, rng: random.Random, patient: str) -> Any:
        """A row of the patient if there is one, else any row; or a value from the pool or the enum."""
        if parameter.name == "patient_id":
            return patient
        if parameter.ref:
            table, _, column = parameter.ref.column.partition(".")
            rows = self.db.query(f"SELECT * FROM {table} ORDER BY {column}")
            own = [row for row in rows if row.get("patient_id") == patient and rng.random() < 0.9]
            return rng.choice(own or rows or [{column: "none"}])[column]
        if parameter.pool:
            return DOMAIN.pools[parameter.pool.name](rng)
        return rng.choice(parameter.schema.get("enum", [True, False]))


TestClinic = Clinic.TestCase
TestClinic.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
