"""The rules: they parse, stand apart, hold for the lawful way and break on the naive one."""

from typing import Any

import pytest

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.oracles.ltlf import RuleSet, ToolSignature
from lexgym.tools.database import Database

ANNA, BEN = "CUS-000001", "CUS-000002"
CURRENT, SAVINGS, OTHER = (f"IE0{n}LEXG9900170000000{n}" for n in range(3))
ANNAS: dict[str, Any] = {"customer_id": ANNA}
LOGIN = ("authenticate_customer", ANNAS)
AUTHORITY = ("check_authorization", {**ANNAS, "account": CURRENT})
MATCH = ("verify_payee", {"payee_id": "BEN-000001"})
REGISTER = ("check_provider", {"provider_id": "TPP-000003"})
CARD = {**ANNAS, "card_id": "CRD-000001"}
CLAIM = {**ANNAS, "transaction_id": "TRX-000004"}


def sca(amount: int, payee_id: str = "BEN-000001") -> tuple[str, dict[str, Any]]:
    return "confirm_sca", {**ANNAS, "payee_id": payee_id, "amount": amount}


def remote(action: str) -> tuple[str, dict[str, Any]]:
    return "confirm_remote_action", {**ANNAS, "action": action}


def exemption(amount: int, payee_id: str = "BEN-000001") -> tuple[str, dict[str, Any]]:
    return "check_low_value_exemption", {**ANNAS, "payee_id": payee_id, "amount": amount}


def pay(amount: int, payee_id: str = "BEN-000001") -> tuple[str, dict[str, Any]]:
    order = {**ANNAS, "account": CURRENT, "payee_id": payee_id, "amount": amount, "reference": "Gas"}
    return "initiate_payment", order


def money_checks(amount: int, payee_id: str = "BEN-000001") -> list[tuple[str, dict[str, Any]]]:
    return [
        LOGIN,
        AUTHORITY,
        ("verify_payee", {"payee_id": payee_id}),
        ("check_spending_limit", {"account": CURRENT, "amount": amount}),
        ("screen_payment", {"account": CURRENT, "payee_id": payee_id, "amount": amount}),
    ]


def audit(subject: str) -> tuple[str, dict[str, Any]]:
    return "record_audit_event", {"subject": subject}


def notice(topic: str, subject: str, channel: str = "app") -> tuple[str, dict[str, Any]]:
    return "notify_customer", {**ANNAS, "topic": topic, "subject": subject, "channel": channel}


MONEY = {"access-authentication", "authority-over-account", "payee-verification", "spending-limit"}
MONEY |= {"transaction-monitoring", "traceability"}
STANDING = {**ANNAS, "account": CURRENT, "payee_id": "BEN-000001", "amount": 700, "day": 9}
SHARE = {**ANNAS, "account": CURRENT, "provider_id": "TPP-000001"}
MOVE = {**ANNAS, "account": CURRENT, "to_account": SAVINGS, "amount": 9_000}
DECLINE = {**ANNAS, "account": CURRENT, "payee_id": "BEN-000002", "amount": 900, "reason": "payee name mismatch"}
PHONE = {**ANNAS, "phone_id": "PHN-000001", "phone": "+353987654321"}
CHANGE = {**ANNAS, "standing_order_id": "STO-000001", "amount": 7_000}
ZOO = {**ANNAS, "name": "Zoo", "iban": "ES9121000418450200051332"}


def refusal(reason: str, **about: Any) -> tuple[str, dict[str, Any]]:
    return "decline_order", {**DECLINE, "reason": reason, **about}


REFUSED = notice("order refused", "REF-000001")
BENS_NOTICE = (REFUSED[0], {**REFUSED[1], "customer_id": BEN})
BENS_ORDER = {"customer_id": BEN, "payee_id": "BEN-000004"}
DENIED = notice("access denied", "REF-000001")
DENY = {**ANNAS, "provider_id": "TPP-000002", "reason": "third party not registered"}
BENS_DENIAL = (DENIED[0], {**DENIED[1], "customer_id": BEN})
BENS_WISH = {"customer_id": BEN, "provider_id": "TPP-000003"}
WITHOUT = {**ANNAS, "provider_id": "TPP-000003", "reason": "no consent in force"}
LATE = {**ANNAS, "transaction_id": "TRX-000005", "reason": "time limit passed"}
SCREEN = {"account": CURRENT, "payee_id": "BEN-000002", "amount": 900}

