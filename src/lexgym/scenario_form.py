"""The shape of a scenario's JSON, looked at before anything is made of it.

    require_form(json.loads(line))     # raises ScenarioError: "clock: Input should be a valid integer, not '1'"

Whether tables, columns and ids are those of the domain is for the environment, which knows the domain.
"""

from functools import cache
from typing import Any, NotRequired

from typing_extensions import TypedDict

from lexgym.errors import ScenarioError

_EXACT: Any = {"extra": "forbid", "strict": True}

Rows = dict[str, list[dict[str, str | int | float | None]]]


class _Step(TypedDict):
    __pydantic_config__ = _EXACT  # type: ignore[misc]
    name: str
    arguments: dict[str, Any]
    safety: bool
    ground: NotRequired[bool]


class _Forbidden(TypedDict):
    __pydantic_config__ = _EXACT  # type: ignore[misc]
    name: str
    arguments: dict[str, Any]
    check: str | None
    reason: str
    place: int


class _OwnRule(TypedDict):
    __pydantic_config__ = _EXACT  # type: ignore[misc]
    id: str
    formula: str
    text: NotRequired[str]
    source: NotRequired[str]
    template: NotRequired[str]
    variants: NotRequired[list[str]]
    apart: NotRequired[bool]


class _Scenario(TypedDict):
    __pydantic_config__ = _EXACT  # type: ignore[misc]
    id: str
    domain: str
    digest: str
    seed: int
    instructions: dict[str, str]
    initial: Rows
    sequences: dict[str, int]
    clock: int
    target: Rows
    rules: list[str]
    reference: list[_Step]
    forbidden: _Forbidden | None
    format: int
    own_rules: NotRequired[list[_OwnRule]]
    policy: NotRequired[str]


@cache
def _adapter() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(_Scenario)


def require_form(data: Any) -> None:
    """Raise `ScenarioError` with the first place where JSON is not what a scenario has there."""
    from pydantic import ValidationError

    try:
        _adapter().validate_python(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        given = "" if first["type"] in ("missing", "extra_forbidden") else f", not {first['input']!r:.60}"
        raise ScenarioError(f"{place}: {first['msg']}{given}") from None
