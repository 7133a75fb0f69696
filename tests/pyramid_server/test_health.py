from __future__ import annotations

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from pytest_django import Settings

from games.calendar.dailies import ensure_dailies
from games.worker import tasks
from games.worker.models import WorkerTask
from games.worker.records import TaskRecord
from games.worker.tasks import Periodic, run_due
from pyramid_server import health
from pyramid_server.postgresql.base import CHECK_SECONDS, CONNECT_SECONDS
from pyramid_server.postgresql.silence import silence
from tests.pyramid_server.readiness import look_afresh
from tests.pyramid_server.test_http import ask

pytestmark = pytest.mark.django_db(transaction=True)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ALL_WELL = dict.fromkeys(health.CHECKS, "ok")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    """Noon, and a process that nobody has asked before."""
    look_afresh(monkeypatch)
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def made_at() -> datetime:
    """The moment at which the database was made."""
    made_at = MigrationRecorder.Migration.objects.aggregate(made_at=Min("applied"))["made_at"]
    assert isinstance(made_at, datetime)
    return made_at


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch, clock: time_machine.Traveller) -> list[Periodic]:
    """A worker that has just run its only task, beside the coming days."""
    monkeypatch.setattr(tasks, "_tasks", [Periodic(ensure_dailies, timedelta(hours=1)), Periodic(sweep, DAY / 24 / 60)])
    monkeypatch.setattr(tasks, "_record", TaskRecord())
    run_due(NOW)
    return tasks._tasks


def sweep(now: datetime) -> None:
    """Do nothing, as a task that has nothing to do."""


async def told() -> tuple[int, dict[str, str]]:
    status, headers, body = await ask("/health/ready")
    assert headers["cache-control"] == "no-store"
    return status, json.loads(body)


@pytest.mark.usefixtures("worker")
async def test_a_server_with_everything_it_needs_is_ready() -> None:
    assert await told() == (200, ALL_WELL)


@pytest.mark.usefixtures("worker")
async def test_a_server_on_a_database_that_is_not_migrated_is_not_ready() -> None:
    await sync_to_async(call_command)("migrate", "admin", "zero", verbosity=0)
    try:
        answer = await told()
    finally:
        await sync_to_async(call_command)("migrate", verbosity=0)
    assert answer == (503, ALL_WELL | {"migrations": "failing"})


@pytest.mark.usefixtures("worker")
async def test_that_redis_fails_is_told_and_why_is_for_the_log_and_not_for_the_visitor(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = "redis://:hunter2@127.0.0.1:1/0"
    status, _, body = await ask("/health/ready")
    assert status == 200, "players are served without live broadcast too"
    assert json.loads(body) == ALL_WELL | {"redis": "failing"}
    await ask("/health/ready")
    assert caplog.text.count("readiness: redis fails: ") == 1
    assert "hunter2" not in caplog.text
    assert b"onnect" not in body


async def test_a_server_without_a_worker_serves_and_says_so(clock: time_machine.Traveller, made_at: datetime) -> None:
    clock.move_to(made_at + timedelta(hours=1))
    await sync_to_async(ensure_dailies)(made_at + timedelta(hours=1))
    assert await told() == (200, ALL_WELL | {"worker": "failing"})


async def test_what_the_first_worker_of_a_new_server_has_not_done_is_no_failure_for_a_quarter_of_an_hour(
    clock: time_machine.Traveller, made_at: datetime
) -> None:
    clock.move_to(made_at + timedelta(minutes=1))
    assert await told() == (200, ALL_WELL | {"worker": "unknown", "days": "unknown"})
    clock.move_to(made_at + timedelta(minutes=15))
    assert await told() == (200, ALL_WELL | {"worker": "failing", "days": "failing"})


async def test_a_new_server_whose_worker_has_gone_says_so_at_once(
    worker: list[Periodic], clock: time_machine.Traveller, made_at: datetime
) -> None:
    clock.move_to(made_at + timedelta(minutes=5))
    await WorkerTask.objects.all().aupdate(last_run_at=made_at)
    assert (await told())[1]["worker"] == "failing"


async def test_a_worker_that_is_gone_is_missed_and_one_that_comes_back_is_seen(
    worker: list[Periodic], clock: time_machine.Traveller
) -> None:
    clock.shift(timedelta(minutes=2))
    assert await told() == (200, ALL_WELL | {"worker": "failing"}), "its tasks are not blamed for that"
    await sync_to_async(run_due)(NOW + timedelta(minutes=2))
    assert await told() == (200, ALL_WELL)


async def test_a_task_that_keeps_failing_or_does_not_get_its_turn_is_told(worker: list[Periodic]) -> None:
    def broken(now: datetime) -> None:
        raise ValueError("the hand of mallory")

    worker[1] = Periodic(broken, timedelta(seconds=1))
    await sync_to_async(run_due)(NOW + timedelta(seconds=20))
    assert (await told())[1]["tasks"] == "ok", "once may happen"
    await sync_to_async(run_due)(NOW + timedelta(seconds=40))
    assert await told() == (200, ALL_WELL | {"tasks": "failing"})
    worker[1] = Periodic(sweep, timedelta(seconds=1))
    await sync_to_async(run_due)(NOW + timedelta(seconds=60))
    assert await told() == (200, ALL_WELL)
    await sync_to_async(WorkerTask.objects.filter(name="sweep").update)(last_run_at=NOW - timedelta(minutes=5))
    assert await told() == (200, ALL_WELL | {"tasks": "failing"})


async def test_days_that_the_worker_has_not_committed_to_are_told_before_they_come(
    worker: list[Periodic], settings: Settings, clock: time_machine.Traveller
) -> None:
    clock.move_to(NOW + DAY)
    assert (await told())[1]["days"] == "ok", "the last of them may be missing until the worker's next hour"
    clock.move_to(NOW + 2 * DAY)
    assert await told() == (200, ALL_WELL | {"days": "failing", "worker": "failing"})


async def test_a_probe_only_reads() -> None:
    assert (await ask("/health/ready", b"{}"))[0] == 405


class Busy:
    """A connection on which nothing is answered until that is allowed."""

    def __init__(self) -> None:
        self.answers = Event()

    def __getattr__(self, name: str) -> object:
        return getattr(connection, name)

    def cursor(self) -> object:
        self.answers.wait(60)
        return connection.cursor()


@pytest.mark.usefixtures("worker")
async def test_a_database_that_does_not_answer_is_slow_first_and_gone_after_a_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unanswered = dict.fromkeys(health.CHECKS, "unknown")
    busy = Busy()
    monkeypatch.setattr(health, "READY_SECONDS", 0.1)
    monkeypatch.setattr(health, "connection", busy)
    assert await told() == await told() == (200, unanswered)
    monkeypatch.setattr(silence, "_before", math.inf)
    assert await told() == (503, unanswered)
    silence.end()
    assert await told() == (200, unanswered), "somebody else was answered"
    busy.answers.set()
    monkeypatch.setattr(health, "READY_SECONDS", 60)
    assert await told() == (200, ALL_WELL)


def test_nobody_waits_longer_than_two_seconds_for_a_database_that_is_away() -> None:
    assert CHECK_SECONDS + CONNECT_SECONDS < 2
    assert health.READY_SECONDS < 2


def test_a_clock_that_was_put_back_does_not_stop_the_worker() -> None:
    task = Periodic(ensure_dailies, timedelta(hours=1))
    task.last_run = NOW
    assert not task.is_due(NOW - timedelta(minutes=59))
    assert task.is_due(NOW - timedelta(hours=1))
