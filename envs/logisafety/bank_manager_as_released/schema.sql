-- Money is in dollars as binary floating point: the released mock compares balances exactly, rounding errors included.

CREATE TABLE accounts (
    account_number TEXT PRIMARY KEY,
    account_type TEXT NOT NULL,
    balance REAL NOT NULL,
    remaining_contribution_room REAL,
    status TEXT NOT NULL
) STRICT;

CREATE TABLE payees (
    payee_id TEXT PRIMARY KEY,
    payee_name TEXT NOT NULL
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
