"""What the journal says to the database driver itself; a batch through the ORM costs several times as much."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from operator import itemgetter

from django.db import IntegrityError
from django.db.backends.base.base import BaseDatabaseWrapper

from games.models import Game, Move
from games.session import Change, Step

_COLUMNS = "game_id, version, action, at_ms, client_ms"
_TABLE = Move._meta.db_table
APPEND_ROW = f"INSERT INTO {_TABLE} ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)"  # noqa: S608  no value is put in
APPEND_ALL = (
    f"INSERT INTO {_TABLE} ({_COLUMNS}) "  # noqa: S608
    "SELECT * FROM unnest(%s::text[], %s::int[], %s::text[], %s::bigint[], %s::bigint[])"
)


def write_changes(connection: BaseDatabaseWrapper, changes: Sequence[Change]) -> None:
    """Write changes in the order of their games, all or none if the connection is in a transaction.

    Raises `IntegrityError` if one of them is no longer possible. Without a summary among them, PostgreSQL needs no
    transaction around it: it is one statement.
    """
    rows = [_row(change.game, change.step) for change in changes if change.step is not None]
    if rows:
        _append(connection, sorted(rows, key=itemgetter(0, 1)))
    for change in changes:
        if change.summary is not None:
            unfinished = Game.objects.using(connection.alias).filter(pk=change.game, status=Game.Status.PLAYING)
            if not unfinished.update(**asdict(change.summary)):
                raise IntegrityError(f"game {change.game} has ended already")


_Row = tuple[str, int, str, int, int | None]


def _row(game: str, step: Step) -> _Row:
    return game, step.version, step.action.text, step.at_ms, step.client_ms


def _append(connection: BaseDatabaseWrapper, rows: Sequence[_Row]) -> None:
    connection.ensure_connection()
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(APPEND_ALL, [_array(column) for column in zip(*rows, strict=True)], prepare=True)
        else:
            cursor.executemany(APPEND_ROW, rows)


def _array(values: Sequence[str | int | None]) -> str:
    """Return values as PostgreSQL writes an array; identifiers and actions have nothing in them to be quoted."""
    return f"{{{','.join(['NULL' if value is None else str(value) for value in values])}}}"