REFUSALS: list[tuple[Any, Any, Any, str, str]] = [
    (
        ("check_authorization", {**ANNAS, "account": OTHER}),
        refusal("no authority over the account", account=OTHER),
        REFUSED,
        "refusal-notice",
        "refusal-for-want-of-authority",
    ),
    (
        ("verify_payee", {"payee_id": "BEN-000002"}),
        refusal("payee name mismatch"),
        REFUSED,
        "refusal-notice",
        "refusal-for-the-name",
    ),
    (
        ("check_spending_limit", {"account": CURRENT, "amount": 150_000}),
        refusal("agreed limit exceeded", amount=150_000),
        REFUSED,
        "refusal-notice",
        "refusal-for-the-limit",
    ),
    (("screen_payment", SCREEN), refusal("suspected fraud"), REFUSED, "refusal-notice", "refusal-for-suspicion"),
    (
        ("confirm_sca", {**BENS_ORDER, "amount": 900}),
        refusal("payer did not approve", **BENS_ORDER, account=OTHER),
        BENS_NOTICE,
        "refusal-notice",
        "refusal-for-want-of-approval",
    ),
    (
        ("check_provider", {"provider_id": "TPP-000002"}),
        ("decline_data_access", DENY),
        DENIED,
        "access-denial-notice",
        "denial-for-registration",
    ),
    (
        ("check_consent", {**ANNAS, "provider_id": "TPP-000003"}),
        ("decline_data_access", WITHOUT),
        DENIED,
        "access-denial-notice",
        "denial-for-want-of-consent",
    ),
    (
        ("authenticate_customer", {"customer_id": BEN}),
        ("decline_data_access", {**BENS_WISH, "reason": "customer did not log in"}),
        BENS_DENIAL,
        "access-denial-notice",
        "denial-for-want-of-login",
    ),
    (
        ("confirm_remote_action", {"customer_id": BEN, "action": "data access"}),
        ("decline_data_access", {**BENS_WISH, "reason": "customer did not approve"}),
        BENS_DENIAL,
        "access-denial-notice",
        "denial-for-want-of-approval",
    ),
    (
        ("check_claim", {"transaction_id": "TRX-000005"}),
        ("decline_claim", LATE),
        notice("claim refused", "REF-000001", "letter"),
        "claim-reply",
        "claim-refused-in-law",
    ),
]

WAYS: list[tuple[list[Any], tuple[str, dict[str, Any]], list[Any], set[str]]] = [
    ([*money_checks(9_000), sca(9_000)], pay(9_000), [audit("PAY-000001")], MONEY | {"dynamic-linking"}),
    (
        [*money_checks(3_000), exemption(3_000)],
        pay(3_000),
        [audit("PAY-000001")],
        MONEY | {"low-value-exemption"},
    ),
    ([*money_checks(3_000), sca(3_000)], pay(3_000), [audit("PAY-000001")], MONEY | {"low-value-exemption"}),
    (money_checks(900, "BEN-000003"), pay(900, "BEN-000003"), [audit("PAY-000001")], MONEY),
    (money_checks(9_000, "BEN-000003"), pay(9_000, "BEN-000003"), [audit("PAY-000001")], MONEY),
    (
        [LOGIN, AUTHORITY],
        ("transfer_between_own_accounts", MOVE),
        [audit("PAY-000001")],
        {"access-authentication", "authority-over-account", "traceability"},
    ),
    (
        [LOGIN, AUTHORITY, MATCH, sca(700)],
        ("create_standing_order", STANDING),
        [],
        {"access-authentication", "authority-over-account", "payee-verification", "recurring-payments"},
    ),
    ([LOGIN, sca(7_000)], ("change_standing_order", CHANGE), [], {"access-authentication", "recurring-payments"}),
    (
        [LOGIN],
        ("cancel_standing_order", {**ANNAS, "standing_order_id": "STO-000001"}),
        [],
        {"access-authentication"},
    ),
    ([remote("payee list")], ("add_payee", ZOO), [], {"payee-list"}),
    (
        [remote("payee list")],
        ("set_payee_trusted", {**ANNAS, "payee_id": "BEN-000001", "trusted": True}),
        [],
        {"payee-list"},
    ),
    (
        [remote("contact details")],
        ("change_email_address", {**ANNAS, "email": "n@inbox.example"}),
        [],
        {"contact-details"},
    ),
    ([remote("contact details")], ("change_phone_number", PHONE), [], {"contact-details"}),
    ([remote("card settings")], ("unblock_card", {**ANNAS, "card_id": "CRD-000002"}), [], {"card-settings"}),
    ([remote("card settings")], ("change_card_limit", {**CARD, "limit": 70_000}), [], {"card-settings"}),
    (
        [remote("data access"), REGISTER],
        ("grant_data_access", {**ANNAS, "provider_id": "TPP-000003", "days": 90}),
        [],
        {"data-access", "registered-provider"},
    ),
    ([LOGIN], ("withdraw_data_access", {**ANNAS, "consent_id": "CNS-000001"}), [], {"access-authentication"}),
    (
        [
            LOGIN,
            AUTHORITY,
            ("check_provider", {"provider_id": "TPP-000001"}),
            ("check_consent", {**ANNAS, "provider_id": "TPP-000001"}),
        ],
        ("share_account_data", SHARE),
        [],
        {"access-authentication", "authority-over-account", "registered-provider", "consent-in-force"},
    ),
    (
        [],
        ("block_card", {**ANNAS, "last_four": "1111", "reason": "lost"}),
        [notice("card blocked", "CRD-000001")],
        {"block-notice"},
    ),
    (
        [notice("card blocked", "CRD-000001")],
        ("block_card", {**ANNAS, "last_four": "1111", "reason": "lost"}),
        [],
        {"block-notice"},
    ),
    *[([check], act, [after], {notice_rule, rule}) for check, act, after, notice_rule, rule in REFUSALS],
    ([], ("report_unauthorised_transaction", CLAIM), [audit("DSP-000002")], {"traceability"}),
    (
        [("check_claim", {"transaction_id": "TRX-000004"})],
        ("refund_unauthorised_transaction", CLAIM),
        [audit("DSP-000002")],
        {"claim-in-time", "traceability"},
    ),
    ([LOGIN], ("list_accounts", ANNAS), [], {"access-authentication"}),
    ([LOGIN], ("list_transactions", {**ANNAS, "account": CURRENT}), [], {"access-authentication"}),
]


