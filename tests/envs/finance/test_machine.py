"""Any sequence of calls keeps the books: a state machine over a sampled bank."""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from lexgym.core import Status, ToolCall
from lexgym.envs.registry import load_domain
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

DOMAIN = load_domain("finance")
TOOLS = sorted(DOMAIN.tools)


class Bank(RuleBasedStateMachine):
    db: Database
    step = 0

    @initialize(seed=st.integers(0, 20))
    def open(self, seed: int) -> None:
        self.db = DOMAIN.database(seed)

    @rule(name=st.sampled_from(TOOLS), seed=st.integers(0, 2**32))
    def call(self, name: str, seed: int) -> None:
        rng = random.Random(seed)
        customer = rng.choice(self.db.query("SELECT id FROM customers ORDER BY id"))["id"]
        arguments = {p.name: self._draw(p, rng, customer) for p in DOMAIN.tools[name].parameters}
        before, money = self.db.state_hash(), self._money()
        self.step += 1
        event = DOMAIN.tools.execute(self.db, DOMAIN.tools.parse(ToolCall(name, arguments)), step=self.step)
        self.db.clock += DOMAIN.tick
        if event.status is Status.REFUSED or name.startswith(("list_", "find_", "get_")):
            assert self.db.state_hash() == before
        if name not in ("initiate_payment", "refund_unauthorised_transaction"):
            assert self._money() == money

    @invariant()
    def balance_is_the_sum_of_bookings(self) -> None:
        assert not self.db.query(
            "SELECT a.number FROM accounts a LEFT JOIN transactions t ON t.account = a.number "
            "GROUP BY a.number HAVING a.balance <> coalesce(sum(t.amount), 0)"
        )

    @invariant()
    def nothing_dangles(self) -> None:
        assert self.db.query("PRAGMA foreign_key_check") == []

    def _money(self) -> Any:
        return self.db.query("SELECT sum(balance) AS cents FROM accounts")[0]["cents"]

    def _draw(self, parameter: Parameter, rng: random.Random, customer: str) -> Any:
        """A row of the customer if there is one, else any row; or a value from the pool or the enum."""
        if parameter.name == "customer_id":
            return customer
        if parameter.ref:
            table, _, column = parameter.ref.column.partition(".")
            rows = self.db.query(f"SELECT * FROM {table} ORDER BY {column}")
            own = [row for row in rows if row.get("customer_id") == customer and rng.random() < 0.9]
            return rng.choice(own or rows or [{column: "none"}])[column]
        if parameter.pool:
            return DOMAIN.pools[parameter.pool.name](rng)
        return rng.choice(parameter.schema.get("enum", [True, False]))


TestBank = Bank.TestCase
TestBank.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
