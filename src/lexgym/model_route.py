"""The link between the extractor and a model server, with a cache on disk and what it cost.

    link = ModelLink("gpt-4o-mini", None, Path("rules.cache.jsonl"))
    candidates = link.read(text, cards)          # asked again, it takes from the cache what was answered before

The generators know no model; here the two meet.
"""

from collections.abc import Callable

from lexgym import asking
from lexgym.errors import AgentError, ExtractionError
from lexgym.generators.extraction.candidates import Candidate
from lexgym.generators.extraction.model_route import ModelRoute
from lexgym.generators.extraction.toolset import Cards


class ModelLink(asking.ModelLink):
    """Has one model read regulations."""

    def read(self, text: str, cards: Cards, progress: Callable[[int, int], None] | None = None) -> list[Candidate]:
        """Return the candidates that the model finds; what was answered is kept where the server fails."""
        try:
            found = ModelRoute(self.ask, self.model).read(text, cards, progress)
        except AgentError as error:
            error.add_note(self.kept)
            raise
        if not found:
            raise ExtractionError(
                f"no deontic sentence was found by model {self.model!r}, which answered {len(self.known)} questions "
                f"with empty lists (see {self.cache}); try another model, or leave --model out for the built-in grammar"
            )
        return found
