"""New ids as the released mock hands them out: those of the reference in sorted order, then others.

    new_id(db, "guests")    # "guest_3", which the reference's target has; then such as "guest_58"

The ids of the reference wait in the table `new_ids`. A schema with a prefix for the table allocates its own instead.
"""

import hashlib
from itertools import count

from lexgym.tools.database import Database

FORMS = {
    "audit_logs": ("L-{:05d}", 100_000),
    "consultations": ("C-{:04d}", 10_000),
    "appointments": ("A-{:04d}", 10_000),
    "prescriptions": ("R-{:04d}", 10_000),
    "guests": ("guest_{}", 100),
    "access_codes": ("{:06d}", 1_000_000),
}
"""How an id of each table is written, and below which number it is, until none there is free."""


def new_id(db: Database, table: str) -> str:
    """Return an id that the table does not have; where the released mock draws at random, by a hash of the state."""
    if table in db.schema.prefixes:
        return db.new_id(table)
    kept = db.one("SELECT place, id FROM new_ids WHERE kind = ? AND taken = 0 ORDER BY place", table)
    if kept is not None:
        db.run("UPDATE new_ids SET taken = 1 WHERE kind = ? AND place = ?", table, kept["place"])
        return str(kept["id"])
    form, size = FORMS[table]
    key = db.schema.tables[table].key[0]
    for draw in count():
        digest = hashlib.sha256(f"{table}:{db.state_hash([table])}:{draw}".encode()).digest()
        found = form.format(int.from_bytes(digest[:8]) % (size + draw))
        if db.one(f"SELECT 1 FROM {table} WHERE {key} = ?", found) is None:
            return found
    raise AssertionError("count() does not end")
