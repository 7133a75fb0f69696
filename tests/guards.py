"""The guards of the database, put aside: by a test that tampers as the owner of the database can, or cleans up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.sqlite3 import base

from games.kit.memory import forget_everything

TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
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
    """Have SQLite empty its tables between tests, which it does row by row; PostgreSQL truncates them."""
    operations: Any = base.DatabaseOperations  # type: ignore[attr-defined]
    flush = operations.sql_flush

    def sql_flush(self: Any, *arguments: Any, **options: Any) -> list[str]:
        with connection.cursor() as cursor:
            drops, creates = _statements(cursor)
        return [*drops, *flush(self, *arguments, **options), *creates]

    operations.sql_flush = sql_flush


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
