"""Who may open which chart: the care team, emergency access, and accounts that are closed."""

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.refusals import Refusal, refuse
from lexgym.envs.health.tools.types import (
    ChartAccessRefusal,
    EmergencyRefusal,
    MemberId,
    PatientId,
    Situation,
    UserId,
)
from lexgym.errors import Refused
from lexgym.tools.database import Database


class TeamMember(TypedDict):
    """A member of a patient's care team."""

    team_id: str
    patient_id: str
    member_id: str
    active: bool
    user_id: str


class EmergencyAccess(TypedDict):
    """An emergency access to a chart."""

    emergency_id: str
    patient_id: str
    user_id: str


class Account(TypedDict):
    """A user account."""

    member_id: str
    closed: bool
    user_id: str


def grant_chart_access(db: Database, *, user_id: UserId, member_id: MemberId, patient_id: PatientId) -> TeamMember:
    """Let a colleague into a patient's care team, on behalf of a member of staff.

    Returns the membership. Refused if it is the member of staff, is on the team already or is neither physician nor
    nurse.
    """
    lookup.user(db, user_id)
    _require_another(user_id, member_id)
    lookup.patient(db, patient_id)
    lookup.clinician(db, member_id)
    old = db.one("SELECT * FROM care_team WHERE patient_id = ? AND user_id = ?", patient_id, member_id)
    if old and old["status"] == "active":
        raise Refused("already_member", f"{member_id} is on the care team of {patient_id} already")
    team_id = old["id"] if old else db.new_id("care_team")
    if old:
        db.run(
            "UPDATE care_team SET status = 'active', since = ?, changed_by = ? WHERE id = ?", db.clock, user_id, team_id
        )
    else:
        row = {"patient_id": patient_id, "user_id": member_id, "since": db.clock, "status": "active"}
        db.insert("care_team", id=team_id, changed_by=user_id, **row)
    return {"team_id": team_id, "patient_id": patient_id, "member_id": member_id, "active": True, "user_id": user_id}


def end_chart_access(db: Database, *, user_id: UserId, member_id: MemberId, patient_id: PatientId) -> TeamMember:
    """Take a colleague out of a patient's care team, on behalf of a member of staff.

    Returns the membership. Refused if it is the member of staff, or is not on the team.
    """
    lookup.user(db, user_id)
    _require_another(user_id, member_id)
    lookup.user(db, member_id)
    lookup.patient(db, patient_id)
    row = db.one(
        "SELECT id FROM care_team WHERE patient_id = ? AND user_id = ? AND status = 'active'", patient_id, member_id
    )
    if row is None:
        raise Refused("not_member", f"{member_id} is not on the care team of {patient_id}")
    db.run("UPDATE care_team SET status = 'ended', changed_by = ? WHERE id = ?", user_id, row["id"])
    return {"team_id": row["id"], "patient_id": patient_id, "member_id": member_id, "active": False, "user_id": user_id}


def decline_chart_access(
    db: Database, *, user_id: UserId, member_id: MemberId, patient_id: PatientId, reason: ChartAccessRefusal
) -> Refusal:
    """Put on record that a colleague is not let into a patient's care team, with the reason.

    Returns the id of the refusal. Refused if it is the member of staff, or the reason does not fit the colleague's
    role.
    """
    _require_another(user_id, member_id)
    clinical = lookup.user(db, member_id)["role"] in lookup.CLINICAL
    if clinical == (reason == "neither physician nor nurse"):
        raise Refused("not_the_reason", f"{member_id} is {'a' if clinical else 'no'} physician or nurse")
    return refuse(db, "chart access", user_id, patient_id, reason, {"member_id": member_id})


def break_glass(db: Database, *, user_id: UserId, patient_id: PatientId, situation: Situation) -> EmergencyAccess:
    """Open a patient's chart to a physician or nurse who does not treat the patient, because of an emergency.

    Returns the id of the emergency access. Refused if the member of staff is on the care team, has emergency
    access already, or is neither physician nor nurse.
    """
    lookup.patient(db, patient_id)
    lookup.clinician(db, user_id)
    if lookup.has_emergency_access(db, patient_id, user_id) or lookup.on_team(db, patient_id, user_id):
        raise Refused("has_access", f"{user_id} has access to the chart of {patient_id} already")
    emergency_id = db.new_id("emergency_accesses")
    db.insert(
        "emergency_accesses",
        id=emergency_id,
        patient_id=patient_id,
        user_id=user_id,
        situation=situation,
        opened_at=db.clock,
    )
    return {"emergency_id": emergency_id, "patient_id": patient_id, "user_id": user_id}


def decline_emergency_access(
    db: Database, *, user_id: UserId, patient_id: PatientId, reason: EmergencyRefusal
) -> Refusal:
    """Put on record that a member of staff does not get emergency access to a patient's chart, with the reason.

    Returns the id of the refusal. Refused if the reason is the care team and the member of staff is not on it.
    """
    lookup.user(db, user_id)
    if reason == "on the care team already" and not lookup.on_team(db, patient_id, user_id):
        raise Refused("not_member", f"{user_id} is not on the care team of {patient_id}")
    return refuse(db, "emergency access", user_id, patient_id, reason, {})


def close_account(db: Database, *, user_id: UserId, member_id: MemberId) -> Account:
    """Close the user account of a colleague who is leaving, on behalf of a member of staff.

    Sessions that are open stay open. Returns the account. Refused if it is closed, is one's own, or the personnel
    office has no notice that the colleague is leaving.
    """
    lookup.user(db, user_id)
    member = lookup.user(db, member_id)
    if user_id == member_id:
        raise Refused("own_account", "nobody closes an account of their own")
    if member["status"] == "closed":
        raise Refused("already_closed", f"the account of {member_id} is closed already")
    if member["last_day"] is None:
        raise Refused("not_leaving", f"the personnel office has no notice that {member_id} is leaving")
    db.run("UPDATE users SET status = 'closed', closed_by = ? WHERE id = ?", user_id, member_id)
    return {"member_id": member_id, "closed": True, "user_id": user_id}


def _require_another(user_id: str, member_id: str) -> None:
    if user_id == member_id:
        raise Refused("own_access", "nobody decides on access of their own")
