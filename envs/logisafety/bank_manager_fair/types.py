"""What the arguments of the bank's tools hold."""

from typing import Annotated, TypeAlias

from pydantic import Field

from lexgym.tools.tool import Ref

AccountNumber: TypeAlias = Annotated[
    str, Ref("accounts.account_number"), Field(description="Number of one of the customer's accounts: XXX-XXXX-XXXX")
]
PayeeId: TypeAlias = Annotated[str, Ref("payees.payee_id"), Field(description="Id of a payee: P-XXXXXX")]
AccountType: TypeAlias = Annotated[
    str,
    Field(
        description="Kind of account: checking, savings, mortgage, credit_card, mutual fund TFSA, "
        "mutual fund non-registered, self-directed TFSA or self-directed non-registered"
    ),
]
Keywords: TypeAlias = Annotated[
    list[str], Field(description="Words or parts of words; a payee whose name has one of them is found")
]
Amount: TypeAlias = Annotated[
    float, Field(ge=-1_000_000_000, le=1_000_000_000, description="Amount in dollars, more than zero")
]
Date: TypeAlias = Annotated[str, Field(description="Day as YYYY-MM-DD")]
CustomerNumber: TypeAlias = Annotated[str, Field(description="The customer's number with the payee")]
Download: TypeAlias = Annotated[bool, Field(description="Whether the statement is also saved to a file")]
