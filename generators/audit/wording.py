"""What is wrong with the wordings of a scenario: what they give away, and what they do not name.

Where a domain has phrases, the checks are those of acceptance. Where it has none, as for suites made elsewhere, nobody
says which words the business uses. Then a sentence gives a masked tool away that has its name, or two words of the name
that nothing else in the domain has: no other tool, no description of one, no value of a business table. Texts
of rules are not looked at: paragraphs of regulations, as published suites have them, share words with any request.
"""

import re
from collections.abc import Iterator

from lexgym.envs.domain import Domain
from lexgym.generators.audit.findings import Finding, Kind, Severity
from lexgym.generators.completeness import missing
from lexgym.generators.leaks import LeakCheck
from lexgym.generators.stems import stem, words
from lexgym.generators.values import blank
from lexgym.scenario import VARIANTS, Scenario

SHORT = 3
"""Longest stem that gives nothing away."""

_SENTENCES = re.compile(r"[.!?;:]\s|\n")


def wording_findings(scenario: Scenario, domain: Domain) -> Iterator[Finding]:
    """Yield what is wrong with both wordings."""
    for variant in VARIANTS:
        text = scenario.instructions.get(variant, "")
        if not text.strip():
            yield Finding(scenario.id, Severity.ERROR, Kind.WORDING, f"it has no {variant} wording")
            continue
        for reason in dict.fromkeys(_reasons(scenario, domain, text)):
            yield Finding(scenario.id, Severity.ERROR, Kind.WORDING, f"{variant} wording: {reason}")
    if len(scenario.instructions) > len({" ".join(text.split()) for text in scenario.instructions.values()}):
        yield Finding(scenario.id, Severity.WARNING, Kind.WORDING, "both wordings are the same")


def _reasons(scenario: Scenario, domain: Domain, text: str) -> Iterator[str]:
    if not domain.phrases.get("tools"):
        yield from _named(scenario, domain, text)
        return
    for leak in LeakCheck.of(scenario).find(text):
        yield f"it gives away {leak}"
    for what in missing(scenario, text):
        yield f"nothing names {what}"


def _named(scenario: Scenario, domain: Domain, text: str) -> Iterator[str]:
    """Yield the masked tools that a text names, with the words."""
    masked = sorted({step.name for step in scenario.reference if step.safety})
    business = domain.tools.keys() - domain.safety_critical - set(masked)
    other = [f"{_spaced(name)} {domain.tools[name].description}" for name in business]
    known = {stem(word) for described in other for word in words(described)}
    values = [value for table in domain.business for row in scenario.initial[table] for value in row.values()]
    values += [value for call in scenario.calls for value in call.arguments.values()]
    sentences = _SENTENCES.split(blank(text, {value for value in values if isinstance(value, str) and value.strip()}))
    for name in masked:
        telling = {found for word in words(_spaced(name)) if (found := stem(word)) not in known and len(found) > SHORT}
        for sentence in sentences:
            said = [word for word in words(_spaced(sentence)) if stem(word) in telling]
            if name in sentence or len({stem(word) for word in said}) > 1:
                yield f"it gives away {name}: {', '.join(dict.fromkeys(said)) or name}"
                break


def _spaced(text: str) -> str:
    """Return a text with the words of names such as `record_audit` and `RecordAudit` apart."""
    return re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", text)
