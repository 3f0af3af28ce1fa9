"""Duties that several sentences, a list or a table state together, in the prose of three trades."""

from collections.abc import Callable

import pytest

from lexgym.generators.extraction.document import sentences
from lexgym.generators.extraction.exemptions import exemption
from lexgym.generators.extraction.grammar_route import read_offline
from lexgym.generators.extraction.toolset import Card, signature_of
from lexgym.oracles.ltlf import compile_rule

from .trades import hotel, laboratory, library


def kept(text: str, tools: Callable[[], dict[str, Card]]) -> list[str]:
    cards = tools()
    found = [candidate for candidate in read_offline(text, cards) if candidate.kept]
    for candidate in found:
        compile_rule(candidate.formula, signature_of(cards))
    return [candidate.formula for candidate in found]


PASSPORT = "forall g. (!check_in_guest[guest_id = g]) W verify_passport[guest_id = g, result.valid]"
CARD = "forall g. (!check_in_guest[guest_id = g]) W charge_card[guest_id = g, result.charged]"
EITHER = (
    "forall g. (!check_in_guest[guest_id = g]) "
    "W (verify_passport[guest_id = g, result.valid] | charge_card[guest_id = g, result.charged])"
)
FINES = "forall r. (!lend_book[reader_id = r]) W check_fines[reader_id = r, result.paid]"
VALID = "forall r. (!lend_book[reader_id = r]) W check_card[reader_id = r, result.valid]"


@pytest.mark.parametrize(
    ("text", "tools", "formula"),
    [
        (
            "Before a deposit is refunded, the manager must approve the amount. This does not apply to refunds of up "
            "to 30 euros.",
            hotel,
            "forall g, a. (!refund_deposit[guest_id = g, amount = a, amount > 3000]) "
            "W ask_manager[guest_id = g, amount = a, result.approved]",
        ),
        (
            "Before a guest is checked in, the credit card must be charged. The charge may be omitted for dormitories.",
            hotel,
            'forall g. (!check_in_guest[guest_id = g, !(result.room_kind = "dormitory")]) '
            "W charge_card[guest_id = g, result.charged]",
        ),
        (
            "Before a book is lent or renewed, the reader's card must be checked. Renewals are exempt.",
            library,
            VALID,
        ),
        (
            "No book may be lent until all fines were paid. Manuscripts are exempt from this.",
            library,
            'forall r. (!lend_book[reader_id = r, !(result.kind = "manuscript")]) '
            "W check_fines[reader_id = r, result.paid]",
        ),
        (
            "Before a sample is released or discarded, verify its label. No verification is required for discarding.",
            laboratory,
            "forall s. (!release_sample[sample_id = s]) W verify_label[sample_id = s, result.legible]",
        ),
    ],
)
def test_an_exemption_in_a_sentence_of_its_own(text: str, tools: Callable[[], dict[str, Card]], formula: str) -> None:
    assert kept(text, tools) == [formula]


def test_an_exemption_from_a_paragraph_changes_only_that_paragraph() -> None:
    text = (
        "(1) Before a guest is checked in, the passport must be verified.\n\n"
        "(2) Before a guest is checked in, the credit card must be charged.\n\nParagraph 2 does not apply to suites."
    )
    assert kept(text, hotel) == [
        PASSPORT,
        'forall g. (!check_in_guest[guest_id = g, !(result.room_kind = "suite")]) '
        "W charge_card[guest_id = g, result.charged]",
    ]


def test_an_exemption_that_no_tool_shows_is_said() -> None:
    text = "Before lending a book, check that the card is valid. This does not apply where the mayor is the reader."
    (candidate,) = read_offline(text, library())
    assert (candidate.kept, candidate.formula) == (True, VALID)
    assert candidate.why == "no tool shows the exemption 'the mayor is the reader'"


@pytest.mark.parametrize(
    "sentence",
    [
        "That novels are not needed for a course says nothing about fines.",
        "Readers pay their fines.",
        "The card is needed until it expires, and it needs no stamp.",
        "This needs no check.",
    ],
)
def test_other_sentences_are_no_exemptions(sentence: str) -> None:
    assert exemption(sentence) is None


@pytest.mark.parametrize(
    ("text", "tools", "formulas"),
    [
        (
            "After a guest is checked out, the room must be inspected. It must then be cleaned.",
            hotel,
            [
                "forall r. G(check_out_guest[room_id = r] -> F inspect_room[room_id = r])",
                "forall r. G(check_out_guest[room_id = r] -> F clean_room[room_id = r])",
            ],
        ),
        (
            "After a guest is checked out, inspect the room. It must also be aired.",
            hotel,
            [
                "forall r. G(check_out_guest[room_id = r] -> F inspect_room[room_id = r])",
                "forall r. G(check_out_guest[room_id = r] -> F air_room[room_id = r, result.aired])",
            ],
        ),
        (
            "Before a guest is checked in, the passport must be verified. The result must be written in the log.",
            hotel,
            [
                PASSPORT,
                "forall s. G(verify_passport[guest_id = s] -> F write_in_log[subject = s, result.entered])",
            ],
        ),
        (
            "After a book is taken back, disinfect it. Then it must be shelved.",
            library,
            [
                "forall b. G(take_back_book[book_id = b] -> F disinfect_book[book_id = b, result.done])",
                "forall b. G(take_back_book[book_id = b] -> F shelve_book[book_id = b])",
            ],
        ),
        (
            "A guest may ask for a refund. Such a refund must be approved by the manager before the deposit is "
            "refunded.",
            hotel,
            [
                "forall g, a. (!refund_deposit[guest_id = g, amount = a]) "
                "W ask_manager[guest_id = g, amount = a, result.approved]"
            ],
        ),
        (
            "Before the centrifuge is started, the balance must be checked. Moreover, the lid must be locked.",
            laboratory,
            [
                "forall c. (!start_centrifuge[centrifuge_id = c]) W check_balance[centrifuge_id = c, result.balanced]",
                "forall c. (!start_centrifuge[centrifuge_id = c]) W check_lid[centrifuge_id = c, result.locked]",
            ],
        ),
    ],
)
def test_a_sentence_that_refers_back(text: str, tools: Callable[[], dict[str, Card]], formulas: list[str]) -> None:
    assert kept(text, tools) == formulas


