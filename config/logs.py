"""The log: one line for each event with its figures, for people or for machines."""

import logging
from typing import Any

import structlog

_COMMON: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


class RefusalHandler(logging.Handler):
    """Counts refused requests by their class. Django would log each of them. What failed because
    the database cannot be used is counted by `config.errors`, without a traceback each time.

    Such a line would repeat what a stranger sent, and a flood of requests would flood the log.
    """

    def emit(self, record: logging.LogRecord) -> None:
        from games.runtime.db import is_unavailable  # once the apps are there
        from games.runtime.metrics import refused

        status = getattr(record, "status_code", None)
        if status is not None and status < 500:
            refused(f"http-{status}")
        elif status == 503 and record.exc_info and is_unavailable(record.exc_info[1]):
            refused("http-503")
        else:
            logging.getLogger().handle(record)


class RedisHandler(logging.Handler):
    """Counts the losses of Redis. The channel layer would log a traceback each time."""

    def emit(self, record: logging.LogRecord) -> None:
        from games.runtime.metrics import redis_failed  # once the apps are there

        error = record.exc_info[1] if record.exc_info else None
        redis_failed(error if isinstance(error, Exception) else OSError(record.getMessage()))


def configure_logging(style: str) -> dict[str, Any]:
    """Set up structlog; gives the value of Django's LOGGING. `style` is CONSOLE or JSON."""
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
            "refused": {"class": "config.logs.RefusalHandler"},
            "redis": {"class": "config.logs.RedisHandler", "level": "WARNING"},
        },
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "games": {"level": "INFO"},
            "lobby": {"level": "INFO"},
            "config": {"level": "INFO"},
            "django.request": {"handlers": ["refused"], "propagate": False},
            "django.security": {"handlers": ["refused"], "propagate": False},
            "oauthlib": {"level": "WARNING"},  # it writes codes into lines for debugging
            "channels_redis": {"handlers": ["redis"], "propagate": False},
            "django.server": {"level": "WARNING"},
        },
    }
