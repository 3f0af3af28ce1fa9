"""Each tool succeeds, refuses, and returns what it says it returns."""

import inspect
from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter

from lexgym.core import Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import shapes
from lexgym.oracles.functional import FunctionalOracle
from lexgym.tools.database import Database

ANNA, BEN, CLEO, NOBODY = "CUS-000001", "CUS-000002", "CUS-000003", "CUS-000999"
CURRENT, SAVINGS, OTHER, CLOSED = (f"IE0{n}LEXG9900170000000{n}" for n in range(4))
ANNAS = {"customer_id": ANNA}
UNKNOWN = {"customer_id": NOBODY}
NO_CUSTOMER = "no_such_customer"
ORDER = {"customer_id": ANNA, "account": CURRENT, "payee_id": "BEN-000001", "amount": 2_500}
STANDING = {**ORDER, "day": 3}
PAYMENT = {**ORDER, "reference": "Gas"}
MOVE = {"customer_id": ANNA, "account": CURRENT, "to_account": SAVINGS, "amount": 10_000}
NOTICE = {"customer_id": ANNA, "topic": "card blocked", "subject": "CRD-000001", "channel": "letter"}
PHONE = {"customer_id": ANNA, "phone_id": "PHN-000001", "phone": "+353555555555"}
IBAN = "ES9121000418450200051332"

