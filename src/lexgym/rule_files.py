"""What the command line means by rules: a domain, a file of rules, or one formula.

    rules_of_target("finance")          the domain's rules, checked against the domain's tools
    rules_of_target("my-rules.yaml")    YAML or JSON with `id` and `formula`, or else one formula a line
    rules_of_target("G(a -> F b)")      the formula itself

docs/rules.md describes the files.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lexgym.core import Rule
from lexgym.envs.domain import read_rules, rules_of
from lexgym.envs.judge import signature
from lexgym.envs.registry import domain_names, load_domain
from lexgym.errors import DomainError, FormulaSyntaxError, near_miss
from lexgym.oracles.ltlf.parser import parse
from lexgym.oracles.ltlf.signature import Signature, ToolSignature

MAX_JOINED = 20
"""Lines that are tried together as one formula."""

_NEEDED = ("id", "formula")
_SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".ltlf")


@dataclass(frozen=True)
class Target:
    """Some rules, and the tools to check their names against, if they are known."""

    name: str
    rules: tuple[Rule, ...]
    signature: Signature | None


def rules_of_target(target: str, domain: str | None = None, tools: Path | None = None) -> Target:
    """Return the rules that a word of the command line means.

    `domain` or `tools` says which tools there are. Raises DomainError, which says what could be meant.
    """
    given = _signature(tools) if tools is not None else None if domain is None else _domain_signature(domain)
    if target in domain_names():
        loaded = load_domain(target)
        return Target(target, loaded.rules, given or signature(loaded))
    path = Path(target)
    if len(target) < 1_000 and path.is_dir():
        raise DomainError(f"{target} is a folder; name a file of rules, such as {_file_in(path)}")
    if len(target) < 1_000 and path.is_file():
        return Target(target, _read(path), given)
    if path.suffix in _SUFFIXES and not re.search(r"[()\[\]]", target):
        raise DomainError(f"no file {target!r}")
    if re.search(r"[^\w./\\-]", target):
        return Target(target, (Rule(id=target, formula=target, text=""),), given)
    bare = f"; the formula that is this name alone is written '({target})'" if re.fullmatch(r"\w+", target) else ""
    raise DomainError(f"no domain or file {target!r}{near_miss(target, domain_names())}{bare}")


def _file_in(folder: Path) -> str:
    found = sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES)
    return str(found[0] if found else folder / "rules.yaml")


def _domain_signature(name: str) -> Signature:
    if name not in domain_names():
        raise DomainError(f"--domain: no domain {name!r}{near_miss(name, domain_names())}")
    return signature(load_domain(name))


def _read(path: Path) -> tuple[Rule, ...]:
    """Read a file of rules, by its suffix."""
    text = _text(path)
    if path.suffix in (".yaml", ".yml"):
        return read_rules(text, str(path), _NEEDED)
    if path.suffix != ".json":
        return _lines(text, path)
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise DomainError(f"{path} is no JSON: {error}") from None
    return rules_of(entries, str(path), _NEEDED)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DomainError(f"{path} cannot be read: {error}") from None


def _lines(text: str, path: Path) -> tuple[Rule, ...]:
    """Read one formula a line; # begins a comment."""
    bare = [(number, _uncommented(line)) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in bare if line]
    if not lines:
        raise DomainError(f"{path}: there are no rules in it; write one formula a line, such as G(pay -> F note)")
    for place, (number, _) in enumerate(lines):
        _require_whole(lines[place : place + MAX_JOINED], number, path)
    return tuple(Rule(f"line {number}", line, "") for number, line in lines)


def _uncommented(line: str) -> str:
    """Return a line without its comment; a # inside quotes is none."""
    found = re.match(r'(?:"(?:\\.|[^"\\])*"|[^#"]|"(?=[^"]*$))*', line)
    return (found[0] if found else line).strip()


def _require_whole(lines: list[tuple[int, str]], number: int, path: Path) -> None:
    """Refuse a formula that goes on over several lines: a line that is none, but is one with those below it."""
    if _parses(lines[0][1]):
        return
    for count in range(2, len(lines) + 1):
        if _parses(" ".join(line for _, line in lines[:count])):
            last = lines[count - 1][0]
            raise DomainError(
                f"{path}: lines {number} to {last} are one formula only together; write it on one line, "
                "or in a .yaml file, where a formula may go on over several"
            )


def _parses(formula: str) -> bool:
    try:
        parse(formula)
    except FormulaSyntaxError:
        return False
    return True


def _tool_signature(tool: dict[str, Any]) -> ToolSignature:
    parameters = tool.get("parameters", {})
    shared = {"$defs": parameters["$defs"]} if "$defs" in parameters else {}
    arguments = {name: {**schema, **shared} for name, schema in parameters.get("properties", {}).items()}
    return ToolSignature(arguments, dict(tool.get("result", {})), frozenset(parameters.get("required", ())))


def _signature(path: Path) -> Signature:
    """Read OpenAI tool schemas: a list of functions, with or without the envelope."""
    try:
        tools = [entry.get("function", entry) for entry in json.loads(_text(path))]
        return {str(tool["name"]): _tool_signature(tool) for tool in tools}
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise DomainError(
            f'--tools: {path} is no JSON list of tool schemas, such as [{{"name": "pay", "parameters": '
            f'{{"type": "object", "properties": {{}}}}}}]: {type(error).__name__}: {error}'
        ) from None
