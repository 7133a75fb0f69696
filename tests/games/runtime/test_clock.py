"""The database's clock decides; the time between two measurements is carried on by the monotonic clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.doors.sockets.close_codes import CloseCode, Closed
from games.keys import sockets
from games.management.commands import worker
from games.play.models import Uptime
from games.runtime.clock import Clock, clock
from pyramid_server import heartbeat
from pyramid_server.heartbeat import Heart
from tests.pyramid_server.readiness import look_afresh
from tests.pyramid_server.test_http import ask

Apart = Callable[[float], None]


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> Apart:
    """Set the clock of this process ahead of the database's by so many seconds, or back."""
    look_afresh(monkeypatch)
    for name, value in vars(Clock()).items():
        monkeypatch.setattr(clock, name, value)

    def put(seconds: float) -> None:
        now = time.monotonic()
        clock.note(time.time() - seconds, now, now)

    return put


def test_a_process_that_never_measured_trusts_its_clock() -> None:
    assert (Clock().is_right, Clock().seconds_ahead) == (True, 0.0)


@pytest.mark.parametrize(
    ("seconds", "is_right"), [(7200, False), (-7200, False), (2.5, False), (1.5, True), (-1.5, True)]
)
def test_a_clock_is_wrong_from_two_seconds_on_in_both_directions(
    apart: Apart, seconds: float, *, is_right: bool
) -> None:
    apart(seconds)
    assert clock.is_right is is_right
    assert clock.seconds_ahead == pytest.approx(seconds, abs=0.1)


def test_a_slow_answer_is_no_wrong_clock() -> None:
    slow, now = Clock(), time.monotonic()
    slow.note(time.time(), now - 6, now)
    assert slow.is_right
    slow.note(time.time() - 6, now - 6, now)
    assert slow.is_right
    slow.note(time.time() - 60, now - 6, now)
    assert not slow.is_right


def test_a_clock_that_is_set_after_the_measurement_is_noticed_at_once_and_again_when_it_is_set_right(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one, now, real = Clock(), time.monotonic(), time.time
    one.note(time.time(), now, now)
    monkeypatch.setattr(time, "time", lambda: real() + 3600)
    assert not one.is_right
    one.note(real(), now, now)
    monkeypatch.undo()
    one.note(time.time(), now, now)
    wrong, right = caplog.messages
    assert wrong.startswith("the clock is +3600.0 s from the database's")
    assert right.startswith("the clock agrees with the database's again")


def test_a_clock_that_is_set_moves_the_time_of_nobody_who_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    one, now, real = Clock(), time.monotonic(), time.time
    one.note(time.time() + 1.5, now, now)
    monkeypatch.setattr(time, "time", lambda: real() - 86400)
    assert one.now().timestamp() - real() == pytest.approx(1.5, abs=0.1)


def test_a_slow_answer_moves_the_time_only_if_it_contradicts_a_fast_one() -> None:
    one, now, real = Clock(), time.monotonic(), time.time()
    one.note(real, now, now)
    one.note(real - 1, now - 6, now)  # which may have been read three seconds before or after
    assert one.seconds() == pytest.approx(real, abs=0.1)
    one.note(real - 60, now - 6, now)
    assert one.seconds() == pytest.approx(real - 57, abs=0.1)


@pytest.mark.django_db(transaction=True)
async def test_with_a_wrong_clock_a_server_opens_nothing_and_says_so(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart(7200)
    for path in ("/api/daily/", "/", "/api/games/"):
        status, _, body = await ask(path)
        assert status == 503, path
        assert b"clock" in body
    status, _, body = await ask("/health/ready")
    assert (status, b'"clock":"failing"' in body) == (503, True)
    assert (await ask("/health/live"))[0] == 200
    assert (await ask("/metrics"))[0] != 503
    with pytest.raises(Closed) as closed:
        sockets._require_room()
    assert closed.value.args == (CloseCode.TRY_AGAIN_LATER,)
    apart(0)
    assert (await ask("/api/daily/"))[0] == 200
    sockets._require_room()


@pytest.mark.django_db(transaction=True)
def test_with_a_wrong_clock_a_worker_runs_nothing_and_no_heartbeat_is_written(
    apart: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[object] = []

    def run(now: object) -> int:
        ran.append(now)
        return 0

    monkeypatch.setattr(worker, "run_due", run)
    monkeypatch.setattr(Clock, "measure", lambda _: None)
    apart(-3)
    closed: list[CloseCode] = []
    monkeypatch.setattr(heartbeat, "end_all_from_thread", closed.append)
    Heart()._beat()
    assert (worker.run_round(), ran, closed, Uptime.objects.count()) == (1, [], [CloseCode.TRY_AGAIN_LATER], 0)
    apart(0)
    Heart()._beat()
    assert (worker.run_round(), len(ran), len(closed), Uptime.objects.count()) == (0, 1, 1, 1)


@pytest.mark.django_db(transaction=True)
async def test_a_database_that_answers_and_keeps_nothing_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    look_afresh(monkeypatch)
    assert b'"database":"ok"' in (await ask("/health/ready"))[2]
    monkeypatch.setattr(heartbeat.heart, "failure", DatabaseError("database or disk is full"))
    status, _, body = await ask("/health/ready")
    assert (status, b'"database":"failing"' in body) == (503, True)


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
@pytest.mark.django_db(transaction=True)
def test_the_time_of_postgresql_is_measured(settings: Settings) -> None:
    settings.PYRAMID_HEARTBEAT_SECONDS = 5
    own = Clock()
    own.measure()
    assert own.is_right
    assert abs(own.seconds_ahead) < own._uncertainty + 1
    assert abs(timezone.now().timestamp() - time.time()) < timedelta(seconds=60).total_seconds()
