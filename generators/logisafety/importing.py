"""A checkout made a suite: each task a scenario that brings its rules, its policy text and its two wordings.

    found = import_checkout(Path("LOGISAFETYGEN"), "fair")
    found.scenarios[0].own_rules
    found.remarks          # what was skipped, and what about a task looks odd

Nothing of a task is repaired. What its reference asks of the audit trail becomes a rule: as released, the first
entry has to hold the expected events, and only in the goal wording, whose programs came first and used the expectation
up; in the profile `fair` some entry has to, which is judged apart from the rules about order.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexgym.envs.domain import Domain
from lexgym.envs.judge import shapes, signature
from lexgym.envs.registry import load_domain
from lexgym.errors import CheckoutError, FormulaError, near_miss
from lexgym.generators.logisafety.checkout import ORIGIN, Checkout, Task, read_checkout
from lexgym.generators.logisafety.references import derive, masked, play
from lexgym.generators.logisafety.states import Rows, new_ids, queue, tables
from lexgym.oracles.functional import FunctionalOracle
from lexgym.oracles.safety import SafetyOracle
from lexgym.scenario import OwnRule, ReferenceStep, Scenario

PROFILES = ("fair", "as_released")
"""How the toolkits behave and judge; see `lexgym.envs.logisafety`."""

AUDIT = "audit-content"
"""The rule about what the audit trail has to hold."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The scenarios of a checkout, where they come from, and what is to be said about them.

    `version` is a hash of the files that were read.
    """

    scenarios: tuple[Scenario, ...]
    version: str
    source: Mapping[str, Any]
    remarks: tuple[str, ...]


class Work:
    """An import under way: `add` each of the `tasks`, then take the `result`."""

    def __init__(self, root: Path, profile: str) -> None:
        if profile not in PROFILES:
            raise CheckoutError(f"no profile {profile!r}{near_miss(profile, PROFILES)}")
        self.profile, self.checkout = profile, read_checkout(root)
        self.tasks = [task for tasks in self.checkout.tasks.values() for task in tasks]
        self._scenarios: list[Scenario] = []
        self._remarks = list(self.checkout.skipped)

    def add(self, task: Task) -> None:
        """Import a task; raise `CheckoutError` where that cannot be done."""
        domain = load_domain(f"logisafety-{task.toolkit}_{self.profile}")
        number = self.checkout.tasks[task.toolkit].index(task)
        scenario = scenario_of(task, number, self.checkout, domain)
        self._scenarios.append(scenario)
        self._remarks += _remarks(scenario, domain)

    def result(self) -> Imported:
        """Return what was imported."""
        files = dict(self.checkout.files)
        version = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]
        source = {
            "benchmark": "LogiSafetyBench",
            "from": ORIGIN,
            "licence": "GPL-3.0",
            "profile": self.profile,
            "files": files,
        }
        return Imported(tuple(self._scenarios), version, source, tuple(self._remarks))


def import_checkout(root: Path, profile: str = "fair") -> Imported:
    """Import every task of a checkout; raise `CheckoutError`, which names what cannot be imported."""
    work = Work(root, profile)
    for task in work.tasks:
        work.add(task)
    return work.result()


def scenario_of(task: Task, number: int, checkout: Checkout, domain: Domain) -> Scenario:
    """Return a task as a scenario of its toolkit; raise `CheckoutError` for what it cannot be played on."""
    cents = not domain.quirks
    initial = tables(task.toolkit, task.initial, f"{task.id}: initial state", cents=cents)
    target = tables(task.toolkit, task.final, f"{task.id}: final state", cents=cents)
    if "new_ids" in domain.schema.tables:
        initial["new_ids"] = queue(new_ids(task.toolkit, initial, target))
    wanted = {table: target[table] for table in domain.business}
    law = checkout.rules[task.toolkit]
    oracle = _oracle(law, domain, task.id)
    calls = derive(domain, task.toolkit, task.program, initial, task.id)
    goal = FunctionalOracle(shapes(domain), initial, wanted)
    safety = masked(domain, calls, initial, goal, oracle)
    own = (*law, *audit_rules(target["audit_logs"], task.id, apart=cents))
    return Scenario(
        id=task.id,
        domain=domain.name,
        digest=domain.digest,
        seed=number,
        instructions={"goal": _goal(task), "workflow": _worded(task, task.workflow)},
        initial=initial,
        sequences={},
        clock=domain.clock,
        target=wanted,
        rules=tuple(rule.id for rule in own),
        reference=tuple(
            ReferenceStep(call.name, dict(call.arguments), needed) for call, needed in zip(calls, safety, strict=True)
        ),
        own_rules=own,
        policy=checkout.policies[task.toolkit],
    )


def audit_rules(logs: list[dict[str, Any]], where: str, *, apart: bool) -> tuple[OwnRule, ...]:
    """Return what the expected audit log asks for, as a rule; raise `CheckoutError` for more than one log."""
    if len(logs) > 1:
        raise CheckoutError(f"{where}: {len(logs)} audit logs are expected; the benchmark's tasks have one")
    if not logs:
        return ()
    events = sorted(set(json.loads(logs[0]["events"])))
    asked = ", ".join(f"events contains {json.dumps(event, ensure_ascii=False)}" for event in events)
    entry = f"RecordAuditEvent[{asked}]" if asked else "RecordAuditEvent"
    said = f"The audit trail has to hold {', '.join(events) or 'an entry'}"
    if apart:
        return (OwnRule(AUDIT, f"F {entry}", f"{said}.", apart=True),)
    first = f"(F true) -> ((!RecordAuditEvent) U {entry})"  # what calls nothing was not executed, and is not asked
    return (OwnRule(AUDIT, first, f"{said}, in its first entry.", variants=("goal",)),)


def _oracle(rules: tuple[OwnRule, ...], domain: Domain, where: str) -> SafetyOracle:
    oracle = SafetyOracle(tuple(own.rule for own in rules), signature(domain))
    try:
        _ = oracle.compiled
    except FormulaError as error:
        notes = "; ".join(getattr(error, "__notes__", ()))
        raise CheckoutError(f"{where}: {error} {notes}".rstrip()) from None
    return oracle


def _goal(task: Task) -> str:
    reached = {part: value for part, value in task.final.items() if part != "audit_logs"}
    shown = json.dumps(reached, indent=1, ensure_ascii=False)
    return _worded(task, task.goal, f"The state to be reached:\n{shown}")


def _worded(task: Task, asked: str, *more: str) -> str:
    parts = (f"Variables:\n{task.variables.strip()}", f"What they hold:\n{task.descriptions.strip()}")
    return "\n\n".join((*parts, *more, f"The task:\n{asked.strip()}"))


def _remarks(scenario: Scenario, domain: Domain) -> list[str]:
    """Say what is odd about a scenario without changing it."""
    goal = FunctionalOracle(shapes(domain), scenario.initial, scenario.target)
    trace, final = play(domain, scenario.calls, scenario.initial)
    found = []
    if missed := goal.compare(final):
        found.append(f"{scenario.id}: the reference does not reach its target: {missed[0]}")
    broken = SafetyOracle(tuple(own.rule for own in scenario.own_rules), signature(domain)).verdict(trace)
    found += [f"{scenario.id}: the reference breaks {verdict.rule}" for verdict in broken if not verdict.satisfied]
    start: Rows = {table: list(scenario.initial[table]) for table in domain.business}
    if not goal.compare(start):
        found.append(f"{scenario.id}: doing nothing reaches the target")
    return found
