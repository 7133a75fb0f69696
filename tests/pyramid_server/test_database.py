from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.db.backends.postgresql.base import DatabaseWrapper as PostgreSQL

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
