"""The guards of the database, put aside: by a test that tampers as the owner of the database can, or cleans up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction
from django.test import TransactionTestCase

from games.runtime.memory import forget_everything

MADE_BY_MIGRATIONS = {"django_content_type", "auth_permission"}
TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
ALL_IN_POSTGRESQL = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
GUARDS_OF_ROWS = "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '% DELETE ON %'"
GUARDED_IN_POSTGRESQL = "SELECT DISTINCT event_object_table FROM information_schema.triggers"


@contextmanager
def guards_dropped() -> Iterator[None]:
    """Let everything be changed and deleted for a while."""
    with connection.cursor() as cursor:
        drops, creates = _statements(cursor)
        for statement in drops:
            cursor.execute(statement)
        try:
            yield
        finally:
            for statement in creates:
                cursor.execute(statement)
            forget_everything()


def tamper(statement: str) -> None:
    """Do what the owner of the database can do."""
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute(statement)


@contextmanager
def undone() -> Iterator[None]:
    """Take back everything that is done in between."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def require_guarded(*statements: str, match: str = ".") -> None:
    """Fail unless the database refuses each of the statements."""
    for statement in statements:
        with pytest.raises(IntegrityError, match=match), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def let_tests_be_cleaned_up() -> None:
    """Empty tables between tests past the guards, and keep what migrations would have to make again.

    Django's own command looks for all tables, drops their rows one table after the other, and makes content types and
    permissions again, which takes longer than most tests; few tables have rows. It would also close the connection, for
    the sake of databases that forget its settings when a test rolls back, which none of ours does.
    """
    TransactionTestCase._fixture_teardown = lambda case: _empty_tables()  # type: ignore[attr-defined]
    TransactionTestCase._should_reload_connections = lambda case: False  # type: ignore[attr-defined]


def _empty_tables() -> None:
    connection.close_if_unusable_or_obsolete()  # so that a test that has lost it fails alone
    if connection.vendor == "postgresql":
        _empty_in_postgresql()
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            _empty_in_sqlite(cursor)


def _empty_in_postgresql() -> None:
    """Wait for those who are still writing, as truncating would.

    On a connection that lasts, psycopg has what is repeated prepared: to plan so many questions takes eight times as
    long as to answer them. Where guards are put aside for a while, PostgreSQL plans everything again.
    """
    if _unguarded().closed:
        _unguarded.cache_clear()
    with _unguarded().transaction(), _unguarded().cursor() as cursor:
        cursor.execute(f"LOCK TABLE {', '.join(_emptied())} IN SHARE ROW EXCLUSIVE MODE")
        for statement in _deletions(_used(cursor)):
            cursor.execute(statement)


@cache
def _unguarded() -> psycopg.Connection:
    """Return a connection of its own to the database of the tests, on which no trigger is fired."""
    name, options = connection.settings_dict["NAME"], "-c session_replication_role=replica"
    return psycopg.connect(os.environ["DATABASE_URL"], dbname=name, options=options, autocommit=True)


def _empty_in_sqlite(cursor: Any) -> None:
    """Put aside only the guards that would keep rows from being deleted: each costs time, and most tables are empty."""
    used = _used(cursor)
    cursor.execute(GUARDS_OF_ROWS)
    guards = [(name, sql) for name, table, sql in cursor.fetchall() if table in used]
    drops, creates = [f"DROP TRIGGER {name}" for name, _ in guards], [sql for _, sql in guards]
    for statement in (*drops, *_deletions(used), *creates):
        cursor.execute(statement)


def _used(cursor: Any) -> list[str]:
    """Return the tables that have rows: a union of as many questions takes twice as long as a row of answers."""
    tables = _emptied()
    cursor.execute("SELECT " + ", ".join(f"EXISTS (SELECT 1 FROM {table})" for table in tables))  # noqa: S608
    return [table for table, has_rows in zip(tables, cursor.fetchone(), strict=True) if has_rows]


def _deletions(tables: list[str]) -> list[str]:
    return [f"DELETE FROM {table}" for table in tables]  # noqa: S608


@cache
def _emptied() -> list[str]:
    return sorted({*connection.introspection.django_table_names(only_existing=True)} - MADE_BY_MIGRATIONS)


def trigger_names() -> list[str]:
    """Return the names of all triggers of tables, sorted."""
    with connection.cursor() as cursor:
        cursor.execute(ALL_IN_POSTGRESQL if connection.vendor == "postgresql" else TRIGGERS)
        return sorted(row[0] for row in cursor.fetchall())


def _statements(cursor: Any) -> tuple[list[str], list[str]]:
    """Return what puts the guards aside and what puts them back."""
    if connection.vendor == "postgresql":
        cursor.execute(GUARDED_IN_POSTGRESQL)
        tables = [table for (table,) in cursor.fetchall()]
        return (
            ["SET CONSTRAINTS ALL IMMEDIATE", *(f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in tables)],
            [f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in tables],
        )
    cursor.execute(TRIGGERS)
    triggers = cursor.fetchall()
    return [f"DROP TRIGGER {name}" for name, _ in triggers], [sql for _, sql in triggers]
