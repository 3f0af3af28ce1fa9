"""Payment cards: blocking, unblocking, limits."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import BlockReason, CardId, CustomerId, LastFour, Limit
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row


class Card(TypedDict):
    """A card; the limit per day in cents, the reason of the block or null."""

    card_id: str
    account: str
    kind: Literal["debit", "credit"]
    last_four: str
    limit: int
    status: Literal["active", "blocked"]
    block_reason: str | None


class Cards(TypedDict):
    """The cards of a customer."""

    cards: list[Card]


def list_cards(db: Database, *, customer_id: CustomerId) -> Cards:
    """List a customer's cards: id, account, kind, last four digits, limit per day in cents, status, block reason."""
    lookup.customer(db, customer_id)
    return {
        "cards": [_card(row) for row in db.query("SELECT * FROM cards WHERE customer_id = ? ORDER BY id", customer_id)]
    }


def block_card(db: Database, *, customer_id: CustomerId, last_four: LastFour, reason: BlockReason) -> Card:
    """Block a customer's card, so that it can no longer be used; the end of its number is enough to find it.

    Returns the card with its id. Refused if the customer has no such card or it is already blocked.
    """
    row = lookup.card_ending(db, last_four, customer_id)
    if row["status"] == "blocked":
        raise Refused("already_blocked", f"the card {row['id']} is already blocked ({row['block_reason']})")
    db.run("UPDATE cards SET status = 'blocked', block_reason = ? WHERE id = ?", reason, row["id"])
    return _card({**row, "status": "blocked", "block_reason": reason})


def unblock_card(db: Database, *, customer_id: CustomerId, card_id: CardId) -> Card:
    """Lift the block of a customer's card.

    Returns the card. Refused if the card is not this customer's, is not blocked, or was reported stolen.
    """
    row = lookup.card(db, card_id, customer_id)
    if row["status"] != "blocked":
        raise Refused("not_blocked", f"the card {card_id} is not blocked")
    if row["block_reason"] == "stolen":
        raise Refused("must_be_replaced", f"the card {card_id} was reported stolen and can only be replaced")
    db.run("UPDATE cards SET status = 'active', block_reason = NULL WHERE id = ?", card_id)
    return _card({**row, "status": "active", "block_reason": None})


def change_card_limit(db: Database, *, customer_id: CustomerId, card_id: CardId, limit: Limit) -> Card:
    """Set the amount in cents that may be spent with a customer's card per day.

    Returns the card. Refused if the card is not this customer's, is blocked, or already has that limit.
    """
    row = lookup.card(db, card_id, customer_id)
    if row["status"] == "blocked":
        raise Refused("card_blocked", f"the card {card_id} is blocked")
    if row["limit_cents"] == limit:
        raise Refused("unchanged", f"the card {card_id} already has this limit")
    db.run("UPDATE cards SET limit_cents = ? WHERE id = ?", limit, card_id)
    return _card({**row, "limit_cents": limit})


def _card(row: Row) -> Card:
    return {
        "card_id": row["id"],
        "account": row["account"],
        "kind": row["kind"],
        "last_four": row["last_four"],
        "limit": row["limit_cents"],
        "status": row["status"],
        "block_reason": row["block_reason"],
    }
