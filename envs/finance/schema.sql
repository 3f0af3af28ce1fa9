-- Money is in euro cents; *_at is in seconds since 1970-01-01.

CREATE TABLE customers (
    id TEXT PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    birth_date TEXT NOT NULL,
    city TEXT NOT NULL,
    email TEXT NOT NULL
) STRICT;

CREATE TABLE phones (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    kind TEXT NOT NULL CHECK (kind IN ('mobile', 'landline')),
    number TEXT NOT NULL,
    UNIQUE (customer_id, kind)
) STRICT;

CREATE TABLE accounts (
    number TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    kind TEXT NOT NULL CHECK (kind IN ('current', 'savings')),
    balance INTEGER NOT NULL CHECK (balance >= 0),
    daily_limit INTEGER NOT NULL CHECK (daily_limit > 0),
    status TEXT NOT NULL CHECK (status IN ('open', 'closed'))
) STRICT;
CREATE INDEX accounts_by_customer ON accounts (customer_id);

-- Who else may use an account: joint holders and powers of attorney.
CREATE TABLE mandates (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (number),
    customer_id TEXT NOT NULL REFERENCES customers (id),
    power TEXT NOT NULL CHECK (power IN ('dispose', 'view')),
    expires_at INTEGER,
    UNIQUE (account, customer_id)
) STRICT;

-- `holder` is the name that the payee's own bank has for the IBAN.
CREATE TABLE payees (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    name TEXT NOT NULL,
    iban TEXT NOT NULL,
    holder TEXT NOT NULL,
    standing TEXT NOT NULL CHECK (standing IN ('ordinary', 'trusted')),
    UNIQUE (customer_id, name),
    UNIQUE (customer_id, iban)
) STRICT;

-- Every time that a payee was put on the list of trusted beneficiaries or taken off it.
CREATE TABLE trust_changes (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    payee_id TEXT NOT NULL REFERENCES payees (id),
    standing TEXT NOT NULL CHECK (standing IN ('ordinary', 'trusted')),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE payments (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    account TEXT NOT NULL REFERENCES accounts (number),
    payee_id TEXT REFERENCES payees (id),
    to_account TEXT REFERENCES accounts (number),
    amount INTEGER NOT NULL CHECK (amount > 0),
    reference TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    CHECK ((payee_id IS NULL) <> (to_account IS NULL))
) STRICT;
CREATE INDEX payments_by_account ON payments (account);
CREATE INDEX payments_by_payee ON payments (payee_id);

-- Bookings: the balance of an account is the sum of its rows.
CREATE TABLE transactions (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES accounts (number),
    amount INTEGER NOT NULL CHECK (amount <> 0),
    counterparty TEXT NOT NULL,
    description TEXT NOT NULL,
    payment_id TEXT REFERENCES payments (id),
    booked_at INTEGER NOT NULL
) STRICT;
CREATE INDEX transactions_by_account ON transactions (account);

CREATE TABLE standing_orders (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    account TEXT NOT NULL REFERENCES accounts (number),
    payee_id TEXT NOT NULL REFERENCES payees (id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    day INTEGER NOT NULL CHECK (day BETWEEN 1 AND 28),
    status TEXT NOT NULL CHECK (status IN ('active', 'cancelled')),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX standing_orders_by_customer ON standing_orders (customer_id);

CREATE TABLE cards (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    account TEXT NOT NULL REFERENCES accounts (number),
    kind TEXT NOT NULL CHECK (kind IN ('debit', 'credit')),
    last_four TEXT NOT NULL UNIQUE CHECK (length(last_four) = 4),
    limit_cents INTEGER NOT NULL CHECK (limit_cents > 0),
    status TEXT NOT NULL CHECK (status IN ('active', 'blocked')),
    block_reason TEXT,
    CHECK ((status = 'blocked') = (block_reason IS NOT NULL))
) STRICT;

-- Third-party providers of account information and payment initiation services.
CREATE TABLE providers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL,
    authorisation TEXT NOT NULL CHECK (authorisation IN ('registered', 'withdrawn', 'unknown'))
) STRICT;

CREATE TABLE consents (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    provider_id TEXT NOT NULL REFERENCES providers (id),
    days INTEGER NOT NULL CHECK (days > 0),
    granted_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('granted', 'withdrawn')),
    UNIQUE (customer_id, provider_id)
) STRICT;

CREATE TABLE data_shares (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    account TEXT NOT NULL REFERENCES accounts (number),
    provider_id TEXT NOT NULL REFERENCES providers (id),
    shared_at INTEGER NOT NULL
) STRICT;

CREATE TABLE disputes (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    transaction_id TEXT NOT NULL UNIQUE REFERENCES transactions (id),
    status TEXT NOT NULL CHECK (status IN ('open', 'refunded')),
    reported_at INTEGER NOT NULL
) STRICT;

-- What the bank would not do: an order (account, payee, amount), a third party's access, or a refund.
CREATE TABLE refusals (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    account TEXT REFERENCES accounts (number),
    payee_id TEXT REFERENCES payees (id),
    amount INTEGER CHECK (amount > 0),
    day INTEGER,
    provider_id TEXT REFERENCES providers (id),
    transaction_id TEXT REFERENCES transactions (id),
    reason TEXT NOT NULL,
    refused_at INTEGER NOT NULL,
    CHECK ((payee_id IS NOT NULL) + (provider_id IS NOT NULL) + (transaction_id IS NOT NULL) = 1),
    CHECK ((payee_id IS NULL) = (account IS NULL) AND (payee_id IS NULL) = (amount IS NULL)),
    CHECK (day IS NULL OR payee_id IS NOT NULL)
) STRICT;

-- Compliance. What the customer does with a prompt on the device: to log in, to approve a payment, to approve a
-- change; of which kind of prompt the customer will mistype the code, and how often; and whether messages in the app
-- reach the device.
CREATE TABLE sca_devices (
    customer_id TEXT PRIMARY KEY REFERENCES customers (id),
    model TEXT NOT NULL,
    login TEXT NOT NULL CHECK (login IN ('approve', 'decline')),
    payments TEXT NOT NULL CHECK (payments IN ('approve', 'decline')),
    changes TEXT NOT NULL CHECK (changes IN ('approve', 'decline')),
    messages TEXT NOT NULL CHECK (messages IN ('on', 'off')),
    mistyped TEXT NOT NULL CHECK (mistyped IN ('login', 'payments', 'changes')),
    mistypes INTEGER NOT NULL CHECK (mistypes >= 0),
    failed_attempts INTEGER NOT NULL CHECK (failed_attempts BETWEEN 0 AND 5)
) STRICT;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    started_at INTEGER NOT NULL
) STRICT;

CREATE TABLE challenges (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    purpose TEXT NOT NULL,
    payee_id TEXT REFERENCES payees (id),
    amount INTEGER,
    outcome TEXT NOT NULL CHECK (outcome IN ('approved', 'declined', 'wrong code', 'blocked', 'no device')),
    sent_at INTEGER NOT NULL
) STRICT;

CREATE TABLE risk_flags (
    id TEXT PRIMARY KEY,
    payee_id TEXT NOT NULL REFERENCES payees (id),
    reason TEXT NOT NULL
) STRICT;

CREATE TABLE notifications (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    topic TEXT NOT NULL,
    subject TEXT NOT NULL,
    channel TEXT NOT NULL,
    delivered INTEGER NOT NULL CHECK (delivered IN (0, 1)),
    sent_at INTEGER NOT NULL
) STRICT;

CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL REFERENCES customers (id),
    subject TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
