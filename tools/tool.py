"""A tool: a plain typed Python function whose signature and docstring are its schema.

    def get_balance(db: Database, *, account: Annotated[str, Ref("accounts.number")]) -> Balance:
        '''Return the booked balance of an account in cents.'''

`Tool.of(get_balance)` reads name, description and JSON schema from it. The first parameter is the
database, the others are keyword-only and flat: string, integer, number, boolean, enum, or a list of these.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, PydanticUserError, TypeAdapter, ValidationError, create_model
from pydantic_core import SchemaValidator

from lexgym.errors import DomainError, MalformedCall, near_miss
from lexgym.tools.calls import clip
from lexgym.tools.schema import inline, is_flat, strict

MAX_STRING = 2_000
"""Longest string argument, in characters, where a tool states no limit of its own."""

_INT64 = 2**63


@dataclass(frozen=True, slots=True)
class Ref:
    """Annotation: the parameter holds a value of this column, such as `Ref("accounts.number")`."""

    column: str

    @property
    def table(self) -> str:
        """The table that the column belongs to."""
        return self.column.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Pool:
    """Annotation: realistic values for the parameter come from the domain's pool of this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool: JSON schema, whether it is required, and where its values come from."""

    name: str
    schema: Mapping[str, Any]
    required: bool
    ref: Ref | None = None
    pool: Pool | None = None


@dataclass(frozen=True)
class Tool:
    """A typed function on the database, with the schema that its signature and docstring state."""

    name: str
    description: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    result_type: Any
    _validator: SchemaValidator = field(repr=False, compare=False)
    _defaults: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "Tool":
        """Read a tool from a function; raise `DomainError` where the signature is not tool-like."""
        name = getattr(function, "__name__", "?")
        description = inspect.cleandoc(function.__doc__ or "")
        if not description:
            raise DomainError(f"tool {name!r} has no docstring: it is what agents read")
        hints = get_type_hints(function, include_extras=True)
        if "return" not in hints:
            raise DomainError(f"tool {name!r} states no return type")
        fields = _fields(name, function, hints)
        definitions: dict[str, Any] = {
            key: (hint, ... if default is inspect.Parameter.empty else default) for key, hint, default in fields
        }
        config = ConfigDict(extra="forbid", strict=True, str_max_length=MAX_STRING, allow_inf_nan=False)
        model = create_model(name, __config__=config, **definitions)
        properties = inline(model.model_json_schema())["properties"]
        return cls(
            name,
            description,
            function,
            tuple(_parameter(name, key, hint, default, properties[key]) for key, hint, default in fields),
            hints["return"],
            model.__pydantic_validator__,
            {key: default for key, _, default in fields if default is not inspect.Parameter.empty},
        )

    def validate(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as the function takes them, or raise `MalformedCall` (`bad_arguments`).

        A null for an optional argument counts as absent, as OpenAI-strict callers send it.
        """
        if self._defaults and any(value is None for value in arguments.values()):
            arguments = {k: v for k, v in arguments.items() if v is not None or k not in self._defaults}
        try:
            values: dict[str, Any] = self._validator.validate_python(arguments).__dict__
        except ValidationError as error:
            raise MalformedCall("bad_arguments", self._explain(error)) from None
        for key, value in values.items():
            if _too_large(value):
                raise MalformedCall("bad_arguments", f"{self.name}: {key} = {clip(value)} is out of range")
        return values

    def _explain(self, error: ValidationError) -> str:
        known = [parameter.name for parameter in self.parameters]
        parts = []
        for item in error.errors(include_url=False, include_context=False)[:3]:
            path = ".".join(str(clip(part, 60)) for part in item["loc"])
            if item["type"] == "extra_forbidden":
                parts.append(f"no argument {path!r}{near_miss(path, known)}")
            elif item["type"] == "missing":
                parts.append(f"argument {path!r} is missing")
            else:
                parts.append(f"{path} = {clip(item['input'], 60)!r}: {item['msg']}")
        return f"{self.name}: {'; '.join(parts)}"

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The plain JSON schema of the arguments."""
        return {
            "type": "object",
            "properties": {p.name: dict(p.schema) for p in self.parameters},
            "required": [p.name for p in self.parameters if p.required],
            "additionalProperties": False,
        }

    @cached_property
    def result_schema(self) -> dict[str, Any]:
        """The JSON schema of the return value."""
        try:
            return inline(TypeAdapter(self.result_type).json_schema())
        except PydanticUserError as error:
            raise DomainError(f"tool {self.name!r}: its return type has no schema: {error.message}") from None

    def openai(self, *, strict_mode: bool = False) -> dict[str, Any]:
        """Return the OpenAI function schema, with `strict` if asked for."""
        function: dict[str, Any] = {"name": self.name, "description": self.description, "parameters": self.schema}
        if strict_mode:
            function |= {"parameters": strict(self.schema), "strict": True}
        return {"type": "function", "function": function}


def _too_large(value: Any) -> bool:
    """Whether an integer, also inside a list, is beyond what SQLite stores."""
    if isinstance(value, list):
        return any(map(_too_large, value))
    return isinstance(value, int) and not -_INT64 <= value < _INT64


def _fields(name: str, function: Callable[..., Any], hints: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    _, *parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            raise DomainError(f"tool {name!r}: parameter {parameter.name!r} must be keyword-only")
        if parameter.name.startswith("_") or hasattr(BaseModel, parameter.name):
            raise DomainError(f"tool {name!r}: parameter {parameter.name!r} has a name that pydantic keeps for itself")
        if parameter.name not in hints:
            raise DomainError(f"tool {name!r}: parameter {parameter.name!r} has no type")
    return [(p.name, hints[p.name], p.default) for p in parameters]


def _parameter(tool: str, name: str, hint: Any, default: Any, schema: dict[str, Any]) -> Parameter:
    schema = {key: value for key, value in schema.items() if key not in ("title", "default")}
    if not is_flat(schema):
        raise DomainError(f"tool {tool!r}: parameter {name!r} is not flat (a scalar, an enum, or a list of these)")
    marks = list(_marks(hint))
    ref = next((mark for mark in marks if isinstance(mark, Ref)), None)
    pool = next((mark for mark in marks if isinstance(mark, Pool)), None)
    return Parameter(name, schema, default is inspect.Parameter.empty, ref, pool)


def _marks(hint: Any) -> list[Any]:
    """The annotations on a type, also inside `X | None` and `list[X]`."""
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        return [*marks, *_marks(inner)]
    return [mark for part in get_args(hint) for mark in _marks(part)]
