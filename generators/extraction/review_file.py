"""The two files that extraction writes: the rules that stayed, and the review of every candidate.

rules.yaml             what `lexgym rules check` and `read_rules` take
rules.review.jsonl     a head line {"regulation", "tools", …}, then one candidate a line
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from lexgym.errors import ExtractionError
from lexgym.generators.extraction.candidates import Candidate

FORMAT = "lexgym-review-1"


@dataclass(frozen=True)
class Review:
    """A review file: what it is about, and its candidates."""

    regulation: str
    tools: str
    candidates: tuple[Candidate, ...]
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def reviewed(self) -> int:
        """How many candidates a person has looked at."""
        return sum(candidate.reviewed for candidate in self.candidates)


def review_path(rules: Path) -> Path:
    """Return where the review of a file of rules is."""
    return rules.with_name(f"{rules.stem}.review.jsonl")


def write_review(path: Path, review: Review) -> None:
    """Write a review file, wholly or not at all."""
    head = {"format": FORMAT, "regulation": review.regulation, "tools": review.tools, **review.notes}
    lines = [json.dumps(entry, ensure_ascii=False) for entry in (head, *(c.to_json() for c in review.candidates))]
    _replace(path, "\n".join(lines) + "\n")


def read_review(path: Path) -> Review:
    """Read a review file; raise `ExtractionError`, which names the line, where it is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ExtractionError(f"{path} cannot be read: {error}") from None
    entries = [(number, _entry(line, f"{path}: line {number}")) for number, line in enumerate(lines, 1) if line.strip()]
    if not entries or not isinstance(entries[0][1], dict) or entries[0][1].get("format") != FORMAT:
        raise ExtractionError(f"{path} is no review file; `lexgym rules extract` writes one beside its rules")
    head = dict(entries[0][1])
    candidates = tuple(Candidate.from_json(entry, f"{path}: line {number}") for number, entry in entries[1:])
    ids = [candidate.id for candidate in candidates]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise ExtractionError(f"{path}: id {twice!r} is used twice")
    head.pop("format")
    return Review(str(head.pop("regulation", "")), str(head.pop("tools", "")), candidates, head)


def _entry(line: str, where: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ExtractionError(f"{where} is no JSON: {error}") from None


def write_rules(path: Path, candidates: Sequence[Candidate], regulation: str) -> int:
    """Write the candidates that are kept as a file of rules, and return how many they are."""
    kept = [candidate for candidate in candidates if candidate.kept]
    entries = [
        {
            key: value
            for key, value in (
                ("id", candidate.id),
                ("regulation", regulation),
                ("article", candidate.citation),
                ("template", candidate.template),
                ("formula", candidate.formula),
                ("text", candidate.text),
            )
            if value
        }
        for candidate in kept
    ]
    body = yaml.dump(entries, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110) if entries else "[]\n"
    _replace(path, re.sub(r"\n(?=- )", "\n\n", body))
    return len(kept)


class _Dumper(yaml.SafeDumper):
    """Puts formulas in quotes, since YAML keeps some of their signs for itself."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = '"' if re.search(r"[!&*|>\[\]{}%@`]", value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)
