"""Third-party providers: who they are, what customers let them see, and what is handed over."""

from typing import Literal

from typing_extensions import TypedDict

from lexgym.envs.finance.tools import lookup
from lexgym.envs.finance.tools.types import AccountNumber, ConsentId, CustomerId, Days, ProviderId
from lexgym.errors import Refused
from lexgym.tools.database import Database, Row

DAY = 86_400


class Provider(TypedDict):
    """A third-party provider that has contacted the bank."""

    provider_id: str
    name: str
    country: str


class Providers(TypedDict):
    """The third-party providers known to the bank."""

    providers: list[Provider]


class Consent(TypedDict):
    """What a customer allows a provider, and since when."""

    consent_id: str
    provider_id: str
    provider: str
    granted_on: str
    days: int
    withdrawn: bool


class Consents(TypedDict):
    """The data access that a customer has granted."""

    consents: list[Consent]


class Share(TypedDict):
    """Account data handed to a provider."""

    share_id: str
    provider_id: str
    account: str


class Registration(TypedDict):
    """Whether a provider stands in the public register."""

    registered: bool
    authorisation: Literal["registered", "withdrawn", "unknown"]


class ConsentCheck(TypedDict):
    """Whether a customer's consent to a provider is in force, and why not."""

    valid: bool
    reason: Literal["in force", "never given", "withdrawn", "expired"]


def list_providers(db: Database) -> Providers:
    """List the third-party providers that have contacted the bank: id, name and home country."""
    rows = db.query("SELECT * FROM providers ORDER BY name")
    return {"providers": [{"provider_id": row["id"], "name": row["name"], "country": row["country"]} for row in rows]}


def list_consents(db: Database, *, customer_id: CustomerId) -> Consents:
    """List the data access that a customer has granted: consent id, provider, date, duration, whether withdrawn.

    The duration is in days.
    """
    lookup.customer(db, customer_id)
    rows = db.query("SELECT * FROM consents WHERE customer_id = ? ORDER BY id", customer_id)
    return {"consents": [_consent(db, row) for row in rows]}


def grant_data_access(db: Database, *, customer_id: CustomerId, provider_id: ProviderId, days: Days) -> Consent:
    """Record that a customer lets a third-party provider read the customer's account data for some days from now.

    Replaces an access that has expired or was withdrawn. Returns the access. Refused if the provider is
    unknown or already has access.
    """
    lookup.customer(db, customer_id)
    lookup.provider(db, provider_id)
    row = _find(db, customer_id, provider_id)
    if _state(db, row) == "in force":
        raise Refused("already_granted", f"{provider_id} already has access to the data of {customer_id}")
    if row:
        db.run(
            "UPDATE consents SET days = ?, granted_at = ?, status = 'granted' WHERE id = ?", days, db.clock, row["id"]
        )
    else:
        db.insert(
            "consents",
            id=db.new_id("consents"),
            customer_id=customer_id,
            provider_id=provider_id,
            days=days,
            granted_at=db.clock,
            status="granted",
        )
    [granted] = db.query("SELECT * FROM consents WHERE customer_id = ? AND provider_id = ?", customer_id, provider_id)
    return _consent(db, granted)


def withdraw_data_access(db: Database, *, customer_id: CustomerId, consent_id: ConsentId) -> Consent:
    """End the access that a customer has granted to a third-party provider.

    Returns the access. Refused if it is not one of this customer's, or is not in force.
    """
    row = lookup.consent(db, consent_id, customer_id)
    if _state(db, row) != "in force":
        raise Refused("no_access", f"the access under {consent_id} is not in force")
    db.run("UPDATE consents SET status = 'withdrawn' WHERE id = ?", consent_id)
    return _consent(db, {**row, "status": "withdrawn"})


def share_account_data(
    db: Database, *, customer_id: CustomerId, account: AccountNumber, provider_id: ProviderId
) -> Share:
    """Hand the data of a customer's account to a third-party provider, once.

    Returns the id of the handover. Refused if the account is closed or the provider is unknown.
    """
    lookup.customer(db, customer_id)
    lookup.account(db, account)
    lookup.provider(db, provider_id)
    share_id = db.new_id("data_shares")
    db.insert(
        "data_shares",
        id=share_id,
        customer_id=customer_id,
        account=account,
        provider_id=provider_id,
        shared_at=db.clock,
    )
    return {"share_id": share_id, "provider_id": provider_id, "account": account}


def check_provider(db: Database, *, provider_id: ProviderId) -> Registration:
    """Look a third-party provider up in the public register of payment institutions.

    Returns `registered`, and the authorisation: registered, withdrawn or unknown. Refused if the bank does
    not know the provider.
    """
    row = lookup.provider(db, provider_id)
    return {"registered": row["authorisation"] == "registered", "authorisation": row["authorisation"]}


def check_consent(db: Database, *, customer_id: CustomerId, provider_id: ProviderId) -> ConsentCheck:
    """Say whether a customer's consent to data access by a third-party provider is in force now.

    Returns `valid`, and the reason: in force, never given, withdrawn or expired.
    """
    lookup.customer(db, customer_id)
    lookup.provider(db, provider_id)
    state = _state(db, _find(db, customer_id, provider_id))
    return {"valid": state == "in force", "reason": state}


def _find(db: Database, customer_id: str, provider_id: str) -> Row | None:
    return db.one("SELECT * FROM consents WHERE customer_id = ? AND provider_id = ?", customer_id, provider_id)


def _state(db: Database, row: Row | None) -> Literal["in force", "never given", "withdrawn", "expired"]:
    if row is None:
        return "never given"
    if row["status"] == "withdrawn":
        return "withdrawn"
    return "in force" if db.clock < row["granted_at"] + row["days"] * DAY else "expired"


def _consent(db: Database, row: Row) -> Consent:
    return {
        "consent_id": row["id"],
        "provider_id": row["provider_id"],
        "provider": lookup.provider(db, row["provider_id"])["name"],
        "granted_on": lookup.date(row["granted_at"]),
        "days": row["days"],
        "withdrawn": row["status"] == "withdrawn",
    }