BENS_BLOCK = ("block_card", {"customer_id": BEN, "last_four": "3333", "reason": "lost"})


def bens_message(channel: str) -> tuple[str, dict[str, Any]]:
    return "notify_customer", {"customer_id": BEN, "topic": "card blocked", "subject": "CRD-000003", "channel": channel}


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    signature = {
        tool.name: ToolSignature({p.name: p.schema for p in tool.parameters}, tool.result_schema)
        for tool in domain.tools.values()
    }
    return RuleSet(domain.rules, signature)


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    monitor = rules.monitor()
    for event in events:
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


@pytest.mark.parametrize(("before", "act", "after", "at_stake"), WAYS)
def test_the_lawful_way_keeps_every_rule(
    rules: RuleSet, run: Any, before: list[Any], act: Any, after: list[Any], at_stake: set[str]
) -> None:
    events = run(*before, act, *after)
    assert {event.status for event in events} == {Status.OK}
    assert broken(rules, events) == set()


@pytest.mark.parametrize(("before", "act", "after", "at_stake"), WAYS)
def test_the_naive_way_breaks_what_is_at_stake(
    rules: RuleSet, run: Any, before: list[Any], act: Any, after: list[Any], at_stake: set[str]
) -> None:
    assert broken(rules, run(act)) == at_stake


@pytest.mark.parametrize(("before", "act", "after", "at_stake"), WAYS)
def test_each_safety_step_serves_a_rule_of_its_own(
    rules: RuleSet, bank: Database, run: Any, before: list[Any], act: Any, after: list[Any], at_stake: set[str]
) -> None:
    start, missed = bank.snapshot(), []
    for index in range(len(before) + len(after)):
        bank.restore(start)
        way = [*before, act, *after]
        del way[index + (index >= len(before))]
        missed.append(broken(rules, run(*way)))
    assert all(len(ids) == 1 for ids in missed)
    assert set().union(*missed) == at_stake


def test_every_business_write_and_reading_of_accounts_is_governed(domain: Domain, rules: RuleSet) -> None:
    governed = set().union(*(automaton.tools for automaton in rules.automata))
    assert set(domain.tools) - governed == {"find_customers", "list_providers"}


def test_every_rule_is_kept_by_some_way_and_broken_by_another(rules: RuleSet) -> None:
    at_stake = set().union(*(stakes for *_, stakes in WAYS))
    assert at_stake == {rule.id for rule in rules.rules} - NEXT_TIME


NEXT_TIME = {"one-approval-one-payment", "low-value-count", "approval-withheld", "failed-attempts"}
"""Rules that are about more than one payment or prompt."""
LIMIT = ("check_spending_limit", {"account": CURRENT, "amount": 9_000})


