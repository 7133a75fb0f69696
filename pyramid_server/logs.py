from __future__ import annotations

import logging
from typing import Any


class OneLine(logging.Formatter):
    """Keeps each message on one line, so that no request can forge a log entry. Only tracebacks take more lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name belongs to logging
        return super().formatMessage(record).replace("\r", "\\r").replace("\n", "\\n")


class NoTracebackForClientErrors(logging.Filter):
    """Drops the traceback of a refused request; the mistake is not in our code."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = None
        return True


def to_stderr(level: str) -> dict[str, Any]:
    """Return a logging configuration that sends everything from `level` upwards to standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"one_line": {"()": OneLine, "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "filters": {"client_errors": {"()": NoTracebackForClientErrors}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "one_line", "filters": ["client_errors"]}
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            # A 4xx answer is the client's mistake, not an event of ours.
            "django.request": {"level": "ERROR"},
            "daphne": {"level": "WARNING"},
        },
    }
