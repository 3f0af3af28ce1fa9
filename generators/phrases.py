"""What a domain's phrases.yaml says, read for the writer and for the leak check.

    entries(domain, "block_card", "goal")     # [Entry("The bank should have {card_id} blocked …", {}), …]
    registers(domain)["formal"]               # openers, connectives and closings, with the domain's own among them

The sections `openers` and `tools` are a domain's own; `registers` is optional and adds to registers.yaml.
"""

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from lexgym.envs.domain import Domain
from lexgym.envs.registry import load_domain
from lexgym.errors import DomainError, near_miss

STYLES = ("goal", "workflow")
_PARTS = ("open", "join", "then", "first", "next", "last", "close")


@dataclass(frozen=True, slots=True)
class Entry:
    """One phrase of a tool, with the argument values for which it is meant."""

    text: str
    when: Mapping[str, Any]

    @property
    def holes(self) -> frozenset[str]:
        """The parameters that the phrase names."""
        return frozenset(name for _, name, _, _ in string.Formatter().parse(self.text) if name)


@dataclass(frozen=True, slots=True)
class Register:
    """How one kind of person puts an instruction together; `lists` has the parts of each style."""

    name: str
    listed: bool
    lists: Mapping[str, Mapping[str, tuple[str, ...]]]

    def part(self, style: str, part: str) -> tuple[str, ...]:
        """Return the choices for a part such as `open`; one empty choice where there are none."""
        return self.lists[style].get(part) or ("",)


def entries(domain: Domain, tool: str, style: str) -> list[Entry]:
    """Return the phrases of a tool in one style; none where the domain has no words for it."""
    return [
        Entry(entry["text"], entry.get("when", {})) if isinstance(entry, dict) else Entry(entry, {})
        for entry in domain.phrases["tools"].get(tool, {}).get(style, ())
    ]


def registers(domain: Domain) -> Mapping[str, Register]:
    """Return the registers in which the domain's instructions are written, by name."""
    return _registers(domain.name)


def frames(domain: Domain) -> Iterator[str]:
    """Yield every opener, connective and closing; none for a domain that makes no scenarios of its own."""
    if "openers" not in domain.phrases:
        return
    for register in registers(domain).values():
        for parts in register.lists.values():
            for choices in parts.values():
                yield from choices


def build_registers(domain: Domain) -> dict[str, Register]:
    """Return the built-in registers with what the domain adds; raise `DomainError` for a section that is wrong."""
    built_in = yaml.safe_load(Path(__file__).with_name("registers.yaml").read_text(encoding="utf-8"))
    own, openers = domain.phrases.get("registers", {}), domain.phrases.get("openers", {})
    return {key: _register(key, built_in.get(key, {}), own.get(key, {}), openers) for key in built_in | own}


@cache
def _registers(name: str) -> dict[str, Register]:
    return build_registers(load_domain(name))


def _register(name: str, built_in: Mapping[str, Any], own: Mapping[str, Any], openers: Mapping[str, Any]) -> Register:
    for key in [*own, *(part for style in STYLES for part in own.get(style, {}))]:
        if key not in (*STYLES, *_PARTS, "layout"):
            raise DomainError(f"phrases.yaml: register {name!r} has no {key!r}{near_miss(key, [*STYLES, *_PARTS])}")
    listed = "list" in (built_in.get("layout"), own.get("layout"))
    lists = {}
    for style in STYLES:
        parts = [section.get(style, {}) for section in (built_in, own)]
        lists[style] = {part: tuple(text for each in parts for text in each.get(part, ())) for part in _PARTS}
        if not listed:
            lists[style]["open"] += tuple(openers.get(style, ()))
        if not lists[style]["open"]:
            raise DomainError(f"phrases.yaml: register {name!r} needs an `open` for the {style} wording")
    return Register(name, listed, lists)
