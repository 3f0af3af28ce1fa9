"""Any sequence of calls keeps the books: a state machine over a sampled department."""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from lexgym.core import Status, ToolCall
from lexgym.envs.registry import load_domain
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

DOMAIN = load_domain("procurement")
TOOLS = sorted(DOMAIN.tools)
READS = ("list_", "get_", "inspect_", "match_", "screen_", "confirm_", "call_back", "check_")


class Works(RuleBasedStateMachine):
    db: Database
    pieces = 0
    step = 0

    @initialize(seed=st.integers(0, 20))
    def open(self, seed: int) -> None:
        self.db = DOMAIN.database(seed)
        self.pieces = self._pieces()

    @rule(name=st.sampled_from(TOOLS), seed=st.integers(0, 2**32))
    def call(self, name: str, seed: int) -> None:
        rng = random.Random(seed)
        arguments = {p.name: self._draw(p, rng) for p in DOMAIN.tools[name].parameters}
        before = self.db.state_hash()
        self.step += 1
        event = DOMAIN.tools.execute(self.db, DOMAIN.tools.parse(ToolCall(name, arguments)), step=self.step)
        self.db.clock += DOMAIN.tick
        if event.status is Status.REFUSED or name.startswith(READS):
            assert self.db.state_hash() == before
        else:
            assert event.status is Status.OK

    @invariant()
    def stock_goes_only_where_it_was_allocated(self) -> None:
        assert self._pieces() == self.pieces

    @invariant()
    def what_a_department_paid_is_the_sum_of_its_payments(self) -> None:
        assert not self.db.query(
            "SELECT d.cost_centre FROM departments d LEFT JOIN purchase_requests r ON r.cost_centre = d.cost_centre "
            "LEFT JOIN orders o ON o.request_id = r.id LEFT JOIN invoices i ON i.order_id = o.id "
            "LEFT JOIN payments p ON p.invoice_id = i.id GROUP BY d.cost_centre "
            "HAVING d.paid <> coalesce(sum(p.amount), 0)"
        )

    @invariant()
    def payments_are_what_was_invoiced(self) -> None:
        joined = "FROM payments p JOIN invoices i ON i.id = p.invoice_id"
        assert not self.db.query(f"SELECT p.id {joined} WHERE p.amount <> i.amount")

    @invariant()
    def nothing_ends_in_two_ways(self) -> None:
        for one, other, key in (
            ("payments", "withholdings", "invoice_id"),
            ("receipts", "rejections", "order_id"),
        ):
            assert not self.db.query(f"SELECT 1 FROM {one} a JOIN {other} b ON b.{key} = a.{key}")
        assert not self.db.query(
            "SELECT 1 FROM allocations a JOIN orders o ON o.request_id = a.request_id "
            "WHERE o.status = 'open' AND o.ordered_at > a.allocated_at"
        )

    @invariant()
    def nothing_dangles(self) -> None:
        assert self.db.query("PRAGMA foreign_key_check") == []

    def _pieces(self) -> int:
        [row] = self.db.query(
            "SELECT (SELECT sum(quantity) FROM stock) + coalesce((SELECT sum(quantity) FROM allocations), 0) AS n"
        )
        return int(row["n"])

    def _draw(self, parameter: Parameter, rng: random.Random) -> Any:
        """A row if there is one; or a value from the pool or the enum."""
        if parameter.ref:
            table, _, column = parameter.ref.column.partition(".")
            rows = self.db.query(f"SELECT {column} FROM {table} ORDER BY {column}")
            return rng.choice(rows or [{column: "none"}])[column]
        if parameter.pool:
            return DOMAIN.pools[parameter.pool.name](rng)
        return rng.choice(parameter.schema.get("enum") or [parameter.schema["const"]])


TestWorks = Works.TestCase
TestWorks.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
