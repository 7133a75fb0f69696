"""The log: a line of text for each event, or a JSON object; neither ever contains a secret."""

import logging
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from games.runtime import log_context

# Nothing of ours logs these. Errors of packages and their messages at the level DEBUG quote what they are about.
SECRETS = re.compile(
    r"""
      ((?:ticket|token|password|secret|sessionid|device)['"]?\s*[=:]\s*['"]?|bearer\s+|basic\s+) [^\s&;,'")}\]]+
    | (/account/(?:claim|reset|mail)/) [^\s'"]+   # links that open an account
    | (\w://[^:/\s@]*:) [^@\s]+ (?=@)             # passwords in addresses of servers
    """,
    re.IGNORECASE | re.VERBOSE,
)


def without_secrets(text: str) -> str:
    """Return a text with keys, passwords and links that open an account left out."""
    return SECRETS.sub(lambda found: "".join(filter(None, found.groups())) + "[hidden]", text)


class OneLine(logging.Formatter):
    """Keeps each message on one line, so that no request can forge a log entry. Only tracebacks take more lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name belongs to logging
        return super().formatMessage(record).replace("\r", "\\r").replace("\n", "\\n")

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLine(logging.Formatter):
    """Writes each event as a JSON object on a line, with the identifiers of its request, player and game.

    The fields are listed here: what packages attach to their records, such as whole requests, is left out. A package
    for this would write everything that is attached.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
            **log_context.fields(),
        }
        if (status := getattr(record, "status_code", None)) is not None:
            line["status"] = status
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        return msgspec.json.encode(line, enc_hook=str).decode()


class NoTracebackForClientErrors(logging.Filter):
    """Drops the traceback of a refused request; the mistake is not in our code."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = None
        return True


FORMATTERS: dict[str, dict[str, Any]] = {
    "TEXT": {"()": OneLine, "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    "JSON": {"()": JsonLine},
}


def to_stderr(level: str, form: str) -> dict[str, Any]:
    """Return a logging configuration that sends everything from `level` upwards to standard error, as TEXT or JSON."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"chosen": FORMATTERS[form]},
        "filters": {"client_errors": {"()": NoTracebackForClientErrors}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "chosen", "filters": ["client_errors"]}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            # A 4xx answer is the client's mistake, not an event of ours.
            "django.request": {"level": "ERROR"},
            "daphne": {"level": "WARNING"},
            # Its handlers write lines of their own form, and whole addresses of requests.
            "uvicorn": {"handlers": [], "propagate": True, "level": "WARNING"},
        },
    }
