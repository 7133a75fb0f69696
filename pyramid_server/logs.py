"""The log: a line of text for each event, or a JSON object; neither ever contains a secret."""

import logging
import logging.config
import re
import sys
import threading
from contextlib import suppress
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
    | (Failing\ row\ contains\ ) \(.*             # hashes and addresses, as PostgreSQL quotes a row that it refuses
    """,
    re.IGNORECASE | re.VERBOSE,
)
BREAKS = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")
INVISIBLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
BETWEEN_LINES = " | "
TRACEBACK = "Traceback (most recent call last):"
LONGEST_MESSAGE = 2000
MINUTE = 60  # seconds

logger = logging.getLogger(__name__)


def without_secrets(text: str) -> str:
    """Return a text with keys, passwords and links that open an account left out."""
    return SECRETS.sub(lambda found: "".join(filter(None, found.groups())) + "[hidden]", text)


def in_one_line(text: str) -> str:
    """Return a text without secrets as one line of no great length, so that no request can forge a log entry."""
    line = visible(BREAKS.sub(BETWEEN_LINES, without_secrets(text).strip()))
    left_out = len(line) - LONGEST_MESSAGE
    return line if left_out <= 0 else f"{line[:LONGEST_MESSAGE]} ... ({left_out} more characters)"


def visible(text: str) -> str:
    """Return a text with what no terminal shows, and what is not Unicode, spelled out."""
    return INVISIBLE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


class OneLine(logging.Formatter):
    """Keeps each message on one line. Only tracebacks take more."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the name belongs to logging
        record.message = in_one_line(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return without_secrets(super().formatException(ei))


class JsonLine(logging.Formatter):
    """Writes each event as a JSON object on a line, with the identifiers of its request, player and game.

    The fields are listed here: what packages attach to their records, such as whole requests, is left out. A package
    for this would write everything that is attached.
    """

    def format(self, record: logging.LogRecord) -> str:
        # Some packages write a traceback into the message.
        message, quoted, traceback = record.getMessage().partition(TRACEBACK)
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": in_one_line(message or traceback),
            **log_context.fields(),
        }
        if (status := getattr(record, "status_code", None)) is not None:
            line["status"] = status
        if record.exc_info:
            traceback, quoted = self.formatException(record.exc_info), ""
        if traceback:
            line["exception"] = visible(without_secrets(quoted + traceback))
        return msgspec.json.encode(line, enc_hook=str).decode()


class Lines(logging.StreamHandler[Any]):
    """Writes lines; also about an event of which no line can be made, in place of the traceback of `logging` itself."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  the name belongs to logging
        where = f"{record.pathname}:{record.lineno}"
        about = (record.name, record.levelno, record.pathname, record.lineno)
        instead = logging.LogRecord(*about, "what %s logs has no text: %r", (where, sys.exception()), None)
        with suppress(Exception):  # the stream may be what failed
            self.stream.write(self.format(instead) + self.terminator)
            self.flush()


class Once(logging.Filter):
    """Lets the traceback of each exception pass once: where it was caught first is where its request is known."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        is_new = not hasattr(error, "_was_logged")
        with suppress(AttributeError):  # of an exception that takes none
            error._was_logged = True  # type: ignore[attr-defined]
        return is_new


class NoTracebackForClientErrors(logging.Filter):
    """Drops the traceback of a refused request; the mistake is not in our code."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = None
        return True


class NothingUnreadable(logging.Filter):
    """Drops what uvicorn says of bytes that it cannot read and refuses: any stranger can send them."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not str(record.msg).startswith(("Invalid HTTP request received", "Invalid UTF-8 sequence received"))


class OnceAMinute(logging.Filter):
    """Lets a line of each logger pass once a minute: what strangers can cause, and operators may have to know."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}  # when, in seconds since 1970

    def filter(self, record: logging.LogRecord) -> bool:
        if 0 <= record.created - self._last.get(record.name, 0) < MINUTE:
            return False
        self._last[record.name] = record.created
        return True


FORMATTERS: dict[str, dict[str, Any]] = {
    "TEXT": {"()": OneLine, "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    "JSON": {"()": JsonLine},
}
FILTERS: dict[str, dict[str, Any]] = {"client_errors": {"()": NoTracebackForClientErrors}, "once": {"()": Once}}


def to_stderr(level: str, form: str) -> dict[str, Any]:
    """Return a logging configuration that sends everything from `level` upwards to standard error, as TEXT or JSON."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"chosen": FORMATTERS[form]},
        "filters": {**FILTERS, "nothing_unreadable": {"()": NothingUnreadable}, "once_a_minute": {"()": OnceAMinute}},
        "handlers": {"stderr": {"()": Lines, "formatter": "chosen", "filters": [*FILTERS]}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            # A 4xx answer is the client's mistake, not an event of ours.
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "CRITICAL"},
            # These two may be a mistake in the settings.
            "django.security.DisallowedHost": {"level": "ERROR", "filters": ["once_a_minute"]},
            "django.security.csrf": {"level": "WARNING", "filters": ["once_a_minute"]},
            "daphne": {"level": "WARNING"},
            "twisted": {"level": "ERROR"},  # it warns of each handshake that is refused
            # Its handlers write lines of their own form, and whole addresses of requests.
            "uvicorn": {"handlers": [], "propagate": True, "level": "WARNING"},
            "uvicorn.error": {"filters": ["nothing_unreadable"]},
        },
    }


def configure(configuration: dict[str, Any]) -> None:
    """Set up logging, also for what Python itself writes to standard error: nobody's exceptions, and warnings."""
    logging.config.dictConfig(configuration)
    logging.captureWarnings(True)
    sys.excepthook = _log_end
    threading.excepthook = _log_end_of_thread
    sys.unraisablehook = _log_unraisable


def _log_end(kind: type[BaseException], error: BaseException, traceback: Any) -> None:
    logger.critical("the process ends: %s", kind.__name__, exc_info=(kind, error, traceback))


def _log_end_of_thread(ended: threading.ExceptHookArgs) -> None:
    name = ended.thread.name if ended.thread else "?"
    error = ended.exc_value or ended.exc_type()
    logger.error("the thread %s ends: %s", name, ended.exc_type.__name__, exc_info=error)


def _log_unraisable(ignored: Any) -> None:
    logger.error("%s: %r", ignored.err_msg or "Exception ignored in", ignored.object, exc_info=ignored.exc_value)
