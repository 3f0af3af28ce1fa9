"""Whether the calls that somebody reads out of a text are those that it should ask for.

    differences(domain, spoken, calls, in_order=True)      # ["the text does not come to block_card", …]

Keys are not compared with keys, which a reader cannot know, but with what people call the row.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from lexgym.envs.domain import Domain
from lexgym.generators.authoring.prompting import tool_parameters
from lexgym.generators.completeness import Said
from lexgym.generators.wording import Spoken

Read: TypeAlias = tuple[str, Mapping[str, str]]
"""A tool and its arguments, as a reader understood them."""


def read_calls(answer: Mapping[str, Any]) -> list[Read]:
    """Return the calls of a critic's answer; what has another form is left out."""
    found: list[Read] = []
    for call in _list(answer.get("calls")):
        match call:
            case {"tool": str(tool), "arguments": dict(arguments)}:
                found.append((tool, {str(name): str(value) for name, value in arguments.items()}))
            case {"tool": str(tool)}:
                pairs = [a for a in _list(call.get("arguments")) if isinstance(a, dict)]
                found.append((tool, {str(a.get("name")): str(a.get("value")) for a in pairs}))
    return found


def differences(domain: Domain, spoken: Sequence[Spoken], calls: Sequence[Read], *, in_order: bool) -> list[str]:
    """Return in what the calls differ from the requests, in words; empty where they are the same."""
    left = [call for call in calls if call[0] in domain.phrases["tools"]]
    found: list[str] = []
    order: list[int] = []
    for step in spoken:
        options = [call for call in left if call[0] == step.call.name]
        if not options:
            found.append(f"a reader does not find the request to {step.call.name.replace('_', ' ')}")
            continue
        best = min(options, key=lambda call: len(list(_amiss(domain, step, call[1]))))
        found += _amiss(domain, step, best[1])
        order.append(next(i for i, call in enumerate(calls) if call is best))
        left = [call for call in left if call is not best]
    found += [f"a reader finds a request to {name.replace('_', ' ')}, which is none" for name, _ in left]
    if in_order and not found and order != sorted(order):
        found.append("a reader finds the steps in another order")
    return found


def _amiss(domain: Domain, step: Spoken, arguments: Mapping[str, str]) -> Iterator[str]:
    """Yield what a reader got wrong about the arguments of one request."""
    for parameter in tool_parameters(domain, step.call.name):
        words = step.values.get(parameter.name)
        if words is None:
            continue
        read = arguments.get(parameter.name, "")
        if parameter.ref:
            same = Said(read).description(words) or (bool(read) and Said(words).literally(read))
        else:
            same = _equal(step.call.arguments[parameter.name], words, Said(read))
        if not same:
            what = parameter.name.replace("_", " ")
            yield f"a reader takes {read!r} for the {what} of {step.call.name.replace('_', ' ')}, not {words!r}"


def _equal(value: Any, words: str, said: Said) -> bool:
    if isinstance(value, bool):
        return said.literally("true" if value else "false") or said.literally("yes" if value else "no")
    return said.literally(words) or said.literally(words.strip('"')) or said.value(value)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
