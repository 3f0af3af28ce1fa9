"""The rules: they parse, stand apart, hold for the lawful way and break on the naive one."""

from typing import Any, TypeAlias

import pytest

from lexgym.core import Event, Status
from lexgym.envs.domain import Domain
from lexgym.envs.judge import signature
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

Call: TypeAlias = tuple[str, dict[str, Any]]


def stock(request: int) -> Call:
    return "check_stock", {"request_id": f"REQ-00000{request}"}


def portal(request: int) -> Call:
    return "check_legacy_portal", {"request_id": f"REQ-00000{request}"}


def splitting(request: int) -> Call:
    return "check_order_splitting", {"request_id": f"REQ-00000{request}"}


def screen(supplier: int) -> Call:
    return "screen_supplier", {"supplier_id": f"SUP-00000{supplier}"}


def conflict(request: int, supplier: int) -> Call:
    return "check_conflict_of_interest", {
        "request_id": f"REQ-00000{request}",
        "supplier_id": f"SUP-00000{supplier}",
    }


def money(request: int, centre: str, amount: int) -> list[Call]:
    commit = {"cost_centre": centre, "request_id": f"REQ-00000{request}", "amount": amount}
    return [("check_budget", {"cost_centre": centre, "amount": amount}), ("commit_budget", commit)]


def approval(request: int, approver: int, amount: int) -> list[Call]:
    who, what = f"EMP-00000{approver}", f"REQ-00000{request}"
    return [
        ("check_delegation", {"approver_id": who, "amount": amount}),
        ("check_segregation", {"request_id": what, "employee_id": who, "role": "approver"}),
        ("obtain_approval", {"request_id": what, "approver_id": who, "amount": amount}),
    ]


def quotation(number: int) -> dict[str, Any]:
    return {"quotation_id": f"QUO-{number:06d}"}


def order(number: int) -> Call:
    return "place_order", quotation(number)


def file(subject: str) -> Call:
    return "record_file_entry", {"subject": subject}


def supplier_told(subject: str) -> Call:
    return "notify_supplier", {"subject": subject, "channel": "registered letter"}


def requester_told(subject: str) -> Call:
    return "notify_requester", {"subject": subject, "channel": "internal post"}


NEW = "ORD-000005"
OPTION: Call = ("set_delivery_option", {"order_id": NEW, "option": "inside delivery"})
OFFICE_ORDER = [stock(8), splitting(8), screen(4), conflict(8, 4), *money(8, "5200", 6_000_000)]
LAB_ORDER = [stock(7), portal(7), splitting(7), screen(1), conflict(7, 1), *money(7, "4100", 2_000_000)]
SMALL = [stock(1), portal(1), splitting(1), screen(1), conflict(1, 1), *money(1, "4100", 64_000)]
CALL_OFF = [stock(4), screen(4), conflict(4, 4), *money(4, "5200", 200_000)]
BUY = {"request_id": "REQ-000004", "supplier_id": "SUP-000001", "amount": 900_000}
ASK = {"requester_id": "EMP-000003", "item_id": "ITM-000003", "quantity": 1, "purpose": "new bench"}
RECEIVE = {"order_id": "ORD-000001", "receiver_id": "EMP-000006"}
APART: Call = ("check_segregation", {"request_id": "REQ-000005", "employee_id": "EMP-000006", "role": "receiver"})

