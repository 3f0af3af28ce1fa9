"""What the arguments of the smart lock's tools hold."""

from typing import Annotated, TypeAlias

from pydantic import Field

from lexgym.tools.tool import Ref

GuestIds: TypeAlias = Annotated[list[str], Ref("guests.guest_id"), Field(description="Ids of the guests")]
NamePart: TypeAlias = Annotated[str, Field(description="Part of the guest's name")]
GuestName: TypeAlias = Annotated[str, Field(description="Full name of the guest")]
GuestEmail: TypeAlias = Annotated[str, Field(description="E-mail address of the guest")]
Permanent: TypeAlias = Annotated[bool, Field(description="Whether access lasts until it is revoked")]
Start: TypeAlias = Annotated[str, Field(description="When it begins: YYYY-MM-DD HH:MM")]
End: TypeAlias = Annotated[str, Field(description="When it ends: YYYY-MM-DD HH:MM")]
AccessCode: TypeAlias = Annotated[str, Ref("access_codes.code"), Field(description="A code that was generated before")]
