"""What the parameters of the tools hold: keys of tables, and values with their units and ranges."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lexgym.tools.tool import Pool, Ref

CostCentre: TypeAlias = Annotated[
    str, Ref("departments.cost_centre"), Field(description="Cost centre of a department, four digits")
]
EmployeeId: TypeAlias = Annotated[str, Ref("employees.id"), Field(description="Employee id, such as EMP-000001")]
ItemId: TypeAlias = Annotated[str, Ref("items.id"), Field(description="Catalogue item id, such as ITM-000001")]
WarehouseId: TypeAlias = Annotated[str, Ref("warehouses.id"), Field(description="Warehouse id, such as WHS-000001")]
SupplierId: TypeAlias = Annotated[str, Ref("suppliers.id"), Field(description="Supplier id, such as SUP-000001")]
RequestId: TypeAlias = Annotated[
    str, Ref("purchase_requests.id"), Field(description="Purchase request id, such as REQ-000001")
]
QuotationId: TypeAlias = Annotated[str, Ref("quotations.id"), Field(description="Quotation id, such as QUO-000001")]
IncomingId: TypeAlias = Annotated[
    str, Ref("incoming_quotations.id"), Field(description="Id of a quotation that has come in, such as INQ-000001")
]
OfferId: TypeAlias = Annotated[
    str, Ref("portal_offers.id"), Field(description="Id of an offer on the legacy portal, such as OFR-000001")
]
OrderId: TypeAlias = Annotated[str, Ref("orders.id"), Field(description="Purchase order id, such as ORD-000001")]
InvoiceId: TypeAlias = Annotated[str, Ref("invoices.id"), Field(description="Invoice id, such as INV-000001")]
ChangeId: TypeAlias = Annotated[
    str, Ref("bank_changes.id"), Field(description="Id of an announced change of bank details, such as BNK-000001")
]

Amount: TypeAlias = Annotated[
    int, Pool("amount"), Field(ge=1, le=100_000_000, description="Amount in euro cents: 255000 is 2,550.00 EUR")
]
Percent: TypeAlias = Annotated[
    int, Pool("percent"), Field(ge=1, le=50, description="What the order value rises by, in per cent of what it is")
]
Quantity: TypeAlias = Annotated[int, Pool("quantity"), Field(ge=1, le=500, description="Number of pieces")]
Purpose: TypeAlias = Annotated[
    str, Pool("purpose"), Field(min_length=3, max_length=120, description="What the item is needed for")
]
Subject: TypeAlias = Annotated[
    str,
    Pool("subject"),
    Field(
        pattern=r"^[A-Z]{3}-[0-9]{6}$",
        description="Id of the thing that it is about: an order, payment, refusal, receipt or other row",
    ),
]

Role: TypeAlias = Annotated[Literal["approver", "receiver"], Field(description="What the employee is to do")]
DeliveryOption: TypeAlias = Annotated[
    Literal["loading dock", "inside delivery", "clean-room delivery"],
    Field(description="How the goods reach the laboratory"),
]
RefusalReason: TypeAlias = Annotated[
    Literal[
        "item in stock",
        "available on the legacy portal",
        "too few quotations",
        "single source not justified",
        "no valid tender",
        "order splitting",
        "supplier not cleared",
        "conflict of interest",
        "budget exhausted",
        "no competent approver",
        "duties not segregated",
        "approval withheld",
    ],
    Field(description="Why the purchase is not made"),
]
EmergencyRefusalReason: TypeAlias = Annotated[
    Literal[
        "item in stock",
        "not an emergency",
        "above the emergency ceiling",
        "supplier not cleared",
        "conflict of interest",
    ],
    Field(description="Why the emergency purchase is not made"),
]
RequestRefusalReason: TypeAlias = Annotated[
    Literal["no permit in force"], Field(description="Why the request is not submitted")
]
AllocationRefusalReason: TypeAlias = Annotated[
    Literal["not to be released"], Field(description="Why the goods stay in the warehouse")
]
ClaimRefusalReason: TypeAlias = Annotated[
    Literal["not fit for use", "item in stock"], Field(description="Why the equipment is not claimed")
]
ChangeRefusalReason: TypeAlias = Annotated[
    Literal["no competent approver", "duties not segregated", "approval withheld", "above the emergency ceiling"],
    Field(description="Why the order is not raised"),
]
RejectionReason: TypeAlias = Annotated[
    Literal["goods do not conform", "delivered too late"], Field(description="Why the delivery is sent back")
]
WithholdingReason: TypeAlias = Annotated[
    Literal["no three-way match", "supplier not cleared", "credit note expected"],
    Field(description="Why the invoice is not paid"),
]
BankRejectionReason: TypeAlias = Annotated[
    Literal["supplier did not confirm", "withdrawn by the supplier"],
    Field(description="Why the change is not applied"),
]
CancelReason: TypeAlias = Annotated[
    Literal["no longer needed", "supplier in default", "ordered in error"],
    Field(description="Why the order is cancelled"),
]
StaffChannel: TypeAlias = Annotated[
    Literal["intranet", "e-mail", "internal post"],
    Field(description="How it is sent; the intranet needs the person present, e-mail a mailbox"),
]
SupplierChannel: TypeAlias = Annotated[
    Literal["supplier portal", "e-mail", "registered letter"],
    Field(description="How it is sent; the portal needs a registered supplier, a registered letter always arrives"),
]
