"""The values an agent has met: in its instruction, and under each key of the results.

seen = Sightings('Pay 25.00 EUR from DE89370400440532013000 to "Anna Lang".')
seen.hear('{"status": "ok", "result": {"payee": {"id": "P-7"}}}')
seen.of("payee_id")   # ['P-7', 'Anna Lang', 'DE89370400440532013000', 25, 2500]
"""

import json
import re
from typing import Any

_QUOTED = re.compile(r"""["“„«]([^"“”„«»\n]{1,200})["”“»]|'([^'\n]{1,200})'(?!\w)|`([^`\n]{1,200})`""")
_TOKEN = re.compile(r"[\w@.+-]*\d[\w@.+-]*|[\w.+-]+@[\w.-]+")
_AMOUNT = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d{1,2})?(?![\w-])")
_MOST = 200
_DIGITS = 16


class Sightings:
    """Scalars in the order in which they were first met, never more than a few hundred a key."""

    def __init__(self, instruction: str) -> None:
        self._told = _told(instruction)
        self._by_key: dict[str, _Values] = {}

    def hear(self, result: str) -> None:
        """Take in the JSON text of a result; text that is no JSON is passed over."""
        try:
            waiting: list[tuple[str, Any]] = [("", json.loads(result))]
        except (ValueError, RecursionError):
            return
        while waiting:
            key, value = waiting.pop()
            if isinstance(value, dict):
                waiting.extend(value.items())
            elif isinstance(value, list):
                waiting.extend((key, item) for item in value)
            elif value is not None:
                self._by_key.setdefault(key, _Values()).add(value)

    def of(self, parameter: str) -> list[Any]:
        """The values under the parameter's name, under names that share its last words, and those told."""
        related = (key for key in self._by_key if parameter.endswith(f"_{key}") or key.endswith(f"_{parameter}"))
        found = [self._by_key[key] for key in (parameter, *related) if key in self._by_key]
        merged = {key: value for values in [*found, self._told] for key, value in values.items()}
        return list(merged.values())


class _Values(dict[tuple[type, Any], Any]):
    """Distinct scalars in order; 1, 1.0 and true are three."""

    def add(self, value: Any) -> None:
        if len(self) < _MOST:
            self.setdefault((type(value), value), value)


def _told(instruction: str) -> _Values:
    values = _Values()
    for match in _QUOTED.finditer(instruction):
        values.add(next(group for group in match.groups() if group))
    for token in _TOKEN.findall(instruction):
        values.add(token.strip(".-+"))
    for amount in _AMOUNT.findall(instruction):
        whole, _, cents = amount.replace(",", "").partition(".")
        if len(whole) < _DIGITS:
            values.add(int(whole))
            values.add(int(whole) * 100 + int(cents.ljust(2, "0")))
    return values