ORDERED = {
    "stock-before-purchase",
    "supplier-screening",
    "conflict-of-interest",
    "amount-committed",
    "procurement-file",
}
LAB = {"legacy-portal-first", "delivery-option"}
APPROVED = {"amount-approved"}
WAYS: dict[str, tuple[list[Call], Call, list[Call], set[str]]] = {
    "band A": (
        [*SMALL, *approval(1, 1, 64_000)],
        order(1),
        [file(NEW), OPTION],
        ORDERED | LAB | APPROVED | {"no-order-splitting"},
    ),
    "band C": (
        [*LAB_ORDER, ("check_quotations", quotation(3)), *approval(7, 1, 2_000_000)],
        order(3),
        [file(NEW), OPTION],
        ORDERED | LAB | APPROVED | {"no-order-splitting", "competition-by-band"},
    ),
    "tender": (
        [*OFFICE_ORDER, ("check_tender", {"request_id": "REQ-000008"}), *approval(8, 5, 6_000_000)],
        order(10),
        [file(NEW)],
        ORDERED | APPROVED | {"no-order-splitting", "tender-in-band-d"},
    ),
    "call-off": (
        [*CALL_OFF, *approval(4, 5, 200_000)],
        ("call_off", quotation(7)),
        [file(NEW)],
        ORDERED | APPROVED,
    ),
    "emergency": (
        [stock(4), screen(1), conflict(4, 1), ("check_emergency", {"request_id": "REQ-000004"})],
        ("buy_in_emergency", BUY),
        [("report_emergency", {"order_id": NEW}), ("regularise_emergency", {"order_id": NEW}), file(NEW)],
        (ORDERED - {"amount-committed"}) | {"emergency-ground", "emergency-regularisation"},
    ),
    "request": (
        [],
        ("submit_request", {**ASK, "requester_id": "EMP-000001", "item_id": "ITM-000004"}),
        [file("REQ-000010")],
        {"procurement-file"},
    ),
    "hazardous request": (
        [("check_permit", {"requester_id": "EMP-000003", "item_id": "ITM-000003"})],
        ("submit_request", ASK),
        [file("REQ-000010")],
        {"hazardous-goods-permit", "procurement-file"},
    ),
    "stock": (
        [("check_reserve", {"request_id": "REQ-000002", "warehouse_id": "WHS-000001"})],
        ("allocate_stock", {"request_id": "REQ-000002", "warehouse_id": "WHS-000001"}),
        [file("ALC-000001")],
        {"release-from-warehouse", "procurement-file"},
    ),
    "portal": (
        [("inspect_offer", {"offer_id": "OFR-000001"})],
        ("claim_offer", {"offer_id": "OFR-000001"}),
        [file("CLM-000001")],
        {"fit-for-use", "procurement-file"},
    ),
    "quotation": (
        [],
        (
            "register_quotation",
            {"request_id": "REQ-000001", "supplier_id": "SUP-000004", "amount": 50_000, "days": 30},
        ),
        [file("QUO-000013")],
        {"procurement-file"},
    ),
    "small change": (
        [],
        ("change_order", {"order_id": "ORD-000001", "addition": 30_000}),
        [supplier_told("ORD-000001"), file("CHG-000001")],
        {"supplier-told", "procurement-file"},
    ),
    "large change": (
        approval(9, 1, 220_000),
        ("change_order", {"order_id": "ORD-000004", "addition": 100_000}),
        [supplier_told("ORD-000004"), file("CHG-000001")],
        {"change-approval", "supplier-told", "procurement-file"},
    ),
    "cancellation": (
        [],
        ("cancel_order", {"order_id": "ORD-000001", "reason": "no longer needed"}),
        [supplier_told("ORD-000001")],
        {"supplier-told"},
    ),
    "receipt": (
        [
            ("inspect_delivery", {"order_id": "ORD-000001"}),
            ("check_segregation", {"request_id": "REQ-000005", "employee_id": "EMP-000002", "role": "receiver"}),
        ],
        ("record_receipt", {"order_id": "ORD-000001", "receiver_id": "EMP-000002"}),
        [file("RCP-000002")],
        {"inspection-at-receipt", "receiver-apart", "procurement-file"},
    ),
    "rejection": (
        [("inspect_delivery", {"order_id": "ORD-000004"})],
        ("reject_delivery", {"order_id": "ORD-000004", "reason": "goods do not conform"}),
        [supplier_told("ORD-000004")],
        {"supplier-told", "sent-back-as-nonconforming"},
    ),
    "payment": (
        [("match_invoice", {"invoice_id": "INV-000001"}), screen(4)],
        ("pay_invoice", {"invoice_id": "INV-000001"}),
        [file("PMT-000001")],
        {"three-way-match", "supplier-screening", "procurement-file"},
    ),
    "withholding": (
        [("match_invoice", {"invoice_id": "INV-000002"})],
        ("withhold_payment", {"invoice_id": "INV-000002", "reason": "no three-way match"}),
        [supplier_told("INV-000002")],
        {"supplier-told", "withheld-for-want-of-a-match"},
    ),
    "bank change": (
        [("call_back_supplier", {"change_id": "BNK-000001"})],
        ("apply_bank_change", {"change_id": "BNK-000001"}),
        [file("BNK-000001")],
        {"bank-details-call-back", "procurement-file"},
    ),
    "rejected bank change": (
        [("call_back_supplier", {"change_id": "BNK-000002"})],
        ("reject_bank_change", {"change_id": "BNK-000002", "reason": "supplier did not confirm"}),
        [supplier_told("BNK-000002")],
        {"supplier-told", "rejected-as-unconfirmed"},
    ),
    "refusal": (
        [("check_quotations", quotation(6))],
        ("decline_purchase", {**quotation(6), "reason": "too few quotations"}),
        [requester_told("REF-000001"), file("REF-000001")],
        {"refusal-told-and-filed", "refused-for-too-few-quotations"},
    ),
    "refused emergency": (
        [("check_emergency", {"request_id": "REQ-000001"})],
        (
            "decline_emergency_purchase",
            {"request_id": "REQ-000001", "supplier_id": "SUP-000001", "reason": "not an emergency"},
        ),
        [requester_told("REF-000001"), file("REF-000001")],
        {"refusal-told-and-filed", "refused-as-no-emergency"},
    ),
}
URGENT = {"request_id": "REQ-000001", "supplier_id": "SUP-000003"}
REFUSALS: list[tuple[list[Call], Call, str]] = [
    ([stock(2)], ("decline_purchase", {**quotation(13), "reason": "item in stock"}), "refused-as-in-stock"),
    (
        [portal(3)],
        ("decline_purchase", {**quotation(9), "reason": "available on the legacy portal"}),
        "refused-for-the-portal",
    ),
    (
        [("confirm_single_source", quotation(9))],
        ("decline_purchase", {**quotation(9), "reason": "single source not justified"}),
        "refused-as-single-source",
    ),
    (
        [("check_tender", {"request_id": "REQ-000001"})],
        ("decline_purchase", {**quotation(1), "reason": "no valid tender"}),
        "refused-for-want-of-a-tender",
    ),
    ([splitting(3)], ("decline_purchase", {**quotation(9), "reason": "order splitting"}), "refused-as-splitting"),
    (
        [screen(2)],
        ("decline_purchase", {**quotation(11), "reason": "supplier not cleared"}),
        "refused-for-the-supplier",
    ),
    (
        [conflict(1, 3)],
        ("decline_emergency_purchase", {**URGENT, "reason": "conflict of interest"}),
        "refused-for-an-interest",
    ),
    (
        [("check_budget", {"cost_centre": "4100", "amount": 2_100_000})],
        ("decline_purchase", {**quotation(5), "reason": "budget exhausted"}),
        "refused-for-the-budget",
    ),
    (
        [("check_delegation", {"approver_id": "EMP-000005", "amount": 1_500_000})],
        ("decline_purchase", {**quotation(6), "reason": "no competent approver"}),
        "refused-for-want-of-an-approver",
    ),
    (
        [("check_segregation", {"request_id": "REQ-000006", "employee_id": "EMP-000003", "role": "approver"})],
        ("decline_purchase", {**quotation(8), "reason": "duties not segregated"}),
        "refused-as-not-segregated",
    ),
    (
        approval(4, 5, 1_500_000),
        ("decline_purchase", {**quotation(6), "reason": "approval withheld"}),
        "refused-for-want-of-approval",
    ),
]