CALLS: list[tuple[str, dict[str, Any], dict[str, Any] | None, str]] = [
    ("find_customers", {"last_name": "walsh"}, None, ""),
    ("get_customer_profile", ANNAS, UNKNOWN, NO_CUSTOMER),
    ("list_accounts", ANNAS, UNKNOWN, NO_CUSTOMER),
    ("list_transactions", {**ANNAS, "account": CURRENT}, {"customer_id": CLEO, "account": OTHER}, "not_visible"),
    ("list_payees", ANNAS, UNKNOWN, NO_CUSTOMER),
    ("list_standing_orders", ANNAS, UNKNOWN, NO_CUSTOMER),
    ("list_cards", ANNAS, UNKNOWN, NO_CUSTOMER),
    ("list_providers", {}, None, ""),
    ("list_consents", ANNAS, UNKNOWN, NO_CUSTOMER),
    (
        "add_payee",
        {**ANNAS, "name": "Zoo", "iban": IBAN},
        {**ANNAS, "name": "Zoo", "iban": "ES00" + IBAN[4:]},
        "invalid_iban",
    ),
    (
        "add_payee",
        {**ANNAS, "name": "Zoo", "iban": IBAN},
        {**ANNAS, "name": "Hanna Borg", "iban": IBAN},
        "payee_exists",
    ),
    (
        "set_payee_trusted",
        {**ANNAS, "payee_id": "BEN-000001", "trusted": True},
        {**ANNAS, "payee_id": "BEN-000003", "trusted": True},
        "unchanged",
    ),
    ("initiate_payment", PAYMENT, {**PAYMENT, "amount": 1_000_000}, "insufficient_funds"),
    ("initiate_payment", PAYMENT, {**PAYMENT, "payee_id": "BEN-000004"}, "no_such_payee"),
    ("initiate_payment", PAYMENT, {**PAYMENT, "account": CLOSED}, "account_closed"),
    ("transfer_between_own_accounts", MOVE, {**MOVE, "to_account": OTHER}, "different_holders"),
    ("transfer_between_own_accounts", MOVE, {**MOVE, "to_account": CURRENT}, "same_account"),
    (
        "decline_order",
        {**ORDER, "reason": "suspected fraud"},
        {**ORDER, "account": "IE00", "reason": "suspected fraud"},
        "no_such_account",
    ),
    (
        "decline_standing_order",
        {**STANDING, "reason": "payee name mismatch"},
        {**STANDING, "payee_id": "BEN-000099", "reason": "payee name mismatch"},
        "no_such_payee",
    ),
    (
        "decline_data_access",
        {**ANNAS, "provider_id": "TPP-000002", "reason": "third party not registered"},
        {**ANNAS, "provider_id": "TPP-000009", "reason": "third party not registered"},
        "no_such_provider",
    ),
    (
        "decline_claim",
        {**ANNAS, "transaction_id": "TRX-000005", "reason": "time limit passed"},
        {**ANNAS, "transaction_id": "TRX-000001", "reason": "time limit passed"},
        "not_a_debit",
    ),
    ("create_standing_order", {**ORDER, "day": 9}, {**ORDER, "day": 3}, "standing_order_exists"),
    (
        "change_standing_order",
        {**ANNAS, "standing_order_id": "STO-000001", "amount": 6_000},
        {**ANNAS, "standing_order_id": "STO-000001", "amount": 5_000},
        "unchanged",
    ),
    (
        "cancel_standing_order",
        {**ANNAS, "standing_order_id": "STO-000001"},
        {**ANNAS, "standing_order_id": "STO-000002"},
        "already_cancelled",
    ),
    (
        "cancel_standing_order",
        {**ANNAS, "standing_order_id": "STO-000001"},
        {"customer_id": BEN, "standing_order_id": "STO-000001"},
        "no_such_standing_order",
    ),
    (
        "block_card",
        {**ANNAS, "last_four": "1111", "reason": "lost"},
        {**ANNAS, "last_four": "2222", "reason": "lost"},
        "already_blocked",
    ),
    (
        "block_card",
        {**ANNAS, "last_four": "1111", "reason": "lost"},
        {**ANNAS, "last_four": "3333", "reason": "lost"},
        "no_such_card",
    ),
    ("unblock_card", {**ANNAS, "card_id": "CRD-000002"}, {**ANNAS, "card_id": "CRD-000001"}, "not_blocked"),
    (
        "change_card_limit",
        {**ANNAS, "card_id": "CRD-000001", "limit": 70_000},
        {**ANNAS, "card_id": "CRD-000003", "limit": 70_000},
        "no_such_card",
    ),
    (
        "report_unauthorised_transaction",
        {**ANNAS, "transaction_id": "TRX-000004"},
        {**ANNAS, "transaction_id": "TRX-000006"},
        "already_reported",
    ),
    (
        "refund_unauthorised_transaction",
        {**ANNAS, "transaction_id": "TRX-000004"},
        {**ANNAS, "transaction_id": "TRX-000001"},
        "not_a_debit",
    ),
    ("change_email_address", {**ANNAS, "email": "n@inbox.example"}, {**ANNAS, "email": "a@inbox.example"}, "unchanged"),
    ("change_phone_number", {**PHONE, "phone": "+353987654321"}, {**PHONE, "phone": "+353123456789"}, "unchanged"),
    ("change_phone_number", {**PHONE, "phone": "+353987654321"}, {**PHONE, "customer_id": BEN}, "no_such_phone"),
    (
        "grant_data_access",
        {**ANNAS, "provider_id": "TPP-000003", "days": 90},
        {**ANNAS, "provider_id": "TPP-000001", "days": 90},
        "already_granted",
    ),
    (
        "withdraw_data_access",
        {**ANNAS, "consent_id": "CNS-000001"},
        {**ANNAS, "consent_id": "CNS-000002"},
        "no_access",
    ),
    (
        "withdraw_data_access",
        {**ANNAS, "consent_id": "CNS-000001"},
        {"customer_id": BEN, "consent_id": "CNS-000001"},
        "no_such_consent",
    ),
    (
        "share_account_data",
        {**ANNAS, "account": CURRENT, "provider_id": "TPP-000001"},
        {**ANNAS, "account": CURRENT, "provider_id": "TPP-000009"},
        "no_such_provider",
    ),
    ("authenticate_customer", ANNAS, UNKNOWN, NO_CUSTOMER),
    ("check_authorization", {**ANNAS, "account": CURRENT}, {**ANNAS, "account": CLOSED}, "account_closed"),
    (
        "confirm_sca",
        {**ANNAS, "payee_id": "BEN-000001", "amount": 2_500},
        {**ANNAS, "payee_id": "BEN-000004", "amount": 2_500},
        "no_such_payee",
    ),
    ("confirm_remote_action", {**ANNAS, "action": "payee list"}, {**UNKNOWN, "action": "payee list"}, NO_CUSTOMER),
    ("verify_payee", {"payee_id": "BEN-000001"}, {"payee_id": "BEN-000009"}, "no_such_payee"),
    ("check_spending_limit", {"account": CURRENT, "amount": 1}, {"account": "IE00", "amount": 1}, "no_such_account"),
    (
        "screen_payment",
        {"account": CURRENT, "payee_id": "BEN-000001", "amount": 1},
        {"account": CURRENT, "payee_id": "BEN-000009", "amount": 1},
        "no_such_payee",
    ),
    (
        "check_low_value_exemption",
        {**ANNAS, "payee_id": "BEN-000001", "amount": 2_500},
        {**ANNAS, "payee_id": "BEN-000004", "amount": 2_500},
        "no_such_payee",
    ),
    ("check_provider", {"provider_id": "TPP-000001"}, {"provider_id": "TPP-000009"}, "no_such_provider"),
    (
        "check_consent",
        {**ANNAS, "provider_id": "TPP-000001"},
        {**ANNAS, "provider_id": "TPP-000009"},
        "no_such_provider",
    ),
    ("check_claim", {"transaction_id": "TRX-000004"}, {"transaction_id": "TRX-000999"}, "no_such_transaction"),
    ("notify_customer", NOTICE, {**NOTICE, "subject": "CRD-000003"}, "no_such_subject"),
    ("record_audit_event", {"subject": "DSP-000001"}, {"subject": "PAY-000999"}, "no_such_subject"),
]


