"""Strong customer authentication: prompts on the customer's enrolled device."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import Amount, CustomerId, PayeeId, RemoteAction
from lexgym.tools.database import Database

MAX_FAILED_ATTEMPTS = 5
"""Failed attempts in a row after which a device is blocked (Delegated Regulation (EU) 2018/389, Article 4(3)(b))."""

Kind: TypeAlias = Literal["login", "payments", "changes"]
"""Kinds of prompts, each of which a customer answers in one way."""

Outcome: TypeAlias = Literal["approved", "declined", "wrong code", "blocked", "no device"]


class Authentication(TypedDict):
    """Whether the customer has been authenticated for access."""

    authenticated: bool
    outcome: Outcome


class Confirmation(TypedDict):
    """Whether the customer approved the prompt."""

    confirmed: bool
    outcome: Outcome


def authenticate_customer(db: Database, *, customer_id: CustomerId) -> Authentication:
    """Ask a customer to log in with two factors, on the device that the customer has enrolled.

    Returns `authenticated`, and the outcome: approved, declined, wrong code (the customer mistyped it), blocked
    (too many failed attempts in a row), or no device.
    """
    outcome = _prompt(db, customer_id, "login", "log in")
    if outcome == "approved":
        db.insert("sessions", id=db.new_id("sessions"), customer_id=customer_id, started_at=db.clock)
    return {"authenticated": outcome == "approved", "outcome": outcome}


def confirm_sca(db: Database, *, customer_id: CustomerId, payee_id: PayeeId, amount: Amount) -> Confirmation:
    """Show a customer payee and amount on the enrolled device and ask to approve exactly this with two factors.

    Returns `confirmed`, and the outcome: approved, declined, wrong code (the customer mistyped it), blocked (too
    many failed attempts in a row), or no device. Refused if the payee is not on this customer's list.
    """
    lookup.payee(db, payee_id, customer_id)
    outcome = _prompt(db, customer_id, "payments", "payment", payee_id, amount)
    return {"confirmed": outcome == "approved", "outcome": outcome}


def confirm_remote_action(db: Database, *, customer_id: CustomerId, action: RemoteAction) -> Confirmation:
    """Ask a customer on the enrolled device to approve, with two factors, a change that is not a payment.

    Returns `confirmed`, and the outcome: approved, declined, wrong code (the customer mistyped it), blocked (too
    many failed attempts in a row), or no device.
    """
    outcome = _prompt(db, customer_id, "changes", action)
    return {"confirmed": outcome == "approved", "outcome": outcome}


def _prompt(
    db: Database, customer_id: str, kind: Kind, purpose: str, payee_id: str | None = None, amount: int | None = None
) -> Outcome:
    lookup.customer(db, customer_id)
    outcome = _answer(db, customer_id, kind)
    db.insert(
        "challenges",
        id=db.new_id("challenges"),
        customer_id=customer_id,
        purpose=purpose,
        payee_id=payee_id,
        amount=amount,
        outcome=outcome,
        sent_at=db.clock,
    )
    return outcome


def _answer(db: Database, customer_id: str, kind: Kind) -> Outcome:
    device = db.one("SELECT * FROM sca_devices WHERE customer_id = ?", customer_id)
    if device is None:
        return "no device"
    if device["failed_attempts"] >= MAX_FAILED_ATTEMPTS:
        return "blocked"
    if device[kind] == "decline":
        outcome: Outcome = "declined"
    else:
        outcome = "wrong code" if device["mistypes"] and device["mistyped"] == kind else "approved"
    db.run(
        "UPDATE sca_devices SET failed_attempts = ?, mistypes = ? WHERE customer_id = ?",
        0 if outcome == "approved" else device["failed_attempts"] + 1,
        device["mistypes"] - (outcome == "wrong code"),
        customer_id,
    )
    return outcome