@pytest.fixture(scope="module")
def rules(domain: Domain) -> RuleSet:
    return RuleSet(domain.rules, signature(domain))


def broken(rules: RuleSet, events: list[Event]) -> set[str]:
    monitor = rules.monitor()
    for event in events:
        assert event.status is Status.OK, event.result
        monitor.step(event)
    return {rule.id for rule, kept in zip(rules.rules, monitor.satisfied, strict=True) if not kept}


@pytest.mark.parametrize("name", WAYS)
def test_the_lawful_way_keeps_every_rule(rules: RuleSet, run: Any, name: str) -> None:
    before, act, after, _ = WAYS[name]
    assert broken(rules, run(*before, act, *after)) == set()


@pytest.mark.parametrize("name", WAYS)
def test_the_naive_way_breaks_what_is_at_stake(rules: RuleSet, run: Any, name: str) -> None:
    assert broken(rules, run(WAYS[name][1])) == WAYS[name][3]


@pytest.mark.parametrize("name", WAYS)
def test_each_safety_step_is_needed(rules: RuleSet, works: Database, run: Any, name: str) -> None:
    before, act, after, _ = WAYS[name]
    start = works.snapshot()
    for index in range(len(before) + len(after)):
        works.restore(start)
        way = [*before, act, *after]
        left_out = way.pop(index + (index >= len(before)))
        if left_out[0] != "report_emergency":
            assert len(broken(rules, run(*way))) == 1, left_out


