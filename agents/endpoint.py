"""One model behind an OpenAI-compatible server: a request, and everything that can go wrong with it.

    endpoint = Endpoint("gpt-4o-mini")
    reply = endpoint.complete({"messages": [{"role": "user", "content": "hello"}]})

This is the one boundary where failures of the outside world are typed: they leave as `AgentError`,
with the server, the model and the way out in the message, and never with the key.
"""

import ipaddress
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from lexgym.agents.concessions import conceded, fitted, unlimited
from lexgym.agents.reply import Reply, read_reply
from lexgym.agents.retry import Retry, is_transient
from lexgym.errors import AgentError, ContextExceeded

if TYPE_CHECKING:
    import openai

OPENAI_URL = "https://api.openai.com/v1"
_PLACEHOLDER_KEY = "local"
_SLOW_RETRIES = 1
_CONTEXT_SIGNS = ("context_length", "context length", "context size", "context window", "maximum context")
_WAYS_OUT = {
    400: "change or omit what it rejects: temperature=None, max_tokens=None, options={…}",
    401: "check the key: OPENAI_API_KEY or api_key=",
    403: "check the key and what it may use: OPENAI_API_KEY or api_key=",
    404: "check the model's name, and that base_url is right (it mostly ends in /v1)",
    422: "change or omit what it rejects: temperature=None, max_tokens=None, options={…}",
    429: "run fewer episodes at once, or raise max_retries",
}


