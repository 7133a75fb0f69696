from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from unittest.mock import Mock

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from games.worker import records, tasks
from games.worker.models import WorkerTask
from games.worker.records import TaskRecord
from games.worker.tasks import Periodic, run_due
from tests.processes import run

TOKEN = "t" * 50
NOW, HOUR = datetime(2026, 3, 1, 12, tzinfo=UTC), timedelta(hours=1)


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer "])
@pytest.mark.parametrize("token", ["", TOKEN])
def test_metrics_are_not_there_for_strangers(
    client: Client, settings: Settings, token: str, authorization: str | None
) -> None:
    settings.PYRAMID_METRICS_TOKEN = token
    headers = {"Authorization": authorization} if authorization else {}
    assert client.get("/metrics", headers=headers).status_code == 404


@pytest.mark.django_db
def test_prometheus_comes_from_inside_and_is_not_sent_to_https(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT, settings.PYRAMID_METRICS_TOKEN = True, TOKEN
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert Client().get("/").status_code == 301


@pytest.fixture
def scraped(settings: Settings, client: Client) -> Callable[[], str]:
    """Scrape the metrics as Prometheus does."""
    settings.PYRAMID_METRICS_TOKEN = TOKEN

    def scrape() -> str:
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        return str(answer.text)

    return scrape


@pytest.mark.django_db
def test_an_operator_with_the_token_sees_sockets_and_journal(scraped: Callable[[], str]) -> None:
    text = scraped()
    for name in (
        "pyramid_sockets ",
        "pyramid_takeovers_total",
        "pyramid_journal_batch_changes_bucket",
        "pyramid_watchers",
    ):
        assert name in text


@pytest.mark.django_db
def test_what_the_worker_did_is_there_in_every_process_and_adds_up(
    scraped: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = [True, True, False]

    def sweep(now: datetime) -> None:
        if failing.pop(0):
            raise ValueError("the hand of mallory")

    for now in (NOW, NOW + HOUR, NOW + 2 * HOUR):  # each time a new worker but the last
        if now != NOW + 2 * HOUR:
            monkeypatch.setattr(tasks, "_record", TaskRecord())
            monkeypatch.setattr(tasks, "_tasks", [Periodic(sweep, HOUR)])
        run_due(now)
    text = scraped()
    for name, number in {"runs_total": 3, "failures_total": 2, "retries_total": 1, "failures_in_a_row": 0}.items():
        assert f'pyramid_worker_task_{name}{{task="sweep"}} {number}.0' in text
    assert 'pyramid_worker_task_last_run_timestamp_seconds{task="sweep"} 1.77' in text
    assert "pyramid_days_committed 0.0" in text
    task = WorkerTask.objects.get()
    assert (task.last_run_at, task.last_failure_at, task.last_error) == (NOW + 2 * HOUR, NOW + HOUR, "ValueError")


def test_a_task_that_fails_is_tried_again_soon_and_ever_less_often() -> None:
    task = Periodic(print, HOUR)
    pauses = []
    for task.failures_in_a_row in range(7):
        task.last_run = NOW
        pauses.append(next(s for s in range(3601) if task.is_due(NOW + timedelta(seconds=s))))
    assert pauses == [3600, 5, 10, 20, 40, 60, 60]


@pytest.mark.django_db
def test_what_cannot_be_written_now_is_written_later(monkeypatch: pytest.MonkeyPatch) -> None:
    record = TaskRecord()
    record.note(WorkerTask(name="sweep", every_seconds=3600, last_run_at=NOW, last_seconds=0.1, runs=1))
    with monkeypatch.context() as patched:
        patched.setattr(records, "_add", Mock(side_effect=OperationalError("away")))
        record.write(NOW)
    record.note(WorkerTask(name="sweep", every_seconds=3600, last_run_at=NOW + HOUR, last_seconds=0.2, runs=1))
    record.write(NOW + HOUR)
    task = WorkerTask.objects.get()
    assert (task.runs, task.last_seconds) == (2, 0.2)


def test_an_operator_is_not_warned_of_unreachable_processes_before_any_was_asked() -> None:
    shown = "import games.runtime.socket_metrics; import prometheus_client as p; print(p.generate_latest())"
    assert "pyramid_live_broadcast_up 1.0" in run([sys.executable, "-c", shown], dict(os.environ)).stdout