def test_every_tool_is_called(domain: Domain) -> None:
    assert {name for name, *_ in CALLS} == set(domain.tools)


@pytest.mark.parametrize(("name", "good", "bad", "code"), CALLS)
def test_tool_succeeds_and_refuses(
    domain: Domain, bank: Database, run: Any, name: str, good: dict[str, Any], bad: dict[str, Any] | None, code: str
) -> None:
    if bad is not None:
        before = bank.state_hash()
        [refused] = run((name, bad))
        assert (refused.status, refused.result["code"]) == (Status.REFUSED, code)
        assert bank.state_hash() == before
    [done] = run((name, good))
    assert done.status is Status.OK
    TypeAdapter(domain.tools[name].result_type).validate_python(done.result, strict=True, extra="forbid")


@pytest.mark.parametrize(("name", "good", "bad", "code"), CALLS)
def test_safety_tools_write_compliance_tables_and_the_others_business_tables(
    domain: Domain, bank: Database, run: Any, name: str, good: dict[str, Any], bad: Any, code: str
) -> None:
    kept = domain.business if name in domain.safety_critical else tuple(domain.compliance)
    before = bank.state_hash(kept)
    run((name, good))
    assert bank.state_hash(kept) == before


def test_transactions_of_all_accounts_that_the_customer_holds(run: Any) -> None:
    every, one = run(("list_transactions", ANNAS), ("list_transactions", {"customer_id": BEN, "account": CURRENT}))
    assert {row["account"] for row in every.result["transactions"]} == {CURRENT, SAVINGS}
    assert one.result["transactions"][0]["transaction_id"] == "TRX-000004"
    [missing] = run(("list_transactions", {**ANNAS, "account": "IE00"}))
    assert missing.result["code"] == "no_such_account"


def test_nothing_can_be_noted_about_an_unknown_kind_of_thing(run: Any) -> None:
    [event] = run(("record_audit_event", {"subject": "XYZ-000001"}))
    assert event.result["code"] == "no_such_subject"


def test_phone_numbers_are_listed_with_their_ids(bank: Database, run: Any) -> None:
    bank.insert("phones", id=bank.new_id("phones"), customer_id=ANNA, kind="landline", number="+353111111111")
    new = {**ANNAS, "phone_id": "PHN-000004", "phone": "+353222222222"}
    changed, profile = run(("change_phone_number", new), ("get_customer_profile", ANNAS))
    assert profile.result["phones"] == changed.result["phones"]
    assert [(row["phone_id"], row["number"]) for row in profile.result["phones"]] == [
        ("PHN-000001", "+353123456789"),
        ("PHN-000004", "+353222222222"),
    ]


