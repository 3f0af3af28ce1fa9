"""Tools of a museum that lends exhibits, and its policy: prose that no domain of ours has."""

import json
from typing import Any

from lexgym.generators.extraction.toolset import Card, read_tools

FLAG = {"type": "boolean"}
ID = {"type": "string"}
REASONS = ["not insured", "climate not steady", "wanted for an exhibition"]


def tool(name: str, description: str, result: dict[str, Any], **arguments: Any) -> dict[str, Any]:
    properties = {key: {"type": value} if isinstance(value, str) else value for key, value in arguments.items()}
    return {
        "name": name,
        "description": description,
        "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        "result": {"type": "object", "properties": result, "required": list(result)},
    }


TOOLS = [
    tool(
        "lend_exhibit",
        "Lend an exhibit to another museum. The value is in euro cents.",
        {"loan_id": ID, "kind": {"type": "string", "enum": ["painting", "sculpture", "manuscript"]}},
        exhibit_id="string",
        museum_id="string",
        value={"type": "integer", "description": "Insured value in euro cents"},
    ),
    tool("take_back_exhibit", "Take an exhibit back that comes home.", {"exhibit_id": ID}, exhibit_id="string"),
    tool("clean_exhibit", "Clean an exhibit in the workshop.", {"cleaning_id": ID}, exhibit_id="string"),
    tool("photograph_exhibit", "Photograph an exhibit for the catalogue.", {"photo_id": ID}, exhibit_id="string"),
    tool(
        "check_climate",
        "Say whether the rooms of another museum keep temperature and humidity steady. Returns `steady`.",
        {"steady": FLAG},
        museum_id="string",
    ),
    tool(
        "check_insurance",
        "Say whether an exhibit is insured at another museum. Returns `insured`.",
        {"insured": FLAG},
        exhibit_id="string",
        museum_id="string",
    ),
    tool(
        "assess_condition",
        "Assess the condition of an exhibit. Returns `sound`.",
        {"sound": FLAG},
        exhibit_id="string",
    ),
    tool(
        "ask_curator",
        "Ask the curator to approve a loan of this value. Returns `approved`.",
        {"approved": FLAG},
        exhibit_id="string",
        value="integer",
    ),
    tool(
        "unlock_vault",
        "Unlock the vault with a badge. Returns `opened`: false if the badge is refused.",
        {"opened": FLAG},
        guard_id="string",
    ),
    tool(
        "refuse_loan",
        "Put on record that an exhibit is not lent, with the reason.",
        {"refusal_id": ID},
        exhibit_id="string",
        museum_id="string",
        reason={"type": "string", "enum": REASONS},
    ),
    tool(
        "notify_lender",
        "Send the lender of an exhibit a message about a loan or a refusal. Returns `sent`.",
        {"notice_id": ID, "sent": FLAG},
        topic={"type": "string", "enum": ["loan refused", "exhibit returned", "other"]},
        subject={"type": "string", "description": "Id of the thing that it is about"},
    ),
    tool(
        "enter_in_register",
        "Enter a loan, a cleaning or another thing in the register. Returns `entered`.",
        {"entry_id": ID, "entered": FLAG},
        subject={"type": "string", "description": "Id of the thing"},
    ),
]

CLIMATE = "Before an exhibit is lent to a museum, it must be verified that this museum's rooms keep the climate steady."
INSURANCE = "No exhibit may be lent until its insurance at that museum has been established."

POLICY = f"""# Loans policy of the museum

## 1. Before an exhibit leaves

{CLIMATE}
{INSURANCE}
An exhibit worth more than 5,000 euros is lent only after the curator has approved exactly this value (Art. 4).
Manuscripts must never be lent.

## 2. Afterwards

After every loan, enter it in the register under its own number. When an exhibit is taken
back, assess its condition.

The annual dinner must not be cancelled until the mayor has been consulted.
"""


def cards() -> dict[str, Card]:
    return read_tools(json.dumps(TOOLS), "museum.json")
