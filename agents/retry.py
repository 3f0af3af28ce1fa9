"""When to ask a model server again, and how long to wait before.

    >>> waits = Retry(max_retries=3, first_delay=0.5)
    >>> [waits.delay(attempt, None) for attempt in range(3)]
    [0.5, 1.0, 2.0]

The waits double, without jitter, so that a run can be repeated; a server's `Retry-After` comes first.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

_LONGEST = 30.0


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how long: `max_wait` bounds the seconds waited for one reply, all tries together."""

    max_retries: int = 5
    first_delay: float = 0.5
    max_wait: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.time

    def delay(self, attempt: int, retry_after: str | None) -> float:
        """Return the seconds to wait after failed attempt number `attempt`, counted from 0."""
        asked = self._asked(retry_after) if retry_after else None
        return min(self.first_delay * 2.0 ** min(attempt, 30), _LONGEST) if asked is None else asked

    def _asked(self, retry_after: str) -> float | None:
        """`Retry-After` is a number of seconds or an HTTP date; anything else is ignored."""
        try:
            seconds = float(retry_after)
        except ValueError:
            try:
                seconds = parsedate_to_datetime(retry_after).timestamp() - self.clock()
            except (ValueError, OverflowError):
                return None
        return None if math.isnan(seconds) else max(seconds, 0.0)


def is_transient(status: int) -> bool:
    """Whether an HTTP status may be gone at the next try."""
    return status in (408, 409, 429) or status >= 500
