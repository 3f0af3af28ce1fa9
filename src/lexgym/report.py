"""The report page: one self-contained HTML file that shows which call broke which article."""

from pathlib import Path
from typing import Any

from lexgym.summary import OUTCOMES, summarise, wilson


def write_report(path: Path, title: str, records: list[dict[str, Any]]) -> None:
    """Write the page for these records to `path`."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(loader=PackageLoader("lexgym", "templates"), autoescape=True, trim_blocks=True)
    environment.filters["percent"] = lambda value: f"{100 * value:.0f} %"
    environment.globals["wilson"] = wilson
    page = environment.get_template("report.html.j2").render(
        title=title, outcomes=OUTCOMES, agents=summarise(records)["agents"], records=records
    )
    path.write_text(page, encoding="utf-8")
