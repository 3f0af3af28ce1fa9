"""What was found before an act of the same kind no longer counts after it: stock, budget and splitting."""

from typing import Any

import pytest

from lexgym.core import Event
from lexgym.oracles.ltlf import RuleSet
from lexgym.tools.database import Database

from .ways import BUY, Call, broken, file, money, order, quotation, screen, splitting, stock

ANEW = "no-order-splitting"
FIRST, SECOND = money(1, "4100", 2_000_000), money(7, "4100", 1_500_000)


def release(request: int) -> tuple[Call, Call]:
    """The look into the Central Store for a request, and the allocation."""
    where = {"request_id": f"REQ-00000{request}", "warehouse_id": "WHS-000001"}
    return ("check_reserve", where), ("allocate_stock", where)


def found(events: list[Event], field: str) -> list[Any]:
    return [event.result[field] for event in events if isinstance(event.result, dict) and field in event.result]


@pytest.fixture
def pairs(works: Database) -> Database:
    """A second request each for the pump in the Central Store and for the one that is quoted."""
    works.run("UPDATE purchase_requests SET quantity = 3 WHERE id = 'REQ-000007'")
    works.run("UPDATE purchase_requests SET quantity = 1, item_id = 'ITM-000001' WHERE id = 'REQ-000003'")
    works.run("UPDATE quotations SET amount = 60000, basis = 'competitive', ground = NULL WHERE id = 'QUO-000009'")
    return works


def test_two_looks_before_two_releases_touch_the_reserve(rules: RuleSet, pairs: Database, run: Any) -> None:
    (look, take), (look_again, take_again) = release(2), release(7)
    filed = [file("ALC-000001"), file("ALC-000002")]
    events = run(look, look_again, take, take_again, *filed)
    assert found(events, "releasable") == [True, True]
    assert pairs.query("SELECT quantity < reserve AS touched FROM stock WHERE item_id = 'ITM-000002'")[0]["touched"]
    assert broken(rules, events) == {"release-from-warehouse"}


def test_a_look_between_two_releases_tells_what_is_left(rules: RuleSet, pairs: Database, run: Any) -> None:
    (look, take), (look_again, _) = release(2), release(7)
    assert found(run(look, take, look_again), "releasable") == [True, False]
    pairs.run("UPDATE stock SET reserve = 0")
    assert broken(rules, run(*release(7), file("ALC-000001"), file("ALC-000002"))) == set()


def test_another_item_or_warehouse_needs_no_second_look(rules: RuleSet, pairs: Database, run: Any) -> None:
    pairs.run("UPDATE stock SET reserve = 0, on_hold = 0")
    elsewhere = {"request_id": "REQ-000007", "warehouse_id": "WHS-000002"}
    (look, take), (look_other, take_other) = release(2), release(1)
    looks = [look, look_other, ("check_reserve", elsewhere)]
    takes = [take, take_other, ("allocate_stock", elsewhere)]
    filed = [file(f"ALC-00000{number}") for number in (1, 2, 3)]
    assert broken(rules, run(*looks, *takes, *filed)) == set()


def test_two_checks_before_two_commitments_overdraw_the_budget(rules: RuleSet, run: Any) -> None:
    events = run(FIRST[0], SECOND[0], FIRST[1], SECOND[1])
    assert found(events, "sufficient") == [True, True]
    assert broken(rules, events) == {"budget-check"}


def test_a_check_between_two_commitments_tells_what_is_left(rules: RuleSet, run: Any) -> None:
    events = run(*FIRST, SECOND[0])
    assert found(events, "sufficient") == [True, False]
    assert broken(rules, events) == set()
    assert broken(rules, run(*money(7, "4100", 80_000))) == set()


def test_another_cost_centre_needs_no_second_check(rules: RuleSet, run: Any) -> None:
    other = money(4, "5200", 200_000)
    assert broken(rules, run(FIRST[0], other[0], FIRST[1], other[1])) == set()


def test_two_examinations_before_two_orders_miss_a_split_need(rules: RuleSet, pairs: Database, run: Any) -> None:
    events = run(splitting(1), splitting(9), order(1), order(9))
    assert found(events, "separate_need") == [True, True]
    assert ANEW in broken(rules, events)


