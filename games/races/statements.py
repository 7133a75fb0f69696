"""The statement that writes many racers: `bulk_update` makes an expression of each value, which takes far longer."""

from collections.abc import Sequence
from functools import cache

from django.db import connection

from games.races.models import Racer
from games.runtime.rows_at_once import execute

_KINDS = {
    "game_id": "text",
    "place": "smallint",
    "outcome": "text",
    "cards_left": "smallint",
    "moves": "integer",
    "elapsed_ms": "bigint",
    "is_rated": "boolean",
    "is_rival": "boolean",
    "person": "bigint",
}


def save_racers(racers: Sequence[Racer], columns: Sequence[str]) -> None:
    """Write some columns of racers."""
    rows = [{name: getattr(racer, name) for name in ("id", *columns)} for racer in racers]
    if rows:
        execute(connection, _statement(connection.vendor, tuple(columns)), rows)


@cache
def _statement(vendor: str, columns: Sequence[str]) -> str:
    if vendor == "postgresql":
        values = ", ".join(f"{name} = (told.value ->> '{name}')::{_KINDS[name]}" for name in columns)
        rows, key = "json_array_elements(%s::json) AS told(value)", "(told.value ->> 'id')::bigint"
    else:
        values = ", ".join(f"{name} = told.value ->> '{name}'" for name in columns)
        rows, key = "json_each(?) AS told", "told.value ->> 'id'"
    return f"UPDATE {Racer._meta.db_table} SET {values} FROM {rows} WHERE {Racer._meta.db_table}.id = {key}"  # noqa: S608
