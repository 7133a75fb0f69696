"""Statements for many rows, sent to the database driver directly, because the ORM costs several times as much."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from django.db import connection as default
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model


def save_columns(rows: Sequence[Model], columns: Sequence[str]) -> None:
    """Write some columns of rows of one table, where `bulk_update` would make an expression of each value."""
    told = [{"pk": row.pk, **{name: getattr(row, name) for name in columns}} for row in rows]
    if told:
        execute(default, _update(type(rows[0]), tuple(columns)), told)


@cache
def _update(model: type[Model], columns: Sequence[str]) -> str:
    fields = {"pk": model._meta.pk, **{name: model._meta.get_field(name) for name in columns}}
    # Without their lengths: a cast would cut a text that is too long, where the column refuses it.
    kinds = {name: str(field.db_type(default)).partition("(")[0] for name, field in fields.items()}
    told = {name: f"CAST(told.value ->> '{name}' AS {kind})" for name, kind in kinds.items()}
    values = ", ".join(f"{name} = {told[name]}" for name in columns)
    rows = "json_array_elements(%s::json)" if default.vendor == "postgresql" else "json_each(?)"
    table = model._meta.db_table
    return f"UPDATE {table} SET {values} FROM {rows} AS told WHERE {table}.{model._meta.pk.column} = {told['pk']}"  # noqa: S608


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
