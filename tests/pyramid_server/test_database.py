from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection, connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL

from games.management.commands.worker import run_round
from games.worker import tasks
from games.worker.models import WorkerTask
from games.worker.records import TaskRecord
from games.worker.tasks import Periodic
from pyramid_server.postgresql import base
from pyramid_server.postgresql.base import Connection, answered_within

LAST = datetime(2100, 1, 1, tzinfo=UTC)
DURABLE_SQLITE = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


@pytest.mark.django_db(transaction=True)
def test_sqlite_survives_a_power_cut_and_connections_to_postgresql_last() -> None:
    database = connections["default"]
    if isinstance(database, PostgreSQL):
        assert database.settings_dict["CONN_MAX_AGE"] is None
        assert database.settings_dict["CONN_HEALTH_CHECKS"]
    else:
        assert {name: pragma(name) for name in DURABLE_SQLITE} == DURABLE_SQLITE


def pragma(name: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {name}")
        return cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_transactions_that_read_before_they_write_wait_for_each_other() -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(read_then_write, range(40)))
    assert Session.objects.count() == 40


def read_then_write(number: int) -> None:
    try:
        with transaction.atomic():
            seen = Session.objects.count()
            Session.objects.create(session_key=str(number), session_data=str(seen), expire_date=LAST)
    finally:
        connection.close()


on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")


def test_a_server_that_takes_connections_and_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = "127.0.0.1,127.0.0.1,127.0.0.1"  # three addresses have no more time than one
        with pytest.raises(psycopg.OperationalError, match="timeout expired"):
            Connection.connect(host=host, port=silent.getsockname()[1], connect_timeout=2)


@pytest.mark.parametrize(("answers_others", "waits_for"), [(False, base.CONNECT_SECONDS), (True, base.SLOW_SECONDS)])
def test_a_server_that_answers_others_is_given_more_time_than_one_that_answers_nobody(
    monkeypatch: pytest.MonkeyPatch, waits_for: float, *, answers_others: bool
) -> None:
    time = iter(number / 10 for number in range(1000))
    latest = [0.0]

    def tick() -> float:
        latest[0] = next(time)
        if answers_others:
            base._answered_at = latest[0]
        return latest[0]

    def waiting() -> Iterator[int]:
        while True:
            yield 0

    monkeypatch.setattr(base, "_answered_at", 0.0)
    monkeypatch.setattr(base, "monotonic", tick)
    monkeypatch.setattr(psycopg.Connection, "_connect_gen", lambda conninfo="": waiting())
    base._deadlines.connecting_since = 0.0
    attempt = Connection._connect_gen()
    with pytest.raises(psycopg.errors.ConnectionTimeout):
        for _ in attempt:
            pass
    assert latest[0] == pytest.approx(waits_for, abs=0.11)


@pytest.mark.servers
@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_statement_that_is_not_answered_in_time_costs_its_connection_and_no_later_one() -> None:
    with answered_within(0.2), connection.cursor() as cursor, pytest.raises(OperationalError, match="did not answer"):
        cursor.execute("SELECT pg_sleep(60)")
    connection.close_if_unusable_or_obsolete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0)")


@pytest.mark.servers
@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_after_a_failed_attempt_a_thread_makes_no_other_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.close()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        gone = {**connection.get_connection_params(), "host": "127.0.0.1", "port": silent.getsockname()[1]}
        monkeypatch.setattr(base, "CONNECT_SECONDS", 0.2)
        monkeypatch.setattr(connection, "get_connection_params", lambda: gone)
        for reason in ("timeout expired", "a moment ago", "a moment ago"):
            with pytest.raises(OperationalError, match=reason):
                connection.ensure_connection()
    monkeypatch.undo()
    monkeypatch.setattr(connection, "_connect_again_at", 0.0)
    connection.ensure_connection()


@pytest.mark.servers
@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_worker_goes_on_after_its_connection_was_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(now: datetime) -> None:
        WorkerTask.objects.exists()

    monkeypatch.setattr(tasks, "_tasks", [Periodic(look, timedelta(seconds=1))])
    monkeypatch.setattr(tasks, "_record", TaskRecord())
    run_round()
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    tasks._tasks[0].last_run = tasks._record._written_at = None
    run_round()
    task = WorkerTask.objects.get()
    assert (task.runs, task.failures) == (2, 0)
