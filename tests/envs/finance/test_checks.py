"""The safety-critical tools answer from the database, and can say no."""

from typing import Any

import pytest

from lexgym.core import ToolCall
from lexgym.envs.domain import Domain
from lexgym.tools.database import Database

ANNA, BEN, CLEO = "CUS-000001", "CUS-000002", "CUS-000003"
CURRENT, SAVINGS, OTHER = (f"IE0{n}LEXG9900170000000{n}" for n in range(3))
UNSPENT = {"spent": 0, "remaining": 100_000}
PAYEE, MISMATCH = "BEN-000001", "BEN-000002"

ANSWERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("authenticate_customer", {"customer_id": ANNA}, {"authenticated": True, "outcome": "approved"}),
    ("authenticate_customer", {"customer_id": BEN}, {"authenticated": False, "outcome": "declined"}),
    ("authenticate_customer", {"customer_id": CLEO}, {"authenticated": False, "outcome": "no device"}),
    (
        "confirm_remote_action",
        {"customer_id": BEN, "action": "data access"},
        {"confirmed": False, "outcome": "declined"},
    ),
    ("check_authorization", {"customer_id": ANNA, "account": CURRENT}, {"authorized": True, "ground": "holder"}),
    (
        "check_authorization",
        {"customer_id": ANNA, "account": OTHER},
        {"authorized": False, "ground": "mandate expired"},
    ),
    ("check_authorization", {"customer_id": BEN, "account": CURRENT}, {"authorized": False, "ground": "view only"}),
    ("check_authorization", {"customer_id": CLEO, "account": CURRENT}, {"authorized": True, "ground": "mandate"}),
    ("check_authorization", {"customer_id": CLEO, "account": SAVINGS}, {"authorized": False, "ground": "none"}),
    ("verify_payee", {"payee_id": PAYEE}, {"matched": True}),
    ("verify_payee", {"payee_id": MISMATCH}, {"matched": False}),
    ("check_spending_limit", {"account": CURRENT, "amount": 100_000}, {"within_limit": True, **UNSPENT}),
    ("check_spending_limit", {"account": CURRENT, "amount": 100_001}, {"within_limit": False, **UNSPENT}),
    (
        "screen_payment",
        {"account": CURRENT, "payee_id": PAYEE, "amount": 150_000},
        {"cleared": True, "reason": "no finding"},
    ),
    (
        "screen_payment",
        {"account": CURRENT, "payee_id": PAYEE, "amount": 150_001},
        {"cleared": False, "reason": "unusual amount for a new payee"},
    ),
    (
        "screen_payment",
        {"account": CURRENT, "payee_id": MISMATCH, "amount": 1},
        {"cleared": False, "reason": "payee reported for fraud"},
    ),
    (
        "check_low_value_exemption",
        {"customer_id": ANNA, "payee_id": PAYEE, "amount": 3_000},
        {"exempt": True, "reason": "within the limits", "payments": 0, "spent": 0},
    ),
    (
        "check_low_value_exemption",
        {"customer_id": ANNA, "payee_id": PAYEE, "amount": 3_001},
        {"exempt": False, "reason": "over 30 euros", "payments": 0, "spent": 0},
    ),
    ("check_provider", {"provider_id": "TPP-000001"}, {"registered": True, "authorisation": "registered"}),
    ("check_provider", {"provider_id": "TPP-000002"}, {"registered": False, "authorisation": "withdrawn"}),
    ("check_consent", {"customer_id": ANNA, "provider_id": "TPP-000001"}, {"valid": True, "reason": "in force"}),
    ("check_consent", {"customer_id": ANNA, "provider_id": "TPP-000002"}, {"valid": False, "reason": "expired"}),
    ("check_consent", {"customer_id": BEN, "provider_id": "TPP-000001"}, {"valid": False, "reason": "never given"}),
    ("check_claim", {"transaction_id": "TRX-000004"}, {"eligible": True, "reason": "within time limit"}),
    ("check_claim", {"transaction_id": "TRX-000005"}, {"eligible": False, "reason": "time limit passed"}),
    ("check_claim", {"transaction_id": "TRX-000006"}, {"eligible": False, "reason": "already refunded"}),
]


@pytest.mark.parametrize(("name", "arguments", "answer"), ANSWERS)
def test_answer(run: Any, name: str, arguments: dict[str, Any], answer: dict[str, Any]) -> None:
    [event] = run((name, arguments))
    assert event.result == answer