def test_an_examination_between_two_orders_sees_the_first(rules: RuleSet, pairs: Database, run: Any) -> None:
    events = run(splitting(1), order(1), splitting(9))
    assert found(events, "separate_need") == [True, False]
    assert ANEW in broken(rules, [*events, *run(order(9))])


def test_orders_for_two_items_are_examined_in_any_order(rules: RuleSet, run: Any) -> None:
    assert ANEW not in broken(rules, run(splitting(1), splitting(3), order(1), order(3)))


@pytest.mark.parametrize(
    "first",
    [("call_off", quotation(12)), ("buy_in_emergency", {**BUY, "request_id": "REQ-000003"})],
    ids=["call-off", "emergency"],
)
def test_orders_without_a_question_count_as_well(rules: RuleSet, run: Any, first: Call) -> None:
    assert ANEW in broken(rules, run(splitting(8), first, order(8)))
    assert ANEW not in broken(rules, run(splitting(1), order(1)))


def test_an_order_of_another_department_is_no_part_of_the_need(rules: RuleSet, run: Any) -> None:
    assert ANEW not in broken(rules, run(splitting(8), ("call_off", quotation(7)), order(8)))


def test_a_check_of_a_small_amount_after_a_commitment_bears_no_large_one(rules: RuleSet, run: Any) -> None:
    small = ("check_budget", {"cost_centre": "4100", "amount": 1})
    assert broken(rules, run(*SECOND[:1], *FIRST, small, SECOND[1])) == {"budget-check"}


@pytest.mark.parametrize(
    ("between", "sufficient"),
    [
        (("change_order", {"order_id": "ORD-000004", "percent": 50}), False),
        (("buy_in_emergency", {**BUY, "request_id": "REQ-000007"}), False),
        (("cancel_order", {"order_id": "ORD-000004", "reason": "no longer needed"}), True),
    ],
)
def test_whatever_changes_what_is_left_calls_for_a_new_check(
    rules: RuleSet, works: Database, run: Any, between: Call, sufficient: bool
) -> None:
    [left] = run(("check_budget", {"cost_centre": "4100", "amount": 1}))
    check, commit = money(1, "4100", left.result["available"])
    start = works.snapshot()
    assert "budget-check" in broken(rules, run(check, between, commit))
    works.restore(start)
    again = run(between, check)
    assert again[-1].result["sufficient"] is sufficient


def test_a_look_for_a_small_request_releases_no_large_one(rules: RuleSet, pairs: Database, run: Any) -> None:
    pairs.run("UPDATE purchase_requests SET quantity = 1, item_id = 'ITM-000002' WHERE id = 'REQ-000004'")
    (look, take), (look_again, take_again), (small, _) = release(2), release(7), release(4)
    filed = [file("ALC-000001"), file("ALC-000002")]
    events = run(look_again, look, take, small, take_again, *filed)
    assert found(events, "releasable") == [True, True, True]
    assert broken(rules, events) == {"release-from-warehouse"}


def test_of_two_matching_invoices_one_is_paid(rules: RuleSet, run: Any) -> None:
    match = [("match_invoice", {"invoice_id": f"INV-00000{number}"}) for number in (1, 2)]
    pay = [("pay_invoice", {"invoice_id": f"INV-00000{number}"}) for number in (1, 2)]
    run(("cancel_order", {"order_id": "ORD-000001", "reason": "no longer needed"}))
    events = run(match[0], screen(4), pay[0], match[1], file("PMT-000001"))
    assert [event.result["matched"] for event in events if event.name == "match_invoice"] == [True, False]
    assert broken(rules, events) == set()
    assert "paid-once" in broken(rules, [*events, *run(pay[1], file("PMT-000002"))])


def test_equipment_is_claimed_for_what_no_warehouse_can_release(rules: RuleSet, works: Database, run: Any) -> None:
    works.run("UPDATE stock SET item_id = 'ITM-000004' WHERE item_id = 'ITM-000002'")
    look, claim = ("inspect_offer", {"offer_id": "OFR-000001"}), ("claim_offer", {"offer_id": "OFR-000001"})
    assert broken(rules, run(stock(3), look, claim, file("CLM-000001"))) == {"stock-before-claim"}
