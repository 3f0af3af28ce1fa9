"""What the parameters of the tools hold: keys of tables, and values with their units and ranges."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lexgym.tools.tool import Pool, Ref

CustomerId: TypeAlias = Annotated[str, Ref("customers.id"), Field(description="Customer id, such as CUS-000001")]
AccountNumber: TypeAlias = Annotated[str, Ref("accounts.number"), Field(description="IBAN of an account at this bank")]
PayeeId: TypeAlias = Annotated[str, Ref("payees.id"), Field(description="Payee id, such as BEN-000001")]
StandingOrderId: TypeAlias = Annotated[
    str, Ref("standing_orders.id"), Field(description="Standing order id, such as STO-000001")
]
PhoneId: TypeAlias = Annotated[
    str, Ref("phones.id"), Field(description="Id of a phone number on file, such as PHN-000001")
]
ConsentId: TypeAlias = Annotated[
    str, Ref("consents.id"), Field(description="Id of a customer's consent to data access, such as CNS-000001")
]
CardId: TypeAlias = Annotated[str, Ref("cards.id"), Field(description="Card id, such as CRD-000001")]
LastFour: TypeAlias = Annotated[
    str, Ref("cards.last_four"), Field(description="Last four digits of a card's number, such as 0417")
]
TransactionId: TypeAlias = Annotated[
    str, Ref("transactions.id"), Field(description="Id of a booked transaction, such as TRX-000001")
]
ProviderId: TypeAlias = Annotated[
    str, Ref("providers.id"), Field(description="Id of a third-party provider, such as TPP-000001")
]

Amount: TypeAlias = Annotated[
    int, Pool("amount"), Field(ge=1, le=10_000_000, description="Amount in euro cents: 2550 is 25.50 EUR")
]
Limit: TypeAlias = Annotated[
    int, Pool("card_limit"), Field(ge=100, le=2_000_000, description="New spending limit per day in euro cents")
]
Reference: TypeAlias = Annotated[
    str, Pool("reference"), Field(min_length=1, max_length=140, description="Text that the payee sees")
]
DayOfMonth: TypeAlias = Annotated[int, Pool("day"), Field(ge=1, le=28, description="Day of the month, 1 to 28")]
Days: TypeAlias = Annotated[
    int, Pool("consent_days"), Field(ge=1, le=180, description="How many days the access lasts, 1 to 180")
]
LastName: TypeAlias = Annotated[
    str, Pool("last_name"), Field(min_length=1, max_length=60, description="Last name, in full; case does not matter")
]
PayeeName: TypeAlias = Annotated[
    str, Pool("payee_name"), Field(min_length=2, max_length=70, description="Name of the person or company to be paid")
]
Iban: TypeAlias = Annotated[
    str,
    Pool("payee_iban"),
    Field(pattern=r"^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$", description="IBAN without spaces"),
]
Email: TypeAlias = Annotated[
    str, Pool("email"), Field(pattern=r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$", max_length=120, description="E-mail address")
]
Phone: TypeAlias = Annotated[
    str, Pool("phone"), Field(pattern=r"^\+[0-9]{8,15}$", description="Phone number with country code, digits only")
]
Subject: TypeAlias = Annotated[
    str,
    Pool("subject"),
    Field(
        pattern=r"^[A-Z]{3}-[0-9]{6}$",
        description="Id of the thing that it is about: a payment, card, dispute, refused order or other row",
    ),
]

BlockReason: TypeAlias = Annotated[
    Literal["lost", "stolen", "suspected misuse"], Field(description="Why the card is blocked")
]
OrderRefusal: TypeAlias = Annotated[
    Literal[
        "no authority over the account",
        "payee name mismatch",
        "agreed limit exceeded",
        "suspected fraud",
        "payer did not approve",
    ],
    Field(description="Why the order is not executed"),
]
StandingOrderRefusal: TypeAlias = Annotated[
    Literal["no authority over the account", "payee name mismatch", "payer did not approve"],
    Field(description="Why the standing order is not set up"),
]
AccessRefusal: TypeAlias = Annotated[
    Literal["third party not registered", "no consent in force", "customer did not log in", "customer did not approve"],
    Field(description="Why access is denied"),
]
ClaimRefusal: TypeAlias = Annotated[
    Literal["time limit passed", "already refunded"], Field(description="Why nothing is refunded")
]
RemoteAction: TypeAlias = Annotated[
    Literal["payee list", "contact details", "card settings", "data access"],
    Field(description="What the customer is about to change"),
]
Topic: TypeAlias = Annotated[
    Literal["card blocked", "order refused", "access denied", "claim refused", "other"],
    Field(description="What the message is about"),
]
Channel: TypeAlias = Annotated[
    Literal["app", "e-mail", "letter"],
    Field(description="How it is sent; the app needs an enrolled device that takes messages, a letter always arrives"),
]
