"""Requests that follow from one another, requests that exclude one another, and whether their order matters."""

import dataclasses
import random
from collections.abc import Iterator
from typing import Any

import pytest

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import GenerationError
from lexgym.generators import scenarios
from lexgym.generators.changes import ended, named, rows
from lexgym.generators.fuzzer import Fuzzer
from lexgym.generators.scenarios import generate, order_matters
from lexgym.generators.sequels import Sequels, in_order, orderings
from lexgym.generators.targets import rotate, targets_of
from lexgym.registration import scenario


def done(name: str, result: dict[str, Any], **arguments: Any) -> Event:
    return Event.ok(ToolCall(name, arguments), result)


SENT = {"record_id": "REC-1", "recipient_id": "ORG-1", "patient_id": "PAT-1", "authorized": True}
SENT |= {"disclosure_id": "DIS-1", "category": "billing statements", "purpose": "treatment"}
SEND = done("disclose_record", SENT, user_id="USR-1", patient_id="PAT-1", request_id="REQ-1", channel="postal delivery")


@pytest.mark.parametrize(("recipient", "ordered"), [("ORG-1", True), ("ORG-2", False)])
def test_a_restriction_is_in_an_order_with_a_disclosure_to_the_same_organization(recipient: str, ordered: bool) -> None:
    agree = done("agree_restriction", {}, user_id="USR-1", patient_id="PAT-1", recipient_id=recipient)
    assert in_order("health", SEND, agree) is ordered
    assert in_order("health", agree, SEND) is ordered


def test_acts_that_need_the_same_check_are_in_no_order() -> None:
    copy = {"user_id": "USR-1", "patient_id": "PAT-1", "record_id": "REC-1", "form": "a paper copy"}
    again = done("give_patient_copy", {"copy_id": "CPY-1", "category": "billing statements"}, **copy)
    assert not in_order("health", SEND, again)


def fuzzed(domain: Domain, count: int) -> Iterator[Fuzzer]:
    for seed in range(count):
        fuzzer = Fuzzer(domain, seed)
        try:
            fuzzer.trace(3)
        except GenerationError:
            continue
        yield fuzzer


@pytest.mark.parametrize("name", domain_names())
def test_no_request_is_about_what_another_one_ends(name: str) -> None:
    domain, closed = load_domain(name), 0
    for fuzzer in fuzzed(domain, 8):
        db = domain.database(fuzzer.seed)
        asked = [call for call, _ in fuzzer.requests]
        gone = [set[Any]() for _ in asked]
        for event in fuzzer.events:
            before = rows(domain, db)
            domain.tools.execute(db, event.call, step=0)
            if event.call in asked:
                gone[asked.index(event.call)] |= ended(before, rows(domain, db))
        for place, call in enumerate(asked):
            others = set().union(*(keys for other, keys in enumerate(gone) if other != place))
            assert not named(call) & others
        closed += sum(map(len, gone))
    assert closed > 0


def test_nobody_for_whom_something_is_done_loses_the_account() -> None:
    domain = load_domain("health")
    for seed in range(12):
        fuzzer = Fuzzer(domain, seed)
        close = [row["id"] for row in fuzzer.db.query("SELECT id FROM users WHERE last_day IS NOT NULL ORDER BY id")]
        if not close:
            continue
        boss = fuzzer.db.query("SELECT id FROM users WHERE last_day IS NULL ORDER BY id")[0]["id"]
        first = ToolCall("close_account", {"user_id": boss, "member_id": close[0]})
        if fuzzer._extend(first, refuse=False):
            visit = ToolCall(
                "change_mailing_address", {"user_id": close[0], "patient_id": fuzzer.focus, "address": "A 1"}
            )
            assert fuzzer._changed(visit) is None
            assert fuzzer.pruned["contradicts"] == 1
            return
    raise AssertionError("no account could be closed")


def test_requests_whose_order_matters_are_told_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    domain, found = load_domain("iot"), []
    for answer in (True, False):
        monkeypatch.setattr(scenarios, "order_matters", lambda fuzzer, answer=answer: answer)
        found.append([generate(domain, 4, goals=3).instruction("goal")])
    assert found[0] != found[1]


def test_in_every_other_order_free_requests_lead_to_the_same_end() -> None:
    domain, known = load_domain("health"), {True: 0, False: 0}
    for fuzzer in fuzzed(domain, 12):
        known[order_matters(fuzzer)] += 1
        assert fuzzer.again(fuzzer.requests) is not None
    assert known[True] > 0
    assert known[False] > known[True]


def test_a_lookup_that_is_wanted_is_made() -> None:
    found = scenario("procurement", next(_seeds_for("procurement", "get_department")))
    assert "get_department" in {step.name for step in found.reference}