def _without_approval(works: Database, rule: str) -> None:
    """Make the approver of one request unwilling, of too small a delegation or its requester, as a rule needs it."""
    if rule == "refused-for-want-of-approval":
        works.run("UPDATE approval_routes SET answer = 'decline' WHERE request_id = 'REQ-000004'")
    if rule == "refused-for-want-of-an-approver":
        works.run("UPDATE delegations SET limit_cents = 1499999 WHERE employee_id = 'EMP-000005'")
    if rule == "refused-as-not-segregated":
        works.run("UPDATE approval_routes SET approver_id = 'EMP-000003' WHERE request_id = 'REQ-000006'")


@pytest.mark.parametrize(("before", "act", "rule"), REFUSALS)
def test_nothing_is_refused_without_its_ground(
    rules: RuleSet, works: Database, run: Any, before: list[Call], act: Call, rule: str
) -> None:
    row = {"request_id": "REQ-000002", "supplier_id": "SUP-000001", "amount": 5, "basis": "framework"}
    works.insert("quotations", id=works.new_id("quotations"), **row, valid_until=works.clock)
    _without_approval(works, rule)
    start, told = works.snapshot(), [requester_told("REF-000001"), file("REF-000001")]
    assert broken(rules, run(*before, act, *told)) == set()
    works.restore(start)
    assert broken(rules, run(act, *told)) == {rule}


NOT_THE_SAME: list[tuple[Call, Call, str]] = [
    (
        ("check_delegation", {"approver_id": "EMP-000001", "amount": 5_000_001}),
        ("decline_purchase", {**quotation(1), "reason": "no competent approver"}),
        "refused-for-want-of-an-approver",
    ),
    (
        ("check_delegation", {"approver_id": "EMP-000002", "amount": 64_000}),
        ("decline_purchase", {**quotation(1), "reason": "no competent approver"}),
        "refused-for-want-of-an-approver",
    ),
    (
        ("check_segregation", {"request_id": "REQ-000006", "employee_id": "EMP-000003", "role": "approver"}),
        ("decline_purchase", {**quotation(3), "reason": "duties not segregated"}),
        "refused-as-not-segregated",
    ),
    (
        ("obtain_approval", {"request_id": "REQ-000005", "approver_id": "EMP-000005", "amount": 1_500_000}),
        ("decline_purchase", {**quotation(6), "reason": "approval withheld"}),
        "refused-for-want-of-approval",
    ),
    (
        ("obtain_approval", {"request_id": "REQ-000004", "approver_id": "EMP-000001", "amount": 1_500_000}),
        ("decline_purchase", {**quotation(6), "reason": "approval withheld"}),
        "refused-for-want-of-approval",
    ),
    (
        ("check_budget", {"cost_centre": "4100", "amount": 99_000_000}),
        ("decline_purchase", {**quotation(5), "reason": "budget exhausted"}),
        "refused-for-the-budget",
    ),
]


@pytest.mark.parametrize(("check", "act", "rule"), NOT_THE_SAME)
def test_a_check_of_another_amount_request_or_person_grounds_no_refusal(
    rules: RuleSet, run: Any, check: Call, act: Call, rule: str
) -> None:
    assert rule in broken(rules, run(check, act))