def test_consents_are_listed_with_their_ids_and_the_name_of_the_provider(run: Any) -> None:
    [event] = run(("list_consents", ANNAS))
    assert [(row["consent_id"], row["provider"]) for row in event.result["consents"]] == [
        ("CNS-000001", "Saldo Express"),
        ("CNS-000002", "Cashlens"),
    ]


def test_a_card_keeps_its_limit(run: Any) -> None:
    [event] = run(("change_card_limit", {**ANNAS, "card_id": "CRD-000001", "limit": 50_000}))
    assert event.result["code"] == "unchanged"


def test_trusting_a_payee_for_a_while_leaves_a_trace(domain: Domain, bank: Database, run: Any) -> None:
    before = bank.dump(domain.business)
    goal = FunctionalOracle(shapes(domain), before, before)
    change = {**ANNAS, "payee_id": "BEN-000001"}
    run(*[("set_payee_trusted", {**change, "trusted": trusted}) for trusted in (True, False)])
    after = bank.dump(domain.business)
    assert after["payees"] == before["payees"]
    assert [difference.partition(":")[0] for difference in goal.compare(after)] == ["trust_changes"] * 2


def test_a_payment_is_booked(bank: Database, run: Any) -> None:
    [paid] = run(("initiate_payment", PAYMENT))
    assert paid.result["balance"] == bank.query("SELECT balance FROM accounts WHERE number = ?", CURRENT)[0]["balance"]
    assert bank.one("SELECT amount, counterparty FROM transactions WHERE id = ?", paid.result["transaction_id"]) == {
        "amount": -2_500,
        "counterparty": "Aurora Energie AG",
    }


def test_a_payment_within_the_bank_arrives(bank: Database, run: Any) -> None:
    bank.run("UPDATE payees SET iban = ? WHERE id = 'BEN-000001'", OTHER)
    run(("initiate_payment", PAYMENT))
    assert bank.one("SELECT balance FROM accounts WHERE number = ?", OTHER) == {"balance": 92_500}


def test_a_payment_back_to_its_own_account_is_refused(bank: Database, run: Any) -> None:
    bank.run("UPDATE payees SET iban = ? WHERE id = 'BEN-000001'", CURRENT)
    [event] = run(("initiate_payment", PAYMENT))
    assert event.result["code"] == "same_account"


def test_a_new_payee_with_a_known_iban_has_the_known_holder(run: Any) -> None:
    known = {**ANNAS, "name": "Alpenblick Reisen AG", "iban": "FR1420041010050500013M02606"}
    [added] = run(("add_payee", known))
    [match] = run(("verify_payee", {"payee_id": added.result["payee_id"]}))
    assert match.result == {"matched": False}


def test_a_refund_closes_the_dispute(bank: Database, run: Any) -> None:
    about = {**ANNAS, "transaction_id": "TRX-000004"}
    reported, refunded = run(("report_unauthorised_transaction", about), ("refund_unauthorised_transaction", about))
    assert refunded.result["dispute_id"] == reported.result["dispute_id"]
    assert refunded.result["balance"] == 200_000 - 2_999 - 3_999
    [again] = run(("refund_unauthorised_transaction", about))
    assert again.result["code"] == "already_refunded"


def test_a_stolen_card_stays_blocked(run: Any) -> None:
    card = {**ANNAS, "card_id": "CRD-000001"}
    blocked, event = run(("block_card", {**ANNAS, "last_four": "1111", "reason": "stolen"}), ("unblock_card", card))
    assert blocked.result["card_id"] == card["card_id"]
    assert event.result["code"] == "must_be_replaced"
    [limit] = run(("change_card_limit", {**card, "limit": 70_000}))
    assert limit.result["code"] == "card_blocked"


def test_results_are_typed_dicts(domain: Domain) -> None:
    for tool in domain.tools.values():
        hints = get_type_hints(tool.result_type)
        assert hints, tool.name
        assert tool.result_type.__module__ == inspect.getmodule(tool.function).__name__  # type: ignore[union-attr]
