from __future__ import annotations

import socket
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
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
from pyramid_server.postgresql import silence as silence_module
from pyramid_server.postgresql.base import CONNECT_SECONDS, DOUBT_SECONDS, Connection, answered_within
from pyramid_server.postgresql.silence import GONE_SECONDS, silence

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


@pytest.fixture(autouse=True)
def answered() -> None:
    """A process that the database has just answered."""
    silence.end()


def test_a_server_that_takes_connections_and_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(silence_module, "GONE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = "127.0.0.1,127.0.0.1,127.0.0.1"  # three addresses have no more time than one
        with pytest.raises(psycopg.OperationalError, match="the database is silent"):
            Connection.connect(host=host, port=silent.getsockname()[1], connect_timeout=2)


@dataclass
class Time:
    """A monotonic clock that goes on by a tenth of a second with each look of the one who waits."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now

    def unanswered(self, until: float) -> Generator[int, int, None]:
        """Yield as a question to the server does, and end as answered at a time."""
        while self.now < until:
            self.now += 0.1
            yield 0


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    for module in (base, silence_module):
        monkeypatch.setattr(module, "monotonic", time)
    monkeypatch.setattr(silence_module, "GONE_SECONDS", GONE_SECONDS)
    silence.end()
    return time


def waited(time: Time, question: Iterator[int]) -> float:
    """Return the seconds until a new connection is made, or given up."""
    began = base._deadlines.connecting_since = time.now
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Connection, "_connect_gen", lambda conninfo="": question)
        for _ in Connection._connect_gen():
            pass
    return time.now - began


def test_a_server_is_slow_until_it_has_been_silent_and_then_it_is_gone_until_it_answers(time: Time) -> None:
    def others_are_answered() -> Iterator[int]:
        yield from time.unanswered(time.now + 3)
        silence.end()
        yield from time.unanswered(time.now + 4)

    assert waited(time, others_are_answered()) == pytest.approx(7, abs=0.2), "slow"
    time.now += 3600  # nobody asks
    for longest in (GONE_SECONDS, CONNECT_SECONDS):
        began = time.now
        with pytest.raises(psycopg.errors.ConnectionTimeout):
            waited(time, time.unanswered(time.now + 60))
        assert time.now - began == pytest.approx(longest, abs=0.2)
    assert waited(time, time.unanswered(time.now + 1)) == pytest.approx(1, abs=0.2)
    assert waited(time, time.unanswered(time.now + 4)) == pytest.approx(4, abs=0.2), "it has answered"


def test_a_slow_statement_goes_on_and_one_whose_server_is_found_gone_ends(
    time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(seconds: float) -> float:
        began = time.now
        with suppress(psycopg.errors.ConnectionTimeout):
            for _ in base._until_found_gone(time.unanswered(began + seconds), began):
                pass
        return time.now - began

    monkeypatch.setattr(base.doubt, "ask", silence.end)
    assert wait(60) == pytest.approx(60, abs=0.2)
    with ExitStack() as asking:
        monkeypatch.setattr(base.doubt, "ask", lambda: asking.enter_context(silence.asking()))
        assert wait(60) == pytest.approx(DOUBT_SECONDS + GONE_SECONDS, abs=0.3)


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
        monkeypatch.setattr(silence_module, "GONE_SECONDS", 0.2)
        monkeypatch.setattr(connection, "get_connection_params", lambda: gone)
        for reason in ("is silent", "a moment ago", "a moment ago"):
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
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    tasks._tasks[0].last_run = tasks._record._written_at = None
    run_round()
    task = WorkerTask.objects.get()
    assert (task.runs, task.failures) == (2, 0)


@pytest.mark.servers
@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_connection_is_not_checked_while_the_server_answers_others_unless_it_was_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[PostgreSQL] = []

    def check(database: PostgreSQL) -> bool:
        checked.append(database)
        return True

    monkeypatch.setattr(PostgreSQL, "is_usable", check)
    monkeypatch.setattr(base, "PRESENT_SECONDS", 3600.0)
    connection.ensure_connection()
    silence.end()
    assert connection.is_usable()
    assert checked == []
    monkeypatch.setattr(base, "PRESENT_SECONDS", 0.0)
    connection.is_usable()
    assert len(checked) == 1, "nobody has been answered since"
    monkeypatch.setattr(base, "PRESENT_SECONDS", 3600.0)
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
    connection.is_usable()
    assert len(checked) == 2, "the server has ended it"
    connection.close()


@pytest.mark.servers
@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_time_comes_back_as_it_was_stored_and_a_style_of_dates_that_cannot_be_read_is_named() -> None:
    times = [datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), datetime(2026, 12, 31, 23, 59, 59, 600, tzinfo=UTC)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz, %s::timestamptz, NULL::timestamptz", times)
        assert cursor.fetchone() == (*times, None)
        cursor.execute("SET datestyle TO 'SQL, DMY'")
        cursor.execute("SELECT %s::timestamptz", times[:1])
        with pytest.raises(NotImplementedError, match="DateStyle 'SQL, DMY'"):
            cursor.fetchone()
        cursor.execute("RESET datestyle")