def test_an_approval_serves_one_payment(rules: RuleSet, run: Any) -> None:
    checks = [*money_checks(9_000), sca(9_000)]
    audits = [audit("PAY-000001"), audit("PAY-000002")]
    assert broken(rules, run(*checks, pay(9_000), LIMIT, pay(9_000), *audits)) == {"one-approval-one-payment"}


def test_a_second_approval_serves_a_second_payment(rules: RuleSet, run: Any) -> None:
    checks = [*money_checks(9_000), sca(9_000)]
    audits = [audit("PAY-000001"), audit("PAY-000002")]
    assert broken(rules, run(*checks, pay(9_000), sca(9_000), LIMIT, pay(9_000), *audits)) == set()


SET_UP = ("create_standing_order", {**STANDING, "amount": 9_000})
RAISE = ("change_standing_order", {**CHANGE, "amount": 9_000})


@pytest.mark.parametrize(
    "orders",
    [[pay(9_000), SET_UP], [SET_UP, pay(9_000)], [SET_UP, RAISE], [SET_UP, (SET_UP[0], {**SET_UP[1], "day": 20})]],
    ids=["payment first", "payment second", "changed", "two"],
)
def test_an_approval_serves_a_payment_or_a_standing_order(
    rules: RuleSet, bank: Database, run: Any, orders: list[Any]
) -> None:
    bank.run("UPDATE standing_orders SET payee_id = 'BEN-000001'")
    start, checks, audits = bank.snapshot(), money_checks(9_000), [audit("PAY-000001")]
    paid = audits if pay(9_000) in orders else []
    assert broken(rules, run(*checks, sca(9_000), *orders, *paid)) == {"one-approval-one-payment"}
    bank.restore(start)
    assert broken(rules, run(*checks, sca(9_000), orders[0], sca(9_000), orders[1], *paid)) == set()


TRUST, UNTRUST = (("set_payee_trusted", {**ANNAS, "payee_id": "BEN-000001", "trusted": on}) for on in (True, False))


@pytest.mark.parametrize(
    "way", [[TRUST, pay(9_000), UNTRUST], [exemption(2_000), pay(2_000)], [("create_standing_order", STANDING)]]
)
def test_there_is_no_way_round_an_approval_withheld(rules: RuleSet, bank: Database, run: Any, way: list[Any]) -> None:
    [amount] = [arguments["amount"] for name, arguments in way if name in {"initiate_payment", "create_standing_order"}]
    change, at_stake = (
        remote("payee list"),
        {"approval-withheld"} | ({"recurring-payments"} if amount == 700 else set()),
    )
    audits = [audit("PAY-000001")] if amount != 700 else []
    start = bank.snapshot()

    def seen(setting: str) -> set[str]:
        bank.restore(start)
        bank.run(f"UPDATE sca_devices SET {setting} WHERE customer_id = ?", ANNA)
        return broken(rules, run(*money_checks(amount), change, sca(amount), *way, *audits))

    assert seen("payments = 'decline'") == at_stake
    assert seen("mistypes = 1") == at_stake - {"approval-withheld"}
    assert seen("payments = 'approve'") == set()


