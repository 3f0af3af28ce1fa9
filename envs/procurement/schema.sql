-- Money is in euro cents; *_at and *_until are in seconds since 1970-01-01.

CREATE TABLE departments (
    cost_centre TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('integration lab', 'laboratory', 'workshop', 'office')),
    site TEXT NOT NULL,
    budget INTEGER NOT NULL CHECK (budget > 0),
    paid INTEGER NOT NULL CHECK (paid >= 0)
) STRICT;

CREATE TABLE employees (
    id TEXT PRIMARY KEY,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    cost_centre TEXT NOT NULL REFERENCES departments (cost_centre),
    job TEXT NOT NULL,
    email TEXT,
    absent_until INTEGER,
    UNIQUE (first_name, last_name)
) STRICT;
CREATE INDEX employees_by_department ON employees (cost_centre);

CREATE TABLE items (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    unit_price INTEGER NOT NULL CHECK (unit_price > 0),
    hazardous INTEGER NOT NULL CHECK (hazardous IN (0, 1))
) STRICT;

CREATE TABLE warehouses (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    site TEXT NOT NULL
) STRICT;

-- `reserve` is the quantity that a warehouse keeps back; stock on hold is not released.
CREATE TABLE stock (
    warehouse_id TEXT NOT NULL REFERENCES warehouses (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    quantity INTEGER NOT NULL CHECK (quantity >= 0),
    reserve INTEGER NOT NULL CHECK (reserve >= 0),
    on_hold INTEGER NOT NULL CHECK (on_hold IN (0, 1)),
    PRIMARY KEY (warehouse_id, item_id)
) STRICT;

CREATE TABLE suppliers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    country TEXT NOT NULL,
    email TEXT NOT NULL,
    iban TEXT NOT NULL,
    uses_portal INTEGER NOT NULL CHECK (uses_portal IN (0, 1))
) STRICT;

