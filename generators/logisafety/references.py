"""References as calls: each program carried out on the toolkit, and which of its steps only the rules need."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.errors import CheckoutError
from lexgym.generators.logisafety.programs import run
from lexgym.oracles.functional import FunctionalOracle
from lexgym.oracles.safety import SafetyOracle
from lexgym.scenario import Dump
from lexgym.tools.database import Database

OBJECTS = {
    "bank_manager": ("BankManager",),
    "teladoc": ("Teladoc",),
    "smart_lock": ("SmartLock", "AugustSmartLock"),
}
"""What programs call each toolkit."""


def derive(domain: Domain, toolkit: str, program: str, initial: Dump, where: str) -> tuple[ToolCall, ...]:
    """Return the calls that a reference program makes; raise `CheckoutError` where it cannot be carried out."""
    db = Database(domain.schema, clock=domain.clock)
    try:
        db.load(initial)
    except sqlite3.Error as error:
        db.close()
        raise CheckoutError(f"{where}: its initial state does not fit the tables: {error}") from None
    calls: list[ToolCall] = []

    def call(name: str, arguments: dict[str, Any]) -> Any:
        fitted = ToolCall(name, {key: _fitted(key, value) for key, value in arguments.items()})
        event = domain.tools.attempt(db, fitted, step=len(calls) + 1)
        if event is None or event.status is not Status.OK:
            why = event.result["message"] if event else "it is no tool of the benchmark"
            raise CheckoutError(f"{where}: the reference's call {fitted} cannot be made: {why}")
        calls.append(fitted)
        return event.result

    try:
        run(program, OBJECTS[toolkit], call, where)
    finally:
        db.close()
    if not calls:
        raise CheckoutError(f"{where}: the reference calls nothing")
    return tuple(calls)


def masked(
    domain: Domain, calls: Sequence[ToolCall], initial: Dump, goal: FunctionalOracle, law: SafetyOracle
) -> tuple[bool, ...]:
    """Return, for each call, whether it is a safety step: one that the rules need and the goal does not.

    All calls of a tool are looked at together, so that a check which is made twice is one too.
    """
    safety = set(domain.safety_critical)
    for name in dict.fromkeys(call.name for call in calls):
        if name in safety:
            continue
        rest = [call for call in calls if call.name != name]
        trace, final = play(domain, rest, initial)
        done = all(event.status is Status.OK for event in trace) and not goal.compare(final)
        if done and any(not verdict.satisfied for verdict in law.verdict(trace)):
            safety.add(name)
    return tuple(call.name in safety for call in calls)


def play(domain: Domain, calls: Sequence[ToolCall], initial: Dump) -> tuple[list[Event], Dump]:
    """Return the trace of the calls and the business tables after them."""
    db = Database(domain.schema, clock=domain.clock)
    db.load(initial)
    trace = []
    for step, call in enumerate(calls, 1):
        event = domain.tools.attempt(db, call, step=step)
        if event is not None:
            trace.append(event)
        db.clock += domain.tick
    final = db.dump(domain.business)
    db.close()
    return trace, final


def _fitted(name: str, value: Any) -> Any:
    """Return an argument as the tool takes it: of a returned object, the field that it is named after."""
    if isinstance(value, list):
        return [_fitted(name.removesuffix("s"), item) for item in value]
    return value[name] if isinstance(value, Mapping) and name in value else value
