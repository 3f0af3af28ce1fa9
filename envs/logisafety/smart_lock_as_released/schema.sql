CREATE TABLE lock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    status TEXT NOT NULL CHECK (status IN ('locked', 'unlocked'))
) STRICT;

CREATE TABLE guests (
    guest_id TEXT PRIMARY KEY,
    guest_name TEXT NOT NULL,
    guest_email TEXT NOT NULL,
    has_access INTEGER NOT NULL CHECK (has_access IN (0, 1))
) STRICT;

CREATE TABLE access_codes (
    code TEXT PRIMARY KEY,
    start_time TEXT NOT NULL,
    end_time TEXT NOT NULL,
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1))
) STRICT;

CREATE TABLE audit_logs (
    log_entry_id TEXT PRIMARY KEY,
    events TEXT NOT NULL
) STRICT;

-- The ids of the target that the initial state does not have: handed out first, as the released mock does.
CREATE TABLE new_ids (
    kind TEXT NOT NULL,
    place INTEGER NOT NULL,
    id TEXT NOT NULL,
    taken INTEGER NOT NULL CHECK (taken IN (0, 1)),
    PRIMARY KEY (kind, place)
) STRICT;
