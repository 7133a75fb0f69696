"""Statements for many rows, sent to the database driver directly, because the ORM costs several times as much."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from django.db import connection as default
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model


def save_columns(rows: Sequence[Model], columns: Sequence[str]) -> None:
    """Write some columns of rows of one table, where `bulk_update` would make an expression of each value."""
    told = [{"pk": row.pk, **{name: getattr(row, name) for name in columns}} for row in rows]
    if told:
        execute(default, _update(type(rows[0]), tuple(columns)), told)


def insert_rows(rows: Sequence[Model]) -> None:
    """Insert unsaved rows of one table, and give each the key that the database makes, unless it has one.

    `bulk_create` has the ORM prepare each value. As with that, no signals are sent.
    """
    if not rows:
        return
    columns, returns_keys, statement = _insert(type(rows[0]))
    told = [{f.column: as_stored(default, f.pre_save(row, add=True)) for f in columns} for row in rows]
    with _executed(default, statement, told) as cursor:
        keys = [key for (key,) in cursor.fetchall()] if returns_keys else [row.pk for row in rows]
    for row, key in zip(rows, keys, strict=True):
        row.pk, row._state.adding, row._state.db = key, False, default.alias


@cache
def _insert(model: type[Model]) -> tuple[list["Field[Any, Any]"], bool, str]:
    """Return the columns of new rows, whether the database makes their keys, and the statement."""
    makes_keys = model._meta.auto_field is not None
    columns = [field for field in model._meta.concrete_fields if not (makes_keys and field.primary_key)]
    names = ", ".join(f'"{field.column}"' for field in columns)
    values = ", ".join(_told(str(field.column), str(field.db_type(default))) for field in columns)
    returning = f'RETURNING "{model._meta.pk.column}"' if makes_keys else ""
    statement = f'INSERT INTO "{model._meta.db_table}" ({names}) SELECT {values} FROM {_rows()} AS told {returning}'  # noqa: S608
    return columns, makes_keys, statement


@cache
def _update(model: type[Model], columns: Sequence[str]) -> str:
    fields = {"pk": model._meta.pk, **{name: model._meta.get_field(name) for name in columns}}
    told = {name: _told(name, str(field.db_type(default))) for name, field in fields.items()}
    values = ", ".join(f"{name} = {told[name]}" for name in columns)
    table = model._meta.db_table
    return f"UPDATE {table} SET {values} FROM {_rows()} AS told WHERE {table}.{model._meta.pk.column} = {told['pk']}"  # noqa: S608


def _told(name: str, kind: str) -> str:
    """Return the SQL of a value of a row that comes as JSON."""
    value = f"told.value ->> '{name}'"
    if default.vendor == "sqlite":  # which keeps the kinds of JSON
        return value
    # Without its length: a cast would cut a text that is too long, where the column refuses it.
    return f"CAST({value} AS {kind.partition('(')[0]})"


def _rows() -> str:
    return "json_array_elements(%s::json)" if default.vendor == "postgresql" else "json_each(?)"


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
    database = connection.connection
    execute = database.execute_prepared if connection.vendor == "postgresql" else database.execute
    with connection.wrap_database_errors, closing(execute(statement, [text])) as cursor:
        yield cursor
