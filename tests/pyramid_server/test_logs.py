from __future__ import annotations

import io
import logging
import logging.config
import sys
from collections.abc import Iterator

import pytest

from pyramid_server.logs import to_stderr


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Return what the configured handler writes for the logger `tests.log`."""
    configuration = to_stderr("INFO")
    configuration["loggers"] = {"tests.log": {"handlers": ["stderr"], "level": "INFO", "propagate": False}}
    del configuration["root"]
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    logging.config.dictConfig(configuration)
    yield written
    logging.getLogger("tests.log").handlers.clear()


def test_a_message_with_line_breaks_stays_one_line(log: io.StringIO) -> None:
    logging.getLogger("tests.log").warning("%s", "mallory\n2026-01-01 INFO forged\r")
    assert log.getvalue().count("\n") == 1
    assert "\r" not in log.getvalue()


def test_a_refused_request_is_logged_without_a_traceback(log: io.StringIO) -> None:
    log_failure(status_code=400)
    assert log.getvalue().count("\n") == 1


def test_a_fault_of_ours_is_logged_with_its_traceback(log: io.StringIO) -> None:
    log_failure(status_code=500)
    assert "ZeroDivisionError" in log.getvalue()


def log_failure(status_code: int) -> None:
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        logging.getLogger("tests.log").exception("failed", extra={"status_code": status_code})
