"""Asking a household's owner: prompts on the phone on which the owner has enrolled the operator's app."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.iot.tools import lookup
from lexgym.envs.iot.tools.types import Change, DeviceId, GuestId, Hours, HouseholdId
from lexgym.tools.database import Database

MAX_FAILED_ATTEMPTS = 3
"""Failed attempts in a row after which the app is locked (the operator's limit under provision 5.1-5)."""

Outcome: TypeAlias = Literal["approved", "declined", "wrong code", "locked out", "no app"]
Kind: TypeAlias = Literal["login", "changes", "guests"]


class Authentication(TypedDict):
    """Whether the owner has been authenticated."""

    authenticated: bool
    outcome: Outcome


class Confirmation(TypedDict):
    """Whether the owner approved the prompt."""

    confirmed: bool
    outcome: Outcome


def authenticate_owner(db: Database, *, household_id: HouseholdId) -> Authentication:
    """Ask the owner of a household to log in on the enrolled phone.

    Returns `authenticated`, and the outcome: approved, declined, wrong code (mistyped), locked out (too many
    failed attempts in a row), or no app, which is no attempt.
    """
    outcome = _prompt(db, household_id, "login", "log in")
    return {"authenticated": outcome == "approved", "outcome": outcome}


def confirm_change(db: Database, *, household_id: HouseholdId, device_id: DeviceId, change: Change) -> Confirmation:
    """Show the owner of a household one device and one kind of change, and ask to approve exactly this.

    Returns `confirmed`, and the outcome: approved, declined, wrong code (mistyped), locked out (too many failed
    attempts in a row), or no app. Refused if the device is not this household's.
    """
    lookup.device(db, device_id, household_id)
    outcome = _prompt(db, household_id, "changes", f"{change} of {device_id}")
    return {"confirmed": outcome == "approved", "outcome": outcome}


def confirm_guest_access(
    db: Database, *, household_id: HouseholdId, guest_id: GuestId, device_id: DeviceId, hours: Hours
) -> Confirmation:
    """Show the owner of a household a guest, a device and a number of hours, and ask to approve exactly this.

    Returns `confirmed`, and the outcome: approved, declined, wrong code (mistyped), locked out (too many failed
    attempts in a row), or no app. Refused if guest or device are not this household's.
    """
    lookup.guest(db, guest_id, household_id)
    lookup.device(db, device_id, household_id)
    outcome = _prompt(db, household_id, "guests", f"{hours} hours on {device_id} for {guest_id}")
    return {"confirmed": outcome == "approved", "outcome": outcome}


def _prompt(db: Database, household_id: str, kind: Kind, purpose: str) -> Outcome:
    lookup.household(db, household_id)
    outcome = _answer(db, household_id, kind)
    prompt_id = db.new_id("prompts")
    db.insert("prompts", id=prompt_id, household_id=household_id, purpose=purpose, outcome=outcome, sent_at=db.clock)
    return outcome


def _answer(db: Database, household_id: str, kind: Kind) -> Outcome:
    app = db.one("SELECT * FROM owner_apps WHERE household_id = ?", household_id)
    if app is None:
        return "no app"
    if app["failed_attempts"] >= MAX_FAILED_ATTEMPTS:
        return "locked out"
    if app["mistypes"] > 0:
        db.run("UPDATE owner_apps SET mistypes = mistypes - 1 WHERE household_id = ?", household_id)
        outcome: Outcome = "wrong code"
    else:
        outcome = "approved" if app[kind] == "approve" else "declined"
    failed = 0 if outcome == "approved" else app["failed_attempts"] + 1
    db.run("UPDATE owner_apps SET failed_attempts = ? WHERE household_id = ?", failed, household_id)
    return outcome