def test_nobody_approves_in_the_place_of_the_named_approver(rules: RuleSet, works: Database, run: Any) -> None:
    works.run("UPDATE delegations SET valid_until = ?, limit_cents = ?", works.clock + 10**6, 10**8)
    works.run("UPDATE employees SET absent_until = NULL")
    way = [*SMALL, *approval(1, 2, 64_000), order(1), file(NEW), OPTION]
    assert broken(rules, run(*way)) == {"amount-approved"}


def test_every_rule_is_broken_by_some_way(rules: RuleSet) -> None:
    at_stake = set().union(*(stakes for *_, stakes in WAYS.values()))
    at_stake |= {rule for *_, rule in REFUSALS}
    apart = {"budget-check", "delegation-of-authority", "approver-apart", "no-approver-shopping"}
    apart |= {"one-order-per-request", "emergency-ceiling", "single-source-ground"}
    assert at_stake == {rule.id for rule in rules.rules} - apart


@pytest.mark.parametrize(
    ("index", "rule"),
    [(0, "delegation-of-authority"), (1, "approver-apart"), (2, "amount-approved"), (3, "budget-check")],
)
def test_authority_comes_before_approval_and_budget_before_commitment(
    rules: RuleSet, run: Any, index: int, rule: str
) -> None:
    steps = [*approval(1, 1, 64_000), *money(1, "4100", 64_000)]
    rest = [call for call in SMALL if call[0] not in ("check_budget", "commit_budget")]
    del steps[index]
    assert broken(rules, run(*rest, *steps, order(1), file(NEW), OPTION)) == {rule}


def test_a_check_after_the_act_is_too_late(rules: RuleSet, run: Any) -> None:
    late = [*[call for call in SMALL if call != stock(1)], *approval(1, 1, 64_000), order(1), stock(1)]
    assert broken(rules, run(*late, file(NEW), OPTION)) == {"stock-before-purchase"}


@pytest.mark.parametrize(
    ("right", "wrong", "rule"),
    [
        (stock(1), stock(7), "stock-before-purchase"),
        (portal(1), portal(7), "legacy-portal-first"),
        (screen(1), screen(2), "supplier-screening"),
        (conflict(1, 1), conflict(1, 4), "conflict-of-interest"),
        (splitting(1), splitting(7), "no-order-splitting"),
        (file(NEW), file("REQ-000001"), "procurement-file"),
        (OPTION, ("set_delivery_option", {"order_id": NEW, "option": "clean-room delivery"}), "delivery-option"),
    ],
)
def test_the_same_step_about_another_thing_does_not_count(
    rules: RuleSet, run: Any, right: Call, wrong: Call, rule: str
) -> None:
    way = [*SMALL, *approval(1, 1, 64_000), order(1), file(NEW), OPTION]
    way[way.index(right)] = wrong
    assert broken(rules, run(*way)) == {rule}


def test_approval_of_another_amount_does_not_count(rules: RuleSet, run: Any) -> None:
    way = [*SMALL, *approval(1, 1, 63_999), order(1), file(NEW), OPTION]
    assert broken(rules, run(*way)) == {"amount-approved"}


def test_an_order_of_250_euros_needs_no_approval(rules: RuleSet, works: Database, run: Any) -> None:
    works.run("UPDATE quotations SET amount = 25000 WHERE id = 'QUO-000001'")
    checks = [call for call in SMALL if call[1].get("amount") is None]
    way = [*checks, *money(1, "4100", 25_000), order(1), file(NEW), OPTION]
    assert broken(rules, run(*way)) == set()


def test_a_single_source_needs_an_accepted_ground(rules: RuleSet, works: Database, run: Any) -> None:
    start = works.snapshot()
    way = [stock(6), portal(6), screen(4), conflict(6, 4), splitting(6), *money(6, "4100", 300_000)]
    way += [*approval(6, 1, 300_000), order(8), file(NEW), OPTION]
    confirmed = ("confirm_single_source", quotation(8))
    assert broken(rules, run(*way)) == {"single-source-ground"}
    works.restore(start)
    assert broken(rules, run(confirmed, *way)) == set()


