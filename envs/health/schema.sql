-- *_at, since, until and received_at are in seconds since 1970-01-01. A row says in whose name it was made or last
-- changed: `user_id`, or a column that ends in _by.

-- `last_day` is the day on which somebody who leaves works last, as the personnel office has announced it.
CREATE TABLE users (
    id TEXT PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('physician', 'nurse', 'records clerk', 'billing clerk')),
    unit TEXT NOT NULL,
    last_day TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'closed')),
    closed_by TEXT REFERENCES users (id)
) STRICT;

CREATE TABLE doctors (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE REFERENCES users (id),
    specialty TEXT NOT NULL
) STRICT;

-- `triage` is what the emergency board says of the patient now.
CREATE TABLE patients (
    id TEXT PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    birth_date TEXT NOT NULL,
    address TEXT NOT NULL,
    address_by TEXT NOT NULL REFERENCES users (id),
    email_agreed INTEGER NOT NULL CHECK (email_agreed IN (0, 1)),
    portal INTEGER NOT NULL CHECK (portal IN (0, 1)),
    triage TEXT NOT NULL CHECK (triage IN ('none', 'urgent', 'emergency'))
) STRICT;

-- Relatives and representatives; `power` is what they may do for the patient in matters of health.
CREATE TABLE contacts (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    name TEXT NOT NULL,
    relation TEXT NOT NULL,
    power TEXT NOT NULL CHECK (power IN ('none', 'health care proxy', 'guardian')),
    until INTEGER,
    UNIQUE (patient_id, name)
) STRICT;

-- Who treats whom.
CREATE TABLE care_team (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    since INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'ended')),
    changed_by TEXT NOT NULL REFERENCES users (id),
    UNIQUE (patient_id, user_id)
) STRICT;

CREATE TABLE consultations (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    doctor_id TEXT NOT NULL REFERENCES doctors (id),
    kind TEXT NOT NULL CHECK (kind IN ('in person', 'by phone')),
    status TEXT NOT NULL CHECK (status IN ('held', 'booked', 'missed')),
    held_at INTEGER,
    booked_for TEXT,
    booked_by TEXT REFERENCES users (id),
    CHECK ((status = 'held') = (held_at IS NOT NULL)),
    CHECK ((status = 'booked') = (booked_for IS NOT NULL)),
    CHECK ((status = 'booked') = (booked_by IS NOT NULL))
) STRICT;
CREATE INDEX consultations_by_patient ON consultations (patient_id);

-- `revision` counts amendments and addenda; `origin` says who made the record.
CREATE TABLE records (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    author_id TEXT NOT NULL REFERENCES users (id),
    category TEXT NOT NULL CHECK (category IN ('laboratory results', 'imaging reports', 'progress notes',
        'immunization records', 'billing statements', 'psychotherapy notes')),
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision >= 1),
    origin TEXT NOT NULL CHECK (origin IN ('this clinic', 'elsewhere')),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX records_by_patient ON records (patient_id);