class RequestFailed(AgentError):
    """A request brought no usable reply; `status` is None where the server did not answer.

    `slow` says that it took too long, `reason` is what the server said.
    """

    def __init__(
        self,
        message: str,
        *,
        reason: str = "",
        status: int | None = None,
        transient: bool = False,
        slow: bool = False,
        retry_after: str | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.status = status
        self.transient = transient
        self.slow = slow
        self.retry_after = retry_after

    @property
    def rejected(self) -> bool:
        """Whether the server understood the request and would not have it."""
        return self.status in (400, 422)


class _TooLong(RequestFailed, ContextExceeded):
    """The conversation no longer fits the model."""

    @property
    def rejected(self) -> bool:
        """Asking in another way would not help."""
        return False


class Endpoint:
    """Sends chat completions to one model, again where that can help.

    Fields that the server names when it refuses a request are left out from then on: `omitted`. What is waited for or
    left out is told to `tell`.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 120.0,
        retry: Retry | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.model = model
        self.omitted: set[str] = set()
        self._tell = tell or (lambda text: None)
        self.base_url = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
        self.shown, host = _checked(self.base_url)
        self._where = f"model {model!r} at {self.shown}"
        self._key = _usable_key(api_key or os.environ.get("OPENAI_API_KEY") or "", host, self.shown)
        self._timeout = timeout
        self._retry = retry or Retry()
        self._client: openai.OpenAI | None = None

    def complete(self, body: dict[str, Any]) -> Reply:
        """Return the model's reply to a request; raise `RequestFailed` when every allowed try has failed."""
        attempt, waited = 0, 0.0
        while True:
            sent = fitted(body, self.omitted)
            try:
                return self._once(sent)
            except RequestFailed as failure:
                if (less := self._less(sent, failure)) is not None:
                    body = less
                    continue
                if not failure.transient:
                    raise
                delay = self._retry.delay(attempt, failure.retry_after)
                attempt += 1
                if attempt > self._retry.max_retries or (failure.slow and attempt > _SLOW_RETRIES):
                    raise self._gave_up(failure, f"{attempt} {'try' if attempt == 1 else 'tries'}") from None
                if waited + delay > self._retry.max_wait:
                    raise self._gave_up(failure, f"not waiting another {delay:g} s") from None
                self._tell(f"{failure}; trying again in {delay:g} s")
            self._retry.sleep(delay)
            waited += delay

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _less(self, sent: dict[str, Any], failure: RequestFailed) -> dict[str, Any] | None:
        """Return the request as it may do, None where asking for less would not help."""
        if isinstance(failure, _TooLong):
            return unlimited(sent, failure.reason)
        field = conceded(sent, failure.reason) if failure.rejected else None
        if field is None:
            return None
        self.omitted.add(field)
        self._tell(self._message(failure.reason, f"{field!r} is left out from now on"))
        return sent

    def _once(self, body: dict[str, Any]) -> Reply:
        content = self._send(body)
        try:
            return read_reply(content)
        except ValueError as error:
            raise self._failure(str(error), "check that base_url is a chat completions API", transient=True) from None

    def _send(self, body: dict[str, Any]) -> bytes:
        import openai

        try:
            completions = self._connected().chat.completions.with_raw_response
            others = {key: value for key, value in body.items() if key != "messages"}
            raw = completions.create(model=self.model, messages=body["messages"], extra_body=others)
            return raw.http_response.content
        except openai.APIStatusError as error:
            raise self._refused(error) from None
        except openai.APITimeoutError:
            raise self._failure(
                f"no reply within {self._timeout:g} s", "raise timeout= (--timeout)", transient=True, slow=True
            ) from None
        except openai.APIConnectionError as error:
            reason = f"the connection failed ({error.__cause__ or error})"
            raise self._failure(reason, "check that the server runs, and base_url", transient=True) from None
        except openai.OpenAIError as error:
            raise self._failure(str(error), "check the settings of the agent") from None

    def _connected(self) -> "openai.OpenAI":
        if self._client is None:
            import openai

            self._client = openai.OpenAI(
                api_key=self._key, base_url=self.base_url, timeout=self._timeout, max_retries=0
            )
        return self._client

    def _refused(self, error: "openai.APIStatusError") -> RequestFailed:
        status, body = error.status_code, error.body
        reason = str(body.get("message") or body) if isinstance(body, dict) else str(body or "")
        lowered = f"{error.code} {reason}".lower()
        if status in (400, 413) and any(sign in lowered for sign in _CONTEXT_SIGNS):
            way_out = "use a model with a longer context, or fewer steps"
            return _TooLong(self._message(f"HTTP {status}: {reason}", way_out), reason=reason, status=status)
        return self._failure(
            f"HTTP {status}: {reason}",
            _WAYS_OUT.get(status, "look at the server's log"),
            said=reason,
            status=status,
            transient=is_transient(status) and error.code != "insufficient_quota",
            retry_after=error.response.headers.get("retry-after"),
        )

    def _failure(self, reason: str, way_out: str, said: str = "", **details: Any) -> RequestFailed:
        return RequestFailed(self._message(reason, way_out), reason=said, **details)

    def _message(self, reason: str, way_out: str) -> str:
        if self._key != _PLACEHOLDER_KEY:
            reason = reason.replace(self._key, "***")
        return f"{self._where}: {reason[:400]}; {way_out}"

    def _gave_up(self, failure: RequestFailed, why: str) -> RequestFailed:
        return RequestFailed(f"{failure} (gave up: {why})", status=failure.status)

    def __repr__(self) -> str:
        return f"Endpoint({self.model!r}, base_url={self.shown!r})"


def _checked(base_url: str) -> tuple[str, str]:
    """The URL as it may be shown, without a password, and its host."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    if parts.scheme not in ("http", "https") or not host:
        raise AgentError(f"base_url {base_url!r} is not a URL such as 'http://127.0.0.1:8000/v1'")
    netloc = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, netloc if port is None else f"{netloc}:{port}", parts.path, "", "")), host


def _usable_key(key: str, host: str, shown: str) -> str:
    key = key.strip() or (_PLACEHOLDER_KEY if _is_local(host) else "")
    if not key:
        raise AgentError(f"no API key for {shown}: set OPENAI_API_KEY or pass api_key=")
    if not (key.isascii() and key.isprintable()):
        raise AgentError(f"the API key for {shown} holds characters that no HTTP header may carry")
    return key


def _is_local(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith((".localhost", ".local", ".internal"))
    return address.is_private or address.is_loopback or address.is_unspecified
