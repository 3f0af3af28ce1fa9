-- *_at is in seconds since 1970-01-01, temperatures are in whole degrees Celsius.

CREATE TABLE households (
    id TEXT PRIMARY KEY,
    surname TEXT NOT NULL,
    owner TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    UNIQUE (street, city)
) STRICT;

CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    kind TEXT NOT NULL CHECK (kind IN ('lock', 'camera', 'oven', 'heater', 'speaker', 'hub', 'leak sensor', 'vacuum')),
    model TEXT NOT NULL,
    room TEXT NOT NULL,
    firmware TEXT NOT NULL,
    connection TEXT NOT NULL CHECK (connection IN ('full', 'restricted')),
    UNIQUE (household_id, model, room)
) STRICT;
CREATE INDEX devices_by_household ON devices (household_id);

-- What only devices of one kind have.
CREATE TABLE locks (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    state TEXT NOT NULL CHECK (state IN ('locked', 'unlocked'))
) STRICT;

CREATE TABLE cameras (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    placement TEXT NOT NULL CHECK (placement IN ('indoors', 'outdoors')),
    state TEXT NOT NULL CHECK (state IN ('off', 'recording'))
) STRICT;

CREATE TABLE ovens (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    state TEXT NOT NULL CHECK (state IN ('off', 'on')),
    temperature INTEGER CHECK (temperature BETWEEN 40 AND 300),
    minutes INTEGER CHECK (minutes > 0),
    CHECK ((state = 'on') = (temperature IS NOT NULL) AND (state = 'on') = (minutes IS NOT NULL))
) STRICT;

-- A heater under a thermostat may run continuously; only a timer ends the heating of one without it.
CREATE TABLE heaters (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    control TEXT NOT NULL CHECK (control IN ('thermostat', 'timer')),
    state TEXT NOT NULL CHECK (state IN ('off', 'on')),
    temperature INTEGER CHECK (temperature BETWEEN 5 AND 30),
    minutes INTEGER CHECK (minutes > 0),
    CHECK ((state = 'on') = (temperature IS NOT NULL) AND (state = 'on') = (minutes IS NOT NULL))
) STRICT;

CREATE TABLE updates (
    id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL REFERENCES devices (id),
    version TEXT NOT NULL,
    fixes TEXT NOT NULL,
    security INTEGER NOT NULL CHECK (security IN (0, 1)),
    interrupts INTEGER NOT NULL CHECK (interrupts IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('available', 'installed')),
    UNIQUE (device_id, version)
) STRICT;

CREATE TABLE interfaces (
    id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL REFERENCES devices (id),
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('network', 'logical', 'debug')),
    status TEXT NOT NULL CHECK (status IN ('enabled', 'disabled')),
    UNIQUE (device_id, name)
) STRICT;

