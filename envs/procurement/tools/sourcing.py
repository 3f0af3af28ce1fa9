"""Checks on the source: competition, single sources, tenders, suppliers, conflicts of interest."""

from typing import Literal, TypeAlias

from typing_extensions import TypedDict

from lexgym.envs.procurement.tools import lookup
from lexgym.envs.procurement.tools.types import QuotationId, RequestId, SupplierId
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

NEEDED = (0, 1, 3, 0)
"""Written quotations that the value bands A to D need; band D needs a tender instead (manual, section 6.1)."""

SINGLE_SOURCE_GROUNDS = ("only manufacturer", "compatibility with installed equipment", "exclusive right")
TENDER_DAYS, TENDER_BIDS = 21, 3
DAY = 86_400


TenderState: TypeAlias = Literal[
    "valid", "not needed", "no tender", "still open", "open for too short a time", "too few bids"
]


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
    """Whether a tender supports the purchase where one is needed, and why not."""

    valid: bool
    reason: TenderState


class Screening(TypedDict):
    """Whether a supplier may be dealt with, and why not."""

    cleared: bool
    reason: Literal["no finding", "sanctions list", "debarment"]


class ConflictCheck(TypedDict):
    """Whether nobody who decides has an interest in the supplier, and who has."""

    clear: bool
    conflict: Literal["none", "requester", "approver"]


def check_quotations(db: Database, *, quotation_id: QuotationId) -> Competition:
    """Say whether a competitive quotation is in force and has as many rivals as its value band needs.

    Nothing is needed in bands A and D, or of other quotations. Returns `sufficient`, how many competitive
    quotations are in force for the request, and how many are needed.
    """
    quotation = lookup.find(db, "quotations", quotation_id)
    [row] = db.query(
        "SELECT count(*) AS n FROM quotations WHERE request_id = ? AND basis = 'competitive' AND valid_until > ?",
        quotation["request_id"],
        db.clock,
    )
    needed = NEEDED[lookup.band(quotation["amount"])] if quotation["basis"] == "competitive" else 0
    sufficient = not needed or (quotation["valid_until"] > db.clock and row["n"] >= needed)
    return {"sufficient": sufficient, "in_force": row["n"], "needed": needed}


def confirm_single_source(db: Database, *, quotation_id: QuotationId) -> SingleSource:
    """Ask the head of purchasing whether the ground for a single-source quotation is accepted.

    In band A every ground is. Returns `accepted`, and the ground stated. Refused if the quotation is not a
    single-source one.
    """
    quotation = lookup.find(db, "quotations", quotation_id)
    if quotation["basis"] != "single source":
        raise Refused("not_single_source", f"the quotation {quotation_id} is a {quotation['basis']} one")
    accepted = quotation["ground"] in SINGLE_SOURCE_GROUNDS or lookup.band(quotation["amount"]) == 0
    return {"accepted": accepted, "ground": quotation["ground"]}


def check_tender(db: Database, *, quotation_id: QuotationId) -> TenderCheck:
    """Say whether a quotation rests on a tender that is closed, was open for long enough and drew enough bids.

    Only competitive quotations in band D need one. Returns `valid`, and the reason: valid, not needed, no
    tender, still open, open for too short a time or too few bids.
    """
    quotation = lookup.find(db, "quotations", quotation_id)
    if quotation["basis"] != "competitive" or lookup.band(quotation["amount"]) < len(lookup.BANDS):
        return {"valid": True, "reason": "not needed"}
    row = db.one("SELECT * FROM tenders WHERE request_id = ?", quotation["request_id"])
    reason: TenderState = _tender(row, db.clock) if row else "no tender"
    return {"valid": reason == "valid", "reason": reason}


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


def _tender(row: Row, clock: int) -> TenderState:
    if row["closes_at"] > clock:
        return "still open"
    if row["closes_at"] - row["published_at"] < TENDER_DAYS * DAY:
        return "open for too short a time"
    return "too few bids" if row["bids"] < TENDER_BIDS else "valid"


def _interested(db: Database, employee_id: str, supplier_id: str) -> bool:
    sql = "SELECT 1 FROM interests WHERE employee_id = ? AND supplier_id = ?"
    return db.one(sql, employee_id, supplier_id) is not None
