"""The link between the extractor and a model server: structured outputs, a cache on disk, what it cost.

    link = ModelLink("gpt-4o-mini", None, Path("rules.cache.jsonl"))
    candidates = link.read(text, cards)          # asked again, it takes from the cache what was answered before

The generators know no model; here the two meet.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lexgym.agents.endpoint import Endpoint, RequestFailed
from lexgym.agents.json_scan import spans
from lexgym.agents.protocol import Usage
from lexgym.agents.reply import Reply
from lexgym.agents.retry import Retry
from lexgym.errors import AgentError
from lexgym.generators.extraction.candidates import Candidate
from lexgym.generators.extraction.model_route import ModelRoute
from lexgym.generators.extraction.toolset import Cards

MAX_TOKENS = 4_096
"""Longest answer, in tokens."""


class ModelLink:
    """Asks one model, and remembers every answer in a file as soon as it comes."""

    def __init__(self, model: str, base_url: str | None, cache: Path, retry: Retry | None = None) -> None:
        self._endpoint = Endpoint(model, base_url=base_url, retry=retry)
        self._cache = cache
        self._known = _answers(cache)
        self._structured = True
        self._spent, self._remembered = Usage(), 0
        self._route = ModelRoute(self.ask, model)

    @property
    def usage(self) -> dict[str, int]:
        """Tokens and requests of this run, and answers that came from the cache."""
        spent = self._spent
        return {
            "requests": spent.requests,
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
            "cached": self._remembered,
        }

    @property
    def cost(self) -> str:
        """What this run cost, in words."""
        spent = self._spent
        return (
            f"{self._endpoint.model}: {spent.requests} requests, {spent.prompt_tokens} + {spent.completion_tokens} "
            f"tokens (prompt + answer); {self._remembered} answers from {self._cache}"
        )

    def read(self, text: str, cards: Cards, progress: Callable[[int, int], None] | None = None) -> list[Candidate]:
        """Return the candidates that the model finds; what was answered is kept where the server fails."""
        try:
            return self._route.read(text, cards, progress)
        except AgentError as error:
            kept = len(self._known)
            error.add_note(f"{kept} answers are kept in {self._cache}: the same command goes on from there")
            raise

    def ask(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> str:
        """Return the JSON object that a model answers, an empty text where it answers none."""
        asked = json.dumps([self._endpoint.model, self._endpoint.shown, messages, schema], sort_keys=True)
        key = hashlib.sha256(asked.encode()).hexdigest()
        if key in self._known:
            self._remembered += 1
        else:
            reply = self._complete(messages, schema)
            self._spent += reply.usage
            self._keep(key, reply.text or "")
        return _object(self._known[key])

    def close(self) -> None:
        """Close the connections to the server."""
        self._endpoint.close()

    def _complete(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> Reply:
        body: dict[str, Any] = {"messages": messages, "temperature": 0.0, "max_tokens": MAX_TOKENS}
        if not self._structured:
            return self._endpoint.complete(body)
        form = {"name": "answer", "schema": dict(schema), "strict": True}
        try:
            return self._endpoint.complete(body | {"response_format": {"type": "json_schema", "json_schema": form}})
        except RequestFailed as failure:
            if not failure.rejected:
                raise
        reply = self._endpoint.complete(body)
        self._structured = False
        return reply

    def _keep(self, key: str, text: str) -> None:
        self._known[key] = text
        self._cache.parent.mkdir(parents=True, exist_ok=True)
        with self._cache.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "text": text}, ensure_ascii=False) + "\n")


def _answers(cache: Path) -> dict[str, str]:
    """Return the answers in a cache; a line that an interruption cut off counts as not answered."""
    found: dict[str, str] = {}
    if not cache.is_file():
        return found
    lines = cache.read_text(encoding="utf-8", errors="replace").splitlines()
    for line in lines:
        try:
            match json.loads(line):
                case {"key": str(key), "text": str(text)}:
                    found[key] = text
        except ValueError:
            continue
    if lines and not cache.read_bytes().endswith(b"\n"):
        with cache.open("a", encoding="utf-8") as file:
            file.write("\n")
    return found


def _object(text: str) -> str:
    """Return the longest JSON object in an answer, bare, fenced or in prose."""
    answer = text.rpartition("</think>")[2]
    found = [answer[start:end] for start, end in spans(answer)]
    return max(found, key=len, default="")
