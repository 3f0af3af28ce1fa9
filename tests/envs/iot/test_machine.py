"""Any sequence of calls keeps the homes in order: a state machine over a sampled neighbourhood."""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from lexgym.core import Status, ToolCall
from lexgym.envs.registry import load_domain
from lexgym.tools.database import Database
from lexgym.tools.tool import Parameter

DOMAIN = load_domain("iot")
TOOLS = sorted(DOMAIN.tools)


class Town(RuleBasedStateMachine):
    db: Database
    step = 0

    @initialize(seed=st.integers(0, 20))
    def open(self, seed: int) -> None:
        self.db = DOMAIN.database(seed)
        self.devices = self._count("devices")
        self.items = self._items()

    @rule(name=st.sampled_from(TOOLS), seed=st.integers(0, 2**32))
    def call(self, name: str, seed: int) -> None:
        rng = random.Random(seed)
        household = rng.choice(self.db.query("SELECT id FROM households ORDER BY id"))["id"]
        arguments = {p.name: self._draw(p, rng, household) for p in DOMAIN.tools[name].parameters}
        before, elsewhere = self.db.state_hash(), self._elsewhere(household)
        self.step += 1
        event = DOMAIN.tools.execute(self.db, DOMAIN.tools.parse(ToolCall(name, arguments)), step=self.step)
        self.db.clock += DOMAIN.tick
        if event.status is Status.REFUSED or name.startswith(("list_", "find_")):
            assert self.db.state_hash() == before
        if "household_id" in arguments:
            assert self._elsewhere(household) == elsewhere

    @invariant()
    def no_device_comes_or_goes(self) -> None:
        assert self._count("devices") == self.devices == self._count("device_conditions") == self._count("passwords")

    @invariant()
    def what_is_erased_was_kept(self) -> None:
        assert self._items() == self.items

    @invariant()
    def guests_stay_in_their_household(self) -> None:
        assert not self.db.query(
            "SELECT 1 FROM guest_profiles p JOIN guests g ON g.id = p.guest_id JOIN devices d ON d.id = p.device_id "
            "WHERE g.household_id <> p.household_id OR d.household_id <> p.household_id"
        )

    @invariant()
    def an_installed_update_is_running(self) -> None:
        assert not self.db.query(
            "SELECT 1 FROM updates u JOIN devices d ON d.id = u.device_id "
            "WHERE u.status = 'installed' AND u.version <> d.firmware"
        )

    @invariant()
    def an_open_door_was_opened(self) -> None:
        assert not self.db.query(
            "SELECT 1 FROM openings o JOIN locks l ON l.device_id = o.device_id WHERE l.state = 'locked'"
        )

    @invariant()
    def nothing_dangles(self) -> None:
        assert self.db.query("PRAGMA foreign_key_check") == []

    def _count(self, table: str) -> int:
        return len(self.db.query(f"SELECT 1 FROM {table}"))

    def _items(self) -> Any:
        return self.db.query(
            "SELECT sum(items) AS n FROM (SELECT items FROM personal_data UNION ALL SELECT items FROM erasures)"
        )[0]["n"]

    def _elsewhere(self, household: str) -> Any:
        """The devices, guests and profiles of everybody else."""
        return [
            self.db.query(f"SELECT * FROM {table} WHERE household_id <> ? ORDER BY id", household)
            for table in ("devices", "guest_profiles", "consents", "personal_data", "refusals")
        ]

    def _draw(self, parameter: Parameter, rng: random.Random, household: str) -> Any:
        """A row of the household if there is one, else any row; or a value from the pool or the enum."""
        if parameter.name == "household_id":
            return household
        if parameter.ref:
            table, _, column = parameter.ref.column.partition(".")
            join = (
                "JOIN devices d ON d.id = t.device_id"
                if column == "device_id" or table in ("updates", "interfaces")
                else ""
            )
            owner = ", d.household_id" if join else ""
            rows = self.db.query(f"SELECT t.*{owner} FROM {table} t {join} ORDER BY t.{column}")
            own = [row for row in rows if row.get("household_id") == household and rng.random() < 0.9]
            return rng.choice(own or rows or [{column: "none"}])[column]
        if parameter.pool:
            return DOMAIN.pools[parameter.pool.name](rng)
        return rng.choice(parameter.schema.get("enum", [True, False]))


TestTown = Town.TestCase
TestTown.settings = settings(max_examples=20, stateful_step_count=30, deadline=None)
