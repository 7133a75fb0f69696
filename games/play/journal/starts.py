"""A player's first attempt at a daily deal in one statement: the division of the day, what forbids it, the game."""

from collections.abc import Sequence

from django.db.backends.base.base import BaseDatabaseWrapper

from games.play.models import Game
from games.play.session import Start
from games.runtime.rows_at_once import as_stored, execute, execute_returning_ids

_ALLOWED = """
NOT EXISTS (
    SELECT 1 FROM games_game AS attempt WHERE attempt.player_id = asked.player_id AND attempt.daily_id = asked.daily_id
        AND attempt.id BETWEEN substr(asked.id, 1, 3) AND substr(asked.id, 1, 3) || 'zzzzzzzzzzzz'  -- those of its day
) AND NOT EXISTS (
    SELECT 1 FROM games_secretaccess AS look WHERE look.player_id = asked.player_id AND look.daily_id = asked.daily_id
)
"""
_FIXED = """
SELECT 1 FROM games_daydivision AS fixed
WHERE fixed.player_id = asked.player_id AND fixed.day = daily.day AND fixed.division = daily.division
"""
# A commit of another process may be missing from the snapshot: then nothing is inserted, and the caller looks again.
# In the order of players, so that two processes with the same players in their batches do not wait for each other.
_IN_POSTGRESQL = """
WITH asked AS MATERIALIZED (
    SELECT * FROM json_populate_recordset(NULL::games_game, %s::json)
), entered AS (
    INSERT INTO games_daydivision (player_id, day, division)
    SELECT asked.player_id, daily.day, daily.division
    FROM asked JOIN games_dailydeal AS daily ON daily.id = asked.daily_id ORDER BY asked.player_id
    ON CONFLICT DO NOTHING RETURNING player_id, day, division
)
INSERT INTO games_game SELECT asked.* FROM asked JOIN games_dailydeal AS daily ON daily.id = asked.daily_id
WHERE (EXISTS ({fixed}) OR EXISTS ({just_fixed})) AND {allowed}
ORDER BY asked.player_id ON CONFLICT DO NOTHING RETURNING id
"""
# SQLite needs the `WHERE true`: without it, the ON of the conflict would be taken for a condition of the join.
_ENTER_IN_SQLITE = """
INSERT INTO games_daydivision (player_id, day, division)
SELECT asked.player_id, daily.day, daily.division
FROM (SELECT {values} FROM json_each(?)) AS asked JOIN games_dailydeal AS daily ON daily.id = asked.daily_id
WHERE true ON CONFLICT DO NOTHING
"""
_START_IN_SQLITE = """
INSERT INTO games_game ({columns})
SELECT asked.* FROM (SELECT {values} FROM json_each(?)) AS asked
JOIN games_dailydeal AS daily ON daily.id = asked.daily_id
WHERE EXISTS ({fixed}) AND {allowed} ON CONFLICT DO NOTHING RETURNING id
"""
_COLUMNS = [str(field.column) for field in Game._meta.concrete_fields]
_PARTS = {
    "columns": ", ".join(_COLUMNS),
    "values": ", ".join(f"value ->> '{column}' AS {column}" for column in _COLUMNS),
    "fixed": _FIXED,
    "just_fixed": _FIXED.replace("games_daydivision", "entered"),
    "allowed": _ALLOWED,
}
START_IN_POSTGRESQL = _IN_POSTGRESQL.format(**_PARTS)
ENTER_IN_SQLITE, START_IN_SQLITE = _ENTER_IN_SQLITE.format(**_PARTS), _START_IN_SQLITE.format(**_PARTS)


def write_starts(connection: BaseDatabaseWrapper, starts: Sequence[Start]) -> set[str]:
    """Write the games that can start, in a transaction, and return which those are.

    Not those of players who compete in another division that day, have an attempt already, or know the deal.
    """
    rows = [{name: as_stored(connection, value) for name, value in start.items()} for start in starts]
    if connection.vendor == "postgresql":
        return execute_returning_ids(connection, START_IN_POSTGRESQL, rows)
    execute(connection, ENTER_IN_SQLITE, rows)
    return execute_returning_ids(connection, START_IN_SQLITE, rows)
