from __future__ import annotations

import logging
from typing import Any


class OneLine(logging.Formatter):
    """Keep each message on its line, so that no request can forge a log entry. Tracebacks of our bugs follow below."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name belongs to logging
        return super().formatMessage(record).replace("\r", "\\r").replace("\n", "\\n")


class NoTracebackForClientErrors(logging.Filter):
    """Drop the traceback of a request that was refused; the mistake is not in our code."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = None
        return True


def to_stderr(level: str) -> dict[str, Any]:
    """Return the logging configuration: everything from `level` upwards goes to standard error."""
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
            # A 4xx answer is the client's business and no event of ours.
            "django.request": {"level": "ERROR"},
            "daphne": {"level": "WARNING"},
        },
    }
