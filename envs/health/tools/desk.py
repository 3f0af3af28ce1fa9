"""Members of staff who cannot log in at the desk and are turned away."""

from lexgym.envs.health.tools import lookup
from lexgym.envs.health.tools.refusals import Refusal, refuse
from lexgym.envs.health.tools.types import DeskRefusal, PatientId, UserId
from lexgym.errors import Refused
from lexgym.tools.database import Database


def turn_away_user(db: Database, *, user_id: UserId, patient_id: PatientId, reason: DeskRefusal) -> Refusal:
    """Put on record that nothing was done for a member of staff who asked for something about a patient.

    Returns the id of the refusal. Refused if the reason is a closed account and it is open, or is another one and the
    account is closed.
    """
    closed = lookup.user(db, user_id)["status"] == "closed"
    if closed != (reason == "account closed"):
        raise Refused("not_the_reason", f"the account of {user_id} is {'closed' if closed else 'open'}")
    return refuse(db, "service at the desk", user_id, patient_id, reason, {})
