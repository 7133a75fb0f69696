"""Errors of the database: a line of each kind once a minute, and a full disk is a matter of readiness."""

from __future__ import annotations

import sqlite3

import psycopg
import pytest
from django.db import OperationalError
from django.test import RequestFactory

from games.doors.rest.errors import exception_handler
from games.runtime import outages as module
from games.runtime.outages import Outages, outages
from tests.pyramid_server.readiness import look_afresh
from tests.pyramid_server.test_http import ask


def error_of(cause: Exception) -> OperationalError:
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


def sqlite_is_full() -> Exception:
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE kept (text)")
        database.execute("PRAGMA max_page_count = 2")
        with pytest.raises(sqlite3.OperationalError) as full:
            database.execute("INSERT INTO kept VALUES (zeroblob(100000))")
    return full.value


@pytest.fixture
def time_passes(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that have passed, in a list to change."""
    seconds = [100_000.0]
    monkeypatch.setattr(module, "monotonic", lambda: seconds[0])
    return seconds


def test_a_kind_of_error_is_logged_once_a_minute(time_passes: list[float]) -> None:
    mine, error = Outages(), error_of(psycopg.OperationalError("no connection"))
    assert [mine.note("journal", error), mine.note("journal", error), mine.note("requests", error)] == [
        True,
        False,
        True,
    ]
    time_passes[0] += 59
    assert not mine.note("journal", error)
    time_passes[0] += 1
    assert mine.note("journal", error)
    assert not mine.is_full


REQUEST = RequestFactory().get("/api/nowhere/")
FULL = [psycopg.errors.DiskFull("could not extend file"), sqlite_is_full()]


@pytest.mark.parametrize("cause", FULL)
def test_who_is_refused_a_write_hears_that_the_disk_is_full_and_not_that_the_database_is_away(cause: Exception) -> None:
    answer = exception_handler(error_of(cause), {"request": REQUEST})
    assert answer is not None
    assert answer.data["message"].startswith("the database cannot write: its disk is full; ")
    answer = exception_handler(error_of(psycopg.OperationalError("no connection")), {"request": REQUEST})
    assert answer is not None
    assert answer.data["message"].startswith("the database does not answer; ")


@pytest.mark.parametrize("cause", FULL)
@pytest.mark.django_db(transaction=True)
async def test_a_write_that_found_no_space_makes_a_server_unready_though_heartbeats_find_some(
    monkeypatch: pytest.MonkeyPatch, time_passes: list[float], cause: Exception
) -> None:
    look_afresh(monkeypatch)
    for name, value in vars(Outages()).items():
        monkeypatch.setattr(outages, name, value)
    assert (await ask("/health/ready"))[0] == 200
    outages.note("journal", error_of(cause))
    status, _, body = await ask("/health/ready")
    assert (status, b'"database":"failing"' in body) == (503, True)
    time_passes[0] += module.FULL_SECONDS
    assert (await ask("/health/ready"))[0] == 200
