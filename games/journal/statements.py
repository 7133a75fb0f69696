"""What the journal says to the database driver itself; a batch through the ORM costs several times as much."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from operator import itemgetter

import msgspec
from django.db import IntegrityError
from django.db.backends.base.base import BaseDatabaseWrapper

from games.models import Game, Move
from games.session import Change, Step

_APPEND = f"INSERT INTO {Move._meta.db_table} (game_id, version, action, at_ms, client_ms) SELECT "
APPEND_IN_POSTGRESQL = (
    f"{_APPEND} row ->> 0, (row ->> 1)::int, row ->> 2, (row ->> 3)::bigint, (row ->> 4)::bigint "
    "FROM json_array_elements(%s::json) AS row"
)
APPEND_IN_SQLITE = f"{_APPEND} value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)"


def write_changes(connection: BaseDatabaseWrapper, changes: Sequence[Change]) -> None:
    """Write changes in the order of their games, all or none if the connection is in a transaction.

    Raises `IntegrityError` if one of them is no longer possible. Without a summary among them no transaction is needed
    around it: it is one statement.
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
    text = msgspec.json.encode(rows).decode()
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(APPEND_IN_POSTGRESQL, [text], prepare=True)
        else:
            cursor.execute(APPEND_IN_SQLITE, [text])