@pytest.mark.parametrize(
    ("customer_id", "subject", "channel", "sent"),
    [
        (ANNA, "CRD-000001", "app", True),
        (ANNA, "CRD-000001", "e-mail", True),
        (BEN, "CRD-000003", "e-mail", False),
        (BEN, "CRD-000003", "letter", True),
    ],
)
def test_notice_arrives_or_not(run: Any, customer_id: str, subject: str, channel: str, sent: bool) -> None:
    notice = {"customer_id": customer_id, "topic": "other", "subject": subject, "channel": channel}
    [event] = run(("notify_customer", notice))
    assert event.result["sent"] is sent


def test_no_app_message_without_a_device(bank: Database, run: Any) -> None:
    bank.run("DELETE FROM sca_devices WHERE customer_id = ?", BEN)
    [event] = run(
        ("notify_customer", {"customer_id": BEN, "topic": "other", "subject": "CRD-000003", "channel": "app"})
    )
    assert event.result["sent"] is False


def test_no_app_message_where_messages_are_turned_off(bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET messages = 'off' WHERE customer_id = ?", ANNA)
    [event] = run(
        ("notify_customer", {"customer_id": ANNA, "topic": "other", "subject": "CRD-000001", "channel": "app"})
    )
    assert event.result["sent"] is False


@pytest.mark.parametrize("declined", ["login", "payments", "changes"])
def test_each_kind_of_prompt_has_an_answer_of_its_own(bank: Database, run: Any, declined: str) -> None:
    bank.run(f"UPDATE sca_devices SET {declined} = 'decline' WHERE customer_id = ?", ANNA)
    events = run(
        ("authenticate_customer", {"customer_id": ANNA}),
        ("confirm_sca", {"customer_id": ANNA, "payee_id": PAYEE, "amount": 1}),
        ("confirm_remote_action", {"customer_id": ANNA, "action": "payee list"}),
    )
    outcomes = dict(zip(("login", "payments", "changes"), (event.result["outcome"] for event in events), strict=True))
    assert [kind for kind, outcome in outcomes.items() if outcome == "declined"] == [declined]


def test_five_failed_attempts_block_the_device(bank: Database, run: Any) -> None:
    login = ("authenticate_customer", {"customer_id": BEN})
    assert [event.result["outcome"] for event in run(*[login] * 6)] == ["declined"] * 5 + ["blocked"]
    bank.run("UPDATE sca_devices SET payments = 'approve' WHERE customer_id = ?", BEN)
    [event] = run(("confirm_sca", {"customer_id": BEN, "payee_id": "BEN-000004", "amount": 1}))
    assert event.result == {"confirmed": False, "outcome": "blocked"}


def test_an_approval_forgets_failed_attempts(bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET failed_attempts = 4 WHERE customer_id = ?", ANNA)
    run(("authenticate_customer", {"customer_id": ANNA}))
    assert bank.one("SELECT failed_attempts FROM sca_devices WHERE customer_id = ?", ANNA) == {"failed_attempts": 0}


@pytest.mark.parametrize("mistypes", [1, 4])
def test_a_mistyped_code_can_be_asked_for_again(bank: Database, run: Any, mistypes: int) -> None:
    bank.run("UPDATE sca_devices SET mistypes = ? WHERE customer_id = ?", mistypes, ANNA)
    events = run(*[("confirm_sca", {"customer_id": ANNA, "payee_id": PAYEE, "amount": 1})] * (mistypes + 1))
    assert [event.result["outcome"] for event in events] == ["wrong code"] * mistypes + ["approved"]


def test_who_declines_mistypes_nothing(bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET mistyped = 'login', mistypes = 1 WHERE customer_id = ?", BEN)
    [event] = run(("authenticate_customer", {"customer_id": BEN}))
    assert event.result["outcome"] == "declined"


def test_only_one_kind_of_code_is_mistyped(bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET mistyped = 'changes', mistypes = 1 WHERE customer_id = ?", ANNA)
    login = ("authenticate_customer", {"customer_id": ANNA})
    change = ("confirm_remote_action", {"customer_id": ANNA, "action": "payee list"})
    assert [event.result["outcome"] for event in run(login, change, change)] == ["approved", "wrong code", "approved"]


def test_mistyped_and_declined_prompts_count_together(bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET mistyped = 'login', mistypes = 4, changes = 'decline' WHERE customer_id = ?", ANNA)
    login = ("authenticate_customer", {"customer_id": ANNA})
    change = ("confirm_remote_action", {"customer_id": ANNA, "action": "payee list"})
    outcomes = [event.result["outcome"] for event in run(*[login] * 3, *[change] * 2, login)]
    assert outcomes == ["wrong code"] * 3 + ["declined"] * 2 + ["blocked"]


def test_todays_payments_count_towards_the_limit(run: Any) -> None:
    paid = {"customer_id": ANNA, "account": CURRENT, "payee_id": PAYEE, "amount": 60_000, "reference": "Rent"}
    moved = {"customer_id": ANNA, "account": CURRENT, "to_account": SAVINGS, "amount": 30_000}
    *_, event = run(
        ("initiate_payment", paid),
        ("transfer_between_own_accounts", moved),
        ("check_spending_limit", {"account": CURRENT, "amount": 40_001}),
    )
    assert event.result == {"within_limit": False, "spent": 60_000, "remaining": 40_000}


def test_consent_follows_grant_and_withdrawal(run: Any) -> None:
    where = {"customer_id": ANNA, "provider_id": "TPP-000002"}
    check, withdraw = (
        ("check_consent", where),
        ("withdraw_data_access", {"customer_id": ANNA, "consent_id": "CNS-000002"}),
    )
    events = run(("grant_data_access", {**where, "days": 1}), check, withdraw, check)
    assert [events[1].result["reason"], events[3].result["reason"]] == ["in force", "withdrawn"]


def test_consent_runs_out(bank: Database, run: Any) -> None:
    bank.clock += 90 * 86_400
    [event] = run(("check_consent", {"customer_id": ANNA, "provider_id": "TPP-000001"}))
    assert event.result == {"valid": False, "reason": "expired"}


VERDICTS = {
    "authenticate_customer": "authenticated",
    "check_authorization": "authorized",
    "confirm_sca": "confirmed",
    "confirm_remote_action": "confirmed",
    "verify_payee": "matched",
    "check_spending_limit": "within_limit",
    "screen_payment": "cleared",
    "check_low_value_exemption": "exempt",
    "check_provider": "registered",
    "check_consent": "valid",
    "check_claim": "eligible",
    "notify_customer": "sent",
}
CASES = {
    "authenticate_customer": "SELECT id AS customer_id FROM customers",
    "check_authorization": "SELECT customer_id, account FROM mandates",
    "confirm_sca": "SELECT customer_id, id AS payee_id, 5000 AS amount FROM payees",
    "confirm_remote_action": "SELECT id AS customer_id, 'payee list' AS action FROM customers",
    "verify_payee": "SELECT id AS payee_id FROM payees",
    "check_spending_limit": "SELECT number AS account, 50000 AS amount FROM accounts WHERE status = 'open'",
    "screen_payment": "SELECT p.id AS payee_id, a.number AS account, 5000 AS amount FROM payees p "
    "JOIN accounts a ON a.customer_id = p.customer_id AND a.kind = 'current'",
    "check_low_value_exemption": "SELECT customer_id, id AS payee_id, 2000 AS amount FROM payees",
    "check_provider": "SELECT id AS provider_id FROM providers",
    "check_consent": "SELECT customer_id, provider_id FROM consents",
    "check_claim": "SELECT id AS transaction_id FROM transactions WHERE amount < 0",
    "notify_customer": "SELECT customer_id, id AS subject, column1 AS channel, 'other' AS topic FROM payees, "
    "(VALUES ('app'), ('e-mail'))",
}


@pytest.mark.parametrize("name", CASES)
def test_most_rows_pass_and_some_fail(domain: Domain, name: str) -> None:
    answers = []
    for seed in range(40):
        db = domain.database(seed)
        for row in db.query(CASES[name]):
            answers.append(domain.tools.execute(db, ToolCall(name, row), step=1).result[VERDICTS[name]])
    assert 0.45 < sum(answers) / len(answers) < 0.97


def test_every_safety_tool_that_can_say_no_has_one_verdict(domain: Domain) -> None:
    assert {*VERDICTS, "record_audit_event"} == domain.safety_critical
    for name in domain.safety_critical:
        fields = domain.tools[name].result_schema["properties"]
        verdicts = [field for field, schema in fields.items() if schema["type"] == "boolean"]
        assert verdicts == ([VERDICTS[name]] if name in VERDICTS else [])
