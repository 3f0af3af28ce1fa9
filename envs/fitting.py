"""Does a scenario's state fit its domain: the tables, the columns, the numbers given out so far, the clock?

An edited or damaged scenario is refused when an episode begins, not in its middle and not by its verdict.
"""

import sqlite3
from collections.abc import Iterable

from lexgym.envs.domain import Domain
from lexgym.errors import ScenarioError
from lexgym.scenario import Dump, Scenario
from lexgym.tools.database import Database

EPISODE = 10_000
"""More ids than an episode gives out in one table."""

LATEST = 253_402_300_799
"""The last second of the year 9999, in seconds since 1970-01-01."""


def filled(scenario: Scenario, domain: Domain) -> Database:
    """Return a database in the scenario's initial state; raise `ScenarioError` where it does not fit the domain."""
    if not 0 <= scenario.clock <= LATEST:
        raise ScenarioError(f"scenario {scenario.id!r}: clock is {scenario.clock}; expected 0 to {LATEST} seconds")
    _require_tables(scenario.id, "initial", scenario.initial, domain, domain.schema.tables)
    _require_tables(scenario.id, "target", scenario.target, domain, domain.business)
    _require_sequences(scenario, domain)
    db = Database(domain.schema, clock=scenario.clock)
    try:
        db.load(scenario.initial, scenario.sequences)
    except (sqlite3.Error, OverflowError) as error:
        db.close()
        raise ScenarioError(f"scenario {scenario.id!r}: its initial state cannot be: {error}") from None
    return db


def _require_tables(name: str, which: str, dump: Dump, domain: Domain, wanted: Iterable[str]) -> None:
    if odd := sorted({*dump} ^ {*wanted}):
        has = "has" if odd[0] in dump else "lacks"
        raise ScenarioError(f"scenario {name!r}: its {which} state {has} the table {odd[0]!r}; generate it anew")
    for table, rows in dump.items():
        columns = {*domain.schema.tables[table].columns}
        for number, row in enumerate(rows, 1):
            if odd := sorted({*row} ^ columns):
                has = "has" if odd[0] in row else "lacks"
                where = f"row {number} of {table} in its {which} state"
                raise ScenarioError(f"scenario {name!r}: {where} {has} {odd[0]!r}; generate it anew")


def _require_sequences(scenario: Scenario, domain: Domain) -> None:
    if odd := sorted({*scenario.sequences} - {*domain.schema.prefixes}):
        raise ScenarioError(f"scenario {scenario.id!r}: sequences has {odd[0]!r}, for which no ids are given out")
    for table, prefix in domain.schema.prefixes.items():
        [key, *_] = domain.schema.tables[table].key
        given = scenario.sequences.get(table, 0)
        for row in scenario.initial[table]:
            start, _, number = str(row[key]).rpartition("-")
            if start == prefix and number.isascii() and number.isdigit() and 0 < int(number) - given <= EPISODE:
                raise ScenarioError(
                    f"scenario {scenario.id!r}: sequences has {given} for {table}, which has {row[key]!r} already: "
                    "new ids would not be new"
                )