-- What was added to a record later, by whom; each is a revision of the record.
CREATE TABLE addenda (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    record_id TEXT NOT NULL REFERENCES records (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    text TEXT NOT NULL,
    written_at INTEGER NOT NULL
) STRICT;

CREATE TABLE prescriptions (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    doctor_id TEXT NOT NULL REFERENCES doctors (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    medication TEXT NOT NULL,
    days INTEGER NOT NULL CHECK (days > 0),
    status TEXT NOT NULL CHECK (status IN ('active', 'cancelled')),
    written_at INTEGER NOT NULL
) STRICT;
CREATE INDEX prescriptions_by_patient ON prescriptions (patient_id);

-- Who asks for records; `identity` is what the last call-back on a known number found.
CREATE TABLE recipients (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('hospital', 'health plan', 'health department', 'court', 'law firm',
        'employer', 'life insurer')),
    identity TEXT NOT NULL CHECK (identity IN ('established', 'call-back failed'))
) STRICT;

-- Which categories of records the clinic's protocol holds to be needed for a purpose.
CREATE TABLE protocols (
    purpose TEXT NOT NULL,
    category TEXT NOT NULL,
    PRIMARY KEY (purpose, category)
) STRICT;

CREATE TABLE release_requests (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    record_id TEXT NOT NULL REFERENCES records (id),
    recipient_id TEXT NOT NULL REFERENCES recipients (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('treatment', 'payment', 'public health', 'required by law', 'other')),
    status TEXT NOT NULL CHECK (status IN ('open', 'answered', 'declined')),
    received_at INTEGER NOT NULL,
    UNIQUE (record_id, recipient_id)
) STRICT;
CREATE INDEX release_requests_by_patient ON release_requests (patient_id);

-- `authorized` says whether an authorization of the patient covered the disclosure when it was sent.
CREATE TABLE disclosures (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    record_id TEXT NOT NULL REFERENCES records (id),
    recipient_id TEXT NOT NULL REFERENCES recipients (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    purpose TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('electronic delivery', 'postal delivery')),
    authorized INTEGER NOT NULL CHECK (authorized IN (0, 1)),
    sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX disclosures_by_patient ON disclosures (patient_id);

-- Records handed to the patient, or to somebody who acts for the patient.
CREATE TABLE copies (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    record_id TEXT NOT NULL REFERENCES records (id),
    contact_id TEXT REFERENCES contacts (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    form TEXT NOT NULL CHECK (form IN ('a paper copy', 'an electronic file')),
    given_at INTEGER NOT NULL
) STRICT;

CREATE TABLE authorizations (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    recipient_id TEXT NOT NULL REFERENCES recipients (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    category TEXT NOT NULL,
    days INTEGER NOT NULL CHECK (days > 0),
    signed_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('signed', 'revoked')),
    UNIQUE (patient_id, recipient_id, category)
) STRICT;

CREATE TABLE restrictions (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    recipient_id TEXT NOT NULL REFERENCES recipients (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    agreed_at INTEGER NOT NULL,
    UNIQUE (patient_id, recipient_id)
) STRICT;

-- `author_view` is what the author of the record has answered.
CREATE TABLE amendment_requests (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    record_id TEXT NOT NULL UNIQUE REFERENCES records (id),
    wish TEXT NOT NULL,
    author_view TEXT NOT NULL CHECK (author_view IN ('agrees', 'accurate and complete')),
    status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'denied')),
    denial_reason TEXT,
    answered_by TEXT REFERENCES users (id),
    received_at INTEGER NOT NULL,
    CHECK ((status = 'denied') = (denial_reason IS NOT NULL)),
    CHECK ((status = 'open') = (answered_by IS NULL))
) STRICT;

-- Accountings of disclosures given to patients.
CREATE TABLE accountings (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    years INTEGER NOT NULL CHECK (years BETWEEN 1 AND 6),
    given_at INTEGER NOT NULL
) STRICT;

CREATE TABLE emergency_accesses (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    situation TEXT NOT NULL,
    opened_at INTEGER NOT NULL
) STRICT;

CREATE TABLE incidents (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    disclosure_id TEXT NOT NULL UNIQUE REFERENCES disclosures (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    reported_at INTEGER NOT NULL
) STRICT;

-- Things asked for that were not done.
CREATE TABLE refusals (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    user_id TEXT NOT NULL REFERENCES users (id),
    asked TEXT NOT NULL CHECK (asked IN ('disclosure', 'copy', 'sharing', 'prescription', 'emergency access',
        'chart access', 'service at the desk')),
    record_id TEXT REFERENCES records (id),
    recipient_id TEXT REFERENCES recipients (id),
    contact_id TEXT REFERENCES contacts (id),
    doctor_id TEXT REFERENCES doctors (id),
    member_id TEXT REFERENCES users (id),
    medication TEXT,
    reason TEXT NOT NULL,
    refused_at INTEGER NOT NULL
) STRICT;

-- Compliance. `pin` says whether the user knows it, `mistypes` how often the user still gets it wrong first, and
-- `failed_attempts` how many attempts have failed in a row.
CREATE TABLE credentials (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    pin TEXT NOT NULL CHECK (pin IN ('right', 'wrong')),
    mistypes INTEGER NOT NULL CHECK (mistypes >= 0),
    failed_attempts INTEGER NOT NULL CHECK (failed_attempts BETWEEN 0 AND 5)
) STRICT;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    started_at INTEGER NOT NULL,
    ended_at INTEGER
) STRICT;

CREATE TABLE login_reports (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    reported_at INTEGER NOT NULL
) STRICT;

-- Until when a user's background check and privacy training hold.
CREATE TABLE clearances (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    until INTEGER NOT NULL
) STRICT;

CREATE TABLE patient_documents (
    patient_id TEXT PRIMARY KEY REFERENCES patients (id),
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('matches', 'expired', 'birth date differs'))
) STRICT;

CREATE TABLE channels (
    recipient_id TEXT PRIMARY KEY REFERENCES recipients (id),
    cipher TEXT NOT NULL,
    until INTEGER NOT NULL
) STRICT;

CREATE TABLE record_seals (
    record_id TEXT PRIMARY KEY REFERENCES records (id),
    revision INTEGER NOT NULL,
    digest TEXT NOT NULL
) STRICT;

-- What became of a disclosure at its recipient.
CREATE TABLE handling (
    disclosure_id TEXT PRIMARY KEY REFERENCES disclosures (id),
    state TEXT NOT NULL CHECK (state IN ('opened', 'returned unopened', 'unreadable without a key'))
) STRICT;

CREATE TABLE emergency_reviews (
    id TEXT PRIMARY KEY,
    emergency_id TEXT NOT NULL REFERENCES emergency_accesses (id),
    queued_at INTEGER NOT NULL
) STRICT;

CREATE TABLE breach_assessments (
    id TEXT PRIMARY KEY,
    incident_id TEXT NOT NULL REFERENCES incidents (id),
    breach INTEGER NOT NULL CHECK (breach IN (0, 1)),
    assessed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE incident_files (
    id TEXT PRIMARY KEY,
    incident_id TEXT NOT NULL REFERENCES incidents (id),
    filed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE accounting_entries (
    id TEXT PRIMARY KEY,
    disclosure_id TEXT NOT NULL REFERENCES disclosures (id),
    entered_at INTEGER NOT NULL
) STRICT;

CREATE TABLE notices (
    id TEXT PRIMARY KEY,
    patient_id TEXT NOT NULL REFERENCES patients (id),
    subject TEXT NOT NULL,
    topic TEXT NOT NULL,
    channel TEXT NOT NULL,
    delivered INTEGER NOT NULL CHECK (delivered IN (0, 1)),
    sent_at INTEGER NOT NULL
) STRICT;

CREATE TABLE audit_log (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    subject TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
