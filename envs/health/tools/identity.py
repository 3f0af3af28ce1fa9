"""Who is at the desk: log-in of staff, their access to charts, and what follows from failed log-ins."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.types import MemberId, PatientId, UserId
from lexgym.tools.database import Database

MAX_FAILED_ATTEMPTS = 5
"""Failed log-ins in a row after which an account is locked."""

Outcome: TypeAlias = Literal["accepted", "wrong pin", "locked", "account closed"]
Ground: TypeAlias = Literal[
    "treatment relationship",
    "records office",
    "emergency access",
    "relationship ended",
    "no relationship",
    "role without chart access",
    "account closed",
]


class Login(TypedDict):
    """Whether a member of staff has been logged in."""

    authenticated: bool
    outcome: Outcome


class Access(TypedDict):
    """Whether a member of staff has access to a chart, and on what ground or why not."""

    granted: bool
    ground: Ground


class Clearance(TypedDict):
    """Whether a member of staff may be given access to charts, and until when."""

    cleared: bool
    until: str


class LoginReport(TypedDict):
    """A report to the security officer about failed log-ins."""

    report_id: str


class EndedSessions(TypedDict):
    """How many sessions were ended."""

    sessions: int


def authenticate_user(db: Database, *, user_id: UserId) -> Login:
    """Ask a member of staff to log in with badge and PIN at the desk.

    Returns `authenticated`, and the outcome: accepted, wrong pin, account closed, or locked, which an account is after
    five failed log-ins in a row. Who has mistyped the PIN may get it right when asked again.
    """
    outcome = _outcome(db, user_id)
    if outcome == "accepted":
        db.insert("sessions", id=db.new_id("sessions"), user_id=user_id, started_at=db.clock)
    return {"authenticated": outcome == "accepted", "outcome": outcome}


def check_access(db: Database, *, user_id: UserId, patient_id: PatientId) -> Access:
    """Say whether a member of staff has access to a patient's chart.

    Returns `granted`, and the ground: treatment relationship, records office or emergency access; or why not:
    relationship ended, no relationship, role without chart access, account closed.
    """
    lookup.patient(db, patient_id)
    ground = _ground(db, user_id, patient_id)
    granted = ground in ("treatment relationship", "records office", "emergency access")
    return {"granted": granted, "ground": ground}


def check_clearance(db: Database, *, member_id: MemberId) -> Clearance:
    """Say whether a member of staff's background check and privacy training are up to date.

    Returns `cleared`, and the day until which they hold. A closed account is never cleared.
    """
    row = lookup.user(db, member_id)
    until = db.query("SELECT until FROM clearances WHERE user_id = ?", member_id)[0]["until"]
    return {"cleared": row["status"] == "active" and db.clock < until, "until": lookup.date(until)}


def report_login_discrepancy(db: Database, *, user_id: UserId) -> LoginReport:
    """Report the failed log-ins of a user account to the security officer.

    Returns the id of the report.
    """
    lookup.user(db, user_id)
    report_id = db.new_id("login_reports")
    db.insert("login_reports", id=report_id, user_id=user_id, reported_at=db.clock)
    return {"report_id": report_id}


def end_sessions(db: Database, *, member_id: MemberId) -> EndedSessions:
    """End every open session of a user account and invalidate its badge.

    Returns the number of sessions that were open.
    """
    lookup.user(db, member_id)
    sessions = db.run("UPDATE sessions SET ended_at = ? WHERE user_id = ? AND ended_at IS NULL", db.clock, member_id)
    db.run("UPDATE credentials SET pin = 'wrong' WHERE user_id = ?", member_id)
    return {"sessions": sessions}


def _outcome(db: Database, user_id: str) -> Outcome:
    """Let the attempt fail or succeed, and count those that failed in a row."""
    closed = lookup.user(db, user_id)["status"] == "closed"
    [row] = db.query("SELECT * FROM credentials WHERE user_id = ?", user_id)
    locked, mistyped = row["failed_attempts"] >= MAX_FAILED_ATTEMPTS, row["mistypes"] > 0
    failed = closed or locked or mistyped or row["pin"] == "wrong"
    db.run(
        "UPDATE credentials SET mistypes = ?, failed_attempts = ? WHERE user_id = ?",
        row["mistypes"] - 1 if mistyped else 0,
        min(row["failed_attempts"] + 1, MAX_FAILED_ATTEMPTS) if failed else 0,
        user_id,
    )
    if closed:
        return "account closed"
    if locked:
        return "locked"
    return "wrong pin" if failed else "accepted"


def _ground(db: Database, user_id: str, patient_id: str) -> Ground:
    user = lookup.user(db, user_id)
    if user["status"] == "closed":
        return "account closed"
    if user["role"] == "records clerk":
        return "records office"
    if user["role"] == "billing clerk":
        return "role without chart access"
    row = db.one("SELECT status FROM care_team WHERE patient_id = ? AND user_id = ?", patient_id, user_id)
    if row and row["status"] == "active":
        return "treatment relationship"
    if db.one("SELECT 1 FROM emergency_accesses WHERE patient_id = ? AND user_id = ?", patient_id, user_id):
        return "emergency access"
    return "relationship ended" if row else "no relationship"
