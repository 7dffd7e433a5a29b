"""The logging configuration: events are logged as readable text, or as one line of JSON each."""

import logging
from typing import Any

import structlog

from config import failures

_COMMON: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


class RefusalHandler(logging.Handler):
    """Count refused requests by status instead of logging each request.

    Django's log line would repeat text from a stranger, and a flood of requests would flood the
    log. `config.errors` counts failures of the database, so these need no traceback either. All
    other records go to the root logger.
    """

    def emit(self, record: logging.LogRecord) -> None:
        # These imports are late, because the apps must be loaded first.
        from games.runtime.db import is_unavailable
        from games.runtime.metrics import count_refusal

        status = getattr(record, "status_code", None)
        if status is not None and status < 500:
            count_refusal(f"http-{status}")
        elif status == 503 and record.exc_info and is_unavailable(record.exc_info[1]):
            count_refusal("http-503")
        else:
            logging.getLogger().handle(record)


class FailureHandler(logging.Handler):
    """Count errors by kind for the status page."""

    def emit(self, record: logging.LogRecord) -> None:
        failures.count_failure(record)


class RedisHandler(logging.Handler):
    """Count failures of Redis. The channel layer would log a traceback for each failure."""

    def emit(self, record: logging.LogRecord) -> None:
        # Imported late, because the apps must be loaded first.
        from games.runtime.metrics import count_redis_error

        error = record.exc_info[1] if record.exc_info else None
        count_redis_error(error if isinstance(error, Exception) else OSError(record.getMessage()))


def configure_logging(style: str) -> dict[str, Any]:
    """Configure structlog, and return the value of `LOGGING`. `style` is "CONSOLE" or "JSON"."""
    structlog.configure(
        processors=[*_COMMON, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    last: list[Any] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if style == "JSON"
        else [
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _COMMON,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
            }
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line"},
            "failures": {"class": "config.logs.FailureHandler", "level": "ERROR"},
            "refused": {"class": "config.logs.RefusalHandler"},
            "redis": {"class": "config.logs.RedisHandler", "level": "WARNING"},
        },
        "root": {"handlers": ["console", "failures"], "level": "WARNING"},
        "loggers": {
            "games": {"level": "INFO"},
            "lobby": {"level": "INFO"},
            "config": {"level": "INFO"},
            "django.request": {"handlers": ["refused"], "propagate": False},
            "django.security": {"handlers": ["refused"], "propagate": False},
            "oauthlib": {"level": "WARNING"},  # its debug lines contain authorization codes
            "channels_redis": {"handlers": ["redis"], "propagate": False},
            "django.server": {"level": "WARNING"},
        },
    }