def _seeds_for(name: str, tool: str) -> Iterator[int]:
    """Yield the seeds of which a tool is the first target and nothing is refused."""
    domain = load_domain(name)
    targets = targets_of(domain)
    for seed in range(1000):
        declined, share = int(seed * scenarios.REFUSALS), scenarios.REFUSALS
        if int((seed + 1) * share) == declined and rotate(targets, seed - declined)[0].tool == tool:
            yield seed


def test_a_request_and_the_wish_to_decline_it_exclude_one_another() -> None:
    domain = load_domain("finance")
    fuzzer = Fuzzer(domain, 3)
    about = {"customer_id": fuzzer.focus, "provider_id": "TPP-000001"}
    grant = ToolCall("grant_data_access", {**about, "days": 30})
    no = ToolCall("decline_data_access", {**about, "reason": "no consent in force"})
    for_another_reason = ToolCall(no.name, {**about, "reason": "customer did not approve"})
    of_another = ToolCall(no.name, {**no.arguments, "provider_id": "TPP-000002"})
    for first, second in ((grant, no), (no, grant), (no, for_another_reason)):
        fuzzer._node = dataclasses.replace(fuzzer._node, matters=fuzzer._matters(first))
        assert fuzzer._both_ways(second)
        assert not fuzzer._both_ways(of_another)


def test_nothing_is_asked_for_twice_in_the_same_words() -> None:
    domain = load_domain("finance")
    fuzzer = Fuzzer(domain, 3)
    [account] = fuzzer.db.query("SELECT number FROM accounts WHERE customer_id = ? LIMIT 1", fuzzer.focus)
    about = {"customer_id": fuzzer.focus, "account": account["number"], "provider_id": "TPP-000001"}
    share = ToolCall("share_account_data", about)
    assert fuzzer._changed(share)
    fuzzer._node = dataclasses.replace(fuzzer._node, requests=((share, False),))
    assert fuzzer._changed(share) is None
    assert fuzzer._changed(ToolCall(share.name, {**about, "provider_id": "TPP-000002"}))


def test_nobody_complains_of_a_booking_that_the_same_ticket_asks_for() -> None:
    domain, tried = load_domain("finance"), 0
    for seed in range(4):
        fuzzer = Fuzzer(domain, seed)
        old = fuzzer.db.query(
            "SELECT t.id, t.account FROM transactions t JOIN accounts a ON a.number = t.account WHERE t.amount < 0 "
            "AND a.customer_id = ? AND a.status = 'open' AND t.id NOT IN (SELECT transaction_id FROM disputes)",
            fuzzer.focus,
        )
        [payee] = fuzzer.db.query("SELECT id FROM payees WHERE customer_id = ? LIMIT 1", fuzzer.focus) or [{"id": ""}]
        if not old or not payee["id"]:
            continue
        order = {"customer_id": fuzzer.focus, "account": old[0]["account"], "payee_id": payee["id"], "amount": 1}
        pay = ToolCall("initiate_payment", {**order, "reference": "Gas"})
        paid = domain.tools.execute(fuzzer.db, pay, step=1)
        fuzzer._node = dataclasses.replace(fuzzer._node, rows=rows(domain, fuzzer.db), requests=((pay, False),))
        about = {"customer_id": fuzzer.focus, "transaction_id": old[0]["id"]}
        report = ToolCall("report_unauthorised_transaction", about)
        assert fuzzer._changed(report)
        new = {**about, "transaction_id": paid.result["transaction_id"]}
        assert fuzzer._probe(ToolCall(report.name, new)).status is Status.OK
        assert fuzzer._changed(ToolCall(report.name, new)) is None
        tried += 1
    assert tried > 0


def test_rules_that_mind_the_order_of_two_acts() -> None:
    found = dict(orderings(load_domain("health")))
    assert set(found["after-revocation"]) == {"disclose_record", "revoke_authorization"}
    assert set(found["restriction-from-now-on"]) == {"disclose_record", "agree_restriction"}
    assert "requester-verification" not in found
    assert "audit-trail" not in found


def test_what_follows_from_a_disclosure() -> None:
    domain, found = load_domain("health"), 0
    sequels = Sequels(domain, random.Random(1))
    for seed in range(8):
        db = domain.database(seed)
        for request in db.query(
            "SELECT * FROM release_requests WHERE status = 'open' AND purpose = 'treatment' LIMIT 6"
        ):
            about = {"patient_id": request["patient_id"], "request_id": request["id"], "channel": "postal delivery"}
            call = ToolCall("disclose_record", {"user_id": "USR-000001", **about})
            db.begin()
            sent = domain.tools.execute(db, call, step=1)
            for after in sequels.calls(db, request["patient_id"], sent, "restriction-from-now-on"):
                assert (after.name, after.arguments["recipient_id"]) == ("agree_restriction", request["recipient_id"])
                found += 1
            db.rollback()
    assert found > 0
