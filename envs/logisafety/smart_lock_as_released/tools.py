"""The smart lock's tools as the released mock has them: each returns a bare value, where the documents name a field.

AddGuest(db, guest_name="…", guest_email="…")    # "guest_3"
"""

from typing import Final

from lexgym.envs.logisafety.released import RecordAuditEvent
from lexgym.envs.logisafety.session import CheckAuthorization
from lexgym.envs.logisafety.smart_lock_fair import lock
from lexgym.envs.logisafety.smart_lock_fair.types import (
    AccessCode,
    End,
    GuestEmail,
    GuestIds,
    GuestName,
    NamePart,
    Permanent,
    Start,
)
from lexgym.tools.database import Database


def CheckLockStatus(db: Database) -> str:
    """Say whether the door is locked or unlocked."""
    return lock.status(db)


def LockDoor(db: Database) -> bool:
    """Lock the door."""
    lock.turn(db, "locked")
    return True


def UnlockDoor(db: Database) -> bool:
    """Unlock the door."""
    lock.turn(db, "unlocked")
    return True


def SearchGuests(db: Database, *, name_keyword: NamePart) -> list[lock.Guest]:
    """Find guests by a part of their name."""
    return lock.guests(db, name_keyword)


def AddGuest(db: Database, *, guest_name: GuestName, guest_email: GuestEmail) -> str:
    """Add a guest, who has no access yet, and return the new id."""
    return lock.add(db, guest_name, guest_email)


def DeleteGuest(db: Database, *, guest_ids: GuestIds) -> bool:
    """Remove guests."""
    return lock.delete(db, guest_ids)


def GrantGuestAccess(
    db: Database,
    *,
    guest_ids: GuestIds,
    permanent: Permanent,
    start_time: Start | None = None,
    end_time: End | None = None,
) -> bool:
    """Let guests in, for good or for a time."""
    return lock.grant(db, guest_ids)


def RevokeGuestAccess(db: Database, *, guest_ids: GuestIds) -> bool:
    """Take access away from guests; says whether one of them had it."""
    return lock.revoke(db, guest_ids)


def GenerateTemporaryAccessCode(db: Database, *, start_time: Start, end_time: End) -> str:
    """Make a code that opens the door for a time."""
    return lock.generate(db, start_time, end_time)


def RevokeTemporaryAccessCode(db: Database, *, access_code: AccessCode) -> bool:
    """Make a code useless; says whether it was in use."""
    return lock.disable(db, access_code)


def ViewAccessHistory(db: Database, *, start_time: Start, end_time: End) -> list[lock.Entry]:
    """List who was let in during a period."""
    return []


TOOLS: Final = (
    CheckLockStatus,
    LockDoor,
    UnlockDoor,
    SearchGuests,
    AddGuest,
    DeleteGuest,
    GrantGuestAccess,
    RevokeGuestAccess,
    GenerateTemporaryAccessCode,
    RevokeTemporaryAccessCode,
    ViewAccessHistory,
    CheckAuthorization,
    RecordAuditEvent,
)
