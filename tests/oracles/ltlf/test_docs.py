"""The semantics page is true: its examples run, its table of templates is the one that is built."""

import re
from pathlib import Path

import pytest

from lexgym.oracles.ltlf import counterexample, parse
from lexgym.oracles.ltlf.declare import NAMES

PAGE = Path(__file__).parents[3] / "docs" / "ltlf.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_examples_run() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 10
    namespace: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), namespace)  # our own page


def rows() -> list[tuple[str, str]]:
    """Return each template of the tables with its formula."""
    found = []
    for line in TEXT[TEXT.index("## Templates") : TEXT.index("## Verdicts")].splitlines():
        cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) > 1 and re.match(r"`\w+\(", cells[0]):
            formulas = re.findall(r"`(.*?)`", cells[1])
            found += [(template, formulas[0] if formulas else "") for template in re.findall(r"`(.*?)`", cells[0])]
    return found


def test_every_template_is_in_the_tables() -> None:
    named = {template.partition("(")[0] for template, _ in rows()}
    assert named == set(NAMES) - {"instruction_adherence", "participation"}


@pytest.mark.parametrize(("template", "formula"), [row for row in rows() if row[1] and "…" not in row[1]])
def test_templates_mean_what_the_tables_say(template: str, formula: str) -> None:
    if formula == "response & precedence":
        formula = "response(a, b) & precedence(a, b)"
    formula = formula.replace("n + 1", "3")
    template, formula = (re.sub(r"\bm\b", "1", re.sub(r"\bn\b", "2", text)) for text in (template, formula))
    assert parse(template)
    assert counterexample(template, formula, "multi") is None
    assert counterexample(formula, template, "multi") is None
