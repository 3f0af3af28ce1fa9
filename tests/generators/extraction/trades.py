"""Tools of a hotel, a library and a laboratory: three trades that no domain of ours has."""

import json

from lexgym.generators.extraction.toolset import Card, read_tools

from .museum import FLAG, ID, tool

HOTEL = [
    tool(
        "check_in_guest",
        "Check a guest in and hand over the key of a room.",
        {"stay_id": ID, "room_kind": {"type": "string", "enum": ["single", "suite", "dormitory"]}},
        guest_id="string",
        room_id="string",
    ),
    tool("check_out_guest", "Check a guest out of a room.", {"bill_id": ID}, guest_id="string", room_id="string"),
    tool(
        "refund_deposit",
        "Refund a guest's deposit. The amount is in euro cents.",
        {"refund_id": ID},
        guest_id="string",
        amount={"type": "integer", "description": "Amount in euro cents"},
    ),
    tool("clean_room", "Clean a room.", {"cleaning_id": ID}, room_id="string"),
    tool("inspect_room", "Inspect a room for damage. Returns `intact`.", {"intact": FLAG}, room_id="string"),
    tool("air_room", "Air a room: open its windows for an hour.", {"aired": FLAG}, room_id="string"),
    tool(
        "verify_passport",
        "Say whether a guest's passport is valid. Returns `valid`.",
        {"valid": FLAG},
        guest_id="string",
    ),
    tool(
        "charge_card",
        "Charge a guest's credit card with the deposit. Returns `charged`.",
        {"charged": FLAG},
        guest_id="string",
    ),
    tool(
        "ask_manager",
        "Ask the manager to approve a refund of this amount. Returns `approved`.",
        {"approved": FLAG},
        guest_id="string",
        amount="integer",
    ),
    tool(
        "write_in_log",
        "Write an inspection, a refund or another thing into the log. Returns `entered`.",
        {"entry_id": ID, "entered": FLAG},
        subject={"type": "string", "description": "Id of the thing"},
    ),
]

LIBRARY = [
    tool(
        "lend_book",
        "Lend a book to a reader.",
        {"loan_id": ID, "kind": {"type": "string", "enum": ["novel", "atlas", "manuscript"]}},
        book_id="string",
        reader_id="string",
    ),
    tool("renew_loan", "Renew the loan of a book.", {"renewal_id": ID}, book_id="string", reader_id="string"),
    tool("shelve_book", "Shelve a book that came back.", {"shelf": ID}, book_id="string"),
    tool("take_back_book", "Take a book back that is returned.", {"return_id": ID}, book_id="string"),
    tool(
        "check_card",
        "Say whether a reader's library card is valid. Returns `valid`.",
        {"valid": FLAG},
        reader_id="string",
    ),
    tool("check_fines", "Say whether a reader has paid all fines. Returns `paid`.", {"paid": FLAG}, reader_id="string"),
    tool("disinfect_book", "Disinfect a book.", {"done": FLAG}, book_id="string"),
]

LABORATORY = [
    tool(
        "start_centrifuge",
        "Start a centrifuge. The speed is in revolutions a minute.",
        {"run_id": ID},
        centrifuge_id="string",
        operator_id="string",
    ),
    tool("discard_sample", "Discard a sample for good.", {"disposal_id": ID}, sample_id="string"),
    tool("release_sample", "Release a sample to another laboratory.", {"release_id": ID}, sample_id="string"),
    tool(
        "check_balance",
        "Say whether the rotor of a centrifuge is balanced. Returns `balanced`.",
        {"balanced": FLAG},
        centrifuge_id="string",
    ),
    tool(
        "check_lid",
        "Say whether the lid of a centrifuge is locked. Returns `locked`.",
        {"locked": FLAG},
        centrifuge_id="string",
    ),
    tool(
        "verify_training",
        "Say whether an operator's safety training is up to date. Returns `trained`.",
        {"trained": FLAG},
        operator_id="string",
    ),
    tool(
        "verify_label",
        "Say whether the label of a sample is legible. Returns `legible`.",
        {"legible": FLAG},
        sample_id="string",
    ),
    tool("sterilise_centrifuge", "Sterilise a centrifuge.", {"sterile": FLAG}, centrifuge_id="string"),
]


def hotel() -> dict[str, Card]:
    return read_tools(json.dumps(HOTEL), "hotel.json")


def library() -> dict[str, Card]:
    return read_tools(json.dumps(LIBRARY), "library.json")


def laboratory() -> dict[str, Card]:
    return read_tools(json.dumps(LABORATORY), "laboratory.json")
