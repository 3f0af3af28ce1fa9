"""Rows that a careless agent could take for the ones that are meant.

    distractors(load_domain("finance"), scenario)      # 3

A distractor is another row of the same table, within the reach of the person whom the episode is about, whose words
differ from those of the row that is meant in one word at most: "the card ending in 1234" beside one ending in 9876.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from lexgym.envs.domain import Domain
from lexgym.generators.related import keys
from lexgym.generators.wording import describe
from lexgym.scenario import Scenario
from lexgym.tools.database import Database


def distractors(domain: Domain, scenario: Scenario) -> int:
    """Return how many there are for all rows that the business calls name; 0 in a domain without words for rows."""
    if not domain.phrases.get("describe"):
        return 0
    db = Database(domain.schema, clock=scenario.clock)
    db.load(scenario.initial, scenario.sequences)
    focus = _focus(domain, scenario)
    count = sum(_alike(domain, db, column, value, focus) for column, value in dict.fromkeys(_named(domain, scenario)))
    db.close()
    return count


def _named(domain: Domain, scenario: Scenario) -> Iterator[tuple[str, Any]]:
    """Yield column and key of each row that a business call names, but that of the anchor."""
    for call in scenario.naive:
        for parameter in domain.tools[call.name].parameters if call.name in domain.tools else ():
            value = call.arguments.get(parameter.name)
            if parameter.ref and parameter.ref.column != domain.anchor and isinstance(value, str | int):
                yield parameter.ref.column, value


def _focus(domain: Domain, scenario: Scenario) -> Any:
    """Return the key of the row that the episode is about, as far as a call names it."""
    for call in scenario.calls:
        for parameter in domain.tools[call.name].parameters if call.name in domain.tools else ():
            if parameter.ref and parameter.ref.column == domain.anchor and parameter.name in call.arguments:
                return call.arguments[parameter.name]
    return None


def _alike(domain: Domain, db: Database, column: str, meant: Any, focus: Any) -> int:
    text = describe(domain, db, column, meant)
    if text is None:
        return 0
    others = [describe(domain, db, column, key) for key in keys(domain, db, column, focus) if key != meant]
    return sum(other is not None and _differ(text, other) <= 1 for other in others)


def _differ(one: str, other: str) -> int:
    """Return in how many words two texts differ."""
    left, right = Counter(one.split()), Counter(other.split())
    return max((left - right).total(), (right - left).total())