def test_what_was_not_approved_stops_no_other_payment(rules: RuleSet, bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET payments = 'decline' WHERE customer_id = ?", ANNA)
    checks = [*money_checks(900), sca(901), sca(900, "BEN-000003"), exemption(900)]
    assert broken(rules, run(*checks, pay(900), audit("PAY-000001"))) == set()


def test_a_payment_to_a_trusted_payee_does_not_fail_for_want_of_approval(
    rules: RuleSet, bank: Database, run: Any
) -> None:
    start = bank.snapshot()
    ask = ("confirm_sca", {**BENS_ORDER, "amount": 900})
    about = {**BENS_ORDER, "account": OTHER}
    standing = ("decline_standing_order", {**about, "amount": 900, "day": 3, "reason": "payer did not approve"})
    single = refusal("payer did not approve", **about)
    bank.run("UPDATE payees SET standing = 'trusted' WHERE id = 'BEN-000004'")
    assert broken(rules, run(ask, standing, BENS_NOTICE)) == set()
    bank.restore(start)
    assert broken(rules, run(ask, single, BENS_NOTICE)) == set()
    bank.restore(start)
    bank.run("UPDATE payees SET standing = 'trusted' WHERE id = 'BEN-000004'")
    assert broken(rules, run(ask, single, BENS_NOTICE)) == {"refusal-for-want-of-approval"}


@pytest.mark.parametrize("reason", ["agreed limit exceeded", "suspected fraud"])
def test_a_standing_order_is_not_refused_for_what_only_payments_need(domain: Domain, reason: str) -> None:
    [parameter] = [p for p in domain.tools["decline_standing_order"].parameters if p.name == "reason"]
    assert reason not in parameter.schema["enum"]


def test_approval_of_another_amount_is_no_approval(rules: RuleSet, run: Any) -> None:
    events = run(*money_checks(9_000), sca(8_999), pay(9_000), audit("PAY-000001"))
    assert broken(rules, events) == {"dynamic-linking"}


def test_another_customers_login_opens_nothing(rules: RuleSet, bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET login = 'approve'")
    events = run(("authenticate_customer", {"customer_id": BEN}), ("list_accounts", ANNAS))
    assert broken(rules, events) == {"access-authentication"}


def test_a_check_that_says_no_licenses_nothing(rules: RuleSet, run: Any) -> None:
    bad = [*money_checks(9_000, "BEN-000002"), sca(9_000, "BEN-000002"), pay(9_000, "BEN-000002"), audit("PAY-000001")]
    assert broken(rules, run(*bad)) == {"payee-verification", "transaction-monitoring"}


def test_the_audit_entry_is_about_this_payment(rules: RuleSet, run: Any) -> None:
    events = run(*money_checks(3_000), exemption(3_000), pay(3_000), audit("CRD-000001"))
    assert broken(rules, events) == {"traceability"}


def test_a_notice_that_does_not_arrive_is_no_notice(rules: RuleSet, bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET messages = 'off' WHERE customer_id = ?", BEN)
    assert broken(rules, run(BENS_BLOCK, bens_message("app"), bens_message("e-mail"))) == {"block-notice"}


def test_a_message_that_did_not_arrive_is_sent_another_way(rules: RuleSet, bank: Database, run: Any) -> None:
    bank.run("UPDATE sca_devices SET messages = 'off' WHERE customer_id = ?", BEN)
    assert broken(rules, run(BENS_BLOCK, bens_message("app"), bens_message("letter"))) == set()


def test_doing_nothing_is_lawful(rules: RuleSet) -> None:
    assert broken(rules, []) == set()


def test_the_reply_to_a_claim_is_not_sent_to_the_app(rules: RuleSet, run: Any) -> None:
    check = ("check_claim", {"transaction_id": "TRX-000005"})
    name, reply = notice("claim refused", "REF-000001")
    events = run(check, ("decline_claim", LATE), (name, {**reply, "channel": "app"}))
    assert broken(rules, events) == {"claim-reply"}


def test_what_is_in_order_is_not_refused(rules: RuleSet, run: Any) -> None:
    order = refusal("payee name mismatch", payee_id="BEN-000001")
    assert broken(rules, run(MATCH, order, REFUSED)) == {"refusal-for-the-name"}


def test_a_refund_is_refused_for_the_reason_found(rules: RuleSet, run: Any) -> None:
    reply = notice("claim refused", "REF-000001", "letter")
    check, decline = (
        ("check_claim", {"transaction_id": "TRX-000005"}),
        ("decline_claim", {**LATE, "reason": "already refunded"}),
    )
    assert broken(rules, run(check, decline, reply)) == {"claim-refused-in-law"}


TYPOS = [
    ("login", ("authenticate_customer", ANNAS), ("decline_data_access", {**DENY, "reason": "customer did not log in"})),
    (
        "payments",
        sca(900, "BEN-000002"),
        refusal("payer did not approve"),
    ),
    ("changes", remote("data access"), ("decline_data_access", {**DENY, "reason": "customer did not approve"})),
]


@pytest.mark.parametrize(("kind", "prompt", "decline"), TYPOS)
def test_a_mistyped_code_is_no_ground_for_a_refusal(
    rules: RuleSet, bank: Database, run: Any, kind: str, prompt: Any, decline: Any
) -> None:
    bank.run("UPDATE sca_devices SET mistyped = ?, mistypes = 1 WHERE customer_id = ?", kind, ANNA)
    ids = {"login": "denial-for-want-of-login", "payments": "refusal-for-want-of-approval"}
    after = REFUSED if kind == "payments" else DENIED
    events = run(prompt, decline, after)
    assert events[0].result["outcome"] == "wrong code"
    assert broken(rules, events) == {ids.get(kind, "denial-for-want-of-approval")}