CREATE TABLE purchase_requests (
    id TEXT PRIMARY KEY,
    cost_centre TEXT NOT NULL REFERENCES departments (cost_centre),
    requester_id TEXT NOT NULL REFERENCES employees (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    purpose TEXT NOT NULL,
    submitted_at INTEGER NOT NULL
) STRICT;
CREATE INDEX purchase_requests_by_department ON purchase_requests (cost_centre);

-- The approver named for a request, and what the approver says when asked.
CREATE TABLE approval_routes (
    request_id TEXT PRIMARY KEY REFERENCES purchase_requests (id),
    approver_id TEXT NOT NULL REFERENCES employees (id),
    answer TEXT NOT NULL CHECK (answer IN ('approve', 'decline'))
) STRICT;

CREATE TABLE quotations (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES purchase_requests (id),
    supplier_id TEXT NOT NULL REFERENCES suppliers (id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    basis TEXT NOT NULL CHECK (basis IN ('competitive', 'single source', 'framework')),
    ground TEXT,
    valid_until INTEGER NOT NULL,
    UNIQUE (request_id, supplier_id),
    CHECK ((basis = 'single source') = (ground IS NOT NULL))
) STRICT;

-- Written quotations that have come in from suppliers who were asked for one.
CREATE TABLE incoming_quotations (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES purchase_requests (id),
    supplier_id TEXT NOT NULL REFERENCES suppliers (id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    days INTEGER NOT NULL CHECK (days > 0),
    UNIQUE (request_id, supplier_id)
) STRICT;

CREATE TABLE allocations (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE REFERENCES purchase_requests (id),
    warehouse_id TEXT NOT NULL REFERENCES warehouses (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    allocated_at INTEGER NOT NULL
) STRICT;

-- Equipment that the legacy portal offers to an integration lab for a request.
CREATE TABLE portal_offers (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES purchase_requests (id),
    serial_number TEXT NOT NULL UNIQUE,
    previous_user TEXT NOT NULL
) STRICT;

CREATE TABLE claims (
    id TEXT PRIMARY KEY,
    offer_id TEXT NOT NULL UNIQUE REFERENCES portal_offers (id),
    claimed_at INTEGER NOT NULL
) STRICT;

-- Orders from before the episode have no quotation any more.
CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES purchase_requests (id),
    supplier_id TEXT NOT NULL REFERENCES suppliers (id),
    via_quotation TEXT REFERENCES quotations (id),
    emergency INTEGER NOT NULL CHECK (emergency IN (0, 1)),
    amount INTEGER NOT NULL CHECK (amount > 0),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    status TEXT NOT NULL CHECK (status IN ('open', 'cancelled')),
    cancel_reason TEXT,
    ordered_at INTEGER NOT NULL
) STRICT;
CREATE INDEX orders_by_request ON orders (request_id);

CREATE TABLE order_changes (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    addition INTEGER NOT NULL CHECK (addition > 0),
    changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE receipts (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL UNIQUE REFERENCES orders (id),
    receiver_id TEXT NOT NULL REFERENCES employees (id),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    received_at INTEGER NOT NULL
) STRICT;

CREATE TABLE rejections (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL UNIQUE REFERENCES orders (id),
    reason TEXT NOT NULL,
    rejected_at INTEGER NOT NULL
) STRICT;

CREATE TABLE invoices (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    number TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    received_at INTEGER NOT NULL
) STRICT;

CREATE TABLE payments (
    id TEXT PRIMARY KEY,
    invoice_id TEXT NOT NULL UNIQUE REFERENCES invoices (id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    paid_at INTEGER NOT NULL
) STRICT;

CREATE TABLE withholdings (
    id TEXT PRIMARY KEY,
    invoice_id TEXT NOT NULL UNIQUE REFERENCES invoices (id),
    reason TEXT NOT NULL,
    withheld_at INTEGER NOT NULL
) STRICT;

-- Purchases that are not made: of a quotation, or in an emergency from a supplier.
CREATE TABLE refusals (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES purchase_requests (id),
    supplier_id TEXT NOT NULL REFERENCES suppliers (id),
    via_quotation TEXT UNIQUE REFERENCES quotations (id),
    reason TEXT NOT NULL,
    refused_at INTEGER NOT NULL
) STRICT;

-- What else is turned down: a request, a release from a warehouse, a claim on the legacy portal, an addition to an order.
CREATE TABLE turned_down (
    id TEXT PRIMARY KEY,
    requester_id TEXT REFERENCES employees (id),
    item_id TEXT REFERENCES items (id),
    request_id TEXT REFERENCES purchase_requests (id),
    warehouse_id TEXT REFERENCES warehouses (id),
    offer_id TEXT REFERENCES portal_offers (id),
    order_id TEXT REFERENCES orders (id),
    percent INTEGER,
    reason TEXT NOT NULL,
    turned_down_at INTEGER NOT NULL,
    CHECK ((requester_id IS NULL) = (item_id IS NULL) AND (request_id IS NULL) = (warehouse_id IS NULL)),
    CHECK ((order_id IS NULL) = (percent IS NULL)),
    CHECK ((item_id IS NOT NULL) + (request_id IS NOT NULL) + (offer_id IS NOT NULL) + (order_id IS NOT NULL) = 1)
) STRICT;

CREATE TABLE bank_changes (
    id TEXT PRIMARY KEY,
    supplier_id TEXT NOT NULL REFERENCES suppliers (id),
    iban TEXT NOT NULL,
    announced_at INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'applied', 'rejected')),
    reason TEXT
) STRICT;

-- Compliance: what the checks answer from, and what they leave behind.
CREATE TABLE delegations (
    employee_id TEXT PRIMARY KEY REFERENCES employees (id),
    limit_cents INTEGER NOT NULL CHECK (limit_cents > 0),
    valid_until INTEGER NOT NULL
) STRICT;

CREATE TABLE permits (
    employee_id TEXT NOT NULL REFERENCES employees (id),
    item_id TEXT NOT NULL REFERENCES items (id),
    valid_until INTEGER NOT NULL,
    PRIMARY KEY (employee_id, item_id)
) STRICT;

CREATE TABLE interests (
    employee_id TEXT NOT NULL REFERENCES employees (id),
    supplier_id TEXT NOT NULL REFERENCES suppliers (id),
    nature TEXT NOT NULL,
    PRIMARY KEY (employee_id, supplier_id)
) STRICT;

CREATE TABLE watch_list (
    supplier_id TEXT PRIMARY KEY REFERENCES suppliers (id),
    ground TEXT NOT NULL CHECK (ground IN ('sanctions list', 'debarment'))
) STRICT;

CREATE TABLE tenders (
    request_id TEXT PRIMARY KEY REFERENCES purchase_requests (id),
    published_at INTEGER NOT NULL,
    closes_at INTEGER NOT NULL,
    bids INTEGER NOT NULL CHECK (bids >= 0)
) STRICT;

CREATE TABLE incidents (
    request_id TEXT PRIMARY KEY REFERENCES purchase_requests (id),
    ground TEXT NOT NULL
) STRICT;

CREATE TABLE offer_inspections (
    offer_id TEXT PRIMARY KEY REFERENCES portal_offers (id),
    passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
    valid_until INTEGER NOT NULL
) STRICT;

CREATE TABLE deliveries (
    order_id TEXT PRIMARY KEY REFERENCES orders (id),
    condition TEXT NOT NULL CHECK (condition IN ('conforming', 'damaged', 'wrong item')),
    quantity INTEGER NOT NULL CHECK (quantity > 0)
) STRICT;

CREATE TABLE site_options (
    site TEXT NOT NULL,
    option TEXT NOT NULL,
    PRIMARY KEY (site, option)
) STRICT;

CREATE TABLE call_backs (
    change_id TEXT PRIMARY KEY REFERENCES bank_changes (id),
    answer TEXT NOT NULL CHECK (answer IN ('confirmed', 'denied', 'no reply'))
) STRICT;

CREATE TABLE commitments (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES purchase_requests (id),
    cost_centre TEXT NOT NULL REFERENCES departments (cost_centre),
    amount INTEGER NOT NULL CHECK (amount > 0),
    committed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES purchase_requests (id),
    approver_id TEXT NOT NULL REFERENCES employees (id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    outcome TEXT NOT NULL CHECK (outcome IN ('approved', 'declined', 'absent', 'not the named approver')),
    asked_at INTEGER NOT NULL
) STRICT;

CREATE TABLE delivery_instructions (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    option TEXT NOT NULL,
    accepted INTEGER NOT NULL CHECK (accepted IN (0, 1)),
    set_at INTEGER NOT NULL
) STRICT;

CREATE TABLE emergency_reports (
    id TEXT PRIMARY KEY,
    order_id TEXT NOT NULL REFERENCES orders (id),
    stage TEXT NOT NULL CHECK (stage IN ('reported', 'regularised', 'not regularised')),
    written_at INTEGER NOT NULL
) STRICT;

CREATE TABLE notices (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    recipient TEXT NOT NULL,
    channel TEXT NOT NULL,
    delivered INTEGER NOT NULL CHECK (delivered IN (0, 1)),
    sent_at INTEGER NOT NULL
) STRICT;

CREATE TABLE file_entries (
    id TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
