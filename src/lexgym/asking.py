"""Questions to a model with JSON answers: structured outputs, a cache on disk, what it cost.

    link = ModelLink("gpt-4o-mini", None, Path("runs/reword/answers.jsonl"))
    link.ask(messages, schema)           # '{"goal": "…"}'; asked again, it comes from the cache

The generators know no model: they are handed `ask`.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lexgym.agents.endpoint import Endpoint, RequestFailed
from lexgym.agents.json_scan import spans
from lexgym.agents.protocol import Usage
from lexgym.agents.reply import Reply
from lexgym.agents.retry import Retry

MAX_TOKENS = 4_096
"""Longest answer, in tokens."""


class ModelLink:
    """Asks one model and keeps every answer in a file as it comes; raises `AgentError` where the server fails."""

    def __init__(self, model: str, base_url: str | None, cache: Path, retry: Retry | None = None) -> None:
        self._endpoint = Endpoint(model, base_url=base_url, retry=retry)
        self._cache = cache
        self._known = _answers(cache)
        self._structured = True
        self.usage = Usage()
        self.remembered = 0

    @property
    def cost(self) -> str:
        """What was spent since the link was made, in words."""
        spent = self.usage
        return (
            f"{self._endpoint.model}: {spent.requests} requests, {spent.prompt_tokens} + {spent.completion_tokens} "
            f"tokens (prompt + answer), {self.remembered} answers from {self._cache}"
        )

    def ask(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> str:
        """Return the JSON object that the model answers, an empty text where it answers none."""
        asked = json.dumps([self._endpoint.model, self._endpoint.shown, messages, schema], sort_keys=True)
        key = hashlib.sha256(asked.encode()).hexdigest()
        if key in self._known:
            self.remembered += 1
        else:
            reply = self._complete(messages, schema)
            self.usage += reply.usage
            self._keep(key, reply.text or "")
        return _object(self._known[key])

    def close(self) -> None:
        """Close the connections to the server."""
        self._endpoint.close()

    def _complete(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> Reply:
        body: dict[str, Any] = {"messages": messages, "temperature": 0.0, "max_tokens": MAX_TOKENS}
        if self._structured:
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
    """Return the answers in a cache; a line that an interruption cut off is removed and counts as not answered."""
    if not cache.is_file():
        return {}
    data = cache.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(cache, whole)
    found: dict[str, str] = {}
    for line in data[:whole].decode("utf-8", "replace").splitlines():
        try:
            match json.loads(line):
                case {"key": str(key), "text": str(text)}:
                    found[key] = text
        except ValueError:
            continue
    return found


def _object(text: str) -> str:
    """Return the longest JSON object in an answer: bare, fenced or in prose."""
    answer = text.rpartition("</think>")[2]
    return max((answer[start:end] for start, end in spans(answer)), key=len, default="")
