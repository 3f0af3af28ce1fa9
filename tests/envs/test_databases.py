"""A state machine on every domain's database: whatever is called, the data stay whole."""

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.registry import domain_names, load_domain
from lexgym.envs.spaces import draw
from lexgym.errors import MalformedCall
from lexgym.tools.database import Database


def random_call(domain: Domain, db: Database, rng: random.Random) -> ToolCall | None:
    """Return a call whose keys are mostly those of real rows."""
    tool = domain.tools[rng.choice(list(domain.tools))]
    arguments = {}
    for parameter in tool.parameters:
        if not parameter.required and rng.random() < 0.5:
            continue
        table, _, column = parameter.ref.column.partition(".") if parameter.ref else ("", "", "")
        known = [row[column] for row in db.query(f"SELECT {column} FROM {table}")] if table else []
        real = known and rng.random() < 0.9
        arguments[parameter.name] = rng.choice(known) if real else draw(domain, parameter, rng)
    try:
        return domain.tools.parse(ToolCall(tool.name, arguments))
    except MalformedCall:
        return None


def dangling(domain: Domain, db: Database) -> list[str]:
    """Return the references that lead nowhere."""
    found = []
    for table in domain.schema.tables.values():
        for column, target in table.references.items():
            owner, _, key = target.partition(".")
            lost = db.query(
                f"SELECT {column} AS value FROM {table.name} WHERE {column} IS NOT NULL "
                f"AND {column} NOT IN (SELECT {key} FROM {owner})"
            )
            found += [f"{table.name}.{column} = {row['value']}" for row in lost]
    return found


def machine(domain: Domain) -> type[RuleBasedStateMachine]:
    class Calls(RuleBasedStateMachine):
        db: Database

        @initialize(seed=st.integers(0, 3))
        def populate(self, seed: int) -> None:
            self.db = domain.database(seed)

        @rule(rng=st.randoms(use_true_random=False))
        def call(self, rng: random.Random) -> None:
            self._call(rng)

        @rule(rng=st.randoms(use_true_random=False))
        def call_and_undo(self, rng: random.Random) -> None:
            before = self._state()
            self.db.begin()
            self._call(rng)
            self.db.rollback()
            assert self._state() == before

        @rule(rng=st.randoms(use_true_random=False))
        def call_inside_a_savepoint(self, rng: random.Random) -> None:
            twin = self.db.fork()
            call = random_call(domain, self.db, rng)
            if call is not None:
                domain.tools.execute(twin, call, step=1)
                self.db.begin()
                domain.tools.execute(self.db, call, step=1)
                self.db.commit()
            assert twin.state_hash() == self.db.state_hash()
            twin.close()

        @invariant()
        def nothing_dangles(self) -> None:
            assert not dangling(domain, self.db)

        def _call(self, rng: random.Random) -> Event | None:
            before = self.db.state_hash()
            call = random_call(domain, self.db, rng)
            event = domain.tools.execute(self.db, call, step=1) if call else None
            if event is None or event.status is not Status.OK:
                assert self.db.state_hash() == before
            return event

        def _state(self) -> tuple[Any, ...]:
            return self.db.state_hash(), self.db.clock, self.db.sequences

        def teardown(self) -> None:
            self.db.close()

    return Calls


@pytest.mark.parametrize("name", domain_names())
def test_whatever_is_called(name: str) -> None:
    run_state_machine_as_test(
        machine(load_domain(name)),
        settings=settings(max_examples=12, stateful_step_count=20, deadline=None, derandomize=True, database=None),
    )
