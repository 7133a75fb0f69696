"""Many rows at once, without a model object for each."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model

from games.play.models import MARK_LENGTH, Game


def new_games(game: Game, series: str = "g") -> str:
    """Return the SQL of ids of copies of a game, which are of the same day."""
    return f"'{game.pk[:MARK_LENGTH]}{series}' || n"


def multiply(row: Model, times: int, different: dict[str, str]) -> None:
    """Insert a row many times, with these columns computed from n = 1, 2, 3 ..."""
    table = row._meta.db_table
    columns = [field.column for field in row._meta.concrete_fields]
    values = ", ".join(different.get(str(column), f'"{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" ({names}) '  # noqa: S608  nothing here comes from outside
            f'SELECT {values} FROM "{table}", generate_series(1, %s) AS n WHERE "{row._meta.pk.column}" = %s',
            [times, row.pk],
        )
        if row._meta.auto_field:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, row.pk + times])
