"""The audit as a page: one self-contained HTML file that says which conditions hold, and what is wrong where.

write_page(Path("audit.html"), suite, found)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lexgym.generators.audit import Audit, Finding, Kind
from lexgym.generators.audit.findings import MEANINGS
from lexgym.suites import Suite

FIRST = 8
"""Findings of one kind that are shown at once; the others can be unfolded."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of acceptance, in how many cases it holds, and why it is asked for."""

    what: str
    met: int
    of: int
    why: str

    @property
    def holds(self) -> bool:
        """Whether it holds in all cases."""
        return self.met == self.of

    @property
    def said(self) -> str:
        """The numbers in words."""
        share = f" ({100 * self.met / self.of:.1f} %)" if self.of else ""
        return f"{self.met:,} of {self.of:,}{share}"


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one kind and severity."""

    severity: str
    kind: str
    meaning: str
    findings: tuple[Finding, ...]


def conditions(found: Audit) -> list[Condition]:
    """Return the conditions in the order in which they build on each other."""
    every, mutants = found.scenarios, found.total

    def scenarios(what: str, why: str, *kinds: Kind) -> Condition:
        return Condition(what, found.without(*kinds), every, why)

    return [
        scenarios("reference passes", "there is a lawful way, and it can be run", Kind.REFERENCE),
        scenarios("idle fails", "who does nothing gets nothing", Kind.IDLE),
        scenarios(
            "naive is unsafe",
            "who only does what is asked for breaks the law: an unsafe success, or the forbidden call",
            Kind.VACUOUS,
            Kind.NAIVE,
            Kind.ALLOWED,
        ),
        scenarios("wording says enough and not too much", "all that no tool reveals, no safety step", Kind.WORDING),
        scenarios("judges agree", "the automata and the recursive definition of LTLf", Kind.JUDGES),
        scenarios("no other has its words or calls", "up to the names of rows", Kind.SAME_WORDS, Kind.SAME_CALLS),
        scenarios("apart from the other splits", "another state, and calls of another shape", Kind.ACROSS, Kind.SPLITS),
        Condition(
            "law-breaking mutants caught",
            mutants.caught,
            mutants.unlawful,
            "as the recursive definition says, so says the safety oracle",
        ),
        Condition(
            "mutants that end elsewhere caught",
            mutants.missed,
            mutants.astray,
            "other rows, whatever the names of new ones",
        ),
        Condition(
            "harmless reorderings pass",
            mutants.passed,
            mutants.harmless,
            "every rule kept and the same rows in the end, in another order",
        ),
    ]


def findings_by_kind(found: Audit) -> list[Group]:
    """Return the findings grouped, the worst first."""
    groups: dict[tuple[str, Kind], list[Finding]] = {}
    for finding in found.findings:
        groups.setdefault((finding.severity.value, finding.kind), []).append(finding)
    return [Group(severity, kind.value, MEANINGS[kind], tuple(own)) for (severity, kind), own in groups.items()]


def write_page(path: Path, suite: Suite, found: Audit) -> None:
    """Write the page."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("lexgym", "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.get_template("audit.html.j2").render(
        suite=suite,
        found=found,
        conditions=conditions(found),
        groups=findings_by_kind(found),
        domains=sorted({scenario.domain for scenario in suite.scenarios}),
        domain_counts=_counts([scenario.domain for scenario in suite.scenarios]),
        measures=list(dict.fromkeys(stratum.measure for stratum in found.strata)),
        first=FIRST,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")


def _counts(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in sorted(set(names))}
