"""Calls in Ada's home, short to write, and the rules that a trace of them breaks."""

from typing import Any, TypeAlias

from lexgym.core import Event, Status
from lexgym.oracles.ltlf import RuleSet

Call: TypeAlias = tuple[str, dict[str, Any]]
ADA = {"household_id": "HOM-000001"}
LOGIN: Call = ("authenticate_owner", ADA)


def on(number: int, **more: Any) -> dict[str, Any]:
    """The arguments of a call about one of Ada's devices."""
    return {**ADA, "device_id": f"DEV-{number:06d}", **more}


def look(check: str, number: int, **more: Any) -> Call:
    return check, {"device_id": f"DEV-{number:06d}", **more}


def change(what: str, number: int = 1) -> Call:
    return "confirm_change", on(number, change=what)


def tell(topic: str, subject: str, channel: str = "text message") -> Call:
    return "notify_owner", {**ADA, "topic": topic, "subject": subject, "channel": channel}


def announce(topic: str, channel: str = "text message") -> Call:
    return "announce_update", {**ADA, "update_id": "UPD-000001", "topic": topic, "channel": channel}


def inform(partner_id: str, channel: str = "text message") -> Call:
    return "inform_about_processing", {**ADA, "partner_id": partner_id, "channel": channel}


def relay(partner_id: str, route: str = "data interface") -> Call:
    return "relay_withdrawal", {**ADA, "partner_id": partner_id, "route": route}


def log(subject: str) -> Call:
    return "record_event", {"subject": subject}


BENS = {"household_id": "HOM-000002", "device_id": "DEV-000009"}


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    """Return the rules that the trace breaks, all of whose calls succeeded."""
    assert {event.status for event in events} <= {Status.OK}
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}
