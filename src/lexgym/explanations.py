"""One rule explained for a person: its formula, English, automaton and examples.

shown = explained(Rule("told", "response(pay, note)", ""), compile_rule("response(pay, note)"))
dict(shown.lines)["says"]    "Whenever `pay` happens, `note` must follow."
shown.breaks                 ("pay",)
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from lexgym.core import Rule
from lexgym.oracles.ltlf.english import english
from lexgym.oracles.ltlf.examples import accepted_example, rejected_example
from lexgym.oracles.ltlf.hygiene import Finding, examine
from lexgym.oracles.ltlf.picture.chart import Chart, chart_of
from lexgym.oracles.ltlf.rule import RuleAutomaton
from lexgym.oracles.ltlf.signature import Signature


@dataclass(frozen=True)
class RuleExplained:
    """What there is to say of one rule.

    `keeps` and `breaks` are the calls of a trace that does, None where no trace does; `findings` is
    what is wrong with the rule by itself.
    """

    rule: Rule
    automaton: RuleAutomaton
    findings: tuple[Finding, ...]
    keeps: tuple[str, ...] | None
    breaks: tuple[str, ...] | None

    @cached_property
    def chart(self) -> Chart:
        """The automaton's states and transitions."""
        return chart_of(self.automaton)

    @property
    def formula(self) -> str:
        """The formula as it is read, templates written out."""
        return str(self.automaton.formula)

    @property
    def lines(self) -> list[tuple[str, str]]:
        """What is said before the automaton, each with its heading."""
        written = " ".join(self.rule.formula.split())
        same = re.sub(r"[\s()]", "", written) == re.sub(r"[\s()]", "", self.formula)
        codes = [state.colour for state in self.chart.states]
        key = ", ".join(f"{colour.name} {colour.value}" for colour in dict.fromkeys(codes))
        caption = f"; calls {self.chart.caption}" if self.chart.caption else ""
        found = [
            ("written", "" if same else written),
            ("formula", self.formula),
            ("says", english(self.automaton.formula)),
            ("text", self.rule.text),
            *(("beware", finding.sentence) for finding in self.findings),
            ("states", f"{len(self.chart.states)} ({key}){caption}"),
        ]
        return [(name, text) for name, text in found if text]

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON."""
        names = [state.name for state in self.chart.states]
        return {
            "id": self.rule.id,
            "formula": self.formula,
            "written": self.rule.formula,
            "says": english(self.automaton.formula),
            "text": self.rule.text,
            "source": self.rule.source,
            "findings": [{"kind": x.kind.value, "sentence": x.sentence} for x in self.findings],
            "states": [{"name": x.name, "verdict": x.colour.name, "accepting": x.accepting} for x in self.chart.states],
            "transitions": [
                {"from": names[edge.source], "to": names[edge.target], "calls": list(edge.labels)}
                for edge in self.chart.edges
            ],
            "keeps": None if self.keeps is None else list(self.keeps),
            "breaks": None if self.breaks is None else list(self.breaks),
        }


def explained(rule: Rule, automaton: RuleAutomaton, signature: Signature | None = None) -> RuleExplained:
    """Explain a rule whose automaton is given."""
    keeps, breaks = accepted_example(automaton), rejected_example(automaton)
    findings = examine([rule], signature)
    return RuleExplained(
        rule,
        automaton,
        findings,
        None if keeps is None else keeps.calls,
        None if breaks is None else breaks.calls,
    )


def numbered(calls: Sequence[str]) -> str:
    """Return the calls of a trace one a line, repeated ones once with their number."""
    if not calls:
        return "(no call at all)"
    lines, step = [], 1
    for call, run in groupby(calls):
        count = len(list(run))
        lines.append(f"{step}. {call}" if count == 1 else f"{step}–{step + count - 1}. {call} ({count} times)")
        step += count
    return "\n".join(lines)