CREATE TABLE passwords (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    fingerprint TEXT NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

-- Sensitive security parameters: what is stored on the device, by its entry in the operator's vault.
CREATE TABLE parameters (
    device_id TEXT NOT NULL REFERENCES devices (id),
    parameter TEXT NOT NULL,
    vault_entry TEXT NOT NULL,
    PRIMARY KEY (device_id, parameter)
) STRICT;

CREATE TABLE network_settings (
    device_id TEXT NOT NULL REFERENCES devices (id),
    setting TEXT NOT NULL,
    host TEXT NOT NULL,
    PRIMARY KEY (device_id, setting)
) STRICT;

CREATE TABLE restarts (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    restarted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE openings (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    opened_at INTEGER NOT NULL
) STRICT;

CREATE TABLE telemetry_batches (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    collected_at INTEGER NOT NULL
) STRICT;

CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    phone TEXT NOT NULL,
    UNIQUE (household_id, first_name, last_name)
) STRICT;

-- A guest's profile on one device.
CREATE TABLE guest_profiles (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    guest_id TEXT NOT NULL REFERENCES guests (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    hours INTEGER NOT NULL CHECK (hours > 0),
    granted_at INTEGER NOT NULL,
    UNIQUE (guest_id, device_id)
) STRICT;

CREATE TABLE partners (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    purpose TEXT NOT NULL
) STRICT;

CREATE TABLE consents (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    partner_id TEXT NOT NULL REFERENCES partners (id),
    days INTEGER NOT NULL CHECK (days > 0),
    granted_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('given', 'withdrawn')),
    UNIQUE (household_id, partner_id)
) STRICT;

CREATE TABLE data_shares (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    partner_id TEXT NOT NULL REFERENCES partners (id),
    shared_at INTEGER NOT NULL
) STRICT;

CREATE TABLE personal_data (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    category TEXT NOT NULL,
    items INTEGER NOT NULL CHECK (items > 0),
    UNIQUE (device_id, category)
) STRICT;

CREATE TABLE erasures (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    category TEXT NOT NULL,
    items INTEGER NOT NULL CHECK (items > 0),
    erased_at INTEGER NOT NULL
) STRICT;

-- Requests that the operator has declined: always about a household, and about what the request named (a password by its
-- fingerprint); where several things can be asked of a device, which of them.
CREATE TABLE refusals (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    device_id TEXT REFERENCES devices (id),
    update_id TEXT REFERENCES updates (id),
    interface_id TEXT REFERENCES interfaces (id),
    guest_id TEXT REFERENCES guests (id),
    partner_id TEXT REFERENCES partners (id),
    fingerprint TEXT,
    hours INTEGER,
    request TEXT,
    reason TEXT NOT NULL,
    refused_at INTEGER NOT NULL
) STRICT;

-- Compliance. What checks find, and what has been asked, said and recorded.
-- What an owner answers to each kind of prompt, after mistyping the code so many times.
CREATE TABLE owner_apps (
    household_id TEXT PRIMARY KEY REFERENCES households (id),
    login TEXT NOT NULL CHECK (login IN ('approve', 'decline')),
    changes TEXT NOT NULL CHECK (changes IN ('approve', 'decline')),
    guests TEXT NOT NULL CHECK (guests IN ('approve', 'decline')),
    mistypes INTEGER NOT NULL CHECK (mistypes >= 0),
    failed_attempts INTEGER NOT NULL CHECK (failed_attempts BETWEEN 0 AND 3)
) STRICT;

CREATE TABLE device_conditions (
    device_id TEXT PRIMARY KEY REFERENCES devices (id),
    storage TEXT NOT NULL CHECK (storage IN ('secure', 'plain', 'tampered')),
    channel TEXT NOT NULL CHECK (channel IN ('encrypted', 'outdated protocol', 'plain')),
    software TEXT NOT NULL CHECK (software IN ('intact', 'changed')),
    telemetry TEXT NOT NULL CHECK (telemetry IN ('normal', 'unknown remote host', 'failed logins', 'unreadable')),
    local_operation TEXT NOT NULL CHECK (local_operation IN ('works', 'needs the cloud', 'battery low')),
    recovery TEXT NOT NULL CHECK (recovery IN ('recovered', 'stuck')),
    key_store TEXT NOT NULL CHECK (key_store IN ('reachable', 'unreachable')),
    doorstep TEXT CHECK (doorstep IN ('expected visitor', 'nobody', 'stranger')),
    remote_start TEXT CHECK (remote_start IN ('ready', 'remote mode off', 'covered or open', 'child alone')),
    timer TEXT CHECK (timer IN ('works', 'none')),
    recording TEXT CHECK (recording IN ('all agree', 'somebody objects', 'not asked'))
) STRICT;

CREATE TABLE update_packages (
    update_id TEXT PRIMARY KEY REFERENCES updates (id),
    finding TEXT NOT NULL CHECK (finding IN ('valid', 'signature invalid', 'checksum mismatch', 'publisher not trusted'))
) STRICT;

CREATE TABLE interface_uses (
    interface_id TEXT PRIMARY KEY REFERENCES interfaces (id),
    used_by TEXT
) STRICT;

CREATE TABLE guest_identities (
    guest_id TEXT PRIMARY KEY REFERENCES guests (id),
    document TEXT NOT NULL CHECK (document IN ('valid', 'expired', 'name differs'))
) STRICT;

CREATE TABLE guest_uses (
    guest_id TEXT NOT NULL REFERENCES guests (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    finding TEXT NOT NULL CHECK (finding IN ('orderly', 'outside the hours', 'forced attempts')),
    PRIMARY KEY (guest_id, device_id)
) STRICT;

CREATE TABLE partner_interfaces (
    partner_id TEXT PRIMARY KEY REFERENCES partners (id),
    state TEXT NOT NULL CHECK (state IN ('open', 'down'))
) STRICT;

CREATE TABLE factory_passwords (
    model TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL
) STRICT;

CREATE TABLE prompts (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    purpose TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('approved', 'declined', 'wrong code', 'locked out', 'no app')),
    sent_at INTEGER NOT NULL
) STRICT;

CREATE TABLE notices (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    topic TEXT NOT NULL,
    subject TEXT NOT NULL,
    channel TEXT NOT NULL,
    delivered INTEGER NOT NULL CHECK (delivered IN (0, 1)),
    sent_at INTEGER NOT NULL
) STRICT;

CREATE TABLE key_revocations (
    id TEXT PRIMARY KEY,
    guest_id TEXT NOT NULL REFERENCES guests (id),
    device_id TEXT NOT NULL REFERENCES devices (id),
    revoked INTEGER NOT NULL CHECK (revoked IN (0, 1)),
    sent_at INTEGER NOT NULL
) STRICT;

CREATE TABLE timers (
    id TEXT PRIMARY KEY,
    device_id TEXT NOT NULL REFERENCES devices (id),
    minutes INTEGER NOT NULL CHECK (minutes > 0),
    set_at INTEGER NOT NULL
) STRICT;

CREATE TABLE event_log (
    id TEXT PRIMARY KEY,
    household_id TEXT NOT NULL REFERENCES households (id),
    subject TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
