"""The page about the domain says what the domain is now: its tables, tools, rules and refusals."""

from pathlib import Path

from lexgym.envs.domain import Domain

PAGE = (Path(__file__).parents[3] / "docs" / "domains" / "finance.md").read_text(encoding="utf-8")


def test_every_table_is_in_the_diagram_and_the_compliance_tables_are_marked(domain: Domain) -> None:
    diagram = PAGE.split("```mermaid")[1].split("```")[0].split("\n")
    assert set(domain.schema.tables) <= set(" ".join(diagram).split())
    assert {line.split()[2] for line in diagram if "(compliance)" in line} == domain.compliance


def test_the_numbers_of_tools(domain: Domain) -> None:
    assert f"{len(domain.tools)} tools, of which {len(domain.safety_critical)} are safety-critical." in PAGE


def test_every_rule_has_its_row(domain: Domain) -> None:
    for rule in domain.rules:
        [row] = [line for line in PAGE.split("\n") if line.startswith(f"| `{rule.id}` |")]
        assert f"{rule.article} |" in row
        assert row.endswith(f"| {' '.join(rule.text.split())} |")


def test_every_lawful_refusal_has_its_row(domain: Domain) -> None:
    for tool, refusal in domain.refusals.items():
        for check, reason in refusal.reasons.items():
            assert f"| `{tool}` | `{check}` | {reason} |" in PAGE
