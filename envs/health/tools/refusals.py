"""Putting on record what was asked for and not done."""

from collections.abc import Mapping

from typing_extensions import TypedDict

from lexgym.envs.health.tools import lookup
from lexgym.tools.database import Database


class Refusal(TypedDict):
    """Something asked for that was not done."""

    refusal_id: str
    patient_id: str
    reason: str


def refuse(
    db: Database, asked: str, user_id: str, patient_id: str, reason: str, about: Mapping[str, str | None]
) -> Refusal:
    """Insert a refusal; `about` holds the other columns that say what was asked for."""
    lookup.user(db, user_id)
    lookup.patient(db, patient_id)
    refusal_id = db.new_id("refusals")
    db.insert(
        "refusals",
        id=refusal_id,
        patient_id=patient_id,
        user_id=user_id,
        asked=asked,
        reason=reason,
        refused_at=db.clock,
        **about,
    )
    return {"refusal_id": refusal_id, "patient_id": patient_id, "reason": reason}
