-- Money is in cents.

CREATE TABLE accounts (
    account_number TEXT PRIMARY KEY,
    account_type TEXT NOT NULL,
    balance INTEGER NOT NULL,
    remaining_contribution_room INTEGER,
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
