"""Move everything from an SQLite file into an empty PostgreSQL, and compare each table afterwards.

All of it is one transaction. The triggers that guard history are off in it: rows arrive as they are, and nothing
follows from their arrival. Only the owner of the tables can do that, and nobody else sees the tables meanwhile.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import CommandError
from django.core.management.color import no_style
from django.db import DatabaseError, OperationalError, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Field, JSONField, Model

from games.runtime.backups import MIGRATIONS, unknown_migrations

SOURCE = "source"
# What `migrate` itself writes; the same tables of the file replace it.
FROM_MIGRATIONS = {"django_content_type", "auth_permission", "auth_group", "auth_group_permissions"}
TOGETHER = 2000  # rows that are read at once
MODULUS = 1 << 256

Table = type[Model]
Values = tuple[Any, ...]


class MoveError(CommandError):
    """Nothing has been moved; the text says why."""


def tables() -> list[Table]:
    """Return a model for each table, those between two models included."""
    every = apps.get_models(include_auto_created=True)
    return [model for model in every if model._meta.managed and not model._meta.proxy]


@contextmanager
def opened(file: Path) -> Iterator[str]:
    """Open an SQLite file for this process alone, and return the alias of the connection. Raises `MoveError`."""
    if not file.is_file():
        raise MoveError(f"there is no file {file}")
    connections.databases[SOURCE] = connections.databases["default"] | {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file,
        # Exclusive: another process that has the file open would go on to write into what is left behind.
        "OPTIONS": {"init_command": "PRAGMA locking_mode=EXCLUSIVE", "transaction_mode": "IMMEDIATE", "timeout": 2},
    }
    try:
        with transaction.atomic(using=SOURCE):
            yield SOURCE
    except OperationalError as error:
        if "locked" in str(error):
            raise MoveError(f"{file} is in use: stop the server and the worker first") from error
        raise
    except DatabaseError as error:
        if "not a database" in str(error):
            raise MoveError(f"{file} is not an SQLite database") from error
        raise
    finally:
        connections[SOURCE].close()
        del connections[SOURCE]
        del connections.databases[SOURCE]


def require_same_version(source: str) -> None:
    """Raise `MoveError` unless both databases have exactly the migrations of this program."""
    known = {model._meta.db_table for model in tables()} | {MIGRATIONS}
    if strange := set(connections[source].introspection.table_names()) - known:
        raise MoveError(f"the file has tables of another program: {', '.join(sorted(strange))}")
    for name, alias in (("the file", source), ("the database", "default")):
        executor = MigrationExecutor(connections[alias])
        ours = executor.loader.graph.leaf_nodes()
        if plan := executor.migration_plan(ours):
            missing = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in plan[:3])
            raise MoveError(f"{name} is of an older version, without {missing}: run manage.py migrate on it first")
        if unknown := unknown_migrations(executor.loader.applied_migrations):
            raise MoveError(f"{name} is of a newer version, which has {', '.join(unknown)}; install that one first")


def _require_empty() -> None:
    """Raise `MoveError` if the database has any row that `migrate` does not write."""
    for model in tables():
        table = model._meta.db_table
        if table not in FROM_MIGRATIONS and model._base_manager.exists():
            raise MoveError(f"the database is not empty: {table} has rows. Move into a new one")


def count(source: str) -> int:
    """Return the number of rows to move."""
    return sum(model._base_manager.using(source).count() for model in tables())


def move(source: str, note: Callable[[int], object]) -> None:
    """Copy all rows, and compare what arrived. `note` gets numbers of rows that were copied or compared.

    Raises `MoveError` if there are rows already or a table differs, and `DatabaseError` if it cannot be written.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        for model in tables():
            cursor.execute(f"ALTER TABLE {_quoted(model)} DISABLE TRIGGER USER")
        _require_empty()  # nobody else writes from here on
        for table in FROM_MIGRATIONS:
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608  a constant
        sums = {model: _copy(model, source, note) for model in tables()}
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for model in tables():
            cursor.execute(f"ALTER TABLE {_quoted(model)} ENABLE TRIGGER USER")
        for statement in connection.ops.sequence_reset_sql(no_style(), tables()):
            cursor.execute(statement)
        for model, copied in sums.items():
            arrived = _checksum(_rows(model, "default"), note)
            if arrived != copied or _present(model, "default") != _present(model, source):
                raise MoveError(f"{model._meta.db_table} differs from the file after it was copied")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _copy(model: Table, source: str, note: Callable[[int], object]) -> tuple[int, int]:
    """Copy a table, and return the checksum of what was read."""
    fields = _fields(model)
    columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    statement = f"COPY {_quoted(model)} ({columns}) FROM STDIN"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:

        def through() -> Iterator[Values]:
            for row in _rows(model, source):
                copy.write_row([_stored(field, value) for field, value in zip(fields, row, strict=True)])
                yield row

        return _checksum(through(), note)


def _stored(field: Field[Any, Any], value: Any) -> Any:
    """Return a value as PostgreSQL stores it, without what `save` would do to it."""
    return field.get_db_prep_save(value, connection)


def _rows(model: Table, alias: str) -> Iterator[Values]:
    """Yield the rows of a table, in no order."""
    names = [field.attname for field in _fields(model)]
    rows: Iterator[Values] = (
        model._base_manager.using(alias).order_by().values_list(*names).iterator(chunk_size=TOGETHER)
    )
    return rows


def _fields(model: Table) -> Sequence[Field[Any, Any]]:
    return model._meta.local_concrete_fields


def _checksum(rows: Iterator[Values], note: Callable[[int], object]) -> tuple[int, int]:
    """Return the number of rows and the sum of their hashes, which is the same in any order."""
    number = total = 0
    for number, row in enumerate(rows, start=1):
        total += int.from_bytes(hashlib.sha256("\x1f".join(map(_text, row)).encode()).digest())
        if number % TOGETHER == 0:
            note(TOGETHER)
    note(number % TOGETHER)
    return number, total % MODULUS


def _present(model: Table, alias: str) -> dict[str, int]:
    """Return how many values each JSON column has: rows that are read have None for a null of SQL and of JSON."""
    columns = [field.name for field in _fields(model) if isinstance(field, JSONField)]
    return model._base_manager.using(alias).aggregate(**{f"values_of_{name}": Count(name) for name in columns})


def _text(value: Any) -> str:
    """Return a value as text, the same from both databases."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, dict | list):
        return json.dumps(_plain(value), sort_keys=True)
    return repr(value)


def _plain(value: Any) -> Any:
    """Return a JSON value with whole numbers as integers: PostgreSQL writes 1e+22 with all its digits."""
    if isinstance(value, dict):
        return {key: _plain(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [_plain(inside) for inside in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _quoted(model: Table) -> str:
    return connection.ops.quote_name(model._meta.db_table)
