"""The guards of the database, put aside: by a test that tampers as the owner of the database can, or cleans up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import flush
from django.db import connection
from django.db.backends.postgresql import base as postgresql
from django.db.backends.sqlite3 import base as sqlite

from games.kit.memory import forget_everything

MADE_BY_MIGRATIONS = {"django_content_type", "auth_permission"}
TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
ALL_IN_POSTGRESQL = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
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


def let_tests_be_cleaned_up() -> None:
    """Empty tables between tests past the guards, and keep what migrations would have to make again.

    Django truncates all tables on PostgreSQL and makes content types and permissions again: a tenth of a second for
    each test, where rows are few and always the same.
    """
    flush.emit_post_migrate_signal = lambda *arguments: None  # type: ignore[attr-defined]
    in_sqlite: Any = sqlite.DatabaseOperations  # type: ignore[attr-defined]
    in_postgresql: Any = postgresql.DatabaseOperations  # type: ignore[attr-defined]
    in_sqlite.sql_flush, in_postgresql.sql_flush = _emptying_in_sqlite, _emptying_in_postgresql


def _emptying_in_sqlite(operations: Any, style: Any, tables: Iterable[str], **options: Any) -> list[str]:
    with connection.cursor() as cursor:
        drops, creates = _statements(cursor)
    return [*drops, *_deletions(tables), *creates]


def _emptying_in_postgresql(operations: Any, style: Any, tables: Iterable[str], **options: Any) -> list[str]:
    """Wait for those who are still writing, as truncating would."""
    lock = f"LOCK TABLE {', '.join(tables)} IN SHARE ROW EXCLUSIVE MODE"
    return ["; ".join(["SET LOCAL session_replication_role = replica", lock, *_deletions(tables)])]


def _deletions(tables: Iterable[str]) -> list[str]:
    return [f"DELETE FROM {table}" for table in sorted({*tables} - MADE_BY_MIGRATIONS)]  # noqa: S608


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
