"""What the parameters of the tools hold: keys of tables, and values with their units and ranges."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from lexgym.tools.tool import Pool, Ref

HouseholdId: TypeAlias = Annotated[str, Ref("households.id"), Field(description="Household id, such as HOM-000001")]
DeviceId: TypeAlias = Annotated[str, Ref("devices.id"), Field(description="Device id, such as DEV-000001")]
LockId: TypeAlias = Annotated[str, Ref("locks.device_id"), Field(description="Device id of a lock, such as DEV-000001")]
CameraId: TypeAlias = Annotated[
    str, Ref("cameras.device_id"), Field(description="Device id of a camera, such as DEV-000001")
]
OvenId: TypeAlias = Annotated[
    str, Ref("ovens.device_id"), Field(description="Device id of an oven, such as DEV-000001")
]
HeaterId: TypeAlias = Annotated[
    str, Ref("heaters.device_id"), Field(description="Device id of a heater, such as DEV-000001")
]
UpdateId: TypeAlias = Annotated[
    str, Ref("updates.id"), Field(description="Id of an update for one device, such as UPD-000001")
]
InterfaceId: TypeAlias = Annotated[
    str, Ref("interfaces.id"), Field(description="Id of an interface of one device, such as IFC-000001")
]
BatchId: TypeAlias = Annotated[
    str, Ref("telemetry_batches.id"), Field(description="Id of a batch of telemetry, such as TEL-000001")
]
GuestId: TypeAlias = Annotated[str, Ref("guests.id"), Field(description="Guest id, such as GST-000001")]
ProfileId: TypeAlias = Annotated[
    str, Ref("guest_profiles.id"), Field(description="Id of a guest's profile on one device, such as PRF-000001")
]
PartnerId: TypeAlias = Annotated[
    str, Ref("partners.id"), Field(description="Id of a third party that receives data, such as PRT-000001")
]
DataId: TypeAlias = Annotated[
    str, Ref("personal_data.id"), Field(description="Id of one category of personal data on one device: DAT-000001")
]

Surname: TypeAlias = Annotated[
    str, Pool("surname"), Field(min_length=1, max_length=60, description="Surname, in full; case does not matter")
]
Password: TypeAlias = Annotated[
    str, Pool("password"), Field(min_length=6, max_length=40, pattern=r"^\S+$", description="The new password")
]
VaultEntry: TypeAlias = Annotated[
    str,
    Pool("vault_entry"),
    Field(pattern=r"^KV-[0-9]{4}$", description="Entry of the operator's key vault that holds the value: KV-0421"),
]
Host: TypeAlias = Annotated[
    str,
    Pool("host"),
    Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$", max_length=80, description="Host name, in lower case"),
]
Hours: TypeAlias = Annotated[
    int, Pool("hours"), Field(ge=1, le=8760, description="How many hours the access lasts from now")
]
Days: TypeAlias = Annotated[
    int, Pool("consent_days"), Field(ge=1, le=730, description="How many days the consent lasts from now")
]
Minutes: TypeAlias = Annotated[
    int, Pool("minutes"), Field(ge=1, le=600, description="Minutes after which the appliance is to be off again")
]
RoomTemperature: TypeAlias = Annotated[
    int, Pool("room_temperature"), Field(ge=5, le=30, description="Temperature in degrees Celsius")
]
OvenTemperature: TypeAlias = Annotated[
    int, Pool("oven_temperature"), Field(ge=40, le=300, description="Temperature in degrees Celsius")
]
Subject: TypeAlias = Annotated[
    str,
    Pool("subject"),
    Field(
        pattern=r"^[A-Z]{3}-[0-9]{6}$",
        description="Id of the thing that it is about: a device, a batch, an erasure, a declined request or other row",
    ),
]

Change: TypeAlias = Annotated[
    Literal["password", "network settings", "connection", "interfaces", "security parameters"],
    Field(description="What is about to be changed on the device"),
]
Setting: TypeAlias = Annotated[
    Literal["DNS server", "time server", "update server", "remote access gateway"],
    Field(description="Which network setting"),
]
SecurityParameter: TypeAlias = Annotated[
    Literal["Wi-Fi key", "access token", "private key", "service certificate", "public key"],
    Field(description="Which security parameter"),
]
UpdateTopic: TypeAlias = Annotated[
    Literal["risks mitigated", "interruption"],
    Field(description="What the user is told: which risks the update mitigates, or that it interrupts the device"),
]
Topic: TypeAlias = Annotated[
    Literal[
        "software change",
        "telemetry anomaly",
        "telemetry unreadable",
        "not recovered",
        "data erased",
        "request declined",
        "other",
    ],
    Field(description="What the message is about"),
]
Channel: TypeAlias = Annotated[
    Literal["app", "e-mail", "text message"],
    Field(description="How it is sent; the app needs an enrolled phone, a text message always arrives"),
]
Route: TypeAlias = Annotated[
    Literal["data interface", "letter"],
    Field(description="How a third party is told; its data interface may be down, a registered letter always arrives"),
]

DeviceRequest: TypeAlias = Annotated[
    Literal["opening", "start", "recording", "restart", "network settings", "connection", "security parameters"],
    Field(
        description="What was asked for: the opening of a lock, the start of a heater or an oven, the recording of a "
        "camera, a restart, or a change of the kind named"
    ),
]
DeviceRefusal: TypeAlias = Annotated[
    Literal[
        "owner did not log in",
        "owner did not approve",
        "nobody expected at the door",
        "not ready for remote operation",
        "no switch-off timer",
        "no consent to recording",
        "no local operation",
        "software changed without authority",
        "no secure storage",
        "connection not encrypted",
    ],
    Field(description="Why the request is declined"),
]
PasswordRefusal: TypeAlias = Annotated[
    Literal["owner did not approve", "password not unique"], Field(description="Why the device keeps its password")
]
UpdateRefusal: TypeAlias = Annotated[
    Literal["owner did not log in", "not authentic or damaged"],
    Field(description="Why the update is not installed"),
]
InterfaceRefusal: TypeAlias = Annotated[
    Literal["owner did not approve", "interface not needed", "debug interface"],
    Field(description="Why the interface stays off"),
]
GuestRefusal: TypeAlias = Annotated[
    Literal["owner did not approve", "guest not identified"],
    Field(description="Why the guest gets no access"),
]
ProfileRefusal: TypeAlias = Annotated[
    Literal["key cannot be revoked", "use under inquiry"], Field(description="Why the profile stays")
]
SharingRefusal: TypeAlias = Annotated[
    Literal["owner did not log in", "no consent in force", "connection not encrypted"],
    Field(description="Why no data is handed over"),
]
