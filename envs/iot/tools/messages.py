"""Messages to a household's owner: the app and e-mail may fail, a text message arrives."""

from lexgym.envs.iot.tools import lookup
from lexgym.tools.database import Database

RETIRED_DOMAIN = "@oldpost.example"
"""A mail provider that has closed: its addresses take no mail."""


def send(db: Database, household_id: str, topic: str, subject: str, channel: str) -> tuple[str, bool]:
    """Send a message; return the notice's id and whether it was delivered."""
    delivered = _reaches(db, household_id, channel)
    notice_id = db.new_id("notices")
    db.insert(
        "notices",
        id=notice_id,
        household_id=household_id,
        topic=topic,
        subject=subject,
        channel=channel,
        delivered=int(delivered),
        sent_at=db.clock,
    )
    return notice_id, delivered


def _reaches(db: Database, household_id: str, channel: str) -> bool:
    email = lookup.household(db, household_id)["email"]
    if channel == "app":
        return db.one("SELECT 1 FROM owner_apps WHERE household_id = ?", household_id) is not None
    return channel != "e-mail" or not email.endswith(RETIRED_DOMAIN)
