"""The journal's SQL."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from operator import itemgetter

import msgspec
from django.db import IntegrityError
from django.db.backends.base.base import BaseDatabaseWrapper

from games.play.journal.starts import write_starts
from games.play.models import Move
from games.play.session import Change, Step, Summary
from games.runtime.rows_at_once import as_stored, execute

_APPEND = f"INSERT INTO {Move._meta.db_table} (game_id, version, action, at_ms, client_ms) SELECT "
APPEND_IN_POSTGRESQL = (
    f"{_APPEND} row ->> 0, (row ->> 1)::int, row ->> 2, (row ->> 3)::bigint, (row ->> 4)::bigint "
    "FROM json_array_elements(%s::json) AS row"
)
APPEND_BY_LOOP = APPEND_IN_POSTGRESQL.replace("%s", "$1")
APPEND_IN_SQLITE = f"{_APPEND} value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)"


_SUMMARY = {field.name: "text" if field.name == "status" else "bigint" for field in fields(Summary)}
_SUMMARY["finished_at"] = "timestamptz"
_END = "UPDATE games_game SET {values} FROM (SELECT {columns} FROM {rows}) AS ended"
_END += " WHERE games_game.id = ended.id AND games_game.status = 'playing'"
_VALUES = ", ".join(f"{name} = ended.{name}" for name in _SUMMARY)
END_IN_POSTGRESQL = _END.format(
    values=_VALUES,
    columns=", ".join(f"(row ->> '{name}')::{kind} AS {name}" for name, kind in {"id": "text", **_SUMMARY}.items()),
    rows="json_array_elements(%s::json) AS row",
)
END_IN_SQLITE = _END.format(
    values=_VALUES,
    columns=", ".join(f"value ->> '{name}' AS {name}" for name in ("id", *_SUMMARY)),
    rows="json_each(?)",
)


def write_changes(connection: BaseDatabaseWrapper, changes: Sequence[Change]) -> set[str]:
    """Write changes, all or none inside a transaction; sorted by game, so that all writers lock rows in the same order.

    Raises `IntegrityError` if one of them is no longer possible, and returns which games could not start. Actions alone
    are one statement, which needs no transaction.
    """
    starts = {change.game: change.start for change in changes if change.start is not None}
    not_started = starts.keys() - write_starts(connection, list(starts.values())) if starts else set()
    rows = _rows(changes)
    if rows:
        execute(connection, APPEND_IN_POSTGRESQL if connection.vendor == "postgresql" else APPEND_IN_SQLITE, rows)
    ends = [(change.game, change.summary) for change in changes if change.summary is not None]
    if ends:
        _end(connection, sorted(ends, key=itemgetter(0)))
    return not_started


def is_action_alone(change: Change) -> bool:
    """Return True if all that is to be written of a change is a row of the log."""
    return change.step is not None and change.summary is None and change.start is None


def rows_of(changes: Sequence[Change]) -> bytes:
    """Return the parameter of the statement that appends the actions of changes."""
    return msgspec.json.encode(_rows(changes))


_Row = tuple[str, int, str, int, int | None]


def _rows(changes: Sequence[Change]) -> list[_Row]:
    rows = [_row(change.game, change.step) for change in changes if change.step is not None]
    return sorted(rows, key=itemgetter(0, 1))


def _row(game: str, step: Step) -> _Row:
    return game, step.version, step.action.text, step.at_ms, step.client_ms


def _end(connection: BaseDatabaseWrapper, ends: Sequence[tuple[str, Summary]]) -> None:
    rows = [
        {"id": game, **{name: as_stored(connection, value) for name, value in asdict(summary).items()}}
        for game, summary in ends
    ]
    # Unlike a second action at a version, a second end violates no constraint: it just finds no game that is played.
    ended = execute(connection, END_IN_POSTGRESQL if connection.vendor == "postgresql" else END_IN_SQLITE, rows)
    if ended != len(ends):
        raise IntegrityError("a game has ended already")
