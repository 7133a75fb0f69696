"""Statements for many rows, sent to the database driver directly, because the ORM costs several times as much."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Any

import msgspec
from django.db.backends.base.base import BaseDatabaseWrapper


def execute(connection: BaseDatabaseWrapper, statement: str, rows: Sequence[object]) -> int:
    """Execute a statement whose only parameter is all rows as JSON, and return how many rows it has changed.

    With one parameter for any number of rows the statement is always the same, so PostgreSQL prepares it once.
    """
    with _executed(connection, statement, rows) as cursor:
        return int(cursor.rowcount)


def execute_returning_ids(connection: BaseDatabaseWrapper, statement: str, rows: Sequence[object]) -> set[str]:
    """Execute such a statement, which returns ids."""
    with _executed(connection, statement, rows) as cursor:
        return {row_id for (row_id,) in cursor.fetchall()}


def as_stored(connection: BaseDatabaseWrapper, value: Any) -> Any:
    """Return a value of a row, a time as the text that the database keeps or reads."""
    return str(connection.ops.adapt_datetimefield_value(value)) if isinstance(value, datetime) else value


@contextmanager
def _executed(connection: BaseDatabaseWrapper, statement: str, rows: Sequence[object]) -> Iterator[Any]:
    connection.ensure_connection()
    text = msgspec.json.encode(rows).decode()
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(statement, [text], prepare=True)
        else:
            cursor.execute(statement, [text])
        yield cursor
