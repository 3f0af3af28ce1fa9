"""Keys that nobody says aloud: which ones a call needs, and which reads show them.

A customer says "my card ending in 1234"; the call needs `CRD-000004`, and `list_cards` shows it.
"""

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lexgym.core import Event, Status, ToolCall
from lexgym.envs.domain import Domain
from lexgym.generators.related import keys
from lexgym.generators.wording import describe
from lexgym.tools.database import Database


class Lookups:
    """The lookups of one episode, about one anchor row; which read shows a key first is drawn, if none is named."""

    def __init__(
        self, domain: Domain, db: Database, anchor: dict[str, Any], rng: random.Random, first: str | None = None
    ) -> None:
        self.domain, self.db, self.anchor = domain, db, anchor
        readers = [
            tool
            for name, tool in domain.tools.items()
            if name not in domain.phrases["tools"] and name not in domain.safety_critical
        ]
        self._readers = sorted(rng.sample(readers, len(readers)), key=lambda tool: tool.name != first)

    def reads(self, tool: str) -> bool:
        """Whether a tool is one of the lookups."""
        return any(reader.name == tool for reader in self._readers)

    def needs(self, tool: str, call: ToolCall, events: Sequence[Event]) -> bool:
        """Whether a key that nobody says of the call would be looked up with a tool."""
        unsaid = [value for value in self.unsaid(call) if value is not None and not self.shown(value, events)]
        ways = [next(self.finding(value, call, events), None) for value in unsaid]
        return any(way is not None and way.name == tool for way in ways)

    def unsaid(self, call: ToolCall) -> Iterator[Any]:
        """Yield the keys that the words for them do not hold; None for one without words of its own."""
        for parameter in self.domain.tools[call.name].parameters:
            value = call.arguments.get(parameter.name)
            if parameter.ref is None or value is None:
                continue
            text = describe(self.domain, self.db, parameter.ref.column, value)
            if text is None or self._ambiguous(parameter.ref.column, text):
                yield None
            elif str(value) not in text:
                yield value

    def shown(self, value: Any, events: Iterable[Event]) -> bool:
        """Whether the result of a step that is not there for the law has shown the key already."""
        text = json.dumps(value)
        open_ = (event for event in events if event.name not in self.domain.safety_critical)
        return any(text in json.dumps(event.result) for event in open_)

    def finding(self, value: Any, call: ToolCall, events: Sequence[Event]) -> Iterator[ToolCall]:
        """Yield the reads that would show the key, from what is known of the anchor, of the call and from results."""
        hidden = [key for key in self.unsaid(call) if not self.shown(key, events)]
        said = {name: given for name, given in call.arguments.items() if given not in hidden}
        sources = {**self.anchor, **said}
        for tool in self._readers:
            needed = [p.name for p in tool.parameters if p.required]
            if not all(name in sources for name in needed) or any(sources[name] == value for name in needed):
                continue
            look_up = ToolCall(tool.name, tool.validate({name: sources[name] for name in needed}))
            self.db.begin()
            event = self.domain.tools.execute(self.db, look_up, step=0)
            self.db.rollback()
            if event.status is Status.OK and json.dumps(value) in json.dumps(event.result):
                yield look_up

    def _ambiguous(self, column: str, text: str) -> bool:
        focus = self.anchor[self.domain.anchor.partition(".")[2]]
        options = keys(self.domain, self.db, column, focus)
        return [describe(self.domain, self.db, column, option) for option in options].count(text) > 1