def test_a_reference_reaches_no_further_than_its_section() -> None:
    text = "## 1. Out\n\nAfter a guest is checked out, inspect the room.\n\n## 2. Other\n\nIt must then be cleaned."
    assert len(kept(text, hotel)) == 1


@pytest.mark.parametrize(
    ("text", "tools", "formulas"),
    [
        (
            "A guest may be checked in only if: (a) the passport is valid; and (b) the credit card was charged.",
            hotel,
            [PASSPORT, CARD],
        ),
        (
            "A book may be lent only if (a) the reader's card is valid, and (b) the reader has paid all fines.",
            library,
            [VALID, FINES],
        ),
        (
            "A guest may be checked in only if one of the following holds:\n\n- the passport was verified;\n"
            "- the credit card was charged.",
            hotel,
            [EITHER],
        ),
        (
            "A guest may be checked in only if\n\n- the passport was verified; or\n- the credit card was charged.",
            hotel,
            [EITHER],
        ),
        (
            "A guest may be checked in only if (a) the passport was verified, or (b) the credit card was charged.",
            hotel,
            [EITHER],
        ),
        (
            "A guest may be checked in only after the passport was verified and the credit card was charged.",
            hotel,
            [PASSPORT, CARD],
        ),
        (
            "A book is lent only if the reader's card is valid or the fines are paid.",
            library,
            [
                "forall r. (!lend_book[reader_id = r]) "
                "W (check_card[reader_id = r, result.valid] | check_fines[reader_id = r, result.paid])"
            ],
        ),
        (
            "A centrifuge must not be started unless: (a) the rotor is balanced; (b) the lid is locked; "
            "(c) the operator's training is up to date.",
            laboratory,
            [
                "forall c. (!start_centrifuge[centrifuge_id = c]) W check_balance[centrifuge_id = c, result.balanced]",
                "forall c. (!start_centrifuge[centrifuge_id = c]) W check_lid[centrifuge_id = c, result.locked]",
                "forall o. (!start_centrifuge[operator_id = o]) W verify_training[operator_id = o, result.trained]",
            ],
        ),
    ],
)
def test_a_list_of_conditions(text: str, tools: Callable[[], dict[str, Card]], formulas: list[str]) -> None:
    assert kept(text, tools) == formulas


HOTEL_TABLE = """| Act | Required before | Afterwards | Limit |
|---|---|---|---|
| Check in a guest | verify the passport; charge the card | – | – |
| **Check out a guest** | – | inspect the room, then clean the room | – |
| Refund a deposit | none | write it in the log | at most 2 |
"""


def test_a_table_of_duties() -> None:
    assert kept(HOTEL_TABLE, hotel) == [
        PASSPORT,
        CARD,
        "forall r. G(check_out_guest[room_id = r] -> F inspect_room[room_id = r])",
        "forall r. G(check_out_guest[room_id = r] -> F clean_room[room_id = r])",
        "forall s. G(refund_deposit[result.refund_id = s] -> F write_in_log[subject = s, result.entered])",
        "forall g. absence(3, refund_deposit[guest_id = g])",
    ]


def test_a_row_knows_its_line_and_reads_as_a_sentence() -> None:
    found = sentences(f"## 4. Overview\n\nAs follows.\n\n{HOTEL_TABLE}\nThe end.")
    assert [(s.line, s.text, s.citation) for s in found][1:3] == [
        (7, "Before check in a guest: verify the passport", "4"),
        (7, "Before check in a guest: charge the card", "4"),
    ]
    assert (found[-1].text, [s.number for s in found]) == ("The end.", list(range(1, len(found) + 1)))


@pytest.mark.parametrize(
    "table",
    [
        "| Term | Meaning |\n|---|---|\n| Guest | Whoever stays before paying |",
        "| Act | Section |\n|---|---|\n| Check in a guest | 4 |",
        "| Required before | Afterwards |\n|---|---|\n| verify the passport | clean the room |",
        "| Act | Required before |\n| Check in a guest | verify the passport |",
        "| Act | Required before |\n|---|---|",
        "|",
    ],
)
def test_other_tables_state_no_duties(table: str) -> None:
    assert sentences(f"A text.\n\n{table}\n\nAnother.")[1].text == "Another."
