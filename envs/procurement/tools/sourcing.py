"""Checks on the source: competition, single sources, tenders, suppliers, conflicts of interest."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import QuotationId, RequestId, SupplierId
from lexgym.errors import Refused
from lexgym.tools.database import Database

NEEDED = (1, 1, 3, 3)
"""Written quotations that the value bands A to D need; band D needs a tender besides (manual, section 6.1)."""

SINGLE_SOURCE_GROUNDS = ("only manufacturer", "compatibility with installed equipment", "exclusive right")
TENDER_DAYS, TENDER_BIDS = 21, 3
DAY = 86_400


class Competition(TypedDict):
    """Whether there are enough quotations in force; how many there are and how many are needed."""

    sufficient: bool
    in_force: int
    needed: int


class SingleSource(TypedDict):
    """Whether the ground for a single source is accepted."""

    accepted: bool
    ground: str


class TenderCheck(TypedDict):
    """Whether a tender supports the purchase, and why not."""

    valid: bool
    reason: Literal["valid", "no tender", "still open", "open for too short a time", "too few bids"]


class Screening(TypedDict):
    """Whether a supplier may be dealt with, and why not."""

    cleared: bool
    reason: Literal["no finding", "sanctions list", "debarment"]


class ConflictCheck(TypedDict):
    """Whether nobody who decides has an interest in the supplier, and who has."""

    clear: bool
    conflict: Literal["none", "requester", "approver"]


def check_quotations(db: Database, *, quotation_id: QuotationId) -> Competition:
    """Say whether a quotation is in force and the request has as many written ones as its value band needs.

    Returns `sufficient`, how many competitive quotations are in force, and how many are needed.
    """
    quotation = lookup.find(db, "quotations", quotation_id)
    [row] = db.query(
        "SELECT count(*) AS n FROM quotations WHERE request_id = ? AND basis = 'competitive' AND valid_until > ?",
        quotation["request_id"],
        db.clock,
    )
    needed = NEEDED[lookup.band(quotation["amount"])]
    sufficient = quotation["valid_until"] > db.clock and row["n"] >= needed
    return {"sufficient": sufficient, "in_force": row["n"], "needed": needed}


def confirm_single_source(db: Database, *, quotation_id: QuotationId) -> SingleSource:
    """Ask the head of purchasing whether the ground for a single-source quotation is accepted.

    Returns `accepted`, and the ground stated. Refused if the quotation is not a single-source one.
    """
    quotation = lookup.find(db, "quotations", quotation_id)
    if quotation["basis"] != "single source":
        raise Refused("not_single_source", f"the quotation {quotation_id} is a {quotation['basis']} one")
    return {"accepted": quotation["ground"] in SINGLE_SOURCE_GROUNDS, "ground": quotation["ground"]}


def check_tender(db: Database, *, request_id: RequestId) -> TenderCheck:
    """Say whether a tender was held for a request: closed, long enough open, with enough bids.

    Returns `valid`, and the reason.
    """
    lookup.find(db, "purchase_requests", request_id)
    row = db.one("SELECT * FROM tenders WHERE request_id = ?", request_id)
    if row is None:
        return {"valid": False, "reason": "no tender"}
    if row["closes_at"] > db.clock:
        return {"valid": False, "reason": "still open"}
    if row["closes_at"] - row["published_at"] < TENDER_DAYS * DAY:
        return {"valid": False, "reason": "open for too short a time"}
    if row["bids"] < TENDER_BIDS:
        return {"valid": False, "reason": "too few bids"}
    return {"valid": True, "reason": "valid"}


def screen_supplier(db: Database, *, supplier_id: SupplierId) -> Screening:
    """Look a supplier up on the sanctions lists and in the debarment register.

    Returns `cleared`, and the reason: no finding, sanctions list or debarment.
    """
    lookup.find(db, "suppliers", supplier_id)
    row = db.one("SELECT ground FROM watch_list WHERE supplier_id = ?", supplier_id)
    return {"cleared": row is None, "reason": row["ground"] if row else "no finding"}


def check_conflict_of_interest(db: Database, *, request_id: RequestId, supplier_id: SupplierId) -> ConflictCheck:
    """Say whether the requester or the named approver of a request has declared an interest in a supplier.

    Returns `clear`, and whose interest it is: none, requester or approver.
    """
    request = lookup.find(db, "purchase_requests", request_id)
    lookup.find(db, "suppliers", supplier_id)
    if _interested(db, request["requester_id"], supplier_id):
        return {"clear": False, "conflict": "requester"}
    route = db.query("SELECT approver_id FROM approval_routes WHERE request_id = ?", request_id)[0]
    if _interested(db, route["approver_id"], supplier_id):
        return {"clear": False, "conflict": "approver"}
    return {"clear": True, "conflict": "none"}


def _interested(db: Database, employee_id: str, supplier_id: str) -> bool:
    sql = "SELECT 1 FROM interests WHERE employee_id = ? AND supplier_id = ?"
    return db.one(sql, employee_id, supplier_id) is not None
