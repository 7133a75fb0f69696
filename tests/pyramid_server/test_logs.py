from __future__ import annotations

import io
import json
import logging
import logging.config
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextvars import copy_context
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client, RequestFactory
from django.urls import resolve

from games.players.models import Player
from games.runtime import log_context
from pyramid_server.logs import to_stderr


@pytest.fixture
def form() -> str:
    return "TEXT"


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, form: str) -> Iterator[io.StringIO]:
    """Return what the configured handler writes for the logger `tests.log`."""
    configuration = to_stderr("INFO", form)
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


@pytest.mark.parametrize("form", ["JSON"])
def test_as_json_an_event_is_one_object_with_what_it_is_about_and_nothing_that_was_attached(
    log: io.StringIO, rf: RequestFactory
) -> None:
    alice = Player(pk=7, username="alice", display_name="Alice")

    def fail() -> None:
        request = rf.get("/api/games/abc/?ticket=hunter2", headers={"cookie": "sessionid=hunter2"})
        log_context.begin(request, "proxy-0001")
        request.resolver_match = resolve("/api/games/2ekhgkpcm83byqh/")
        request.user = alice
        try:
            1 / 0  # noqa: B018
        except ZeroDivisionError:
            more = {"request": request, "status_code": 500}
            logging.getLogger("tests.log").exception("failed\n%s", "forged", extra=more)

    copy_context().run(fail)
    line = json.loads(log.getvalue())
    assert log.getvalue().count("\n") == 1
    exception = line.pop("exception")
    assert exception.startswith("Traceback")
    assert datetime.fromisoformat(line.pop("time")).tzinfo is not None
    assert line == {
        "level": "ERROR",
        "logger": "tests.log",
        "message": "failed | forged",
        "status": 500,
        "request": "proxy-0001",
        "method": "GET",
        "route": "api/games/<slug:game_id>/",
        "player": 7,
        "game": "2ekhgkpcm83byqh",
    }
    assert "hunter2" not in log.getvalue()


@pytest.mark.parametrize("form", ["TEXT", "JSON"])
@pytest.mark.parametrize(
    "text",
    [
        "GET /ws/games/x/?ticket=hunter2&x=1",
        "Authorization: Bearer hunter2",
        "cookie: csrftoken=hunter2; sessionid=hunter2",
        "{'password': 'hunter2', \"new_password\": \"hunter2\"}",
        "Not Found: /account/reset/MQ/hunter2/ and /account/mail/hunter2/ and /account/claim/hunter2/",
        "redis://:hunter2@cache:6379 and postgres://pyramid:hunter2@db/pyramid",
    ],
)
def test_what_a_package_quotes_is_written_without_its_secrets(log: io.StringIO, text: str) -> None:
    logging.getLogger("tests.log").warning("%s", text)
    assert "hunter2" not in log.getvalue()
    assert "[hidden]" in log.getvalue()


@pytest.mark.parametrize("form", ["TEXT", "JSON"])
def test_a_message_of_any_length_and_characters_is_a_line_that_can_be_read(log: io.StringIO, form: str) -> None:
    logging.getLogger("tests.log").warning("%s", "\x1b[31m\u2028\x85" + 10_000 * "a")
    line = log.getvalue().removesuffix("\n")
    assert line.isprintable()
    assert "more characters" in line
    assert len(line) < 2500


@pytest.mark.parametrize("form", ["JSON"])
def test_a_traceback_that_a_package_writes_into_a_message_is_a_field(log: io.StringIO) -> None:
    quoted = "Traceback (most recent call last):\n  File\nValueError: password=hunter2\n"
    logging.getLogger("tests.log").error("Cannot build protocol: %s", quoted)
    line = json.loads(log.getvalue())
    assert line["message"] == "Cannot build protocol:"
    assert line["exception"] == quoted.replace("hunter2", "[hidden]")


def test_an_exception_that_passes_several_hands_is_logged_where_it_is_caught_first(log: io.StringIO) -> None:
    error = ValueError("lost")
    for place in ("near", "far"):
        logging.getLogger("tests.log").error(place, exc_info=error)
    assert ("near" in log.getvalue(), "far" in log.getvalue()) == (True, False)


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "a b c d e f", "abcdefgh\r\nX: 1", "<script>alert"])
def test_an_identifier_that_is_none_is_replaced_and_the_answer_has_the_one_of_the_log(given: str) -> None:
    assert Client().get("/static/nothing", headers={"x-request-id": "from-proxy-1"})["X-Request-ID"] == "from-proxy-1"
    made = Client().get("/static/nothing", headers={"x-request-id": given})["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{32}", made)


def test_requests_of_mallory_write_no_line_or_one_a_minute_where_a_setting_may_be_wrong(
    caplog: pytest.LogCaptureFixture,
) -> None:
    mallory, page = Client(enforce_csrf_checks=True), "/account/sign-in/"
    with time_machine.travel(datetime(2026, 11, 21, tzinfo=UTC), tick=False) as at:
        for times in (1, 2):
            for _ in range(3):
                assert mallory.get(page, headers={"host": "mallory.example"}).status_code == 400
                assert mallory.post(page, {"handle": "alice"}).status_code == 403
                assert mallory.post(page, b"x" * 3_000_000, "application/x-www-form-urlencoded").status_code == 400
            logged = Counter(record.name for record in caplog.records)
            assert logged == {"django.security.DisallowedHost": times, "django.security.csrf": times}
            at.shift(60)
