"""What came of auditing one scenario, as data that can be written down and read back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from lexgym.generators.audit.findings import Finding
from lexgym.generators.audit.tallies import Tally
from lexgym.generators.traits import Traits


@dataclass(frozen=True)
class Checked:
    """One scenario's findings, its traits where it can be played, its rules, and those that the naive trace breaks."""

    scenario: str
    domain: str
    findings: tuple[Finding, ...]
    traits: Traits | None = None
    rules: tuple[str, ...] = ()
    naive: tuple[str, ...] = ()
    mutants: Mapping[str, Tally] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return a line that `from_json` reads back."""
        data = {
            "scenario": self.scenario,
            "domain": self.domain,
            "findings": [finding.to_json() for finding in self.findings],
            "traits": self.traits.to_json() if self.traits else None,
            "rules": self.rules,
            "naive": self.naive,
            "mutants": {kind: tally.to_json() for kind, tally in self.mutants.items()},
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Checked":
        """Read what `to_json` wrote."""
        data = json.loads(text)
        return cls(
            data["scenario"],
            data["domain"],
            tuple(map(Finding.from_json, data["findings"])),
            Traits.from_json(data["traits"]) if data["traits"] else None,
            tuple(data["rules"]),
            tuple(data["naive"]),
            {kind: Tally(**counts) for kind, counts in data["mutants"].items()},
        )