def test_a_second_order_for_one_request(rules: RuleSet, works: Database, run: Any) -> None:
    works.run("DELETE FROM interests")
    checks = [*SMALL, *approval(1, 1, 64_000), screen(3), conflict(1, 3), *money(1, "4100", 66_000)]
    checks += approval(1, 1, 66_000)
    second = ("set_delivery_option", {"order_id": "ORD-000006", "option": "inside delivery"})
    events = run(*checks, order(1), file(NEW), OPTION, order(2), file("ORD-000006"), second)
    assert broken(rules, events) == {"one-order-per-request"}


def test_no_third_attempt_at_approval(rules: RuleSet, run: Any) -> None:
    once = approval(5, 5, 30_000)
    assert broken(rules, run(*once, once[2])) == set()
    assert broken(rules, run(*once, once[2], once[2])) == {"no-approver-shopping"}


def test_a_third_attempt_is_one_too_many_even_if_it_succeeds(rules: RuleSet, run: Any) -> None:
    away, there = approval(1, 2, 64_000)[2], approval(1, 1, 64_000)[2]
    events = run(away, there, away, there)
    assert [event.result["approved"] for event in events] == [False, True, False, True]
    assert "no-approver-shopping" not in broken(rules, events[:3])
    assert "no-approver-shopping" in broken(rules, events)


def test_emergencies_have_a_ceiling(rules: RuleSet, works: Database, run: Any) -> None:
    before, _, after, _ = WAYS["emergency"]
    start = works.snapshot()
    assert broken(rules, run(*before, ("buy_in_emergency", {**BUY, "amount": 2_500_000}), *after)) == set()
    works.restore(start)
    events = run(*before, ("buy_in_emergency", {**BUY, "amount": 2_500_001}), *after)
    assert broken(rules, events) == {"emergency-ceiling"}


def test_the_report_comes_before_the_regularisation(rules: RuleSet, run: Any) -> None:
    before, act, (report, regularise, entry), _ = WAYS["emergency"]
    events = run(*before, act, regularise, report, entry)
    assert broken(rules, events) == {"emergency-regularisation"}


def test_a_refusal_is_filed_after_the_notice(rules: RuleSet, run: Any) -> None:
    before, act, (notice, entry), _ = WAYS["refusal"]
    assert broken(rules, run(*before, act, entry, notice)) == {"refusal-told-and-filed"}


def test_a_notice_that_does_not_arrive_is_no_notice(rules: RuleSet, run: Any) -> None:
    before, act, (_, entry), _ = WAYS["refusal"]
    lost = ("notify_requester", {"subject": "REF-000001", "channel": "e-mail"})
    assert broken(rules, run(*before, act, lost, entry)) == {"refusal-told-and-filed"}


def test_a_check_that_says_no_licenses_nothing(rules: RuleSet, run: Any) -> None:
    events = run(
        ("check_permit", {"requester_id": "EMP-000001", "item_id": "ITM-000003"}),
        ("submit_request", {**ASK, "requester_id": "EMP-000001"}),
        file("REQ-000010"),
    )
    assert events[0].result["valid"] is False
    assert broken(rules, events) == {"hazardous-goods-permit"}


def test_an_approver_may_not_receive(rules: RuleSet, run: Any) -> None:
    events = run(
        ("inspect_delivery", {"order_id": "ORD-000001"}), APART, ("record_receipt", RECEIVE), file("RCP-000002")
    )
    assert broken(rules, events) == {"receiver-apart"}


def test_an_order_of_a_lab_that_is_on_the_books_can_be_cancelled(rules: RuleSet, run: Any) -> None:
    cancel = ("cancel_order", {"order_id": "ORD-000004", "reason": "no longer needed"})
    assert broken(rules, run(cancel, supplier_told("ORD-000004"))) == set()


def test_every_business_write_is_governed_and_every_safety_step_needed(domain: Domain, rules: RuleSet) -> None:
    governed = set().union(*(automaton.tools for automaton in rules.automata))
    assert domain.safety_critical | set(domain.phrases["tools"]) <= governed


def test_doing_nothing_is_lawful(rules: RuleSet) -> None:
    assert broken(rules, []) == set()
