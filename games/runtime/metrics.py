"""Counters and timers for `/metrics` and the log. They contain no names and no texts."""

import logging
import threading
import time
from collections import Counter as Tally

import structlog
from django.conf import settings
from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

log = structlog.get_logger(__name__)

disable_created_metrics()  # type: ignore[no-untyped-call]  # the function is not annotated
# The buckets of the timers, in seconds.
_SHORT = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)

SOCKETS = Gauge("parlour_sockets", "Open websockets and streams of this process.", ["kind"])
CLOSED = Counter("parlour_sockets_closed", "Websockets that the server closed.", ["code"])
COMMANDS = Counter("parlour_actions", "Actions and other commands, by what became of them.", ["to"])
BATCH = Histogram(
    "parlour_commit_size",
    "Commands in one transaction.",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
)
COMMIT = Histogram("parlour_commit_seconds", "From a batch to its commit.", buckets=_SHORT)
PUBLISH = Histogram(
    "parlour_publish_seconds", "Handing new states to all sockets here.", buckets=_SHORT
)
REFUSED = Counter("parlour_refusals", "What was refused, by its code.", ["code"])
REFEREE = Counter("parlour_referee_matches", "Matches in which a referee saw something due.")
ROUND = Histogram("parlour_referee_seconds", "One round of a referee.", buckets=_SHORT)
EVENTS = Counter("parlour_events", "Events of matches that were handed on.", ["kind", "to"])
ROUNDS = Counter(
    "parlour_rounds", "Rounds of each background loop, by what became of them.", ["part", "to"]
)
THINKING = Gauge("parlour_turns", "Turns of the computer's that this process has taken.")
THOUGHT = Histogram(
    "parlour_thought_seconds",
    "From taking a turn of the computer's to its action.",
    ["game", "level"],
    buckets=_SHORT,
)
DATABASE_ERRORS = Counter("parlour_database_errors", "Failures of the database.", ["error"])
REDIS_ERRORS = Counter("parlour_redis_errors", "Failures of Redis.", ["error"])

_LOG_EVERY = 60.0  # seconds between two lines about the same event


class _Seldom:
    """A logger that reports the same event at most once a minute, with the number of times."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # several threads render pages
        self._untold: Tally[tuple[str, str]] = Tally()
        self._told_at: dict[tuple[str, str], float] = {}

    def tell(self, event: str, kind: str, level: int) -> None:
        now, key = time.monotonic(), (event, kind)
        with self._lock:
            self._untold[key] += 1
            if now - self._told_at.get(key, -_LOG_EVERY) < _LOG_EVERY:
                return
            self._told_at[key] = now
            times = self._untold.pop(key)
        log.log(level, event, kind=kind, times=times)


_seldom = _Seldom()


def count_refusal(code: str) -> None:
    """Count a refusal. Log the first one immediately, and later ones at most once a minute."""
    REFUSED.labels(code).inc()
    _seldom.tell("refused", code, logging.INFO)


def count_database_error(error: Exception) -> None:
    kind = error.__class__.__name__
    DATABASE_ERRORS.labels(kind).inc()
    _seldom.tell("database failed", kind, logging.WARNING)


def redis_errors() -> tuple[type[Exception], ...]:
    """Return the classes of errors to expect of Redis. Its library is imported only if used."""
    if not settings.REDIS_URL:
        return (OSError,)
    from redis.exceptions import RedisError

    return RedisError, OSError


def count_redis_error(error: Exception) -> None:
    """Count a failure of Redis, without which the site keeps working."""
    kind = error.__class__.__name__
    REDIS_ERRORS.labels(kind).inc()
    _seldom.tell("redis failed", kind, logging.WARNING)
