"""A small real model server on the loopback: it answers each request with the next scripted behaviour.

    with ModelServer([calls(("get_balance", {"account": "A-1"})), Answer(status=500)]) as server:
        OpenAIAgent("toy", base_url=server.url)
    server.requests[0].body["messages"]

When the script is used up, the last behaviour is repeated.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One behaviour: a status, a body (JSON, or bytes as they are), headers, and how much is really sent."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    sent: int | None = None
    rejects: str = ""

    @property
    def data(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Request:
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


def says(text: str | None, **message: Any) -> Answer:
    """The model writes text."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, **message}}
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    return Answer({"id": "x", "object": "chat.completion", "model": "toy", "choices": [choice], "usage": usage})


def calls(*calls: tuple[str, Any], text: str | None = None) -> Answer:
    """The model calls tools; arguments that are text are sent as they are."""
    return says(text, tool_calls=[_call(index, *call) for index, call in enumerate(calls)])


def fails(status: int, message: str = "no", **details: Any) -> Answer:
    """The server answers with an OpenAI error."""
    headers = details.pop("headers", {})
    return Answer({"error": {"message": message, "type": "error", **details}}, status, headers)


def rejecting(field_name: str, otherwise: Answer) -> Answer:
    """HTTP 400 for requests that have the field."""
    return Answer(otherwise.body, otherwise.status, otherwise.headers, rejects=field_name)


def _call(index: int, name: str, arguments: Any) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": f"id_{index}", "type": "function", "function": {"name": name, "arguments": text}}


class ModelServer:
    """Serves `/v1/chat/completions` from a thread until the `with` block ends."""

    def __init__(self, script: Sequence[Answer]) -> None:
        self.script = list(script)
        self.requests: list[Request] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _next(self, request: Request) -> Answer:
        answer = self.script[min(len(self.requests), len(self.script) - 1)]
        self.requests.append(request)
        if answer.rejects and answer.rejects in request.body:
            return fails(400, f"{answer.rejects} is not supported", param=answer.rejects)
        return answer

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                size = int(headers["content-length"])
                request = Request(self.path, headers, json.loads(self.rfile.read(size)))
                answer = server._next(request)
                if answer.sent == 0:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.data)))
                self.end_headers()
                self.wfile.write(answer.data[: answer.sent])

            def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
                """Keep the test output clean."""

        return Handler
