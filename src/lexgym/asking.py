"""Questions to a model with JSON answers: structured outputs, a cache on disk, what it cost.

    link = ModelLink("gpt-4o-mini", None, Path("runs/reword/answers.jsonl"))
    link.ask(messages, schema)           # '{"goal": "…"}'; asked again, it comes from the cache

The generators know no model: they are handed `ask`.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lexgym.agents.endpoint import Endpoint, RequestFailed
from lexgym.agents.json_scan import spans
from lexgym.agents.protocol import Usage
from lexgym.agents.reply import Reply
from lexgym.agents.retry import Retry

MAX_TOKENS = 4_096
"""Longest answer, in tokens."""

TIMEOUT = 600.0
"""Seconds that an answer may take."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an answer may be, in tokens, and how long it may take, in seconds."""

    max_tokens: int = MAX_TOKENS
    timeout: float = TIMEOUT


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote; `cut` is the limit, in tokens, at which it was cut off, 0 where it was not."""

    text: str
    cut: int = 0
    usage: Usage = field(default_factory=Usage)


class ModelLink:
    """Asks one model and keeps every answer in a file as it comes; raises `AgentError` where the server fails.

    `tell` hears what is waited for or left out, `progress` is called after each answer.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None,
        cache: Path,
        retry: Retry | None = None,
        *,
        limits: Limits = USUAL,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._endpoint = Endpoint(model, base_url=base_url, retry=retry, timeout=limits.timeout, tell=tell)
        self._limit = limits.max_tokens
        self.model, self.cache = model, cache
        self.known = _answers(cache)
        self._structured = True
        self.spent = Usage()
        self.remembered = 0
        self.saved = Usage()
        self.cut = 0
        self.progress: Callable[[], None] = lambda: None

    @property
    def usage(self) -> dict[str, int]:
        """Tokens and requests since the link was made, and answers that came from the cache."""
        return {
            "requests": self.spent.requests,
            "prompt_tokens": self.spent.prompt_tokens,
            "completion_tokens": self.spent.completion_tokens,
            "cached": self.remembered,
            "cut": self.cut,
        }

    @property
    def kept(self) -> str:
        """What a run that broke off leaves, in words."""
        return f"{self.cost}\n{len(self.known)} answers are kept in {self.cache}: the same command goes on from there"

    @property
    def cost(self) -> str:
        """What was spent since the link was made, in words."""
        spent, saved = self.spent, self.saved
        before = saved.prompt_tokens + saved.completion_tokens
        took = f" ({before:,} tokens then)" if before else ""
        cut = f"; {self.cut} answers were cut off at {self._limit} tokens (--max-tokens)" if self.cut else ""
        return (
            f"{self.model}: {spent.requests} requests, {spent.prompt_tokens} + {spent.completion_tokens} "
            f"tokens (prompt + answer); {self.remembered} answers from {self.cache}{took}{cut}"
        )

    def ask(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> str:
        """Return the JSON object that the model answers, an empty text where it answers none.

        Of an answer that was cut off the whole items are taken. Raises `ContextExceeded` where the messages are longer
        than the model takes.
        """
        return found_object(self.say(messages, schema), schema)

    def say(self, messages: list[dict[str, str]], schema: Mapping[str, Any] | None = None) -> str:
        """Return what the model answers, as it is; with a schema, the server is asked to enforce it."""
        asked = json.dumps([self._endpoint.model, self._endpoint.shown, messages, schema], sort_keys=True)
        key = hashlib.sha256(asked.encode()).hexdigest()
        known = self.known.get(key)
        if known is not None and not 0 < known.cut < self._limit:
            self.remembered += 1
            self.saved += known.usage
        else:
            reply = self._complete(messages, schema)
            self.spent += reply.usage
            known = self._keep(key, Answer(reply.text or "", self._limit if reply.cut else 0, reply.usage))
        self.cut += known.cut > 0
        self.progress()
        return known.text

    def close(self) -> None:
        """Close the connections to the server."""
        self._endpoint.close()

    def _complete(self, messages: list[dict[str, str]], schema: Mapping[str, Any] | None) -> Reply:
        body: dict[str, Any] = {"messages": messages, "temperature": 0.0, "max_tokens": self._limit}
        if schema is None:
            return self._endpoint.complete(body)
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

    def _keep(self, key: str, answer: Answer) -> Answer:
        self.known[key] = answer
        self.cache.parent.mkdir(parents=True, exist_ok=True)
        tokens = [answer.usage.prompt_tokens, answer.usage.completion_tokens]
        line = {"key": key, "text": answer.text, "tokens": tokens} | ({"cut": answer.cut} if answer.cut else {})
        with self.cache.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return answer


def _answers(cache: Path) -> dict[str, Answer]:
    """Return the answers in a cache; a line that an interruption cut off is removed and counts as not answered."""
    if not cache.is_file():
        return {}
    data = cache.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(cache, whole)
    found: dict[str, Answer] = {}
    for line in data[:whole].decode("utf-8", "replace").splitlines():
        try:
            match json.loads(line):
                case {"key": str(key), "text": str(text), **others}:
                    cut = others.get("cut")
                    found[key] = Answer(text, cut if isinstance(cut, int) else 0, _tokens(others.get("tokens")))
        except ValueError:
            continue
    return found


def _tokens(value: Any) -> Usage:
    match value:
        case [int(prompt), int(completion)]:
            return Usage(prompt, completion, 1)
    return Usage()


def found_object(text: str, schema: Mapping[str, Any]) -> str:
    """Return the longest JSON object in an answer: bare, fenced or in prose.

    Where the schema is of one list and there is no such object, the objects that have the form of its items make the
    list: the answer was cut off, or is a bare list.
    """
    answer = text.rpartition("</think>")[2]
    found = [answer[start:end] for start, end in spans(answer)]
    best = max(found, key=len, default="")
    name, needed = _listed(schema)
    if name and not _has(best, [name]):
        items = [each for each in found if _has(each, needed)]
        return f'{{"{name}": [{", ".join(items)}]}}' if items else best
    return best


def _listed(schema: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the name of the one list that a schema is of and the fields of its items; an empty name for others."""
    match list(schema.get("properties", {}).items()):
        case [(str(name), {"items": {"required": list(needed)}})]:
            return name, needed
    return "", []


def _has(text: str, names: Iterable[str]) -> bool:
    try:
        value = json.loads(text or "null")
    except ValueError:
        return False
    return isinstance(value, dict) and all(name in value for name in names)
