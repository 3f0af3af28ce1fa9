-- `user_info.value` is JSON. `place` numbers the messages of a consultation and the reviews of a doctor.

CREATE TABLE doctors (
    doctor_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    specialty TEXT NOT NULL,
    location TEXT NOT NULL
) STRICT;

CREATE TABLE appointments (
    appointment_id TEXT PRIMARY KEY,
    doctor_id TEXT NOT NULL REFERENCES doctors (doctor_id),
    date TEXT NOT NULL,
    time TEXT NOT NULL,
    reason TEXT NOT NULL,
    status TEXT NOT NULL
) STRICT;

CREATE TABLE consultations (
    consultation_id TEXT PRIMARY KEY,
    doctor_id TEXT NOT NULL REFERENCES doctors (doctor_id),
    reason TEXT NOT NULL
) STRICT;

CREATE TABLE messages (
    consultation_id TEXT NOT NULL REFERENCES consultations (consultation_id),
    place INTEGER NOT NULL,
    sender TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (consultation_id, place)
) STRICT;

CREATE TABLE prescriptions (
    prescription_request_id TEXT PRIMARY KEY,
    medication_name TEXT NOT NULL,
    dosage TEXT NOT NULL,
    status TEXT NOT NULL,
    doctor_id TEXT NOT NULL REFERENCES doctors (doctor_id)
) STRICT;

CREATE TABLE reviews (
    doctor_id TEXT NOT NULL REFERENCES doctors (doctor_id),
    place INTEGER NOT NULL,
    reviewer_name TEXT NOT NULL,
    rating INTEGER NOT NULL,
    review_content TEXT NOT NULL,
    PRIMARY KEY (doctor_id, place)
) STRICT;

CREATE TABLE user_info (
    field TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE audit_logs (
    log_entry_id TEXT PRIMARY KEY,
    events TEXT NOT NULL
) STRICT;
